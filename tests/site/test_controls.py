"""Accessible names, focus, sizes and shadows of the controls on a page."""

import io
import re

import numpy as np
import pytest
from PIL import Image

PATH = "chapters/perceptron.html"
slow = pytest.mark.slow


@pytest.fixture(scope="module")
def page(browser, server):
    with browser.new_page(viewport={"width": 1280, "height": 900}) as page:
        page.goto(f"{server}/{PATH}")
        yield page


@slow
def test_text_is_visible_before_scripts_load(browser, server):
    page, pending = browser.new_page(), []
    page.route(re.compile(r"\.js"), lambda route: pending.append(route))
    page.route("**/_static/inline/*.js", lambda route: route.continue_())
    page.goto(f"{server}/{PATH}", wait_until="commit")
    page.locator("article h1").wait_for()
    assert pending and not any("searchindex" in route.request.url for route in pending)
    page.close()


def test_solution_button_names_its_exercise(page):
    page.get_by_role("button", name="Show solution of exercise 3.2", exact=True).click()
    button = page.get_by_role("button", name="Hide solution of exercise 3.2", exact=True)
    assert button.get_attribute("aria-expanded") == "true"
    buttons = page.locator(".toggle-button")
    names = buttons.evaluate_all("(all) => all.map((b) => b.ariaLabel)")
    assert len(set(names)) == len(names) > 5


def test_hint_unfolds_and_contains_the_first_step(page):
    folds = page.locator(".hs-hints").first
    visible = "(all) => all.map((e) => e.checkVisibility())"
    hints = folds.locator("p")
    assert hints.evaluate_all(visible) == [False, False]
    folds.get_by_text("A hint").click()
    assert hints.evaluate_all(visible) == [True, False]
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert hints.evaluate_all(visible) == [True, True]
    assert "Example 1 has the score 0" in hints.last.inner_text()


@pytest.mark.parametrize("fold", [".hs-check", "details.hide", "details.sd-card"])
def test_fold_opens_by_click_and_closes_by_key(page, fold):
    box = page.locator(fold).first
    box.locator("> summary").click()
    assert box.evaluate("(e) => e.open")
    page.keyboard.press("Enter")
    assert not box.evaluate("(e) => e.open")


def test_downloads_have_descriptive_names(page):
    names = page.locator(".dropdown-download-buttons .dropdown-item").evaluate_all(
        "(all) => all.map((item) => item.ariaLabel)"
    )
    assert ".epub: Download the book for e-readers" in names and None not in names


def test_menu_button_keeps_the_focus_and_has_a_state(page):
    button = page.locator(".primary-toggle")
    for state in ("true", "false"):
        page.wait_for_selector(f".primary-toggle[aria-expanded={state}]")
        button.press("Enter")
        assert button.evaluate("(e) => e === document.activeElement")
    page.wait_for_selector(".primary-toggle[aria-expanded=true]")


def test_theme_button_switches_to_dark_mode(page):
    is_dark = """() => {
        const { color, backgroundColor } = getComputedStyle(document.body);
        const red = (text) => Number(text.match(/\\d+/));
        return red(color) > red(backgroundColor);
    }"""
    modes = []
    for _ in range(3):  # light, dark and the system's, which is light here
        page.locator(".theme-switch-button").filter(visible=True).click()
        modes.append(page.evaluate(is_dark))
    assert sorted(modes) == [False, False, True]


def test_slider_announces_figure_and_value(page):
    slider = page.get_by_role("slider", name="step of Figure 3.1", exact=True)
    slider.press("ArrowRight")
    area = page.locator(".hs-animation").first
    status = area.locator("p[role=status]")
    announced = status.text_content()
    assert announced == area.locator("figcaption").text_content()
    assert announced.startswith("Figure 3.1. Step 1")
    area.get_by_role("button", name="Play").click()
    page.wait_for_function("() => document.querySelector('.hs-animation input').value > 1")
    assert status.text_content() == announced  # unchanged while it plays
    area.get_by_role("button", name="Pause").click()
    caption = area.locator("figcaption").text_content()
    assert caption == status.text_content() != announced


