"""Add tooltips with the glossary's definitions of the terms on a page.

{term}`convex` becomes a link to the glossary.  The first paragraph of the definition is
hidden at the end of the page; `_static/tooltips.js` shows it when the reader points at the
link.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes

GLOSSARY = "chapters/glossary"


def linked_terms(doctree) -> list[str]:
    """List the ids of the terms that a page links to, without duplicates."""
    links = doctree.findall(nodes.reference)
    terms = (
        link
        for link in links
        if any("std-term" in inner["classes"] for inner in link.findall(nodes.inline))
    )
    words = (link.get("refid") or link["refuri"].rpartition("#")[2] for link in terms)
    return list(dict.fromkeys(words))


def definitions(env) -> Iterator[tuple[str, nodes.Element]]:
    """Yield (id, tooltip) for each term of the glossary."""
    for item in env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        for term in item.findall(nodes.term):
            first = item[-1][0].deepcopy()
            for link in list(first.findall(addnodes.pending_xref)):  # no links in a tooltip
                link.parent.replace(link, link.children)
            first.insert(0, [nodes.strong("", term.astext()), nodes.Text(" ")])
            for word in term["ids"]:
                yield word, first


def add_tooltips(app, pagename, templatename, context, doctree) -> None:
    """Add the definitions at the end of the page, after Sphinx has indexed it."""
    words = linked_terms(doctree) if doctree else []
    if not words:
        return
    tooltips = dict(definitions(app.env))
    tips = [
        f'<div class="hs-tip" role="tooltip" id="tip-{word}">'
        f"{app.builder.render_partial(tooltips[word])['fragment']}</div>"
        for word in words
        if word in tooltips
    ]
    context["body"] += f'<div class="hs-tips">{"".join(tips)}</div>'


def setup(app):
    app.connect("html-page-context", add_tooltips)
