"""Figures that are grabbed, without a browser: their states, and what they say."""

import json
import re

import numpy as np
import pytest

from mlcore.book.grab import Arrow, Number, Plane, Points, Scene, grab
from mlcore.book.marks import Curve, Line, Part, Region, markup, street, told
from mlcore.separation import max_margin

PLANE = Plane((-2, 2), (-1, 1))
X = np.array([[-1, 0.5], [1, -0.5], [1.5, 0.5]])
Y = np.array([-1, 1, 1])


def draw(points, tip, C):
    X, y = points
    best = max_margin(X, y)
    caption = "A line separates." if best.separable else "No line separates."
    numbers = [Number("C", C), Number("margin", best.margin, of=2)]
    goal = ("Let no line separate.", not best.separable)
    return Scene(street(best.w, best.b), numbers, caption, goal=goal)


@pytest.fixture
def figure():
    return grab(draw, PLANE, points=Points(X, Y), tip=Arrow((0, 0), (1, 0)), C=[0.1, 1, 10])


@pytest.fixture
def state(figure):
    return json.loads(json.dumps(figure.start))


def test_the_start_is_what_was_given(figure):
    frame = figure.frame()
    assert frame["caption"] == "A line separates."
    assert frame["numbers"][0] == ["C", "0.1", None]
    labels = [attributes.get("aria-label") for _, _, attributes, _ in frame["grips"]]
    assert labels[0] == "point 1, minus 1, at −1 and 0.5"
    assert "tip of tip, at 1 and 0" in labels


def test_it_follows_what_is_dragged_flipped_added_deleted(figure, state):
    points = state["points"]
    points["at"][2] = [-1, 0.5]
    assert figure.frame(state)["caption"] == "No line separates."  # two at one place
    points["labels"][2] = -1
    assert figure.frame(state)["caption"] == "A line separates."
    points["at"].append([0.0, 0.0])
    points["labels"].append(1)
    assert len([g for g in figure.frame(state)["grips"] if g[0].startswith("points")]) == 4
    state["C"]["value"] = 0
    assert figure.frame(state)["numbers"][0] == ["C", "1", None]


def test_a_goal_is_reached_when_the_scene_says_so(figure, state):
    assert figure.frame(state)["goal"] == ["Let no line separate.", False]
    state["points"]["at"][2] = [-1, 0.5]
    assert figure.frame(state)["goal"][1] is True


def test_a_refusal_is_a_sentence_and_the_points_stay(figure, state):
    state["points"]["labels"] = [1, 1, 1]
    frame = figure.frame(state)
    assert "y" in frame["refused"] and "marks" not in frame
    assert "plus 1" in frame["grips"][0][2]["aria-label"]


def test_the_still_is_the_first_frame(figure):
    html = figure._repr_html_()
    frame = json.loads(figure.answer(json.dumps(figure.start)))
    assert markup(frame["marks"][0]) in html and markup(frame["grips"]) in html
    assert "A line separates." in html and '<div class="hs-controls" hidden>' in html
    assert html.count("<svg") == html.count("</svg>") == 1, "the tests of notebooks mask it"


def test_the_text_has_the_numbers_of_the_marks_to_four_digits():
    def shown(X):
        rest = {"tip": Arrow((0, 0), (1, 0)), "C": [0.1, 1, 10]}
        return repr(grab(draw, PLANE, points=Points(X, Y), **rest))

    assert shown(X + 1e-9) == shown(X) != shown(1.1 * X)


@pytest.mark.parametrize(
    ("value", "words"),
    [(3, "3"), (-0.25, "−0.25"), (0.12349, "0.123"), (1234.5, "1234"), (np.inf, "∞")],
)
def test_a_number_is_told_with_three_digits(value, words):
    assert told(value) == words
    assert told(0.0125 * (1 + 1e-15)) == told(0.0125)


def test_rounding_and_bars():
    assert Number("gap", 3e-15, least=1e-12).row() == ["gap", "below 1e-12", None]
    assert Number("updates", 30, of=20).row() == ["updates", "30", 1.0]


# ------------------------------------------------------------------------------- the marks


def places(element):
    """The points of a path, in pixels."""
    numbers = re.findall(r"-?\d+\.?\d*", element[2]["d"])
    return np.array(numbers, float).reshape(-1, 2)


def test_a_line_ends_at_the_edge_and_one_outside_is_not_seen():
    ((*_, seen, _),) = Line([1, 0], -1).elements(PLANE)
    left, top, right, bottom = PLANE.box
    across = left + 0.75 * (right - left)
    assert sorted(places([0, 0, seen]).tolist()) == [[across, top], [across, bottom]]
    ((*_, unseen, _),) = Line([1, 0], -3).elements(PLANE)
    assert unseen["d"] == ""
    ((*_, none, _),) = Line([0, 0], 1).elements(PLANE)
    assert none["d"] == ""


def test_a_part_is_cut_out_by_all_its_rows():
    corners = PLANE.part([[1, 0], [0, 1]], [0, 0])
    assert sorted(corners.tolist()) == [[0, 0], [0, 1], [2, 0], [2, 1]]
    ((*_, empty, _),) = Part([[1, 0], [-1, 0]], [-1, -1]).elements(PLANE)
    assert empty["d"] == ""


def test_a_curve_stays_in_the_plane():
    turns = np.linspace(0, 2 * np.pi, 60)
    (curve,) = Curve(1.5 * np.c_[np.cos(turns), np.sin(turns)]).elements(PLANE)
    left, top, right, bottom = PLANE.box
    u, v = places(curve).T
    assert u.min() >= left and u.max() <= right and v.min() >= top and v.max() <= bottom


def test_the_border_of_a_region_lies_where_the_score_is_zero():
    *sides, edge = Region(lambda Z: Z @ [1, 2] - 0.5).elements(PLANE)
    left, top, right, bottom = PLANE.box
    u, v = places(edge).T
    x = -2 + 4 * (u - left) / (right - left)
    y = 1 - 2 * (v - top) / (bottom - top)
    assert len(u) > 40 and np.abs(x + 2 * y - 0.5).max() < 0.01
    assert all(len(side[2]["d"]) > 100 for side in sides)
