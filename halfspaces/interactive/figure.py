"""Interactive figures: a reader drags points and sliders, and Python redraws the figure.

`InteractiveFigure(draw, Plane(...), points=Points(X, y), C=[0.1, 1])` calls the function
`draw(points, C)`, which returns a `Frame`.  The cell stores the first frame as a still
picture.  In the page, grab.js moves the points and requests the other frames from Python
in a worker; in JupyterLab, from the kernel.
"""

import html
import json
from collections.abc import Callable
from dataclasses import dataclass, field

from halfspaces.formatting import format_number
from halfspaces.interactive.handles import Points, SliderHandle, make_handle
from halfspaces.interactive.plane import Element, Plane, markup

ONE_LABEL = "All points have the same label: flip one, or add one with the other label."


@dataclass(frozen=True, eq=False)
class Number:
    """A number next to the picture.

    of   draw a bar for the fraction value / of
    tol  show a smaller value as "below tol": its digits are rounding error
    """

    name: str
    value: float
    of: float | None = None
    tol: float = 0.0

    @property
    def text(self) -> str:
        if abs(self.value) < self.tol:
            return f"below {self.tol:g}"
        return format_number(self.value)

    def element(self) -> Element:
        """Return a list item; JupyterLab would float a <dl>."""
        parts = [["span", {}, self.name], ["b", {}, self.text]]
        if self.of is not None:
            fraction = round(float(min(max(self.value / self.of, 0.0), 1.0)), 3)
            parts.append(["progress", {"max": 1, "value": fraction}, ""])
        return ["li", {}, parts]


@dataclass(frozen=True, eq=False)
class Frame:
    """The picture and the text for one state of an interactive figure.

    marks         drawn in this order, below the points that a reader drags
    numbers       shown next to the picture
    caption       meaning of the picture
    second_marks  marks in the second plane, if the figure has one
    goal          a task for the reader, and whether this state achieves it
    notes         sentences after the numbers, with methods `element` and `__str__`
    slider_max    {name of a slider: its maximum in this state}
    code          Python code that computes the same result
    """

    marks: list
    numbers: list[Number] = field(default_factory=list)
    caption: str = ""
    second_marks: list = field(default_factory=list)
    goal: tuple[str, bool] | None = None
    notes: list = field(default_factory=list)
    slider_max: dict[str, float] = field(default_factory=dict)
    code: str = ""

    def __repr__(self) -> str:
        lines = [*map(repr, self.marks + self.second_marks)]
        lines += [f"{number.name}: {number.text}" for number in self.numbers]
        lines += [self.caption, *([f"Goal: {self.goal[0]}"] if self.goal else [])]
        return "\n".join([*lines, *map(str, self.notes)])


