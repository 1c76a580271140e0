"""Mark header cells of tables, so that screen readers announce them.

The first cell of each row and the cells of the first row are headers, but not an empty
corner.  This applies to tables in the text and in outputs.
"""

import re

EMPTY = r"\s*(?:<p>\s*</p>\s*)?"
CORNER = re.compile(rf"<th[^>]*>{EMPTY}</th>")
FIRST = re.compile(rf"(<tr[^>]*>\s*)<td([^>]*)>(?!{EMPTY}</td>)(.*?)</td>", re.S)


def mark_headers(html: str) -> str:
    html = re.sub(r"<th\b", '<th scope="col"', CORNER.sub("<td></td>", html))
    return FIRST.sub(r'\1<th scope="row"\2>\3</th>', html)


def mark_page(app, pagename, templatename, context, doctree) -> None:
    context["body"] = mark_headers(context.get("body", ""))


def setup(app):
    app.connect("html-page-context", mark_page)
