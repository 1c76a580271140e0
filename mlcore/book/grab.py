"""Figures that a reader grabs: what can be moved, and what follows.

`grab(draw, Plane(...), points=Points(X, y), C=[0.1, 1])` is to a finger what `player` is to
a slider.  `draw` is a plain function of what is grabbed, and returns a `Scene`.  Its
marks are stored with the cell as a still picture; in the page Python sends new ones as
things are moved, and grab.js puts them where the old ones are.  In JupyterLab the kernel
does what Python does in the page.

Chapters take these names from here: those of mlcore.book load Matplotlib and SymPy.
"""

import html
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from mlcore.book.marks import (
    COLORS,
    SHAPES,
    Arrow,
    Curve,
    Dots,
    Element,
    Line,
    Mark,
    Part,
    Plane,
    Region,
    Ring,
    Sides,
    Text,
    markup,
    street,
    told,
)
from mlcore.book.sliders import sliders

__all__ = [
    "Arrow",
    "Curve",
    "Dots",
    "Line",
    "Number",
    "Part",
    "Plane",
    "Points",
    "Region",
    "Ring",
]
__all__ += ["Scene", "Sides", "Text", "grab", "street", "told"]


@dataclass(frozen=True, eq=False)
class Number:
    """A number beside the picture; with `of`, a bar shows which part of that it is.

    least  what is below this is rounding, which differs between machines
    """

    name: str
    value: float | str
    of: float | None = None
    least: float = 0.0

    def row(self) -> list:
        """Name, value, and the length of the bar in its unit."""
        if isinstance(self.value, str):
            return [self.name, self.value, None]
        if abs(self.value) < self.least:
            return [self.name, f"below {self.least:g}", None]
        share = None if self.of is None else min(max(self.value / self.of, 0.0), 1.0)
        return [self.name, told(self.value), None if share is None else round(share, 3)]


@dataclass(frozen=True, eq=False)
class Scene:
    """What one state of a grabbed figure shows.

    marks    in the order in which they are drawn; what is grabbed comes on top
    numbers  beside the picture
    caption  what it means
    beside   marks of a second plane, if the figure has one
    goal     what the reader is asked to reach, and whether it is reached now
    """

    marks: list[Mark]
    numbers: list[Number] = field(default_factory=list)
    caption: str = ""
    beside: list[Mark] = field(default_factory=list)
    goal: tuple[str, bool] | None = None

    def __repr__(self) -> str:
        numbers = [f"{name}: {value}" for name, value, _ in (n.row() for n in self.numbers)]
        words = [self.caption, *([f"Goal: {self.goal[0]}"] if self.goal else [])]
        return "\n".join([*map(repr, self.marks + self.beside), *numbers, *words])


# -------------------------------------------------------------------------- what is grabbed


class Handle:
    """Something that a reader moves; `draw` gets what `of` makes of its state."""

    start: dict

    def of(self, state: dict):
        raise NotImplementedError

    def elements(self, state: dict, name: str, plane: Plane) -> list[Element]:
        return []

    def control(self, name: str) -> str:
        return ""


@dataclass(frozen=True, eq=False)
class Points(Handle):
    """Points that can be moved; with labels, also flipped, added and deleted.

    X      (n, 2)
    y      (n,) of -1 and +1, or None
    fixed  they can only be moved

    In `draw` it unpacks: X, y = points.
    """

    X: np.ndarray
    y: np.ndarray | None = None
    fixed: bool = False

    def __iter__(self):
        return iter((self.X, self.y))

    @property
    def start(self) -> dict:
        at = np.round(np.asarray(self.X, float), 3).tolist()
        labels = None if self.y is None else np.asarray(self.y, int).tolist()
        return {"at": at, "labels": labels, "fixed": self.fixed or labels is None}

    def of(self, state):
        X, y = np.array(state["at"], float).reshape(-1, 2), state["labels"]
        return replace(self, X=X, y=None if y is None else np.array(y, int))

    def elements(self, state, name, plane):
        labels = state["labels"] or [0] * len(state["at"])
        found = []
        for k, (point, label) in enumerate(zip(state["at"], labels, strict=True)):
            mark = SHAPES.get(label, KNOB)
            side = {1: "plus 1, ", -1: "minus 1, ", 0: ""}[label]
            number = ["number", "text", {"x": 9, "y": 17, "class": "hs-halo"}, str(k + 1)]
            inside = [["mark", "path", mark, ""], *([number] if label else [])]
            found.append(
                grip(f"{name}:{k}", plane, point, inside, f"point {k + 1}, {side}")
            )
        return found


