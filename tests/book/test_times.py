"""The times that the pages promise are counted: 150 words a minute, and a minute for each
formula, line of code, picture and table in view."""

import json
import re
from pathlib import Path

import pytest

CHAPTERS = Path(__file__).resolve().parents[2] / "chapters"
FOLDED = {"remove-cell", "hide-input", "hide-cell"}
WHOLE = {"an": 1, "one": 1, "two": 2, "three": 3, "four": 4}
PART = {"": 0.0, " and a quarter": 0.25, " and a half": 0.5, " and three quarters": 0.75}
PROMISE = re.compile(r"with a pencil takes about (\w+)((?: and \w+ \w+)?) hours?")
ROLE = re.compile(r"\{[\w:]+\}`([^`<]*)(?:<[^>]*>)?`")
DISPLAY = re.compile(r"\$\$.*?\$\$", re.S)
LABEL = re.compile(r"^\(.*\)=$|^:label:.*$", re.M)
TABLE = re.compile(r"^\|[-|: ]+\|$", re.M)
HEADING = re.compile(r"(#{1,3}) (.*)")
FIRST_TIME = re.compile(r"A first reading .*takes about (\d+) minutes")
ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TENS = {"twenty": 20, "thirty": 30, "forty": 40}


def cells(name):
    return json.loads((CHAPTERS / f"{name}.ipynb").read_text())["cells"]


def text_of(name):
    return "\n".join("".join(cell["source"]) for cell in cells(name))


def without_second_reading(chapter):
    """The cells that a first reading takes; Markdown is cut at its headings."""
    left, skipped = [], 0  # the level of the heading that is left out
    for cell in chapter:
        parts = [cell]
        if cell["cell_type"] == "markdown":
            source = "".join(cell["source"])
            parts = [{**cell, "source": t} for t in re.split(r"(?m)^(?=#{1,3} )", source)]
        for part in parts:
            heading = cell["cell_type"] == "markdown" and HEADING.match(part["source"])
            if heading and len(heading[1]) <= (skipped or 3):
                skipped = len(heading[1]) * heading[2].endswith("· second reading")
            left += [] if skipped else [part]
    return left


def minutes(chapter):
    """What stands before the exercises."""
    words = rest = 0
    for cell in chapter:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            rest += shown(cell)
            continue
        source, *after = re.split(r"^## Exercises", source, flags=re.M)
        rest += len(DISPLAY.findall(source)) + len(TABLE.findall(source))
        text = ROLE.sub(r"\1", LABEL.sub("", DISPLAY.sub(" ", source)))
        words += len(re.findall(r"[A-Za-z][\w'’-]*", re.sub(r"\$[^$]*\$", " x ", text)))
        if after:
            break
    return words / 150 + rest


def shown(cell):
    """The lines of a code cell that are in view; the picture, table or card it makes."""
    outputs = cell["outputs"]
    data = [o.get("data", {}) for o in outputs]
    html = "".join("".join(d.get("text/html", "")) for d in data)
    picture = "<figure" in html or any("widget-view" in kind for d in data for kind in d)
    if any("proof" in o["metadata"] for o in outputs if "metadata" in o):
        return 1  # the formula of a card, whose code is folded
    lines = sum(bool(line.strip()) for line in "".join(cell["source"]).splitlines())
    folded = FOLDED & set(cell["metadata"].get("tags", []))
    return picture + ("<table" in html) + (0 if folded else lines)


def promised(name):
    """The hours at the head of a chapter."""
    whole, part = PROMISE.search("".join(cells(name)[0]["source"])).groups()
    return WHOLE[whole] + PART[part]


FIRST = text_of("intro")
NAMES = re.findall(r"^\| \d+ \| \{doc\}`(\w+)`", FIRST, re.M)


@pytest.mark.parametrize("name", NAMES)
def test_the_head_of_a_chapter_says_how_long_it_takes(name):
    assert promised(name) == pytest.approx(minutes(cells(name)) / 60, abs=0.3)


@pytest.mark.parametrize("name", NAMES)
def test_a_first_reading_takes_the_minutes_that_its_chapter_and_the_first_page_say(name):
    text = text_of(name)
    if "· second reading\n" not in text:
        return
    said = int(FIRST_TIME.search(text)[1])
    assert said == pytest.approx(minutes(without_second_reading(cells(name))), abs=8)
    assert re.search(rf"^\| \d+ \| \{{doc\}}`{name}` \|.*\| {said} \|", FIRST, re.M)


def test_the_first_page_adds_up():
    def number(pattern):
        ten, _, one = re.search(pattern, FIRST)[1].partition("-")
        return TENS[ten] + (ONES.index(one) if one else 0)

    assert len(NAMES) == 11
    reading = number(r"take about (\S+) hours to read")
    assert reading == pytest.approx(sum(map(promised, NAMES)), abs=1)
    assert reading == pytest.approx(sum(minutes(cells(name)) for name in NAMES) / 60, abs=1)
    titles = re.compile(r"^`{3,}\{exercise\}.* (\d+) minutes\)$", re.M)
    asked = sum(int(m) for name in NAMES for m in titles.findall(text_of(name)))
    exercises = number(r"about (\S+) for the exercises")
    assert exercises == pytest.approx(asked / 60, abs=0.5)
    rows = re.findall(r"^\| (\d+) \| \*", FIRST, re.M)
    assert "If you have three hours" in FIRST and sum(map(int, rows)) == 180
