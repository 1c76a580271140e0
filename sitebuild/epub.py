"""Pack the pages of a site as an EPUB 3.

As on paper, hints and solutions are at the end, folds are open, and there are no controls.
Formulas are MathML with words, and pictures SVG with descriptions.  Equal pages give equal
bytes.
"""

import re
import uuid
import zipfile
from html import escape
from pathlib import Path

import jinja2
from bs4 import Tag

from sitebuild.chapters import ROOT
from sitebuild.extensions.formulas.speech import speak
from sitebuild.pdf_document import AUTHORS, BOOK, Document, Heading

PATH = "downloads/halfspaces.epub"  # in the site
FILES = ROOT / "sitebuild"
# Style sheets of the site, and the font that the first one loads.
STYLES = ("formulas/formulas.css", "grab.css")
FONT = "vendor/mathfont/stix-two-math.woff"
CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/>
</rootfiles></container>
"""
# The HTML parser drops namespaces and lowers the case of names.
NAMESPACES = {"math": "http://www.w3.org/1998/Math/MathML"}
NAMESPACES |= {"svg": "http://www.w3.org/2000/svg"}
NAMES = {"clippath": "clipPath", "viewbox": "viewBox"}
CONTROLS = {"button", "input", "progress", "script", "select", "textarea"}
SCREEN_ONLY = {"above-input", "hs-controls"}
REMOVED_ROLES = {"doc-biblioentry", "list"}  # deprecated; used without list items
CODE = ".hs-check .highlight-python, .tag_stub > .cell_output"  # not on paper either
# References to page numbers, as `pdf_document` writes them.
PAGE_REFERENCE = re.compile(
    r' ?<span class="hs-(?:to|page)">[^<]*</span>|[:,]? \[page [^]]+\]'
)
EPOCH = (1980, 1, 1, 0, 0, 0)


def write_epub(document: Document, target: Path) -> None:
    """Write the articles of a document as an EPUB; changes the document."""
    headings, files, formulas = document.headings(), {}, []
    for article in document.articles():
        for element in [article, *article.find_all(id=True)]:
            files[element["id"]] = f"{article['id']}.xhtml"
        formulas += [(str(formula), formula) for formula in article.find_all("math")]
    words = speak(mathml for mathml, _ in formulas)
    for mathml, formula in formulas:
        formula["alttext"] = words[mathml]
    pages = {"title": (BOOK["title"], _title_page())}
    pages["nav"] = ("Contents", _contents(headings, files))
    for article in document.articles():
        title = article.h1.get_text()
        _to_xhtml(article, files)
        pages[article["id"]] = (title, PAGE_REFERENCE.sub("", article.decode_contents()))
    page, static = _template("epub.xhtml"), document.site / "_static"
    styles = [name for name in STYLES if (static / name).exists()]
    texts = {
        name: page.render(title=title, body=body, styles=styles)
        for name, (title, body) in pages.items()
    }
    key = " ".join([BOOK["title"], BOOK["version"], *pages])  # editions differ in pages
    package = {"book": BOOK, "authors": AUTHORS, "id": uuid.uuid5(uuid.NAMESPACE_URL, key)}
    package |= {"texts": texts, "styles": styles, "font": FONT}
    members = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER}
    members["book.opf"] = _template("epub.opf").render(package)
    members |= {f"{name}.xhtml": text for name, text in texts.items()}
    members |= {f: (static / f).read_bytes() for f in (*styles, FONT)}
    members["epub.css"] = (FILES / "epub.css").read_bytes()
    target.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content, method)


def _template(name: str) -> jinja2.Template:
    return jinja2.Template((FILES / name).read_text("utf-8"), keep_trailing_newline=True)


def _title_page() -> str:
    title, _, subtitle = BOOK["title"].partition(": ")
    lines = [subtitle, AUTHORS, f"Version {BOOK['version']}."]
    lines.append("Text and figures CC BY 4.0, code MIT.")
    return f"<h1>{escape(title)}</h1>" + "".join(f"<p>{escape(x)}</p>" for x in lines)


def _contents(headings: list[Heading], files: dict[str, str]) -> str:
    """Return the table of contents, a list in which each level nests the next."""
    html, levels = "", []
    for heading in headings:
        if not levels or heading.level > levels[-1]:
            html += "<ol>"
            levels.append(heading.level)
        else:
            while len(levels) > 1 and levels[-2] >= heading.level:
                html += "</li></ol>"
                levels.pop()
            html += "</li>"
            levels[-1] = heading.level
        text, name = escape(heading.text), heading.name
        link = f'<a href="{_address(name, files)}">{text}</a>' if name else None
        html += f"<li>{link or f'<span>{text}</span>'}"
    lists = html + "</li></ol>" * len(levels)
    return f'<nav epub:type="toc" role="doc-toc"><h1>Contents</h1>{lists}</nav>'


def _address(id: str, files: dict[str, str]) -> str:
    file = files[id]
    return file if file == f"{id}.xhtml" else f"{file}#{id}"


def _to_xhtml(article: Tag, files: dict[str, str]) -> None:
    """Convert an article to XHTML that needs no scripts."""
    for element in article.select(CODE):
        element.decompose()
    for element in article.find_all(True):
        if element.decomposed:
            continue
        classes = {*element.get_attribute_list("class")}
        if element.name in CONTROLS or "hidden" in element.attrs or classes & SCREEN_ONLY:
            element.decompose()
        elif element.name == "details":
            _unfold(element, classes)
        else:
            if "math" in classes:
                element["tabindex"] = "0"  # for keys that scroll a wide formula
            _element_to_xhtml(element, files)


def _unfold(fold: Tag, classes: set[str]) -> None:
    """Open a fold; keep only the summary of a Coq proof."""
    if "hide" in classes:
        fold.summary.decompose()
        fold.unwrap()
    elif "hs-coq" in classes:
        line = fold.summary
        line.name = "p"
        fold.replace_with(line)
    else:
        fold["open"] = ""


def _element_to_xhtml(element: Tag, files: dict[str, str]) -> None:
    name, attributes = element.name, element.attrs
    if namespace := NAMESPACES.get(name):
        attributes["xmlns"] = namespace
    element.name = NAMES.get(name, name)
    if name == "a" and attributes.get("class") == ["hs-to"]:
        element.string = "Solution"
    if name in ("div", "p") and element.find_parent(["p", "summary"]):
        element.name = "span"
    if name != "mstyle" and (level := attributes.pop("scriptlevel", None)):
        element.wrap(Tag(name="mstyle", attrs={"scriptlevel": level}))
    for key in [*attributes]:
        value = attributes[key]
        if key == "href" and value.startswith("#"):
            if value[1:] in files:
                attributes[key] = _address(value[1:], files)
            elif name == "a":
                del attributes[key]
        elif key.startswith("data-") or (key == "role" and value in REMOVED_ROLES):
            del attributes[key]
        elif key in NAMES:
            attributes[NAMES[key]] = attributes.pop(key)
