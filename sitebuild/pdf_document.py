"""The book as one document for paper: the articles of the built pages, in their order.

Every id gets the name of its page before it, and links lead there instead of to pages.
Hints and solutions move into chapters of their own.  What is left out is up to
`_static/print.css`.
"""

import json
import posixpath
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np
from bs4 import BeautifulSoup, Tag

from sitebuild.chapters import ROOT, parts

SITE = ROOT / "_build" / "html"
ON_SCREEN = ".headerlink, .hs-tips, script, .genindex-jumpbox, .sd-summary-state-marker"
FRAME = re.compile(r"tag_print-frame-(\d+)")
URL = re.compile(r"url\(#")
NUMBER = re.compile(r"\[page ([^\]]+)\]")
# Links of the text to places, but words of the glossary, works that are cited, and code.
REFERENCE = ':not(h1, h2, h3) > a.reference.internal[href^="#"]:has(> span:not(.std-term))'
LONG = 10  # lines of code, which may break between pages


class Heading(NamedTuple):
    """A line of the contents."""

    level: int
    name: str  # of its place in the document
    html: str
    text: str


def chosen(folder: Path, only: Sequence[str]) -> dict[str, str]:
    """The pages to print, and their names.  Raises ValueError for a name of none."""
    every = {p: posixpath.basename(p) for *_, part in parts(folder) for p in part}
    if wrong := {*only} - {*every.values()}:
        names = ", ".join(every.values())
        raise ValueError(f"ONLY has to name pages, of {names}; not {min(wrong)}.")
    return {p: name for p, name in every.items() if not only or name in only}


