"""Look at a page in a browser: what it asks for, says, shows, and how it moves.

Every check returns a list of problems in words; a good page has none.
"""

import re
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from sitebuild.fetching import fetch

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


@dataclass
class Visit:
    """A page, loaded and settled, with what it asked for and complained of."""

    page: Page
    root: str
    outside: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        self.outside.clear()
        self.complaints.clear()
        self.page.goto(f"{self.root}/{path}", wait_until="load")
        settle(self.page)


@contextmanager
def visiting(browser, root: str, path: str, *, width=1280, scheme="light"):
    """Open root/path.  Requests that leave root are noted, and go nowhere."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        service_workers="block",  # what one asks for could not be noted
    )
    page = context.new_page()
    page.set_default_timeout(60_000)  # ms that anything may take; a busy machine is slow
    visit = Visit(page, root)

    def refuse(route):
        visit.outside.append(route.request.url)
        route.abort()

    def listen(message):  # what is not there it names in its place alone
        if message.type == "error":
            visit.complaints.append(f"{message.location['url']}: {message.text}")

    page.route(re.compile(f"^(?!{re.escape(root)}|data:|blob:)"), refuse)
    page.on("console", listen)
    page.on("pageerror", lambda error: visit.complaints.append(f"error: {error}"))
    visit.open(path)
    yield visit
    context.close()


def settle(page: Page) -> None:
    """Wait until the frames of moving pictures are here; then open all folds."""
    page.wait_for_function(
        "() => !document.querySelector('.hs-moving[data-number]') || window.hsFrames"
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
    """TeX that was not set, and formulas that show nothing or an error."""
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
    """What axe-core finds against WCAG 2.1 A and AA, and pictures without words.

    Opens the folds first, whose text fades in: it is judged when it has its full color.
    Empties the formulas and pictures: they have tens of thousands of elements, of which
    only the outermost speaks.  Of the words of code it keeps the first of each color: the
    others look the same, and each takes axe a millisecond or two.
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
        """async (rules) => (await axe.run(
            {preload: false, runOnly: {type: "tag", values: rules}}
        )).violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html))""",
        RULES,
    )
    wordless = page.evaluate(
        """() => [...document.querySelectorAll("figure svg, figure img, article img")]
            .filter((e) => !(e.getAttribute("aria-label") || e.alt))
            .map((e) => "picture without words: " + e.outerHTML.slice(0, 80))"""
    )
    return [text[:300] for text in found + wordless]


def icon_problems(page: Page) -> list[str]:
    """Icons of the theme that were not drawn."""
    page.wait_for_selector("svg.svg-inline--fa", state="attached")
    return page.evaluate(
        """() => [...document.querySelectorAll('i[class*=" fa-"], svg.svg-inline--fa')]
            .filter(icon => !icon.querySelector(':scope > path'))
            .map(icon => 'not drawn: ' + icon.getAttribute('class'))"""
    )


def too_wide(page: Page) -> list[str]:
    """What makes the page wider than the window."""
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


# ---------------------------------------------------------------- moving pictures

# What the reader sees of one; it is compared in the page, frames are large.
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
    """Moving pictures that a key or Play does not move, and frames without words.

    Walks each slider by its arrow key, at most so many steps.
    """
    found = []
    for number, area in enumerate(page.query_selector_all(".hs-moving"), 1):
        sliders = area.query_selector_all("input[type=range]")
        plays = area.query_selector_all(".hs-play")
        trouble = [_slide(area, slider, most) for slider in sliders]
        trouble += [_play(page, area, play) for play in plays]
        if not sliders:
            trouble.append("no control")
        found += [f"moving picture {number}, {words}" for words in trouble if words]
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
