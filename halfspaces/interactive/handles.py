"""What a reader takes hold of in a figure that is grabbed: points, tips of arrows, stops.

The state of a handle is what the page sends; `of` makes of it what `draw` gets.
"""

import html
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from halfspaces.formatting import format_number
from halfspaces.interactive.marks import COLORS, SHAPES, Arrow
from halfspaces.interactive.plane import Element, Plane
from halfspaces.sliders import sliders

KNOB = {"d": "M7 0A7 7 0 1 1-7 0A7 7 0 1 1 7 0", "fill-opacity": 0.4}


@dataclass(frozen=True, eq=False)
class Points:
    """Points that can be moved; with labels, also flipped, added and deleted.

    X  (n, 2)
    y  (n,) of -1 and +1, or None

    In `draw` it unpacks: X, y = points.
    """

    X: np.ndarray
    y: np.ndarray | None = None

    def __iter__(self):
        return iter((self.X, self.y))

    @property
    def start(self) -> dict:
        at = np.round(np.asarray(self.X, float), 3).tolist()
        labels = None if self.y is None else np.asarray(self.y, int).tolist()
        return {"at": at, "labels": labels, "fixed": labels is None}

    def of(self, state):
        X, y = np.array(state["at"], float).reshape(-1, 2), state["labels"]
        return replace(self, X=X, y=None if y is None else np.array(y, int))

    def elements(self, state, name, plane):
        labels = state["labels"] or [0] * len(state["at"])
        found = []
        for k, (point, label) in enumerate(zip(state["at"], labels, strict=True)):
            side = {1: "plus 1, ", -1: "minus 1, ", 0: ""}[label]
            number = ["text", {"x": 9, "y": 17, "class": "hs-halo"}, str(k + 1)]
            inside = [["path", SHAPES.get(label, KNOB), ""], *([number] if label else [])]
            words = f"point {k + 1}, {side}"
            found.append(grip(f"{name}:{k}", plane, point, inside, words))
        return found


@dataclass(frozen=True, eq=False)
class Tip(Points):
    """The tip of an arrow; `draw` gets where it is."""

    arrow: Arrow | None = None

    def of(self, state):
        return super().of(state).X[0]

    def elements(self, state, name, plane):
        (tip,) = state["at"]
        shown = [*replace(self.arrow, tip=tip).elements(plane)]
        disk = [["path", KNOB | {"fill": COLORS[self.arrow.color]}, ""]]
        words = f"tip of {self.arrow.text or name}, "
        return [["g", {}, shown], grip(f"{name}:0", plane, tip, disk, words)]


class Stops:
    """The stops of a slider, and in the page all numbers between them; words are chosen."""

    def __init__(self, name: str, stops: Iterable):
        (self.slider,) = sliders({name: stops}, 1)
        self.start = {"value": self.slider.described()["start"]}

    def of(self, state):
        return self.slider.value_at(state["value"])

    def control(self, name):
        slider = self.slider.described()
        low, high, step, start = (slider[key] for key in ("low", "high", "step", "start"))
        title, labels = html.escape(slider["title"]), [*map(html.escape, slider["labels"])]
        known = f'autocomplete="off" data-name="{name}" data-kind="{slider["kind"]}"'
        if slider["kind"] == "stops":
            words = (f'<option value="{k}">{label}' for k, label in enumerate(labels))
            return f"<label>{title} <select {known}>{''.join(words)}</select></label>"
        return (
            f'<div class="hs-slider"><label>{title} '
            f'<input type="range" min="{low:g}" max="{high:g}" step="{step:g}" '
            f'value="{start:g}" aria-valuetext="{labels[0]}" '
            f'{known}></label><output aria-live="off">{labels[0]}</output></div>'
        )


def grip(key: str, plane: Plane, point, inside: list[Element], words: str) -> Element:
    """What a finger or a key takes hold of: it keeps its size on a phone."""
    reach = ["circle", {"r": 15, "class": "hs-reach", "fill": "none"}, ""]
    place = " and ".join(format_number(float(c)) for c in point)
    look = {"class": "hs-grip", "data-grip": key, "aria-label": f"{words}at {place}"}
    look["transform"] = plane.translate(point)
    return ["g", look, [["g", {"class": "hs-size"}, [reach, *inside]]]]


def handle(name: str, thing) -> Points | Stops:
    if isinstance(thing, Points):
        return thing
    return Tip([thing.tip], None, thing) if isinstance(thing, Arrow) else Stops(name, thing)