class Document:
    """The articles of a site, by the part of the book in which they stand."""

    def __init__(self, site: Path = SITE, folder: Path = ROOT, only: Sequence[str] = ()):
        """only  the names of some pages.  Raises ValueError for a name of none."""
        self.site, self.names, listed = site, chosen(folder, only), parts(folder)
        kept = ((name, [p for p in part if p in self.names]) for name, _, part in listed)
        self.parts = [(name, [*map(self._article, part)]) for name, part in kept if part]
        self._collect_answers()

    def headings(self) -> list[Heading]:
        """Parts (level 0), chapters (1) and sections (2), in the order of the book."""
        found = []
        for caption, articles in self.parts:
            found += [Heading(0, "", escape(caption), caption)] if caption else []
            for article in articles:
                heads = [(1, article["id"], article.h1)]
                h2s = article.select("section > h2")
                heads += [(2, h2.parent["id"], h2) for h2 in h2s]
                found += [Heading(k, name, _inner(h), h.get_text()) for k, name, h in heads]
        return found

    def articles(self) -> list[Tag]:
        return [article for _, part in self.parts for article in part]

    def _article(self, page: str) -> Tag:
        html = (self.site / f"{page}.html").read_text("utf-8")
        article = BeautifulSoup(html, "html.parser").select_one("article.bd-article")
        for element in article.select(ON_SCREEN):
            element.decompose()
        for code in article.select("pre"):
            if code.text.count("\n") >= LONG:
                code["class"] = "hs-long"
        self._choose_frames(article, page)
        self._join(article, page)
        if page == "genindex":
            number_index(article)
        for link in article.select(REFERENCE):
            number = f'<span class="hs-page"> p.&nbsp;[page {link["href"][1:]}]</span>'
            link.append(BeautifulSoup(number, "html.parser"))
        return article

    def _choose_frames(self, article: Tag, page: str) -> None:
        """Let each moving picture stand at the frame that its cell is tagged with.

        Without a tag each slider stands in its middle.
        """
        if not (boxes := article.select(".hs-moving")):
            return
        file = self.site / "_static" / "frames" / f"{page.replace('/', '-')}.js"
        stored = file.read_text("utf-8")
        frames = json.loads(stored[stored.index("[") : stored.rindex(";")])
        for box, others in zip(boxes, frames, strict=True):
            tags = " ".join(box.find_parent(class_="cell")["class"])
            stops = [int(slider["max"]) + 1 for slider in box.select("input")]
            middle = np.ravel_multi_index([n // 2 for n in stops], stops)
            tag = FRAME.search(tags)
            index = int(tag[1]) if tag else middle
            if index >= len(others):
                raise ValueError(f"{page}: {tag[0]} names none of {len(others)} frames")
            if index:  # the first is in the page
                frame = box.select_one(".hs-frame")
                frame.clear()
                frame.append(BeautifulSoup(others[index], "html.parser"))

    def _join(self, article: Tag, page: str) -> None:
        """Give ids the name of the page, once each; and let links lead to places."""
        name, seen = self.names[page], set()
        for element in article.find_all(True):
            attributes = element.attrs
            if "id" in attributes:
                place = f"{name}.{attributes['id']}"
                if place in seen:
                    del element["id"]
                else:
                    attributes["id"] = place
                    seen.add(place)
            for key in ("href", "xlink:href"):
                if key in attributes:
                    attributes[key] = self._place(page, attributes[key])
                    if not attributes[key]:
                        del element[key]
            for key in ("clip-path", "style"):
                if "url(#" in attributes.get(key, ""):
                    attributes[key] = URL.sub(f"url(#{name}.", attributes[key])
        article["id"] = name

    def _place(self, page: str, link: str) -> str:
        """Where a link leads in the document; nothing for what only the site has."""
        if re.match("[a-z]+:", link):
            return link
        path, _, fragment = link.partition("#")
        if path:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
            page = path.removesuffix(".html")
        name = self.names.get(page)
        return name and (f"#{name}.{fragment}" if fragment else f"#{name}")

    def _collect_answers(self) -> None:
        """Move hints and solutions, if there are any, behind the part with the last."""
        made, place = [], 0
        for title, what, moved in (
            ("Hints", "details.hs-hints", _moved_hints),
            ("Solutions", "div.solution", _moved),
        ):
            name, chapters = title.lower(), ""
            for number, (_, articles) in enumerate(self.parts):
                for article in articles:
                    if pieces := "".join(map(moved, article.select(what))):
                        chapters += f'<section id="{name}.{article["id"]}"><h2>'
                        chapters += f"{_inner(article.h1)}</h2>{pieces}</section>"
                        place = number + 1
            if chapters:
                html = f'<article class="bd-article" id="{name}"><h1>{title}</h1>{chapters}'
                made.append(BeautifulSoup(f"{html}</article>", "html.parser").article)
        if made:
            self.parts.insert(place, ("On the exercises", made))


def number_index(article: Tag) -> None:
    """Put numbers of pages to the entries; modules stand under their own names only."""
    for item in article.find_all("li"):
        if str(item.contents[0]).strip() == "module":
            item.decompose()
            break
    for link in article.find_all("a", href=re.compile("^#")):
        link.insert_after(f", [page {link['href'][1:]}]")


def _moved(solution: Tag) -> str:
    """Take a solution out of its chapter; returns it as it stands in the other place."""
    exercise = solution.find_previous("div", class_="exercise")
    title = exercise.select_one(".admonition-title")
    solution.extract()
    back = f' <span class="hs-to">page [page {exercise["id"]}]</span>'
    solution.p.string = ""
    link = f'<a href="#{exercise["id"]}">{_inner(title)}</a>{back}'
    solution.p.append(BeautifulSoup(link, "html.parser"))
    place = solution["id"]
    there = f' <a class="hs-to" href="#{place}">Solution: page [page {place}]</a>'
    title.append(BeautifulSoup(there, "html.parser"))
    return str(solution)


def _moved_hints(folds: Tag) -> str:
    """Take the hints for an exercise out of its chapter; returns them as a list."""
    exercise = folds.find_previous("div", class_="exercise")
    title = _inner(exercise.select_one(".admonition-title"))
    items = "".join(f"<li>{_inner(hint)}</li>" for hint in folds.select("p"))
    folds.extract()
    return f'<p><a href="#{exercise["id"]}">{title}</a></p><ol>{items}</ol>'


def _inner(element: Tag) -> str:
    return re.sub(r'\sid="[^"]*"', "", element.decode_contents())
