"""Figures that a reader grabs: what can be moved, and what follows.

`grab(draw, Plane(...), points=Points(X, y), C=[0.1, 1])` is to a finger what `player` is to
a slider.  `draw` is a plain function of what is grabbed, and returns a `Scene`.  Its
marks are stored with the cell as a still picture; in the page Python sends new ones as
things are moved, and grab.js puts them where the old ones are.  In JupyterLab the kernel
does what Python does in the page.

Chapters take these names from here: those of halfspaces load Matplotlib and SymPy.
"""

import html
import json
from collections.abc import Callable
from dataclasses import dataclass, field

from halfspaces.formatting import format_number
from halfspaces.interactive.handles import Points, Stops, handle
from halfspaces.interactive.plane import Element, Plane, markup


@dataclass(frozen=True, eq=False)
class Number:
    """A number beside the picture; with `of`, a bar shows which part of that it is.

    least  what is below this is rounding, which differs between machines
    """

    name: str
    value: float
    of: float | None = None
    least: float = 0.0

    @property
    def told(self) -> str:
        return (
            f"below {self.least:g}"
            if abs(self.value) < self.least
            else format_number(self.value)
        )

    def element(self) -> Element:
        """No <dl>, which JupyterLab sets afloat."""
        parts = [["span", {}, self.name], ["b", {}, self.told]]
        if self.of is not None:
            share = round(float(min(max(self.value / self.of, 0.0), 1.0)), 3)
            parts.append(["progress", {"max": 1, "value": share}, ""])
        return ["li", {}, parts]


@dataclass(frozen=True, eq=False)
class Scene:
    """What one state of a grabbed figure shows.

    marks    in the order in which they are drawn; what is grabbed comes on top
    numbers  beside the picture
    caption  what it means
    beside   marks of a second plane, if the figure has one
    goal     what the reader is asked to reach, and whether it is reached now
    notes    sentences below, of which each has an `element` and a text of its own
    last     by the name of a slider where it ends now
    code     lines of Python that give the same
    """

    marks: list
    numbers: list[Number] = field(default_factory=list)
    caption: str = ""
    beside: list = field(default_factory=list)
    goal: tuple[str, bool] | None = None
    notes: list = field(default_factory=list)
    last: dict[str, float] = field(default_factory=dict)
    code: str = ""

    def __repr__(self) -> str:
        numbers = [f"{number.name}: {number.told}" for number in self.numbers]
        words = [self.caption, *([f"Goal: {self.goal[0]}"] if self.goal else [])]
        words += map(str, self.notes)
        return "\n".join([*map(repr, self.marks + self.beside), *numbers, *words])


ALIKE = "All points have one label: flip one, or add one of the other."


