"""Link the code of the pages to the API reference, and simplify its highlighting.

A name that a chapter imports from `mlcore` or `halfspaces` links to its entry in the
reference, and each entry lists the chapters that use the name.
"""

import ast
import json
import re
from pathlib import Path

from pygments import token
from pygments.formatters import HtmlFormatter
from sphinx.highlighting import PygmentsBridge

from sitebuild.chapters import notebook_paths

PACKAGES = "mlcore", "halfspaces"

BLOCK = re.compile(r'<div class="highlight-i?python.*?</pre>', re.DOTALL)
# a whole name, but not a highlighted word, an attribute or a keyword argument
NAME = re.compile(r"<span[^>]*>[^<]*</span>|(?<![\w.&])([^\W\d]\w*)(?!\w|=(?!=))")
# Tokens of the same style share a class; most tokens are plain and have none.
CLASSES = {token.Keyword: "k", token.Operator.Word: "k", token.String: "s"}
CLASSES |= {token.Number: "m", token.Comment: "c", token.Name.Decorator: "c"}
CLASSES |= {token.Name.Function: "nf", token.Name.Class: "nf", token.Generic.Prompt: "gp"}
CLASSES |= {token.Generic.Error: "gr", token.Name.Exception: "gr"}


class PlainFormatter(HtmlFormatter):
    """Write no element around plain tokens."""

    def _get_css_classes(self, ttype):
        kinds = (kind for kind in reversed(ttype.split()) if kind in CLASSES)
        return next((CLASSES[kind] for kind in kinds), "")


def imported_names(notebook: Path) -> dict[str, str]:
    """Map imported names of a notebook to full names, unless the notebook rebinds them."""
    names, rebound = {}, set()
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        for node in ast.walk(ast.parse("".join(cell["source"]))):
            if isinstance(node, ast.ImportFrom) and node.module.startswith(PACKAGES):
                for alias in node.names:
                    names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                rebound.add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                rebound.add(node.name)
            elif isinstance(node, ast.arg):
                rebound.add(node.arg)
    return {name: full for name, full in names.items() if name not in rebound}


def collect_imports(app) -> None:
    """Read the imports of all notebooks."""
    paths = notebook_paths(Path(app.srcdir))
    app.env.hs_imports = {path.stem: imported_names(path) for path in paths}


def add_users(app, what, name, obj, options, lines) -> None:
    """List in a docstring the chapters that use the object."""
    users = [page for page, names in app.env.hs_imports.items() if name in names.values()]
    pages = ", ".join(f":doc:`/chapters/{page}`" for page in users)
    lines += ["", f"*Used in* {pages}.", ""] if users else []


def link_page(app, pagename, templatename, context, doctree) -> None:
    """Link the names in the code of a page."""
    names = app.env.hs_imports.get(Path(pagename).name)
    if not names or not pagename.startswith("chapters/"):
        return
    objects = app.env.domains["py"].objects
    targets = {}
    for name, full in names.items():
        if full in objects:
            page = context["pathto"](objects[full].docname)
            href = f"{page}#{objects[full].node_id}"
            targets[name] = f'<a class="hs-code" href="{href}">{name}</a>'

    context["body"] = BLOCK.sub(lambda code: link_block(code[0], targets), context["body"])


def link_block(block: str, targets: dict[str, str]) -> str:
    """Link the first use of each name in a block of code."""
    unused = dict(targets)
    return NAME.sub(lambda match: unused.pop(match[1], match[0]), block)


def setup(app):
    app.setup_extension("sitebuild.extensions.reference")
    PygmentsBridge.html_formatter = PlainFormatter
    app.connect("builder-inited", collect_imports)
    app.connect("autodoc-process-docstring", add_users, priority=600)  # after `reference`
    app.connect("html-page-context", link_page)
