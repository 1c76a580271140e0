"""Run All keeps what a reader wrote: no cell binds or needs a name of an exercise."""

import ast
import re
import symtable

import nbformat
import pytest
from stored import PATHS

every_chapter = pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
LABEL = re.compile(r"\{exercise\}.*\n:label: (\S+)")
KINDS = {"stub", "solution", "wrong-answer"}


def bound_and_needed(source):
    """The names that a cell binds, and those that it takes from other cells."""
    table = symtable.symtable(source, "cell", "exec")
    top = table.get_symbols()
    inside = only_in_comprehensions(source)  # from Python 3.12 on, `top` has them, too
    bound = {s.get_name() for s in top if s.is_assigned() or s.is_imported()} - inside
    used = {s.get_name() for s in top if s.is_referenced()} - inside
    inner = table.get_children()
    while inner:
        scope = inner.pop()
        used |= {s.get_name() for s in scope.get_symbols() if s.is_global()}
        inner += scope.get_children()
    return bound, used - bound


def only_in_comprehensions(source):
    """The names that comprehensions bind, and nothing else."""
    nodes = list(ast.walk(ast.parse(source)))
    loops = [node.target for node in nodes if isinstance(node, ast.comprehension)]
    own = [n for target in loops for n in ast.walk(target) if isinstance(n, ast.Name)]
    names = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return {n.id for n in own} - {n.id for n in names if n not in own}


def code_cells(notebook):
    """(label of the exercise or None, kind or "", names bound, names needed) of each."""
    label = None
    for cell in notebook.cells:
        if cell["cell_type"] == "markdown":
            label = None if "{solution-end}" in cell["source"] else label
            label = (LABEL.findall(cell["source"]) or [label])[-1]
        else:
            kind = KINDS & set(cell["metadata"].get("tags", []))
            yield (label, "".join(kind), *bound_and_needed(cell["source"]))


def clashes(notebook):
    """What another cell would take from a reader, in words."""
    found = list(code_cells(notebook))
    asked = {name for _, kind, bound, _ in found if kind == "stub" for name in bound}
    for label, kind, bound, needed in found:
        if kind in ("solution", "wrong-answer"):
            yield from (f"{label}: {kind} needs {name}" for name in needed & asked)
            yield from (f"{label}: {kind} binds {name}" for name in bound & asked)
        if kind:
            others = (names for other, _, names, _ in found if other != label)
            twice = bound & set().union(*others)
            yield from (f"{label}: {name} is bound elsewhere, too" for name in twice)


@every_chapter
def test_names_of_an_exercise_are_its_own(path):
    """By habit a stub says my_..., and a solution book_..."""
    assert not list(clashes(nbformat.read(path, 4)))
