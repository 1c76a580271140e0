"""Lists of theorems, figures and exercises, and the index."""

import json
import re

import pytest

from tests.helpers.notebooks import CHAPTERS

NUMBER = re.compile(r'<span class="hs-figure-number">Figure ([\d.]+)\.</span>')
BOX = re.compile(r'class="(?:proof|exercise)[^"]*" id="([^"]+)"')


def page(site, name):
    return (site / "chapters" / f"{name}.html").read_text()


@pytest.mark.parametrize(("chapter", "path"), [*enumerate(CHAPTERS, 1)])
def test_boxes_and_figures_are_numbered_and_listed(site, chapter, path):
    name, html = path.stem, page(site, path.stem)
    figures, boxes = NUMBER.findall(html), set(BOX.findall(html))
    assert figures == [f"{chapter}.{k}" for k in range(1, len(figures) + 1)] and figures
    listed = set(re.findall(rf'href="{name}\.html#([^"]+)"', page(site, "lists")))
    assert len(boxes) > 10 and boxes <= listed
    assert len(listed - boxes) == len(figures)
    text = (site / "_static" / "frames" / f"chapters-{name}.js").read_text()
    for frames in json.loads(text.removeprefix("window.hsFrames = ").rstrip(";\n")):
        numbers = {tuple(NUMBER.findall(frame)) for frame in frames if frame}
        assert len(numbers) == 1 and len(*numbers) == 1, "each frame has the number"


def test_lists_show_titles_and_index_has_all_kinds_of_entries(site):
    text = re.sub("<[^>]+>", "", page(site, "lists"))
    assert "Theorem 3.1 Novikoff, 1962" in text
    assert "Exercise 3.1 By hand (easy, 10 minutes)" in text
    assert "(By hand, easy, 10 minutes)" in page(site, "perceptron")
    index = (site / "genindex.html").read_text()
    for entry in ("Novikoff, 1962", "convex", "adaboost()", ">Widest margin exists<"):
        assert entry in index, entry
    letters = {"κ (kappa)": "number of neighbors", "λ (lambda)": "weight of the penalty"}
    for letter, meaning in letters.items():
        anchor = re.search(r'notation\.html#([\w-]+)"', index.split(letter, 1)[1])[1]
        row = page(site, "notation").split(f'id="{anchor}"></span>', 1)[1]
        assert row.startswith(meaning), letter
