"""Serve the built book to this machine only."""

import os
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sitebuild.build import EDITIONS
from sitebuild.chapters import command_parser


class Handler(SimpleHTTPRequestHandler):
    """Serves files, and the site's 404.html in place of missing ones."""

    def translate_path(self, path):
        return super().translate_path(path).replace("\0", "?")  # no file name contains it

    def send_error(self, code, *words):
        page = Path(self.directory, "404.html")
        if code != 404 or not page.exists():
            return super().send_error(code, *words)
        self.answer(404, "text/html; charset=utf-8", page.read_bytes())

    def answer(self, code, kind="", data=b""):
        self.send_response(code)
        if kind:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


def port(text: str) -> int:
    """Convert the number of a port.  Raises ValueError if it is not one."""
    if not 0 < int(text) < 2**16:
        raise ValueError(text)
    return int(text)


def main(arguments: list[str] | None = None) -> str | None:
    parser = command_parser("sitebuild.serve", __doc__)
    parser.add_argument("--port", type=port, default=8000)
    address = "127.0.0.1", parser.parse_args(arguments).port
    handler = partial(Handler, directory=os.fspath(EDITIONS[""].site))
    try:
        with ThreadingHTTPServer(address, handler) as server:
            print(f"The book: http://{address[0]}:{address[1]}", flush=True)
            server.serve_forever()
    except OSError as error:
        return f"Port {address[1]}: {error.strerror}; choose another with PORT or --port"
    except KeyboardInterrupt:
        return None


if __name__ == "__main__":
    sys.exit(main())  # a message is printed, and the exit status is 1
