"""Three engines behind the same few verbs: Chromium, Firefox and WebKit.

Keys and clicks go the way that those of a reader go: no script makes them.  Chromium is
driven by Playwright, Firefox by WebDriver BiDi, WebKit by the WebDriver of WebKitGTK.
"""

import json
import os
import socket
import subprocess
import time
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import websocket
from playwright.sync_api import Error

SECONDS = 240  # timeout, for busy machines
KEYS = {
    "Control": "\ue009",
    "Tab": "\ue004",
    "Enter": "\ue006",
    "Escape": "\ue00c",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
}
MIDDLE = """([selector, text]) => {
    const element = [...document.querySelectorAll(selector)].find((e) =>
        e.checkVisibility({visibilityProperty: true}) && e.textContent.includes(text));
    if (!element) return null;
    element.scrollIntoView({block: "center", behavior: "instant"});
    const {left, top, width, height} = element.getClientRects()[0];
    const [x, y] = [Math.floor(left + width / 2), Math.floor(top + height / 2)];
    return element.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
}"""
STATUS = "() => [...document.querySelectorAll('[role=status]')].map((e) => e.textContent)"


class Engine:
    """Actions of a reader; `evaluate(function, arg)` reads the result."""

    def wait(self, function, arg=None, seconds=SECONDS):
        """Return the value of a function in the page when it becomes true.

        While a page is loading, an element that the function reads may be missing.
        """
        end = time.monotonic() + seconds
        attempt = f"(arg) => {{ try {{ return ({function})(arg); }} catch {{}} }}"
        while not (found := self.evaluate(attempt, arg)):
            if time.monotonic() > end:
                status = [*filter(None, self.evaluate(STATUS))]
                pytest.fail(f"not within {seconds} s: {function} {arg or ''}, but {status}")
            time.sleep(0.05)
        return found

    def point(self, selector, text=""):
        """Move the pointer to the center of the first visible element."""
        place, last = None, ()
        while place != last:  # until it rests
            time.sleep(0.1)
            place, last = self.wait(MIDDLE, [selector, text]), place
        self.move(*place)
        return place

    def click(self, selector, text=""):
        self.drag_to(*self.point(selector, text))


class Chromium(Engine):
    def __init__(self, page):
        self.page = page
        self.open, self.move = page.goto, page.mouse.move
        self.type, self.press = page.keyboard.type, page.keyboard.press

    def evaluate(self, function, arg=None):
        try:
            return self.page.evaluate(function, arg)
        except Error as error:  # the page is changing
            if "context was destroyed" not in str(error):
                raise

    def size(self, width, height):
        self.page.set_viewport_size({"width": width, "height": height})

    def drag_to(self, x, y):
        self.page.mouse.down()
        self.page.mouse.move(x, y)
        self.page.mouse.up()


class WebDriver(Engine):
    """Actions of WebDriver and WebDriver BiDi."""

    def move(self, x, y):
        self.pointer = {"type": "pointerMove", "x": x, "y": y}
        self.perform("pointer", [self.pointer])

    def drag_to(self, x, y):
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        there = {"type": "pointerMove", "x": x, "y": y}
        self.perform("pointer", [self.pointer, down, there, up])
        self.pointer = there

    def type(self, text):
        for letter in text:
            self.press(letter)

    def press(self, keys):
        """Press a key or a combination such as Control+a."""
        keys = [keys] if len(keys) == 1 else keys.split("+")
        values = [KEYS.get(key, key) for key in keys]
        down = [{"type": "keyDown", "value": value} for value in values]
        up = [{"type": "keyUp", "value": value} for value in reversed(values)]
        self.perform("key", down + up)


