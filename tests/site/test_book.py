"""Rules for every notebook of the book, read from the committed files."""

import re

import nbformat
import pytest
from freshness import VIEW, lost_views, outdated
from normalizing import file_text, normalized
from stored import PATHS, cells, tags, text_of

from chapters import read

EXERCISE = re.compile(r"`{3,}\{exercise\}.*\n:label: (\S+)")
SOLUTION = re.compile(r"`{3,}\{solution-start\} (\S+)")


def tagged(path):
    """(label of the exercise, tag, cell) of the stubs, solutions and wrong answers."""
    label = None
    for cell in nbformat.read(path, 4).cells:
        if cell["cell_type"] == "markdown":
            for found in EXERCISE.findall(cell["source"]):
                label = found
        else:
            for tag in tags(cell) & {"stub", "solution", "wrong-answer"}:
                yield label, tag, cell


NO_CHAPTERS = ("intro", "background", "summary", "proofs", "corrections", "playground")
chapters = [path for path in PATHS if path.stem not in NO_CHAPTERS]
every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
every_chapter = pytest.mark.parametrize("path", chapters, ids=lambda p: p.stem)


@every_notebook
def test_every_cell_was_executed_without_surprise(path):
    for number, cell in enumerate(cells(path)):
        assert cell["execution_count"] == number + 1, f"cell {number} is out of order"
        for output in cell["outputs"]:
            assert output.get("name") != "stderr", f"cell {number} wrote to stderr"
            if output["output_type"] == "error":
                assert "raises-exception" in tags(cell), f"cell {number} failed"


@every_notebook
def test_code_fits_the_column_and_the_screen(path):
    """Folded code, as that of a proof, may be longer; a list of imports is not read."""
    for cell in cells(path):
        lines = cell["source"].splitlines()
        code = [line for line in lines if line.strip()]
        proof = any("proof" in output.get("metadata", {}) for output in cell["outputs"])
        folded = proof or "hide-input" in tags(cell)
        imports = code[0].startswith(("import ", "from "))
        assert len(code) <= (20 if folded or imports else 15), f"{len(code)}: {lines[0]}"
        widest = max(lines, key=len)
        assert len(widest) <= (88 if folded else 80), f"too wide: {widest}"


@every_notebook
def test_stored_pictures_need_no_kernel(path):
    for cell in cells(path):
        assert "live=True" not in cell["source"]
        assert "interact" not in cell["source"]
        for output in cell["outputs"]:
            assert "image/png" not in output.get("data", {}), "end a figure in a Picture"


@every_notebook
def test_the_notebook_is_normalized_and_light(path):
    text = path.read_text()
    again = file_text(normalized(nbformat.read(path, 4)))
    assert text == again, "run make notebooks"
    assert len(text) < 2.5e6


@every_notebook
def test_outputs_are_of_these_cells_and_of_this_mlcore(path):
    notebook = read(path)
    why, lost = outdated(notebook), lost_views(notebook)
    assert (why, lost) == ("", 0), "run make notebooks"


@every_chapter
def test_there_are_six_exercises_and_each_is_answered(path):
    markdown = "\n".join(c["source"] for c in cells(path, "markdown"))
    labels = EXERCISE.findall(markdown)
    assert len(labels) == len(set(labels)) >= 6
    assert SOLUTION.findall(markdown) == labels
    found = {(label, tag) for label, tag, _ in tagged(path)}
    missing = {
        (label, tag) for label in labels for tag in ("stub", "solution", "wrong-answer")
    }
    assert not missing - found


@every_chapter
def test_checkers_answer_right_to_solutions_and_not_yet_to_the_rest(path):
    for label, tag, cell in tagged(path):
        answer = text_of(cell)
        begins = "Right. " if tag == "solution" else "Not yet. "
        assert answer.startswith(begins), f"{label}, {tag}: {answer}"
        assert len(answer) > len(begins) + 20, f"{label}: a helpful sentence is wanted"


@every_chapter
def test_a_solution_defines_what_its_stub_asks_for(path):
    asked = {}
    for label, tag, cell in tagged(path):
        checker = re.findall(r"check\.(\w+)\(", cell["source"])
        assert len(checker) == 1, f"{label}: one call of a checker in a cell"
        asked.setdefault(label, checker[0])
        assert checker[0] == asked[label], f"{label}: {tag} calls another checker"


@every_chapter
def test_the_chapter_moves_draws_and_proves(path):
    outputs = [o for cell in cells(path) for o in cell["outputs"]]
    data = [output.get("data", {}) for output in outputs]
    assert any(VIEW in d for d in data), "one moving picture"
    assert sum("hs-figure" in str(d.get("text/html")) for d in data) >= 2
    assert sum("proof" in o.get("metadata", {}) for o in outputs) >= 3


def test_proof_names_are_unique_in_the_book():
    names = [
        o["metadata"]["proof"]["anchor"]
        for path in PATHS
        for cell in cells(path)
        for o in cell["outputs"]
        if "proof" in o.get("metadata", {})
    ]
    assert len(names) == len(set(names))
