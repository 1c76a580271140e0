"""The page Playground, by clicks: points that are pasted, taken, sent by an address."""

import inspect
import re

import pytest
from browsing import access_problems, visiting, width_problems
from reader import PASTE, PATIENCE
from serving import serving

import mlcore.book.hypotheses as hypotheses

PAGE = "chapters/playground.html"
PASTED = "size;weight;kind\n150;50,5;cat\n160;60;cat\n180;80;dog\n190;75;dog\n"


class Playground:
    """What a reader sees and does."""

    def __init__(self, page):
        page.set_default_timeout(PATIENCE)
        page.wait_for_selector(".hs-own:visible")
        self.page, self.box = page, page.locator(".hs-grab")

    def press(self, name):
        self.box.get_by_role("button", name=name, exact=True).click()

    def says(self) -> str:
        return self.box.locator(".hs-own [role=status]").text_content()

    def show(self, text, answer):
        """Paste a text, and wait for an answer that has these words."""
        self.box.locator("textarea").evaluate(PASTE, text)
        self.reads(".hs-own p", answer)

    def wait(self, condition, arg=None):
        self.page.wait_for_function(condition, arg=arg)

    def reads(self, what, words):
        """Wait until an element has these words."""
        there = (
            "([what, words]) => document.querySelector(what).textContent.includes(words)"
        )
        self.wait(there, [what, words])

    def points(self) -> list[str]:
        return self.box.locator(".hs-grip").evaluate_all(
            "(all) => all.map((e) => e.ariaLabel)"
        )

    def has(self, count):
        self.wait("(n) => document.querySelectorAll('.hs-grip').length === n", count)

    def notes(self) -> str:
        return self.box.locator(".hs-notes").text_content()

    def choose(self, look, method):
        self.box.get_by_label(look).select_option(label=method)
        self.reads(".hs-notes", method)


@pytest.fixture(scope="module")
def reading(browser, site):
    with serving(site) as root, visiting(browser, root, PAGE) as visit:
        asked = []
        visit.page.on("request", lambda request: asked.append(request.url))
        yield visit, Playground(visit.page), asked


@pytest.fixture
def own(reading):
    return reading[1]


def test_a_table_is_pasted_and_its_points_are_grabbed(reading):
    visit, own, asked = reading
    assert "pyodide" not in " ".join(asked) and len(own.points()) == 12
    own.box.locator("textarea").evaluate(PASTE, "0,0,-1\n1,1,1")
    own.show(PASTED, "4 points")  # before Python was there to read the first text
    assert own.points()[0] == "point 1, minus 1, at 150 and 50.5"
    assert "weight" in own.box.locator(".hs-axes").text_content()
    assert "A line separates these 4 points" in own.box.locator("figcaption").text_content()
    own.box.locator(".hs-grip").first.press("Shift+ArrowRight")
    own.wait("() => !document.querySelector('.hs-grip').ariaLabel.includes('at 150 ')")
    names = " ".join(asked)
    assert "numpy" in names and not re.search("scipy|sympy|matplotlib|scikit", names)
    assert "150" not in names and visit.outside == [] and visit.complaints == []


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("words, and no numbers", "at least two rows"),
        ("1,2\n3,4", "two numbers and a label"),
        ("1,2,a\n3,4,a", "one label"),
        ("1,2,a\n" * 10_000, "10,000 rows"),
    ],
    ids=["text", "missing column", "one class", "many"],
)
def test_another_text_gets_a_sentence_and_the_points_stay(own, text, sentence):
    before = own.points()
    own.show(text, sentence)
    own.wait("() => !document.querySelector('.hs-grab').matches('.hs-refused')")
    assert own.points() == before


def test_a_theorem_lets_go_by_name(own):
    own.box.locator("textarea").fill("0,0,-1\n1,1,1")
    own.press("Show these points")
    own.reads(".hs-own p", "2 points")
    own.choose("dashed", "perceptron")
    assert "at most R²/γ²" in own.notes()
    own.show("0,0,1\n1,1,1\n1,0,-1\n0,1,-1", "4 points")
    broken = own.box.locator(".hs-broken", has_text="Novikoff")
    assert "no margin" in broken.text_content()
    assert broken.locator("a").get_attribute("href") == "perceptron.html#thm-novikoff"
    assert "0.5 x₁ + 0.5 x₂ = 0.5 x₃ + 0.5 x₄" in own.notes()


def test_every_theorem_is_where_the_link_leads(site):
    links = re.findall(r'"(\w+\.html)#([\w-]+)"', inspect.getsource(hypotheses))
    assert len(links) > 8
    for page, name in links:
        assert f'id="{name}"' in (site / "chapters" / page).read_text(), name


def test_the_address_holds_points_and_methods(own, browser):
    own.show(PASTED, "4 points")
    own.choose("dotted", "least squares")
    own.press("Copy the address")
    own.wait("() => location.hash.includes('points=')")
    page = browser.new_page()
    page.goto(own.page.url)
    other = Playground(page)
    other.wait(
        "() => document.querySelector('.hs-notes').textContent.includes('least squares')"
    )
    assert other.points() == own.points() and other.notes() == own.notes()
    page.close()


def test_one_button_of_a_figure_takes_its_points_there(reading, browser):
    page = browser.new_page()
    page.goto(f"{reading[0].root}/chapters/svm.html")
    figure = page.locator(".hs-grab").first
    there = [e.get_attribute("aria-label") for e in figure.locator(".hs-grip").all()]
    figure.get_by_role("button", name="Take these points to the Playground").click()
    other = Playground(page)
    other.has(4)
    assert other.points() == there
    assert page.get_by_role("button", name="Take these points").count() == 0
    page.close()


def test_everyone_can_use_it(reading):
    visit, *_ = reading
    assert width_problems(visit.page, 390) == []
    assert access_problems(visit.page) == [] and visit.complaints == []


def test_without_a_script_and_on_paper_it_stands_still(reading, browser):
    visit, own, _ = reading
    visit.page.emulate_media(media="print")
    assert (
        own.box.locator("svg").is_visible() and not own.box.locator("textarea").is_visible()
    )
    visit.page.emulate_media(media="screen")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{visit.root}/{PAGE}")
    assert page.locator(".hs-grab svg").is_visible()
    assert page.locator(".hs-notes a").first.is_visible()
    assert not page.locator("textarea").is_visible()
    context.close()
