"""What a figure that is grabbed draws: a plane, and marks in units of the data.

A mark turns itself into elements of SVG, each a list [key, tag, attributes, inside].  The
same elements are the still picture, as text, and what the page puts in the place of old
ones while something is dragged.  NumPy only: whoever grabs waits for no Matplotlib.
"""

import html
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

Element = list  # [key, tag, attributes, text or elements inside]
COLORS = {"ink": "currentColor", "blue": "#0072B2", "red": "#D55E00"}  # +1 is blue
COLORS |= {"green": "#009E73", "purple": "#CC79A7"}  # what belongs to no class
DASHES = {"solid": {}, "dashed": {"stroke-dasharray": "6 4"}}
DASHES["dotted"] = {"stroke-dasharray": "1.5 4"}
MIDDLE, END = {"text-anchor": "middle"}, {"text-anchor": "end"}


def stroke(width: float, color="ink", look="solid") -> dict:
    return {"fill": "none", "stroke": COLORS[color], "stroke-width": width} | DASHES[look]


CIRCLE = {"d": "M5.5 0A5.5 5.5 0 1 1-5.5 0A5.5 5.5 0 1 1 5.5 0", "fill": COLORS["blue"]}
CROSS = {"d": "M-5-5L5 5M-5 5L5-5"} | stroke(2.2, "red")
DISK = {"d": "M3.5 0A3.5 3.5 0 1 1-3.5 0A3.5 3.5 0 1 1 3.5 0"}
SHAPES = {1: CIRCLE, -1: CROSS}  # of the labels


def markup(elements: list[Element]) -> str:
    """Elements as SVG; `data-k` tells the script which is which."""
    found = []
    for key, tag, attributes, inside in elements:
        said = "".join(f' {n}="{html.escape(str(v))}"' for n, v in attributes.items())
        body = markup(inside) if isinstance(inside, list) else html.escape(inside, False)
        found.append(f'<{tag} data-k="{html.escape(key)}"{said}>{body}</{tag}>')
    return "".join(found)


