"""Drive Firefox and WebKit through one interface.

Keys and clicks are input events of the browser, not of a script.  Firefox is driven by
WebDriver BiDi, and WebKit by the WebDriver of WebKitGTK.
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

TIMEOUT = 240  # seconds, for busy machines
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
# Scrolls only where it must: scrolling would hide that the element moves.
FIND_CENTER = """([selector, text]) => {
    const element = [...document.querySelectorAll(selector)].find((e) =>
        e.checkVisibility({visibilityProperty: true}) && e.textContent.includes(text));
    if (!element) return null;
    const {left, top, width, height} = element.getClientRects()[0];
    const [x, y] = [Math.floor(left + width / 2), Math.floor(top + height / 2)];
    if (element.contains(document.elementFromPoint(x, y))) return [x, y];
    element.scrollIntoView({block: "center", behavior: "instant"});
}"""
STATUS = "() => [...document.querySelectorAll('[role=status]')].map((e) => e.textContent)"
STATE = """() => [location.href, document.readyState, document.hasFocus(), scrollY,
    document.activeElement.outerHTML.slice(0, 100)]"""


class Engine:
    """User actions in a browser by WebDriver or WebDriver BiDi.

    `evaluate(function, arg)` calls a JavaScript function.
    """

    def wait(self, function, arg=None, seconds=TIMEOUT):
        """Wait until a JavaScript function returns a true value; return the value.

        While a page is loading, an element that the function reads may be missing.
        """
        end = time.monotonic() + seconds
        attempt = f"(arg) => {{ try {{ return ({function})(arg); }} catch {{}} }}"
        while not (value := self.evaluate(attempt, arg)):
            if time.monotonic() > end:
                state = [*self.evaluate(STATE), *filter(None, self.evaluate(STATUS))]
                pytest.fail(f"not true in {seconds} s: {function} {arg or ''}; {state}")
            time.sleep(0.05)
        return value

    def point(self, selector, text=""):
        """Move the pointer to the center of the first visible element."""
        center, previous = None, ()
        while center != previous:  # until the element stops moving
            time.sleep(0.1)
            center, previous = self.wait(FIND_CENTER, [selector, text]), center
        self.move(*center)
        return center

    def click(self, selector, text=""):
        self.drag_to(*self.point(selector, text))  # press and release at one point

    def move(self, x, y):
        self.pointer = {"type": "pointerMove", "x": x, "y": y}
        self.perform("pointer", [self.pointer])

    def drag_to(self, x, y):
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        target = {"type": "pointerMove", "x": x, "y": y}
        self.perform("pointer", [self.pointer, down, target, up])
        self.pointer = target

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


class Firefox(Engine):
    def __init__(self, address):
        url = f"ws://{address['ws_host']}:{address['ws_port']}/session"
        self.socket = websocket.create_connection(url, 60, suppress_origin=True)
        self.count = 0
        self.send("session.new", capabilities={})
        # In the first tab the address bar has the focus.
        tab = self.send("browsingContext.create", type="tab")
        self.tab = {"context": tab["context"]}

    def send(self, method, **params):
        self.count += 1
        command = {"id": self.count, "method": method, "params": params}
        self.socket.send(json.dumps(command))
        response = json.loads(self.socket.recv())
        assert response["type"] == "success", response
        return response["result"]

    def open(self, url):
        self.send("browsingContext.navigate", **self.tab, url=url, wait="complete")

    def evaluate(self, function, arg=None):
        code = f"(async () => JSON.stringify(await ({function})({json.dumps(arg)})))()"
        params = {"expression": code, "target": self.tab, "awaitPromise": True}
        response = self.send("script.evaluate", **params)
        assert response["type"] == "success", response["exceptionDetails"]["text"]
        return json.loads(response["result"].get("value", "null"))

    def resize(self, width, height):
        viewport = {"width": width, "height": height}
        self.send("browsingContext.setViewport", **self.tab, viewport=viewport)

    def perform(self, kind, actions):
        source = {"type": kind, "id": kind, "actions": actions}
        self.send("input.performActions", **self.tab, actions=[source])


class WebKit(Engine):
    def __init__(self, root):
        self.session = f"{root}/session"
        session = self.send("POST", "", capabilities={})
        self.session += "/" + session["sessionId"]

    def send(self, method, path, **body):
        data = json.dumps(body).encode() if method == "POST" else None
        try:
            request = Request(self.session + path, data, method=method)
            with urlopen(request, timeout=240) as response:
                return json.load(response)["value"]
        except HTTPError as error:
            raise AssertionError(error.read().decode()) from None

    def open(self, url):
        self.send("POST", "/url", url=url)

    def evaluate(self, function, arg=None):
        script = f"return ({function})(arguments[0])"
        return self.send("POST", "/execute/sync", script=script, args=[arg])

    def resize(self, width, height):
        toolbar = self.evaluate("() => outerHeight - innerHeight")
        self.send("POST", "/window/rect", x=0, y=0, width=width, height=height + toolbar)
        self.wait("(width) => innerWidth === width", width)

    def perform(self, kind, actions):
        source = {"type": kind, "id": kind, "actions": actions}
        self.send("POST", "/actions", actions=[source])


# ------------------------------------------------------------------ starting and ending


@contextmanager
def run_process(command, stderr=subprocess.DEVNULL, **options):
    with subprocess.Popen(command, stderr=stderr, **options) as process:
        try:
            yield process
        finally:
            process.terminate()


def is_listening(address) -> bool:
    with socket.socket() as client:
        return client.connect_ex(address) == 0


@contextmanager
def firefox(folder):
    file = folder / "WebDriverBiDiServer.json"
    command = ["firefox", "--headless", "--remote-debugging-port=0", "--profile", folder]
    with run_process(command):
        while not (file.exists() and file.read_text().endswith("}")):
            time.sleep(0.05)
        engine = Firefox(json.loads(file.read_text()))
        yield engine
        engine.socket.close()


# Shrinks the buttons of the window, so that it can be as narrow as a phone.
GTK_CSS = "* { padding: 0; margin: 0; min-width: 0; border-width: 0; font-size: 1px; }"


@contextmanager
def webkit(folder):
    (folder / "gtk-3.0").mkdir()
    (folder / "gtk-3.0" / "gtk.css").write_text(GTK_CSS)
    screen = ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x1200x24"]
    with socket.create_server(("127.0.0.1", 0)) as server:  # finds a free port
        address = server.getsockname()
    with run_process(screen, stdout=subprocess.PIPE, text=True) as xvfb:
        # Optimizing the WebAssembly code takes longer than it saves.
        variables = {"GDK_BACKEND": "x11", "JSC_useOMGJIT": "0"}
        variables |= dict.fromkeys(("HOME", "XDG_CONFIG_HOME"), str(folder))
        variables["DISPLAY"] = f":{xvfb.stdout.readline().strip()}"
        command = ["WebKitWebDriver", f"--port={address[1]}"]
        with run_process(command, env=os.environ | variables) as process:
            while not is_listening(address):
                assert process.poll() is None, "WebKitWebDriver did not start"
                time.sleep(0.05)
            engine = WebKit(f"http://127.0.0.1:{address[1]}")
            yield engine
            engine.send("DELETE", "")  # closes its window
