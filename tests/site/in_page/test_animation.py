"""Animations drawn by the page's Python, without a browser."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
from matplotlib.figure import Figure

from halfspaces.page import animation
from halfspaces.pictures import Picture, canvas
from tests.helpers.notebooks import PATHS, interactive_figures


def show(**values):
    """Return a picture without a drawing that shows the arguments."""
    return SimpleNamespace(_repr_html_=lambda: repr(values), figure=Figure())


@pytest.mark.parametrize(
    ("stops", "kind", "positions", "values"),
    [
        ([1, 2, 5], "whole", [1, 3.2, 5], [1, 3, 5]),
        ([0.0, 1.0, 2.0], "real", [0, 1.5], [0, 1.5]),
        ([0.01, 1.0, 100.0], "ratio", [-2, 0, 1], pytest.approx([0.01, 1, 10])),
        (["a", "b"], "stops", [0, 1], ["a", "b"]),
    ],
)
def test_slider_passes_values_between_its_stops(stops, kind, positions, values):
    picture = animation.player(show, step=stops)
    (slider,) = picture.to_page()["sliders"]
    assert slider["kind"] == kind and len(slider["stops"]) == len(stops)
    got = [picture.sliders[0].value_at(position) for position in positions]
    assert got == values
    frames = [picture.frame([position]) for position in positions]
    assert frames == [repr({"step": value}) for value in got]


def draw_power(k):
    figure, ax = canvas()
    ax.set(xlabel="$x_1$", ylabel=f"$10^{{{k}}} x$", xlim=(0, 10**k), ylim=(0, 10**k))
    return Picture(figure, "a caption", "words")


def test_axes_are_fixed_by_the_first_frame():
    picture = animation.player(draw_power, k=[0, 4])
    first = picture.to_page()["html"]
    (box,) = picture.axes_boxes
    assert first == draw_power(0)._repr_html_()
    figure = draw_power(4).figure
    figure.draw_without_rendering()
    assert figure.axes[0].get_position().x0 > box.x0 + 0.02, "longer labels"
    picture.frame([4])
    assert [later.bounds for later in picture.axes_boxes] == [box.bounds]
    assert picture.frame([0]) == first


# ------------------------------------------------------------ figures of the chapters

SCRIPT = """
import sys
from ast import Expression, Module, parse
for name in ("matplotlib", "scipy", "sklearn", "sympy", "ipywidgets"):
    sys.modules[name] = None  # importing it fails
for *lines, cell in {figures!r}:
    scope = dict(__name__="__main__")
    for line in lines: exec(line, scope)
    *body, last = parse(cell).body
    exec(compile(Module(body, []), "cell", "exec"), scope)
    print(repr(eval(compile(Expression(last.value), "cell", "eval"), scope)))
"""


def test_interactive_figures_need_only_numpy():
    """Otherwise a reader waits for 50 MB instead of 17."""
    found = [figure for path in PATHS for figure in interactive_figures(path)]
    figures, stored = zip(*found, strict=True)
    command = [sys.executable, "-c", SCRIPT.format(figures=figures)]
    result = subprocess.run(command, capture_output=True, text=True)
    output = "".join(f"{text}\n" for text in stored)
    assert (result.returncode, result.stdout) == (0, output), result.stderr
