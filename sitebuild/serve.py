"""Serve the built book to this machine only."""

import os
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from sitebuild.build import EDITIONS
from sitebuild.chapters import command_parser


class Handler(SimpleHTTPRequestHandler):
    def translate_path(self, path):
        return super().translate_path(path.replace("%00", "-"))  # not allowed in paths


def port(text: str) -> int:
    """Parse a port number.  Raises ValueError if it is invalid."""
    if not 0 < int(text) < 2**16:
        raise ValueError(text)
    return int(text)


def main(arguments: list[str] | None = None) -> str | None:
    parser = command_parser("sitebuild.serve", __doc__)
    parser.add_argument("--port", type=port, default=8000)
    address = "127.0.0.1", parser.parse_args(arguments).port
    site = EDITIONS[""].site
    Handler.error_message_format = (site / "404.html").read_text("utf-8").replace("%", "%%")
    handler = partial(Handler, directory=os.fspath(site))
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
