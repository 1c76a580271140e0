"""Run All keeps what a reader wrote: no cell binds or needs a name of an exercise."""

from dis import get_instructions

import pytest

from halfspaces.page.needed import used
from tests.helpers.notebooks import PATHS, with_labels

every_chapter = pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)


def bound_and_needed(source):
    """The names that a cell binds, and those that it takes from other cells."""
    steps = get_instructions(compile(source, "cell", "exec"))
    bound = {step.argval for step in steps if step.opname == "STORE_NAME"}
    return bound, used(source) - bound


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
