"""Rules for the committed notebooks."""

import re
from dis import get_instructions
from functools import cache

import pytest

from halfspaces.page.dependencies import defined_names, statements, used_names
from sitebuild.notebooks import MAX_MB, reason
from sitebuild.staleness import VIEW
from tests.helpers import notebooks
from tests.helpers.notebooks import CHAPTERS, PATHS, cells, is_proof, outputs, tags

SOLUTION = re.compile(r"`{3,}\{solution-start\} (\S+)")
every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
every_chapter = pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)


@every_notebook
def test_code_fits_and_stored_pictures_need_no_kernel(path):
    """Folded code and imports may have more lines."""
    for cell in cells(path):
        assert "live=True" not in cell["source"] and "interact(" not in cell["source"]
        lines = cell["source"].splitlines()
        code = [line for line in lines if line.strip()]
        folded = any(map(is_proof, cell["outputs"])) or "hide-input" in tags(cell)
        imports = code[0].startswith(("import ", "from "))
        max_lines = 24 if imports else 20 if folded else 15
        assert len(code) <= max_lines, f"{len(code)}: {lines[0]}"
        widest = max(lines, key=len)
        assert len(widest) <= (88 if folded else 80), f"too wide: {widest}"
    for output in outputs(path):
        assert "image/png" not in output.get("data", {}), "return a Picture, not a PNG"


@every_notebook
def test_outputs_are_current_and_small(path):
    """`make notebooks` stores no outputs with errors or warnings."""
    assert reason(path) == "", "run make notebooks"
    counts = [cell["execution_count"] for cell in cells(path)]
    assert counts == [*range(1, len(counts) + 1)], "run make notebooks"
    assert len(path.read_text()) <= MAX_MB * 1e6


@every_chapter
def test_exercises_have_a_stub_a_solution_and_a_wrong_answer(path):
    markdown = "\n".join(c["source"] for c in cells(path, "markdown"))
    labels = notebooks.LABEL.findall(markdown)
    assert len(labels) == len(set(labels)) >= 6
    assert SOLUTION.findall(markdown) == labels
    checkers, tagged = {}, set()
    for label, tag, cell in (item for item in notebooks.labeled_cells(path) if item[1]):
        tagged.add((label, tag))
        (checker,) = re.findall(r"check\.(\w+)\(", cell["source"])
        assert checker == checkers.setdefault(label, checker), (
            f"{label}: its cells call different checkers"
        )
        answer = notebooks.output_text(cell)
        start = "Right. " if tag == "solution" else "Not yet. "
        assert answer.startswith(start), f"{label}, {tag}: {answer}"
        assert len(answer) > len(start) + 20, f"{label}: too short"
    assert tagged == {(label, tag) for label in labels for tag in notebooks.EXERCISE_TAGS}


@every_chapter
def test_chapter_has_animation_figures_and_proofs(path):
    data = [output.get("data", {}) for output in outputs(path)]
    assert any(VIEW in d for d in data), "no animation"
    assert sum("hs-figure" in str(d.get("text/html")) for d in data) >= 2
    assert sum(map(is_proof, outputs(path))) >= 3


# ---------------------------------------------------------------- names in the cells


@cache
def bound_and_needed(source):
    """Return the names that a cell binds, and the names that it needs from other cells."""
    code = compile(source, "cell", "exec")
    bound = {s.argval for s in get_instructions(code) if s.opname == "STORE_NAME"}
    return bound, used_names(source) - bound


def name_conflicts(path):
    """Yield conflicts between the names of an exercise and of other cells."""
    labeled = notebooks.labeled_cells(path)
    rows = [(label, tag, *bound_and_needed(cell["source"])) for label, tag, cell in labeled]
    stub_names = {name for _, tag, bound, _ in rows if tag == "stub" for name in bound}
    for label, tag, bound, needed in rows:
        if tag in ("solution", "wrong-answer"):
            yield from (f"{label}: {tag} needs {name}" for name in needed & stub_names)
            yield from (f"{label}: {tag} binds {name}" for name in bound & stub_names)
        if tag:
            others = (names for other, _, names, _ in rows if other != label)
            shared = bound & set().union(*others)
            yield from (f"{label}: {name} is also bound elsewhere" for name in shared)


@every_notebook
def test_names_of_an_exercise_are_not_used_elsewhere(path):
    """By convention, names start with my_ in a stub and with book_ in a solution."""
    assert not list(name_conflicts(path))


@every_notebook
def test_one_letter_names_are_assigned_not_imported(path):
    """A reader may then assign w, x, y, n, ... after the cell with the imports."""
    assigned = set()
    for number, cell in enumerate(cells(path)):
        bound, needed = bound_and_needed(cell["source"])
        assert needed & {*"wxybndijkl"} <= assigned, f"cell {number} of {path.stem}"
        imports = filter(re.compile("from |import ").match, statements((cell["source"],)))
        assigned |= bound.difference(*map(defined_names, imports))
