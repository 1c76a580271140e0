"""Interactive figures, driven by real mouse, touch and key events."""

import re

import pytest

from tests.helpers.browsing import width_problems
from tests.site.in_page.reader import Figure

PAGE = "chapters/svm.html"
POINT = "point {}, {} 1, at {} and {}"
POINTS = ("plus", 2, 1), ("plus", 2, "−1"), ("minus", 0, 0), ("minus", "−1", 1)
START = [POINT.format(number, *point) for number, point in enumerate(POINTS, 1)]


@pytest.fixture(scope="module")
def loading(visit):
    """The figure before Python is loaded."""
    return Figure(visit.page)


@pytest.fixture
def figure(loading):
    """The figure in its initial state, with Python loaded."""
    loading.button("Start over").click()
    loading.wait_for_points(*START)
    return loading


def test_point_moves_before_python_is_loaded(visit, loading):
    figure = loading
    assert "pyodide" not in " ".join(visit.requests)
    assert "17 MB" in figure.text(".hs-help")
    assert figure.points() == START
    x, y = figure.center(1)
    visit.page.mouse.move(x, y)
    visit.page.mouse.down()
    visit.page.mouse.move(x + 30, y)
    assert figure.center(1)[0] == pytest.approx(x + 30, abs=1)
    assert "hs-waiting" in figure.box.get_attribute("class")
    figure.wait("(box) => /Getting Python ready: loading .* MB/.test(box.innerText)")
    figure.wait_for_frame()
    assert figure.center(1)[0] == pytest.approx(x + 30, abs=1)
    assert figure.points()[0] != START[0] and figure.points()[1:] == START[1:]
    visit.page.mouse.up()
    urls = " ".join(visit.requests)
    assert "numpy" in urls and not re.search("scipy|sympy|matplotlib|scikit", urls)


def test_figure_shows_the_margin_computed_by_mlcore(figure):
    """The chapter derives the line x = 3/4 at C = 0.4, so half the width is 5/4."""
    figure.slider.focus()
    # step 91 of 200 between 0.15 and 0.7
    for key in ["Home", *["PageUp"] * 4, *["ArrowRight"] * 11]:
        figure.page.keyboard.press(key)
    figure.wait_for_text(".hs-numbers b", "1.25")
    assert figure.slider.get_attribute("aria-valuetext") == "0.4"
    figure.button("Start over").click()
    figure.wait_for_text("output", "0.15")


def test_keys_move_flip_delete_and_select_points(figure):
    keys = figure.page.keyboard
    figure.slider.focus()
    keys.press("Shift+Tab")
    assert figure.focused() == START[0]
    keys.press("ArrowRight")
    keys.press("Shift+ArrowUp")
    first = POINT.format(1, "plus", "2.06", "1.22")
    figure.wait_for_points(first, *START[1:])
    keys.press("n")
    assert figure.focused() == START[1]
    keys.press("Enter")
    figure.wait_for_points(first, POINT.format(2, "minus", 2, "−1"), *START[2:])
    assert figure.focused() == POINT.format(2, "minus", 2, "−1")
    keys.press("p")
    keys.press("Delete")
    rest = ("minus", 2, "−1"), *POINTS[2:]
    figure.wait_for_points(*(POINT.format(k, *point) for k, point in enumerate(rest, 1)))
    assert figure.focused() == POINT.format(1, *rest[0])


def test_points_buttons_and_slider_are_three_tab_stops(figure):
    keys, stops = figure.page.keyboard, []
    figure.box.locator(".hs-handle").first.focus()
    for _ in range(3):
        stops.append(figure.focused())
        keys.press("Tab")
    assert [stops[0], stops[2]] == [START[0], "Add"]
    assert not figure.box.evaluate("(box) => box.contains(document.activeElement)")
    keys.press("Shift+Tab")
    keys.press("ArrowRight")
    assert figure.focused() == "Flip"


@pytest.mark.slow
def test_change_is_announced_once(figure):
    status = figure.box.locator("[role=status]")
    figure.box.locator(".hs-handle").first.press("ArrowLeft")  # loads Python
    figure.wait_for_frame()
    figure.page.wait_for_timeout(1000)  # for its announcement
    status.evaluate(
        "(e) => { window.announced = []; new MutationObserver(() => e.textContent && "
        "announced.push(e.textContent)).observe(e, {childList: true}); }"
    )
    for _ in range(6):
        figure.page.keyboard.press("ArrowLeft")
    figure.page.wait_for_function("() => announced.length")
    figure.page.wait_for_timeout(1000)
    announcement, *others = figure.page.evaluate("announced")
    assert others == []
    numbers = figure.box.locator(".hs-numbers b").all_text_contents()
    assert announcement.startswith("point 1, plus 1. ") and numbers[0] in announcement


