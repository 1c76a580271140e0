"""A figure that is grabbed, by real mouse, fingers and keys."""

import re

import pytest
from browsing import access_problems, visiting, width_problems
from reader import PATIENCE
from serving import serving

PAGE = "chapters/svm.html"
POINT = "point {}, {} 1, at {} and {}"


class Figure:
    """The first grabbed figure of a page: what a reader sees of it."""

    def __init__(self, page):
        page.set_default_timeout(PATIENCE)
        page.wait_for_selector(".hs-grabbable")
        self.page, self.box = page, page.locator(".hs-grab").first
        self.box.evaluate("(e) => e.scrollIntoView({block: 'center', behavior: 'instant'})")

    def points(self) -> list[str]:
        return self.box.locator(".hs-grip").evaluate_all(
            "(all) => all.map((e) => e.ariaLabel)"
        )

    def middle(self, number) -> tuple[float, float]:
        """Of a point on the screen."""
        box = self.box.locator(".hs-size > path").nth(number - 1).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def text(self, what) -> str:
        return self.box.locator(what).text_content()

    def button(self, name):
        return self.box.get_by_role("button", name=name, exact=True)

    def wait(self, condition, arg=None):
        """For a condition of the element."""
        self.page.wait_for_function(
            f"([box, arg]) => ({condition})(box, arg)", arg=[self.box.element_handle(), arg]
        )

    def answered(self):
        self.wait("(box) => box.dataset.frames && !box.matches('.hs-late')")

    def has(self, *points):
        """Wait until it has these points, and no others."""
        self.wait(
            "(box, arg) => JSON.stringify([...box.querySelectorAll('.hs-grip')]"
            ".map((e) => e.ariaLabel)) === JSON.stringify(arg)",
            list(points),
        )

    def focused(self) -> str:
        return self.page.evaluate(
            "document.activeElement.ariaLabel || document.activeElement.textContent"
        )

    def start(self):
        self.button("Start over").click()
        self.has(*START)


START = [
    POINT.format(1, "plus", 2, 1),
    POINT.format(2, "plus", 2, "−1"),
    POINT.format(3, "minus", 0, 0),
    POINT.format(4, "minus", "−1", 1),
]


@pytest.fixture(scope="module")
def reading(browser, site):
    with serving(site) as root, visiting(browser, root, PAGE) as visit:
        asked = []
        visit.page.on("request", lambda request: asked.append(request.url))
        yield visit, Figure(visit.page), asked


@pytest.fixture
def figure(reading):
    return reading[1]


def test_the_point_moves_before_python_is_there(reading):
    visit, figure, asked = reading
    assert asked == [] and "17 MB" in figure.text(".hs-help")
    assert figure.points() == START
    left = figure.middle(1)[0]
    visit.page.mouse.move(*figure.middle(1))
    visit.page.mouse.down()
    visit.page.mouse.move(left + 30, figure.middle(1)[1])
    assert figure.middle(1)[0] == pytest.approx(left + 30, abs=1)
    assert "hs-late" in figure.box.get_attribute("class")
    figure.wait("(box) => /Getting Python ready: loading .* MB/.test(box.innerText)")
    figure.answered()
    assert figure.middle(1)[0] == pytest.approx(left + 30, abs=1)
    assert figure.points()[0] != START[0] and figure.points()[1:] == START[1:]
    visit.page.mouse.up()
    names = " ".join(asked)
    assert "numpy" in names and not re.search("scipy|sympy|matplotlib|scikit", names)
    figure.start()


def test_what_follows_is_what_mlcore_computes(figure):
    """By hand in the chapter: at C = 0.4 the line is x = 3/4, and half of the width 5/4."""
    slider = figure.box.get_by_role("slider")
    slider.press("Home")
    for _ in range(91):  # of 200 steps between 0.15 and 0.7
        slider.press("ArrowRight")
    figure.wait("(box) => box.querySelector('.hs-numbers b').textContent === '1.25'")
    assert slider.get_attribute("aria-valuetext") == "0.4"
    figure.start()
    assert figure.text("output") == "0.15"


