"""Marks: the drawings of an interactive figure, in the units of the data.

A mark converts itself to SVG elements; the browser clips them to the frame.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from halfspaces.formatting import format_array
from halfspaces.interactive.plane import MIDDLE, Element, format_pixels

COLORS = {"ink": "currentColor", "blue": "#0072B2", "red": "#D55E00"}  # +1 is blue
COLORS |= {"green": "#009E73", "purple": "#CC79A7"}  # not the color of a class
DASHES = {"solid": {}, "dashed": {"stroke-dasharray": "6 4"}}
DASHES["dotted"] = {"stroke-dasharray": "1.5 4"}


def stroke(width: float = 1.8, color="ink", look="solid") -> dict:
    """Return the stroke attributes of a line; the layer of marks sets fill to none."""
    return {"stroke": COLORS[color], "stroke-width": width} | DASHES[look]


def transparent_fill(color: str) -> dict:
    return {"fill": COLORS[color], "fill-opacity": 0.13}


CIRCLE = {"d": "M5.5 0A5.5 5.5 0 1 1-5.5 0A5.5 5.5 0 1 1 5.5 0", "fill": COLORS["blue"]}
CROSS = {"d": "M-5-5L5 5M-5 5L5-5"} | stroke(2.2, "red")
DISK = {"d": "M3.5 0A3.5 3.5 0 1 1-3.5 0A3.5 3.5 0 1 1 3.5 0"}
SHAPES = {1: CIRCLE, -1: CROSS}  # by label


def path_element(d: str, attributes: dict) -> Element:
    return ["path", {"d": d} | attributes, ""]


def text_element(pixels, text: str, color: str, anchor: dict | None = None) -> Element:
    u, v = (round(float(coordinate), 1) for coordinate in pixels)
    attributes = {"x": u, "y": v, "fill": COLORS[color], "class": "hs-halo"}
    return ["text", attributes | (anchor or {}), text]


class Mark:
    """Base class of marks: subclasses define `elements(plane)`; tests compare the repr."""

    def __repr__(self) -> str:
        fields = [(name, v) for name, v in vars(self).items() if v is not None]
        texts = [f"{n}={v if isinstance(v, str) else format_array(v)}" for n, v in fields]
        return f"{type(self).__name__} {' '.join(texts)}"


@dataclass(frozen=True, eq=False, repr=False)
class Halfplanes(Mark):
    """The intersection of halfplanes {x: W @ x + b >= 0}, in a light color."""

    W: Sequence
    b: Sequence
    color: str = "blue"

    def elements(self, plane):
        outline = plane.path(plane.clip(self.W, self.b), closed=True)
        yield path_element(outline, transparent_fill(self.color))


@dataclass(frozen=True, eq=False, repr=False)
class Sides(Mark):
    """Both sides of a line: blue where w @ x + b >= 0, vermillion elsewhere."""

    w: Sequence[float]
    b: float = 0.0

    def elements(self, plane):
        w, b = np.asarray(self.w, float), float(self.b)
        for color, sign in (("blue", 1), ("red", -1)) if w.any() else ():
            yield from Halfplanes([sign * w], [sign * b], color).elements(plane)


@dataclass(frozen=True, eq=False, repr=False)
class Region(Mark):
    """The region where score(points) >= 0 in blue, the rest vermillion, and the boundary.

    score   maps points (m, 2) to (m,)
    n       points of the grid in each direction; the score is interpolated linearly
    look    style of the boundary: "solid", "dashed" or "dotted"
    tinted  False: draw only the boundary
    """

    score: Callable[[np.ndarray], np.ndarray]
    n: int = 48
    look: str = "solid"
    color: str = "ink"
    tinted: bool = True

    def elements(self, plane):
        # the grid is wider than the frame, which hides the edges of the grid
        limits = [(a + 0.02 * (a - b), b + 0.02 * (b - a)) for a, b in (plane.x, plane.y)]
        x, y = (np.linspace(*ends, self.n) for ends in limits)
        grid = np.stack(np.meshgrid(x, y), axis=-1)
        g = np.asarray(self.score(grid.reshape(-1, 2)), float).reshape(self.n, self.n)
        left, top, right, bottom = plane.box
        loops = zero_contours(plane.pixels(grid), g)
        blue = "".join(f"M{format_pixels(loop)}Z" for loop in loops)
        if self.tinted:
            frame = f"M{left} {top}H{right}V{bottom:g}H{left}Z"
            yield path_element(blue, transparent_fill("blue"))
            fill = {"fill-rule": "evenodd"} | transparent_fill("red")
            yield path_element(frame + blue, fill)
        yield path_element(blue, stroke(1.8, self.color, self.look))

    def __repr__(self):
        return "Region"


def zero_contours(P, g) -> list:
    """Return closed loops, lists of points, around the region where g >= 0.

    P   (n, n, 2) pixels of a grid
    g   (n, n) values there, interpolated linearly in each of two triangles per cell
    """
    # a border of -1 closes the loops at the edge of the grid
    P = np.pad(P, [(1, 1), (1, 1), (0, 0)], mode="edge").reshape(-1, 2)
    n, g = len(g) + 2, np.pad(g, 1, constant_values=-1.0).ravel()
    corner = (np.arange(n - 1) + n * np.arange(n - 1)[:, None]).reshape(-1, 1)
    A = np.concatenate([corner + np.array(a) for a in ((0, 1, n), (n + 1, n, 1))])
    inside = g[A] >= 0
    cut = inside.any(axis=1) & ~inside.all(axis=1)
    A, inside = A[cut], inside[cut]
    B, next_inside = np.roll(A, -1, axis=1), np.roll(inside, -1, axis=1)
    edge = np.minimum(A, B) * n**2 + np.maximum(A, B)
    enter, leave = ~inside & next_inside, inside & ~next_inside  # one edge of each triangle
    p, q = A[enter], B[enter]
    t = g[p] / (g[p] - g[q])
    crossings = np.round(P[p] + t[:, None] * (P[q] - P[p]), 1) + 0.0
    steps = zip(edge[leave].tolist(), crossings, strict=True)
    return _join_to_loops(dict(zip(edge[enter].tolist(), steps, strict=True)))


def _join_to_loops(steps: dict) -> list:
    """Join steps {edge: (next edge, point)} into closed loops of points."""
    loops = []
    while steps:
        first, (edge, point) = steps.popitem()
        loop = [point]
        while edge != first:
            edge, point = steps.pop(edge)
            loop.append(point)
        loops.append(loop)
    return loops


@dataclass(frozen=True, eq=False, repr=False)
class Line(Mark):
    """The line w @ x + b = 0; look is "solid", "dashed" or "dotted"."""

    w: Sequence[float]
    b: float = 0.0
    look: str = "solid"
    color: str = "ink"
    width: float = 1.8

    def elements(self, plane):
        corners = plane.clip([self.w], [self.b])
        g = np.abs(corners @ self.w + self.b)
        ends = corners[g < 1e-6 * g.max(initial=0.0)]  # the corners on the line
        yield path_element(plane.path(ends), stroke(self.width, self.color, self.look))


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Mark):
    """A polyline through points (m, 2)."""

    points: np.ndarray
    look: str = "solid"
    color: str = "green"
    width: float = 1.8

    def elements(self, plane):
        attributes = stroke(self.width, self.color, self.look)
        yield path_element(plane.path(self.points), attributes)


@dataclass(frozen=True, eq=False, repr=False)
class Arrow(Mark):
    """An arrow with a label at its tip; as an argument of a figure, its tip moves."""

    start: Sequence[float]
    tip: Sequence[float]
    text: str = ""
    color: str = "ink"
    look: str = "solid"

    def elements(self, plane):
        p, q = plane.pixels([self.start, self.tip])
        length = np.hypot(*(q - p))
        if length < 1:
            return
        along = (q - p) / length
        normal, neck = np.array([-along[1], along[0]]), q - min(9, length) * along
        line = f"M{format_pixels([*p, *neck])}"
        yield path_element(line, stroke(2, self.color, self.look))
        corners = [*q, *(neck + 3.8 * normal), *(neck - 3.8 * normal)]
        yield path_element(f"M{format_pixels(corners)}Z", {"fill": COLORS[self.color]})
        if self.text:
            frame = np.where(along > 0, plane.box[2:], plane.box[:2])
            space = min(f / s for f, s in zip(frame - p, along, strict=True) if s)
            u, v = p + (max(length, 18) + 13) * along  # beyond the tip
            if length + 20 > space:  # next to the arrow, inside the frame
                u, v = p + (min(length, space) - 16) * along + 12 * normal
            yield text_element((u, v + 4), self.text, self.color, MIDDLE)


@dataclass(frozen=True, eq=False, repr=False)
class Ring(Mark):
    """A circle around a point, with a radius in pixels."""

    at: Sequence[float]
    color: str = "ink"
    radius: float = 11

    def elements(self, plane):
        u, v = plane.pixels(self.at)
        circle = {"cx": u, "cy": v, "r": round(float(self.radius), 1)}
        yield ["circle", circle | stroke(1.5, self.color), ""]


@dataclass(frozen=True, eq=False, repr=False)
class Dots(Mark):
    """Fixed points: circles and crosses by label; without labels, disks of one color."""

    X: Sequence
    y: Sequence | None = None
    color: str = "ink"

    def elements(self, plane):
        labels = [0] * len(self.X) if self.y is None else self.y
        for point, label in zip(self.X, labels, strict=True):
            shape = SHAPES.get(int(label), DISK | {"fill": COLORS[self.color]})
            yield ["path", shape | {"transform": plane.translate(point)}, ""]


@dataclass(frozen=True, eq=False, repr=False)
class Text(Mark):
    """A text that starts seven pixels to the right of a point."""

    at: Sequence[float]
    text: str
    color: str = "ink"

    def elements(self, plane):
        u, v = plane.pixels(self.at)
        yield text_element((u + 7, v - 6), self.text, self.color)


def margin_band(w, b) -> list[Mark]:
    """Return both sides of the line w @ x + b = 0, and dashed lines at scores -1, +1."""
    edges = [Line(w, b - score, "dashed", width=1.2) for score in (-1, 1)]
    return [Sides(w, b), Line(w, b), *edges]