@dataclass(frozen=True, eq=False)
class Plane:
    """The part of a plane that is seen; nothing can be dragged out of it, and it stays.

    x, y    the limits
    names   of the axes, with their units
    width   of the picture, in pixels of CSS
    height  of the same; None: one unit is as long in both directions
    """

    x: tuple[float, float]
    y: tuple[float, float]
    names: tuple[str, str] = ("x₁ (no unit)", "x₂ (no unit)")
    width: int = 460
    height: float | None = None

    LEFT, RIGHT, TOP, BOTTOM = 46, 10, 8, 42

    @property
    def size(self) -> tuple[float, float]:
        across = self.width - self.LEFT - self.RIGHT
        down = across * (self.y[1] - self.y[0]) / (self.x[1] - self.x[0])
        return self.width, self.height or round(down + self.TOP + self.BOTTOM)

    @property
    def box(self) -> list[float]:
        """Left, top, right and bottom of the frame, in pixels of the picture."""
        width, height = self.size
        return [self.LEFT, self.TOP, width - self.RIGHT, height - self.BOTTOM]

    def pixels(self, points) -> np.ndarray:
        """(m, 2) of the picture for (m, 2) of the data."""
        left, top, right, bottom = self.box
        parts = [self.x[0], self.y[1]], [self.x[1], self.y[0]]
        begin, end = np.array(parts)
        share = (np.asarray(points, float).reshape(-1, 2) - begin) / (end - begin)
        return np.round([left, top] + share * [right - left, bottom - top], 1) + 0.0

    def at(self, point) -> tuple[float, float]:
        u, v = self.pixels(point)[0]
        return float(u), float(v)

    def path(self, pieces, closed=False) -> str:
        """The lines through points (k, 2), or through those of each piece of (m, k, 2)."""
        pieces = np.asarray(pieces, float)
        pieces = pieces.reshape(-1, *pieces.shape[-2:])
        texts = [f"{u:g} {v:g}" for u, v in self.pixels(pieces)]
        k = pieces.shape[1]
        lines = ("L".join(texts[q : q + k]) for q in range(0, len(texts), k))
        return "".join(f"M{line}{'Z' * closed}" for line in lines)

    def holds(self, point) -> bool:
        u, v = point
        return self.x[0] <= u <= self.x[1] and self.y[0] <= v <= self.y[1]

    def clip(self, p, q) -> np.ndarray:
        """The ends of what is seen of the way from p to q, (2, 2) or (0, 2)."""
        p, q = np.asarray(p, float), np.asarray(q, float)
        low, high = 0.0, 1.0
        for axis, (least, most) in enumerate((self.x, self.y)):
            step = q[axis] - p[axis]
            if step == 0:
                if not least <= p[axis] <= most:
                    return np.empty((0, 2))
                continue
            ends = sorted(((least - p[axis]) / step, (most - p[axis]) / step))
            low, high = max(low, ends[0]), min(high, ends[1])
        return np.array(
            [p + low * (q - p), p + high * (q - p)] if low < high else []
        ).reshape(-1, 2)

    def part(self, W, b) -> np.ndarray:
        """The corners (m, 2) of what is seen of {x: W @ x + b >= 0 in each row}."""
        (x0, x1), (y0, y1) = self.x, self.y
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float)
        for w, bias in zip(np.reshape(W, (-1, 2)), np.ravel(b), strict=True):
            g, kept = corners @ w + bias, []
            for i in range(len(corners)):  # Sutherland and Hodgman
                if (g[i - 1] >= 0) != (g[i] >= 0):
                    share = g[i - 1] / (g[i - 1] - g[i])
                    kept.append(corners[i - 1] + share * (corners[i] - corners[i - 1]))
                if g[i] >= 0:
                    kept.append(corners[i])
            corners = np.array(kept).reshape(-1, 2)
        return corners

    def elements(self) -> list[Element]:
        """Frame, ticks and names."""
        left, top, right, bottom = self.box
        frame = {"d": f"M{left} {top}V{bottom:g}H{right}", **stroke(1)}
        ticks, words = "", []
        for value in nice(*self.x):
            u, _ = self.at((value, self.y[0]))
            ticks += f"M{u:g} {bottom:g}v4"
            words.append([f"x{value:g}", {"x": u, "y": bottom + 17, **MIDDLE}, told(value)])
        for value in nice(*self.y):
            _, v = self.at((self.x[0], value))
            ticks += f"M{left} {v:g}h-4"
            words.append([f"y{value:g}", {"x": left - 8, "y": v + 4, **END}, told(value)])
        u, v = (left + right) / 2, (top + bottom) / 2
        turn = {"transform": f"translate(13 {v:g}) rotate(-90)"} | MIDDLE
        words.append(["xname", {"x": u, "y": bottom + 36, **MIDDLE}, self.names[0]])
        words.append(["yname", turn, self.names[1]])
        texts = [[key, "text", look, text] for key, look, text in words]
        ticked = ["ticks", "path", {"d": ticks, **stroke(1)}, ""]
        return [["frame", "path", frame, ""], ticked, *texts]


def nice(low: float, high: float) -> list[float]:
    """Round numbers between, four to seven of them."""
    raw = (high - low) / 5
    power = 10 ** math.floor(math.log10(raw))
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def told(value: float) -> str:
    """A number with three digits; ties are rounded alike on every machine."""
    if isinstance(value, int | np.integer):
        return str(value).replace("-", "−")
    value = float(f"{value:.12g}") + 0.0
    if math.isinf(value):
        return "−∞" if value < 0 else "∞"
    text = f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return text.replace("-", "−")


class Mark:
    """What is drawn; its repr has its numbers, which the regression test compares."""

    def elements(self, plane: Plane) -> Iterator[Element]:
        raise NotImplementedError

    def __repr__(self) -> str:
        said = [f"{n}={rounded(v)}" for n, v in vars(self).items() if v is not None]
        return f"{type(self).__name__} {' '.join(said)}"


def rounded(value) -> str:
    """Numbers to four digits of the largest one, without rounding noise."""
    if isinstance(value, str | bool) or callable(value):
        return value if isinstance(value, str) else ""
    values = np.asarray(value, float).ravel()
    size = max(np.abs(values).max(initial=0.0), 1e-300)
    return f"[{' '.join(f'{round(v / size, 4) * size + 0.0:.4g}' for v in values)}]"


