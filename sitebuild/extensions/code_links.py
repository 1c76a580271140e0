"""The code of the pages: light, and linked with the reference in both directions.

Where a cell uses a name that its chapter imports from `mlcore`, the name leads to its
entry in the reference; and each entry says which chapters use it.
"""

import ast
import json
import re
from pathlib import Path

from pygments import token
from pygments.formatters import HtmlFormatter
from sphinx.highlighting import PygmentsBridge

from sitebuild.chapters import in_book_order

OURS = "mlcore", "halfspaces"

BLOCK = re.compile(r'<div class="highlight-i?python.*?</pre>', re.DOTALL)
# a name alone: neither inside a word that has a look, nor an attribute or a keyword
NAME = re.compile(r"<span[^>]*>[^<]*</span>|(?<![\w.&])([^\W\d]\w*)(?!\w|=(?!=))")
# What looks alike in the book's style has one class, and the rest, which is most, none.
LOOKS = {token.Keyword: "k", token.Operator.Word: "k", token.String: "s"}
LOOKS |= {token.Number: "m", token.Comment: "c", token.Name.Decorator: "c"}
LOOKS |= {token.Name.Function: "nf", token.Name.Class: "nf", token.Generic.Prompt: "gp"}
LOOKS |= {token.Generic.Error: "gr", token.Name.Exception: "gr"}


class Light(HtmlFormatter):
    """Writes no element for what has no look of its own."""

    def _get_css_classes(self, ttype):
        return next((LOOKS[kind] for kind in reversed(ttype.split()) if kind in LOOKS), "")


def imported(notebook: Path) -> dict[str, str]:
    """Which name of a notebook is which of `mlcore`, if it means nothing else there."""
    names, taken = {}, set()
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        for node in ast.walk(ast.parse("".join(cell["source"]))):
            if isinstance(node, ast.ImportFrom) and node.module.startswith(OURS):
                for alias in node.names:
                    names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                taken.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                taken.add(node.name)
            elif isinstance(node, ast.arg):
                taken.add(node.arg)
    return {name: full for name, full in names.items() if name not in taken}


def collect(app) -> None:
    """Read the imports of all notebooks, before the first page."""
    paths = in_book_order(Path(app.srcdir))
    app.env.hs_imports = {path.stem: imported(path) for path in paths}


def used_in(app, what, name, obj, options, lines) -> None:
    """Add to a docstring the chapters that use what it describes."""
    users = [page for page, names in app.env.hs_imports.items() if name in names.values()]
    pages = ", ".join(f":doc:`/chapters/{page}`" for page in users)
    lines += ["", f"*Used in* {pages}.", ""] if users else []


def link(app, pagename, templatename, context, doctree) -> None:
    """Link the names in the code of a page."""
    names = app.env.hs_imports.get(Path(pagename).name)
    if not names or not pagename.startswith("chapters/"):
        return
    known = app.env.domains["py"].objects
    targets = {}
    for name, full in names.items():
        if full in known:
            page = context["pathto"](known[full].docname)
            place = f"{page}#{known[full].node_id}"
            targets[name] = f'<a class="hs-code" href="{place}">{name}</a>'

    context["body"] = BLOCK.sub(lambda block: linked(block[0], targets), context["body"])


def linked(block: str, targets: dict[str, str]) -> str:
    """A block of code, in which the first use of each name is a link."""
    left = dict(targets)
    return NAME.sub(lambda found: left.pop(found[1], found[0]), block)


def setup(app):
    app.setup_extension("sitebuild.extensions.reference")
    PygmentsBridge.html_formatter = Light
    app.connect("builder-inited", collect)
    app.connect("autodoc-process-docstring", used_in, priority=600)  # after `reference`
    app.connect("html-page-context", link)
