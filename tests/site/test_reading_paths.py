"""The path that a reader chooses on the first page, walked from Begin to its end."""

import re

import pytest

from tests.helpers.browsing import open_page

FIRST = "chapters/intro.html"


@pytest.fixture
def page(browser, server):
    with open_page(browser, server, FIRST) as visit:
        yield visit.page
        assert visit.errors == []


def path_lines(page) -> list[str]:
    return page.locator(".hs-path").filter(visible=True).all_inner_texts()


def choose(page, path: str) -> None:
    page.click(f".hs-begin [data-path={path}]")
    page.locator(f".hs-path[data-path={path}][data-stop='1']").first.wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["hours", "week", "term"])
def test_each_stop_leads_to_the_next(page, path):
    choose(page, path)
    count = int(re.search(r"stop 1 of (\d+)", " ".join(path_lines(page)))[1])
    for stop in range(1, count + 1):
        line = page.locator(f".hs-path[data-stop='{stop}']").filter(visible=True).first
        line.wait_for()
        page.evaluate("document.fonts.ready.then(() => 0)")  # the layout is stable
        assert f"stop {stop} of {count}" in line.inner_text()
        if path == "hours":  # the previous link scrolled to the heading of this stop
            assert 40 < line.bounding_box()["y"] < 500
        page.locator(f".hs-path[data-stop='{stop}'] a").filter(visible=True).click()
    page.wait_for_url(f"**/{FIRST}*")
    page.locator(f".hs-begin > [data-path={path}] >> text=Read again").wait_for()
    stops = page.locator("a.hs-stop").count()
    assert page.locator("a.hs-stop.hs-done").count() == (count if path == "hours" else 0)
    assert stops == 38


@pytest.mark.slow
def test_reader_can_continue_at_the_last_stop_and_leave_the_path(page, server):
    assert path_lines(page) == []
    choose(page, "hours")
    first = page.url
    page.locator(".hs-path[data-stop='1'] a").filter(visible=True).click()
    page.goto(first)
    message = "You have read this stop. Continue: Examples, labels and rules"
    assert message in path_lines(page)
    page.goto(f"{server}/chapters/sources.html")
    message = "This page is not on your path. Continue: Examples, labels and rules"
    assert path_lines(page) == [message]
    page.goto(f"{server}/chapters/geometry.html#g-best")  # after the last stop of the page
    below_heading = page.locator("#the-widest-margin > h3 + .hs-path")
    assert below_heading.inner_text() == message.replace("page", "section")
    page.goto(f"{server}/{FIRST}")
    assert page.locator("a.hs-stop.hs-done").all_inner_texts() == ["A hundred flowers"]
    page.click(".hs-begin >> text=Continue: Examples, labels and rules")
    page.wait_for_url("**/geometry.html#g-setup")
    page.goto(f"{server}/{FIRST}")
    page.click(".hs-begin >> text=Leave the path")
    assert page.locator(".hs-begin button").is_hidden()
    page.goto(f"{server}/chapters/geometry.html")
    assert path_lines(page) == []
