"""Serve the site below /sub/path with its policy, optionally with faults."""

import threading
import time
from collections.abc import Sequence
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sitebuild.policy import HEADER

PREFIX = "/sub/path"
# Reports the errors of a page, because not every driver does.  Ignores the editor: WebKit
# adds the color of replaced text inline, which the policy forbids.
SCRIPT = b"""const report = (...words) => navigator.sendBeacon("/errors", words.join(" "));
for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"])
    addEventListener(kind, (event) => event.target.closest?.(".cm-content") || report(kind,
        event.message || event.reason || event.target.src || event.target.href,
        event.effectiveDirective, event.blockedURI, event.sourceFile), true);
const error = console.error;
console.error = (...words) => (error(...words), report("console", ...words));
"""


class Handler(SimpleHTTPRequestHandler):
    """Serves files, with the site's 404.html for missing ones.

    missing  suffixes of paths that get a 404
    untyped  suffixes of paths that have no MIME type
    slow     suffixes of paths that arrive in 20 pieces with pauses; the last piece waits
             until a test removes the suffix
    errors   a list that receives the errors of the pages
    """

    missing: Sequence[str] = ()
    untyped: Sequence[str] = ()
    slow: Sequence[str] = ()
    errors: list[str] | None = None

    def log_message(self, *words):
        pass

    def end_headers(self):
        self.send_header("Content-Security-Policy", HEADER)
        super().end_headers()

    def guess_type(self, path):
        if str(path).endswith(tuple(self.untyped)):
            return "application/octet-stream"
        return super().guess_type(path)

    def send_head(self):
        path = self.path.partition("?")[0]
        if path == "/listen.js":
            return self.respond(200, "text/javascript", SCRIPT)
        file = Path(self.directory + path.removeprefix(PREFIX))
        if not path.startswith(f"{PREFIX}/") or path.endswith(tuple(self.missing)):
            return self.send_error(404)
        if self.errors is not None and file.suffix == ".html" and file.exists():
            page, script = file.read_bytes(), b"<head><script src='/listen.js'></script>"
            page = page.replace(b"<head>", script, 1)
            return self.respond(200, "text/html; charset=utf-8", page)
        self.path = path.removeprefix(PREFIX)
        return super().send_head()

    def send_error(self, code, *words):
        if self.errors is not None:
            self.errors.append(f"{code}: {self.path}")
        self.respond(code, "text/html", Path(self.directory, "404.html").read_bytes())

    def do_POST(self):
        self.errors.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.respond(204)

    def respond(self, code, kind="", data=b""):
        self.send_response(code)
        if kind:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def copyfile(self, source, outputfile):
        if not (self.slow and self.path.endswith(tuple(self.slow))):
            return super().copyfile(source, outputfile)
        data = source.read()
        piece = len(data) // 20
        for start in range(0, 19 * piece, piece):
            outputfile.write(data[start : start + piece])
            time.sleep(0.02)
        while self.path.endswith(tuple(self.slow)):
            time.sleep(0.05)
        outputfile.write(data[19 * piece :])


@contextmanager
def serve(site, **faults):
    """Serve the site with the given faults; yield its URL."""
    handler_class = type("FaultyHandler", (Handler,), faults)

    def handler(*args):
        return handler_class(*args, directory=str(site))

    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
        server.shutdown()
