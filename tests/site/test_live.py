"""With live=True every animation draws between its stops."""

import ast
import re

import ipywidgets as W
import pytest

from halfspaces import animation, proofs
from sitebuild.staleness import VIEW
from tests.helpers.notebooks import PATHS, cells

UGLY = re.compile(r"\d\.\d{7,}")  # such as 3.1700000000000004


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
def test_live_pictures_draw_between_their_stops(path, monkeypatch):
    """Skips proofs and stored frames, which define no names."""
    names: dict = {"__name__": "__main__", "display": lambda *shown: None}
    moving = {"player": animation.player, "grid": animation.grid}
    for module, name in ((proofs, "prove"), (animation, "player"), (animation, "grid")):
        monkeypatch.setattr(module, name, lambda *given, **named: None)
    sources = [cell["source"] for cell in cells(path)]
    for source in sources:
        exec(source, names)
    calls = [call for source in sources for call in animations(source)]
    outputs = [output for cell in cells(path) for output in cell["outputs"]]
    assert len(calls) == sum(VIEW in output.get("data", {}) for output in outputs)
    for call in calls:
        move_off_the_stops(eval(compile(call, path, "eval"), names | moving))


def animations(source: str):
    """Add live=True to the calls of player and grid."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    for node in calls:
        if getattr(node.func, "id", "") in ("player", "grid"):
            node.keywords.append(ast.keyword("live", ast.Constant(True)))
            yield ast.fix_missing_locations(ast.Expression(node))


def move_off_the_stops(box: W.VBox) -> None:
    """Move every slider; the caption must stay readable."""
    *sliders, _ = box.children
    for slider in sliders:
        before = box.result._repr_html_()
        if isinstance(slider, W.SelectionSlider):
            slider.index = len(slider.options) - 1
        elif isinstance(slider, W.IntSlider):
            slider.value = (slider.min + slider.max) // 2
        else:
            place = 0.41 * slider.min + 0.59 * slider.max
            slider.value = place if isinstance(slider, W.FloatSlider) else 10**place
        assert box.result._repr_html_() != before, f"{slider.description} moves nothing"
    assert not UGLY.search(box.result.caption), box.result.caption
