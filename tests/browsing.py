"""Look at a page in a browser: what it asks for, says, shows, and how it moves.

Every check returns a list of problems in words; a good page has none.
"""

from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


@dataclass
class Visit:
    """A page, loaded and settled, with what it asked for and complained of."""

    page: Page
    outside: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@contextmanager
def visiting(browser, root: str, path: str, *, width=1280, scheme="light"):
    """Open root/path.  Requests that leave root are noted, and go nowhere."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    page = context.new_page()
    page.set_default_timeout(10_000)
    visit = Visit(page)

    def route(handler):
        url = handler.request.url
        if url.startswith((root, "data:", "blob:")):
            handler.continue_()
        else:
            visit.outside.append(url)
            handler.abort()

    def listen(message):
        if message.type == "error":
            visit.complaints.append(f"console: {message.text}")

    def missing(response):
        if response.status >= 400:
            visit.complaints.append(f"{response.status}: {response.url}")

    page.route("**/*", route)
    page.on("console", listen)
    page.on("pageerror", lambda error: visit.complaints.append(f"error: {error}"))
    page.on("response", missing)
    page.goto(f"{root}/{path}", wait_until="load")
    settle(page)
    yield visit
    context.close()


def settle(page: Page) -> None:
    """Wait until the widgets are drawn and the formulas typeset; then open all folds."""
    page.wait_for_function(
        """() => document.querySelectorAll(".widget-subarea > *").length >=
            document.querySelectorAll("script[type$='widget-view+json']").length"""
    )
    page.evaluate(
        """async () => {
            for (const box of document.querySelectorAll("details")) box.open = true;
            for (const button of document.querySelectorAll(".toggle-button-hidden"))
                button.click();
            let promise;
            while (promise !== window.MathJax?.startup?.promise) {
                promise = window.MathJax.startup.promise;
                await promise;
            }
            await document.fonts.ready;
            for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
        }"""
    )


def math_problems(page: Page) -> list[str]:
    """Formulas that MathJax refused, and TeX that it never saw."""
    return page.evaluate(
        r"""() => {
            const found = [...document.querySelectorAll("mjx-merror, [data-mjx-error]")]
                .map((e) => "refused: " + (e.dataset.mjxError || e.textContent));
            const skip = "pre, code, script, style, noscript, mjx-container, svg";
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


def access_problems(page: Page, axe: str) -> list[str]:
    """What axe-core finds against WCAG 2.1 A and AA, and pictures without words."""
    page.evaluate(axe)
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


def width_problems(page: Page) -> list[str]:
    """What makes the page wider than the window."""
    return page.evaluate(
        """() => {
            const root = document.documentElement;
            if (root.scrollWidth <= root.clientWidth) return [];
            const wide = [...document.querySelectorAll("body *")].filter(
                (e) => e.getBoundingClientRect().right > root.clientWidth + 1);
            return ["the page is " + root.scrollWidth + " wide", ...wide.slice(0, 5)
                .map((e) => "too wide: " + e.outerHTML.slice(0, 80))];
        }"""
    )


# ------------------------------------------------------------------------- widgets

FRAME = """(area) => [...area.querySelectorAll("figure")].filter(
    (f) => f.checkVisibility()).map((f) => f.outerHTML).join() """


def widget_problems(page: Page) -> list[str]:
    """Widgets that a key or Play does not move, and frames without words."""
    found = []
    for number, area in enumerate(page.query_selector_all(".widget-subarea"), 1):
        sliders = area.query_selector_all("[role=slider]")
        groups = area.query_selector_all(".widget-toggle-buttons")
        if not sliders and not groups:
            found.append(f"widget {number} has no control")
        for slider in sliders:
            found += [f"widget {number}, {p}" for p in _slide(area, slider)]
        for group in groups:
            found += [f"widget {number}, {p}" for p in _toggle(area, group)]
        for play in area.query_selector_all(".widget-play button:first-child"):
            before = area.evaluate(FRAME)
            play.press("Enter")
            try:
                page.wait_for_function(
                    f"([area, before]) => ({FRAME})(area) !== before",
                    arg=[area, before],
                    timeout=5000,
                )
                play.press("Enter")  # pause
            except Exception:
                found.append(f"widget {number}: Play does not move it")
    return found


def _slide(area, slider) -> list[str]:
    """Walk a slider from end to end by its keys; each step must show another frame."""
    slider.press("Home")
    steps = int(float(slider.get_attribute("aria-valuemax")))
    found = _frame_problems(area)
    for step in range(1, steps + 1):
        before = area.evaluate(FRAME)
        slider.press("ArrowRight")
        if area.evaluate(FRAME) == before:
            return [*found, f"step {step}: the arrow key does not change the frame"]
        found += _frame_problems(area)
    slider.press("Home")
    return found


def _toggle(area, group) -> list[str]:
    """Press each button that is not pressed; each must show another frame."""
    for button in group.query_selector_all("button:not(.mod-active)"):
        before = area.evaluate(FRAME)
        button.press("Enter")
        if area.evaluate(FRAME) == before:
            return [f"button {button.inner_text()!r} does not change the frame"]
    return []


def _frame_problems(area) -> list[str]:
    """A frame is one visible figure, with a text alternative and no raw TeX."""
    if area.evaluate(FRAME) == "":
        return ["no frame is visible"]
    words = area.evaluate(
        """(area) => [...area.querySelectorAll("figure")].map((f) =>
            f.querySelector("[aria-label], img[alt]") !== null)"""
    )
    return [] if all(words) else ["a frame has no text alternative"]
