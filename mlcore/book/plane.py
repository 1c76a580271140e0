"""The plane of a figure that is grabbed: where a point of the data is in the picture.

What is drawn is elements of SVG, each a list [tag, attributes, inside].  The same elements
are the still picture, as text, and what the page puts in the place of old ones while
something is dragged.  NumPy only: whoever grabs waits for no Matplotlib.
"""

import html
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

Element = list  # [tag, attributes, text or elements inside]
MIDDLE, END = {"text-anchor": "middle"}, {"text-anchor": "end"}


def markup(elements: list[Element]) -> str:
    """Elements as SVG or HTML."""
    found = []
    for tag, attributes, inside in elements:
        said = "".join(f' {n}="{html.escape(str(v))}"' for n, v in attributes.items())
        body = markup(inside) if isinstance(inside, list) else html.escape(inside, False)
        closed = tag in ("path", "circle")
        found.append(f"<{tag}{said}/>" if closed else f"<{tag}{said}>{body}</{tag}>")
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

    @cached_property
    def size(self) -> tuple[float, float]:
        across = self.width - self.LEFT - self.RIGHT
        down = across * (self.y[1] - self.y[0]) / (self.x[1] - self.x[0])
        return self.width, self.height or round(down + self.TOP + self.BOTTOM)

    @cached_property
    def box(self) -> list[float]:
        """Left, top, right and bottom of the frame, in pixels of the picture."""
        width, height = self.size
        return [self.LEFT, self.TOP, width - self.RIGHT, height - self.BOTTOM]

    @property
    def known(self) -> dict:
        """What the script needs, to find a point under a finger."""
        return {"x": self.x, "y": self.y, "box": self.box}

    def pixels(self, points) -> np.ndarray:
        """(..., 2) of the picture for (..., 2) of the data."""
        left, top, right, bottom = self.box
        (x0, x1), (y0, y1) = self.x, self.y
        scale = np.array([(right - left) / (x1 - x0), (top - bottom) / (y1 - y0)])
        found = (np.asarray(points, float) - (x0, y0)) * scale + (left, bottom)
        return np.round(found, 1) + 0.0

    def at(self, point) -> tuple[float, float]:
        return tuple(self.pixels(point).tolist())

    def path(self, points, closed=False) -> str:
        """The line through points (k, 2); nothing for none."""
        return f"M{numbers(self.pixels(points))}{'Z' * closed}" if len(points) else ""

    def holds(self, point) -> bool:
        u, v = point
        return self.x[0] <= u <= self.x[1] and self.y[0] <= v <= self.y[1]

    def clip(self, P, Q) -> np.ndarray:
        """The ends of what is seen of the ways from P to Q, (m, 2) each, as (k, 2, 2)."""
        P, Q = (np.reshape(np.asarray(ends, float), (-1, 2)) for ends in (P, Q))
        corners = np.transpose([self.x, self.y])
        with np.errstate(divide="ignore", invalid="ignore"):
            cuts = np.sort((corners[:, None] - P) / (step := Q - P), axis=0)
        beside = (corners[0] > P) | (corners[1] < P)  # what goes along an axis
        still = np.where(beside, [[[np.inf]], [[-np.inf]]], [[[-np.inf]], [[np.inf]]])
        enter, leave = np.where(step == 0, still, cuts)
        low, high = enter.max(axis=1).clip(0), leave.min(axis=1).clip(None, 1)
        share = np.stack([low, high], axis=1)[low < high, :, None]
        return P[low < high, None] + share * step[low < high, None]

    def part(self, W, b) -> np.ndarray:
        """The corners (m, 2) of what is seen of {x: W @ x + b >= 0 in each row}."""
        (x0, x1), (y0, y1) = self.x, self.y
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        for (u, v), bias in zip(np.reshape(W, (-1, 2)), np.ravel(b), strict=True):
            g, kept = [float(u * x + v * y + bias) for x, y in corners], []
            for i in range(len(corners)):  # Sutherland and Hodgman
                (p, q), (x, y) = corners[i - 1], corners[i]
                if (g[i - 1] >= 0) != (g[i] >= 0):
                    share = g[i - 1] / (g[i - 1] - g[i])
                    kept.append((p + share * (x - p), q + share * (y - q)))
                if g[i] >= 0:
                    kept.append((x, y))
            corners = kept
        return np.reshape(corners, (-1, 2))

    def elements(self) -> list[Element]:
        """Frame, ticks and names."""
        left, top, right, bottom = self.box
        ticks, texts = f"M{left} {top}V{bottom:g}H{right}", []
        for value in nice(*self.x):
            u, _ = self.at((value, self.y[0]))
            ticks += f"M{u:g} {bottom:g}v4"
            texts.append(["text", {"x": u, "y": bottom + 17} | MIDDLE, told(value)])
        for value in nice(*self.y):
            _, v = self.at((self.x[0], value))
            ticks += f"M{left} {v:g}h-4"
            texts.append(["text", {"x": left - 8, "y": v + 4} | END, told(value)])
        u, v = (left + right) / 2, (top + bottom) / 2
        texts.append(["text", {"x": u, "y": bottom + 36} | MIDDLE, self.names[0]])
        turn = {"transform": f"translate(13 {v:g}) rotate(-90)"} | MIDDLE
        texts.append(["text", turn, self.names[1]])
        return [
            ["path", {"d": ticks, "fill": "none", "stroke": "currentColor"}, ""],
            *texts,
        ]


def numbers(pixels) -> str:
    """Those of a path, to a tenth of a pixel."""
    return " ".join([f"{v:.1f}".removesuffix(".0") for v in np.ravel(pixels).tolist()])


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
    text = f"{value:.0f}" if 1000 <= abs(value) < 1e6 else f"{value:.3g}"
    return text.replace("-", "−")
