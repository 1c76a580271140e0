"""Slides for a lecture: after `make book`, python -m sitebuild.slides perceptron.

They are the built page without its prose: headings, the boxes of theorems, definitions and
algorithms, lists, functions, questions whose answer is the next step, formulas,
tables, pictures that move as in the page, each with the sentences that lead to it.  The
prose goes into the notes of the speaker, key S.  reveal.js shows them, without a network,
and prints them where the address ends in `?print-pdf`.

A teacher's own order stands in `slides.toml`, beside the Makefile, for some chapters:

    [perceptron]
    title = "Lecture 3: learning from mistakes"
    sections = ["the-rule", "the-race-of-two-lengths", "summary"]
"""

import shutil
import sys
import tomllib
from pathlib import Path

import jinja2
from bs4 import BeautifulSoup, Tag

from sitebuild.chapters import ROOT, in_book_order, replace, short
from sitebuild.fetching import REVEAL, fetch

SITE, SLIDES = ROOT / "_build" / "html", ROOT / "_build" / "slides"
STATIC = SLIDES / "_static"
PAGE = jinja2.Template(Path(__file__).with_suffix(".html").read_text("utf-8"))
SHOWN = ".proof[id], .hs-moving, .hs-figure, .hs-table, .math, .sd-dropdown"
SHOWN += ", .pst-scrollable-table-container, .cell:not(.tag_hide-input) > .cell_input"
SHOWN += ", .cell:not(.tag_hide-input, .tag_hide-output) .output:is(.stream, .text_plain)"
LEAD, TO_CAPTION = 300, 170  # letters of what leads to a part, or to one with a caption
NEEDED = {  # what stands in a question: how the sentence begins that it asks about
    "the weight of the example": "Now take a single feature",
    "the friend’s": "A friend claims",
    "in the example, what happens at the price": "Give the example a second feature",
}
# What a part takes of a slide, if it is no text, code, table or picture.
ROOM = {"output": 0.2, "math": 0.3, "sd-dropdown": 0.4, "proof": 0.6}
LEFT_OUT = ("exercises", "sources")
ON_SCREEN = "a.headerlink, script, .hs-grab > :is(.hs-controls, .hs-goal)"


def slides(page: BeautifulSoup, own: dict | None = None) -> list[str]:
    """The slides of a page, in its order or in that of a teacher.

    own  of slides.toml.  Raises ValueError if it names a section that the page has not.
    """
    own, chapter = own or {}, page.select_one("article section")
    for part in chapter.select(ON_SCREEN):
        part.decompose()
    for link in chapter.select("a"):
        link.unwrap()
    chapter.h1.string = own.get("title", chapter.h1.text)
    made = [f'<section class="hs-title">{chapter.h1}{chapter.p}</section>']
    sections = {s["id"]: s for s in chapter.find_all("section", recursive=False)}
    if wrong := [name for name in own.get("sections", []) if name not in sections]:
        raise ValueError(f"slides.toml: {wrong[0]!r} is none of {', '.join(sections)}.")
    goals = next((p for p in chapter.find_all("p") if p.text.endswith("you can")), None)
    if goals and "sections" not in own:
        made.append(slide(f"<h2>{goals.text}</h2>", [goals.find_next("ul")], []))
    for name in own.get("sections", in_a_lecture(sections)):
        section = sections[name]
        made += summary(section) if name == "summary" else of_section(section, section.h2)
    return made


def in_a_lecture(sections: dict[str, Tag]) -> list[str]:
    """The sections of a chapter up to *More*, for a first reading."""
    names = [*sections]
    more = (name for name in names if name.partition("-")[0] == "more")
    names = names[: names.index(next(more, names[-1]))]
    return [n for n in names if n not in LEFT_OUT and not is_second(sections[n])]


def is_second(section: Tag) -> bool:
    return section.find(("h2", "h3")).text.strip().endswith("second reading")


def summary(section: Tag) -> list[str]:
    """A few of its points a slide."""
    points = section.ul.find_all("li", recursive=False)
    return [slide(section.h2, points[k : k + 4], []) for k in range(0, len(points), 4)]


def of_section(section: Tag, heading: Tag) -> list[str]:
    """The slides of a section: what follows each other shares one while there is room."""
    made, shown, said, lines = [], [], [], []
    for part in section.find_all(True, recursive=False):
        found = picked(part) if part.name != "section" else []
        led = lead(lines, found[0]) + found if found else []
        full = led and sum(map(taken, shown + led)) > 1
        if shown and (full or part.name == "section"):
            made.append(slide(heading, shown, said))
            shown, said = [], []
        shown += led
        if part.name == "section" and not is_second(part):
            made += of_section(part, part.h3 or heading)
        elif part.name == "p" and not found:
            said.append(part)
            after_formula = not lines and shown and "math" in shown[-1].get("class", [])
            lines = sentences(part)
            if after_formula and lines[0].text[:1].islower():
                shown.append(lines.pop(0))  # it goes on with the sentence of the formula
        elif found:
            lines = []
    return made + ([slide(heading, shown, said)] if shown else [])


