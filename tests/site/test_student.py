"""The student edition has no solutions in notebooks, pages, search, wheel or zip."""

import shutil
import subprocess

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbformat.v4 import new_markdown_cell as text

from sitebuild.chapters import notebook_paths, read_notebook
from sitebuild.student import without_solutions, write_notebooks
from tests.helpers.solution_leaks import find_leaks, solution_texts, texts_of
from tests.helpers.temp_clone import METADATA, ROOT, digests

CHECKERS = "halfspaces/exercises/"
START = "````{solution-start} ex-one\n:class: dropdown\n````\n\nSECRETWORD is why."
END = "````{solution-end}\n````"


def cell(text, *tags, outputs=()):
    new = new_code_cell(text, metadata={"tags": list(tags)})
    new.outputs, new.execution_count = list(outputs), 1
    return new


def page(*cells):
    exercise = text("# One\n\n```{exercise} Add\n:label: ex-one\nHow much is it?\n```")
    notebook = new_notebook(metadata=METADATA)
    notebook.cells = [exercise, cell("answer = ...", "stub"), *cells]
    return notebook


SOLVED = [
    text(START),
    cell("SECRET_CODE = 2", "solution", outputs=[new_output("stream", text="SECRET OUT")]),
    text("SECRET between"),
    cell("SECRET_ERROR = 3", "wrong-answer"),
    text(END),
]


# --------------------------------------------------------------------- a notebook


def test_solutions_are_removed():
    notebook = page(*SOLVED, text("After."), cell("1 + 1"))
    notebook.metadata["halfspaces"] = {"cells": "00"}
    stripped = without_solutions(notebook, "one")
    assert stripped["cells"] == [*notebook.cells[:2], *notebook.cells[-2:]]
    assert stripped["metadata"] == METADATA
    assert len(notebook.cells) == 9, "the original is unchanged"


ANIMATION = new_output("display_data", {"application/vnd.jupyter.widget-view+json": {}})


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (SOLVED[:-1], "the last solution has no solution-end"),
        ([*SOLVED[:-1], *SOLVED], "a solution starts inside another solution"),
        ([*SOLVED[:-1], text(f"{END}\nAfter.")], "solution-end must be alone in its cell"),
        ([cell("SECRET", "solution")], "a cell tagged as a solution is not inside one"),
        ([cell("SECRET", "wrong-answer")], "a cell tagged as a solution is not inside one"),
        ([text("```{solution} one\nSECRET\n```")], "a part of a solution is outside"),
        ([SOLVED[0], cell("m", outputs=[ANIMATION]), SOLVED[-1]], "holds an animation"),
    ],
)
def test_badly_marked_solution_raises(cells, message):
    with pytest.raises(ValueError, match=f"one: .*{message}"):
        without_solutions(page(*cells), "one")


# ----------------------------------------------------------------- the whole book


@pytest.fixture(scope="module")
def secrets():
    texts = solution_texts(notebook_paths())
    assert len(texts) > 700
    return texts


def test_notebooks_have_all_exercises_and_no_solution(tmp_path, secrets):
    write_notebooks(tmp_path)
    for path in notebook_paths():
        cells, stripped = (read_notebook(p)["cells"] for p in (path, tmp_path / path.name))
        texts = {text for cell in stripped for text in texts_of(cell)}
        assert not texts & secrets.keys()
        for cell in cells:
            if "{exercise}" in str(cell["source"]) or "stub" in str(cell["metadata"]):
                assert cell in stripped


@pytest.fixture(scope="module")
def student():
    result = subprocess.run(["make", "-s", "zip", "EDITION=student"], cwd=ROOT, text=True)
    assert result.returncode == 0
    return ROOT / "_build" / "student"


@pytest.mark.slow
def test_zip_equals_site_and_notebooks_include_wheel(student, tmp_path):
    shutil.unpack_archive(student / "halfspaces.zip", tmp_path)
    assert digests(tmp_path / "halfspaces") == digests(student / "html")
    assert "mybinder" not in (student / "html" / "chapters" / "svm.html").read_text()
    folder = student / "notebooks"
    (wheel,) = folder.glob("*.whl")
    assert f"pip install --no-deps {wheel.name}\n" in (folder / "postBuild").read_text()


@pytest.mark.slow
def test_only_the_full_edition_contains_solutions(student, site, secrets):
    for folder in ("html", "notebooks"):
        leaks = find_leaks(student / folder, secrets)
        assert [leak for leak in leaks if CHECKERS not in leak[0]] == []
    files = {name for name, _ in find_leaks(site, secrets)}
    for path in notebook_paths():
        if path.stem in secrets.values():
            kinds = ("chapters/{}.html", "_sources/chapters/{}.ipynb")
            assert {kind.format(path.stem) for kind in kinds} <= files
