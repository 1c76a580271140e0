"""The Python modules of the page, without a browser: what an answer needs, what moves."""

import sys
from pathlib import Path

import in_page
import pytest

sys.path.insert(0, str(Path(in_page.__file__).parent / "static" / "in-page"))
import moving
from needed import needed

CHAPTER = (
    "import numpy as np\nfrom math import cos, sin",
    "X = np.ones(3)\nprint(X)",
    "def length(v):\n    return sin(v @ v)",
    "X = 2 * X",
    "unused = length(X)",
)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("1 + 1", []),
        ("np.zeros(2)", ["import numpy as np"]),
        ("cos(0)", ["from math import cos"]),
        ("X", ["import numpy as np", "X = np.ones(3)", "X = 2 * X"]),
        (
            "length(Y)",
            ["from math import sin", "def length(v):\n    return sin(v @ v)"],
        ),
        ("def f(:", []),
    ],
)
def test_an_answer_gets_the_lines_that_it_needs(code, lines):
    assert needed(CHAPTER, code) == lines


class Shown:
    def __init__(self, **values):
        self.values = values

    def _repr_html_(self):
        return repr(self.values)


@pytest.mark.parametrize(
    ("stops", "kind", "places", "values"),
    [
        ([1, 2, 5], "whole", [1, 3.2, 5], [1, 3, 5]),
        ([0.0, 1.0, 2.0], "real", [0, 1.5], [0, 1.5]),
        ([0.01, 1.0, 100.0], "ratio", [-2, 0, 1], [0.01, 1, 10]),
        (["a", "b"], "stops", [0, 1], ["a", "b"]),
    ],
)
def test_a_slider_gives_its_drawing_the_values_between(stops, kind, places, values):
    picture = moving.player(Shown, step=stops)
    (slider,) = picture.described()["sliders"]
    assert slider["kind"] == kind and len(slider["stops"]) == len(stops)
    for place, value in zip(places, values, strict=True):
        got = moving.value_at(picture.sliders[0], place)
        assert got == (value if kind == "stops" else pytest.approx(value))
        assert picture.draw([place]) == repr({"step": got})


def test_two_sliders_are_told_apart():
    picture = moving.grid(Shown, step=[1, 2], bias=[-1.0, 0.0])
    assert picture.draw([2, -0.5]) == "{'step': 2, 'bias': -0.5}"
    assert [s["title"] for s in picture.described()["sliders"]] == ["step", "bias"]
    assert picture.described()["interval"] is None


def test_the_stand_in_has_the_names_of_the_widgets():
    from mlcore.book import widgets

    for name in ("player", "grid"):
        assert callable(getattr(moving, name)) and callable(getattr(widgets, name))
