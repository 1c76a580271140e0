"""The edition without solutions holds none: in notebooks, pages, search, wheel and zip."""

import shutil
import subprocess

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbformat.v4 import new_markdown_cell as text

from sitebuild.chapters import in_book_order, read
from sitebuild.student import without_solutions, write_notebooks
from tests.helpers.making import METADATA, ROOT, digests
from tests.helpers.solutions_text import leaks, only_in_solutions

CHECKERS = "halfspaces/exercises/"
START = "````{solution-start} ex-one\n:class: dropdown\n````\n\nSECRETWORD is why."
END = "````{solution-end}\n````"


def cell(text, *tags, outputs=()):
    made = new_code_cell(text, metadata={"tags": list(tags)})
    made.outputs, made.execution_count = list(outputs), 1
    return made


def page(*cells):
    exercise = text("# One\n\n```{exercise} Add\n:label: ex-one\nHow much is it?\n```")
    notebook = new_notebook(metadata=METADATA)
    notebook.cells = [exercise, cell("answer = ...", "stub"), *cells]
    return notebook


SOLVED = [
    text(START),
    cell("SECRET_CODE = 2", "solution", outputs=[new_output("stream", text="SECRET OUT")]),
    text("SECRET between"),
    cell("SECRET_SLIP = 3", "wrong-answer"),
    text(END),
]


# --------------------------------------------------------------------- a notebook


def test_a_notebook_keeps_all_but_its_solutions():
    notebook = page(*SOLVED, text("After."), cell("1 + 1"))
    notebook.metadata["halfspaces"] = {"cells": "00"}
    stripped = without_solutions(notebook, "one")
    assert stripped["cells"] == [*notebook.cells[:2], *notebook.cells[-2:]]
    assert stripped["metadata"] == METADATA
    assert len(notebook.cells) == 9, "the notebook itself stays as it was"


MOVING = new_output("display_data", {"application/vnd.jupyter.widget-view+json": {}})


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (SOLVED[:-1], "the last solution has no solution-end"),
        ([*SOLVED[:-1], *SOLVED], "a solution starts before the last one ended"),
        ([*SOLVED[:-1], text(f"{END}\nAfter.")], "solution-end needs a cell of its own"),
        ([cell("SECRET", "solution")], "a cell of a solution stands outside of it"),
        ([cell("SECRET", "wrong-answer")], "a cell of a solution stands outside of it"),
        ([text("```{solution} one\nSECRET\n```")], "a solution begins at the head of"),
        ([text(f"{START}\n{END}")], "solution-end needs a cell of its own"),
        ([text(END)], "a solution begins at the head"),
        ([SOLVED[0], cell("m", outputs=[MOVING]), SOLVED[-1]], "holds a moving picture"),
    ],
)
def test_a_solution_that_would_be_missed_is_refused(cells, said):
    with pytest.raises(ValueError, match=f"one: .*{said}"):
        without_solutions(page(*cells), "one")


slow = pytest.mark.slow  # books are built


# ----------------------------------------------------------------- the real book


@pytest.fixture(scope="module")
def secrets():
    found = only_in_solutions(in_book_order())
    assert len(found) > 700
    return found


def test_the_notebooks_hold_all_exercises_and_no_solution(tmp_path, secrets):
    write_notebooks(tmp_path)
    assert leaks(tmp_path, secrets) == []
    for path in in_book_order():
        before, after = (asked(read(file)) for file in (path, tmp_path / path.name))
        assert before == after, path.stem


def asked(notebook) -> list[dict]:
    """The cells in which a reader is asked something."""
    return [
        cell
        for cell in notebook["cells"]
        if "{exercise}" in "".join(cell["source"])
        or "stub" in cell["metadata"].get("tags", [])
    ]


@pytest.fixture(scope="module")
def student():
    done = subprocess.run(["make", "-s", "zip", "EDITION=student"], cwd=ROOT, text=True)
    assert done.returncode == 0
    return ROOT / "_build" / "student"


@slow
def test_the_zip_is_the_site_without_binder_and_the_notebooks_bring_the_wheel(
    student, tmp_path
):
    shutil.unpack_archive(student / "halfspaces.zip", tmp_path)
    assert digests(tmp_path / "halfspaces") == digests(student / "html")
    assert "mybinder" not in (student / "html" / "chapters" / "svm.html").read_text()
    folder = student / "notebooks"
    (wheel,) = folder.glob("*.whl")
    assert f"pip install --no-deps {wheel.name}\n" in (folder / "postBuild").read_text()


@slow
@pytest.mark.parametrize("folder", ["html", "notebooks"])
def test_nothing_that_is_served_holds_a_solution(student, secrets, folder):
    found = [hit for hit in leaks(student / folder, secrets) if CHECKERS not in hit[0]]
    assert found == []


@slow
def test_the_check_sees_the_solutions_of_the_full_edition(site, secrets):
    found = {name for name, _ in leaks(site, secrets)}
    for path in in_book_order():
        if path.stem in secrets.values():
            kinds = ("chapters/{}.html", "_sources/chapters/{}.ipynb")
            assert {kind.format(path.stem) for kind in kinds} <= found
