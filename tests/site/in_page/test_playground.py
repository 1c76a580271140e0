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
def own(visit):
    return Playground(visit.page)


def test_button_opens_playground_with_points(visit, own):
    assert len(own.points()) == 12
    visit.open("chapters/svm.html")
    there = own.points()
    own.button("Take these points to the Playground").click()
    visit.page.wait_for_url("**/playground.html#*")
    own.wait_for_text(".hs-own p", "4 points")
    assert own.points() == there
    assert visit.page.get_by_role("button", name="Take these points").count() == 0


def test_pasted_points_can_be_dragged(visit, own):
    own.box.locator("textarea").evaluate(PASTE, "0,0,-1\n1,1,1")  # and at once the next one
    own.show(PASTED, "4 points")
    assert own.points()[0] == "point 1, minus 1, at 150 and 50.5"
    assert "weight" in own.text(".hs-axes")
    assert "A line separates these 4 points" in own.text("figcaption")
    own.box.locator(".hs-grip").first.press("Shift+ArrowRight")
    own.wait("(box) => !box.querySelector('.hs-grip').ariaValueText.startsWith('150 ')")
    names = " ".join(visit.requests)
    assert "numpy" in names and not re.search("scipy|sympy|matplotlib|scikit", names)
    assert "150" not in names and visit.external == [] and visit.errors == []


def test_invalid_text_message_keeps_points(own):
    before = own.points()
    own.show("1,2,a\n" * 10_000, "10,000 rows")
    own.wait("(box) => !box.matches('.hs-refused')")
    assert own.points() == before


def test_violated_hypothesis_names_theorem(own):
    own.box.locator("textarea").fill("0,0,-1\n1,1,1")
    own.button("Show these points").click()
    own.wait_for_text(".hs-own p", "2 points")
    own.choose("dashed", "perceptron")
    assert "at most R²/γ²" in own.text(".hs-notes")
    own.show("0,0,1\n1,1,1\n1,0,-1\n0,1,-1", "4 points")
    broken = own.box.locator(".hs-broken", has_text="Novikoff")
    assert "no margin" in broken.text_content()
    assert broken.locator("a").get_attribute("href") == "perceptron.html#thm-novikoff"
    assert "0.5 x₁ + 0.5 x₂ = 0.5 x₃ + 0.5 x₄" in own.text(".hs-notes")


def test_theorem_links_are_valid(site):
    links = [words["theorem"][1] for words in TEXTS.values() if "theorem" in words]
    assert len(links) > 8
    for page, name in (link.split("#") for link in links):
        assert f'id="{name}"' in (site / "chapters" / page).read_text(), name


def test_url_stores_points_and_methods(own):
    def address():
        own.button("Copy the address").click()
        own.wait_for_text(".hs-own p", "address bar")
        chosen = own.box.locator(".hs-slider output").all_inner_texts()
        return own.page.url, own.points(), own.text(".hs-notes"), chosen

    own.show(PASTED, "4 points")
    own.choose("dotted", "least squares")
    own.slider.first.press("End")
    shared = address()
    shown = own.slider.first.get_attribute("aria-valuetext")
    assert shown == "100" and "&C=100&" in shared[0]
    own.show("0,0,-1\n1,1,1", "2 points")
    own.choose("dotted", "perceptron")
    own.slider.first.press("Home")
    assert address()[0] != shared[0]
    own.page.goto(shared[0])
    own.wait_for_text(".hs-own p", "4 points")
    own.wait_for_text(".hs-notes", "least squares")
    assert address() == shared
    before = shared[0].replace("#shown&", "#").replace("&C=100&", "&C=2&")
    own.page.goto(before)  # URLs of earlier editions contain the logarithm
    own.wait_for_text("output", "100")


def test_playground_is_accessible(visit):
    visit.page.set_viewport_size({"width": 390, "height": 900})
    assert too_wide(visit.page) == []
    assert access_problems(visit.page) == [] and visit.errors == []
