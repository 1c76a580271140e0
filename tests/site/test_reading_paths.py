"""The path that a reader chooses on the first page, from Begin to its end."""

import re
from urllib.parse import urljoin, urlsplit

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


LINE = r'<p class="hs-path" data-path="(\w+)" data-stop="(\d+)" hidden>(.*?)</p>'


def test_each_stop_of_every_path_links_to_the_next(site):
    starts, links = {}, {}  # (path, number of the stop): page of its start, and of its link
    for page in (site / "chapters").rglob("*.html"):
        for path, stop, text in re.findall(LINE, page.read_text("utf-8")):
            if link := re.search('href="([^"]+)"', text):
                links[path, int(stop)] = urlsplit(urljoin(page.as_uri(), link[1])).path
            else:
                starts[path, int(stop)] = str(page)
    assert {path for path, _ in starts} == {"hours", "week", "term"}
    assert starts.keys() == links.keys()
    for (path, stop), target in links.items():
        assert target == starts.get((path, stop + 1), str(site / FIRST)), (path, stop)


@pytest.mark.slow
def test_reader_walks_a_path_to_its_end(page):
    choose(page, "hours")
    count = int(re.search(r"stop 1 of (\d+)", " ".join(path_lines(page)))[1])
    for stop in range(1, count + 1):
        line = page.locator(f".hs-path[data-stop='{stop}']").filter(visible=True).first
        line.wait_for()
        page.evaluate("document.fonts.ready.then(() => 0)")  # the layout is stable
        assert f"stop {stop} of {count}" in line.inner_text()
        # the previous link scrolled to the heading of this stop
        assert 40 < line.bounding_box()["y"] < 500
        page.locator(f".hs-path[data-stop='{stop}'] a").filter(visible=True).click()
    page.wait_for_url(f"**/{FIRST}*")
    page.locator(".hs-begin > [data-path=hours] >> text=Read again").wait_for()
    assert page.locator("a.hs-stop").count() == count == 38
    assert page.locator("a.hs-stop.hs-done").count() == count


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
    page.goto(f"{server}/{FIRST}")
    choose(page, "week")  # its stops are not those of the list
    page.locator(".hs-path[data-stop='1'] a").filter(visible=True).click()
    page.goto(f"{server}/{FIRST}")
    assert page.locator("a.hs-stop.hs-done").count() == 0
