"""Definitions at hand: a page brings those of the glossary's words that it links to.

A word written {term}`convex` becomes a link to the glossary.  The first paragraph of its
definition stands at the end of the page, not shown; `_static/tooltips.js` shows it when the
reader points at the link.  Without a script the link is a link.
"""

from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes


def linked(doctree) -> list[str]:
    """The ids of the words that a page links to, each once, in order."""
    found = {}
    for link in doctree.findall(nodes.reference):
        if any("std-term" in inner["classes"] for inner in link.findall(nodes.inline)):
            found[link.get("refid") or link["refuri"].rpartition("#")[2]] = True
    return list(found)


def definitions(env) -> dict[str, nodes.Element]:
    """The tooltip of every word of every glossary, by the word's id."""
    objects = env.get_domain("std").objects
    pages = {page for (kind, _), (page, _) in objects.items() if kind == "term"}
    return {word: tip for page in sorted(pages) for word, tip in _defined(env, page)}


def _defined(env, page: str) -> Iterator[tuple[str, nodes.Element]]:
    for glossary in env.get_doctree(page).findall(addnodes.glossary):
        for item in glossary.findall(nodes.definition_list_item):
            texts = item[-1].children
            for term in item.findall(nodes.term):
                name = nodes.strong("", term.astext())
                first = texts[0].deepcopy() if texts else nodes.paragraph()
                for link in [*first.findall(_is_link)]:  # a tooltip has no controls
                    link.parent.replace(link, link.children)
                first.insert(0, [name, nodes.Text(" ")])
                for word in term["ids"]:
                    yield word, first


def _is_link(node) -> bool:
    return isinstance(node, nodes.reference | addnodes.pending_xref)


def bring(app, pagename, templatename, context, doctree) -> None:
    """Put the definitions at the end of the page; here the search does not see them."""
    words = linked(doctree) if doctree else []
    if not words:
        return
    known = definitions(app.env)
    tips = [
        f'<div class="hs-tip" role="tooltip" id="tip-{word}">'
        f"{app.builder.render_partial(known[word])['fragment']}</div>"
        for word in words
        if word in known
    ]
    context["body"] += f'<div class="hs-tips">{"".join(tips)}</div>'


def setup(app):
    app.connect("html-page-context", bring)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
