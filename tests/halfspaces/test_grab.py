"""Figures that are grabbed, without a browser: their states, and what they say."""

import json
import re

import numpy as np
import pytest

from halfspaces.formatting import format_number
from halfspaces.interactive import (
    Arrow,
    Curve,
    Line,
    Number,
    Part,
    Plane,
    Points,
    Region,
    Scene,
    grab,
    street,
)
from halfspaces.interactive.plane import markup
from mlcore.svm import hard_margin

PLANE = Plane((-2, 2), (-1, 1))
X = np.array([[-1, 0.5], [1, -0.5], [1.5, 0.5]])
Y = np.array([-1, 1, 1])


def draw(points, tip, C):
    X, y = points
    best = hard_margin(X, y)
    caption = "A line separates." if best.separable else "No line separates."
    numbers = [Number("C", C), Number("margin", best.margin, of=2)]
    goal = ("Let no line separate.", not best.separable)
    return Scene(street(best.w, best.b), numbers, caption, goal=goal)


@pytest.fixture
def figure():
    return grab(draw, PLANE, points=Points(X, Y), tip=Arrow((0, 0), (1, 0)), C=[0.1, 1, 10])


def test_the_start_is_what_was_given(figure):
    frame = figure.frame()
    assert frame["caption"] == "A line separates."
    assert markup(frame["numbers"]).startswith("<li><span>C</span><b>0.1</b></li>")
    labels = [attributes.get("aria-label") for _, attributes, _ in frame["grips"]]
    assert labels[0] == "point 1, minus 1, at −1 and 0.5"
    assert "tip of tip, at 1 and 0" in labels


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
    assert format_number(value) == words
    assert format_number(0.0125 * (1 + 1e-15)) == format_number(0.0125)


def test_rounding_and_bars():
    assert "below 1e-12" in markup([Number("gap", 3e-15, least=1e-12).element()])
    assert 'value="1.0"' in markup([Number("updates", 30, of=20).element()])


# ------------------------------------------------------------------------------- the marks


def places(element):
    """The points of a path, in pixels."""
    numbers = re.findall(r"-?\d+\.?\d*", element[1]["d"])
    return np.array(numbers, float).reshape(-1, 2)


def test_a_line_ends_at_the_edge_and_one_outside_is_not_seen():
    (seen,) = Line([1, 0], -1).elements(PLANE)
    left, top, right, bottom = PLANE.box
    across = left + 0.75 * (right - left)
    assert sorted(places(seen).tolist()) == [[across, top], [across, bottom]]
    for unseen in (Line([1, 0], -3), Line([0, 0], 1)):
        ((_, look, _),) = unseen.elements(PLANE)
        assert look["d"] == ""


def test_the_name_of_an_arrow_that_leaves_the_plane_stays_in_it():
    for tip in ((9, 0.5), (-0.5, 9), (-9, -9)):
        *_, (_, place, name) = Arrow((0, 0), tip, "w").elements(PLANE)
        left, top, right, bottom = PLANE.box
        assert name == "w"
        assert left < place["x"] < right and top < place["y"] < bottom


def test_a_part_is_cut_out_by_all_its_rows():
    corners = PLANE.part([[1, 0], [0, 1]], [0, 0])
    assert sorted(corners.tolist()) == [[0, 0], [0, 1], [2, 0], [2, 1]]
    ((_, empty, _),) = Part([[1, 0], [-1, 0]], [-1, -1]).elements(PLANE)
    assert empty["d"] == ""


def test_what_is_far_away_is_no_farther_than_a_browser_can_count():
    (curve,) = Curve([[0, 0], [1e30, 1e30]]).elements(PLANE)
    assert 1e6 < np.abs(places(curve)).max() < 1e8


def test_the_border_of_a_region_lies_where_the_score_is_zero():
    *_, edge = Region(lambda Z: Z @ [1, 2] - 0.5).elements(PLANE)
    left, top, right, bottom = PLANE.box
    u, v = places(edge).T
    seen = (left <= u) & (u <= right) & (top <= v) & (v <= bottom)
    x = -2 + 4 * (u - left) / (right - left)
    y = 1 - 2 * (v - top) / (bottom - top)
    assert np.abs(x + 2 * y - 0.5)[seen].max() < 0.01
    assert x[seen].min() < -1.4 and x[seen].max() > 1.9


def area(path):
    """The share of the plane inside closed lines of which none cross."""
    left, top, right, bottom = PLANE.box
    sizes = []
    for line in filter(None, path.split("M")):
        u, v = np.array(re.findall(r"-?\d+\.?\d*", line), float).reshape(-1, 2).T
        sizes.append(abs(u @ np.roll(v, 1) - v @ np.roll(u, 1)) / 2)
    return sum(sizes) / ((right - left) * (bottom - top))


def test_both_sides_of_a_region_together_are_the_plane():
    ring = Region(lambda Z: 0.25 - (Z**2).sum(axis=1), 60)
    (_, blue, _), (_, red, _), _ = ring.elements(PLANE)
    assert area(blue["d"]) == pytest.approx(np.pi / 4 / 8, rel=0.01)
    frame = red["d"].removesuffix(blue["d"])
    left, top, right, bottom = PLANE.box
    assert (
        red["fill-rule"] == "evenodd" and frame == f"M{left} {top}H{right}V{bottom}H{left}Z"
    )
    whole, *_ = Region(lambda Z: 0 * Z[:, 0] + 1).elements(PLANE)
    assert area(whole[1]["d"]) > 1
