"""The bibliography: complete entries, all cited, for all works that mlcore cites."""

import re

from sitebuild.chapters import ROOT

BIB = (ROOT / "chapters" / "references.bib").read_text()
ENTRY = re.compile(r"@(\w+)\{(\w+),\n(.*?)\n\}", re.S)
ENTRIES = {key: (kind, body) for kind, key, body in ENTRY.findall(BIB)}
FIELDS = {"article": ("journal", "volume", "pages"), "book": ("publisher",)}
# "Cover and Hart (1967)", "Golub and others (1999)", "O'Donoghue and Candes (2015)"
CITED_WORK = re.compile(
    r"([A-Z][\w'-]+)(?:(?:,| and|, and| De| Van)* [A-Z][\w'-]+| and others| et al\.)*"
    r" \((\d{4})\)"
)


def test_entries_are_unique_cited_and_complete():
    assert BIB.count("\n@") + 1 == len(ENTRIES)
    pages = [p for kind in ("*.ipynb", "*.md") for p in (ROOT / "chapters").glob(kind)]
    cited = [k for p in pages for k in re.findall(r"\{cite\S*\}`([^`]+)`", p.read_text())]
    assert {key.strip() for keys in cited for key in keys.split(",")} == set(ENTRIES)
    for key, (kind, body) in ENTRIES.items():
        for field in ("author", "title", "year", *FIELDS.get(kind, ())):
            assert f"  {field} = " in body, f"{key} has no {field}"


def test_works_cited_in_mlcore_have_an_entry():
    bodies = [body for _, body in ENTRIES.values()]
    for path in (ROOT / "mlcore").rglob("*.py"):
        for author, year in CITED_WORK.findall(re.sub(r"\s+", " ", path.read_text())):
            name, year_field = author.replace("'s", ""), f"year = {{{year}}}"
            has_entry = any(year_field in body and name in body for body in bodies)
            assert has_entry, f"{path.name}: {author} ({year}) is not in references.bib"
