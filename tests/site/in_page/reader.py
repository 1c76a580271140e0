"""An exercise as a reader uses it, and the server from which it comes."""

import shutil
import threading
import time
from collections.abc import Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from policy import HEADER

PATIENCE = 240_000  # ms that anything may take; a busy machine is slow

NAMED = ("Enter", "Tab", "Escape", "Home", "End", "ArrowUp", "ArrowLeft", "Backspace")

PASTE = """(element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    const options = {clipboardData, bubbles: true, cancelable: true};
    element.dispatchEvent(new ClipboardEvent("paste", options));
}"""


class Handler(SimpleHTTPRequestHandler):
    """Serves below /sub/path under the policy, without types and files that are given.

    lost may change meanwhile; slow files come in 20 pieces, with a pause after each.
    """

    lost: Sequence[str] = ()
    typeless: tuple[str, ...] = ()
    slow: tuple[str, ...] = ()

    def log_message(self, *words):
        pass

    def guess_type(self, path):
        known = not self.typeless or not str(path).endswith(self.typeless)
        return super().guess_type(path) if known else "application/octet-stream"

    def end_headers(self):
        self.send_header("Content-Security-Policy", HEADER)
        super().end_headers()

    def send_head(self):
        path = self.path.split("?")[0]
        if not path.startswith("/sub/path/") or path.endswith(tuple(self.lost)):
            self.send_error(404)
            return None
        self.path = self.path.removeprefix("/sub/path")
        return super().send_head()

    def copyfile(self, source, outputfile):
        slow = self.slow and self.path.split("?")[0].endswith(self.slow)
        if not slow:
            return shutil.copyfileobj(source, outputfile)
        data = source.read()
        piece = len(data) // 20 + 1
        for begin in range(0, len(data), piece):
            outputfile.write(data[begin : begin + piece])
            time.sleep(0.1)
        return None


@contextmanager
def serving(site, **faults):
    """The address at which the site is served, with faults if any are named."""
    kind = type("Faulty", (Handler,), faults)

    def handler(*args):
        return kind(*args, directory=site)

    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/sub/path"
        server.shutdown()


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

    def type(self, *keys: str) -> None:
        """Type into the empty editor: text, and keys that have a name of their own."""
        self.cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        for key in keys:
            (self.page.keyboard.press if key in NAMED else self.page.keyboard.type)(key)

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
