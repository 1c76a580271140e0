"""Join the articles of the built pages into one document for paper.

Every id is prefixed by the name of its page, and links between pages become links within
the document.  Hints and solutions move into chapters at the end.  `_static/print.css` hides
parts that are not printed.
"""

import json
import posixpath
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml
from bs4 import BeautifulSoup, Tag

from sitebuild.chapters import ROOT, check_names, toc_parts

SITE = ROOT / "_build" / "html"
BOOK = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
AUTHORS = ", ".join(author["name"] for author in BOOK["authors"])
SCREEN_ONLY = {"headerlink", "hs-begin", "hs-path", "hs-tips", "genindex-jumpbox"}
SCREEN_ONLY |= {"sd-summary-state-marker"}
FRAME = re.compile(r"tag_print-frame-(\d+)")
URL = re.compile(r"url\(#")
# Links in the text, except to the glossary, citations and code.
REFERENCE = ':not(h1, h2, h3) > a.reference.internal[href^="#"]:has(> span:not(.std-term))'
LONG_CODE = 10  # lines from which code may break across pages


class Heading(NamedTuple):
    """A line of the table of contents."""

    level: int
    name: str  # id in the document
    html: str
    text: str


def select_pages(folder: Path, names: Sequence[str]) -> dict[str, str]:
    """Map the selected pages to their names.  Raises ValueError for unknown names."""
    pages = {p: posixpath.basename(p) for *_, part in toc_parts(folder) for p in part}
    check_names("page", names, pages.values())
    return {p: name for p, name in pages.items() if not names or name in names}


