"""The Playground with pasted points, points of other figures, and points in the URL."""

import re

import pytest

from halfspaces.playground.theorems import TEXTS
from tests.helpers.browsing import accessibility_problems, width_problems
from tests.site.in_page.reader import PASTE, Figure

slow = pytest.mark.slow
PAGE = "chapters/playground.html"
PASTED = "size;weight;kind\n150;50,5;cat\n160;60;cat\n180;80;dog\n190;75;dog\n"


class Playground(Figure):
    def paste(self, text, message):
        """Paste a text and wait for a message."""
        self.box.locator("textarea").evaluate(PASTE, text)
        self.wait_for_text(".hs-paste p", message)

    def choose(self, style, method):
        self.box.get_by_label(style).select_option(label=method)
        self.wait_for_text(".hs-notes", method)


@pytest.fixture(scope="module")
def figure(visit):
    return Playground(visit.page)


@slow
def test_button_opens_the_playground_with_the_points_of_a_figure(visit, figure):
    assert len(figure.points()) == 12
    visit.open("chapters/svm.html")
    points = figure.points()
    figure.button("Take these points to the Playground").click()
    visit.page.wait_for_url("**/playground.html#*")
    figure.wait_for_text(".hs-paste p", "4 points")
    assert figure.points() == points
    figure.wait_for_text("output", "0.15")  # C of the figure
    assert visit.page.get_by_role("button", name="Take these points").count() == 0


@slow
def test_pasted_points_can_be_dragged_and_are_not_sent(visit, figure):
    # the next paste replaces this one
    figure.box.locator("textarea").evaluate(PASTE, "0,0,-1\n1,1,1")
    figure.paste(PASTED, "4 points")
    assert figure.points()[0] == "point 1, minus 1, at 150 and 50.5"
    assert "weight" in figure.text(".hs-axes")
    assert "A line separates these 4 points" in figure.text("figcaption")
    figure.box.locator(".hs-handle").first.press("Shift+ArrowRight")
    figure.wait("box => !box.querySelector('.hs-handle').ariaValueText.startsWith('150 ')")
    urls = " ".join(visit.requests)
    assert "numpy" in urls and not re.search("scipy|sympy|matplotlib|scikit", urls)
    assert not re.search(r"\b150\b", urls) and visit.external == [] and visit.errors == []


@slow
def test_invalid_text_gets_a_message_and_keeps_the_points(figure):
    before = figure.points()
    figure.paste("1,2,a\n" * 10_000, "10,000 rows")
    figure.wait("(box) => !box.matches('.hs-invalid')")
    assert figure.points() == before


@slow
def test_violated_hypothesis_names_its_theorem(figure):
    figure.box.locator("textarea").fill("0,0,-1\n1,1,1")
    figure.button("Show these points").click()
    figure.wait_for_text(".hs-paste p", "2 points")
    figure.choose("dashed", "perceptron")
    assert "at most R²/γ²" in figure.text(".hs-notes")
    figure.paste("0,0,1\n1,1,1\n1,0,-1\n0,1,-1", "4 points")
    note = figure.box.locator(".hs-broken", has_text="Novikoff")
    assert "no margin" in note.text_content()
    assert note.locator("a").get_attribute("href") == "perceptron.html#thm-novikoff"
    assert "0.5 · point 1 + 0.5 · point 2 = 0.5 · point 3" in figure.text(".hs-notes")


def test_theorem_links_are_valid(site):
    links = [words["theorem"][1] for words in TEXTS.values() if "theorem" in words]
    assert len(links) > 8
    for page, name in (link.split("#") for link in links):
        assert f'id="{name}"' in (site / "chapters" / page).read_text(), name


@slow
def test_url_restores_points_methods_and_sliders(figure):
    def copy_url():
        figure.button("Copy the address").click()
        figure.wait_for_text(".hs-paste p", "address bar")
        values = figure.box.locator(".hs-slider output").all_inner_texts()
        return figure.page.url, figure.points(), figure.text(".hs-notes"), values

    figure.paste(PASTED, "4 points")
    figure.choose("dotted", "least squares")
    figure.slider.first.press("End")
    copied = copy_url()
    text = figure.slider.first.get_attribute("aria-valuetext")
    assert text == "100" and "&C=100&" in copied[0]
    figure.paste("0,0,-1\n1,1,1", "2 points")
    figure.choose("dotted", "perceptron")
    figure.slider.first.press("Home")
    assert copy_url()[0] != copied[0]
    figure.page.goto(copied[0])
    figure.wait_for_text(".hs-paste p", "4 points")
    figure.wait_for_text(".hs-notes", "least squares")
    assert copy_url() == copied
    old_url = copied[0].replace("#shown&", "#").replace("&C=100&", "&C=2&")
    figure.page.goto(old_url)  # earlier editions wrote log10(C), and no "shown"
    figure.wait_for_text("output", "100")


def test_playground_is_accessible(visit, figure):
    visit.page.set_viewport_size({"width": 390, "height": 900})
    assert width_problems(visit.page) == []
    assert accessibility_problems(visit.page) == [] and visit.errors == []
