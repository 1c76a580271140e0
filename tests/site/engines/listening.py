"""Serves the site under its policy, and hears from its pages what went wrong in them.

Not every engine's driver tells that, so a script in the page does.
"""

import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from policy import HEADER

# WebKit gives what is typed over a word the word's color, which the policy refuses.
SCRIPT = b"""const say = (...words) => navigator.sendBeacon("/said", words.join(" "));
for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"])
    addEventListener(kind, (event) => event.target.closest?.(".cm-content") || say(kind,
        event.message || event.reason || event.target.src || event.target.href,
        event.effectiveDirective, event.blockedURI, event.sourceFile), true);
const error = console.error;
console.error = (...words) => (error(...words), say("console", ...words));
"""


@contextmanager
def listening(site):
    """The address of the site, and the list of what its pages complain of."""
    said = []

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=site)

        def log_message(self, *words):
            pass

        def end_headers(self):
            self.send_header("Content-Security-Policy", HEADER)
            super().end_headers()

        def send_error(self, code, *words):
            said.append(f"{code}: {self.path}")
            super().send_error(code, *words)

        def do_POST(self):
            length = int(self.headers["Content-Length"])
            said.append(self.rfile.read(length).decode())
            self.send_response(204)
            self.end_headers()

        def do_GET(self):
            path = self.path.split("?")[0]
            if path == "/listen.js":
                self.answer(SCRIPT, "text/javascript")
            elif path.endswith(".html") and (site / path[1:]).exists():
                page, script = (site / path[1:]).read_bytes(), b"<script src='/listen.js'>"
                page = page.replace(b"<head>", b"<head>" + script + b"</script>", 1)
                self.answer(page, "text/html; charset=utf-8")
            else:
                super().do_GET()

        def answer(self, data, kind):
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", said
        server.shutdown()
