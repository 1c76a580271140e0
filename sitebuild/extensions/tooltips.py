"""Definitions at hand: a page brings those of the glossary's words that it links to.

A word written {term}`convex` becomes a link to the glossary.  The first paragraph of its
definition stands at the end of the page, not shown; `_static/tooltips.js` shows it when the
reader points at the link.  Without a script the link is a link.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes

GLOSSARY = "chapters/glossary"


def linked(doctree) -> list[str]:
    """The ids of the words that a page links to, each once, in order."""
    links = doctree.findall(nodes.reference)
    terms = (
        link
        for link in links
        if any("std-term" in inner["classes"] for inner in link.findall(nodes.inline))
    )
    words = (link.get("refid") or link["refuri"].rpartition("#")[2] for link in terms)
    return list(dict.fromkeys(words))


def definitions(env) -> Iterator[tuple[str, nodes.Element]]:
    """Each word of the glossary, by its id, with its tooltip."""
    for item in env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        for term in item.findall(nodes.term):
            first = item[-1][0].deepcopy()
            for link in list(first.findall(addnodes.pending_xref)):  # a tip has no controls
                link.parent.replace(link, link.children)
            first.insert(0, [nodes.strong("", term.astext()), nodes.Text(" ")])
            for word in term["ids"]:
                yield word, first


def bring(app, pagename, templatename, context, doctree) -> None:
    """Put the definitions at the end of the page; here the search does not see them."""
    words = linked(doctree) if doctree else []
    if not words:
        return
    known = dict(definitions(app.env))
    tips = [
        f'<div class="hs-tip" role="tooltip" id="tip-{word}">'
        f"{app.builder.render_partial(known[word])['fragment']}</div>"
        for word in words
        if word in known
    ]
    context["body"] += f'<div class="hs-tips">{"".join(tips)}</div>'


def setup(app):
    app.connect("html-page-context", bring)
