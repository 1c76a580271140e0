"""Cells of the chapters neither overwrite nor need the names that readers define."""

import re
from dis import get_instructions

import pytest

from halfspaces.page.dependencies import defined_names, statements, used_names
from tests.helpers.notebooks import PATHS, cells, with_labels

every_chapter = pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)

LETTERS = {*"wxybndijkl"}


def bound_and_needed(source):
    """Return the names that a cell binds, and the names that it needs from other cells."""
    code = compile(source, "cell", "exec")
    bound = {s.argval for s in get_instructions(code) if s.opname == "STORE_NAME"}
    return bound, used_names(source) - bound


def clashes(path):
    """Yield conflicts between the names of an exercise and other cells."""
    found = [(*of, *bound_and_needed(cell["source"])) for *of, cell in with_labels(path)]
    of_stubs = {name for _, kind, bound, _ in found if kind == "stub" for name in bound}
    for label, kind, bound, needed in found:
        if kind in ("solution", "wrong-answer"):
            yield from (f"{label}: {kind} needs {name}" for name in needed & of_stubs)
            yield from (f"{label}: {kind} binds {name}" for name in bound & of_stubs)
        if kind:
            others = (names for other, _, names, _ in found if other != label)
            twice = bound & set().union(*others)
            yield from (f"{label}: {name} is also bound elsewhere" for name in twice)


@every_chapter
def test_names_of_an_exercise_are_not_used_elsewhere(path):
    """By convention a stub says my_..., and a solution book_..."""
    assert not list(clashes(path))


def imported_names(source):
    imports = re.compile("(from|import) ").match
    lines = filter(imports, statements((source,)))
    return set().union(*map(defined_names, lines))


@every_chapter
def test_letters_in_cells_are_assigned_not_imported(path):
    """So a reader may assign w, x, y, n, ... after the cell of imports."""
    assigned = set()
    for number, cell in enumerate(cells(path)):
        bound, needed = bound_and_needed(cell["source"])
        assert needed & LETTERS <= assigned, f"cell {number} of {path.stem}"
        assigned |= bound - imported_names(cell["source"])
