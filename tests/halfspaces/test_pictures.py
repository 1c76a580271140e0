"""Pictures: captions, descriptions for regression tests, and SVG."""

import re
import xml.etree.ElementTree as ET

import numpy as np

from halfspaces.pictures import (
    INK,
    NEGATIVE,
    POSITIVE,
    Picture,
    canvas,
    describe,
    plot_arrow,
    plot_line,
    plot_points,
    plot_sides,
    to_svg,
)

X = np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 3.0]])
y = np.array([1, -1, 1])


def drawing(change=0.0, label="$x_1$ (cm)"):
    fig, ax = canvas()
    ax.set(xlim=(-4, 4), ylim=(-4, 4), xlabel=label, ylabel="$x_2$ (cm)")
    plot_points(ax, X + change, y)
    plot_line(ax, np.array([1.0, 1.0]), -1.0)
    plot_sides(ax, lambda Z: Z @ [1.0, 1.0] - 1.0 + change)
    plot_arrow(ax, (0, 0), (1, 1), "$w$")
    return fig


def test_description_changes_with_points_and_labels_but_not_with_rounding():
    same = describe(drawing())
    assert same == describe(drawing())
    assert same != describe(drawing(change=0.01))
    assert same != describe(drawing(label="$x_1$ (mm)"))

    def curve(noise):
        fig, ax = canvas()
        ax.plot(np.array([1.0, -1.0, 2.0, -2.0]) + noise)
        return describe(fig)

    assert curve(0.0) == curve(1e-14)


def test_classes_differ_in_color_and_shape():
    _, ax = canvas()
    positive, negative = plot_points(ax, X, y)
    assert np.array_equal(positive.get_xydata(), X[[0, 2]])
    assert np.array_equal(negative.get_xydata(), X[[1]])
    assert (positive.get_marker(), positive.get_color()) == ("o", POSITIVE)
    assert (negative.get_marker(), negative.get_color()) == ("x", NEGATIVE)


def test_plot_sides_treats_rounding_error_as_zero():
    descriptions = []
    for noise in (0.0, 1e-16, -1e-16):
        figure, ax = canvas()
        ax.set(xlim=(-1, 1), ylim=(-1, 1))
        plot_sides(ax, lambda points, zero=noise: np.where(points[:, 0] > 0, 1.0, zero))
        descriptions.append(describe(figure))
    assert descriptions[0] == descriptions[1] == descriptions[2]


def test_svg_is_well_formed_and_uses_the_text_color_of_the_page():
    text = to_svg(drawing(), 'a "tiny" scatter & a line')
    root = ET.fromstring(text)
    assert root.get("role") == "img"
    assert root.get("aria-label") == 'a "tiny" scatter & a line'
    assert INK not in text and "currentColor" in text
    assert "<metadata" not in text and "<!--" not in text


def test_ids_are_unique_and_references_stay_inside_the_svg():
    texts = [to_svg(drawing(), "one"), to_svg(drawing(change=0.5), "two")]
    for text in texts:
        references = set(re.findall(r'(?:href="#|url\(#)([^")]+)', text))
        assert references and references <= set(re.findall(r' id="([^"]+)"', text))
    first, second = (set(re.findall(r' id="([^"]+)"', text)) for text in texts)
    assert not first & second


def test_letters_are_scaled_equally_in_both_directions():
    figure, ax = canvas()
    ax.plot([0, 1], [0, 1], label="eight and a half points")
    ax.legend(fontsize=8.5)
    sizes = re.findall(r"scale\((\S+) -(\S+)\)", to_svg(figure, "A line."))
    assert ("0.085", "0.085") in sizes
    assert all(width == height for width, height in sizes)


def test_caption_is_shown_and_escaped():
    picture = Picture(drawing(), "Both sides: 1 < 2 & more", "a line")
    assert "<figcaption" in picture._repr_html_()
    assert "1 &lt; 2 &amp; more" in picture._repr_html_()
    assert repr(picture) == describe(picture.figure)


def test_path_keeps_corners_and_drops_points_of_straight_runs():
    straight, back, bent = ((0, 1, 2), (0, 0)), ((0, 2, 1), (0, 0)), ((0, 1, 2), (1, 0))
    for (xs, ys), count in (straight, 2), (back, 3), (bent, 3):
        figure, ax = canvas()
        ax.plot(xs, [0, *ys])
        ax.set(ylim=(0, 100))  # a bend of two SVG units
        ax.set_axis_off()
        (path,) = re.findall(r' d="([^"]*)" clip', to_svg(figure, "a line"))
        assert len(re.findall("[ML]", path)) == count
