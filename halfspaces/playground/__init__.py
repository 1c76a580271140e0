"""The Playground page: points of the reader, classified by up to three methods."""

import html
from dataclasses import replace
from pathlib import Path

import numpy as np

from halfspaces.formatting import format_number
from halfspaces.interactive.figure import ONE_LABEL, Frame, InteractiveFigure, Number
from halfspaces.interactive.handles import Points
from halfspaces.interactive.marks import Line, Region, Ring, Sides
from halfspaces.interactive.plane import Plane
from halfspaces.playground.parsing import parse_points
from halfspaces.playground.theorems import METHODS, NEED_BOTH_LABELS, Data, Note, code_of
from mlcore.linear import sgn

PLANE = Plane((-4, 4), (-3, 3), width=520, height=398)
START = [(-1, 1.5), (0.5, 2), (1.5, 0.5), (2.5, 1.5), (2, -0.5), (3, 0.2)]
START += [(-2, -1.5), (-1, -0.5), (0.3, -1.8), (-2.6, 0.4), (1, -1), (-0.4, -2.2)]
LOOKS = {"solid": "ink", "dashed": "purple", "dotted": "green"}
NO_METHOD = "no method"
PASTE_FORM = Path(__file__).with_name("playground.html")


def draw(points, C, rounds, neighbors, **chosen) -> Frame:
    """Draw the lines of the chosen methods, with their numbers and theorems.

    chosen  {"solid": name of a method, "dashed": ..., "dotted": ...}
    """
    X, y = points
    data = Data(X, y, C, rounds, min(neighbors, len(y)))
    one_label = len(set(y)) == 1
    arrays = f"X = np.array({X.tolist()})", f"y = np.array({y.tolist()})"
    code = ["import numpy as np", *arrays]
    marks, numbers, notes = [], [], []
    for look, name in chosen.items():
        if name == NO_METHOD:
            continue
        prefix = f"{look.capitalize()}, {name}:"
        if one_label and name in NEED_BOTH_LABELS:
            notes.append(Note(f"{prefix} it needs both labels."))
            continue
        report = METHODS[name](data)
        marks += marks_of_rule(report.rule, look, tinted=not numbers)
        wrong = int((sgn(report.rule.decision_function(X)) != y).sum())
        numbers.append(Number(f"{name}: wrong", wrong, of=len(y)))
        numbers += [replace(n, name=f"{name}: {n.name}") for n in report.numbers]
        notes += [replace(n, text=f"{prefix} {n.text}") for n in report.notes]
        code += ["", *code_of(name, data).splitlines()]
    caption = ONE_LABEL
    if not one_label:
        caption, rings = describe_separation(data)
        marks += rings
    return Frame(marks, numbers, caption, notes=notes, code="\n".join(code))


def marks_of_rule(rule, look: str, *, tinted: bool) -> list:
    """Draw the boundary of a rule, and shade its two sides if tinted."""
    line = {"look": look, "color": LOOKS[look]}
    if hasattr(rule, "w"):
        sides = [Sides(rule.w, rule.b)] if tinted else []
        return [*sides, Line(rule.w, rule.b, **line)]
    return [Region(rule.decision_function, 61, tinted=tinted, **line)]


def describe_separation(data: Data) -> tuple[str, list[Ring]]:
    """State whether a line separates the points; if not, ring the points that prove it."""
    n, fit = len(data.y), data.separator
    if fit.separable:
        margin = format_number(fit.margin)
        return f"A line separates these {n} points, with margin {margin}.", []
    rings = [Ring(x, "purple") for x in data.X[data.hull_weights > 1e-6]]
    return f"No line separates these {n} points: the ringed ones prove it.", rings


class Playground(InteractiveFigure):
    """An interactive figure whose points may also be pasted as text."""

    def __init__(self):
        names = [*METHODS, NO_METHOD]
        starts = zip(LOOKS, ("soft margin", "perceptron", NO_METHOD), strict=True)
        menus = {x: sorted(names, key=lambda name: name != first) for x, first in starts}
        points = Points(np.array(START, float), np.repeat([1, -1], 6))
        # start, lowest and highest value; without a start the lowest
        sliders = {"C": [1.0, 0.01, 100.0], "rounds": [10, 1, 40], "neighbors": [1, 15]}
        super().__init__(draw, PLANE, points=points, **menus, **sliders)

    def render(self, state: dict | None = None) -> dict:
        """Add the axes and, if points were pasted as text, the parsed points."""
        state, added = state or self.start, {}
        if "text" in state["points"]:
            try:
                added["parsed"] = {"points": parse_points(state["points"]["text"], PLANE)}
            except ValueError as error:
                return {"error": str(error)}
            state = state | added["parsed"]
        plane = replace(PLANE, **state["points"].get("view", {}))
        added |= {"planes": [plane.to_page()], "axes": plane.elements()}
        return super().render(state, [plane]) | added

    def _repr_html_(self) -> str:
        """Add a text field for points, copy buttons, and the code."""
        form = PASTE_FORM.read_text("utf-8").strip().format(html.escape(self.frame().code))
        return super()._repr_html_().replace("<figcaption>", f"{form}<figcaption>")
