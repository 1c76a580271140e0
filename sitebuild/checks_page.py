"""Write the page chapters/checks.md, which lists the proofs in the notebooks."""

import tomllib
from pathlib import Path

import jinja2
import nbformat

DESCRIPTIONS = tomllib.loads(Path(__file__).with_name("checks.toml").read_text())

PAGE = jinja2.Template(Path(__file__).with_suffix(".md").read_text("utf-8"))


def render_checks_page(paths: list[Path]) -> str:
    """List every proved claim of the book, with a link to the cell that proves it."""
    sections, n_claims, n_refuted = [], 0, 0
    for path in paths:
        cells = nbformat.read(path, 4).cells
        if proofs := proofs_of(cells):
            title = cells[0]["source"].splitlines()[0].lstrip("# ")
            entries = [_entry(proof, path.stem) for proof in proofs]
            sections.append("\n\n".join([f"## {title}", *entries]))
        n_claims += len(proofs)
        n_refuted += sum(len(proof["refuted"]) for proof in proofs)
    text = "\n\n".join(sections)
    return PAGE.render(claims=n_claims, refuted=n_refuted, sections=text) + "\n"


def proofs_of(cells: list[dict]) -> list[dict]:
    """List the proofs in the outputs of a notebook, with their wrong versions."""
    outputs = [o for cell in cells for o in cell.get("outputs", [])]
    return [o["metadata"]["proof"] for o in outputs if "proof" in o.get("metadata", {})]


def _entry(proof: dict, chapter: str) -> str:
    texts = DESCRIPTIONS.get(proof["name"], {})
    where = f"Here {texts['where']}.\n\n" if texts else ""
    use = f"Needed for: {texts['for']}\n\n" if texts else ""  # may end with "?"
    code = f" Agrees with `{proof['code']}`." if proof["code"] else ""
    wrong = "".join(
        f"\n- {r['change']}: fails at {r['at']}, where the left side is {r['left']} and "
        f"this right side {r['wrong']}"
        for r in proof["refuted"]
    )
    return (
        f'<a href="{chapter}.html#{proof["anchor"]}">{proof["name"]}</a>\n\n'
        f"$$\n{proof['statement']}\n$$\n\n"
        f"{where}Assumed: {proof['given']}.{code}\n\n{use}Wrong versions:\n{wrong}"
    )
