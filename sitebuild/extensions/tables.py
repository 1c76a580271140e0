"""Cells that name their row or their column say so: a screen reader tells them with it.

The first cell of a row names it, those of the first row their columns; a corner that holds
nothing names nothing.  The tables of the text and those that cells put out are alike here.
"""

import re

NOTHING = r"\s*(?:<p>\s*</p>\s*)?"
CORNER = re.compile(rf"<th[^>]*>{NOTHING}</th>")
FIRST = re.compile(rf"(<tr[^>]*>\s*)<td([^>]*)>(?!{NOTHING}</td>)(.*?)</td>", re.S)


def with_names(html: str) -> str:
    html = re.sub(r"<th\b", '<th scope="col"', CORNER.sub("<td></td>", html))
    return FIRST.sub(r'\1<th scope="row"\2>\3</th>', html)


def name(app, pagename, templatename, context, doctree) -> None:
    context["body"] = with_names(context.get("body", ""))


def setup(app):
    app.connect("html-page-context", name)
