"""Pictures of the book: one style on any background, a caption and alt text.

Importing this module sets the style.  A chapter draws on the axes of `canvas` and ends
the cell with a `Picture`.
"""

import hashlib
import html
import io
import re
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from halfspaces.formatting import format_array
from halfspaces.interactive.marks import COLORS

mpl.rc_file(Path(__file__).with_name("halfspaces.mplstyle"), use_default_template=False)

INK = "#010203"  # replaced by the color of the surrounding text
POSITIVE, NEGATIVE = COLORS["blue"], COLORS["red"]  # circles +1, crosses -1
GREEN, PURPLE = COLORS["green"], COLORS["purple"]  # not the colors of a class
NAN = complex("nan")  # for path commands without a point


def canvas(rows: int = 1, columns: int = 1, *, width=5.2, height=3.6, **subplots):
    """Return a new figure and its axes; width and height in inches."""
    figure = Figure(figsize=(width, height))
    return figure, figure.subplots(rows, columns, **subplots)


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with its caption and alt text, displayed if it is the last line of a cell.

    figure   the drawing
    caption  meaning of the picture, shown below it
    alt      description for readers who cannot see the picture
    """

    figure: Figure
    caption: str
    alt: str

    def __repr__(self) -> str:
        return describe(self.figure)

    def _repr_html_(self) -> str:
        return (
            f'<figure class="hs-figure">{to_svg(self.figure, self.alt)}'
            f'<figcaption class="tex2jax_process">{html.escape(self.caption, False)}'
            "</figcaption></figure>"
        )


def plot_points(ax, X, y, **style) -> list:
    """Draw examples: +1 as blue circles, -1 as vermilion crosses.

    X (n, 2), y (n,) of -1 and +1; `style` applies to both classes.
    """
    circle = {"marker": "o", "color": POSITIVE, "label": "$y = +1$", "mew": 0}
    cross = {"marker": "x", "color": NEGATIVE, "label": "$y = -1$", "mew": 1.6}
    X, y = np.asarray(X), np.asarray(y)
    common = {"linestyle": "none", "markersize": 6, "zorder": 3} | style
    return [
        ax.plot(*X[y == label].T, **marker, **common)[0]
        for label, marker in ((1, circle), (-1, cross))
    ]


def plot_line(ax, w, b, **style):
    """Draw the line w @ x + b = 0 across the axes, whose limits must be set."""
    style = {"color": INK, "linewidth": 1.8} | style
    closest = -b * np.asarray(w, float) / np.dot(w, w)  # point nearest to the origin
    limits = ax.axis()
    line = ax.axline(closest, closest + np.array([-w[1], w[0]]), **style)
    ax.axis(limits)
    return line


def plot_sides(ax, score, *, resolution: int = 120, alpha: float = 0.13):
    """Shade the region where score(X) >= 0 blue, the rest vermilion; draw score = 0.

    score maps points (m, 2) to (m,).  The limits of the axes must be set.
    """
    x1, x2 = (np.linspace(*lim, resolution) for lim in (ax.get_xlim(), ax.get_ylim()))
    grid = np.stack(np.meshgrid(x1, x2), axis=-1)
    g = np.asarray(score(grid.reshape(-1, 2))).reshape(grid.shape[:2])
    # set rounding error to zero: its sign differs between machines
    g = np.where(np.abs(g) < 1e-12 * np.abs(g).max(), 0.0, g)
    levels, colors = [-np.inf, 0, np.inf], [NEGATIVE, POSITIVE]
    sides = ax.contourf(x1, x2, g, levels, colors=colors, alpha=alpha, zorder=0)
    if g.min() < 0 < g.max():
        ax.contour(x1, x2, g, [0.0], colors=INK, linewidths=1.6, zorder=2)
    return sides


def plot_arrow(ax, start, end, text="", *, color=INK, offset=(4, 4), **style):
    """Draw an arrow between two points, with a label at its head."""
    arrow = {"arrowstyle": "-|>", "color": color, "linewidth": 1.8, "shrinkA": 0}
    ax.annotate("", end, start, arrowprops=arrow | {"shrinkB": 0} | style, zorder=4)
    return ax.annotate(text, end, offset, textcoords="offset points", color=color)


def describe(figure: Figure) -> str:
    """Describe the numbers in a figure as text, for the regression test."""
    lines = [f"Picture {figure.get_figwidth():g} x {figure.get_figheight():g} in"]
    for ax in figure.axes:
        lines.append(f"axes x={ax.get_xlabel()!r} y={ax.get_ylabel()!r}")
        for line in ax.lines:
            xs, ys = line.get_data()
            lines.append(f"  line x {_statistics(xs)}, y {_statistics(ys)}")
        for group in ax.collections:
            lines.append(f"  {type(group).__name__} {_statistics(_vertices(group))}")
        lines += [f"  image {_statistics(image.get_array())}" for image in ax.images]
        lines += [f"  {type(p).__name__} {_statistics(_corners(p))}" for p in ax.patches]
        labels = [t for t in ax.texts if hasattr(t, "xy")]
        lines += [f"  text {t.get_text()!r} at {_statistics(t.xy)}" for t in labels]
    return "\n".join(lines)


def _vertices(group):
    offsets = np.asarray(group.get_offsets())
    paths = [path.vertices for path in group.get_paths() if len(path.vertices)]
    return offsets if offsets.any() or not paths else np.concatenate(paths)


def _corners(patch):
    return patch.get_path().transformed(patch.get_patch_transform()).vertices


def _statistics(values) -> str:
    """Format the count, mean, minimum, maximum and root mean square of values."""
    values = np.asarray(values, float).ravel()
    values = values[np.isfinite(values)]
    if values.size == 0:
        return "none"
    statistics = values.mean(), values.min(), values.max(), np.sqrt(np.mean(values**2))
    return f"n={values.size} {format_array(statistics)}"


def to_svg(figure: Figure, alt: str) -> str:
    """Return a figure as inline SVG, at most as wide as the text column."""
    buffer = io.BytesIO()
    # figure.savefig would draw twice, the first time for the layout only
    FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue().decode()
    text = re.sub(r"(?s)<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", text)
    text = re.sub(r"\s+", " ", text).replace("> <", "><").replace(INK, "currentColor")
    text = re.sub(r"scale\([^)]*\)|-?\d+\.\d{2,}", _round_length, text)
    text = re.sub(r' d="([^"]*)"', _drop_collinear, text)
    name = "f" + hashlib.sha256(text.encode()).hexdigest()[:8] + "-"  # unique ids in a page
    text, used = text.replace("xlink:href", "href"), re.findall(r'#([\w.-]+)[")]', text)
    text = re.sub(r' id="([^"]*)"', lambda m: m[0] if m[1] in used else "", text)
    text = re.sub(r'( id="|href="#|url\(#)', rf"\1{name}", text)
    width, height = (round(96 * inches) for inches in figure.get_size_inches())
    box = re.search(r'viewBox="[^"]*"', text)[0]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" '
        f'width="{width}" height="{height}" style="max-width:100%;height:auto" '
        'stroke-linejoin="round" stroke-linecap="butt" '
        f'aria-label="{html.escape(alt)}">' + text[text.index("<defs") :].strip()
    )


def _round_length(match: re.Match) -> str:
    """Round a length to a tenth of an SVG unit, except in scale(), the glyph size."""
    return match[0] if match[0].startswith("scale") else f"{float(match[0]):.1f}"


def _drop_collinear(path: re.Match) -> str:
    """Drop spaces, and points inside straight lines, which filled contours often have."""
    steps, result, last = re.findall(r"[A-Za-z][^A-Za-z]*", path[1]), [], NAN
    points = [complex(*map(float, s[1:].split())) if s[0] in "ML" else NAN for s in steps]
    for step, point, following in zip(steps, points, [*points[1:], NAN], strict=False):
        if step[0] != "L" or not _is_between(last, point, following):
            result.append(step)
            last = point
    return f' d="{"".join(step[0] + step[1:].strip() for step in result)}"'


def _is_between(first: complex, middle: complex, last: complex) -> bool:
    """Return True if the middle point is on the segment, to a tenth of an SVG unit."""
    length, product = abs(last - first), (last - first).conjugate() * (middle - first)
    return abs(product.imag) <= 0.1 * length and 0 <= product.real <= length**2
