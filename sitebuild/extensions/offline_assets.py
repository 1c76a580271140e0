"""Serve fonts and other npm packages from the site.

Sphinx copies them from the cache of `fetching`.  They are not in `_static`, because Jupyter
Book adds every .js and .css file in that folder to every page.
"""

from sitebuild.fetching import SANS, SERIF, find_fetched


def add_fonts(app, config) -> None:
    """Use the fonts in the cache; without them pages use the reader's fonts."""
    if folder := find_fetched():
        config.html_static_path.append(str(folder / "site"))
        for font in (SERIF, SANS):
            for style in ("wght.css", "wght-italic.css"):
                app.add_css_file(f"{font}/{style}")


def drop_thebe(app, config) -> None:
    """Remove sphinx-thebe, which Jupyter Book adds: the book uses no live kernels."""
    for events in app.events.listeners.values():
        events[:] = [e for e in events if e.handler.__module__ != "sphinx_thebe"]
    styles = app.registry.css_files
    styles[:] = [style for style in styles if style[0] != "sphinx-thebe.css"]


def setup(app):
    # After Jupyter Book has searched the static folders, before MyST-NB.
    app.connect("config-inited", add_fonts, priority=100)
    app.connect("config-inited", drop_thebe)
