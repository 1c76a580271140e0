"""Extend the search index: titles of boxes, index entries, synonyms, British spellings."""

import json
import re
import tomllib
from pathlib import Path

from sphinx.search.en import SearchEnglish
from sphinx.util.index_entries import split_index_msg

IN_BRACKETS = re.compile(r"^ ?\((.*)\)$", re.S)
LETTER = re.compile(r"(\w) \((\w+)\)")
HYPHEN = re.compile("[-\u2010-\u2015]")
WORDS = tomllib.loads(Path(__file__).with_name("search_words.toml").read_text("utf-8"))
BRITISH = tomllib.loads(Path(__file__).with_name("british.toml").read_text("utf-8"))


def extend_index(app, exception) -> None:
    """Rewrite searchindex.js; remove the parentheses around the titles of boxes."""
    path = Path(app.outdir, "searchindex.js")
    if exception or not path.exists():
        return
    start, end = "Search.setIndex(", ")"
    index = json.loads(path.read_text("utf-8").removeprefix(start).removesuffix(end))
    titles = {}
    for title, places in index["alltitles"].items():
        titles.setdefault(IN_BRACKETS.sub(r"\1", title), []).extend(places)
    for places in titles.values():
        places.sort(key=lambda target: (target[0], target[1] or ""))
    index["alltitles"] = titles
    # Sphinx has no title for a page if nothing but an index entry refers to it
    names = zip(index["docnames"], index["titles"], strict=True)
    index["titles"] = [title or app.env.titles[page].astext() for page, title in names]
    index["indexentries"] = entry_places(app.env, index["docnames"])
    for words in (index["terms"], index["titleterms"]):
        add_british(words)
    text = json.dumps(index, separators=(",", ":"), sort_keys=True)
    path.write_text(f"{start}{text}{end}", "utf-8")


def entry_places(env, pages: list[str]) -> dict[str, list]:
    """Map each index entry to a list of [page, anchor, is it the main entry?]."""
    found = {}
    for words, page, anchor, main in [*index_entries(env, pages), *synonyms(env)]:
        entry = [pages.index(page), anchor, main]
        for spelling in {HYPHEN.sub(sign, words.lower()) for sign in ("-", " ", "/", "")}:
            if entry not in found.setdefault(spelling, []):
                found[spelling].append(entry)
    return dict(sorted(found.items()))


def index_entries(env, pages: list[str]):
    """Yield (words, page, anchor, is it the main entry?)."""
    indexed = env.get_domain("index").entries
    for page in pages:
        for kind, value, anchor, main, _ in indexed.get(page, ()):
            for words in split_index_msg(kind, value):
                letter = LETTER.fullmatch(words.lower())  # "ξ (xi)" is found by both
                for word in letter.groups() if letter else [words]:
                    yield word, page, anchor, main == "main"


def synonyms(env):
    """Yield (words, page, anchor, True) for the words in search_words.toml."""
    labels = env.get_domain("std").anonlabels
    for label, words in WORDS.items():
        page, anchor = labels.get(label, (f"chapters/{label}", ""))
        if page in env.found_docs:  # a book may leave out chapters
            yield from ((word, page, anchor, True) for word in words.split(", "))


def add_british(pages: dict[str, int | list[int]]) -> None:
    """Let British spellings also find the pages of American words; keys are stems."""
    stem = SearchEnglish({}).stem
    for words in BRITISH.items():
        entries = [pages.get(stem(word), []) for word in words]
        lists = [[entry] if isinstance(entry, int) else entry for entry in entries]
        if union := sorted({*lists[0], *lists[1]}):
            pages[stem(words[1])] = union


def setup(app):
    app.connect("build-finished", extend_index)