class Tip(Handle):
    """The tip of an arrow; `draw` gets where it is."""

    def __init__(self, arrow: Arrow):
        self.arrow = arrow
        at = np.round(np.asarray(arrow.tip, float), 3).tolist()
        self.start = {"at": [at], "labels": None, "fixed": True}

    def of(self, state):
        return np.array(state["at"][0], float)

    def elements(self, state, name, plane):
        (tip,) = state["at"]
        shown = [*replace(self.arrow, tip=tip).elements(plane)]
        disk = [["mark", "path", KNOB | {"fill": COLORS[self.arrow.color]}, ""]]
        words = f"tip of {self.arrow.text or name}, "
        return [[name, "g", {}, shown], grip(f"{name}:0", plane, tip, disk, words)]


class Stops(Handle):
    """The stops of a slider, and in the page all numbers between them."""

    def __init__(self, name: str, stops: Iterable):
        (self.slider,) = sliders({name: stops}, 1)
        self.start = {"value": self.slider.described()["start"]}

    def of(self, state):
        return self.slider.value_at(state["value"])

    def control(self, name):
        slider = self.slider.described()
        low, high, step, start = (slider[key] for key in ("low", "high", "step", "start"))
        labels = html.escape(json.dumps(slider["labels"] * (slider["kind"] == "stops")))
        first = html.escape(slider["labels"][0])
        return (
            f'<div class="hs-slider"><label>{html.escape(slider["title"])} '
            f'<input type="range" min="{low:g}" max="{high:g}" step="{step:g}" '
            f'value="{start:g}" autocomplete="off" aria-valuetext="{first}" '
            f'data-name="{name}" data-kind="{slider["kind"]}" data-labels="{labels}">'
            f'</label><output aria-live="off">{first}</output></div>'
        )


KNOB = {"d": "M7 0A7 7 0 1 1-7 0A7 7 0 1 1 7 0", "fill-opacity": 0.4}


def grip(key: str, plane: Plane, point, inside: list[Element], words: str) -> Element:
    """What a finger or a key takes hold of: it keeps its size on a phone."""
    reach = ["reach", "circle", {"r": 15, "fill": "transparent"}, ""]
    place = " and ".join(told(float(c)) for c in point)
    look = {"class": "hs-grip", "data-grip": key, "aria-label": f"{words}at {place}"}
    look["transform"] = "translate({:g} {:g})".format(*plane.at(point))
    return [key, "g", look, [["size", "g", {"class": "hs-size"}, [reach, *inside]]]]


def handle(name: str, thing) -> Handle:
    if isinstance(thing, Points):
        return thing
    return Tip(thing) if isinstance(thing, Arrow) else Stops(name, thing)


# ------------------------------------------------------------------------------- the figure


