"""Check a page in a browser: requests, errors, formulas, accessibility, animations.

Every check returns a list of problems, which is empty for a good page.
"""

import re
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from sitebuild.fetching import fetch

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
MORE_RULES = {"heading-order": {"enabled": True}}


@dataclass
class Visit:
    """A page, its requests after loading, all external requests, and error messages."""

    page: Page
    root: str
    requests: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        self.outside.clear()
        self.complaints.clear()
        self.page.goto(f"{self.root}/{path}", wait_until="load")
        settle(self.page)
        self.requests.clear()


@contextmanager
def visiting(browser, root: str, path: str, *, width=1280, scheme="light"):
    """Open root/path; requests outside of root are blocked and recorded."""
    options = {"service_workers": "block"}  # their requests could not be recorded
    options |= {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    page = browser.new_page(**options)
    visit = Visit(page, root)

    def refuse(route):
        visit.outside.append(route.request.url)
        route.abort()

    def listen(message):  # the text of a missing file has no URL
        if message.type == "error":
            visit.complaints.append(f"{message.location['url']}: {message.text}")

    page.route(re.compile(f"^(?!{re.escape(root)}|data:|blob:)"), refuse)
    page.on("request", lambda request: visit.requests.append(request.url))
    page.on("console", listen)
    page.on("pageerror", lambda error: visit.complaints.append(f"error: {error}"))
    visit.open(path)
    yield visit
    page.close()


def settle(page: Page) -> None:
    """Wait for the frames of animations, and open all folds."""
    page.wait_for_function(
        "() => !document.querySelector('.hs-animation[data-number]') || window.hsFrames"
    )
    page.evaluate(
        """async () => {
            for (const box of document.querySelectorAll("details")) box.open = true;
            for (const button of document.querySelectorAll(".toggle-button-hidden"))
                button.click();
            await document.fonts.ready;
            for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
        }"""
    )


def math_problems(page: Page) -> list[str]:
    """Find raw TeX, and formulas that are empty or show an error."""
    return page.evaluate(
        r"""() => {
            const found = [];
            for (const math of document.querySelectorAll("math")) {
                const { width, height } = math.getBoundingClientRect();
                if (math.checkVisibility() && !(width > 1 && height > 1))
                    found.push("empty: " + math.outerHTML.slice(0, 80));
                if (math.querySelector("merror"))
                    found.push("refused: " + math.textContent);
            }
            const skip = "pre, code, script, style, noscript, svg";
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
                const text = walk.currentNode.textContent;
                if (/\$|\\\(|\\\[|\\[a-zA-Z]+\b/.test(text) &&
                        !walk.currentNode.parentElement.closest(skip))
                    found.push("not typeset: " + text.trim().slice(0, 80));
            }
            return found;
        }"""
    )


def access_problems(page: Page) -> list[str]:
    """Find violations of WCAG 2.2 A and AA by axe-core, and faults that it does not count.

    These are headings out of order, pictures without alternatives, empty table headers and
    repeated ids.  Opens folds and finishes their animations, so that text has its final
    color.  To save time, empties formulas and pictures, which have tens of thousands of
    elements, and keeps only one word of each color in code.
    """
    page.evaluate(
        """() => {
            for (const box of document.querySelectorAll("details")) box.open = true;
            for (const fading of document.getAnimations())
                if (fading.effect.getComputedTiming().endTime < Infinity) fading.finish();
            // First look, then change: a look after a change styles the page again.
            const look = (word) => word.className + " on " +
                getComputedStyle(word.closest("pre")).backgroundColor;
            const words = [...document.querySelectorAll("pre span[class]")];
            const looks = words.map(look);
            document.querySelectorAll("math, figure svg")
                .forEach((e) => e.replaceChildren());
            const seen = new Set();
            words.forEach((word, i) => {
                if (seen.has(looks[i])) word.replaceWith(...word.childNodes);
                else seen.add(looks[i]);
            });
        }"""
    )
    page.evaluate((fetch() / "tests" / "axe.min.js").read_text())
    found = page.evaluate(
        """async ([values, rules]) => (await axe.run(
            {preload: false, runOnly: {type: "tag", values}, rules}
        )).violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html))""",
        [LEVELS, MORE_RULES],
    )
    found += page.evaluate(
        """() => {
            const all = (selector) => [...document.querySelectorAll(selector)];
            const wordless = all("figure svg, figure img, article img")
                .filter((e) => !(e.getAttribute("aria-label") || e.alt));
            const empty = all("th")
                .filter((e) => !e.textContent.trim() && !e.querySelector("math"));
            const ids = all("[id]").map((e) => e.id);
            const repeated = ids.filter((id, place) => ids.indexOf(id) < place);
            return [...wordless.map((e) => "picture without words: " + e.outerHTML),
                ...empty.map((e) => "empty table header in: " + e.parentElement.outerHTML),
                ...repeated.map((id) => "repeated id: " + id)];
        }"""
    )
    return [text[:300] for text in found]


def icon_problems(page: Page) -> list[str]:
    """Find icons of the theme that were not drawn."""
    page.wait_for_selector("svg.svg-inline--fa", state="attached")
    return page.evaluate(
        """() => [...document.querySelectorAll('i[class*=" fa-"], svg.svg-inline--fa')]
            .filter(icon => !icon.querySelector(':scope > path'))
            .map(icon => 'not drawn: ' + icon.getAttribute('class'))"""
    )


def too_wide(page: Page) -> list[str]:
    """Find elements that make the page wider than the window."""
    return page.evaluate(
        """() => {
            const { scrollWidth, clientWidth } = document.documentElement;
            if (scrollWidth <= clientWidth) return [];
            const wide = [...document.querySelectorAll("body *")].filter(
                (e) => e.getBoundingClientRect().right > clientWidth + 1);
            return ["the page is " + scrollWidth + " wide", ...wide.slice(0, 5)
                .map((e) => "too wide: " + e.outerHTML.slice(0, 80))];
        }"""
    )


def cut_words(page: Page) -> list[str]:
    """Find boxes that hide a part of their text."""
    return page.evaluate(
        """() => {
            const boxes = [...document.querySelectorAll("body :not(svg *, math *)")];
            const cut = boxes.filter((e) => {
                const { overflowX, overflowY } = getComputedStyle(e);
                const wide = overflowX === "hidden" && e.scrollWidth > e.clientWidth + 1;
                const tall = overflowY === "hidden" && e.scrollHeight > e.clientHeight + 2;
                return (wide || tall && overflowX !== "auto") && e.textContent.trim() &&
                    e.checkVisibility() && e.getBoundingClientRect().width > 2;
            });
            return cut.map((e) => "cut: " + e.outerHTML.slice(0, 150));
        }"""
    )


# ---------------------------------------------------------------- animations

# Compares the visible frame with the last one; in the page, because frames are large.
LOOK = """(area) => {
    const figures = [...area.querySelectorAll("figure")].filter((f) => f.checkVisibility());
    const seen = figures.map((f) => f.outerHTML).join();
    const change = seen !== area.lastSeen;
    area.lastSeen = seen;
    if (seen === "") return "no frame is visible";
    if (figures.some((f) => !f.querySelector("[aria-label], img[alt]")))
        return "a frame has no text alternative";
    return change ? "" : "the frame does not change";
}"""


def moving_problems(page: Page, *, most=1000) -> list[str]:
    """Find animations that keys or Play do not move, and frames without alternatives.

    Moves each slider by at most `most` steps.
    """
    found = []
    for number, area in enumerate(page.query_selector_all(".hs-animation"), 1):
        sliders = area.query_selector_all("input[type=range]")
        plays = area.query_selector_all(".hs-play")
        trouble = [_slide(area, slider, most) for slider in sliders]
        trouble += [_play(page, area, play) for play in plays]
        if not sliders:
            trouble.append("no control")
        found += [f"animation {number}, {words}" for words in trouble if words]
    return found


def _slide(area, slider, most: int) -> str:
    slider.press("Home")
    area.evaluate(LOOK)
    for step in range(1, min(int(slider.get_attribute("max")), most) + 1):
        slider.press("ArrowRight")
        if problem := area.evaluate(LOOK):
            return f"arrow key, step {step}: {problem}"
    slider.press("Home")
    return ""


def _play(page: Page, area, play) -> str:
    area.evaluate(LOOK)
    play.press("Enter")
    try:
        page.wait_for_function(f"(area) => ({LOOK})(area) === ''", arg=area)
    except PlaywrightTimeout:
        return "Play: " + area.evaluate(LOOK)
    play.press("Enter")  # pause
    return ""
