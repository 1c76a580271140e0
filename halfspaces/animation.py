"""Animations, in a notebook with a kernel and in a page without one.

An animation is a function of one or two parameters that returns a Picture.  The cell
stores a frame for each value, and sliders select a stored frame without Python.  With
`live=True` the kernel draws the frames instead, also for values in between.
"""

import hashlib
from collections.abc import Callable
from itertools import product

import ipywidgets as W

from halfspaces.pictures import Picture
from halfspaces.sliders import Slider, sliders


class StoredFrames(W.VBox):
    """A stored animation; tests compare its repr."""

    digest = ""

    def __repr__(self) -> str:
        return self.digest


def player(
    draw: Callable[..., Picture], *, live: bool = False, interval: int = 1200, **values
) -> W.Widget:
    """Show an animation of one parameter: a slider and a play button.

    draw      function of the parameter, returns a Picture
    live      True: the kernel redraws whenever a slider moves; False: one stored frame per
              value
    interval  milliseconds between stored frames while playing
    values    the parameter and its values in order: player(draw, step=range(8))

    Raises ValueError unless there is one parameter with at least two values.
    """
    (parameter,) = sliders(values, 1)
    if live:
        return _draw_live(draw, [parameter])
    slider = _stop_slider(parameter)
    play = W.Play(max=len(parameter.stops) - 1, interval=interval)
    W.jslink((play, "value"), (slider, "index"))
    pictures = [draw(**{parameter.name: value}) for value in parameter.stops]
    stack = _stack(pictures)
    W.jslink((slider, "index"), (stack, "selected_index"))
    controls = W.HBox([play, slider], layout=W.Layout(flex_flow="row wrap"))
    return _store([controls, stack], pictures, parameter.name)


def grid(draw: Callable[..., Picture], *, live: bool = False, **values) -> W.Widget:
    """Show an animation of two parameters: a slider for each.

    draw, live  as in `player`; draw is a function of both parameters
    values      the two parameters and their values: grid(draw, angle=[0, 90], bias=[-1, 1])

    Raises ValueError unless there are two parameters with at least two values each.
    """
    rows, columns = sliders(values, 2)
    if live:
        return _draw_live(draw, [rows, columns])
    outer, inner = _stop_slider(rows), _stop_slider(columns)
    pairs = product(rows.stops, columns.stops)
    pictures = [draw(**{rows.name: r, columns.name: c}) for r, c in pairs]
    width = len(columns.stops)
    stacks = [_stack(pictures[q : q + width]) for q in range(0, len(pictures), width)]
    for stack in stacks:
        W.jslink((inner, "index"), (stack, "selected_index"))
    rows_stack = W.Stack(stacks, selected_index=0)
    W.jslink((outer, "index"), (rows_stack, "selected_index"))
    return _store([outer, inner, rows_stack], pictures, f"{rows.name} and {columns.name}")


def _stop_slider(parameter: Slider) -> W.SelectionSlider:
    pairs = list(zip(parameter.labels, parameter.stops, strict=True))
    return W.SelectionSlider(options=pairs, **_description(parameter))


def _stack(pictures: list[Picture]) -> W.Stack:
    return W.Stack([W.HTML(p._repr_html_()) for p in pictures], selected_index=0)


def _store(children: list, pictures: list[Picture], parameters: str) -> StoredFrames:
    text = "\n".join(f"{p!r} {p.caption} {p.alt}" for p in pictures)
    frames = StoredFrames(children)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    frames.digest = f"{len(pictures)} frames over {parameters}, numbers and words {digest}"
    return frames


def _draw_live(draw, parameters: list[Slider]) -> W.VBox:
    controls = {parameter.name: _live_slider(parameter) for parameter in parameters}
    # interactive(draw, ...) would add sliders for the default arguments of draw
    return W.interactive(lambda **args: draw(**args), {"auto_display": True}, **controls)


def _live_slider(parameter: Slider):
    """Return a slider whose values between the stops depend on `parameter.kind`."""
    widgets = {"whole": W.IntSlider, "real": W.FloatSlider, "ratio": W.FloatLogSlider}
    if parameter.kind not in widgets:
        return _stop_slider(parameter)
    slider, options = parameter.to_page(), _description(parameter)
    if parameter.kind != "whole":
        options |= {"step": slider["step"], "readout_format": ".3g"}
    limits = {"min": slider["low"], "max": slider["high"]}
    return widgets[parameter.kind](parameter.stops[0], **limits, **options)


def _description(parameter: Slider) -> dict:
    return {"description": parameter.title, "style": {"description_width": "initial"}}
