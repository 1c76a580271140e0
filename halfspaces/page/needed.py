"""Which lines of a chapter does an answer need?

So an exercise answers without the chapter being run: of its statements at the top level
those are run that define a name which the code uses, and what these use in turn.
"""

import ast
import symtable
from functools import cache


def needed(cells, code, answers=()):
    """The statements of the cells, in order, that define what the code uses.

    answers  code of a reader, of which only names count that the cells do not define
    """
    wanted, chosen = used(code), []
    known = frozenset().union(*map(defined, statements(cells)))
    own = [line for line in statements(answers) if not defined(line) & known]
    for statement in reversed(statements(cells) + own):
        if defined(statement) & wanted:
            chosen.insert(0, statement)
            wanted |= used(statement)
    return chosen


@cache
def statements(cells):
    """Imports, one name each, and definitions at the top of the cells."""
    found = []
    for node in (node for cell in cells for node in parsed(cell)):
        if isinstance(node, ast.Import):
            found += [ast.unparse(ast.Import([name])) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [ast.unparse(ast.ImportFrom(node.module, [n], 0)) for n in node.names]
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Assign)):
            found.append(ast.unparse(node))
    return found


def parsed(code):
    """The statements of the code; none if a reader has not finished it."""
    try:
        return ast.parse(code).body
    except (SyntaxError, ValueError):
        return []


@cache
def used(code):
    """The names that the code takes from outside of its functions."""
    names, tables = set(), [symtable.symtable(code, "", "exec")] if parsed(code) else []
    while tables:
        table = tables.pop()
        tables += table.get_children()
        outer = table.get_type() == "module"
        known = (s for s in table.get_symbols() if s.is_referenced())
        names |= {symbol.get_name() for symbol in known if outer or symbol.is_global()}
    return frozenset(names)


@cache
def defined(statement):
    (node,) = ast.parse(statement).body
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return frozenset((name.asname or name.name).split(".")[0] for name in node.names)
    if isinstance(node, ast.Assign):
        stored = (n for target in node.targets for n in ast.walk(target))
        return frozenset(n.id for n in stored if isinstance(n, ast.Name))
    return frozenset([node.name])
