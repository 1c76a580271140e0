"""Check a page in a browser: requests, errors, formulas, accessibility, animations.

Every check returns a list of problems, which is empty for a good page.
"""

import re
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from sitebuild.fetching import fetch

WCAG_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
EXTRA_RULES = {"heading-order": {"enabled": True}}


@dataclass
class Visit:
    """A page, its requests after loading, blocked external requests, and error messages."""

    page: Page
    root: str
    requests: list[str] = field(default_factory=list)
    external: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        self.external.clear()
        self.errors.clear()
        self.page.goto(f"{self.root}/{path}", wait_until="load")
        expand_all(self.page)
        self.requests.clear()


@contextmanager
def open_page(browser, root: str, path: str, *, width=1280, scheme="light"):
    """Open root/path in a new page; block and record requests to URLs outside of root."""
    options = {"service_workers": "block"}  # Playwright cannot see their requests
    options |= {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
    page = browser.new_page(**options)
    visit = Visit(page, root)

    def block(route):
        visit.external.append(route.request.url)
        route.abort()

    def record_error(message):  # the message for a missing file has no URL
        if message.type == "error":
            visit.errors.append(f"{message.location['url']}: {message.text}")

    page.route(re.compile(f"^(?!{re.escape(root)}|data:|blob:)"), block)
    page.on("request", lambda request: visit.requests.append(request.url))
    page.on("console", record_error)
    page.on("pageerror", lambda error: visit.errors.append(f"error: {error}"))
    visit.open(path)
    yield visit
    page.close()


def expand_all(page: Page) -> None:
    """Wait for the frames of animations and the fonts, and open all collapsed parts."""
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
    """Find TeX that was not typeset, and formulas that are empty or show an error."""
    return page.evaluate(
        r"""() => {
            const problems = [];
            for (const math of document.querySelectorAll("math")) {
                const { width, height } = math.getBoundingClientRect();
                if (math.checkVisibility() && !(width > 1 && height > 1))
                    problems.push("empty: " + math.outerHTML.slice(0, 80));
                if (math.querySelector("merror"))
                    problems.push("invalid: " + math.textContent);
            }
            const skip = "pre, code, script, style, noscript, svg";
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
                const text = walk.currentNode.textContent;
                if (/\$|\\\(|\\\[|\\[a-zA-Z]+\b/.test(text) &&
                        !walk.currentNode.parentElement.closest(skip))
                    problems.push("not typeset: " + text.trim().slice(0, 80));
            }
            return problems;
        }"""
    )


def accessibility_problems(page: Page) -> list[str]:
    """Find violations of WCAG 2.2 A and AA with axe-core, and four kinds that it ignores.

    These four are skipped heading levels, pictures without a text alternative, empty table
    headers and repeated ids.  Opens collapsed parts and finishes their animations, so that
    text has its final color.  To save time, removes the content of formulas and pictures,
    and all but one token of each color in code.
    """
    page.evaluate(
        """() => {
            for (const box of document.querySelectorAll("details")) box.open = true;
            for (const a of document.getAnimations())
                if (a.effect.getComputedTiming().endTime < Infinity) a.finish();
            // Read all styles before changing the page: each change invalidates them.
            const colors = (token) => token.className + " on " +
                getComputedStyle(token.closest("pre")).backgroundColor;
            const tokens = [...document.querySelectorAll("pre span[class]")];
            const styles = tokens.map(colors);
            document.querySelectorAll("math, figure svg")
                .forEach((e) => e.replaceChildren());
            const seen = new Set();
            tokens.forEach((token, i) => {
                if (seen.has(styles[i])) token.replaceWith(...token.childNodes);
                else seen.add(styles[i]);
            });
        }"""
    )
    page.evaluate((fetch() / "tests" / "axe.min.js").read_text())
    problems = page.evaluate(
        """async ([values, rules]) => (await axe.run(
            {preload: false, runOnly: {type: "tag", values}, rules}
        )).violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.html))""",
        [WCAG_TAGS, EXTRA_RULES],
    )
    problems += page.evaluate(
        """() => {
            const all = (selector) => [...document.querySelectorAll(selector)];
            const unlabeled = all("figure svg, figure img, article img")
                .filter((e) => !(e.getAttribute("aria-label") || e.alt));
            const empty = all("th")
                .filter((e) => !e.textContent.trim() && !e.querySelector("math"));
            const ids = all("[id]").map((e) => e.id);
            const repeated = ids.filter((id, k) => ids.indexOf(id) < k);
            return [...unlabeled.map((e) => "picture without text: " + e.outerHTML),
                ...empty.map((e) => "empty table header in: " + e.parentElement.outerHTML),
                ...repeated.map((id) => "repeated id: " + id)];
        }"""
    )
    return [problem[:300] for problem in problems]


def icon_problems(page: Page) -> list[str]:
    """Find icons of the theme that draw nothing."""
    page.wait_for_selector("svg.svg-inline--fa", state="attached")
    return page.evaluate(
        """() => [...document.querySelectorAll('i[class*=" fa-"], svg.svg-inline--fa')]
            .filter(icon => !icon.querySelector(':scope > path'))
            .map(icon => 'no path: ' + icon.getAttribute('class'))"""
    )


def accessible_name_problems(page: Page) -> list[str]:
    """Find repeated summaries, labels without the visible text, and statuses on load."""
    return page.evaluate(
        """() => {
            const all = (selector) => [...document.querySelectorAll(selector)];
            const plain = (text) => text.replace(/\\s+/g, " ").trim().toLowerCase();
            const control = ":is(a, button, input, select, summary, [role=button])";
            const mismatched = (e) => e.checkVisibility() &&
                !plain(e.ariaLabel).includes(plain(e.dataset.toggleHint || e.innerText));
            const folds = all("summary").map((e) => plain(e.textContent));
            const live = all("output, [role=status], [role=alert], [aria-live]");
            const isSet = (e) => e.ariaLive !== "off" && e.textContent.trim();
            return [
                ...all(`${control}[aria-label]`).filter(mismatched)
                    .map((e) => "label: " + e.outerHTML.slice(0, 150)),
                ...folds.filter((e, k) => folds.indexOf(e) < k).map((e) => "fold: " + e),
                ...live.filter(isSet).map((e) => "status: " + e.textContent),
            ];
        }"""
    )


def width_problems(page: Page) -> list[str]:
    """Find elements that make the page wider than the window."""
    return page.evaluate(
        """() => {
            const { scrollWidth, clientWidth } = document.documentElement;
            if (scrollWidth <= clientWidth) return [];
            const wide = [...document.querySelectorAll("body *")].filter(
                (e) => e.getBoundingClientRect().right > clientWidth + 1);
            return ["the page is " + scrollWidth + " pixels wide", ...wide.slice(0, 5)
                .map((e) => "too wide: " + e.outerHTML.slice(0, 80))];
        }"""
    )


def clipping_problems(page: Page) -> list[str]:
    """Find elements that clip their text."""
    return page.evaluate(
        """() => {
            const boxes = [...document.querySelectorAll("body :not(svg *, math *)")];
            const clipped = boxes.filter((e) => {
                const { overflowX, overflowY } = getComputedStyle(e);
                const wide = overflowX === "hidden" && e.scrollWidth > e.clientWidth + 1;
                const tall = overflowY === "hidden" && e.scrollHeight > e.clientHeight + 2;
                return (wide || tall && overflowX !== "auto") && e.textContent.trim() &&
                    e.checkVisibility() && e.getBoundingClientRect().width > 2;
            });
            return clipped.map((e) => "clipped: " + e.outerHTML.slice(0, 150));
        }"""
    )


# ---------------------------------------------------------------- animations

# Compares the visible frame with the previous one, in the page because frames are large.
COMPARE_FRAME = """(area) => {
    const figures = [...area.querySelectorAll("figure")].filter((f) => f.checkVisibility());
    const html = figures.map((f) => f.outerHTML).join();
    const change = html !== area.lastHtml;
    area.lastHtml = html;
    if (html === "") return "no frame is visible";
    if (figures.some((f) => !f.querySelector("[aria-label], img[alt]")))
        return "a frame has no text alternative";
    return change ? "" : "the frame does not change";
}"""


def animation_problems(page: Page, *, max_steps=1000) -> list[str]:
    """Find animations that ignore keys or Play, and frames without a text alternative.

    Moves each slider by at most `max_steps` steps.
    """
    problems = []
    for number, area in enumerate(page.query_selector_all(".hs-animation"), 1):
        sliders = area.query_selector_all("input[type=range]")
        buttons = area.query_selector_all(".hs-play")
        messages = [_move_slider(area, slider, max_steps) for slider in sliders]
        messages += [_press_play(page, area, button) for button in buttons]
        if not sliders:
            messages.append("no control")
        problems += [f"animation {number}, {message}" for message in messages if message]
    return problems


def _move_slider(area, slider, max_steps: int) -> str:
    slider.press("Home")
    area.evaluate(COMPARE_FRAME)
    for step in range(1, min(int(slider.get_attribute("max")), max_steps) + 1):
        slider.press("ArrowRight")
        if problem := area.evaluate(COMPARE_FRAME):
            return f"arrow key, step {step}: {problem}"
    slider.press("Home")
    return ""


def _press_play(page: Page, area, button) -> str:
    area.evaluate(COMPARE_FRAME)
    button.press("Enter")
    try:
        page.wait_for_function(f"(area) => ({COMPARE_FRAME})(area) === ''", arg=area)
    except PlaywrightTimeout:
        return "Play: " + area.evaluate(COMPARE_FRAME)
    button.press("Enter")  # pause
    return ""
