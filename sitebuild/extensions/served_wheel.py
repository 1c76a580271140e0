"""Serve the package of the book: a notebook that is read alone needs it.

The wheel lies in `downloads/`, and stands in the menu from which the notebook is taken.
"""

from pathlib import Path

import mlcore
from sitebuild import pack

FOLDER, WHEEL = "downloads", f"halfspaces-{mlcore.__version__}-py3-none-any.whl"


def build(app) -> None:
    pack.wheel(Path(app.outdir) / FOLDER)


def offer(app, pagename, templatename, context, doctree) -> None:
    """Add the wheel to the menu of downloads of every notebook."""
    if context.get("page_source_suffix") != ".ipynb":
        return
    for menu in context["header_buttons"]:
        if menu.get("label") == "download-buttons":
            button = dict(type="link", text=".whl", icon="fas fa-box")
            button |= {"tooltip": "Download the package that the notebook needs"}
            button |= {"url": context["pathto"](f"{FOLDER}/{WHEEL}", 1)}
            menu["buttons"].insert(1, button | {"label": "download-wheel-button"})


def setup(app):
    app.connect("builder-inited", build)
    app.connect("html-page-context", offer, priority=600)  # after the theme's menu
