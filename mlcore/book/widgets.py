"""Pictures that move, in a running notebook and in a page without a kernel.

A moving picture is a plain function of one or two values that returns a Picture.  Its
frames are drawn when the cell runs and stored with it; sliders choose among them without
Python.  `live=True`, in the same cell, gives sliders that ask the kernel instead, at all
values between.
"""

import hashlib
import math
from collections.abc import Callable, Iterable
from itertools import product
from numbers import Integral, Real

import ipywidgets as W

from mlcore.book.pictures import Picture


class Frames(W.VBox):
    """A stored moving picture; its repr is what the regression test compares."""

    digest = ""

    def __repr__(self) -> str:
        return self.digest


def player(
    draw: Callable[..., Picture], *, live: bool = False, interval: int = 1200, **values
) -> W.Widget:
    """A moving picture over one parameter: a slider, and a button that plays it.

    draw      function of that parameter, returns a Picture
    live      True: redraw by the kernel at each move; False: one frame for each value
    interval  milliseconds between frames when played
    values    the parameter and its values in order: player(draw, step=range(8))

    Raises ValueError unless there is one parameter with at least two values.
    """
    parameters = _parameters(values, 1)
    if live:
        return _live(draw, parameters, interval)
    ((name, options),) = parameters
    slider = _slider(name, options)
    play = W.Play(max=len(options) - 1, interval=interval)
    W.jslink((play, "value"), (slider, "index"))
    pictures = [draw(**{name: value}) for value in options]
    stack = _stack(pictures)
    W.jslink((slider, "index"), (stack, "selected_index"))
    return _frames([_controls(play, slider), stack], pictures, name)


def grid(draw: Callable[..., Picture], *, live: bool = False, **values) -> W.Widget:
    """A moving picture over two parameters: a slider for each.

    draw    function of both parameters, returns a Picture
    live    True: redraw by the kernel at each move; False: one frame for each pair
    values  the two parameters and their values: grid(draw, angle=[0, 90], bias=[-1, 1])

    Raises ValueError unless there are two parameters with at least two values each.
    """
    parameters = _parameters(values, 2)
    if live:
        return _live(draw, parameters)
    (outer_name, rows), (inner_name, columns) = parameters
    outer, inner = _slider(outer_name, rows), _slider(inner_name, columns)
    pairs = product(rows, columns)
    pictures = [draw(**{outer_name: r, inner_name: c}) for r, c in pairs]
    width = len(columns)
    stacks = [_stack(pictures[q : q + width]) for q in range(0, len(pictures), width)]
    for stack in stacks:
        W.jslink((inner, "index"), (stack, "selected_index"))
    whole = W.Stack(stacks, selected_index=0)
    W.jslink((outer, "index"), (whole, "selected_index"))
    return _frames([outer, inner, whole], pictures, f"{outer_name} and {inner_name}")


def _parameters(values: dict[str, Iterable], count: int) -> list[tuple[str, list]]:
    named = [(name, list(options)) for name, options in values.items()]
    if len(named) != count or any(len(options) < 2 for _, options in named):
        sizes = {name: len(options) for name, options in named}
        raise ValueError(
            f"values must be {count} parameters with at least 2 values each; got {sizes}"
        )
    return named


def _controls(play: W.Play, slider: W.Widget) -> W.HBox:
    return W.HBox([play, slider], layout=W.Layout(flex_flow="row wrap"))


def _slider(name: str, options: list) -> W.SelectionSlider:
    labels = [o if isinstance(o, str) else f"{o:g}" for o in options]
    pairs = list(zip(labels, options, strict=True))
    style = {"description_width": "initial"}
    return W.SelectionSlider(
        options=pairs, value=options[0], description=name.replace("_", " "), style=style
    )


def _stack(pictures: list[Picture]) -> W.Stack:
    return W.Stack([W.HTML(p._repr_html_()) for p in pictures], selected_index=0)


def _frames(children: list, pictures: list[Picture], over: str) -> Frames:
    words = "\n".join(f"{p!r} {p.caption} {p.alt}" for p in pictures)
    frames = Frames(children)
    digest = hashlib.sha256(words.encode()).hexdigest()[:16]
    frames.digest = f"{len(pictures)} frames over {over}, numbers and words {digest}"
    return frames


def _live(draw, parameters: list[tuple[str, list]], interval: int | None = None) -> W.VBox:
    """Sliders through all numbers of their ranges; the kernel redraws at each move.

    interval  milliseconds between stops when played; None: no button to play
    """
    sliders = {name: _live_slider(name, options) for name, options in parameters}
    picture = W.HTML()

    def redraw(_change=None):
        picture.value = draw(**{n: s.value for n, s in sliders.items()})._repr_html_()

    for slider in sliders.values():
        slider.observe(redraw, "value")
    redraw()
    if interval is None:
        return W.VBox([*sliders.values(), picture])
    ((name, options),) = parameters
    play = W.Play(max=len(options) - 1, interval=interval)

    def go_on(change):
        sliders[name].value = options[change.new]

    play.observe(go_on, "value")  # from stop to stop, as the stored frames do
    return W.VBox([_controls(play, sliders[name]), picture])


def _live_slider(name: str, options: list):
    """Through whole numbers if all stops are whole, else through all numbers between."""
    if not all(isinstance(o, Real) for o in options):
        return _slider(name, options)
    low, high = min(options), max(options)
    look = {
        "description": name.replace("_", " "),
        "style": {"description_width": "initial"},
    }
    if all(isinstance(o, Integral) for o in options):
        return W.IntSlider(options[0], low, high, **look)
    kind = W.FloatSlider
    if _is_geometric(options):
        kind, low, high = W.FloatLogSlider, math.log10(low), math.log10(high)
    look |= {"step": (high - low) / 200, "readout_format": ".3g"}
    return kind(options[0], min=low, max=high, **look)


def _is_geometric(options: list) -> bool:
    """True if the middle stop lies in the middle of the ratios, rather than the range."""
    low, *_, high = ordered = sorted(options)
    if low <= 0 or high < 10 * low:
        return False
    middle = ordered[len(ordered) // 2]
    in_ratios = math.log(middle / low) / math.log(high / low)
    in_range = (middle - low) / (high - low)
    return abs(in_ratios - 0.5) < abs(in_range - 0.5)
