"""Serve the fonts of the text, and what else npm has, from the book itself.

Sphinx copies them into the site from the cache in which `fetching` keeps them.  They must
not lie in `_static`: Jupyter Book puts every .js and .css that it finds there on every
page.
"""

import re

from fetching import SANS, SERIF, find


def stage(app, config) -> None:
    """Serve our copies; unless they are here, the reader's own fonts do."""
    if folder := find():
        config.html_static_path.append(str(folder / "site"))
        for font in (SERIF, SANS):
            for style in ("wght.css", "wght-italic.css"):
                app.add_css_file(f"{font}/{style}")


THEBE = re.compile(r'<script type="text/x-thebe-config">.*?</script>', re.DOTALL)


def drop_thebe(app, pagename, templatename, context, doctree) -> None:
    """Leave out sphinx-thebe: no live kernels here, and its script is declared twice.

    Its settings name a repository of others.
    """
    context["body"] = THEBE.sub("", context.get("body", ""))
    context["script_files"] = [
        script
        for script in context["script_files"]
        if "sphinx-thebe.js" not in str(getattr(script, "filename", script))
        and "THEBE_JS_URL" not in getattr(script, "attributes", {}).get("body", "")
    ]
    styles = context["css_files"]
    context["css_files"] = [s for s in styles if "sphinx-thebe.css" not in str(s.filename)]


def setup(app):
    # After Jupyter Book has looked through the static folders, before myst-nb reads on.
    app.connect("config-inited", stage, priority=100)
    app.connect("html-page-context", drop_thebe, priority=900)
