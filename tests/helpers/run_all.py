"""Run all cells of a chapter, then its moving pictures once more, with live=True.

    python tests/helpers/run_all.py chapters/svm.ipynb

Each slider is moved to a value between the stops, as a reader does.  Prints a line for
each picture, which begins with "moves: "; what cannot be drawn ends the program with its
traceback.  Proofs and stored frames, which leave nothing behind, are skipped: other
tests have them.
"""

import ast
import re
import sys

import ipywidgets as W
import nbformat

from mlcore import book

UGLY = re.compile(r"\d\.\d{7,}")  # a slider's 3.1700000000000004 in a sentence


def main(path: str) -> None:
    cells = [c.source for c in nbformat.read(path, 4).cells if c.cell_type == "code"]
    names: dict = {"__name__": "__main__"}
    names["display"] = lambda *shown: None  # IPython has it, plain Python has not
    moving = {"player": book.player, "grid": book.grid}
    for name in ("prove", *moving):
        setattr(book, name, lambda *given, **named: None)
    for source in cells:
        exec(source, names)
    for source in cells:
        for call in moving_pictures(source):
            box = eval(compile(call, path, "eval"), names | moving)
            print(f"\nmoves: {between(box)}", flush=True)


def moving_pictures(source: str):
    """The calls of player and grid, with live=True added."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    for node in calls:
        if getattr(node.func, "id", "") in ("player", "grid"):
            node.keywords.append(ast.keyword("live", ast.Constant(True)))
            yield ast.fix_missing_locations(ast.Expression(node))


def between(box: W.VBox) -> str:
    """Move every slider off its stop; what the picture then says."""
    *controls, picture = box.children
    sliders = [s for c in controls for s in getattr(c, "children", [c])]
    for slider in sliders:
        before = picture.value
        if isinstance(slider, W.SelectionSlider):
            slider.index = len(slider.options) - 1
        elif isinstance(slider, W.IntSlider):
            slider.value = (slider.min + slider.max) // 2
        elif isinstance(slider, (W.FloatSlider, W.FloatLogSlider)):
            place = 0.41 * slider.min + 0.59 * slider.max
            slider.value = place if isinstance(slider, W.FloatSlider) else 10**place
        else:
            continue  # the button that plays
        assert picture.value != before, f"{slider.description} moves nothing"
    caption = re.search("<figcaption[^>]*>(.*?)</figcaption>", picture.value, re.S)[1]
    assert not UGLY.search(caption), caption
    return caption


if __name__ == "__main__":
    main(sys.argv[1])
