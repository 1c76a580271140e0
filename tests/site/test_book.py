"""Rules for every notebook of the book, read from the committed files."""

import re

import nbformat
import pytest

from sitebuild.chapters import read
from sitebuild.freshness import VIEW, outdated
from sitebuild.normalizing import file_text, normalized
from tests.helpers.stored import (
    LABEL,
    OF_EXERCISES,
    PATHS,
    cells,
    tags,
    text_of,
    with_labels,
)

SOLUTION = re.compile(r"`{3,}\{solution-start\} (\S+)")
NO_CHAPTERS = ("intro", "background", "summary", "proofs", "corrections", "playground")
chapters = [path for path in PATHS if path.stem not in NO_CHAPTERS]
every_notebook = pytest.mark.parametrize("path", PATHS, ids=lambda p: p.stem)
every_chapter = pytest.mark.parametrize("path", chapters, ids=lambda p: p.stem)


@every_notebook
def test_code_fits_the_column_and_the_screen(path):
    """Folded code, as that of a proof, may be longer; a list of imports is not read."""
    for cell in cells(path):
        lines = cell["source"].splitlines()
        code = [line for line in lines if line.strip()]
        proof = any("proof" in output.get("metadata", {}) for output in cell["outputs"])
        folded = proof or "hide-input" in tags(cell)
        imports = code[0].startswith(("import ", "from "))
        most = 24 if imports else 20 if folded else 15
        assert len(code) <= most, f"{len(code)}: {lines[0]}"
        widest = max(lines, key=len)
        assert len(widest) <= (88 if folded else 80), f"too wide: {widest}"


@every_notebook
def test_stored_pictures_need_no_kernel(path):
    for cell in cells(path):
        assert "live=True" not in cell["source"]
        assert "interact(" not in cell["source"]
        for output in cell["outputs"]:
            assert "image/png" not in output.get("data", {}), "end a figure in a Picture"


@every_notebook
def test_outputs_are_of_these_cells_and_of_this_mlcore_and_light(path):
    """Then `make notebooks` made them, which refuses what fails or warns."""
    notebook, text = read(path), path.read_text()
    same = text == file_text(normalized(nbformat.read(path, 4)))
    assert (outdated(notebook), same) == ("", True), "run make notebooks"
    counts = [cell["execution_count"] for cell in cells(path)]
    assert counts == [*range(1, len(counts) + 1)], "run make notebooks"
    assert len(text) < 2.5e6


@every_chapter
def test_six_exercises_have_stubs_solutions_and_slips_and_checkers_say_which(path):
    markdown = "\n".join(c["source"] for c in cells(path, "markdown"))
    labels = LABEL.findall(markdown)
    assert len(labels) == len(set(labels)) >= 6
    assert SOLUTION.findall(markdown) == labels
    asked, found = {}, set()
    for label, tag, cell in (found for found in with_labels(path) if found[1]):
        found.add((label, tag))
        (checker,) = re.findall(r"check\.(\w+)\(", cell["source"])
        assert checker == asked.setdefault(label, checker), f"{label}, {tag}: another one"
        answer = text_of(cell)
        begins = "Right. " if tag == "solution" else "Not yet. "
        assert answer.startswith(begins), f"{label}, {tag}: {answer}"
        assert len(answer) > len(begins) + 20, f"{label}: a helpful sentence is wanted"
    assert found == {(label, tag) for label in labels for tag in OF_EXERCISES}


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
