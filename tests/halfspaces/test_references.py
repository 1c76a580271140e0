"""The bibliography: complete entries, all cited, and all works that mlcore names."""

import re

from sitebuild.chapters import ROOT

BIB = (ROOT / "chapters" / "references.bib").read_text()
ENTRY = re.compile(r"@(\w+)\{(\w+),\n(.*?)\n\}", re.S)
ENTRIES = {key: (kind, body) for kind, key, body in ENTRY.findall(BIB)}
FIELDS = {"article": ("journal", "volume", "pages"), "book": ("publisher",)}
# "Cover and Hart (1967)", "Golub and others (1999)", "O'Donoghue and Candes (2015)"
NAMED = re.compile(
    r"([A-Z][\w'-]+)(?:(?:,| and|, and| De| Van)* [A-Z][\w'-]+| and others| et al\.)*"
    r" \((\d{4})\)"
)


def test_entries_are_unique_cited_and_complete():
    assert BIB.count("\n@") + 1 == len(ENTRIES)
    pages = [p for kind in ("*.ipynb", "*.md") for p in (ROOT / "chapters").glob(kind)]
    lists = [k for p in pages for k in re.findall(r"\{cite\S*\}`([^`]+)`", p.read_text())]
    assert {key.strip() for keys in lists for key in keys.split(",")} == set(ENTRIES)
    for key, (kind, body) in ENTRIES.items():
        for field in ("author", "title", "year", *FIELDS.get(kind, ())):
            assert f"  {field} = " in body, f"{key} has no {field}"


def test_works_named_in_the_package_have_an_entry():
    bodies = [body for _, body in ENTRIES.values()]
    for path in (ROOT / "mlcore").rglob("*.py"):
        for first, year in NAMED.findall(re.sub(r"\s+", " ", path.read_text())):
            name, when = first.replace("'s", ""), f"year = {{{year}}}"
            found = any(when in body and name in body for body in bodies)
            assert found, f"{path.name}: {first} ({year}) is not in references.bib"
