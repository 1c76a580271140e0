"""Serve the fonts of the text, and what else npm has, from the book itself.

Sphinx copies them into the site from the cache in which `fetching` keeps them.  They must
not lie in `_static`: Jupyter Book puts every .js and .css that it finds there on every
page.
"""

from sitebuild.fetching import SANS, SERIF, find


def stage(app, config) -> None:
    """Serve our copies; unless they are here, the reader's own fonts do."""
    if folder := find():
        config.html_static_path.append(str(folder / "site"))
        for font in (SERIF, SANS):
            for style in ("wght.css", "wght-italic.css"):
                app.add_css_file(f"{font}/{style}")


def drop_thebe(app, config) -> None:
    """Leave out sphinx-thebe, which Jupyter Book brings: no live kernels here."""
    for heard in app.events.listeners.values():
        heard[:] = [one for one in heard if one.handler.__module__ != "sphinx_thebe"]
    styles = app.registry.css_files
    styles[:] = [style for style in styles if style[0] != "sphinx-thebe.css"]


def setup(app):
    # After Jupyter Book has looked through the static folders, before myst-nb reads on.
    app.connect("config-inited", stage, priority=100)
    app.connect("config-inited", drop_thebe)
