"""Every work of the bibliography is cited, and every work that mlcore names is in it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIB = (ROOT / "chapters" / "references.bib").read_text()
ENTRY = re.compile(r"@(\w+)\{(\w+),\n(.*?)\n\}", re.S)
ENTRIES = {key: (kind, body) for kind, key, body in ENTRY.findall(BIB)}
# "Cover and Hart (1967)", "Golub and others (1999)", "O'Donoghue and Candes (2015)"
NAMED = re.compile(
    r"([A-Z][\w'-]+)(?:(?:,| and|, and| De| Van)* [A-Z][\w'-]+| and others| et al\.)*"
    r" \((\d{4})\)"
)


def pages():
    chapters = ROOT / "chapters"
    return [*chapters.glob("*.ipynb"), *chapters.glob("*.md")]


def test_every_entry_is_there_once_and_is_cited():
    assert BIB.count("\n@") + 1 == len(ENTRIES)
    texts = [path.read_text() for path in pages()]
    lists = [keys for text in texts for keys in re.findall(r"\{cite\S*\}`([^`]+)`", text)]
    cited = {key.strip() for keys in lists for key in keys.split(",")}
    assert cited == set(ENTRIES)


def test_articles_say_where_they_are():
    for key, (kind, body) in ENTRIES.items():
        fields = {"article": ("journal", "volume", "pages"), "book": ("publisher",)}
        for field in ("author", "title", "year", *fields.get(kind, ())):
            assert f"  {field} = " in body, f"{key} has no {field}"


@pytest.mark.parametrize("path", sorted((ROOT / "mlcore").rglob("*.py")), ids=str)
def test_every_work_that_the_package_names_has_an_entry(path):
    bodies = [body for _, body in ENTRIES.values()]
    text = re.sub(r"\s+", " ", path.read_text())
    for first, year in NAMED.findall(text):
        plain = first.replace("'s", "")
        found = [body for body in bodies if f"year = {{{year}}}" in body and plain in body]
        assert found, f"{first} ({year}) is not in references.bib"
