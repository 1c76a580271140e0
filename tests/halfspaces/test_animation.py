"""Animations: stored frames, links between widgets, and live redrawing."""

import ipywidgets as W
import numpy as np
import pytest
from ipywidgets.widgets.widget_link import Link

from halfspaces.animation import grid, player
from halfspaces.pictures import Picture, canvas


def draw(step, bias=0.0):
    fig, ax = canvas(width=2, height=1.5)
    ax.plot([0, len(step) if isinstance(step, str) else step], [bias, 1])
    return Picture(fig, f"step {step}, bias {bias}", f"a line to {step}, {bias}")


@pytest.fixture(autouse=True)
def close_widgets():
    W.Widget.close_all()
    yield
    W.Widget.close_all()


def linked_traits():
    from ipywidgets.widgets.widget import _instances

    widgets = _instances.values()
    return {(*w.source, *w.target) for w in widgets if isinstance(w, Link)}


def test_player_stores_one_frame_per_value():
    box = player(draw, step=range(4))
    controls, stack = box.children
    play, slider = controls.children
    assert all(f"step {k}, bias" in f.value for k, f in enumerate(stack.children))
    assert len(stack.children) == 4 and stack.selected_index == 0
    assert (play.min, play.max) == (0, 3)
    assert [label for label, _ in slider.options] == ["0", "1", "2", "3"]
    assert slider.description == "step"
    first = (play, "value", slider, "index")
    assert linked_traits() == {first, (slider, "index", stack, "selected_index")}


def test_grid_stores_one_frame_per_pair_and_links_every_row():
    box = grid(draw, step=[1, 2], bias=[-1.0, 0.0, 1.0])
    outer, inner, stacks = box.children
    assert [len(stack.children) for stack in stacks.children] == [3, 3]
    assert "step 2, bias -1.0" in stacks.children[1].children[0].value
    expected = {(outer, "index", stacks, "selected_index")}
    expected |= {(inner, "index", stack, "selected_index") for stack in stacks.children}
    assert linked_traits() == expected


def test_repr_is_short_and_changes_with_numbers_and_text():
    text = repr(player(draw, step=range(3)))
    assert text.startswith("3 frames over step, numbers and words ") and len(text) < 100
    assert text == repr(player(draw, step=range(3)))
    assert text != repr(player(draw, step=range(1, 4)))
    assert text != repr(player(lambda step: draw(step, bias=0.1), step=range(3)))


def live_controls(**values):
    """Return the sliders of a live picture, and a function that reads its caption."""
    box = (player if len(values) == 1 else grid)(draw, live=True, **values)
    *controls, _ = box.children
    return *controls, lambda: box.result.caption


def test_live_picture_redraws_for_intermediate_floats_integers_and_strings():
    first, second, caption = live_controls(step=np.arange(3), bias=[0.0, 1.0])
    assert isinstance(first, W.IntSlider) and isinstance(second, W.FloatSlider)
    assert caption() == "step 0, bias 0.0"
    first.value, second.value = 2, 0.5
    assert caption() == "step 2, bias 0.5"
    menu, caption = live_controls(step=["one", "two", "six"])
    menu.value = "six"
    assert caption() == "step six, bias 0.0"


@pytest.mark.parametrize("values", [[0.01, 1, 100], [39000.0, 15000, 8000, 2000, 60]])
def test_values_with_large_ratios_get_a_logarithmic_slider(values):
    slider, caption = live_controls(step=values)
    assert isinstance(slider, W.FloatLogSlider) and slider.value == values[0]
    assert 10**slider.min == pytest.approx(min(values))
    assert 10**slider.max == pytest.approx(max(values))
    slider.value = 70.5
    assert caption() == "step 70.5, bias 0.0"


@pytest.mark.parametrize("values", [{}, {"step": [1]}, {"step": range(3), "bias": [0, 1]}])
def test_wrong_number_of_parameters_or_values_raises(values):
    with pytest.raises(ValueError, match="values must map 1 parameters to at least 2"):
        player(draw, **values)
    if len(values) < 2:
        with pytest.raises(ValueError, match="values must map 2 parameters"):
            grid(draw, **values)
