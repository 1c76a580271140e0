"""The page chapters/checks.md, written from the proofs that the notebooks hold."""

from pathlib import Path

import nbformat


def checks_page(paths: list[Path]) -> str:
    """Every proved claim of the book, with a link to the cell that proves it."""
    sections, claims, refuted = [], 0, 0
    for path in paths:
        notebook = nbformat.read(path, 4)
        outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
        proofs = [
            o["metadata"]["proof"] for o in outputs if "proof" in o.get("metadata", {})
        ]
        if proofs:
            title = notebook.cells[0]["source"].splitlines()[0].lstrip("# ")
            entries = [_entry(proof, path.stem) for proof in proofs]
            sections.append("\n\n".join([f"## {title}", *entries]))
        claims += len(proofs)
        refuted += sum(len(proof["refuted"]) for proof in proofs)
    head = (
        "# What has been checked\n\n"
        f"SymPy proves {claims} claims of this book, beside the text that makes them. "
        "Each is listed with all that it assumes, and was also evaluated at exact random "
        f"numbers that satisfy these hypotheses. Of wrong versions, {refuted} in all, each "
        "is refuted by numbers that satisfy the same hypotheses. This page is written by "
        "the program that executes the chapters; nobody types it."
    )
    return "\n\n".join([head, *sections]) + "\n"


def _entry(proof: dict, chapter: str) -> str:
    code = f" The same numbers as `{proof['code']}`." if proof["code"] else ""
    wrong = "".join(
        f"\n- {r['change']}: fails at {r['at']}, where the left side is {r['left']} and "
        f"this right side {r['wrong']}"
        for r in proof["refuted"]
    )
    return (
        f'<a href="{chapter}.html#{proof["anchor"]}">{proof["name"]}</a>\n\n'
        f"$$\n{proof['statement']}\n$$\n\n"
        f"Assumed: {proof['given']}.{code}\n\nWrong versions:\n{wrong}"
    )
