"""Serve MathJax, the Jupyter widget manager and the fonts from the book itself.

Sphinx copies them into the site from the cache in which `fetching` keeps them.  They must
not lie in `_static`: Jupyter Book puts every .js and .css that it finds there on every
page.
"""

from fetching import find
from vendored import MATHJAX, SANS, SERIF, STAGED, WIDGETS


def stage(app, config) -> None:
    """Point the pages at our copies; unless all are there, leave the stock addresses."""
    folders = [find(package) for package in STAGED]
    if None in folders:
        return
    config.html_static_path.extend(map(str, folders))
    config.mathjax_path = f"{MATHJAX.site}/es5/tex-chtml.js"
    config.nb_ipywidgets_js = {f"{WIDGETS.site}/dist/embed.js": {}}
    for font in (SERIF, SANS):
        for style in ("wght.css", "wght-italic.css"):
            app.add_css_file(f"{font.site}/{style}")


def drop_thebe(app, pagename, templatename, context, doctree) -> None:
    """Leave out sphinx-thebe: no live kernels here, and its script is declared twice."""
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "sphinx-thebe.js" not in str(getattr(script, "filename", script))
        and "THEBE_JS_URL" not in getattr(script, "attributes", {}).get("body", "")
    ]


def setup(app):
    # On every page: Sphinx does not see the formulas in outputs and captions.
    app.set_html_assets_policy("always")
    # After Jupyter Book has looked through the static folders, before myst-nb reads on.
    app.connect("config-inited", stage, priority=100)
    app.connect("html-page-context", drop_thebe, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
