"""What a figure that is grabbed draws: marks in units of the data.

A mark turns itself into elements of SVG; the browser cuts off what is outside the frame.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from halfspaces.formatting import format_array
from halfspaces.interactive.plane import MIDDLE, Element, numbers

COLORS = {"ink": "currentColor", "blue": "#0072B2", "red": "#D55E00"}  # +1 is blue
COLORS |= {"green": "#009E73", "purple": "#CC79A7"}  # what belongs to no class
DASHES = {"solid": {}, "dashed": {"stroke-dasharray": "6 4"}}
DASHES["dotted"] = {"stroke-dasharray": "1.5 4"}


def stroke(width: float = 1.8, color="ink", look="solid") -> dict:
    """Of a line, in a layer whose shapes are not filled."""
    return {"stroke": COLORS[color], "stroke-width": width} | DASHES[look]


def tint(color: str) -> dict:
    return {"fill": COLORS[color], "fill-opacity": 0.13}


CIRCLE = {"d": "M5.5 0A5.5 5.5 0 1 1-5.5 0A5.5 5.5 0 1 1 5.5 0", "fill": COLORS["blue"]}
CROSS = {"d": "M-5-5L5 5M-5 5L5-5"} | stroke(2.2, "red")
DISK = {"d": "M3.5 0A3.5 3.5 0 1 1-3.5 0A3.5 3.5 0 1 1 3.5 0"}
SHAPES = {1: CIRCLE, -1: CROSS}  # of the labels


def drawn(d: str, look: dict) -> Element:
    return ["path", {"d": d} | look, ""]


class Mark:
    """What is drawn: `elements(plane)`; its repr has the numbers, which a test compares."""

    def __repr__(self) -> str:
        given = {name: v for name, v in vars(self).items() if v is not None}
        fields = [f"{name}={_field(value)}" for name, value in given.items()]
        return f"{type(self).__name__} {' '.join(fields)}"


def _field(value) -> str:
    if isinstance(value, str | bool) or callable(value):
        return value if isinstance(value, str) else ""
    return format_array(value)


@dataclass(frozen=True, eq=False, repr=False)
class Part(Mark):
    """The part of the plane where W @ x + b >= 0 in every row, tinted."""

    W: Sequence
    b: Sequence
    color: str = "blue"

    def elements(self, plane):
        d = plane.path(plane.part(self.W, self.b), closed=True)
        yield drawn(d, tint(self.color))


@dataclass(frozen=True, eq=False, repr=False)
class Sides(Mark):
    """Blue where w @ x + b >= 0, vermillion elsewhere; nothing if w is zero."""

    w: Sequence[float]
    b: float = 0.0

    def elements(self, plane):
        w, b = np.asarray(self.w, float), float(self.b)
        for color, sign in (("blue", 1), ("red", -1)) if w.any() else ():
            yield from Part([sign * w], [sign * b], color).elements(plane)


@dataclass(frozen=True, eq=False, repr=False)
class Region(Mark):
    """Blue where score(points) >= 0, vermillion elsewhere, and the border between them.

    score  gives (m,) for points (m, 2)
    n      of the points of the grid in each direction, between which it is taken as linear
    tinted if not, the border alone
    """

    score: Callable[[np.ndarray], np.ndarray]
    n: int = 48
    look: str = "solid"
    color: str = "ink"
    tinted: bool = True

    def elements(self, plane):
        sides = [(a + 0.02 * (a - b), b + 0.02 * (b - a)) for a, b in (plane.x, plane.y)]
        x, y = (np.linspace(*side, self.n) for side in sides)  # what ends there is not seen
        grid = np.stack(np.meshgrid(x, y), axis=-1)
        g = np.asarray(self.score(grid.reshape(-1, 2)), float).reshape(self.n, self.n)
        left, top, right, bottom = plane.box
        blue = "".join(f"M{numbers(loop)}Z" for loop in outlines(plane.pixels(grid), g))
        if self.tinted:
            frame = f"M{left} {top}H{right}V{bottom:g}H{left}Z"
            yield drawn(blue, tint("blue"))
            yield drawn(frame + blue, {"fill-rule": "evenodd"} | tint("red"))
        yield drawn(blue, stroke(1.8, self.color, self.look))

    def __repr__(self):
        return "Region"


def outlines(P, g) -> list:
    """Closed lines, lists of points, around where g >= 0.

    P   (n, n, 2) pixels of a grid, at whose edge the lines are cut off
    g   (n, n) there; taken as linear in each triangle
    """
    P = np.pad(P, [(1, 1), (1, 1), (0, 0)], mode="edge").reshape(-1, 2)
    n, g = len(g) + 2, np.pad(g, 1, constant_values=-1.0).ravel()
    corner = (np.arange(n - 1) + n * np.arange(n - 1)[:, None]).reshape(-1, 1)
    A = np.concatenate([corner + np.array(a) for a in ((0, 1, n), (n + 1, n, 1))])
    inside = g[A] >= 0
    cut = inside.any(axis=1) & ~inside.all(axis=1)
    A, inside = A[cut], inside[cut]
    B, then = np.roll(A, -1, axis=1), np.roll(inside, -1, axis=1)
    side = np.minimum(A, B) * n**2 + np.maximum(A, B)
    enter, leave = ~inside & then, inside & ~then  # of its sides, one each
    p, q = A[enter], B[enter]
    share = g[p] / (g[p] - g[q])
    places = np.round(P[p] + share[:, None] * (P[q] - P[p]), 1) + 0.0
    steps = zip(side[leave].tolist(), places, strict=True)
    following, loops = dict(zip(side[enter].tolist(), steps, strict=True)), []
    while following:
        first, (now, place) = following.popitem()
        loop = [place]
        while now != first:
            now, place = following.pop(now)
            loop.append(place)
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
        corners = plane.part([self.w], [self.b])
        g = np.abs(corners @ self.w + self.b)
        ends = corners[g < 1e-6 * g.max(initial=0.0)]  # of one side, those on the line
        yield drawn(plane.path(ends), stroke(self.width, self.color, self.look))


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Mark):
    """A line through points (m, 2)."""

    points: np.ndarray
    look: str = "solid"
    color: str = "green"
    width: float = 1.8

    def elements(self, plane):
        yield drawn(plane.path(self.points), stroke(self.width, self.color, self.look))


@dataclass(frozen=True, eq=False, repr=False)
class Arrow(Mark):
    """An arrow, with a text at its tip.  Given to `grab`, its tip can be dragged."""

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
        across, neck = np.array([-along[1], along[0]]), q - min(9, length) * along
        yield drawn(f"M{numbers([*p, *neck])}", stroke(2, self.color, self.look))
        corners = [*q, *(neck + 3.8 * across), *(neck - 3.8 * across)]
        yield drawn(f"M{numbers(corners)}Z", {"fill": COLORS[self.color]})
        if self.text:  # a short arrow is not hidden by it, and it stays in the picture
            frame = np.where(along > 0, plane.box[2:], plane.box[:2])
            room = min(f / s for f, s in zip(frame - p, along, strict=True) if s)
            far = p + (max(length, 18) + 13) * along
            if length + 20 > room:
                far = p + (min(length, room) - 16) * along + 12 * across
            yield letters((far[0], far[1] + 4), self.text, self.color, MIDDLE)


@dataclass(frozen=True, eq=False, repr=False)
class Ring(Mark):
    """A circle around a point, as wide on every screen: radius in pixels."""

    at: Sequence[float]
    color: str = "ink"
    radius: float = 11

    def elements(self, plane):
        u, v = plane.pixels(self.at)
        place = {"cx": u, "cy": v, "r": round(float(self.radius), 1)}
        yield ["circle", place | stroke(1.5, self.color), ""]


@dataclass(frozen=True, eq=False, repr=False)
class Dots(Mark):
    """Examples that cannot be moved: by their labels, or without labels in one color."""

    X: Sequence
    y: Sequence | None = None
    color: str = "ink"

    def elements(self, plane):
        labels = [0] * len(self.X) if self.y is None else self.y
        for point, label in zip(self.X, labels, strict=True):
            look = SHAPES.get(int(label), DISK | {"fill": COLORS[self.color]})
            yield ["path", look | {"transform": plane.translate(point)}, ""]


@dataclass(frozen=True, eq=False, repr=False)
class Text(Mark):
    """Words that begin a little to the right of a point."""

    at: Sequence[float]
    text: str
    color: str = "ink"

    def elements(self, plane):
        u, v = plane.pixels(self.at)
        yield letters((u + 7, v - 6), self.text, self.color)


def street(w, b) -> list[Mark]:
    """Both sides of w @ x + b = 0, the line, and dashed where the score is -1 and +1."""
    edges = [Line(w, b - score, "dashed", width=1.2) for score in (-1, 1)]
    return [Sides(w, b), Line(w, b), *edges]


def letters(place, text: str, color: str, look=None) -> Element:
    u, v = (round(float(part), 1) for part in place)
    said = {"x": u, "y": v, "fill": COLORS[color], "class": "hs-halo"} | (look or {})
    return ["text", said, text]
