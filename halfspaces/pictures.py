"""Pictures for the book: one style, figures that carry words and sit on any background.

Importing this module sets the book's style.  A chapter draws on the axes of `canvas`,
and ends with a `Picture`: the drawing, a caption that says what it means, and a text
that says what is seen.
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

INK = "#010203"  # stands for the color of the text around the picture
POSITIVE, NEGATIVE = COLORS["blue"], COLORS["red"]  # circles +1, crosses -1
GREEN, PURPLE = COLORS["green"], COLORS["purple"]  # what belongs to no class
NAN = complex("nan")  # the place of a curve's step, which is on no way


def canvas(rows: int = 1, columns: int = 1, *, width=5.2, height=3.6, **subplots):
    """A new figure in the book's style, and its axes; width and height in inches."""
    figure = Figure(figsize=(width, height))
    return figure, figure.subplots(rows, columns, **subplots)


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with its words; as the last value of a cell it displays itself.

    figure   the drawing
    caption  what it means, shown below it
    alt      what is seen, for a reader who cannot see it
    """

    figure: Figure
    caption: str
    alt: str

    def __repr__(self) -> str:
        return numbers(self.figure)

    def _repr_html_(self) -> str:
        return (
            f'<figure class="hs-figure">{svg(self.figure, self.alt)}'
            f'<figcaption class="tex2jax_process">{html.escape(self.caption, False)}'
            "</figcaption></figure>"
        )


def plot_points(ax, X, y, **style) -> list:
    """Examples in the plane: +1 as blue circles, -1 as vermillion crosses.

    X (n, 2), y (n,) of -1 and +1; style goes to both classes.
    """
    circle = {"marker": "o", "color": POSITIVE, "label": "$y = +1$", "mew": 0}
    cross = {"marker": "x", "color": NEGATIVE, "label": "$y = -1$", "mew": 1.6}
    X, y = np.asarray(X), np.asarray(y)
    common = {"linestyle": "none", "markersize": 6, "zorder": 3} | style
    return [
        ax.plot(*X[y == label].T, **look, **common)[0]
        for label, look in ((1, circle), (-1, cross))
    ]


def plot_line(ax, w, b, **style):
    """The line w @ x + b = 0 across the axes, whose limits must be set already."""
    style = {"color": INK, "linewidth": 1.8} | style
    foot = -b * np.asarray(w, float) / np.dot(w, w)
    along = np.array([-w[1], w[0]])
    limits = ax.axis()
    line = ax.axline(foot, foot + along, **style)
    ax.axis(limits)
    return line


def plot_sides(ax, score, *, resolution: int = 120, alpha: float = 0.13):
    """Shade the region where score(X) >= 0 blue, the rest vermillion; draw score = 0.

    score takes points (m, 2), gives (m,).  The limits of the axes must be set already.
    """
    x1, x2 = (np.linspace(*lim, resolution) for lim in (ax.get_xlim(), ax.get_ylim()))
    grid = np.stack(np.meshgrid(x1, x2), axis=-1)
    g = np.asarray(score(grid.reshape(-1, 2))).reshape(grid.shape[:2])
    # what rounding may leave of a zero is zero, or machines would disagree on its side
    g = np.where(np.abs(g) < 1e-12 * np.abs(g).max(), 0.0, g)
    levels, colors = [-np.inf, 0, np.inf], [NEGATIVE, POSITIVE]
    sides = ax.contourf(x1, x2, g, levels, colors=colors, alpha=alpha, zorder=0)
    if g.min() < 0 < g.max():
        ax.contour(x1, x2, g, [0.0], colors=INK, linewidths=1.6, zorder=2)
    return sides


def plot_arrow(ax, start, end, text="", *, color=INK, offset=(4, 4), **style):
    """An arrow between two points, with a label at its head."""
    arrow = {"arrowstyle": "-|>", "color": color, "linewidth": 1.8, "shrinkA": 0}
    ax.annotate("", end, start, arrowprops=arrow | {"shrinkB": 0} | style, zorder=4)
    return ax.annotate(text, end, offset, textcoords="offset points", color=color)


def numbers(figure: Figure) -> str:
    """The numbers that a figure draws, in words: what its regression test compares."""
    lines = [f"Picture {figure.get_figwidth():g} x {figure.get_figheight():g} in"]
    for ax in figure.axes:
        lines.append(f"axes x={ax.get_xlabel()!r} y={ax.get_ylabel()!r}")
        for line in ax.lines:
            xs, ys = line.get_data()
            lines.append(f"  line x {_summary(xs)}, y {_summary(ys)}")
        for group in ax.collections:
            lines.append(f"  {type(group).__name__} {_summary(_vertices(group))}")
        lines += [f"  image {_summary(image.get_array())}" for image in ax.images]
        lines += [f"  {type(p).__name__} {_summary(_corners(p))}" for p in ax.patches]
        labels = [t for t in ax.texts if hasattr(t, "xy")]
        lines += [f"  text {t.get_text()!r} at {_summary(t.xy)}" for t in labels]
    return "\n".join(lines)


def _vertices(group):
    offsets = np.asarray(group.get_offsets())
    paths = [path.vertices for path in group.get_paths() if len(path.vertices)]
    return offsets if offsets.any() or not paths else np.concatenate(paths)


def _corners(patch):
    return patch.get_path().transformed(patch.get_patch_transform()).vertices


def _summary(values) -> str:
    """Count, mean and extremes, to four digits of the largest one: no rounding noise."""
    values = np.asarray(values, float).ravel()
    values = values[np.isfinite(values)]
    if values.size == 0:
        return "none"
    parts = values.mean(), values.min(), values.max(), np.sqrt(np.mean(values**2))
    return f"n={values.size} {format_array(parts)}"


def svg(figure: Figure, alt: str) -> str:
    """The figure as inline SVG: ink in the page's color, as wide as the column allows."""
    buffer = io.BytesIO()
    # `figure.savefig` would draw it twice, the first time for its layout alone
    FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue().decode()
    text = re.sub(r"(?s)<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", text)
    text = re.sub(r"\s+", " ", text).replace("> <", "><").replace(INK, "currentColor")
    text = re.sub(r"scale\([^)]*\)|-?\d+\.\d{2,}", _to_a_tenth, text)
    text = re.sub(r' d="([^"]*)"', _without_straight_runs, text)
    name = "f" + hashlib.sha256(text.encode()).hexdigest()[:8] + "-"  # ids of this one
    text, used = text.replace("xlink:href", "href"), re.findall(r'#([\w.-]+)[")]', text)
    text = re.sub(r' id="([^"]*)"', lambda id: id[0] if id[1] in used else "", text)
    text = re.sub(r'( id="|href="#|url\(#)', rf"\1{name}", text)
    width, height = (round(96 * inches) for inches in figure.get_size_inches())
    box = re.search(r'viewBox="[^"]*"', text)[0]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" '
        f'width="{width}" height="{height}" style="max-width:100%;height:auto" '
        'stroke-linejoin="round" stroke-linecap="butt" '
        f'aria-label="{html.escape(alt)}">' + text[text.index("<defs") :].strip()
    )


def _to_a_tenth(found: re.Match) -> str:
    """A length to a tenth of an SVG unit; the size of letters as it is."""
    return found[0] if found[0].startswith("scale") else f"{float(found[0]):.1f}"


def _without_straight_runs(path: re.Match) -> str:
    """Drop the points inside straight runs of a path, of which filled contours are full,
    and the blanks beside letters."""
    steps, kept, last = re.findall(r"[A-Za-z][^A-Za-z]*", path[1]), [], NAN
    at = [complex(*map(float, s[1:].split())) if s[0] in "ML" else NAN for s in steps]
    for step, here, after in zip(steps, at, [*at[1:], NAN], strict=False):
        if step[0] != "L" or not _on_way(last, here, after):
            kept.append(step)
            last = here
    return f' d="{"".join(step[0] + step[1:].strip() for step in kept)}"'


def _on_way(first: complex, middle: complex, last: complex) -> bool:
    """True if the middle point lies between, within a tenth of an SVG unit."""
    length, turned = abs(last - first), (last - first).conjugate() * (middle - first)
    return abs(turned.imag) <= 0.1 * length and 0 <= turned.real <= length**2
