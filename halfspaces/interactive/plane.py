"""The visible part of the plane in an interactive figure, and its axes.

Everything drawn is a tree of SVG elements, each a list [tag, attributes, content].  The
stored picture holds them as text; while a reader drags, the page replaces the old elements
with new ones.  This module imports only NumPy: a page should not wait for Matplotlib.
"""

import html
import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from halfspaces.formatting import format_number

Element = list  # [tag, attributes, text or list of child elements]
MIDDLE, END = {"text-anchor": "middle"}, {"text-anchor": "end"}


def markup(elements: list[Element]) -> str:
    """Return elements as SVG or HTML text."""
    parts = []
    for tag, attributes, content in elements:
        text = "".join(f' {n}="{html.escape(str(v))}"' for n, v in attributes.items())
        is_text = isinstance(content, str)
        body = html.escape(content, False) if is_text else markup(content)
        parts.append(f"<{tag}{text}>{body}</{tag}>")
    return "".join(parts)


@dataclass(frozen=True, eq=False)
class Plane:
    """The visible part of a plane; it is fixed, and points cannot leave it.

    x, y    limits of the axes
    names   names of the axes, with units
    width   width of the picture in CSS pixels
    height  height in CSS pixels; None: the same scale on both axes
    """

    x: tuple[float, float]
    y: tuple[float, float]
    names: tuple[str, str] = ("x₁ (no unit)", "x₂ (no unit)")
    width: int = 460
    height: float | None = None

    LEFT, RIGHT, TOP, BOTTOM = 46, 10, 8, 42  # margins, as in the clip-path of grab.css

    @cached_property
    def size(self) -> tuple[float, float]:
        inner_width = self.width - self.LEFT - self.RIGHT
        inner_height = inner_width * (self.y[1] - self.y[0]) / (self.x[1] - self.x[0])
        return self.width, self.height or round(inner_height + self.TOP + self.BOTTOM)

    @cached_property
    def box(self) -> list[float]:
        """Left, top, right and bottom of the frame, in pixels of the picture."""
        width, height = self.size
        return [self.LEFT, self.TOP, width - self.RIGHT, height - self.BOTTOM]

    def to_page(self) -> dict:
        """Return the limits and the box, with which grab.js converts pixels to data."""
        return {"x": self.x, "y": self.y, "box": self.box}

    def pixels(self, points) -> np.ndarray:
        """Convert data points (..., 2) to pixels (..., 2) of the picture."""
        left, top, right, bottom = self.box
        (x0, x1), (y0, y1) = self.x, self.y
        scale = np.array([(right - left) / (x1 - x0), (top - bottom) / (y1 - y0)])
        pixels = (np.asarray(points, float) - (x0, y0)) * scale + (left, bottom)
        # browsers fail on larger values
        return np.clip(np.round(pixels, 1), -1e7, 1e7) + 0.0

    def translate(self, point) -> str:
        """Return the SVG transform that moves the origin to a data point."""
        return f"translate({format_pixels(self.pixels(point))})"

    def path(self, points, closed=False) -> str:
        """Return the SVG path through data points (k, 2); "" for no points."""
        pixels = format_pixels(self.pixels(points))
        return f"M{pixels}{'Z' * closed}" if len(points) else ""

    def contains(self, point) -> bool:
        u, v = point
        return self.x[0] <= u <= self.x[1] and self.y[0] <= v <= self.y[1]

    def clip(self, W, b) -> np.ndarray:
        """Return the corners (m, 2) of the visible part of {x: W @ x + b >= 0}.

        The Sutherland-Hodgman algorithm clips the polygon by one row of W after another.
        """
        (x0, x1), (y0, y1) = self.x, self.y
        corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)
        for w, bias in zip(W, b, strict=True):
            g, clipped = corners @ w + bias, []
            for i, corner in enumerate(corners):
                if (g[i - 1] >= 0) != (g[i] >= 0):
                    t = g[i - 1] / (g[i - 1] - g[i])
                    clipped.append(corners[i - 1] + t * (corner - corners[i - 1]))
                if g[i] >= 0:
                    clipped.append(corner)
            corners = np.reshape(clipped, (-1, 2))
        return corners

    def elements(self) -> list[Element]:
        """Return the frame, the ticks and the names of the axes."""
        left, top, right, bottom = self.box
        frame, texts = f"M{left} {top}V{bottom:g}H{right}", []
        for value in tick_values(*self.x):
            u, _ = self.pixels((value, self.y[0]))
            frame += f"M{u:g} {bottom:g}v4"
            position = {"x": u, "y": bottom + 17}
            texts.append(["text", position | MIDDLE, format_number(value)])
        for value in tick_values(*self.y):
            _, v = self.pixels((self.x[0], value))
            frame += f"M{left} {v:g}h-4"
            texts.append(["text", {"x": left - 8, "y": v + 4} | END, format_number(value)])
        u, v = (left + right) / 2, (top + bottom) / 2
        texts.append(["text", {"x": u, "y": bottom + 36} | MIDDLE, self.names[0]])
        rotated = {"transform": f"translate(13 {v:g}) rotate(-90)"} | MIDDLE
        texts.append(["text", rotated, self.names[1]])
        lines = ["path", {"d": frame, "fill": "none", "stroke": "currentColor"}, ""]
        return [lines, *texts]


def format_pixels(pixels) -> str:
    """Format the coordinates of a path to a tenth of a pixel."""
    return " ".join([f"{v:.1f}".removesuffix(".0") for v in np.ravel(pixels).tolist()])


def tick_values(low: float, high: float) -> list[float]:
    """Return four to seven round numbers between two limits."""
    smallest_step = (high - low) / 5
    power = 10 ** math.floor(math.log10(smallest_step))
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= smallest_step * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]