@dataclass(frozen=True, eq=False, repr=False)
class Part(Mark):
    """The part of the plane where W @ x + b >= 0 in every row, tinted."""

    W: Sequence
    b: Sequence
    color: str = "blue"

    def elements(self, plane):
        d = plane.path(corners, True) if len(corners := plane.part(self.W, self.b)) else ""
        yield [
            "part",
            "path",
            {"d": d, "fill": COLORS[self.color], "fill-opacity": 0.13},
            "",
        ]


@dataclass(frozen=True, eq=False, repr=False)
class Sides(Mark):
    """Blue where w @ x + b >= 0, vermillion elsewhere; nothing if w is zero."""

    w: Sequence[float]
    b: float = 0.0

    def elements(self, plane):
        w, b = np.asarray(self.w, float), float(self.b)
        for color, sign in (("blue", 1), ("red", -1)) if w.any() else ():
            ((_, *rest),) = Part([sign * w], [sign * b], color).elements(plane)
            yield [color, *rest]


@dataclass(frozen=True, eq=False, repr=False)
class Region(Mark):
    """Blue where score(points) >= 0, vermillion elsewhere, and the border between them.

    score  gives (m,) for points (m, 2)
    n      of the points of the grid in each direction, between which it is taken as linear
    """

    score: Callable[[np.ndarray], np.ndarray]
    n: int = 48

    def elements(self, plane):
        x, y = (np.linspace(*limits, self.n) for limits in (plane.x, plane.y))
        grid = np.stack(np.meshgrid(x, y), axis=-1)
        g = np.asarray(self.score(grid.reshape(-1, 2)), float).reshape(self.n, self.n)
        for color, side in (("blue", g), ("red", -g)):
            look = {"fill": COLORS[color], "fill-opacity": 0.13}
            yield [color, "path", {"d": plane.path(strips(x, y, side), True)} | look, ""]
        yield ["border", "path", {"d": plane.path(border(grid, g)), **stroke(1.8)}, ""]

    def __repr__(self):
        return "Region"


def strips(x, y, g) -> np.ndarray:
    """Of each row of a grid what lies where g >= 0, as rectangles (m, 4, 2)."""
    half, found = (y[1] - y[0]) / 2, []
    for level, row in zip(y, g, strict=True):
        inside = row >= 0
        i = np.flatnonzero(inside[1:] != inside[:-1])
        cuts = x[i] + (x[i + 1] - x[i]) * row[i] / (row[i] - row[i + 1])
        ends = [*x[:1][inside[:1]], *cuts, *x[-1:][inside[-1:]]]
        low, high = max(level - half, y[0]), min(level + half, y[-1])
        pairs = zip(ends[::2], ends[1::2], strict=True)
        found += [[(a, low), (b, low), (b, high), (a, high)] for a, b in pairs]
    return np.reshape(found, (-1, 4, 2))


def border(grid, g) -> np.ndarray:
    """The pieces (m, 2, 2) of the line g = 0, one in each triangle of the grid."""
    a, b = slice(None, -1), slice(1, None)
    pieces = []
    for corners in ([(a, a), (a, b), (b, a)], [(b, b), (a, b), (b, a)]):
        p = np.stack([grid[c].reshape(-1, 2) for c in corners], axis=1)
        h = np.stack([g[c].ravel() for c in corners], axis=1)
        cut = (h >= 0) != (np.roll(h, 1, axis=1) >= 0)  # of the sides, two or none
        p, q = p[cut], np.roll(p, 1, axis=1)[cut]
        h, k = h[cut][:, None], np.roll(h, 1, axis=1)[cut][:, None]
        pieces.append(((h * q - k * p) / (h - k)).reshape(-1, 2, 2))
    return np.concatenate(pieces)


