"""Convert animations to sliders that select stored frames, without a kernel.

A notebook stores the animations of `halfspaces` as widgets.  Each becomes plain HTML:
the first frame, which needs no script, and a slider for each parameter.  The other frames
are in `_static/frames/` and load asynchronously; `_static/animation.js` swaps them.
"""

import json
from math import prod
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.util import logging

from sitebuild.extensions.formulas import typeset_html

VIEW = 'type="application/vnd.jupyter.widget-view+json"'
STATE = "ipywidgets_state"  # MyST-NB's key for the widget models of a notebook
logger = logging.getLogger(__name__)


def convert(app, doctree) -> None:
    """Replace the widgets of a notebook with HTML."""
    scripts = NbMetadataCollector.get_js_files(app.env, app.env.docname)
    _, state = scripts.pop(STATE, (None, {"body": "{}"}))
    models = json.loads(state["body"]).get("state", {})
    views = [raw for raw in doctree.findall(nodes.raw) if VIEW in raw.astext()]
    for number, raw in enumerate(views):
        text = raw.astext()
        view = json.loads(text[text.index(">") + 1 : text.rindex("</script>")])
        try:
            sliders, plays, frames = find_parts(models, view["model_id"])
        except (KeyError, ValueError):
            message = "this widget is not an animation, and needs a kernel"
            logger.warning(message, location=raw, type="animation")
            continue
        context = {"sliders": sliders, "plays": plays, "frame": frames[0], "number": number}
        context["json"] = json.dumps
        raw[:] = [nodes.Text(app.builder.templates.render("animation.html", context))]
        raw["frames"] = frames


def find_parts(models: dict, name: str) -> tuple[list, list, list[str]]:
    """Return the states of sliders and Play buttons, and the frames in order.

    Raises KeyError or ValueError if the widget is not an animation.
    """
    sliders, plays, frames = [], [], []
    todo = [name]
    while todo:
        model = models[todo.pop().removeprefix("IPY_MODEL_")]
        kind, state = model["model_name"], model["state"]
        if kind == "SelectionSliderModel":
            sliders.append(state)
        elif kind == "PlayModel":
            plays.append(state)
        elif kind == "HTMLModel":
            frames.append(state["value"])
        else:
            todo += reversed(state["children"])
    if len(frames) != prod(len(slider["_options_labels"]) for slider in sliders):
        raise ValueError("the number of frames does not match the sliders")
    return sliders, plays, frames


def write_frames(app, pagename, templatename, context, doctree) -> None:
    """Write the frames to a file, except each animation's first, which is in the page."""
    raws = doctree.findall(nodes.raw) if doctree else ()
    frames = [
        ["", *(typeset_html(app, frame, pagename) for frame in raw["frames"][1:])]
        for raw in raws
        if "frames" in raw
    ]
    if not frames:
        return
    name = f"frames/{pagename.replace('/', '-')}.js"
    path = Path(app.outdir, "_static", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"window.hsFrames = {json.dumps(frames)};\n", encoding="utf-8")
    app.add_js_file(name, loading_method="async")


def setup(app):
    app.setup_extension("sitebuild.extensions.formulas")
    app.connect("doctree-read", convert)
    app.connect("html-page-context", write_frames)
