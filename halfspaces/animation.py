"""Pictures that move, in a running notebook and in a page without a kernel.

A moving picture is a plain function of one or two values that returns a Picture.  Its
frames are drawn when the cell runs and stored with it; sliders choose among them without
Python.  `live=True`, in the same cell, gives sliders that ask the kernel instead, at all
values between.
"""

import hashlib
from collections.abc import Callable
from itertools import product

import ipywidgets as W

from halfspaces.pictures import Picture
from halfspaces.sliders import Slider, sliders


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
    interval  milliseconds between stored frames when played
    values    the parameter and its values in order: player(draw, step=range(8))

    Raises ValueError unless there is one parameter with at least two values.
    """
    (parameter,) = sliders(values, 1)
    if live:
        return _live(draw, [parameter])
    slider = _stepper(parameter)
    play = W.Play(max=len(parameter.stops) - 1, interval=interval)
    W.jslink((play, "value"), (slider, "index"))
    pictures = [draw(**{parameter.name: value}) for value in parameter.stops]
    stack = _stack(pictures)
    W.jslink((slider, "index"), (stack, "selected_index"))
    controls = W.HBox([play, slider], layout=W.Layout(flex_flow="row wrap"))
    return _frames([controls, stack], pictures, parameter.name)


def grid(draw: Callable[..., Picture], *, live: bool = False, **values) -> W.Widget:
    """A moving picture over two parameters: a slider for each.

    draw, live  as for `player`; draw is a function of both parameters
    values      the two parameters and their values: grid(draw, angle=[0, 90], bias=[-1, 1])

    Raises ValueError unless there are two parameters with at least two values each.
    """
    rows, columns = sliders(values, 2)
    if live:
        return _live(draw, [rows, columns])
    outer, inner = _stepper(rows), _stepper(columns)
    pairs = product(rows.stops, columns.stops)
    pictures = [draw(**{rows.name: r, columns.name: c}) for r, c in pairs]
    width = len(columns.stops)
    stacks = [_stack(pictures[q : q + width]) for q in range(0, len(pictures), width)]
    for stack in stacks:
        W.jslink((inner, "index"), (stack, "selected_index"))
    whole = W.Stack(stacks, selected_index=0)
    W.jslink((outer, "index"), (whole, "selected_index"))
    return _frames([outer, inner, whole], pictures, f"{rows.name} and {columns.name}")


def _stepper(parameter: Slider) -> W.SelectionSlider:
    pairs = list(zip(parameter.labels, parameter.stops, strict=True))
    return W.SelectionSlider(options=pairs, value=parameter.stops[0], **_look(parameter))


def _stack(pictures: list[Picture]) -> W.Stack:
    return W.Stack([W.HTML(p._repr_html_()) for p in pictures], selected_index=0)


def _frames(children: list, pictures: list[Picture], over: str) -> Frames:
    words = "\n".join(f"{p!r} {p.caption} {p.alt}" for p in pictures)
    frames = Frames(children)
    digest = hashlib.sha256(words.encode()).hexdigest()[:16]
    frames.digest = f"{len(pictures)} frames over {over}, numbers and words {digest}"
    return frames


def _live(draw, parameters: list[Slider]) -> W.VBox:
    """Sliders through all numbers of their ranges; the kernel redraws at each move."""
    controls = {parameter.name: _live_slider(parameter) for parameter in parameters}
    # of a function's own parameters those with a default would get sliders, too
    return W.interactive(lambda **given: draw(**given), {"auto_display": True}, **controls)


def _live_slider(parameter: Slider):
    """Through whole numbers if all stops are whole, else through all numbers between."""
    kinds = {"whole": W.IntSlider, "real": W.FloatSlider, "ratio": W.FloatLogSlider}
    if parameter.kind not in kinds:
        return _stepper(parameter)
    of, look = parameter.described(), _look(parameter)
    if parameter.kind != "whole":
        look |= {"step": of["step"], "readout_format": ".3g"}
    control = kinds[parameter.kind]
    return control(parameter.stops[0], min=of["low"], max=of["high"], **look)


def _look(parameter: Slider) -> dict:
    return {"description": parameter.title, "style": {"description_width": "initial"}}
