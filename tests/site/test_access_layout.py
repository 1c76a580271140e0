"""Layout for readers who enlarge pages, space the text, use keys or choose colors."""

import re
import string

import pytest

from sitebuild.chapters import ROOT
from tests.helpers.browsing import clipping_problems, expand_all, open_page, width_problems
from tests.site.test_pages import PAGES, PHONE, slow

GEOMETRY = "chapters/geometry"  # has an animation, points to drag and exercises
OTHERS = sorted({*PAGES, "py-modindex", "search", "404"} - {GEOMETRY})
NARROW = [GEOMETRY, *(pytest.param(name, marks=slow) for name in OTHERS)]
# The text spacing of WCAG 1.4.12.  When the window is resized, book.js measures all boxes.
SPACE_TEXT = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
        word-spacing: 0.16em !important } p { margin-bottom: 2em !important }`);
    document.adoptedStyleSheets = [sheet];
    dispatchEvent(new Event("resize"));
}"""


@pytest.fixture(scope="module")
def narrow_visit(browser, site):
    """A narrow window of a reader who prefers reduced motion."""
    with open_page(browser, site.as_uri(), "index.html", width=PHONE) as visit:
        visit.page.emulate_media(reduced_motion="reduce")
        yield visit


@pytest.fixture(scope="module", params=NARROW)
def narrow_page(narrow_visit, request):
    """A page in the narrow window, opened once for the next three tests."""
    narrow_visit.open(f"{request.param}.html")
    return narrow_visit.page


def test_text_is_read_in_the_order_on_the_screen(narrow_page):
    out_of_order = narrow_page.evaluate(
        """() => {
            const parts = "h1, h2, h3, h4, p, li, dt, dd, pre, table, figure, summary";
            const seen = [...document.querySelectorAll(`.bd-article :is(${parts})`)]
                .filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > 2);
            const top = (e) => e.getBoundingClientRect().top;
            return seen.filter((e, k) => k && top(e) < top(seen[k - 1]) - 8)
                .map((e) => e.outerHTML.slice(0, 150));
        }"""
    )
    assert out_of_order == []


def test_nothing_moves_with_reduced_motion(narrow_page):
    moving = """() => [...document.querySelectorAll("*")].filter((e) => {
        const style = getComputedStyle(e);
        return style.animationName !== "none" || parseFloat(style.transitionDuration) > 0 ||
            style.scrollBehavior !== "auto";
    }).length"""
    assert narrow_page.evaluate(moving) == 0


def test_spaced_text_fits_a_narrow_window(narrow_page):
    narrow_page.evaluate(SPACE_TEXT)
    expand_all(narrow_page)
    assert width_problems(narrow_page) + clipping_problems(narrow_page) == []


def test_wide_paragraph_is_a_tab_stop_that_scrolls(narrow_visit):
    """Punctuation does not overlap formulas; in a wide window there is no Tab stop."""
    narrow_visit.open("chapters/glossary.html")
    styles = narrow_visit.page.evaluate(
        """() => {
            const wide = (e) => e.scrollWidth > e.clientWidth + 1;
            const all = [...document.querySelectorAll(".bd-article p:has(math)")];
            return all.filter(wide).map((p) => [p.tabIndex, getComputedStyle(p).overflowX,
                [...p.querySelectorAll(".hs-keep > math")].some(wide)]);
        }"""
    )
    assert styles and styles == [[0, "auto", False]] * len(styles)
    narrow_visit.page.set_viewport_size({"width": 1280, "height": 900})
    narrow_visit.page.wait_for_function(
        "!document.querySelector('.bd-article p[tabindex]')"
    )
    narrow_visit.page.set_viewport_size({"width": PHONE, "height": 900})


# Tests nine points of the focused element.
DESCRIBE_FOCUS = """() => {
    const focused = document.activeElement, last = window.lastStop;
    if (focused === document.body) return null;
    window.lastStop = focused;
    const after = !last || last.compareDocumentPosition(focused) & 4;  // follows
    if (!after) return "back: " + focused.outerHTML.slice(0, 100);
    const isVisible = ({ left, top, width, height }) => [0.1, 0.5, 0.9].some((x) =>
        [0.2, 0.5, 0.8].some((y) => {
            const hit = document.elementFromPoint(left + x * width, top + y * height);
            return hit && (focused.contains(hit) || hit.contains(focused));
        }));
    const ring = getComputedStyle(focused.closest(".bd-search") ?? focused).outlineStyle;
    const visible = [...focused.getClientRects()].some(isVisible) && ring !== "none";
    return (visible ? "" : "hidden: ") + focused.outerHTML.slice(0, 100);
}"""


@slow
@pytest.mark.parametrize("name", [GEOMETRY, "chapters/proofs", "chapters/intro"])
def test_tab_visits_all_stops_and_each_is_visible(narrow_visit, name):
    """The window is 1280 pixels wide at 400%; the header covers a fifth of it."""
    narrow_visit.page.set_viewport_size({"width": PHONE, "height": 256})
    narrow_visit.open(f"{name}.html")
    url, stops = narrow_visit.page.url, []
    narrow_visit.page.keyboard.press("Tab")
    while (stop := narrow_visit.page.evaluate(DESCRIBE_FOCUS)) and len(stops) < 1000:
        stops.append(stop)
        narrow_visit.page.keyboard.press("Tab")
    narrow_visit.page.set_viewport_size({"width": PHONE, "height": 900})
    assert [stop for stop in stops if stop.startswith(("hidden", "back"))] == []
    assert 'href="#main-content"' in stops[0] and 30 < len(stops) < 1000
    assert narrow_visit.page.url == url


@slow
@pytest.mark.parametrize("name", ["geometry", "svm", "review", "intro", "playground"])
def test_input_changes_no_context(browser, server, name):
    """No control submits, opens a page or moves the focus while its value changes."""
    with open_page(browser, server, f"chapters/{name}.html") as visit:
        page, url = visit.page, visit.page.url
        page.route("**/worker.js", lambda route: route.abort())
        controls = page.locator("main :is(input, select, textarea)").filter(visible=True)
        controls.first.wait_for()
        for control in controls.all():
            control.focus()
            for key in ("ArrowDown", "ArrowUp", " ", "a"):
                page.keyboard.press(key)
            assert control.evaluate("(e) => e === document.activeElement")
        assert page.url == url and len(page.context.pages) == 1


@slow
def test_press_that_ends_elsewhere_does_nothing(narrow_visit):
    narrow_visit.page.set_viewport_size({"width": 1280, "height": 900})
    narrow_visit.open(f"{GEOMETRY}.html")
    state = """() => [document.querySelectorAll("[open]").length, location.href,
        document.documentElement.dataset.mode,
        document.querySelector(".hs-play").textContent]"""
    before = narrow_visit.page.evaluate(state)
    for selector in ("summary", ".theme-switch-button", ".hs-play", ".search-button-field"):
        narrow_visit.page.locator(selector).filter(visible=True).first.hover()
        narrow_visit.page.mouse.down()
        narrow_visit.page.mouse.move(2, 450)
        narrow_visit.page.mouse.up()
        assert narrow_visit.page.evaluate(state) == before, selector
    narrow_visit.page.set_viewport_size({"width": PHONE, "height": 900})


@slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_use_forced_colors(browser, site, scheme):
    with open_page(browser, site.as_uri(), f"{GEOMETRY}.html", scheme=scheme) as visit:
        visit.page.emulate_media(forced_colors="active")
        text, axes, letters, ring = visit.page.evaluate(
            """() => {
                const color = (selector, name) =>
                    getComputedStyle(document.querySelector(selector))[name];
                const grip = document.querySelector(".hs-handle");
                grip.closest("figure").classList.add("hs-grabbable");
                grip.classList.add("hs-selected");
                return [
                    color("body", "color"),
                    color(".hs-axes", "color"),
                    color(".hs-frame svg", "color"),
                    color(".hs-selected .hs-hit-area", "stroke"),
                ];
            }"""
        )
    assert axes == letters == text
    assert ring not in ("none", text)


def test_characters_trigger_no_shortcuts(narrow_visit):
    narrow_visit.open("chapters/intro.html")
    state = "() => [document.activeElement.tagName, scrollY, location.href]"
    before = narrow_visit.page.evaluate(state)
    for character in string.printable.strip():
        narrow_visit.page.keyboard.press(character)
        assert narrow_visit.page.evaluate(state) == before, character


# --------------------------------------------------------------- without a browser


def test_only_points_and_lines_of_proofs_follow_the_pointer():
    """Clicks move both, too; nothing needs a path or two fingers."""
    folders = ("_static", "halfspaces", "sitebuild/extensions")
    scripts = [path for folder in folders for path in (ROOT / folder).rglob("*.js")]
    follow = re.compile("pointermove|mousemove|touchstart|touchmove|gesture")
    found = {path.name for path in scripts if follow.search(path.read_text("utf-8"))}
    assert found == {"grab.js", "order.js"}


def test_animations_show_at_most_three_frames_a_second(site):
    pages = [path.read_text("utf-8") for path in site.glob("chapters/*.html")]
    intervals = re.findall(r'data-interval="(\d+)"', "".join(pages))
    assert intervals and min(map(int, intervals)) > 1000 / 3