def test_keys_move_flip_delete_and_go_to_the_next_point(figure):
    keys = figure.page.keyboard
    figure.box.get_by_role("slider").focus()
    keys.press("Shift+Tab")
    assert figure.focused() == START[0]
    keys.press("ArrowRight")
    keys.press("Shift+ArrowUp")
    moved = POINT.format(1, "plus", "2.06", "1.22")
    figure.has(moved, *START[1:])
    keys.press("n")
    assert figure.focused() == START[1]
    keys.press("Enter")
    figure.has(moved, POINT.format(2, "minus", 2, "−1"), *START[2:])
    assert figure.focused() == POINT.format(2, "minus", 2, "−1")
    keys.press("p")
    keys.press("Delete")
    three = [POINT.format(1, "minus", 2, "−1"), POINT.format(2, "minus", 0, 0)]
    three.append(POINT.format(3, "minus", "−1", 1))
    figure.has(*three)
    assert figure.focused() == three[0]
    figure.start()


def test_a_figure_is_two_stops_of_tab_and_its_sliders(figure):
    keys, seen = figure.page.keyboard, []
    figure.box.locator(".hs-grip").first.focus()
    for _ in range(3):
        seen.append(figure.focused())
        keys.press("Tab")
    assert [seen[0], seen[2]] == [START[0], "Add"]
    assert not figure.box.evaluate("(box) => box.contains(document.activeElement)")
    keys.press("Shift+Tab")
    keys.press("ArrowRight")
    assert figure.focused() == "Flip"


def test_what_happened_is_said_once_when_things_rest(figure):
    status = figure.box.locator("[role=status]")
    figure.wait("(box) => box.querySelector('[role=status]').textContent")  # of before
    figure.box.locator(".hs-grip").first.focus()
    status.evaluate(
        "(e) => { window.said = []; new MutationObserver(() => e.textContent && "
        "said.push(e.textContent)).observe(e, {childList: true}); }"
    )
    for _ in range(6):
        figure.page.keyboard.press("ArrowLeft")
    figure.page.wait_for_function("() => said.length")
    figure.page.wait_for_timeout(1500)
    said, *more = figure.page.evaluate("said")
    assert more == []
    assert said == f"{figure.points()[0]}. {figure.text('figcaption > span:last-child')}"
    figure.start()


def test_a_refusal_is_a_sentence_and_start_over_goes_on(figure):
    page = figure.page
    page.mouse.click(*figure.middle(1))
    for left in (3, 2):
        figure.button("Delete").click()
        figure.wait("(box, n) => box.querySelectorAll('.hs-grip').length === n", left)
    figure.wait("(box) => box.matches('.hs-refused')")
    assert "y must" in figure.text("[role=status]")
    assert "Traceback" not in figure.text("[role=status]")
    figure.start()
    assert "y must" not in figure.text("[role=status]")


def test_delete_asks_for_a_point_first(figure):
    figure.start()
    figure.button("Delete").click()
    assert "First choose a point" in figure.text("[role=status]")
    assert figure.points() == START


def test_a_goal_is_reached_and_left(figure):
    assert figure.text(".hs-goal b") == "Goal"
    for number in (2, 3):  # what is left: one point of each label, both inside the street
        figure.page.mouse.click(*figure.middle(number))
        figure.button("Delete").click()
        figure.wait("(box, n) => box.querySelectorAll('.hs-grip').length === n", 5 - number)
    figure.wait("(box) => box.querySelector('.hs-goal b').textContent === 'Goal reached'")
    figure.box.get_by_role("slider").press("End")
    figure.wait("(box) => /before/.test(box.querySelector('.hs-goal b').textContent)")
    figure.start()
    assert figure.text(".hs-goal b") == "Goal"


def test_a_double_click_adds_and_the_axes_stay(figure):
    axes = figure.box.locator(".hs-axes").inner_html()
    x, y = figure.middle(2)
    figure.page.mouse.dblclick(x + 60, y)
    figure.wait("(box) => box.querySelectorAll('.hs-grip').length === 5")
    assert figure.middle(5) == pytest.approx((x + 60, y), abs=1.5)
    figure.page.mouse.move(*figure.middle(5))
    figure.page.mouse.down()
    figure.page.mouse.move(x + 900, y - 900, steps=5)
    figure.page.mouse.up()
    figure.has(*START, POINT.format(5, "plus", "4.2", "2.2"))
    assert figure.box.locator(".hs-axes").inner_html() == axes
    figure.start()