def test_click_moves_the_selected_point_and_escape_undoes_the_move(figure):
    mouse, (x, y) = figure.page.mouse, figure.center(1)
    mouse.click(x + 60, y - 20)
    figure.page.wait_for_timeout(500)
    assert figure.points() == START  # no point was selected
    mouse.click(x, y)
    mouse.click(x + 60, y - 20)
    figure.wait("(box) => box.querySelector('.hs-handle').ariaValueText !== '2 and 1'")
    assert figure.center(1) == pytest.approx((x + 60, y - 20), abs=1)
    assert figure.points()[1:] == START[1:] and figure.focused() == figure.points()[0]
    figure.wait_for_text("[role=status]", "point 1, plus 1. ")  # announced
    figure.page.keyboard.press("Escape")
    figure.wait_for_points(*START)
    mouse.click(x, y)
    mouse.dblclick(x + 60, y - 20)  # adds a point, and moves none
    figure.wait_for_count(5)
    assert figure.points()[:4] == START


def test_start_over_clears_an_error_message(figure):
    figure.button("Delete").click()
    assert "First choose a point" in figure.text("[role=status]")
    assert figure.points() == START
    figure.page.mouse.click(*figure.center(1))
    for count in (3, 2):
        figure.button("Delete").click()
        figure.wait_for_count(count)
    figure.wait("(box) => box.matches('.hs-invalid')")
    assert "All points have the same label" in figure.text("[role=status]")
    assert "Traceback" not in figure.text("[role=status]")
    figure.button("Start over").click()
    figure.wait_for_points(*START)
    assert "same label" not in figure.text("[role=status]")


def test_reached_goal_is_marked(figure):
    assert figure.text(".hs-goal b") == "Goal"
    for number in (2, 3):  # one point of each label is left, both inside the margin
        figure.page.mouse.click(*figure.center(number))
        figure.button("Delete").click()
        figure.wait_for_count(5 - number)
    figure.wait_for_text(".hs-goal b", "Goal reached")
    figure.slider.press("End")
    figure.wait_for_text(".hs-goal b", "before")
    figure.button("Start over").click()
    figure.wait_for_count(4)
    assert figure.text(".hs-goal b") == "Goal"


def test_double_click_adds_a_point_and_keeps_the_axes(figure, visit):
    axes = figure.box.locator(".hs-axes").inner_html()
    x, y = figure.center(2)
    figure.page.mouse.dblclick(x + 60, y)
    figure.wait_for_count(5)
    assert figure.center(5) == pytest.approx((x + 60, y), abs=1.5)
    figure.page.mouse.move(*figure.center(5))
    figure.page.mouse.down()
    figure.page.mouse.move(x + 900, y - 900, steps=5)
    figure.page.mouse.up()
    figure.wait_for_points(*START, POINT.format(5, "plus", "4.2", "2.2"))
    assert figure.box.locator(".hs-axes").inner_html() == axes
    assert visit.errors == [] and visit.external == []  # in all tests above


def swipe(cdp, x, y, dx, dy):
    touches = [[{"x": x + dx * k / 12, "y": y + dy * k / 12}] for k in range(13)]
    types = ["touchStart", *["touchMove"] * 12, "touchEnd"]
    for type_, points in zip(types, [*touches, []], strict=True):
        cdp.send("Input.dispatchTouchEvent", {"type": type_, "touchPoints": points})


@pytest.mark.slow
def test_touch_drags_points_and_scrolls_elsewhere(visit):
    page = visit.page
    page.set_viewport_size({"width": 390, "height": 800})
    cdp = page.context.new_cdp_session(page)
    cdp.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    page.reload()
    figure = Figure(page)
    assert width_problems(page) == []
    for selector in (".hs-hit-area", "button"):
        box = figure.box.locator(selector).first.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    size = "(e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a"
    assert figure.box.locator(".hs-axes text").first.evaluate(size) >= 11.5
    x, y = figure.center(1)
    top = page.evaluate("scrollY")
    swipe(cdp, x + 8, y - 8, 30, 40)  # not exactly on the point
    assert page.evaluate("scrollY") == top
    assert figure.center(1) == pytest.approx((x + 30, y + 40), abs=3)
    swipe(cdp, x + 60, y + 60, 0, -120)
    page.wait_for_function("(top) => scrollY > top + 40", arg=top)
