"""An exercise as a reader uses it."""

PATIENCE = 240_000  # ms that anything may take; a busy machine is slow

PASTE = """(element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const options = {clipboardData, bubbles: true, cancelable: true};
    element.dispatchEvent(new ClipboardEvent("paste", options));
}"""
LISTEN = """() => {
    window.said = [];
    for (const place of document.querySelectorAll(".hs-status"))
        new MutationObserver(() => said.push(place.textContent))
            .observe(place, {childList: true});
}"""


class Exercise:
    """An exercise of a page, found by its checker."""

    def __init__(self, page, checker):
        self.page = page
        cells = page.locator(".cell.tag_stub")
        self.cell = cells.filter(has_text=f"check.{checker}(")
        # What the reader types need not name the checker: hold on to the place.
        self.cell = cells.nth(
            self.cell.evaluate(
                "(e) => [...document.querySelectorAll('.cell.tag_stub')].indexOf(e)"
            )
        )

    def button(self, name):
        return self.cell.get_by_role("button", name=name, exact=True)

    @property
    def status(self) -> str:
        return self.cell.get_by_role("status").inner_text()

    @property
    def answer(self) -> str:
        return self.cell.locator(".cell_output").inner_text()

    @property
    def code(self) -> str:
        return self.cell.locator(".cm-content").inner_text()

    def open(self):
        self.button("Edit and run").click()
        self.cell.locator(".cm-content").wait_for(timeout=PATIENCE)
        return self

    def run(self, code: str, key: str = "") -> str:
        """What the page says to the code, run by the button or by a key."""
        self.start(code, key)
        return self.finish()

    def start(self, code: str, key: str = "") -> None:
        self.runs = int(self.cell.get_attribute("data-runs") or 0)
        self.cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.cell.locator(".cm-content").evaluate(PASTE, code)
        if key:
            self.page.keyboard.press(key)
        else:
            self.button("Run").click()

    def finish(self) -> str:
        self.page.wait_for_function(
            "([cell, runs]) => Number(cell.dataset.runs || 0) > runs",
            arg=[self.cell.element_handle(), self.runs],
            timeout=PATIENCE,
        )
        return self.answer
