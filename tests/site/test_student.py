"""The edition without solutions holds none: in notebooks, pages, search, wheel and zip."""

import os
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import nbformat
import pack
import pytest
from making import METADATA, ROOT, Book, digests
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from solutions_text import leaks, only_in_solutions, texts
from student import without_solutions, write_notebooks

from chapters import in_book_order, read

FULL, HANDED_OUT = "https://github.com/example/full", "https://github.com/example/class"
SITES = ("html", "student/html")
CHECKERS = "mlcore/book/exercises/"
START = "````{solution-start} ex-one\n:class: dropdown\n````\n\nSECRETWORD is why."
END = "````{solution-end}\n````"


def cell(text, *tags, outputs=()):
    made = new_code_cell(text, metadata={"tags": list(tags)})
    made.outputs, made.execution_count = list(outputs), 1
    return made


def text(source):
    return new_markdown_cell(source)


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
        (
            [text("```{solution} one\nSECRET\n```")],
            "a solution begins at the head of a cell",
        ),
        ([text(f"{START}\n{END}")], "the last solution has no solution-end"),
        ([text(END)], "a solution begins at the head"),
        ([SOLVED[0], cell("m", outputs=[MOVING]), SOLVED[-1]], "holds a moving picture"),
    ],
)
def test_a_solution_that_would_be_missed_is_refused(cells, said):
    with pytest.raises(ValueError, match=f"one: .*{said}"):
        without_solutions(page(*cells), "one")


# ------------------------------------------------------------------ a small book


slow = pytest.mark.slow  # books are built


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A book of two pages with a solution, in both editions."""
    book = Book(tmp_path_factory.mktemp("book"))
    for name in ("README.md", "LICENSE", "postBuild", "runtime.txt"):
        (book.folder / name).write_bytes((ROOT / name).read_bytes())
    (book.folder / "mlcore" / "__init__.py").write_text('__version__ = "1.0.0"\n')
    config = book.folder / "_config.yml"
    extensions = "  extra_extensions: [sphinx_exercise]\n"
    config.write_text(config.read_text() + extensions)
    nbformat.write(page(*SOLVED, text("After.")), book.folder / "chapters" / "one.ipynb")
    told = os.environ | {"HALFSPACES_REPOSITORY": FULL}
    for command in (["make", "zip"], ["make", "zip", "EDITION=student"]):
        running = book.start(*command, env=told)
        said, _ = running.communicate(timeout=300)
        assert running.returncode == 0, said
    return book


def telling(folder: Path) -> set[str]:
    """The files that hold a word of the solution; icons of the theme have it, too."""
    found = {name for name, text in texts(folder) if "secret" in text.lower()}
    return {name for name in found if "_static/scripts/" not in name}


@slow
def test_nothing_that_is_made_for_students_tells_a_solution(book):
    student = book.folder / "_build" / "student"
    assert telling(student) == set()
    told = dict(texts(student))
    for folder in ("html", "halfspaces.zip/halfspaces"):
        assert "Howmuchisit" in told[f"{folder}/chapters/one.html"]
        assert "After" in told[f"{folder}/chapters/one.html"]


@slow
def test_the_full_edition_stays_beside_it_with_its_solutions(book):
    wanted = {"chapters/one.html", "_sources/chapters/one.ipynb", "searchindex.js"}
    assert wanted <= telling(book.site)


@slow
def test_its_pages_do_not_open_the_notebooks_with_the_solutions(book):
    page, student = (book.folder / f"_build/{name}/chapters/one.html" for name in SITES)
    opens = "mybinder.org/v2/gh/example/full/main?urlpath=lab/tree/chapters/one.ipynb"
    assert opens in page.read_text()
    assert "example/full" not in student.read_text()
    told = {"HALFSPACES_REPOSITORY": FULL, "HALFSPACES_STUDENT_REPOSITORY": HANDED_OUT}
    running = book.start("make", "book", "EDITION=student", env=os.environ | told)
    said, _ = running.communicate(timeout=300)
    assert running.returncode == 0, said
    assert opens.replace("full", "class") in student.read_text()
    assert "example/full" not in student.read_text()


@slow
def test_the_folder_for_a_hub_installs_the_package_that_it_holds(book):
    folder = book.folder / "_build" / "student" / "notebooks"
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*")}
    wheel = "mlcore-1.0.0-py3-none-any.whl"
    assert names == {"chapters/one.ipynb", "requirements.txt", "runtime.txt", wheel}
    assert (folder / "postBuild").read_text().endswith(f"pip install --no-deps {wheel}\n")
    nbformat.validate(nbformat.read(folder / "chapters" / "one.ipynb", 4))


@slow
def test_a_zip_has_the_files_of_the_site(book, tmp_path):
    shutil.unpack_archive(book.folder / "_build" / "halfspaces.zip", tmp_path)
    assert digests(tmp_path / "halfspaces") == digests(book.site)


@slow
def test_a_solution_on_a_page_without_cells_is_refused(book):
    before = (book.folder / "_build" / "student" / "built.json").read_text()
    book.write("# Two\n\n```{solution} one\nSECRET\n```\n")
    running = book.start("make", "book", "EDITION=student")
    said, _ = running.communicate(timeout=300)
    assert running.returncode and "chapters/two.md: a solution begins at the head" in said
    assert "Traceback" not in said and before
    assert (book.folder / "_build" / "student" / "html" / "index.html").exists()


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


def test_of_no_solution_the_wheel_has_more_than_a_few_lines(tmp_path, secrets):
    """Checkers compute what they compare with; a line of that may be as in a solution."""
    pack.wheel(tmp_path)
    found = leaks(tmp_path, secrets)
    assert all(f".whl/{CHECKERS}" in name for name, _ in found), found
    lines = Counter(secrets[secret] for _, secret in found)
    assert max(lines.values()) <= 3, found


@pytest.fixture(scope="module")
def student():
    done = subprocess.run(["make", "-s", "zip", "EDITION=student"], cwd=ROOT, text=True)
    assert done.returncode == 0
    return ROOT / "_build" / "student"


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
            kinds = ("chapters/{}.html", "_sources/chapters/{}.ipynb", "in-page/{}.json")
            assert {kind.format(path.stem) for kind in kinds} <= found
