"""Serve the built book to this machine: what `make serve PORT=8000` does."""

import sys
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from chapters import ROOT


class Pages(SimpleHTTPRequestHandler):
    """The files of the site, and its page 404.html for whatever is none."""

    def send_head(self):
        with suppress(ValueError):  # a name that no file can have
            return super().send_head()
        return self.send_error(404)

    def list_directory(self, path):
        return self.send_error(404)

    def send_error(self, code, message=None, explain=None):
        page = Path(self.directory, "404.html")
        if code == 404 and page.exists():
            self.error_message_format = page.read_text("utf-8").replace("%", "%%")
        super().send_error(code, message, explain)


def main(port: str) -> int:
    if not (port.isdecimal() and 0 < int(port) < 65536):
        print(f"PORT has to be a number from 1 to 65535, not {port!r}.", file=sys.stderr)
        return 1
    pages = partial(Pages, directory=ROOT / "_build" / "html")
    try:
        server = ThreadingHTTPServer(("127.0.0.1", int(port)), pages)
    except OSError as error:
        print(f"Port {port} cannot be used ({error.strerror}).", file=sys.stderr, end="  ")
        print(f"Try `make serve PORT={int(port) % 65535 + 1}`.", file=sys.stderr)
        return 1
    print(f"The book is on http://127.0.0.1:{port} (Ctrl-C stops).", flush=True)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
