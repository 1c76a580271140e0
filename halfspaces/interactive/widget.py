"""A figure that is grabbed, in JupyterLab: the page's script, and the kernel answers."""

import json
import re
from pathlib import Path

import anywidget
import traitlets

HERE = Path(__file__).parent
SCRIPTS = "grab.js", "widget.js"


class GrabWidget(anywidget.AnyWidget):
    """Shows a Grab, and answers what its script asks."""

    _esm = "".join((HERE / name).read_text("utf-8") for name in SCRIPTS)
    _css = (HERE / "grab.css").read_text("utf-8")
    html = traitlets.Unicode().tag(sync=True)

    def __init__(self, grab):
        super().__init__(html=without_links(grab._repr_html_()))
        self.answer = lambda state: json.loads(without_links(grab.answer(state)))
        self.on_msg(lambda _, asked, __: self.send(self.answer(asked["state"])))


def without_links(text: str) -> str:
    """HTML or JSON of it: the pages that the book has are not where the notebook is."""
    return re.sub(' href="[^"]*"|"href":"[^"]*"', "", text)
