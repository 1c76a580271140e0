"""Run all exercises, cells and animations of the book in the page's Python."""

import ast
import re
from contextlib import contextmanager
from math import prod

import numpy as np
import pytest

from tests.helpers.browsing import visiting
from tests.helpers.notebooks import EXERCISE_TAGS, PATHS, all_cells, tags, text_of

pytestmark = pytest.mark.slow
CHAPTERS = [path for path in PATHS if '"stub"' in path.read_text()]
UGLY = re.compile(r"\d\.\d{7,}")  # such as 3.1700000000000004


def cells(path, of_exercises):
    """Yield (number, code, stored text output) of code cells."""
    for number, cell in enumerate(all_cells(path)):
        if cell.cell_type == "code" and bool(tags(cell) & EXERCISE_TAGS) == of_exercises:
            yield number, cell.source, text_of(cell)


ASK = """async ([name, message]) => {
    const root = new URL("..", location.href);
    const { ask } = await import(new URL("_static/in-page/python.js", root));
    return ask({ root, name }, message);
}"""


@contextmanager
def asking(browser, server, name):
    """Open a chapter; yields a function that sends a message to its Python."""
    with visiting(browser, server, f"chapters/{name}.html") as visit:
        yield lambda message: visit.page.evaluate(ASK, [name, message])
        assert visit.external == []


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_exercises_and_cells_match_stored_outputs(browser, server, path):
    with asking(browser, server, path.stem) as ask:
        sliders = {}
        differ = [*exercises_that_differ(ask, path), *cells_that_differ(ask, path, sliders)]
        differ += animations_with_faults(ask, sliders)
    assert not differ, "\n".join(differ)


def exercises_that_differ(ask, path):
    before = ""
    for _, code, stored in cells(path, of_exercises=True):
        got = ask({"exercise": True, "code": code})
        if "NameError" in str(got):  # the code uses an earlier answer
            got = ask({"exercise": True, "code": before + code})
        last = ast.parse(code).body[-1].lineno
        before += "\n".join(code.split("\n")[: last - 1]) + "\n"
        if got.get("sentence") != stored:
            yield f"{code}\ngave {got}, stored: {stored}"


def cells_that_differ(ask, path, sliders):
    """Yield cells with another output, and store the sliders of the animations."""
    ask({"begin": True})
    for number, code, expected in cells(path, of_exercises=False):
        got = ask({"cell": number, "code": code})
        output = got.get("printed", "") + got.get("text", "")
        if "animation" in got:
            sliders[number] = got["animation"]["sliders"]
            output = f"{prod(len(slider['stops']) for slider in sliders[number])} frames"
            expected = " ".join(expected.split()[:2])
        if "error" in got or not alike(output, expected):
            yield f"cell {number}: {got.get('error') or output}, stored: {expected}"


def animations_with_faults(ask, sliders):
    """Move each slider between its stops, after all cells have run."""
    for number, controls in sliders.items():
        at = [slider["low"] for slider in controls]
        frames = [ask({"frame": number, "values": at})["html"]]
        for k, slider in enumerate(controls):
            at[k] = 0.41 * slider["low"] + 0.59 * slider["high"]
            frames.append(ask({"frame": number, "values": at})["html"])
        caption = frames[-1].partition("<figcaption")[2]
        if len(set(frames)) <= len(controls) or UGLY.search(caption):
            yield f"animation of cell {number} at {at}: {caption}"


NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?")


def alike(got, expected) -> bool:
    """Compare words exactly, and numbers to about three digits."""
    got, expected = " ".join(got.split()), " ".join(expected.split())
    if NUMBER.sub("#", got) != NUMBER.sub("#", expected):
        return False
    a, b = (np.array(NUMBER.findall(text), float) for text in (got, expected))
    return np.allclose(a, b, rtol=2e-3, atol=2e-6)
