"""Add the public URL of the book to its pages, if environment variables define it.

A configuration file would not fit: a CI workflow knows its own URLs, and forks have
different ones.  With HALFSPACES_ADDRESS pages get canonical links and social cards, and the
site gets a sitemap.  With HALFSPACES_REPOSITORY chapters get launch buttons.  Page
descriptions and the page 404.html do not depend on these variables.
"""

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from docutils import nodes

RULES = {  # name of a variable -> pattern, description
    "ADDRESS": (r"https?://[^/\s?#]+[^\s?#]*", "a URL"),
    "REPOSITORY": (r"https?://[^/\s?#]+/[^/\s?#]+/[^\s?#]+", "https://host/owner/name"),
    "BRANCH": (r"[\w./-]+", "letters, digits and . _ / -"),
    "HUB": (r"https?://[^/\s?#]+[^\s?#]*", "a URL"),
}
FORMULA = "\ufffc"  # placeholder
MIN_LENGTH = 120  # a description collects whole sentences until it is this long


def address_settings() -> dict[str, str]:
    """Read the environment variables, without leading or trailing slashes; "" if unset.

    Raises ValueError for an invalid value.
    """
    values = {name: os.environ.get(f"HALFSPACES_{name}", "").strip("/") for name in RULES}
    for name, value in values.items():
        pattern, rule = RULES[name]
        if value and not re.fullmatch(pattern, value):
            raise ValueError(f"HALFSPACES_{name} must be {rule}; got {value!r}")
    return values


def configure(app, config) -> None:
    """Pass the settings to Sphinx and the theme."""
    settings, options = address_settings(), config.html_theme_options
    config.html_baseurl = settings["ADDRESS"] and settings["ADDRESS"] + "/"
    options["repository_url"] = settings["REPOSITORY"]  # Jupyter Book sets a default
    if settings["REPOSITORY"]:
        github = "github" in urlsplit(settings["REPOSITORY"]).netloc
        options["repository_provider"] = "github" if github else "gitlab"
        options["repository_branch"] = settings["BRANCH"] or "main"
        options["launch_buttons"] = {
            "notebook_interface": "jupyterlab",
            "binderhub_url": "https://mybinder.org",
            "colab_url": "https://colab.research.google.com" if github else "",
            "jupyterhub_url": settings["HUB"],
        }


def add_metadata(app, pagename, templatename, context, doctree) -> None:
    """Add description, URL and social card to the head of a page.

    The first page also gets index.html, which leads to it.
    """
    text = (doctree and first_sentences(doctree)) or app.config.book_description
    if pagename == "404":
        context["pageurl"] = None
    values = context | {"config": app.config, "description": text}
    render = app.builder.templates.render
    metas = render("metas.html", values)
    if pagename == app.config.root_doc:
        values |= {"metas": metas.strip(), "first": app.builder.get_target_uri(pagename)}
        Path(app.outdir, "index.html").write_text(render("front.html", values))
    context["metatags"] = context.get("metatags", "") + metas


def first_sentences(doctree) -> str:
    """Join the first sentences of a page that contain no formula."""
    found = ""
    for paragraph in doctree.findall(nodes.paragraph):
        if not isinstance(paragraph.parent, nodes.section | nodes.document):
            continue
        copy = paragraph.deepcopy()
        for formula in list(copy.findall(nodes.math)):
            formula.parent.replace(formula, nodes.Text(FORMULA))
        for sentence in re.split(r"(?<=[.?!])\s+", " ".join(copy.astext().split())):
            if FORMULA not in sentence and len(found) < MIN_LENGTH:
                found = f"{found} {sentence}".strip()
        if len(found) >= MIN_LENGTH:
            break
    return found


def finish(app, exception) -> None:
    """Adapt the links within 404.html, and write the sitemap."""
    if exception:
        return
    page = Path(app.outdir, "404.html")
    # with <base> in 404.html, "#..." alone would lead to the front page
    page.write_text(page.read_text().replace('href="#', 'href="404.html#'))
    if base := app.config.html_baseurl:
        pages = [base + app.builder.get_target_uri(p) for p in sorted(app.env.found_docs)]
        text = app.builder.templates.render("sitemap.xml", {"pages": pages})
        Path(app.outdir, "sitemap.xml").write_text(text)


def setup(app):
    app.add_config_value("book_description", "", "html")
    app.connect("config-inited", configure)
    app.connect("html-page-context", add_metadata)
    app.connect("build-finished", finish)