def sentences(paragraph: Tag) -> list[Tag]:
    """Those of a paragraph: in the sources each has a line of its own."""
    lines = paragraph.decode_contents().strip().split("\n")
    return [BeautifulSoup(f'<p class="lead">{x}</p>', "html.parser").p for x in lines]


def lead(lines: list[Tag], part: Tag) -> list[Tag]:
    """The last sentences before a part, as one paragraph; boxes have titles instead."""
    if part.name == "details":
        lines = needed(part) or lines
    elif part.parent.name != "section" and (own := part.find_previous_sibling("p")):
        lines = sentences(own)  # of the proof in which a formula stands
    if not lines or "proof" in part.get("class", []):
        return []
    rest, text = TO_CAPTION if part.select_one("figcaption") else LEAD, ""
    for line in reversed(lines):
        rest -= len(line.text)
        if text and rest < 0:
            break
        text = f"{line.decode_contents()} {text}"
    return [BeautifulSoup(f'<p class="lead">{text}</p>', "html.parser").p]


def needed(question: Tag) -> list[Tag]:
    """The sentence that a question asks about, where that is far before it."""
    for asked, begin in NEEDED.items():
        if asked in question.summary.text:
            for paragraph in question.find_all_previous("p"):
                for sentence in sentences(paragraph):
                    if sentence.text.startswith(begin):
                        return [sentence]
            raise ValueError(f"slides.py: no sentence begins with {begin!r}.")
    return []


def taken(part: Tag) -> float:
    """The share of a slide that a part takes."""
    box, rows = part.get("class", []), len(part.select("tr"))
    if part.name in ("p", "ul", "ol"):
        return 0.03 + 0.07 * (1 + len(part.text) // 100)
    if "cell_input" in box:
        return 0.06 * (2 + part.text.strip().count("\n"))
    if rows and not part.figure:
        return min(0.9, 0.08 * rows)
    if part.find("figure") or part.name == "figure" or len(part.text) > 600:
        return 0.9
    high = 0.1 * len(part.select("mtr")[1:4]) * ("math" in box)
    return next((ROOM[name] + high for name in box if name in ROOM), 0.9)


def picked(part: Tag) -> list[Tag]:
    """What of a part of the page is shown: itself, or what it holds, each once."""
    if part.name in ("ul", "ol") or part.css.match(SHOWN):
        return [part]
    found = [tag for tag in part.select(SHOWN) if not only_leads(tag)]
    return [tag for tag in found if not any(tag in other.descendants for other in found)]


def only_leads(part: Tag) -> bool:
    """Whether it is code whose output says what it is about: it is no function."""
    if "cell_input" not in part["class"] or part.parent.select_one(".output.text_plain"):
        return False
    return "def " not in part.text or bool(part.parent.select_one("table"))


def slide(heading: Tag | str, shown: list[Tag], said: list[Tag]) -> str:
    for part in shown:
        for inner in part.select("section"):  # which is a slide to reveal.js
            inner.name = "div"
        if part.name == "details" and part.summary.text.strip().endswith("?"):
            part.summary.name = part.name = "div"
            part.select_one(".sd-summary-content")["class"].append("fragment")
    body, notes = ("".join(map(str, tags)) for tags in (shown, said))
    body = f'<div class="fit">{body}</div><aside class="notes">{notes}</aside>'
    return f"<section>{heading}{body}</section>"


def write(name: str) -> Path:
    """The slides of a chapter, and beside them what they need."""
    order = ROOT / "slides.toml"
    own = tomllib.loads(order.read_text("utf-8")) if order.exists() else {}
    page = BeautifulSoup((SITE / "chapters" / f"{name}.html").read_text(), "html.parser")
    without = shutil.ignore_patterns("pyodide", "in-page", "scripts")
    shutil.copytree(SITE / "_static", STATIC, ignore=without, dirs_exist_ok=True)
    shutil.copytree(fetch() / "slides", STATIC, dirs_exist_ok=True)
    shutil.copy(Path(__file__).with_suffix(".css"), STATIC)
    text = PAGE.render(
        title=page.title.text,
        name=name,
        reveal=f"_static/{REVEAL}/dist",
        slides="\n".join(slides(page, own.get(name))),
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
    except (OSError, ValueError) as error:
        print(f"No slides: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
