"""The lists at the back: every box, figure and exercise, by its number; and the index."""

import json
import re

import pytest

CHAPTERS = ("geometry", "features", "perceptron", "least_squares", "logistic", "sgd")
CHAPTERS += ("svm", "boosting", "feature_selection", "sparsity", "multiclass")
NUMBER = re.compile(r'<span class="hs-figure-number">Figure ([\d.]+)\.</span>')
BOX = re.compile(r'class="(?:proof|exercise)[^"]*" id="([^"]+)"')


def page(site, name):
    return (site / "chapters" / f"{name}.html").read_text()


@pytest.mark.parametrize(("chapter", "name"), list(enumerate(CHAPTERS, 1)))
def test_figures_are_counted_from_one_in_each_chapter(site, chapter, name):
    found = NUMBER.findall(page(site, name))
    assert found == [f"{chapter}.{k}" for k in range(1, len(found) + 1)] and found


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_frame_of_a_moving_picture_has_its_number(site, name):
    text = (site / "_static" / "frames" / f"chapters-{name}.js").read_text()
    for frames in json.loads(text.removeprefix("window.hsFrames = ").rstrip(";\n")):
        numbers = {tuple(NUMBER.findall(frame)) for frame in frames if frame}
        assert len(numbers) == 1 and len(*numbers) == 1


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_box_and_figure_is_listed(site, name):
    own = page(site, name)
    listed = set(re.findall(rf'href="{name}\.html#([^"]+)"', page(site, "lists")))
    boxes = set(BOX.findall(own))
    assert len(boxes) > 10 and boxes <= listed
    assert len(listed - boxes) == len(NUMBER.findall(own))
    assert all(f'id="{anchor}"' in own for anchor in listed)


def test_titles_stand_without_their_brackets(site):
    text = re.sub("<[^>]+>", "", page(site, "lists"))
    assert "Theorem 3.1 Novikoff, 1962" in text
    assert "Exercise 3.1 By hand (easy, 10 minutes)" in text


INDEX = ["Novikoff, 1962", "κ (kappa)", "convex", "adaboost()", ">Widest margin exists<"]


@pytest.mark.parametrize("entry", INDEX)
def test_the_index_has_names_letters_words_and_functions(site, entry):
    assert entry in (site / "genindex.html").read_text()


LETTERS = {"κ (kappa)": "number of neighbors", "λ (lambda)": "weight of the penalty"}


@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_of_the_index_leads_to_its_row(site, letter):
    after = (site / "genindex.html").read_text().split(letter, 1)[1]
    anchor = re.search(r'notation\.html#([\w-]+)"', after)[1]
    row = page(site, "notation").split(f'id="{anchor}"></span>', 1)[1]
    assert row.startswith(LETTERS[letter])