class InteractiveFigure:
    """A figure with movable points and sliders, displayed if it is the last line of a cell.

    draw          function that returns a Frame; its ValueError is shown to the reader
    plane         the visible part of the plane; points cannot leave it
    second_plane  where Frame.second_marks are drawn
    arguments     for each parameter of draw: Points, an Arrow whose tip moves, or the
                  values of a slider
    """

    def __init__(
        self, draw: Callable[..., Frame], plane: Plane, second_plane=None, **arguments
    ):
        self.draw, self.planes = draw, [plane, second_plane] if second_plane else [plane]
        self.handles = {name: make_handle(name, v) for name, v in arguments.items()}
        self.start = {name: handle.start for name, handle in self.handles.items()}

    def frame(self, state: dict | None = None) -> Frame:
        """Draw the frame of a state, by default the first."""
        state = state or self.start
        return self.draw(**{name: h.value(state[name]) for name, h in self.handles.items()})

    def render(self, state: dict | None = None, planes: list[Plane] | None = None) -> dict:
        """Return a dict for grab.js: a frame, or handles and "error" if draw fails."""
        state, planes = state or self.start, planes or self.planes
        points = {n: h for n, h in self.handles.items() if isinstance(h, Points)}
        handles = [e for n, h in points.items() for e in h.elements(state[n], n, planes[0])]
        try:
            frame = self.frame(state)
        except ValueError as error:  # the message says which argument is wrong
            labels = [s["labels"] for s in state.values() if s.get("labels")]
            one_label = any(len(set(y)) == 1 for y in labels)
            return {"handles": handles, "error": ONE_LABEL if one_label else str(error)}
        layers = zip(planes, (frame.marks, frame.second_marks), strict=False)
        marks = [[e for mark in marks for e in mark.elements(p)] for p, marks in layers]
        result = {"handles": handles, "marks": marks, "code": frame.code}
        result["numbers"] = [number.element() for number in frame.numbers]
        result["notes"] = [note.element() for note in frame.notes]
        result["goal"] = frame.goal and [frame.goal[0], bool(frame.goal[1])]
        return result | {"caption": frame.caption, "max": frame.slider_max}

    def respond(self, state: str) -> str:
        """Render a state given as JSON; return JSON for the page."""
        return json.dumps(self.render(json.loads(state)), separators=(",", ":"))

    def __repr__(self) -> str:
        return repr(self.frame())

    def _repr_html_(self) -> str:
        """Return the still picture of the first frame, and the data for grab.js."""
        frame = self.render()
        if "error" in frame:
            raise ValueError(frame["error"])
        caption, goal = html.escape(frame["caption"], False), ""
        layers = zip(self.planes, frame["marks"], [frame["handles"], []], strict=False)
        pictures = "".join(to_svg(*layer, caption) for layer in layers)
        if frame["goal"]:
            goal = f'<p class="hs-goal"><b>Goal</b> <span>{frame["goal"][0]}</span></p>'
        numbers = f'<ul class="hs-numbers">{markup(frame["numbers"])}</ul>'
        parts = [numbers, self._controls()]
        if frame["notes"]:  # their length varies: put the controls first
            parts = [*parts[::-1], f'<ul class="hs-notes">{markup(frame["notes"])}</ul>']
        return (
            f"<figure class=\"hs-figure hs-grab\" data-grab='{self._data(frame)}'>"
            f'<div class="hs-planes">{pictures}</div>{"".join(parts)}{goal}'
            f"<figcaption><span>{caption}</span></figcaption></figure>"
        )

    def _data(self, frame: dict) -> str:
        """Return the data for grab.js, escaped for an attribute in single quotes."""
        planes = [plane.to_page() for plane in self.planes]
        data = {"planes": planes, "state": self.start, "max": frame["max"]}
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        return html.escape(text, False).replace("'", "&#x27;")

    def _controls(self) -> str:
        """Return sliders, buttons and help, hidden until grab.js is loaded."""
        sliders = {n: h for n, h in self.handles.items() if isinstance(h, SliderHandle)}
        controls = "".join(handle.control(name) for name, handle in sliders.items())
        editable = any(state.get("editable") for state in self.start.values())
        actions, edit, edit_by_touch = {"reset": "Start over"}, "", ""
        if editable:
            actions = {"add": "Add", "flip": "Flip", "remove": "Delete"} | actions
            actions |= {"openPlayground": "Take these points to the Playground"}
            edit = " Enter flips the selected point, Delete removes it; "
            edit += "double-click to add a point."
            edit_by_touch = " Tap a point, then Flip or Delete; double-tap to add a point."
        button = '<button type="button" class="hs-button" data-do='
        buttons = "".join(f'{button}"{do}">{name}</button>' for do, name in actions.items())
        n_points = sum(len(state.get("positions", "")) for state in self.start.values())
        move = "use the arrow keys, with Shift for larger steps"
        if n_points > 1:
            move += "; N and P select the next and the previous point"
        targets = "a point and then its new place"
        return (
            f'<div class="hs-controls" hidden><div class="hs-sliders">{controls}</div>'
            f'<div class="hs-toolbar" role="toolbar" aria-label="Points">{buttons}</div>'
            f'<p class="hs-help"><b>This figure is interactive.</b> Drag<i>, click '
            f"{targets}, or {move}. Escape undoes a move.{edit}</i>"
            f'<i class="hs-tap">, or tap {targets}.{edit_by_touch}</i> '
            "<span></span></p>"
            '<div class="hs-message"><p role="status"></p></div></div>'
        )

    def _repr_mimebundle_(self, **_) -> dict:
        """Add a widget for JupyterLab, if anywidget is installed."""
        stored = {"text/plain": repr(self), "text/html": self._repr_html_()}
        try:
            from halfspaces.interactive.widget import FigureWidget
        except ModuleNotFoundError:
            return stored
        return FigureWidget(self)._repr_mimebundle_()[0] | stored


def to_svg(plane: Plane, marks, handles, alt: str) -> str:
    """Return a plane with its marks and handles as an SVG with alt text."""
    width, height = plane.size
    layers = [["g", {"class": "hs-axes"}, plane.elements()]]
    layers += [["g", {"class": "hs-marks", "fill": "none"}, marks]]
    layers += [["g", {"class": "hs-handles"}, handles]]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" '
        f'width="{width}" height="{height:g}" style="max-width:100%;height:auto" '
        f'role="img" aria-label="{alt}" '
        'font-size="13" fill="currentColor" stroke-linecap="round">'
        f"{markup(layers)}</svg>"
    )
