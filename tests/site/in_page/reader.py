"""Drive exercises and interactive figures as a reader does."""

from playwright.sync_api import expect

PASTE = """(element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const options = {clipboardData, bubbles: true, cancelable: true};
    element.dispatchEvent(new ClipboardEvent("paste", options));
}"""
LISTEN = """() => {
    window.statuses = [];
    window.spoken = [];
    for (const element of document.querySelectorAll(".hs-status"))
        new MutationObserver(() => {
            statuses.push(element.textContent);
            if (element.role && element.textContent) spoken.push(element.textContent);
        }).observe(element, {childList: true});
}"""


class Exercise:
    """The exercise on a page that calls the given checker."""

    def __init__(self, page, checker):
        self.page = page
        cells = page.locator(".cell.tag_stub")
        # Locate the cell by its position, since tests change its code.
        matches = [f"check.{checker}(" in text for text in cells.all_text_contents()]
        self.cell = cells.nth(matches.index(True))

    def button(self, name):
        return self.cell.get_by_role("button", name=name, exact=True)

    @property
    def status(self) -> str:
        return " ".join(self.cell.locator(".hs-status").all_inner_texts()).strip()

    @property
    def output(self) -> str:
        return self.cell.locator(".cell_output").inner_text()

    @property
    def code(self) -> str:
        return self.cell.locator(".cm-content").inner_text()

    def open(self):
        self.button("Edit and run").click()
        self.cell.locator(".cm-content").wait_for()
        return self

    def run(self, code: str, key: str = "") -> str:
        """Run code with the button or a key; return the output."""
        self.start(code, key)
        return self.wait_for_output()

    def start(self, code: str, key: str = "") -> None:
        self.runs_before = int(self.cell.get_attribute("data-runs") or 0)
        if not self.cell.locator(".cm-content").is_visible():
            self.open()
        self.cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.cell.locator(".cm-content").evaluate(PASTE, code)
        if key:
            self.page.keyboard.press(key)
        else:
            self.button("Run").click()

    def wait_for_output(self) -> str:
        self.page.wait_for_function(
            "([cell, runs]) => Number(cell.dataset.runs || 0) > runs",
            arg=[self.cell.element_handle(), self.runs_before],
        )
        return self.output


DESCRIBE = "(e) => e.ariaLabel + (e.dataset.key ? `, at ${e.ariaValueText}` : '')"


class Figure:
    """The first interactive figure of a page."""

    def __init__(self, page):
        page.wait_for_selector(".hs-grabbable")
        self.page, self.box = page, page.locator(".hs-grab").first
        self.box.evaluate("(e) => e.scrollIntoView({block: 'center', behavior: 'instant'})")

    def points(self) -> list[str]:
        self.page.wait_for_selector(".hs-grabbable")
        return self.box.locator(".hs-handle").evaluate_all(f"(all) => all.map({DESCRIBE})")

    @property
    def slider(self):
        return self.box.locator("input[type=range]")

    def center(self, number) -> tuple[float, float]:
        """Return the screen coordinates of a point."""
        box = self.box.locator(".hs-size > path").nth(number - 1).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def text(self, selector) -> str:
        return self.box.locator(selector).text_content()

    def button(self, name):
        return self.box.get_by_role("button", name=name, exact=True)

    def wait(self, condition, arg=None):
        """Wait until a JavaScript predicate, called with the figure, returns true."""
        self.page.wait_for_function(
            f"([box, arg]) => ({condition})(box, arg)", arg=[self.box.element_handle(), arg]
        )

    def wait_for_text(self, selector, text):
        """Wait until an element contains the given text."""
        expect(self.box.locator(selector).first).to_contain_text(text)

    def wait_for_frame(self):
        self.wait("(box) => box.dataset.frames && !box.matches('.hs-waiting')")

    def wait_for_count(self, number):
        """Wait until the figure has this number of points."""
        expect(self.box.locator(".hs-handle")).to_have_count(number)

    def wait_for_points(self, *points):
        """Wait until the figure has exactly these points."""
        labels = f"[...box.querySelectorAll('.hs-handle')].map({DESCRIBE})"
        self.wait(f"(box, arg) => {labels}.join() === arg.join()", list(points))

    def focused(self) -> str:
        active = "document.activeElement"
        return self.page.evaluate(
            f"{active}.ariaLabel ? ({DESCRIBE})({active}) : {active}.textContent"
        )
