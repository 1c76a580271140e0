"""Run All keeps what a reader wrote: no cell binds or needs a name of an exercise."""

import ast
import symtable

import pytest
from needed import used
from stored import PATHS, with_labels

every_chapter = pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)


def bound_and_needed(source):
    """The names that a cell binds, and those that it takes from other cells."""
    top = symtable.symtable(source, "cell", "exec").get_symbols()
    inside = only_in_comprehensions(source)  # from Python 3.12 on, `top` has them, too
    bound = {s.get_name() for s in top if s.is_assigned() or s.is_imported()} - inside
    return bound, used(source) - bound - inside


def only_in_comprehensions(source):
    """The names that comprehensions bind, and nothing else."""
    nodes = list(ast.walk(ast.parse(source)))
    loops = [node.target for node in nodes if isinstance(node, ast.comprehension)]
    own = [n for target in loops for n in ast.walk(target) if isinstance(n, ast.Name)]
    names = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return {n.id for n in own} - {n.id for n in names if n not in own}


def clashes(path):
    """What another cell would take from a reader, in words."""
    found = [(*of, *bound_and_needed(cell["source"])) for *of, cell in with_labels(path)]
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
    assert not list(clashes(path))
