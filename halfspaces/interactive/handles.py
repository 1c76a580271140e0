"""Handles of interactive figures: points, tips of arrows and sliders that a reader moves.

The page sends the state of each handle; `draw` gets `value(state)` as an argument.
"""

import html
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from halfspaces.interactive.marks import COLORS, SHAPES, Arrow
from halfspaces.interactive.plane import Element, Plane
from halfspaces.sliders import sliders

KNOB = {"d": "M7 0A7 7 0 1 1-7 0A7 7 0 1 1 7 0", "fill-opacity": 0.4}


@dataclass(frozen=True, eq=False)
class Points:
    """Points that a reader moves and, if they have labels, flips, adds and deletes.

    X  (n, 2)
    y  (n,) of -1 and +1, or None

    `draw` unpacks them: X, y = points.
    """

    X: np.ndarray
    y: np.ndarray | None = None

    def __iter__(self):
        return iter((self.X, self.y))

    @property
    def start(self) -> dict:
        positions = np.round(np.asarray(self.X, float), 3).tolist()
        labels = None if self.y is None else np.asarray(self.y, int).tolist()
        return {"positions": positions, "labels": labels, "editable": labels is not None}

    def value(self, state):
        X, y = np.array(state["positions"], float).reshape(-1, 2), state["labels"]
        return replace(self, X=X, y=None if y is None else np.array(y, int))

    def elements(self, state, name, plane):
        labels = state["labels"] or [0] * len(state["positions"])
        for k, (point, label) in enumerate(zip(state["positions"], labels, strict=True)):
            words = f"point {k + 1}" + {1: ", plus 1", -1: ", minus 1", 0: ""}[label]
            number = ["text", {"x": 9, "y": 17, "class": "hs-halo"}, str(k + 1)]
            content = [["path", SHAPES.get(label, KNOB), ""], *([number] if label else [])]
            yield handle_element(f"{name}:{k}", plane, point, content, words)


@dataclass(frozen=True, eq=False)
class ArrowHandle(Points):
    """The tip of an arrow; `draw` gets its position (2,)."""

    arrow: Arrow | None = None

    def value(self, state):
        return super().value(state).X[0]

    def elements(self, state, name, plane):
        (tip,) = state["positions"]
        yield ["g", {}, [*replace(self.arrow, tip=tip).elements(plane)]]
        disk = [["path", KNOB | {"fill": COLORS[self.arrow.color]}, ""]]
        description = f"tip of {self.arrow.text or name}"
        yield handle_element(f"{name}:0", plane, tip, disk, description)


class SliderHandle:
    """A slider; in the page it can also take values between its stops.

    If the stops are strings, it is a menu.
    """

    def __init__(self, name: str, stops: Iterable):
        (self.slider,) = sliders({name: stops}, 1)
        self.start = {"value": self.slider.to_page()["start"]}

    def value(self, state):
        return self.slider.value_at(state["value"])

    def control(self, name) -> str:
        """Return the HTML of the slider or menu."""
        slider = self.slider.to_page()
        low, high, step, start = (slider[key] for key in ("low", "high", "step", "start"))
        title, labels = html.escape(slider["title"]), [*map(html.escape, slider["labels"])]
        data = f'autocomplete="off" data-name="{name}" data-kind="{slider["kind"]}"'
        if slider["kind"] == "stops":
            items = (f'<option value="{k}">{label}' for k, label in enumerate(labels))
            return f"<label>{title} <select {data}>{''.join(items)}</select></label>"
        return (
            f'<div class="hs-slider"><label>{title} '
            f'<input type="range" min="{low:g}" max="{high:g}" step="{step:g}" '
            f'value="{start:g}" aria-valuetext="{labels[0]}" '
            f'{data}></label><output aria-live="off">{labels[0]}</output></div>'
        )


def handle_element(
    key: str, plane: Plane, point, content: list[Element], label: str
) -> Element:
    """Return the element that a pointer or a key moves; its size is fixed, in pixels.

    grab.js copies data-label to aria-label when it adds a role; a still picture has none.
    """
    hit_area = ["circle", {"r": 15, "class": "hs-hit-area", "fill": "none"}, ""]
    attributes = {"class": "hs-handle", "data-key": key, "data-label": label}
    attributes["transform"] = plane.translate(point)
    return ["g", attributes, [["g", {"class": "hs-size"}, [hit_area, *content]]]]


def make_handle(name: str, argument) -> Points | SliderHandle:
    """Return the handle for Points, an Arrow or the stops of a slider."""
    if isinstance(argument, Points):
        return argument
    if isinstance(argument, Arrow):
        return ArrowHandle([argument.tip], None, argument)
    return SliderHandle(name, argument)