class Document:
    """The articles of a site, grouped by the parts of the book."""

    def __init__(self, site: Path = SITE, folder: Path = ROOT, names: Sequence[str] = ()):
        """names  pages to print, all by default.  Raises ValueError if unknown."""
        self.site, self.names = site, select_pages(folder, names)
        self.parts = []
        for caption, _, pages in toc_parts(folder):
            if articles := [self._article(page) for page in pages if page in self.names]:
                self.parts.append((caption, articles))
        self._collect_answers()

    def headings(self) -> list[Heading]:
        """List parts (level 0), chapters (1) and sections (2) in the book's order."""
        found = []
        for caption, articles in self.parts:
            found += [Heading(0, "", escape(caption), caption)] if caption else []
            for article in articles:
                heads = [(1, article["id"], article.h1)]
                heads += [(2, h2.parent["id"], h2) for h2 in article.select("section > h2")]
                found += [Heading(k, name, _inner(h), h.get_text()) for k, name, h in heads]
        return found

    def articles(self) -> list[Tag]:
        return [article for _, part in self.parts for article in part]

    def _article(self, page: str) -> Tag:
        html = (self.site / f"{page}.html").read_text("utf-8")
        article = BeautifulSoup(html, "html.parser").select_one("article.bd-article")
        for element in article.find_all(_is_screen_only):
            element.decompose()
        for code in article.select("pre"):
            if code.text.count("\n") >= LONG_CODE:
                code["class"] = "hs-long"
        self._select_frames(article, page)
        self._prefix_ids(article, page)
        if page == "genindex":
            number_index(article)
        for link in article.select(REFERENCE):
            number = f'<span class="hs-page"> p.&nbsp;[page {link["href"][1:]}]</span>'
            link.append(BeautifulSoup(number, "html.parser"))
        return article

    def _select_frames(self, article: Tag, page: str) -> None:
        """Show each animation at its tagged frame, by default the middle one."""
        if not (boxes := article.select(".hs-animation")):
            return
        file = self.site / "_static" / "frames" / f"{page.replace('/', '-')}.js"
        stored = file.read_text("utf-8")
        frames = json.loads(stored[stored.index("[") : stored.rindex(";")])
        for box, stored_frames in zip(boxes, frames, strict=True):
            tags = " ".join(box.find_parent(class_="cell")["class"])
            stops = [int(slider["max"]) + 1 for slider in box.select("input")]
            middle = np.ravel_multi_index([n // 2 for n in stops], stops)
            tag = FRAME.search(tags)
            index = int(tag[1]) if tag else middle
            if index >= len(stored_frames):
                rule = f"must be one of the {len(stored_frames)} frames"
                raise ValueError(f"{page}: {tag[0]} {rule}")
            if index:  # the page has frame 0
                frame = box.select_one(".hs-frame")
                frame.clear()
                frame.append(BeautifulSoup(stored_frames[index], "html.parser"))

    def _prefix_ids(self, article: Tag, page: str) -> None:
        """Prefix ids by the name of the page, drop duplicates, and adapt the links."""
        name, seen = self.names[page], set()
        for element in article.find_all(True):
            attributes = element.attrs
            if "id" in attributes:
                id_ = f"{name}.{attributes['id']}"
                if id_ in seen:
                    del element["id"]
                else:
                    attributes["id"] = id_
                    seen.add(id_)
            for key in ("href", "xlink:href"):
                if key in attributes:
                    attributes[key] = self._target(page, attributes[key])
                    if not attributes[key]:
                        del element[key]
            for key in ("clip-path", "style"):
                if "url(#" in attributes.get(key, ""):
                    attributes[key] = URL.sub(f"url(#{name}.", attributes[key])
        article["id"] = name

    def _target(self, page: str, link: str) -> str | None:
        """Return the target of a link in the document; None if the document lacks it."""
        if re.match("[a-z]+:", link):
            return link
        path, _, fragment = link.partition("#")
        if path:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
            page = path.removesuffix(".html")
        if page not in self.names:
            return None
        name = self.names[page]
        return f"#{name}.{fragment}" if fragment else f"#{name}"

    def _collect_answers(self) -> None:
        """Move hints and solutions into chapters after the last part that has some."""
        articles, index = [], 0
        for title, selector, extract in (
            ("Hints", "details.hs-hints", _extract_hints),
            ("Solutions", "div.solution", _extract_solution),
        ):
            name, chapters = title.lower(), ""
            for number, (_, part) in enumerate(self.parts):
                for article in part:
                    if pieces := "".join(map(extract, article.select(selector))):
                        chapters += f'<section id="{name}.{article["id"]}"><h2>'
                        chapters += f"{_inner(article.h1)}</h2>{pieces}</section>"
                        index = number + 1
            if chapters:
                html = f'<article class="bd-article" id="{name}"><h1>{title}</h1>{chapters}'
                articles.append(BeautifulSoup(f"{html}</article>", "html.parser").article)
        if articles:
            self.parts.insert(index, ("Hints and solutions", articles))


def _is_screen_only(element: Tag) -> bool:
    """Return True if paper omits an element.  A CSS selector takes ten times as long."""
    classes = element.get("class", ())
    return element.name == "script" or not SCREEN_ONLY.isdisjoint(classes)


def number_index(article: Tag) -> None:
    """Add page numbers to the entries, and remove the entry "module"."""
    for item in article.find_all("li"):
        if str(item.contents[0]).strip() == "module":
            item.decompose()
            break
    for link in article.find_all("a", href=re.compile("^#")):
        link.insert_after(f", [page {link['href'][1:]}]")


def _extract_solution(solution: Tag) -> str:
    """Remove a solution from its chapter; returns it with a link to its exercise."""
    exercise = solution.find_previous("div", class_="exercise")
    title = exercise.select_one(".admonition-title")
    solution.extract()
    back = f' <span class="hs-to">page [page {exercise["id"]}]</span>'
    solution.p.string = ""
    link = f'<a href="#{exercise["id"]}">{_inner(title)}</a>{back}'
    solution.p.append(BeautifulSoup(link, "html.parser"))
    id_ = solution["id"]
    link = f' <a class="hs-to" href="#{id_}">Solution: page [page {id_}]</a>'
    title.append(BeautifulSoup(link, "html.parser"))
    return str(solution)


def _extract_hints(details: Tag) -> str:
    """Remove the hints for an exercise from its chapter; returns them as a list."""
    exercise = details.find_previous("div", class_="exercise")
    title = _inner(exercise.select_one(".admonition-title"))
    items = "".join(f"<li>{_inner(hint)}</li>" for hint in details.select("p"))
    details.extract()
    return f'<p><a href="#{exercise["id"]}">{title}</a></p><ol>{items}</ol>'


def _inner(element: Tag) -> str:
    return re.sub(r'\sid="[^"]*"', "", element.decode_contents())
