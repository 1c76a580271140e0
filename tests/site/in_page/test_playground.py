"""The page Playground: pasted points, points from figures, and points in the URL."""

import re

import pytest

from halfspaces.playground.theorems import TEXTS
from tests.helpers.browsing import access_problems, too_wide
from tests.site.in_page.reader import PASTE, Figure

PAGE = "chapters/playground.html"
PASTED = "size;weight;kind\n150;50,5;cat\n160;60;cat\n180;80;dog\n190;75;dog\n"


class Playground(Figure):
    def show(self, text, answer):
        """Paste a text and wait for an answer with these words."""
        self.box.locator("textarea").evaluate(PASTE, text)
        self.wait_for_text(".hs-own p", answer)

    def choose(self, look, method):
        self.box.get_by_label(look).select_option(label=method)
        self.wait_for_text(".hs-notes", method)


@pytest.fixture(scope="module")
def figure(visit):
    return Playground(visit.page)


def test_button_opens_playground_with_points(visit, figure):
    assert len(figure.points()) == 12
    visit.open("chapters/svm.html")
    there = figure.points()
    figure.button("Take these points to the Playground").click()
    visit.page.wait_for_url("**/playground.html#*")
    figure.wait_for_text(".hs-own p", "4 points")
    assert figure.points() == there
    figure.wait_for_text("output", "0.15")  # C of the figure
    assert visit.page.get_by_role("button", name="Take these points").count() == 0


def test_pasted_points_can_be_dragged(visit, figure):
    figure.box.locator("textarea").evaluate(PASTE, "0,0,-1\n1,1,1")  # replaced at once
    figure.show(PASTED, "4 points")
    assert figure.points()[0] == "point 1, minus 1, at 150 and 50.5"
    assert "weight" in figure.text(".hs-axes")
    assert "A line separates these 4 points" in figure.text("figcaption")
    figure.box.locator(".hs-grip").first.press("Shift+ArrowRight")
    figure.wait("(box) => !box.querySelector('.hs-grip').ariaValueText.startsWith('150 ')")
    names = " ".join(visit.requests)
    assert "numpy" in names and not re.search("scipy|sympy|matplotlib|scikit", names)
    assert "150" not in names and visit.external == [] and visit.errors == []


def test_invalid_text_message_keeps_points(figure):
    before = figure.points()
    figure.show("1,2,a\n" * 10_000, "10,000 rows")
    figure.wait("(box) => !box.matches('.hs-refused')")
    assert figure.points() == before


def test_violated_hypothesis_names_theorem(figure):
    figure.box.locator("textarea").fill("0,0,-1\n1,1,1")
    figure.button("Show these points").click()
    figure.wait_for_text(".hs-own p", "2 points")
    figure.choose("dashed", "perceptron")
    assert "at most R²/γ²" in figure.text(".hs-notes")
    figure.show("0,0,1\n1,1,1\n1,0,-1\n0,1,-1", "4 points")
    broken = figure.box.locator(".hs-broken", has_text="Novikoff")
    assert "no margin" in broken.text_content()
    assert broken.locator("a").get_attribute("href") == "perceptron.html#thm-novikoff"
    assert "0.5 · point 1 + 0.5 · point 2 = 0.5 · point 3" in figure.text(".hs-notes")


def test_theorem_links_are_valid(site):
    links = [words["theorem"][1] for words in TEXTS.values() if "theorem" in words]
    assert len(links) > 8
    for page, name in (link.split("#") for link in links):
        assert f'id="{name}"' in (site / "chapters" / page).read_text(), name


def test_url_stores_points_and_methods(figure):
    def address():
        figure.button("Copy the address").click()
        figure.wait_for_text(".hs-own p", "address bar")
        chosen = figure.box.locator(".hs-slider output").all_inner_texts()
        return figure.page.url, figure.points(), figure.text(".hs-notes"), chosen

    figure.show(PASTED, "4 points")
    figure.choose("dotted", "least squares")
    figure.slider.first.press("End")
    shared = address()
    shown = figure.slider.first.get_attribute("aria-valuetext")
    assert shown == "100" and "&C=100&" in shared[0]
    figure.show("0,0,-1\n1,1,1", "2 points")
    figure.choose("dotted", "perceptron")
    figure.slider.first.press("Home")
    assert address()[0] != shared[0]
    figure.page.goto(shared[0])
    figure.wait_for_text(".hs-own p", "4 points")
    figure.wait_for_text(".hs-notes", "least squares")
    assert address() == shared
    before = shared[0].replace("#shown&", "#").replace("&C=100&", "&C=2&")
    figure.page.goto(before)  # URLs of earlier editions contain the logarithm
    figure.wait_for_text("output", "100")


def test_playground_is_accessible(visit):
    visit.page.set_viewport_size({"width": 390, "height": 900})
    assert too_wide(visit.page) == []
    assert access_problems(visit.page) == [] and visit.errors == []