class Grab:
    """A figure that can be grabbed; as the last value of a cell it displays itself."""

    def __init__(self, draw: Callable[..., Scene], planes: list[Plane], grabbed: dict):
        self.draw, self.planes = draw, planes
        self.handles = {name: handle(name, thing) for name, thing in grabbed.items()}
        self.start = {name: thing.start for name, thing in self.handles.items()}

    def scene(self, state: dict | None = None) -> Scene:
        """What is shown at a state; without one, at the start."""
        state = state or self.start
        return self.draw(**{name: h.of(state[name]) for name, h in self.handles.items()})

    def frame(self, state: dict | None = None) -> dict:
        """The same as the page takes it: elements, numbers and words, or a refusal."""
        state, plane = state or self.start, self.planes[0]
        grips = [h.elements(state[name], name, plane) for name, h in self.handles.items()]
        frame = {"grips": [element for found in grips for element in found]}
        try:
            scene = self.draw(
                **{name: h.of(state[name]) for name, h in self.handles.items()}
            )
        except ValueError as refused:  # of mlcore: it names argument, rule and value
            return frame | {"refused": str(refused)}
        pairs = zip(self.planes, (scene.marks, scene.beside), strict=False)
        marks = [
            [
                [f"{k}{type(m).__name__}", "g", {}, [*m.elements(plane)]]
                for k, m in enumerate(ms)
            ]
            for plane, ms in pairs
        ]
        numbers = [number.row() for number in scene.numbers]
        goal = None if scene.goal is None else [scene.goal[0], bool(scene.goal[1])]
        return frame | {
            "marks": marks,
            "numbers": numbers,
            "caption": scene.caption,
            "goal": goal,
        }

    def answer(self, state: str) -> str:
        """The frame from JSON to JSON, for who asks from a page."""
        return json.dumps(self.frame(json.loads(state)), separators=(",", ":"))

    def __repr__(self) -> str:
        return repr(self.scene())

    def _repr_html_(self) -> str:
        """The still picture, which is the first frame of the one that moves, and what the
        script needs to know."""
        frame = self.frame()
        if "refused" in frame:
            raise ValueError(frame["refused"])
        planes = [{"x": p.x, "y": p.y, "box": p.box} for p in self.planes]
        known = html.escape(json.dumps({"planes": planes, "state": self.start}))
        caption, goal = html.escape(frame["caption"], False), ""
        pictures = "".join(
            picture(plane, marks, grips, caption)
            for plane, marks, grips in zip(
                self.planes, frame["marks"], [frame["grips"], []], strict=False
            )
        )
        numbers = "".join(row(*number) for number in frame["numbers"])
        if frame["goal"]:
            goal = f'<p class="hs-goal"><b>Goal</b> <span>{frame["goal"][0]}</span></p>'
        return (
            f'<figure class="hs-figure hs-grab" data-grab="{known}">'
            f'<div class="hs-planes">{pictures}</div>'
            f"<ul>{numbers}</ul>{self._controls()}{goal}"
            f"<figcaption><span>{caption}</span></figcaption></figure>"
        )

    def _controls(self) -> str:
        """Sliders, buttons and two lines of text; hidden until the script is there."""
        sliders = "".join(h.control(name) for name, h in self.handles.items())
        free = any(not state.get("fixed", True) for state in self.start.values())
        names = {"add": "Add", "flip": "Flip", "remove": "Delete"} if free else {}
        buttons = "".join(
            f'<button type="button" class="hs-button" data-do="{do}">{name}</button>'
            for do, name in (names | {"again": "Start over"}).items()
        )
        more = " Enter flips its label, Delete removes it, a double click adds one."
        many = sum(len(state.get("at", "")) for state in self.start.values()) > 1
        keys = "use the arrow keys, with Shift for more"
        keys += "; N and P go to the next and previous one" if many else ""
        return (
            f'<div class="hs-controls" hidden>{sliders}'
            f'<div class="hs-toolbar" role="toolbar" aria-label="Points">{buttons}</div>'
            f'<p class="hs-help"><b>This figure can be grabbed.</b> Drag, or {keys}.'
            f"{more if free else ''} <span></span></p>"
            '<div class="hs-said"><p role="status"></p></div></div>'
        )

    @cached_property
    def widget(self):
        """The figure in JupyterLab; None where anywidget is not installed."""
        try:
            from mlcore.book.grab_widget import GrabWidget
        except ModuleNotFoundError:
            return None
        return GrabWidget(self)

    def _repr_mimebundle_(self, **_) -> dict:
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if self.widget is None:
            return bundle
        shown = self.widget._repr_mimebundle_()
        return bundle | (shown[0] if isinstance(shown, tuple) else shown) | bundle


def picture(plane: Plane, marks, grips, words: str) -> str:
    width, height = plane.size
    layers = [["axes", "g", {"class": "hs-axes"}, plane.elements()]]
    layers += [["marks", "g", {"class": "hs-marks"}, marks], ["grips", "g", {}, grips]]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" '
        f'width="{width}" height="{height:g}" style="max-width:100%;height:auto" '
        f'role="img" '
        f'font-size="13" fill="currentColor" stroke-linecap="round" aria-label="{words}">'
        f"{markup(layers)}</svg>"
    )


def row(name: str, value: str, share: float | None) -> str:
    """A number in the still picture; no <dl>, which JupyterLab sets afloat."""
    bar = "" if share is None else f'<progress max="1" value="{share:g}"></progress>'
    return f"<li><span>{html.escape(name)}</span> <b>{html.escape(value)}</b>{bar}</li>"


def grab(draw: Callable[..., Scene], plane: Plane, beside: Plane | None = None, **grabbed):
    """A figure whose parts a reader moves, and which follows.

    draw     function of what is grabbed, returns a Scene; a ValueError of it is shown
    plane    what is seen, and how far things can be dragged
    beside   a second plane, for what Scene has there
    grabbed  by the names of draw's parameters: Points, an Arrow whose tip is dragged, or
             the stops of a slider

    Returns a Grab; `.scene(state)` is what it shows at a state.
    """
    return Grab(draw, [plane] if beside is None else [plane, beside], grabbed)
