"""Where the book is on the web: said in every page, if the build is told; never invented.

The environment tells it, for a workflow knows its addresses, and a copy of the book has
others.  With HALFSPACES_ADDRESS pages get canonical links and social cards, and the site
a sitemap.  With HALFSPACES_REPOSITORY chapters get buttons that open them elsewhere.  A
description and a page for what is not found are always there.
"""

import html
import os
import re
from pathlib import Path
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from docutils import nodes

NAMES = ("ADDRESS", "REPOSITORY", "BRANCH", "HUB")
BINDER, COLAB = "https://mybinder.org", "https://colab.research.google.com"
CARD, CARD_ALT = "_static/preview.png", "A line between two kinds of iris flowers"
FORMULA = "\ufffc"  # in its place while sentences are told apart
ENOUGH = 120  # letters of a description; whole sentences
# A page that stands for a missing one is served at any depth.  Its links lead from where
# the book begins: there lies its inventory.
FIND_BASE = """<script>
for (let at = new URL("./", location); ; at = new URL("../", at)) {
  const ask = new XMLHttpRequest();
  ask.open("HEAD", new URL("objects.inv", at), false);
  try { ask.send(); } catch { break; }
  if (ask.status === 200) { document.write(`<base href="${at}">`); break; }
  if (at.pathname === "/") break;
}
</script>"""
SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
{}
</urlset>
"""
# What a server shows for the address of the book itself.
FRONT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
{metas}
<meta http-equiv="refresh" content="0; url={first}">
</head><body><a href="{first}">{title}</a></body></html>
"""
NOT_FOUND = """<h1>There is no such page</h1>
<p>The address may be mistyped, or the page has moved.
<a href="{first}">The first page</a> has the contents, and the search finds
any word of the book.</p>"""


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
            "binderhub_url": BINDER,
            "colab_url": COLAB if github else "",
            "jupyterhub_url": known["HUB"],
        }


def describe(app, pagename, templatename, context, doctree) -> None:
    """Put into the head of a page what it is about, and where it is."""
    title = html.unescape(re.sub(r"<[^>]*>", "", context.get("title", "")))
    text = (doctree and sentences(doctree)) or app.config.book_description
    tags = [("name", "description", text)]
    if base := app.config.html_baseurl:
        tags += [
            ("property", "og:title", title),
            ("property", "og:description", text),
            ("property", "og:type", "article"),
            ("property", "og:site_name", app.config.html_title),
            ("property", "og:url", context["pageurl"]),
            ("property", "og:image", base + CARD),
            ("property", "og:image:alt", CARD_ALT),
            ("name", "twitter:card", "summary_large_image"),
        ]
    metas = [f'<meta {k}="{name}" content="{html.escape(v)}">' for k, name, v in tags]
    if pagename == "404":
        metas = [f'<base href="{base}">' if base else FIND_BASE, metas[0]]
        context["pageurl"] = None
    elif pagename == app.config.root_doc:
        first, title = app.builder.get_target_uri(pagename), app.config.html_title
        front = FRONT.format(title=title, metas="\n".join(metas), first=first)
        Path(app.outdir, "index.html").write_text(front)
    context["metatags"] = "\n".join([context.get("metatags", ""), *metas])


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


def not_found(app):
    """A page for addresses that lead nowhere; servers know it by its name."""
    body = NOT_FOUND.format(first=app.builder.get_target_uri(app.config.root_doc))
    yield "404", {"title": "There is no such page", "body": body}, "page.html"


def finish(app, exception) -> None:
    if exception:
        return
    page = Path(app.outdir, "404.html")
    # where a page has a base, a place within it is elsewhere
    page.write_text(page.read_text().replace('href="#', 'href="404.html#'))
    if base := app.config.html_baseurl:
        pages = map(app.builder.get_target_uri, sorted(app.env.found_docs))
        lines = "\n".join(f"<url><loc>{escape(base + page)}</loc></url>" for page in pages)
        Path(app.outdir, "sitemap.xml").write_text(SITEMAP.format(lines))


def setup(app):
    app.add_config_value("book_description", "", "html")
    app.connect("config-inited", stage)
    app.connect("html-page-context", describe)
    app.connect("html-collect-pages", not_found)
    app.connect("build-finished", finish)
