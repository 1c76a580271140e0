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

from halfspaces.formatting import format_number

Element = list  # [tag, attributes, text or elements inside]
MIDDLE, END = {"text-anchor": "middle"}, {"text-anchor": "end"}


def markup(elements: list[Element]) -> str:
    """Elements as SVG or HTML."""
    found = []
    for tag, attributes, inside in elements:
        said = "".join(f' {n}="{html.escape(str(v))}"' for n, v in attributes.items())
        body = markup(inside) if isinstance(inside, list) else html.escape(inside, False)
        found.append(f"<{tag}{said}>{body}</{tag}>")
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

    LEFT, RIGHT, TOP, BOTTOM = 46, 10, 8, 42  # as grab.css cuts off

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
        return np.clip(np.round(found, 1), -1e7, 1e7) + 0.0  # no browser counts farther

    def translate(self, point) -> str:
        return f"translate({numbers(self.pixels(point))})"

    def path(self, points, closed=False) -> str:
        """The line through points (k, 2); nothing for none."""
        return f"M{numbers(self.pixels(points))}{'Z' * closed}" if len(points) else ""

    def holds(self, point) -> bool:
        u, v = point
        return self.x[0] <= u <= self.x[1] and self.y[0] <= v <= self.y[1]

    def part(self, W, b) -> np.ndarray:
        """The corners (m, 2) of what is seen of {x: W @ x + b >= 0 in each row}."""
        (x0, x1), (y0, y1) = self.x, self.y
        corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)
        for w, bias in zip(W, b, strict=True):
            g, kept = corners @ w + bias, []
            for i, corner in enumerate(corners):  # Sutherland and Hodgman
                if (g[i - 1] >= 0) != (g[i] >= 0):
                    share = g[i - 1] / (g[i - 1] - g[i])
                    kept.append(corners[i - 1] + share * (corner - corners[i - 1]))
                if g[i] >= 0:
                    kept.append(corner)
            corners = np.reshape(kept, (-1, 2))
        return corners

    def elements(self) -> list[Element]:
        """Frame, ticks and names."""
        left, top, right, bottom = self.box
        ticks, texts = f"M{left} {top}V{bottom:g}H{right}", []
        for value in nice(*self.x):
            u, _ = self.pixels((value, self.y[0]))
            ticks += f"M{u:g} {bottom:g}v4"
            texts.append(
                ["text", {"x": u, "y": bottom + 17} | MIDDLE, format_number(value)]
            )
        for value in nice(*self.y):
            _, v = self.pixels((self.x[0], value))
            ticks += f"M{left} {v:g}h-4"
            texts.append(["text", {"x": left - 8, "y": v + 4} | END, format_number(value)])
        u, v = (left + right) / 2, (top + bottom) / 2
        texts.append(["text", {"x": u, "y": bottom + 36} | MIDDLE, self.names[0]])
        turn = {"transform": f"translate(13 {v:g}) rotate(-90)"} | MIDDLE
        texts.append(["text", turn, self.names[1]])
        frame = ["path", {"d": ticks, "fill": "none", "stroke": "currentColor"}, ""]
        return [frame, *texts]


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
