"""Tooltips with the glossary's definitions."""

import pytest

from tests.helpers.browsing import accessibility_problems, open_page

TERM = "a:has(> .std-term)"
OPEN = ".hs-tip.hs-open"
PATH = "chapters/background.html"
IS_VISIBLE = """(box) => getComputedStyle(box).visibility === "visible"
    && box.getBoundingClientRect().left >= 0
    && box.getBoundingClientRect().right <= document.documentElement.clientWidth"""


@pytest.fixture(scope="module")
def page(browser, site):
    with open_page(browser, site.as_uri(), PATH, width=390, scheme="dark") as visit:
        yield visit.page


POSITIONS = """() => [document.documentElement.scrollHeight, document.body.scrollWidth,
    ...[...document.querySelectorAll("article p")].filter((p) => p.checkVisibility())
        .map((p) => p.getBoundingClientRect().top + scrollY)]"""


@pytest.mark.slow
def test_hover_shows_definitions_without_layout_shift(page):
    before, terms = page.evaluate(POSITIONS), page.locator(TERM)
    assert terms.count() > 5
    for term in terms.all()[:3]:
        term.hover()
        page.wait_for_selector(OPEN)
        tip = page.query_selector(OPEN)
        assert tip.evaluate(IS_VISIBLE)
        assert tip.get_attribute("id") == term.get_attribute("aria-describedby")
        page.mouse.move(0, 0)
        page.wait_for_selector(OPEN, state="detached")
    assert page.evaluate(POSITIONS) == before


def test_tooltips_are_accessible_by_keyboard(page):
    open_by_key(page)
    assert page.locator(OPEN).evaluate(IS_VISIBLE)
    page.keyboard.press("Escape")
    assert page.locator(OPEN).count() == 0


def open_by_key(page):
    page.locator(TERM).first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.wait_for_selector(OPEN)


@pytest.mark.slow
def test_open_tooltip_has_no_accessibility_problem(page):
    open_by_key(page)
    assert accessibility_problems(page) == []  # run last, since this empties formulas


@pytest.mark.slow
def test_tap_shows_tooltip_and_second_tap_follows_link(browser, server):
    phone = {"has_touch": True, "is_mobile": True}
    page = browser.new_page(viewport={"width": 390, "height": 800}, **phone)
    page.goto(f"{server}/{PATH}", wait_until="load")
    terms = page.locator(TERM)
    terms.first.tap()
    page.wait_for_selector(OPEN)
    page.wait_for_timeout(500)
    assert page.locator(OPEN).evaluate(IS_VISIBLE) and "background" in page.url
    page.locator("article h1").tap()
    assert page.locator(OPEN).count() == 0
    terms.first.tap()
    page.wait_for_selector(OPEN)
    terms.first.tap()
    page.wait_for_url("**/glossary.html#term-*")
    page.close()
