"""What happens to a reader's page: slow networks and none, a phone, Stop in a chapter."""

import re
import shutil

import pytest
from browsing import visiting, width_problems
from reader import PATIENCE, Exercise, serving

PAGE = "chapters/perceptron.html"
RIGHT = "check.by_hand((2, 3), 5)"
DRAW = "import random\nrandom.random()"

LISTEN = """() => {
    window.said = [];
    for (const place of document.querySelectorAll(".hs-status"))
        new MutationObserver(() => said.push(place.textContent))
            .observe(place, {childList: true});
}"""


def test_while_python_comes_the_page_says_how_much_of_it_is_here(browser, site):
    slow = (".wasm", "stdlib.zip", "numpy-2.4.3-cp314-cp314-pyemscripten_2026_0_wasm32.whl")
    with serving(site, slow=slow) as root, visiting(browser, root, PAGE) as visit:
        exercise = Exercise(visit.page, "by_hand")
        assert re.match(r"Fetches Python, 1\d MB, once\.", exercise.status)
        visit.page.evaluate(LISTEN)
        exercise.open()
        exercise.start(RIGHT)
        assert exercise.finish().startswith("Right. ")
        said = visit.page.evaluate("said")
    came = [re.search(r"loading Python, (\d+) of (\d+) MB", words) for words in said]
    assert len({found[1] for found in came if found}) >= 5
    assert {found[2] for found in came if found} == {"13"}
    first = said.index("Getting Python ready: starting Python …")
    assert said.index("Running …", said.index("Running …") + 1) > first
    asked = said.index("Running …")  # by the click, and at once the truth
    assert said[asked + 1].startswith("Getting Python ready: loading")


def test_without_a_network_the_button_says_so_and_works_when_it_is_back(browser, site):
    with serving(site) as root, visiting(browser, root, PAGE) as visit:
        exercise = Exercise(visit.page, "by_hand")
        visit.page.context.set_offline(True)
        exercise.button("Edit and run").click()
        exercise.cell.get_by_text("The book's server does not answer.").wait_for()
        visit.page.context.set_offline(False)
        exercise.open()


def test_a_package_that_is_lost_fails_one_run(browser, site):
    lost = ["sympy-1.14.0-py3-none-any.whl"]
    with serving(site, lost=lost) as root, visiting(browser, root, PAGE) as visit:
        exercise = Exercise(visit.page, "by_hand").open()
        exercise.run(RIGHT)
        (worker,) = visit.page.workers
        assert exercise.run("import sympy") == ""
        assert exercise.status.startswith("The package sympy could not be fetched.")
        assert exercise.run(RIGHT).startswith("Right. ")
        lost.clear()
        assert exercise.run("import sympy\nsympy.Integer(2)") == "2"
        assert visit.page.workers == [worker]


def test_on_a_phone_nothing_is_cut_and_nothing_jumps_on_a_desktop(browser, site):
    with serving(site) as root, visiting(browser, root, PAGE) as visit:
        exercise = Exercise(visit.page, "certificate")
        top = "(cell) => cell.nextElementSibling.getBoundingClientRect().top + scrollY"
        before = exercise.cell.evaluate(top)
        exercise.open()
        assert abs(exercise.cell.evaluate(top) - before) <= 2
        visit.page.set_viewport_size({"width": 390, "height": 800})
        size = "(e) => parseFloat(getComputedStyle(e).fontSize)"
        assert exercise.cell.locator(".cm-content").evaluate(size) >= 16
        exercise.run(f'"{"long " * 30}{"x" * 300}"')
        wide = "(e) => e.scrollWidth > e.clientWidth + 1"
        for part in (".cm-scroller", ".cell_output pre"):
            assert not exercise.cell.locator(part).evaluate(wide), part
        assert width_problems(visit.page) == []


@pytest.mark.slow
def test_after_stop_a_chapter_goes_on_with_stored_pictures(browser, site):
    with serving(site) as root, visiting(browser, root, PAGE) as visit:
        page = visit.page
        page.set_default_timeout(PATIENCE)
        head = page.locator(".hs-bar").first
        promised = int(re.search(r"(\d+) MB", head.inner_text())[1])
        exercise = Exercise(page, "by_hand").open()
        page.evaluate(LISTEN)
        head.get_by_role("button", name="Run this chapter").click()
        live = page.locator(".hs-moving:not([data-number])").first
        live.locator("input").press("ArrowRight")
        page.wait_for_function(
            "(box) => { const told = box.querySelector('[role=status]').textContent;"
            " return told && told === box.querySelector('figcaption').textContent; }",
            arg=live.element_handle(),
        )
        said = page.evaluate("said")
        sizes = dict(re.findall(r"loading ([\w-]+), \d+ of (\d+) MB", " ".join(said)))
        assert set(sizes) >= {"scipy", "matplotlib", "sympy", "scikit-learn"}
        assert sum(map(int, sizes.values())) <= promised + 2
        exercise.start("while True: pass")
        exercise.button("Stop").click()
        exercise.finish()
        assert live.count() == 0
        assert "Pictures are the stored ones again" in head.inner_text()
        stored = page.locator(".hs-moving").first
        stored.locator("input").press("ArrowRight")
        assert "Error" not in stored.inner_text()
        cell = page.get_by_role("button", name="Run cell 2", exact=True)
        cell.click()  # after the one before it, whose names it may need
        page.locator(".hs-button[aria-label='Run cell 2'][aria-disabled=false]").wait_for()
        assert "NameError" not in page.locator(".bd-article").inner_text()
        assert visit.complaints == []


@pytest.fixture
def copy(site, tmp_path):
    """A site of which one page can be changed."""
    for path in site.iterdir():
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / "chapters").unlink()
    (tmp_path / "chapters").mkdir()
    shutil.copy(site / PAGE, tmp_path / PAGE)
    return tmp_path


def test_what_was_visited_works_without_a_server_and_a_new_edition_is_seen(browser, copy):
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    with serving(copy) as root:
        page.goto(f"{root}/{PAGE}")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
        exercise = Exercise(page, "by_hand").open()
        drawn = exercise.run(DRAW)
        said = exercise.run(RIGHT)
        text = (copy / PAGE).read_text()
        (copy / PAGE).write_text(text.replace("</h1>", ", again</h1>"))
        page.reload()
        assert "again" in page.locator("article h1").inner_text()
    assert said.startswith("Right. ")
    page.reload()
    assert "again" in page.locator("article h1").inner_text()
    fonts = page.evaluate("document.fonts.ready.then((f) => [...f].map((e) => e.status))")
    assert "loaded" in fonts and "error" not in fonts
    exercise = Exercise(page, "by_hand").open()
    assert exercise.run(RIGHT) == said
    assert exercise.run(DRAW) != drawn
    context.close()
