"""The page chapters/checks.md, written from the proofs that the notebooks hold."""

from pathlib import Path

import nbformat


def checks_page(paths: list[Path]) -> str:
    """Every proved claim of the book, with a link to the cell that proves it."""
    sections, claims, mutants = [], 0, 0
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
        mutants += sum(len(proof["mutants"]) for proof in proofs)
    head = (
        "# What has been checked\n\n"
        f"SymPy proves {claims} claims of this book, beside the text that makes them. "
        f"Each check was also given wrong versions of its claim, {mutants} in all, and "
        "refused every one. This page is written by the program that executes the "
        "chapters; nobody types it."
    )
    return "\n\n".join([head, *sections]) + "\n"


def _entry(proof: dict, chapter: str) -> str:
    code = f" Agrees in numbers with `{proof['code']}`." if proof["code"] else ""
    return (
        f'<a href="{chapter}.html#{proof["anchor"]}">{proof["name"]}</a>\n\n'
        f"$$\n{proof['statement']}\n$$\n\n"
        f"Holds for {proof['holds']}. Refused: {'; '.join(proof['mutants'])}.{code}"
    )