class Firefox(WebDriver):
    def __init__(self, address):
        url = f"ws://{address['ws_host']}:{address['ws_port']}/session"
        self.socket = websocket.create_connection(url, 60, suppress_origin=True)
        self.count = 0
        self.ask("session.new", capabilities={})
        # In the first tab the address bar has the focus.
        tab = self.ask("browsingContext.create", type="tab")
        self.tab = {"context": tab["context"]}

    def ask(self, method, **params):
        self.count += 1
        question = {"id": self.count, "method": method, "params": params}
        self.socket.send(json.dumps(question))
        answer = json.loads(self.socket.recv())
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, url):
        self.ask("browsingContext.navigate", **self.tab, url=url, wait="complete")

    def evaluate(self, function, arg=None):
        code = f"(async () => JSON.stringify(await ({function})({json.dumps(arg)})))()"
        question = {"expression": code, "target": self.tab, "awaitPromise": True}
        answer = self.ask("script.evaluate", **question)
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"].get("value", "null"))

    def size(self, width, height):
        viewport = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", **self.tab, viewport=viewport)

    def perform(self, kind, actions):
        source = {"type": kind, "id": kind, "actions": actions}
        self.ask("input.performActions", **self.tab, actions=[source])


class WebKit(WebDriver):
    def __init__(self, root):
        self.session = f"{root}/session"
        known = self.ask("POST", "", capabilities={})
        self.session += "/" + known["sessionId"]

    def ask(self, method, path, **body):
        data = json.dumps(body).encode() if method == "POST" else None
        try:
            with urlopen(Request(self.session + path, data, method=method)) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def open(self, url):
        self.ask("POST", "/url", url=url)

    def evaluate(self, function, arg=None):
        script = f"return ({function})(arguments[0])"
        return self.ask("POST", "/execute/sync", script=script, args=[arg])

    def size(self, width, height):
        bars = self.evaluate("() => outerHeight - innerHeight")
        self.ask("POST", "/window/rect", x=0, y=0, width=width, height=height + bars)
        self.wait("(width) => innerWidth === width", width)

    def perform(self, kind, actions):
        source = {"type": kind, "id": kind, "actions": actions}
        self.ask("POST", "/actions", actions=[source])


# ------------------------------------------------------------------ starting and ending


@contextmanager
def running(command, **options):
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, **options) as process:
        try:
            yield process
        finally:
            process.terminate()


def answers(address):
    with socket.socket() as attempt:
        return attempt.connect_ex(address) == 0


@contextmanager
def chromium(browser):
    page = browser.new_page()
    yield Chromium(page)
    page.close()


@contextmanager
def firefox(folder):
    file = folder / "WebDriverBiDiServer.json"
    command = ["firefox", "--headless", "--remote-debugging-port=0", "--profile", folder]
    with running(command):
        while not (file.exists() and file.read_text().endswith("}")):
            time.sleep(0.05)
        engine = Firefox(json.loads(file.read_text()))
        yield engine
        engine.socket.close()


# A window cannot be narrower than its buttons, which a phone does not have.
NARROW = "* { padding: 0; margin: 0; min-width: 0; border-width: 0; font-size: 1px; }"


@contextmanager
def webkit(folder):
    (folder / "gtk-3.0").mkdir()
    (folder / "gtk-3.0" / "gtk.css").write_text(NARROW)
    screen = ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x1200x24"]
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()
    with running(screen, stdout=subprocess.PIPE, text=True) as xvfb:
        # The optimizing WebAssembly compiler would slow down the page.
        variables = {"GDK_BACKEND": "x11", "JSC_useOMGJIT": "0"}
        variables |= dict.fromkeys(("HOME", "XDG_CONFIG_HOME"), str(folder))
        variables["DISPLAY"] = f":{xvfb.stdout.readline().strip()}"
        command = ["WebKitWebDriver", f"--port={address[1]}"]
        with running(command, env=os.environ | variables) as process:
            while not answers(address):
                assert process.poll() is None, "WebKitWebDriver did not start"
                time.sleep(0.05)
            engine = WebKit(f"http://127.0.0.1:{address[1]}")
            yield engine
            engine.ask("DELETE", "")  # closes its window
