"""The statements of a chapter that a piece of code depends on.

An exercise is checked without running the chapter, except for the top-level statements that
define a name used by the code, directly or through other statements.
"""

import ast
from contextlib import suppress
from dis import get_instructions
from functools import cache
from types import CodeType


def needed_statements(cells, code, answers=()):
    """Return the statements of the cells, in order, that the code depends on.

    answers  code of a reader, which adds definitions but replaces none
    """
    names, needed = used_names(code), []
    known = frozenset().union(*map(defined_names, statements(cells)))
    added = [line for line in statements(answers) if not defined_names(line) & known]
    for statement in reversed(statements(cells) + added):
        if defined_names(statement) & names:
            needed.insert(0, statement)
            names |= used_names(statement)
    return needed


@cache
def statements(cells):
    """Return the imports, split by name, and the top-level definitions of the cells."""
    nodes, lines = [], []
    for cell in cells:
        with suppress(SyntaxError, ValueError):  # the code may be invalid
            nodes += ast.parse(cell).body
    for node in nodes:
        if isinstance(node, ast.Import):
            lines += [ast.unparse(ast.Import([name])) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            imports = [ast.ImportFrom(node.module, [n], node.level) for n in node.names]
            lines += map(ast.unparse, imports)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Assign)):
            lines.append(ast.unparse(node))
    return lines


@cache
def used_names(code):
    """Return the global names that the code reads; none if the code is not yet valid."""
    try:
        return global_names(compile(code, "", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
    except (SyntaxError, ValueError):
        return frozenset()


def global_names(code):
    """Return the global names that compiled code and its functions read."""
    loads = (s for s in get_instructions(code) if s.opname in ("LOAD_NAME", "LOAD_GLOBAL"))
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    return frozenset(s.argval for s in loads).union(*map(global_names, inner))


@cache
def defined_names(statement):
    """Return the names that a statement of `statements` defines."""
    (node,) = ast.parse(statement).body
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return frozenset((name.asname or name.name).split(".")[0] for name in node.names)
    if isinstance(node, ast.Assign):
        parts = (n for target in node.targets for n in ast.walk(target))
        return frozenset(n.id for n in parts if isinstance(n, ast.Name))
    return frozenset([node.name])
