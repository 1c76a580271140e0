"""Reading times on the pages match a count: 150 words a minute, and one minute for each
visible formula, line of code, picture and table."""

import re

import pytest

from sitebuild.chapters import ROOT
from tests.helpers.notebooks import all_cells, is_proof, tags

HEADING = re.compile(r"(#{1,3}) (.*)")
FORMULA = re.compile(r"\$\$.*?\$\$", re.S)
TABLE = re.compile(r"^\|[-|: ]+\|$", re.M)
ROW = re.compile(r"^\| \d+ \| \{doc\}`(\w+)` \|.*\| (\d+) \| (\d+) \|", re.M)
PARTS = ("", " and a quarter", " and a half", " and three-quarter")
EXERCISE = re.compile(r"^`{3,}\{exercise\}.* (\d+) minutes\)$", re.M)


def cells(name):
    return all_cells(ROOT / "chapters" / f"{name}.ipynb")


def text_of(name):
    return "\n".join(c["source"] for c in cells(name) if c["cell_type"] == "markdown")


def minutes(name, first_reading):
    """Return the minutes before the exercises; a first reading skips the marked parts."""
    total, skipped_level = 0, 0  # the level of the heading whose part is skipped, or 0
    for cell in cells(name):
        if cell["cell_type"] == "code":
            total += 0 if skipped_level else minutes_of_code(cell)
            continue
        for part in re.split(r"(?m)^(?=#{1,3} )", cell["source"]):
            if part.startswith("## Exercises"):
                return total
            heading = HEADING.match(part)
            if heading and (not skipped_level or len(heading[1]) <= skipped_level):
                skip = first_reading and heading[2].endswith("· second reading")
                skipped_level = len(heading[1]) if skip else 0
            total += 0 if skipped_level else minutes_of_text(part)


def minutes_of_text(text):
    words = re.sub(r"\$[^$]*\$", " x ", FORMULA.sub(" ", text))
    words = re.findall(r"[A-Za-z][\w'’-]*", words)
    return len(words) / 150 + len(FORMULA.findall(text)) + len(TABLE.findall(text))


def minutes_of_code(cell):
    """Count one minute for each visible line, and for a picture, table or card."""
    outputs = str([output.get("data") for output in cell["outputs"]])
    if any(map(is_proof, cell["outputs"])):
        return 1  # a card shows a formula; its code is folded
    picture = "<figure" in outputs or "widget-view" in outputs
    folded = tags(cell) & {"remove-cell", "hide-input", "hide-cell"}
    lines = [] if folded else cell["source"].splitlines()
    return sum(line.strip() != "" for line in lines) + picture + ("<table" in outputs)


INTRO = text_of("intro")
ROWS = [(name, int(first), int(whole)) for name, first, whole in ROW.findall(INTRO)]


@pytest.mark.parametrize(("name", "first", "whole"), ROWS)
def test_chapter_and_first_page_state_the_reading_time(name, first, whole):
    assert whole == pytest.approx(minutes(name, first_reading=False), abs=18)
    assert first == pytest.approx(minutes(name, first_reading=True), abs=8)
    hours, minutes_left = divmod(whole, 60)
    duration = ("", "one", "two", "three")[hours] + PARTS[minutes_left // 15]
    assert f"with a pencil takes about {duration} hours" in text_of(name)
    assert re.search(f"A first reading .*takes about {first} minutes", text_of(name))
    number = {8: "eight", 9: "nine", 10: "ten"}[len(EXERCISE.findall(text_of(name)))]
    assert f"the {number} exercises" in text_of(name)


def test_total_times_on_the_first_page_add_up():
    names, first, whole = zip(*ROWS, strict=True)
    exercises = [int(time) for name in names for time in EXERCISE.findall(text_of(name))]
    assert len(names) == 11
    hours = [sum(times) / 60 for times in (first, whole, exercises)]
    assert hours == pytest.approx([25, 32, 26], abs=0.5)
    total = sum(minutes(name, first_reading=False) for name in names)
    assert total == pytest.approx(32 * 60, abs=60)
    assert "the first readings, twenty-five hours" in INTRO
    assert "take about thirty-two hours to read" in INTRO
    assert "about twenty-six for the exercises" in INTRO
    rows = re.findall(r"^\| (\d+) \| \*", INTRO, re.M)
    assert "If you have three hours" in INTRO and sum(map(int, rows)) == 180