class Grab:
    """A figure whose parts a reader moves, and which follows; a cell ends with it.

    draw     function of what is grabbed, returns a Scene; a ValueError of it is shown
    plane    what is seen, and how far things can be dragged
    beside   a second plane, for what Scene has there
    grabbed  by the names of draw's parameters: Points, an Arrow whose tip is dragged, or
             the stops of a slider
    """

    def __init__(self, draw: Callable[..., Scene], plane: Plane, beside=None, **grabbed):
        self.draw, self.planes = draw, [plane, beside] if beside else [plane]
        self.handles = {name: handle(name, thing) for name, thing in grabbed.items()}
        self.start = {name: thing.start for name, thing in self.handles.items()}

    def scene(self, state: dict | None = None) -> Scene:
        """What is shown at a state; without one, at the start."""
        state = state or self.start
        return self.draw(**{name: h.of(state[name]) for name, h in self.handles.items()})

    def frame(self, state: dict | None = None, planes: list[Plane] | None = None) -> dict:
        """The same as the page takes it: elements, numbers and words, or a refusal."""
        state, planes = state or self.start, planes or self.planes
        held = ((n, h) for n, h in self.handles.items() if isinstance(h, Points))
        frame = {"grips": [e for n, h in held for e in h.elements(state[n], n, planes[0])]}
        try:
            scene = self.scene(state)
        except ValueError as refused:  # of mlcore: it names argument, rule and value
            alike = any(len(set(s.get("labels") or "+-")) == 1 for s in state.values())
            return frame | {"refused": ALIKE if alike else str(refused)}
        pairs = zip(planes, (scene.marks, scene.beside), strict=False)
        frame["marks"] = [[e for m in marks for e in m.elements(p)] for p, marks in pairs]
        frame["numbers"] = [number.element() for number in scene.numbers]
        frame["notes"] = [note.element() for note in scene.notes]
        frame["goal"] = scene.goal and [scene.goal[0], bool(scene.goal[1])]
        return frame | {"caption": scene.caption, "last": scene.last, "code": scene.code}

    def answer(self, state: str) -> str:
        """The frame from JSON to JSON, for who asks from a page."""
        return json.dumps(self.frame(json.loads(state)), separators=(",", ":"))

    def __repr__(self) -> str:
        return repr(self.scene())

    def _repr_html_(self) -> str:
        """The still picture, which is the first frame, and what the script has to know."""
        frame = self.frame()
        if "refused" in frame:
            raise ValueError(frame["refused"])
        planes = [plane.known for plane in self.planes]
        known = {"planes": planes, "state": self.start, "last": frame["last"]}
        known = json.dumps(known, separators=(",", ":"), ensure_ascii=False)
        known = html.escape(known, False).replace("'", "&#x27;")  # its own quotes stay
        caption, goal = html.escape(frame["caption"], False), ""
        layers = zip(self.planes, frame["marks"], [frame["grips"], []], strict=False)
        pictures = "".join(picture(*layer, caption) for layer in layers)
        if frame["goal"]:
            goal = f'<p class="hs-goal"><b>Goal</b> <span>{frame["goal"][0]}</span></p>'
        told = f'<ul class="hs-numbers">{markup(frame["numbers"])}</ul>'
        parts = [told, self._controls()]
        if frame["notes"]:  # there are now more, now fewer of them
            parts = [*parts[::-1], f'<ul class="hs-notes">{markup(frame["notes"])}</ul>']
        return (
            f"<figure class=\"hs-figure hs-grab\" data-grab='{known}'>"
            f'<div class="hs-planes">{pictures}</div>{"".join(parts)}{goal}'
            f"<figcaption><span>{caption}</span></figcaption></figure>"
        )

    def _controls(self) -> str:
        """Sliders, buttons and two lines of text; hidden until the script is there."""
        stops = ((n, h) for n, h in self.handles.items() if isinstance(h, Stops))
        sliders = "".join(h.control(name) for name, h in stops)
        free = any(not state.get("fixed", True) for state in self.start.values())
        acts = {"add": "Add", "flip": "Flip", "remove": "Delete"} if free else {}
        acts |= {"again": "Start over"}
        acts |= {"take": "Take these points to the Playground"} if free else {}
        look = '<button type="button" class="hs-button" data-do='
        buttons = "".join(f'{look}"{do}">{name}</button>' for do, name in acts.items())
        many = sum(len(state.get("at", "")) for state in self.start.values()) > 1
        keys = "use the arrow keys, with Shift for more"
        keys += "; N and P go to the next and previous one" * many
        more = " Enter flips its label, Delete removes it, a double click adds one." * free
        tap = " Tap one, and press Flip or Delete; a double tap adds one." * free
        return (
            f'<div class="hs-controls" hidden><div class="hs-sliders">{sliders}</div>'
            f'<div class="hs-toolbar" role="toolbar" aria-label="Points">{buttons}</div>'
            f'<p class="hs-help"><b>This figure can be grabbed.</b> Drag<i>, or {keys}.'
            f'{more}</i><i class="hs-tap">.{tap}</i> <span></span></p>'
            '<div class="hs-said"><p role="status"></p></div></div>'
        )

    def _repr_mimebundle_(self, **_) -> dict:
        """Also what moves in JupyterLab, where anywidget is installed."""
        still = {"text/plain": repr(self), "text/html": self._repr_html_()}
        try:
            from halfspaces.interactive.widget import GrabWidget
        except ModuleNotFoundError:
            return still
        return GrabWidget(self)._repr_mimebundle_()[0] | still


def picture(plane: Plane, marks, grips, words: str) -> str:
    width, height = plane.size
    layers = [["g", {"class": "hs-axes"}, plane.elements()]]
    layers += [["g", {"class": "hs-marks", "fill": "none"}, marks]]
    layers += [["g", {"class": "hs-grips"}, grips]]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" '
        f'width="{width}" height="{height:g}" style="max-width:100%;height:auto" '
        f'role="img" aria-label="{words}" '
        'font-size="13" fill="currentColor" stroke-linecap="round">'
        f"{markup(layers)}</svg>"
    )


grab = Grab  # as a chapter calls it
