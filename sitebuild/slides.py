"""Make slides from chapters of the built book.

A slide shows headings, theorems, definitions, algorithms, lists, functions, formulas,
tables, animations, and questions whose answer appears at the next key press, each after
the sentences that precede it.  The rest of the prose becomes speaker notes (press S).
The slides use reveal.js, need no network, and print from a URL that ends in
`?print-pdf`.

Select and order sections in the optional file `slides.toml`, next to the Makefile:

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

from sitebuild import chapters
from sitebuild.chapters import ROOT, check_names, notebook_paths, repo_path, write_atomic
from sitebuild.fetching import REVEAL, fetch

SITE, SLIDES = ROOT / "_build" / "html", ROOT / "_build" / "slides"
STATIC = SLIDES / "_static"
PAGE = jinja2.Template(Path(__file__).with_suffix(".html").read_text("utf-8"))
VISIBLE = ".proof[id], .hs-animation, .hs-figure, .hs-table, .math, .sd-dropdown"
VISIBLE += ", .pst-scrollable-table-container, .cell:not(.tag_hide-input) > .cell_input"
VISIBLE += ", .cell:not(.tag_hide-input, .tag_hide-output) .output:is(.stream, .text_plain)"
LEAD, LEAD_WITH_CAPTION = 300, 170  # maximum length in characters of the text above a part
REFERENT = {  # words of a question -> beginning of the earlier sentence that it is about
    "the friend’s": "A friend claims",
    "in the example, what happens at": "Add a second feature",
}
# Fraction of a slide, for parts that are not text, code, table or picture.
FRACTION = {"output": 0.2, "math": 0.3, "sd-dropdown": 0.4, "proof": 0.6}
OMITTED_SECTIONS = ("exercises", "sources")
WEB_ONLY = "a.headerlink, script, .hs-grab > :is(.hs-controls, .hs-goal)"


def slides(page: BeautifulSoup, plan: dict | None = None) -> list[str]:
    """Return the slides of a page as HTML.

    plan  title and sections from slides.toml.  Raises ValueError for an unknown section.
    """
    plan, chapter = plan or {}, page.select_one("article section")
    for part in chapter.select(WEB_ONLY):
        part.decompose()
    for link in chapter.select("a"):
        link.unwrap()
    chapter.h1.string = plan.get("title", chapter.h1.text)
    result = [f'<section class="hs-title">{chapter.h1}{chapter.p}</section>']
    sections = {s["id"]: s for s in chapter.find_all("section", recursive=False)}
    check_names("section of slides.toml", plan.get("sections", []), sections)
    goals = next((p for p in chapter.find_all("p") if p.text.endswith("you can")), None)
    if goals and "sections" not in plan:
        result.append(slide(f"<h2>{goals.text}</h2>", [goals.find_next("ul")], []))
    for name in plan.get("sections", lecture_sections(sections)):
        section = sections[name]
        summary = name == "summary"
        result += (
            summary_slides(section) if summary else section_slides(section, section.h2)
        )
    return result


def lecture_sections(sections: dict[str, Tag]) -> list[str]:
    """List the sections before *More* that are not marked for a second reading."""
    names = [*sections]
    more = (name for name in names if name.partition("-")[0] == "more")
    names = names[: names.index(next(more, names[-1]))]
    names = [name for name in names if name not in OMITTED_SECTIONS]
    return [name for name in names if not for_second_reading(sections[name])]


def for_second_reading(section: Tag) -> bool:
    return section.find(("h2", "h3")).text.strip().endswith("second reading")


def summary_slides(section: Tag) -> list[str]:
    """Put four items of the summary on each slide."""
    points = section.ul.find_all("li", recursive=False)
    return [slide(section.h2, points[k : k + 4], []) for k in range(0, len(points), 4)]


def section_slides(section: Tag, heading: Tag) -> list[str]:
    """Fill slides with consecutive parts of a section."""
    result, visible, notes, lines = [], [], [], []
    for part in section.find_all(True, recursive=False):
        found = visible_parts(part) if part.name != "section" else []
        with_lead = lead(lines, found[0]) + found if found else []
        full = with_lead and sum(map(slide_fraction, visible + with_lead)) > 1
        if visible and (full or part.name == "section"):
            result.append(slide(heading, visible, notes))
            visible, notes = [], []
        visible += with_lead
        if part.name == "section" and not for_second_reading(part):
            result += section_slides(part, part.h3 or heading)
        elif part.name == "p" and not found:
            notes.append(part)
            after_formula = not lines and visible and "math" in visible[-1].get("class", [])
            lines = sentences(part)
            if after_formula and lines[0].text[:1].islower():
                visible.append(lines.pop(0))  # continues the sentence of the formula
        elif found:
            lines = []
    return result + ([slide(heading, visible, notes)] if visible else [])


def sentences(paragraph: Tag) -> list[Tag]:
    """Split a paragraph into sentences, which are separate lines of the source."""
    lines = paragraph.decode_contents().strip().split("\n")
    return [BeautifulSoup(f'<p class="lead">{x}</p>', "html.parser").p for x in lines]


def lead(lines: list[Tag], part: Tag) -> list[Tag]:
    """Join the last sentences before a part; [] for a box, which has a title."""
    if part.name == "details":
        lines = referent(part) or lines
    elif part.parent.name != "section" and (text := part.find_previous_sibling("p")):
        lines = sentences(text)  # a formula in a proof: take the proof's text
    if not lines or "proof" in part.get("class", []):
        return []
    n_left, text = LEAD_WITH_CAPTION if part.select_one("figcaption") else LEAD, ""
    for line in reversed(lines):
        n_left -= len(line.text)
        if text and n_left < 0:
            break
        text = f"{line.decode_contents()} {text}"
    return [BeautifulSoup(f'<p class="lead">{text}</p>', "html.parser").p]


def referent(question: Tag) -> list[Tag]:
    """Find the sentence that a question is about, if it is far before the question."""
    for words, begin in REFERENT.items():
        if words in question.summary.text:
            for paragraph in question.find_all_previous("p"):
                for sentence in sentences(paragraph):
                    if sentence.text.startswith(begin):
                        return [sentence]
            raise ValueError(f"slides.py: no sentence begins with {begin!r}.")
    return []


def slide_fraction(part: Tag) -> float:
    """Estimate the fraction of a slide that a part takes."""
    classes, rows = part.get("class", []), len(part.select("tr"))
    if part.name in ("p", "ul", "ol"):
        return 0.03 + 0.07 * (1 + len(part.text) // 100)
    if "cell_input" in classes:
        return 0.06 * (2 + part.text.strip().count("\n"))
    if rows and not part.figure:
        return min(0.9, 0.08 * rows)
    if part.find("figure") or part.name == "figure" or len(part.text) > 600:
        return 0.9
    extra = 0.1 * len(part.select("mtr")[1:4]) * ("math" in classes)
    return next((FRACTION[name] + extra for name in classes if name in FRACTION), 0.9)


def visible_parts(part: Tag) -> list[Tag]:
    """List the elements of a part that slides show, which may be the part itself."""
    if part.name in ("ul", "ol") or part.css.match(VISIBLE):
        return [part]
    found = [tag for tag in part.select(VISIBLE) if not is_supporting_code(tag)]
    return [tag for tag in found if not any(tag in other.descendants for other in found)]


def is_supporting_code(part: Tag) -> bool:
    """Return True for code that defines no function or is needed only for its output."""
    if "cell_input" not in part["class"] or part.parent.select_one(".output.text_plain"):
        return False
    return "def " not in part.text or bool(part.parent.select_one("table"))


def slide(heading: Tag | str, visible: list[Tag], notes: list[Tag]) -> str:
    for part in visible:
        for inner in part.select("section"):  # reveal.js would make it a slide
            inner.name = "div"
        if part.name == "details" and part.summary.text.strip().endswith("?"):
            part.summary.name = part.name = "div"
            part.select_one(".sd-summary-content")["class"].append("fragment")
    body, aside = ("".join(map(str, tags)) for tags in (visible, notes))
    body = f'<div class="fit">{body}</div><aside class="notes">{aside}</aside>'
    return f"<section>{heading}{body}</section>"


def write(name: str) -> Path:
    """Write the slides of a chapter and the files that they need."""
    plan = ROOT / "slides.toml"
    plans = tomllib.loads(plan.read_text("utf-8")) if plan.exists() else {}
    page = BeautifulSoup((SITE / "chapters" / f"{name}.html").read_text(), "html.parser")
    ignore = shutil.ignore_patterns("pyodide", "in-page", "scripts")
    shutil.copytree(SITE / "_static", STATIC, ignore=ignore, dirs_exist_ok=True)
    shutil.copytree(fetch() / "slides", STATIC, dirs_exist_ok=True)
    shutil.copy(Path(__file__).with_suffix(".css"), STATIC)
    text = PAGE.render(
        title=page.title.text,
        name=name,
        reveal=f"_static/{REVEAL}/dist",
        slides="\n".join(slides(page, plans.get(name))),
    )
    write_atomic(SLIDES / f"{name}.html", text)
    return SLIDES / f"{name}.html"


def main(arguments: list[str] | None = None) -> str | None:
    parser = chapters.command_parser("sitebuild.slides", __doc__)
    parser.add_argument("names", nargs="+", metavar="CHAPTER")
    names = parser.parse_args(arguments).names
    try:
        check_names("chapter", names, [path.stem for path in notebook_paths()])
        for name in names:
            print(f"Slides: {repo_path(write(name))}")
    except (OSError, ValueError) as error:
        return f"No slides: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main())  # a message is printed, and the exit status is 1
