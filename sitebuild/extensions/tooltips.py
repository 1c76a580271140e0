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
    term_ids = (link.get("refid") or link["refuri"].rpartition("#")[2] for link in terms)
    return list(dict.fromkeys(term_ids))


def definitions(env) -> Iterator[tuple[str, nodes.Element]]:
    """Yield (id, tooltip) for each term of the glossary."""
    for item in env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        for term in item.findall(nodes.term):
            first = item[-1][0].deepcopy()
            for link in list(first.findall(addnodes.pending_xref)):  # no links in a tooltip
                link.parent.replace(link, link.children)
            first.insert(0, [nodes.strong("", term.astext()), nodes.Text(" ")])
            for term_id in term["ids"]:
                yield term_id, first


def add_tooltips(app, pagename, templatename, context, doctree) -> None:
    """Add the definitions at the end of the page, after Sphinx has indexed it."""
    term_ids = linked_terms(doctree) if doctree else []
    if not term_ids:
        return
    tooltips = dict(definitions(app.env))
    tips = [
        f'<div class="hs-tip" role="tooltip" id="tip-{term_id}">'
        f"{app.builder.render_partial(tooltips[term_id])['fragment']}</div>"
        for term_id in term_ids
        if term_id in tooltips
    ]
    context["body"] += f'<div class="hs-tips">{"".join(tips)}</div>'


def setup(app):
    app.connect("html-page-context", add_tooltips)
