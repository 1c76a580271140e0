"""Stop a running chapter, read pages without a server, and see an updated page."""

import re
import shutil

import pytest

from tests.helpers.browsing import open_page
from tests.site.in_page.reader import LISTEN, Exercise, Figure
from tests.site.server import serve

PAGE = "chapters/perceptron.html"
pytestmark = pytest.mark.slow
RIGHT = "check.by_hand((2, 3), 5)"
RANDOM = "import random\nrandom.random()"


def test_stop_in_a_running_chapter_restores_stored_pictures(browser, site):
    with serve(site) as root, open_page(browser, root, PAGE) as visit:
        page = visit.page
        bar = page.locator(".hs-bar").first
        stated_mb = int(re.search(r"(\d+) MB", bar.inner_text())[1])
        exercise = Exercise(page, "by_hand").open()
        stored_figure = page.locator(".hs-grab").element_handle()
        page.evaluate(LISTEN)
        bar.get_by_role("button", name="Run this chapter").click()
        live = page.locator(".hs-animation:not([data-number])").first
        live.locator("input").press("ArrowRight")
        page.wait_for_function(
            "(box) => { const status = box.querySelector('[role=status]').textContent;"
            " return status && status === box.querySelector('figcaption').textContent; }",
            arg=live.element_handle(),
        )
        statuses = page.evaluate("statuses")
        sizes = dict(re.findall(r"loading ([\w-]+), \d+ of (\d+) MB", " ".join(statuses)))
        assert set(sizes) >= {"scipy", "matplotlib", "sympy", "scikit-learn"}
        assert sum(map(int, sizes.values())) <= stated_mb + 2
        page.wait_for_function("(figure) => !figure.isConnected", arg=stored_figure)
        move_a_point(Figure(page))  # the cell of the figure has run
        exercise.start("while True: pass")
        exercise.button("Stop").click()
        exercise.wait_for_output()
        assert live.count() == 0
        assert "The stored pictures are shown" in bar.inner_text()
        stored = page.locator(".hs-animation").first
        stored.locator("input").press("ArrowRight")
        assert "Error" not in stored.inner_text()
        cell = page.get_by_role("button", name="Run cell 2", exact=True)
        cell.click()  # runs the previous cell first
        page.locator(".hs-button[aria-label='Run cell 2'][aria-disabled=false]").wait_for()
        assert "NameError" not in page.locator(".bd-article").inner_text()
        assert visit.errors == []


def move_a_point(figure):
    before = figure.points()
    figure.box.locator(".hs-handle").first.press("Shift+ArrowRight")
    figure.wait_for_frame()
    assert figure.points()[0] != before[0] and figure.points()[1:] == before[1:]
    assert not figure.box.evaluate("(box) => box.matches('.hs-invalid')")


@pytest.fixture
def site_copy(site, tmp_path):
    """Links to the site, with a copy of one page that can be changed."""
    for path in site.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "chapters").unlink()
    (tmp_path / "chapters").mkdir()
    shutil.copy(site / PAGE, tmp_path / PAGE)
    return tmp_path


def test_visited_pages_work_offline_and_updates_appear(browser, site_copy):
    page = browser.new_page()
    with serve(site_copy) as root:
        page.goto(f"{root}/{PAGE}")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
        exercise = Exercise(page, "by_hand").open()
        number = exercise.run(RANDOM)
        verdict = exercise.run(RIGHT)
        text = (site_copy / PAGE).read_text()
        (site_copy / PAGE).write_text(text.replace("</h1>", ", updated</h1>"))
        page.reload()
        assert "updated" in page.locator("article h1").inner_text()
    assert verdict.startswith("Right. ")
    page.reload()
    assert "updated" in page.locator("article h1").inner_text()
    fonts = page.evaluate("document.fonts.ready.then((f) => [...f].map((e) => e.status))")
    assert "loaded" in fonts and "error" not in fonts
    exercise = Exercise(page, "by_hand").open()
    assert exercise.run(RIGHT) == verdict
    assert exercise.run(RANDOM) != number
    page.close()
