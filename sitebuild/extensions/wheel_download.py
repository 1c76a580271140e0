"""Offer the wheel, which a downloaded notebook needs, in the download menu."""

from pathlib import Path

import mlcore
from sitebuild.wheel import build_wheel

FOLDER, WHEEL = "downloads", f"halfspaces-{mlcore.__version__}-py3-none-any.whl"


def build(app) -> None:
    build_wheel(Path(app.outdir) / FOLDER)


def add_button(app, pagename, templatename, context, doctree) -> None:
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
    app.connect(
        "html-page-context", add_button, priority=600
    )  # after the theme has made the menu
