"""Rules for the committed notebooks."""

import re

import nbformat
import pytest

from sitebuild.chapters import read_notebook
from sitebuild.normalize import file_text, normalize
from sitebuild.notebooks import MAX_MB
from sitebuild.staleness import VIEW, why_stale
from tests.helpers.notebooks import (
    EXERCISE_TAGS,
    LABEL,
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
def test_code_cell_length_and_width(path):
    """Folded code and imports may be longer."""
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
def test_outputs_are_current_and_small(path):
    """`make notebooks` refuses errors and warnings."""
    notebook, text = read_notebook(path), path.read_text()
    same = text == file_text(normalize(nbformat.read(path, 4)))
    assert (why_stale(notebook), same) == ("", True), "run make notebooks"
    counts = [cell["execution_count"] for cell in cells(path)]
    assert counts == [*range(1, len(counts) + 1)], "run make notebooks"
    assert len(text) <= MAX_MB * 1e6


@every_chapter
def test_exercises_have_stub_solution_and_wrong_answer(path):
    markdown = "\n".join(c["source"] for c in cells(path, "markdown"))
    labels = LABEL.findall(markdown)
    assert len(labels) == len(set(labels)) >= 6
    assert SOLUTION.findall(markdown) == labels
    asked, found = {}, set()
    for label, tag, cell in (found for found in with_labels(path) if found[1]):
        found.add((label, tag))
        (checker,) = re.findall(r"check\.(\w+)\(", cell["source"])
        assert checker == asked.setdefault(label, checker), (
            f"{label}, {tag}: another checker"
        )
        answer = text_of(cell)
        begins = "Right. " if tag == "solution" else "Not yet. "
        assert answer.startswith(begins), f"{label}, {tag}: {answer}"
        assert len(answer) > len(begins) + 20, f"{label}: too short"
    assert found == {(label, tag) for label in labels for tag in EXERCISE_TAGS}


@every_chapter
def test_chapter_has_moving_picture_figures_and_proofs(path):
    outputs = [o for cell in cells(path) for o in cell["outputs"]]
    data = [output.get("data", {}) for output in outputs]
    assert any(VIEW in d for d in data), "one animation"
    assert sum("hs-figure" in str(d.get("text/html")) for d in data) >= 2
    assert sum("proof" in o.get("metadata", {}) for o in outputs) >= 3


def test_proof_names_are_unique():
    names = [
        o["metadata"]["proof"]["anchor"]
        for path in PATHS
        for cell in cells(path)
        for o in cell["outputs"]
        if "proof" in o.get("metadata", {})
    ]
    assert len(names) == len(set(names))
