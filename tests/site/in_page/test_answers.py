"""Run all exercises, cells and animations of the book in the page's Python.

One page runs all chapters, since its Python takes 15 seconds to start.
"""

import json
import re
from math import prod

import numpy as np
import pytest

from tests.helpers.notebooks import EXERCISE_TAGS, PATHS, all_cells, output_text, tags

pytestmark = pytest.mark.slow
PAGE = "chapters/geometry.html"
CHAPTERS = [path for path in PATHS if '"stub"' in path.read_text()]
LONG_FLOAT = re.compile(r"\d\.\d{7,}")  # such as 3.1700000000000004


def cells(path, of_exercises):
    """Yield (number, code, stored text output) of code cells."""
    for number, cell in enumerate(all_cells(path)):
        if cell.cell_type == "code" and bool(tags(cell) & EXERCISE_TAGS) == of_exercises:
            yield number, cell.source, output_text(cell)


ASK = """async (message) => {
    const root = new URL("..", location.href);
    const { request } = await import(new URL("_static/in-page/python.js", root));
    return request({ root, name: "geometry" }, message);
}"""
CHANGE_CHAPTER = """
import gc
from halfspaces.page.driver import Page
[page] = [value for value in gc.get_objects() if isinstance(value, Page)]
page.__init__({cells})"""


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_exercises_and_cells_match_stored_outputs(visit, site, path):
    def ask(message):
        return visit.page.evaluate(ASK, message)

    data = json.loads((site / "in-page" / f"{path.stem}.json").read_text("utf-8"))
    chapter = [(cell["index"], cell["code"]) for cell in data["cells"]]
    change = ask({"exercise": True, "code": CHANGE_CHAPTER.format(cells=chapter)})
    assert "error" not in change and "failure" not in change, change
    sliders = {}
    errors = [*exercises_that_differ(ask, path), *cells_that_differ(ask, path, sliders)]
    errors += [*animations_with_errors(ask, sliders), *visit.external]
    assert not errors, "\n".join(errors)


def exercises_that_differ(ask, path):
    earlier = []  # the code may use earlier answers
    for _, code, stored in cells(path, of_exercises=True):
        got = ask({"exercise": True, "code": code, "earlier": earlier})
        earlier.append(code)
        if got.get("sentence") != stored:
            yield f"{code}\ngave {got}, stored: {stored}"


def cells_that_differ(ask, path, sliders):
    """Yield cells whose output differs, and store the sliders of the animations."""
    ask({"begin": True})
    for number, code, expected in cells(path, of_exercises=False):
        got = ask({"cell": number, "code": code})
        output = got.get("printed", "") + got.get("text", "")
        if "animation" in got:
            sliders[number] = got["animation"]["sliders"]
            output = f"{prod(len(slider['stops']) for slider in sliders[number])} frames"
            expected = " ".join(expected.split()[:2])
        if "error" in got or not almost_equal(output, expected):
            yield f"cell {number}: {got.get('error') or output}, stored: {expected}"
    if ask({"exercise": True, "code": "len(globals()) > 9"}).get("text") != "True":
        yield "exercises do not see the variables of the chapter that ran"


def animations_with_errors(ask, sliders):
    """Move each slider between its stops, after all cells have run."""
    for number, controls in sliders.items():
        values = [slider["low"] for slider in controls]
        frames = [ask({"frame": number, "values": values})["html"]]
        for k, slider in enumerate(controls):
            values[k] = 0.41 * slider["low"] + 0.59 * slider["high"]
            frames.append(ask({"frame": number, "values": values})["html"])
        caption = frames[-1].partition("<figcaption")[2]
        if len(set(frames)) <= len(controls) or LONG_FLOAT.search(caption):
            yield f"animation of cell {number} at {values}: {caption}"


NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?")


def almost_equal(got, expected) -> bool:
    """Compare words exactly, and numbers to about three digits."""
    got, expected = " ".join(got.split()), " ".join(expected.split())
    if NUMBER.sub("#", got) != NUMBER.sub("#", expected):
        return False
    a, b = (np.array(NUMBER.findall(text), float) for text in (got, expected))
    return np.allclose(a, b, rtol=2e-3, atol=2e-6)
