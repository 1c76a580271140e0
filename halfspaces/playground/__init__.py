"""The page Playground: a reader's own points, and two or three methods at once."""

import html
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from halfspaces.formatting import format_number
from halfspaces.interactive.figure import ALIKE, Grab, Number, Plane, Points, Scene
from halfspaces.interactive.marks import Line, Region, Ring, Sides
from halfspaces.playground.points import read
from halfspaces.playground.theorems import BOTH, METHODS, Data, Note, code_of
from mlcore.linear import sgn

PLANE = Plane((-4, 4), (-3, 3), width=520, height=398)
START = [(-1, 1.5), (0.5, 2), (1.5, 0.5), (2.5, 1.5), (2, -0.5), (3, 0.2)]
START += [(-2, -1.5), (-1, -0.5), (0.3, -1.8), (-2.6, 0.4), (1, -1), (-0.4, -2.2)]
LOOKS = {"solid": "ink", "dashed": "purple", "dotted": "green"}
NONE = "no method"
OWN = Path(__file__).with_name("playground.html")


def draw(points, C, rounds, neighbors, **names) -> Scene:
    """The lines of the methods, their numbers, and which theorem's hypothesis holds."""
    X, y = points
    k, alike = min(neighbors, len(y)), len(set(y)) == 1
    data = Data(X, y, C, rounds, k)
    code = ["import numpy as np", f"X = np.array({json.dumps(X.tolist())})"]
    code += [f"y = np.array({json.dumps(y.tolist())})"]
    marks, numbers, notes = [], [], []
    for look, name in names.items():
        if name == NONE:
            continue
        of = f"{look.capitalize()}, {name}:"
        if alike and name in BOTH:
            notes.append(Note(f"{of} it needs both labels."))
            continue
        says, line = METHODS[name](data), {"look": look, "color": LOOKS[look]}
        rule, first = says.rule, not numbers
        if hasattr(rule, "w"):
            marks += [Sides(rule.w, rule.b)] * first + [Line(rule.w, rule.b, **line)]
        else:
            marks.append(Region(rule.decision_function, 61, tinted=first, **line))
        wrong = int((sgn(rule.decision_function(X)) != y).sum())
        numbers.append(Number(f"{name}: wrong", wrong, of=len(y)))
        numbers += [replace(n, name=f"{name}: {n.name}") for n in says.numbers]
        notes += [replace(n, text=f"{of} {n.text}") for n in says.notes]
        code += ["", *code_of(name, data).splitlines()]
    if alike:
        words = ALIKE
    elif data.best.separable:
        words = f"A line separates these {len(y)} points, with the margin "
        words += f"{format_number(data.best.margin)}."
    else:
        marks += [Ring(x, "purple") for x in X[data.best.certificate > 5e-7]]
        words = f"No line separates these {len(y)} points: the ringed ones prove it."
    return Scene(marks, numbers, words, notes=notes, code="\n".join(code))


class Playground(Grab):
    """A figure whose points are a reader's own; points may also be a text."""

    def __init__(self):
        names = [*METHODS, NONE]
        chosen = {
            look: sorted(names, key=lambda name: name != first)  # the first is shown first
            for look, first in zip(LOOKS, ("soft margin", "perceptron", NONE), strict=True)
        }
        points = Points(np.array(START, float), np.repeat([1, -1], 6))
        sliders = {"C": [1.0, 0.01, 100.0], "rounds": [10, 1, 40], "neighbors": [1, 15]}
        super().__init__(draw, PLANE, points=points, **chosen, **sliders)

    def frame(self, state: dict | None = None) -> dict:
        """Also the plane; and if the points are a text, what was read of it."""
        state, now = state or self.start, {}
        if "text" in state["points"]:
            try:
                now["read"] = {"points": read(state["points"]["text"], PLANE)}
            except ValueError as refused:
                return {"refused": str(refused)}
            state = state | now["read"]
        plane = replace(PLANE, **state["points"].get("view", {}))
        now |= {"planes": [plane.known], "axes": plane.elements()}
        return super().frame(state, [plane]) | now

    def _repr_html_(self) -> str:
        """Besides, a field for a text, what can be copied, and the code."""
        own = OWN.read_text("utf-8").strip().format(html.escape(self.scene().code))
        return super()._repr_html_().replace("<figcaption>", f"{own}<figcaption>")
