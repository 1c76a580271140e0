"""List pages, labels and citations of the book, which jupyterlab_myst does not know."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nbformat
from pybtex.database import Entry, parse_file
from pybtex.plugin import find_plugin

from sitebuild.chapters import ROOT, toc_parts

LABELED = re.compile(
    r"^\((?P<anchor>\S+)\)=\s+#+ (?P<heading>.+)"
    r"|^`{3,}\{(?:prf:)?(?P<kind>\w+)\}.*(?:\n:.*)*?\n:label: (?P<statement>\S+)"
    r"|^\$\$ \((?P<equation>\S+)\)",
    flags=re.M,
)


def pages() -> dict[str, dict]:
    """Map the pages in `chapters` to their files, and to their numbers if numbered.

    The API reference and the index, which Sphinx generates, do not exist in JupyterLab.
    """
    found, number = {}, 0
    for _, numbered, part in toc_parts():
        for path in (ROOT / page for page in part):
            number += numbered
            if path.parent == ROOT / "chapters":
                kind = ".ipynb" if path.with_suffix(".ipynb").exists() else ".md"
                chapter = number if numbered else None
                found[path.stem] = {"path": path.stem + kind, "number": chapter}
    return found


def labels() -> dict[str, dict[str, str]]:
    """Map each label to its page and to the text of a reference to it."""
    return {
        label.lower(): {"page": name, "text": text}
        for name, page in pages().items()
        for label, text in labels_of(ROOT / "chapters" / page["path"], page["number"])
    }


def labels_of(path: Path, chapter: int | None) -> Iterator[tuple[str, str]]:
    """Yield (label, text): the title of a heading, the number of a statement."""
    counts: Counter[str] = Counter()
    for found in LABELED.finditer(markdown(path)):
        if found["anchor"]:
            yield found["anchor"], re.sub(r"[*`]", "", found["heading"])
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
    """Map each bibliography key to names, year and the full citation."""
    entries = parse_file(ROOT / "chapters" / "references.bib").entries
    style = find_plugin("pybtex.style.formatting", "plain")()
    text = find_plugin("pybtex.backends", "text")()  # render_as would search it each time
    return {
        item.key: names_and_year(entries[item.key]) | {"full": item.text.render(text)}
        for item in style.format_entries(entries.values())
    }


def names_and_year(entry: Entry) -> dict[str, str]:
    people = entry.persons.get("author") or entry.persons["editor"]
    parts = (person.rich_prelast_names + person.rich_last_names for person in people)
    last = [" ".join(map(str, names)) for names in parts]
    names = f"{last[0]} et al." if len(last) > 2 else " and ".join(last)
    return {"names": names, "year": entry.fields["year"]}
