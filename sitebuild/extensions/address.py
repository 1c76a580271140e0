"""Where the book is on the web: said in every page, if the build is told; never invented.

The environment tells it, for a workflow knows its addresses, and a copy of the book has
others.  With HALFSPACES_ADDRESS pages get canonical links and social cards, and the site
a sitemap.  With HALFSPACES_REPOSITORY chapters get buttons that open them elsewhere.  A
description and a page for what is not found are always there.
"""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from docutils import nodes

NAMES = ("ADDRESS", "REPOSITORY", "BRANCH", "HUB")
FORMULA = "\ufffc"  # in its place while sentences are told apart
ENOUGH = 120  # letters of a description; whole sentences


def told() -> dict[str, str]:
    """The addresses of the environment, without a slash at the end; "" for one not told.

    Raises ValueError if one is no address of the web.
    """
    values = {name: os.environ.get(f"HALFSPACES_{name}", "").strip("/") for name in NAMES}
    for name, value in values.items():
        url = urlsplit(value)
        good = url.scheme in ("http", "https") and url.netloc and not url.query
        if value and name != "BRANCH" and not good:
            rule = "has to begin with https:// and a host"
            raise ValueError(f"HALFSPACES_{name} {rule}, not {value!r}")
    return values


def stage(app, config) -> None:
    """Tell Sphinx and the theme."""
    known, options = told(), config.html_theme_options
    config.html_baseurl = known["ADDRESS"] and known["ADDRESS"] + "/"
    options["repository_url"] = known["REPOSITORY"]  # Jupyter Book presets its own
    if known["REPOSITORY"]:
        github = "github" in urlsplit(known["REPOSITORY"]).netloc
        options["repository_provider"] = "github" if github else "gitlab"
        options["repository_branch"] = known["BRANCH"] or "main"
        options["launch_buttons"] = {
            "notebook_interface": "jupyterlab",
            "binderhub_url": "https://mybinder.org",
            "colab_url": "https://colab.research.google.com" if github else "",
            "jupyterhub_url": known["HUB"],
        }


def describe(app, pagename, templatename, context, doctree) -> None:
    """Put into the head of a page what it is about, and where it is."""
    text = (doctree and sentences(doctree)) or app.config.book_description
    if pagename == "404":
        context["pageurl"] = None
    known = context | {"config": app.config, "description": text}
    render = app.builder.templates.render
    metas = render("metas.html", known)
    if pagename == app.config.root_doc:
        known |= {"metas": metas.strip(), "first": app.builder.get_target_uri(pagename)}
        Path(app.outdir, "index.html").write_text(render("front.html", known))
    context["metatags"] = context.get("metatags", "") + metas


def sentences(doctree) -> str:
    """The first sentences of a page that have no formula, in its own words."""
    found = ""
    for paragraph in doctree.findall(nodes.paragraph):
        if not isinstance(paragraph.parent, nodes.section | nodes.document):
            continue
        copy = paragraph.deepcopy()
        for formula in list(copy.findall(nodes.math)):
            formula.parent.replace(formula, nodes.Text(FORMULA))
        for sentence in re.split(r"(?<=[.?!])\s+", " ".join(copy.astext().split())):
            if FORMULA not in sentence and len(found) < ENOUGH:
                found = f"{found} {sentence}".strip()
        if len(found) >= ENOUGH:
            break
    return found


def finish(app, exception) -> None:
    if exception:
        return
    page = Path(app.outdir, "404.html")
    page.write_text(page.read_text().replace('href="#', 'href="404.html#'))
    if base := app.config.html_baseurl:
        pages = [base + app.builder.get_target_uri(p) for p in sorted(app.env.found_docs)]
        text = app.builder.templates.render("sitemap.xml", {"pages": pages})
        Path(app.outdir, "sitemap.xml").write_text(text)


def setup(app):
    app.add_config_value("book_description", "", "html")
    app.connect("config-inited", stage)
    app.connect("html-page-context", describe)
    app.connect("build-finished", finish)
