"""What jupyterlab_myst does not know of the book: its pages, its labels, what it cites."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nbformat
from pybtex.database import Entry, parse_file
from pybtex.plugin import find_plugin

from sitebuild.chapters import ROOT, parts

LABELED = re.compile(
    r"^\((?P<place>\S+)\)=\s+#+ (?P<heading>.+)"
    r"|^`{3,}\{(?:prf:)?(?P<kind>\w+)\}.*(?:\n:.*)*?\n:label: (?P<statement>\S+)"
    r"|^\$\$ \((?P<equation>\S+)\)",
    flags=re.M,
)


def pages() -> dict[str, dict]:
    """The file of each page in `chapters`, and its number if it is a chapter.

    The reference and the index, which Sphinx makes, cannot be read in JupyterLab.
    """
    found, number = {}, 0
    for _, numbered, part in parts():
        for path in (ROOT / page for page in part):
            number += numbered
            if path.parent == ROOT / "chapters":
                kind = ".ipynb" if path.with_suffix(".ipynb").exists() else ".md"
                own = number if numbered else None
                found[path.stem] = {"path": path.stem + kind, "number": own}
    return found


def labels() -> dict[str, dict[str, str]]:
    """The page of each label, and what a reference to it says."""
    return {
        label.lower(): {"page": name, "text": text}
        for name, page in pages().items()
        for label, text in labels_of(ROOT / "chapters" / page["path"], page["number"])
    }


def labels_of(path: Path, chapter: int | None) -> Iterator[tuple[str, str]]:
    """Headings by their title, statements and equations by their number."""
    counts: Counter[str] = Counter()
    for found in LABELED.finditer(markdown(path)):
        if found["place"]:
            yield found["place"], re.sub(r"[*`]", "", found["heading"])
            continue
        kind = found["kind"] or "equation"
        counts[kind] += 1
        number = f"{chapter}.{counts[kind]}" if chapter else str(counts[kind])
        if found["kind"]:
            yield found["statement"], f"{kind.capitalize()} {number}"
        else:
            yield found["equation"], f"({number})"


def markdown(path: Path) -> str:
    if path.suffix == ".md":
        return path.read_text()
    cells = nbformat.read(path, 4).cells
    return "\n\n".join(c["source"] for c in cells if c["cell_type"] == "markdown")


def works() -> dict[str, dict[str, str]]:
    """What the book cites: as names and year, and in full."""
    entries = parse_file(ROOT / "chapters" / "references.bib").entries
    style = find_plugin("pybtex.style.formatting", "plain")()
    return {
        item.key: short(entries[item.key]) | {"full": item.text.render_as("text")}
        for item in style.format_entries(entries.values())
    }


def short(entry: Entry) -> dict[str, str]:
    people = entry.persons.get("author") or entry.persons["editor"]
    parts = (person.rich_prelast_names + person.rich_last_names for person in people)
    last = [" ".join(map(str, names)) for names in parts]
    names = f"{last[0]} et al." if len(last) > 2 else " and ".join(last)
    return {"names": names, "year": entry.fields["year"]}
