"""A figure that is grabbed, in JupyterLab: the page's script, and the kernel answers."""

import re
from pathlib import Path

import anywidget
import traitlets

HERE = Path(__file__).parent
RENDER = """
export default { render({ model, el }) {
  const waiting = new Map();
  let count = 0;
  model.on("msg:custom", ({ id, frame }) => {
    waiting.get(id)?.(JSON.parse(frame));
    waiting.delete(id);
  });
  const ask = (state) => new Promise((done) => {
    waiting.set(++count, done);
    model.send({ id: count, state });
  });
  el.innerHTML = model.get("html");
  el.querySelectorAll("[data-do=take], .hs-own").forEach((part) => part.remove());
  attach(el.querySelector("figure"), ask);
} };"""


class GrabWidget(anywidget.AnyWidget):
    """Shows a Grab, and answers what its script asks."""

    _esm = (HERE / "grab.js").read_text("utf-8") + RENDER
    _css = (HERE / "grab.css").read_text("utf-8")
    html = traitlets.Unicode().tag(sync=True)

    def __init__(self, grab):
        super().__init__(html=without_links(grab._repr_html_()))
        self.on_msg(lambda _, asked, __: self.send(self._answer(grab, asked)))

    @staticmethod
    def _answer(grab, asked: dict) -> dict:
        return {"id": asked["id"], "frame": without_links(grab.answer(asked["state"]))}


def without_links(text: str) -> str:
    """HTML or JSON of it: the pages that the book has are not where the notebook is."""
    return re.sub(' href="[^"]*"|"href":"[^"]*"', "", text)
