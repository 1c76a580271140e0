"""Moving pictures without a kernel: sliders of the page that choose among stored frames.

A notebook stores `player` and `grid` of halfspaces as widgets.  Here each becomes plain
HTML: its first frame, which is there without a script, and a slider for each parameter.
The other frames lie in a file beside the page, `_static/frames/`, which a browser reads
while the page is already shown; `_static/moving.js` changes them.
"""

import json
from math import prod
from pathlib import Path

from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.util import logging

from sitebuild.extensions.formulas import set_html_or_warn

VIEW = 'type="application/vnd.jupyter.widget-view+json"'
STATE = "ipywidgets_state"  # as myst-nb calls the models of all widgets of a notebook
logger = logging.getLogger(__name__)


def convert(app, doctree) -> None:
    """Put the moving pictures of a notebook where their widgets would be."""
    scripts = NbMetadataCollector.get_js_files(app.env, app.env.docname)
    _, state = scripts.pop(STATE, (None, {"body": "{}"}))
    models = json.loads(state["body"]).get("state", {})
    views = [raw for raw in doctree.findall(nodes.raw) if VIEW in raw.astext()]
    for number, raw in enumerate(views):
        text = raw.astext()
        view = json.loads(text[text.index(">") + 1 : text.rindex("</script>")])
        try:
            sliders, plays, frames = parts(models, view["model_id"])
        except (KeyError, ValueError):
            what = "a widget that is no moving picture: without a kernel it does nothing"
            logger.warning(what, location=raw, type="moving")
            continue
        known = {"sliders": sliders, "plays": plays, "frame": frames[0], "number": number}
        text = app.builder.templates.render("moving.html", known | {"json": json.dumps})
        raw[:] = [nodes.Text(text)]
        raw["frames"] = frames


def parts(models: dict, name: str) -> tuple[list, list, list[str]]:
    """The states of sliders and of the button that plays, and the frames in order.

    Raises KeyError where a model is missing, ValueError where they make no moving picture.
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
        raise ValueError("not a frame for each choice")
    return sliders, plays, frames


def bring_frames(app, pagename, templatename, context, doctree) -> None:
    """Write the frames of a page beside it; the first of each is in the page."""
    raws = doctree.findall(nodes.raw) if doctree else ()
    frames = [
        ["", *(set_html_or_warn(app, frame, pagename) for frame in raw["frames"][1:])]
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
    app.connect("html-page-context", bring_frames)
