"""Slides for a lecture: after `make book`, python tools/slides.py perceptron.

They are the built page without its prose: headings, the boxes of theorems, definitions and
algorithms, displayed formulas, tables, pictures that move as in the page.  The prose goes
into the notes of the speaker, key S.  reveal.js shows them, without a network.
"""

import shutil
import sys
from pathlib import Path
from string import Template

from bs4 import BeautifulSoup, Tag

from chapters import ROOT, in_book_order, replace, short

sys.path.insert(0, str(ROOT / "_ext"))
from fetching import REVEAL, fetch

SITE, SLIDES = ROOT / "_build" / "html", ROOT / "_build" / "slides"
STATIC, HERE = SLIDES / "_static", Path(__file__).parent
PAGE, STYLE = Template((HERE / "slides.html").read_text("utf-8")), HERE / "slides.css"
SHOWN = ".proof[id], .hs-moving, .hs-figure, .hs-table, .math, .sd-dropdown"
SHOWN += ", .pst-scrollable-table-container"
PROSE = ("p", "ul", "ol")
LEFT_OUT = ("exercises", "sources")
STYLES = ("vendor/temml/dist/Temml-STIX2.css", "vendor/serif/wght.css", "proof.css")
STYLES += ("vendor/serif/wght-italic.css", "vendor/sans/wght.css", "sphinx-design.min.css")
STYLES += ("book.css", "formulas/formulas.css", "inline/styles.css")


def slides(page: BeautifulSoup) -> list[str]:
    """The slides of a page, in its order."""
    chapter = page.select_one("article section")
    for link in chapter.select("a.headerlink, script"):
        link.decompose()
    for link in chapter.select("a"):
        link.unwrap()
    opening = chapter.select_one("p")
    made = [f'<section class="hs-title">{chapter.h1}{opening}</section>']
    for section in chapter.find_all("section", recursive=False):
        if section["id"] == "summary":
            made.append(slide(section.h2, [section.ul], []))
        elif section["id"].startswith("more-"):
            break
        elif section["id"] not in LEFT_OUT:
            made += of_section(section, section.h2)
    return made


def of_section(section: Tag, heading: Tag) -> list[str]:
    """The slides of a section: formulas that follow each other share one."""
    made, shown, said = [], [], []
    for part in section.find_all(True, recursive=False):
        found = picked(part) if part.name != "section" else []
        if shown and (part.name == "section" or found) and not is_formula(found, shown):
            made.append(slide(heading, shown, said))
            shown, said = [], []
        shown += found
        if part.name == "section":
            made += of_section(part, part.h3 or heading)
        elif part.name in PROSE and not found:
            said.append(part)
    return made + ([slide(heading, shown, said)] if shown else [])


def is_formula(*groups: list[Tag]) -> bool:
    return all(group and "math" in group[-1].get("class", []) for group in groups)


def picked(part: Tag) -> list[Tag]:
    """What of a part of the page is shown: itself, or what it holds, each once."""
    if part.css.match(SHOWN):
        return [part]
    found = part.select(SHOWN)
    return [tag for tag in found if not any(tag in other.descendants for other in found)]


def slide(heading: Tag, shown: list[Tag], said: list[Tag]) -> str:
    for part in shown:
        for inner in part.select("section"):  # which is a slide to reveal.js
            inner.name = "div"
    notes = "".join(map(str, said))
    body = "".join(map(str, shown))
    return (
        f'<section>{heading}<div class="fit">{body}</div>'
        f'<aside class="notes">{notes}</aside></section>'
    )


def write(name: str) -> Path:
    """The slides of a chapter, and beside them what they need."""
    page = BeautifulSoup((SITE / "chapters" / f"{name}.html").read_text(), "html.parser")
    without = shutil.ignore_patterns("pyodide", "in-page", "scripts")
    shutil.copytree(SITE / "_static", STATIC, ignore=without, dirs_exist_ok=True)
    shutil.copytree(fetch() / "slides", STATIC, dirs_exist_ok=True)
    shutil.copy(STYLE, STATIC)
    sheets = [f"{REVEAL}/dist/reveal.css", *STYLES, STYLE.name]
    text = PAGE.substitute(
        title=page.title.text,
        name=name,
        reveal=f"_static/{REVEAL}/dist",
        styles="\n".join(f'<link rel="stylesheet" href="_static/{s}">' for s in sheets),
        slides="\n".join(slides(page)),
    )
    replace(SLIDES / f"{name}.html", text)
    return SLIDES / f"{name}.html"


def main(names: list[str]) -> int:
    chapters = [path.stem for path in in_book_order()]
    if not names or set(names) - set(chapters):
        print(f"Name chapters, of {', '.join(chapters)}.", file=sys.stderr)
        return 2
    try:
        for name in names:
            print(f"Slides: {short(write(name))}")
    except OSError as error:
        print(f"No slides: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
