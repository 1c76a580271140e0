"""Interactive figures without a browser: frames, marks and the static picture."""

import json
import re

import numpy as np
import pytest

from halfspaces.interactive import (
    Arrow,
    Curve,
    Frame,
    Halfplanes,
    InteractiveFigure,
    Line,
    Number,
    Plane,
    Points,
    Region,
    margin_band,
)
from halfspaces.interactive.plane import markup
from mlcore.svm import hard_margin

PLANE = Plane((-2, 2), (-1, 1))
X = np.array([[-1, 0.5], [1, -0.5], [1.5, 0.5]])
Y = np.array([-1, 1, 1])


def draw(points, w, C):
    X, y = points
    fit = hard_margin(X, y)
    caption = "A line separates." if fit.separable else "No line separates."
    numbers = [Number("C", C), Number("margin", fit.margin, of=2)]
    goal = ("Let no line separate.", not fit.separable)
    return Frame(margin_band(fit.w, fit.b), numbers, caption, goal=goal)


def figure_of(X):
    arguments = {"w": Arrow((0, 0), (1, 0)), "C": [0.1, 1, 10]}
    return InteractiveFigure(draw, PLANE, points=Points(X, Y), **arguments)


def test_first_frame_shows_the_arguments():
    frame = figure_of(X).render()
    assert frame["caption"] == "A line separates."
    assert markup(frame["numbers"]).startswith("<li><span>C</span><b>0.1</b></li>")
    labels = [attributes.get("data-label") for _, attributes, _ in frame["handles"]]
    assert labels[0] == "point 1, minus 1"
    assert "tip of w" in labels


def test_static_picture_is_the_first_frame():
    figure = figure_of(X)
    html = figure._repr_html_()
    frame = json.loads(figure.respond(json.dumps(figure.start)))
    assert markup(frame["marks"][0]) in html and markup(frame["handles"]) in html
    assert "A line separates." in html and '<div class="hs-controls" hidden>' in html
    assert html.count("<svg") == html.count("</svg>") == 1, "nbval.cfg masks one"


def test_repr_changes_with_the_data_but_not_with_rounding():
    assert repr(figure_of(X + 1e-9)) == repr(figure_of(X)) != repr(figure_of(1.1 * X))


def test_number_below_its_tolerance_is_marked_and_bar_is_capped():
    assert "below 1e-12" in markup([Number("gap", 3e-15, tol=1e-12).element()])
    assert 'value="1.0"' in markup([Number("updates", 30, of=20).element()])


# ------------------------------------------------------------------------------- the marks


def pixels_of(element):
    numbers = re.findall(r"-?\d+\.?\d*", element[1]["d"])
    return np.array(numbers, float).reshape(-1, 2)


def test_line_ends_at_the_border_of_the_plot():
    (line,) = Line([1, 0], -1).elements(PLANE)
    left, top, right, bottom = PLANE.box
    x = left + 0.75 * (right - left)
    assert sorted(pixels_of(line).tolist()) == [[x, top], [x, bottom]]


@pytest.mark.parametrize("line", [Line([1, 0], -3), Line([0, 0], 1)])
def test_line_outside_the_plot_is_empty(line):
    ((_, attributes, _),) = line.elements(PLANE)
    assert attributes["d"] == ""


@pytest.mark.parametrize("tip", [(9, 0.5), (-0.5, 9), (-9, -9)])
def test_label_of_an_arrow_stays_inside_the_plot(tip):
    *_, (_, label, name) = Arrow((0, 0), tip, "w").elements(PLANE)
    left, top, right, bottom = PLANE.box
    assert name == "w"
    assert left < label["x"] < right and top < label["y"] < bottom


def test_plane_is_clipped_by_all_halfplanes():
    corners = PLANE.clip([[1, 0], [0, 1]], [0, 0])
    assert sorted(corners.tolist()) == [[0, 0], [0, 1], [2, 0], [2, 1]]
    ((_, empty, _),) = Halfplanes([[1, 0], [-1, 0]], [-1, -1]).elements(PLANE)
    assert empty["d"] == ""


def test_distant_points_keep_coordinates_that_browsers_can_draw():
    (curve,) = Curve([[0, 0], [1e30, 1e30]]).elements(PLANE)
    assert 1e6 < np.abs(pixels_of(curve)).max() < 1e8


def test_score_is_zero_on_the_border_of_a_region():
    *_, edge = Region(lambda Z: Z @ [1, 2] - 0.5).elements(PLANE)
    left, top, right, bottom = PLANE.box
    u, v = pixels_of(edge).T
    visible = (left <= u) & (u <= right) & (top <= v) & (v <= bottom)
    x = -2 + 4 * (u - left) / (right - left)
    y = 1 - 2 * (v - top) / (bottom - top)
    assert np.abs(x + 2 * y - 0.5)[visible].max() < 0.01
    assert x[visible].min() < -1.4 and x[visible].max() > 1.9


def area(path):
    """Return the area of disjoint polygons, as a multiple of the plot's area."""
    left, top, right, bottom = PLANE.box
    areas = []
    for line in filter(None, path.split("M")):
        u, v = np.array(re.findall(r"-?\d+\.?\d*", line), float).reshape(-1, 2).T
        areas.append(abs(u @ np.roll(v, 1) - v @ np.roll(u, 1)) / 2)
    return sum(areas) / ((right - left) * (bottom - top))


def test_region_and_its_complement_cover_the_plane():
    disk = Region(lambda Z: 0.25 - (Z**2).sum(axis=1), 60)
    (_, blue, _), (_, red, _), _ = disk.elements(PLANE)
    assert area(blue["d"]) == pytest.approx(np.pi / 4 / 8, rel=0.01)
    border = red["d"].removesuffix(blue["d"])
    left, top, right, bottom = PLANE.box
    assert red["fill-rule"] == "evenodd"
    assert border == f"M{left} {top}H{right}V{bottom}H{left}Z"
    whole, *_ = Region(lambda Z: 0 * Z[:, 0] + 1).elements(PLANE)
    assert area(whole[1]["d"]) > 1
