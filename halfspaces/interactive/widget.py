"""Interactive figures in JupyterLab: the page's scripts, with frames from the kernel."""

import json
import re
from pathlib import Path

import anywidget
import traitlets

HERE = Path(__file__).parent
SCRIPTS = "grab.js", "widget.js"


class FigureWidget(anywidget.AnyWidget):
    """Display an InteractiveFigure, and send the frames that its script requests."""

    _esm = "".join((HERE / name).read_text("utf-8") for name in SCRIPTS)
    _css = (HERE / "grab.css").read_text("utf-8")
    html = traitlets.Unicode().tag(sync=True)

    def __init__(self, figure):
        super().__init__(html=without_links(figure._repr_html_()))
        self.respond = lambda state: json.loads(without_links(figure.respond(state)))
        self.on_msg(lambda _, message, __: self.send(self.respond(message["state"])))


def without_links(text: str) -> str:
    """Remove links from HTML or JSON; a notebook cannot reach the pages of the book."""
    return re.sub(' href="[^"]*"|"href":"[^"]*"', "", text)
