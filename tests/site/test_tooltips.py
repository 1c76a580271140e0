"""Tooltips with the glossary's definitions."""

import pytest

from tests.helpers.browsing import access_problems, math_problems, visiting

WORD = "a:has(> .std-term)"
OPEN = ".hs-tip.hs-open"
PATH = "chapters/background.html"
SHOWN = """(box) => getComputedStyle(box).visibility === "visible"
    && box.getBoundingClientRect().left >= 0
    && box.getBoundingClientRect().right <= document.documentElement.clientWidth"""


@pytest.fixture(scope="module")
def page(browser, site):
    with visiting(browser, site.as_uri(), PATH, width=390, scheme="dark") as visit:
        yield visit.page


PLACES = """() => [document.documentElement.scrollHeight, document.body.scrollWidth,
    ...[...document.querySelectorAll("article p")].filter((p) => p.checkVisibility())
        .map((p) => p.getBoundingClientRect().top + scrollY)]"""


def test_hover_shows_definitions_without_layout_shift(page):
    before, words = page.evaluate(PLACES), page.locator(WORD)
    assert words.count() > 5
    for word in words.all()[:6]:
        word.hover()
        page.wait_for_selector(OPEN)
        tip = page.query_selector(OPEN)
        assert tip.evaluate(SHOWN)
        assert tip.get_attribute("id") == word.get_attribute("aria-describedby")
        page.mouse.move(0, 0)
        page.wait_for_selector(OPEN, state="detached")
    assert page.evaluate(PLACES) == before
    assert math_problems(page) == []


def test_tooltips_are_accessible_by_keyboard(page):
    page.evaluate("() => document.activeElement.blur()")
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate(f"() => document.activeElement.matches('{WORD}')"):
            break
    assert page.locator(OPEN).evaluate(SHOWN)
    page.keyboard.press("Escape")
    assert page.locator(OPEN).count() == 0
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.wait_for_selector(OPEN)
    assert access_problems(page) == []  # the last test, since this empties formulas


def test_tap_shows_tooltip_and_second_tap_follows_link(browser, server):
    phone = {"has_touch": True, "is_mobile": True}
    page = browser.new_page(viewport={"width": 390, "height": 800}, **phone)
    page.goto(f"{server}/{PATH}", wait_until="load")
    words = page.locator(WORD)
    words.first.tap()
    page.wait_for_selector(OPEN)
    page.wait_for_timeout(500)
    assert page.locator(OPEN).evaluate(SHOWN) and "background" in page.url
    page.locator("article h1").tap()
    assert page.locator(OPEN).count() == 0
    words.first.tap()
    page.wait_for_selector(OPEN)
    words.first.tap()
    page.wait_for_url("**/glossary.html#term-*")
    page.close()