def test_everyone_can_use_it(reading):
    visit, _, _ = reading
    problems = access_problems(visit.page)
    assert [p for p in problems if "hs-g" in p or "points" in p] == []
    assert visit.complaints == [] and visit.outside == []


def test_a_slider_ends_where_the_run_does(browser, server):
    with visiting(browser, server, "chapters/perceptron.html") as visit:
        figure = Figure(visit.page)
        slider = figure.box.get_by_role("slider")
        updates = figure.text(".hs-numbers li:first-child b")
        assert slider.get_attribute("max") == updates == figure.text("output")
        assert f"Update {updates} of {updates}." in figure.text("figcaption")


# ------------------------------------------------------------------------- phone, paper


@pytest.fixture(scope="module")
def phone(browser, site):
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True
    )
    with serving(site) as root:
        page = context.new_page()
        page.goto(f"{root}/{PAGE}")
        yield Figure(page), context.new_cdp_session(page)
    context.close()


def swipe(cdp, place, by, steps=12):
    (x, y), (dx, dy) = place, by
    for k in range(steps + 1):
        kind = "touchMove" if k else "touchStart"
        now = [{"x": x + dx * k / steps, "y": y + dy * k / steps}]
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": now})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_drags_a_point_and_scrolls_beside_it(phone):
    figure, cdp = phone
    page = figure.page
    x, y = figure.middle(1)
    top = page.evaluate("scrollY")
    swipe(cdp, (x + 8, y - 8), (30, 40))  # a finger is not exact
    figure.answered()
    assert page.evaluate("scrollY") == top
    assert figure.middle(1) == pytest.approx((x + 30, y + 40), abs=3)
    swipe(cdp, (x + 60, y + 60), (0, -120))
    page.wait_for_function("(top) => scrollY > top + 40", arg=top)


def test_targets_are_large_and_nothing_is_wider_than_a_phone(phone):
    figure, _ = phone
    for what in (".hs-reach", "button"):
        box = figure.box.locator(what).first.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    size = "(e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a"
    assert figure.box.locator(".hs-axes text").first.evaluate(size) >= 11.5
    assert width_problems(figure.page) == []


def test_on_paper_it_is_a_still(figure):
    figure.page.emulate_media(media="print")
    assert figure.box.locator("svg").is_visible()
    assert not figure.button("Start over").is_visible()
    assert not figure.box.locator(".hs-help").is_visible()
    figure.page.emulate_media(media="screen")


def test_without_a_script_it_is_a_still(browser, server):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server}/{PAGE}")
    box = page.locator(".hs-grab").first
    assert box.locator("svg").is_visible() and box.locator("figcaption").is_visible()
    assert not box.get_by_text("can be grabbed").is_visible()
    assert not box.locator("button").first.is_visible()
    context.close()


def test_from_a_folder_it_says_what_to_do(browser, site):
    with visiting(browser, site.as_uri(), PAGE) as visit:
        assert "make serve" in visit.page.locator(".hs-grab .hs-help").first.inner_text()
        assert visit.complaints == []


@pytest.mark.slow
def test_it_is_grabbed_after_its_chapter_was_run_and_changed(browser, server):
    with visiting(browser, server, "chapters/geometry.html") as visit:
        figure = Figure(visit.page)
        visit.page.get_by_role("button", name="Run this chapter").click()
        visit.page.wait_for_function("() => document.documentElement.dataset.chapterRuns")
        before = figure.points()
        figure.box.locator(".hs-grip").first.press("Shift+ArrowRight")
        figure.answered()
        assert figure.points()[0] != before[0] and figure.points()[1:] == before[1:]
        assert not figure.box.evaluate("(box) => box.matches('.hs-refused')")
        assert visit.complaints == []
