"""Tests ask for what docstrings promise: they neither watch nor steer the way there."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
PRIVATE = re.compile(r"mlcore\.(.*\.)?_[a-z]")
COMPUTES = re.compile(r"(numpy|scipy|mlcore(?!\.book))\b")


def offenses(code):
    """The private names of mlcore it uses, and whose parts it replaces by `setattr`."""
    nodes, names = list(ast.walk(ast.parse(code))), {}
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            room = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            names |= {a.asname or a.name: room + a.name for a in node.names}

    def dotted(node):
        text = node.value if isinstance(node, ast.Constant) else ast.unparse(node)
        first, *rest = text.split(".")
        return ".".join([names.get(first, first), *rest])

    used = [*names.values()] + [dotted(n) for n in nodes if isinstance(n, ast.Attribute)]
    calls = [n for n in nodes if isinstance(n, ast.Call) and n.args]
    patched = [dotted(n.args[0]) for n in calls if ast.unparse(n.func).endswith("setattr")]
    return [*filter(PRIVATE.match, used), *filter(COMPUTES.match, patched)]


def test_no_test_watches_or_steers_the_way():
    found = {path.name: offenses(path.read_text()) for path in TESTS.rglob("*.py")}
    assert {name: some for name, some in found.items() if some} == {}