RENDERED = "() => new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(f)))"


@slow
@pytest.mark.parametrize("selector", ["div.math", ".cell_input pre"])
def test_overflow_has_a_shadow_until_its_end(page, selector):
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 800})
    boxes = f"[...document.querySelectorAll('.bd-article {selector}')]"
    wide = "(e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 40"
    box = page.evaluate_handle(f"{boxes}.find({wide})").as_element()
    box.evaluate(
        """(box) => {
            const content = document.createElement("div");
            Object.assign(content.style, { flex: "none", width: "800px", height: "3rem" });
            box.replaceChildren(content);
        }"""
    )
    assert has_shadows(box) == (False, True)
    box.evaluate("(box) => (box.scrollLeft = 100)")
    assert has_shadows(box) == (True, True)
    box.evaluate("(box) => (box.scrollLeft = 800)")
    assert has_shadows(box) == (True, False)


def has_shadows(box) -> tuple[bool, bool]:
    """Return whether the left and right edges of an empty box differ from its middle."""
    box.evaluate(RENDERED)
    box.screenshot()  # the first one may still have the old colors
    picture = np.asarray(Image.open(io.BytesIO(box.screenshot())).convert("L"), int)
    row = picture[picture.shape[0] // 2]
    middle = row[len(row) // 2]
    return abs(row[1] - middle) > 20, abs(row[-2] - middle) > 20


def test_contents_mark_the_section_after_a_jump(page):
    marked = page.locator("#pst-page-toc-nav a.active")
    for fraction in (0.9, 0.5):
        page.evaluate("(f) => scrollTo(0, f * document.body.scrollHeight)", fraction)
        page.wait_for_function(IN_MARKED_SECTION)
        assert marked.count() == 1
    page.evaluate("scrollTo(0, 0)")
    marked.wait_for(state="detached")


IN_MARKED_SECTION = """() => {
    const link = document.querySelector("#pst-page-toc-nav a.active");
    const box = link && document.querySelector(link.hash).getBoundingClientRect();
    return box && box.top < 0.31 * innerHeight && box.bottom > 0;
}"""


# The tests below open other addresses in the page of the module, so they come last.


@pytest.mark.parametrize("anchor", ["ex-by-hand", pytest.param("thm-novikoff", marks=slow)])
def test_embed_parameter_shows_one_element_alone(page, server, anchor):
    page.goto(f"{server}/{PATH}?embed={anchor}")
    assert page.locator(f"#{anchor}").is_visible()
    assert page.get_by_role("link", name="In the book").is_visible()
    assert len(page.locator("body").inner_text()) < 1500
    run = page.get_by_role("button", name="Edit and run").filter(visible=True)
    assert run.count() == (anchor == "ex-by-hand"), page.locator("body").inner_text()


@slow
def test_embed_parameter_without_its_element_gets_a_message(page, server):
    page.goto(f"{server}/{PATH}?embed=nothing")
    text = page.locator("body").inner_text()
    assert " ".join(text.split()) == "This page has no “nothing”. In the book"


# --------------------------------------------------------------- without a browser


def test_tables_have_row_and_column_headers(site):
    plain = lambda html: re.sub("<[^>]*>", "", html).strip()  # noqa: E731
    for path in site.glob("chapters/*.html"):
        for table in re.findall("<table.*?</table>", path.read_text(), re.S):
            for attributes, name in re.findall(r"<th(\s[^>]*|)>(.*?)</th>", table, re.S):
                assert "scope=" in attributes and plain(name), (path, attributes, name)
            first_cells = re.findall(r"<tr[^>]*>\s*<td[^>]*>(.*?)</td>", table, re.S)
            if re.match(r'<table[^>]*class="[^"]*\btable\b', table):
                assert not "".join(map(plain, first_cells)), path
