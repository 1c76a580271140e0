"""Executing chapters is reproducible, and a failure loses nothing."""

import json
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

from sitebuild.chapters import ROOT, notebook_paths
from sitebuild.checks_page import render_checks_page

GOOD = """from halfspaces.pictures import Picture, canvas
from halfspaces.animation import player
def draw(step):
    fig, ax = canvas(width=2, height=1.5)
    ax.plot([0, step], [0, 1])
    return Picture(fig, "a line", "a line")
player(draw, step=range(3))"""
GRABBED = """from halfspaces.interactive import Frame, InteractiveFigure, Plane, Points
plane, points = Plane((0, 1), (0, 1)), Points([[0.5, 0.5]])
InteractiveFigure(lambda points: Frame([]), plane, points=points)"""
PROOF = """from halfspaces.proofs import prove
from halfspaces.symbols import i_, k_, total, x_
s = total(x_[i_, k_], i_)
prove("Sums", total(2 * x_[i_, k_], i_), 2 * s, wrong={"once": s})"""


LOUD = "import warnings\nwarnings.warn('mind this', stacklevel=1)"
# Saves the notebook while it runs.
EDITS = """from pathlib import Path
page = Path("{}.ipynb")
page.write_text(page.read_text().replace("# Title", "# A better title"))"""


@pytest.fixture
def book(tmp_path):
    """A copy of the commands and the package, without a chapter."""
    for name in ("mlcore", "sitebuild"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "chapters").mkdir()
    return tmp_path


def run(book, *names):
    """Execute in a separate process: nbclient leaves sockets open."""
    tool = [sys.executable, "-m", "sitebuild.notebooks", *names]
    return subprocess.run(tool, cwd=book, capture_output=True, text=True, timeout=300)


def write(book, *cells, name="one"):
    """Write a chapter of these cells at the end of the book."""
    nb = nbformat.v4.new_notebook()
    nb.cells = [nbformat.v4.new_markdown_cell("# Title", id="head")]
    nb.cells += [nbformat.v4.new_code_cell(c, id=f"c{q}") for q, c in enumerate(cells)]
    path = book / "chapters" / f"{name}.ipynb"
    nbformat.write(nb, path)
    files = [{"file": f"chapters/{p.stem}"} for p in book.glob("chapters/*.ipynb")]
    toc = {"root": files[0]["file"], "parts": [{"chapters": files[1:]}]}
    (book / "_toc.yml").write_text(json.dumps(toc))
    return path


def test_stale_notebooks_are_executed_and_reproducible(book):
    one = write(book, GOOD, PROOF, GRABBED)
    two = write(book, "from ipywidgets import IntSlider\nIntSlider(3)", name="two")
    done = run(book)
    assert "2 executed, 0 up to date" in done.stdout, done.stderr
    good = one.read_text(), two.read_text()
    assert "aria-label" in good[0] and "image/png" not in good[0]
    assert "hs-grab" in good[0] and not re.search("anywidget|attach", good[0])
    assert "0 executed, 2 up to date" in run(book).stdout
    lost, other = map(json.loads, good)
    del lost["metadata"]["widgets"]
    other["metadata"]["language_info"]["version"] = "3.99"
    one.write_text(json.dumps(lost))
    two.write_text(json.dumps(other))
    output = run(book).stdout
    assert "one: its animations were lost" in output and "2 executed" in output
    assert "two: saved by another program" in output
    assert "1 executed" in run(book, "two").stdout
    assert (one.read_text(), two.read_text()) == good
    page = (book / "chapters" / "checks.md").read_text()
    assert '<a href="one.html#check-sums">Sums</a>' in page
    assert "SymPy proves 1 claims" in page and "Each of the 1 wrong" in page
    assert "Assumed: for all $n, d$ · real $x$." in page
    assert "- once: fails at n = 1, d = 1, k = 1, x = (" in page


def test_edit_during_execution_is_kept(book):
    path = write(book, EDITS.format("one"))
    done = run(book)
    assert done.returncode == 1 and "one: edited while it ran" in done.stdout
    assert nbformat.read(path, 4).cells[0]["source"] == "# A better title"
    assert nbformat.read(path, 4).cells[1]["outputs"] == []
    assert "1 executed" in run(book).stdout


def test_failing_notebook_is_unchanged_and_its_line_is_printed(book):
    helper = "def check(x):\n    assert x > 2, 'too small'"
    pages = {
        write(book, "x = 1", "# the culprit\n\nassert x == 2"): [
            "one: FAILED, the file is unchanged",
            "Cell In[2], line 3",
            "----> 3 assert x == 2",
        ],
        write(book, helper, "y = 1\ncheck(y)", name="two"): [
            "----> 2 check(y)",
            "----> 2     assert x > 2, 'too small'",
            "AssertionError: too small",
        ],
        write(book, "print(1)", LOUD, name="three"): [
            "three: FAILED, the file is unchanged",
            "cell [2] wrote to stderr:",
            "UserWarning: mind this",
        ],
        write(book, "for _ in range(30_000):\n    print('x' * 99)", name="four"): [
            "four: FAILED, the file is unchanged",
            "MB, at most 2.5 MB are allowed",
        ],
    }
    before = [path.read_bytes() for path in pages]
    failed = run(book)
    # the kernel may print warnings about its sockets
    assert failed.returncode == 1 and "sitebuild/notebooks.py" not in failed.stderr
    for message in [line for lines in pages.values() for line in lines]:
        assert message in failed.stdout
    assert [path.read_bytes() for path in pages] == before


def test_unknown_and_missing_chapter_error(book):
    path = write(book, "1")
    refused = run(book, "two")
    assert refused.returncode == 1
    assert refused.stderr.endswith("Unknown chapter 'two'; choose from one\n")
    path.unlink()
    failed = run(book)
    assert failed.returncode == 1
    assert failed.stderr == "_toc.yml lists chapters/one, but there is no such file.\n"


def test_committed_checks_page_is_current_and_defines_letters():
    page = (ROOT / "chapters" / "checks.md").read_text()
    assert page == render_checks_page(notebook_paths())
    entries = page.split("<a href=")[1:]
    assert all("\nHere " in entry and "\nNeeded for {" in entry for entry in entries)