@dataclass(frozen=True, eq=False, repr=False)
class Line(Mark):
    """The line w @ x + b = 0; look is "solid", "dashed" or "dotted"."""

    w: Sequence[float]
    b: float = 0.0
    look: str = "solid"
    color: str = "ink"
    width: float = 1.8

    def elements(self, plane):
        w, ends = np.asarray(self.w, float), []
        if w.any():
            foot, along = -self.b * w / (w @ w), np.array([-w[1], w[0]]) / np.hypot(*w)
            far = np.abs([*plane.x, *plane.y, *foot]).sum() * along
            ends = plane.clip(foot - far, foot + far)
        d = plane.path(ends) if len(ends) else ""
        yield ["line", "path", {"d": d, **stroke(self.width, self.color, self.look)}, ""]


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Mark):
    """A line through points (m, 2)."""

    points: np.ndarray
    look: str = "solid"
    color: str = "green"
    width: float = 1.8

    def elements(self, plane):
        d, last = "", None
        for p, q in zip(self.points[:-1], self.points[1:], strict=True):
            if len(ends := plane.clip(p, q)):
                piece = plane.path(ends)
                begin, end = piece.split("L")
                d += piece if begin != last else f"L{end}"
                last = f"M{end}"
        yield ["curve", "path", {"d": d, **stroke(self.width, self.color, self.look)}, ""]


@dataclass(frozen=True, eq=False, repr=False)
class Arrow(Mark):
    """An arrow, with a text at its tip.  Given to `grab`, its tip can be dragged."""

    start: Sequence[float]
    tip: Sequence[float]
    text: str = ""
    color: str = "ink"
    look: str = "solid"

    def elements(self, plane):
        if not len(ends := plane.clip(self.start, self.tip)):
            return
        p, q = plane.pixels(ends)
        length = math.hypot(*(q - p))
        if length < 1:
            return
        along = (q - p) / length
        across, neck = np.array([-along[1], along[0]]), q - min(9, length) * along
        shaft = "M{:g} {:g}L{:.1f} {:.1f}".format(*p, *neck)
        yield ["shaft", "path", {"d": shaft, **stroke(2, self.color, self.look)}, ""]
        if plane.holds(self.tip):
            corners = [q, neck + 3.8 * across, neck - 3.8 * across]
            d = "M" + "L".join("{:.1f} {:.1f}".format(*c) for c in corners) + "Z"
            yield ["head", "path", {"d": d, "fill": COLORS[self.color]}, ""]
        if self.text:  # a short arrow is not hidden by it
            far = p + (max(length, 18) + 13) * along + (0, 4)
            yield letters(far, self.text, self.color, MIDDLE)


@dataclass(frozen=True, eq=False, repr=False)
class Ring(Mark):
    """A circle around a point, as wide on every screen: radius in pixels."""

    at: Sequence[float]
    color: str = "ink"
    radius: float = 11

    def elements(self, plane):
        if plane.holds(self.at):
            u, v = plane.at(self.at)
            place = {"cx": u, "cy": v, "r": round(float(self.radius), 1)}
            yield ["ring", "circle", place | stroke(1.5, self.color), ""]


@dataclass(frozen=True, eq=False, repr=False)
class Dots(Mark):
    """Examples that cannot be moved: by their labels, or without labels in one color."""

    X: Sequence
    y: Sequence | None = None
    color: str = "ink"

    def elements(self, plane):
        labels = [0] * len(self.X) if self.y is None else self.y
        for k, (point, label) in enumerate(zip(self.X, labels, strict=True)):
            if plane.holds(point):
                look = SHAPES.get(int(label), DISK | {"fill": COLORS[self.color]})
                place = "translate({:g} {:g})".format(*plane.at(point))
                yield [f"dot{k}", "path", look | {"transform": place}, ""]


@dataclass(frozen=True, eq=False, repr=False)
class Text(Mark):
    """Words that begin a little to the right of a point."""

    at: Sequence[float]
    text: str
    color: str = "ink"

    def elements(self, plane):
        if plane.holds(self.at):
            yield letters(np.add(plane.at(self.at), (7, -6)), self.text, self.color)


def street(w, b) -> list[Mark]:
    """Both sides of w @ x + b = 0, the line, and dashed where the score is -1 and +1."""
    edges = [Line(w, b - score, "dashed", width=1.2) for score in (-1, 1)]
    return [Sides(w, b), Line(w, b), *edges]


def letters(place, text: str, color: str, look=None) -> Element:
    u, v = (round(float(part), 1) for part in place)
    said = {"x": u, "y": v, "fill": COLORS[color], "class": "hs-halo"} | (look or {})
    return ["text", "text", said, text]
