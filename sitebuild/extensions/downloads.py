"""Offer the EPUB, and the wheel that a downloaded notebook needs, in the download menu."""

from pathlib import Path

import mlcore
from sitebuild import epub, fetching
from sitebuild.wheel import build_wheel

FOLDER, WHEEL = "downloads", f"halfspaces-{mlcore.__version__}-py3-none-any.whl"


def write_wheel(app) -> None:
    build_wheel(Path(app.outdir) / FOLDER)


def add_buttons(app, pagename, templatename, context, doctree) -> None:
    """Add the EPUB to the menu of every page, and the wheel to the menu of a notebook."""
    files = []
    if context.get("page_source_suffix") == ".ipynb":
        purpose = "Download the package that the notebook needs"
        files.append((f"{FOLDER}/{WHEEL}", "wheel", "fas fa-box", purpose))
    if fetching.find_fetched():  # else the build writes no EPUB
        files.append((epub.PATH, "epub", "fas fa-book", "Download the book for e-readers"))
    for menu in context.get("header_buttons", []):
        if menu.get("label") == "download-buttons":
            menu["buttons"][1:1] = [
                {
                    "type": "link",
                    "text": Path(path).suffix,
                    "icon": icon,
                    "tooltip": purpose,
                    "url": context["pathto"](path, 1),
                    "label": f"download-{name}-button",
                }
                for path, name, icon, purpose in files
            ]


def setup(app):
    app.connect("builder-inited", write_wheel)
    # after the theme has created the menu
    app.connect("html-page-context", add_buttons, priority=600)
