"""`make notebooks` is reproducible, and a failure changes no file."""

import json
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

from sitebuild.chapters import ROOT, notebook_paths
from sitebuild.checks_page import render_checks_page
from tests.helpers import unchanged

ANIMATION = """from halfspaces.pictures import Picture, canvas
from halfspaces.animation import player
def draw(step):
    fig, ax = canvas(width=2, height=1.5)
    ax.plot([0, step], [0, 1])
    return Picture(fig, "a line", "a line")
player(draw, step=range(3))"""
FIGURE = """from halfspaces.interactive import Frame, InteractiveFigure, Plane, Points
plane, points = Plane((0, 1), (0, 1)), Points([[0.5, 0.5]])
InteractiveFigure(lambda points: Frame([]), plane, points=points)"""
PROOF = """from halfspaces.proofs import prove
from halfspaces.symbols import i_, k_, total, x_
s = total(x_[i_, k_], i_)
prove("Sums", total(2 * x_[i_, k_], i_), 2 * s, wrong={"once": s})"""


WARNING = "import warnings\nwarnings.warn('mind this', stacklevel=1)"
# Edits its notebook while it runs.
SELF_EDITING = """from pathlib import Path
page = Path("{}.ipynb")
page.write_text(page.read_text().replace("# Title", "# A better title"))"""


@pytest.fixture
def book(tmp_path):
    """A copy of sitebuild and mlcore, without a chapter."""
    for name in ("mlcore", "sitebuild"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "chapters").mkdir()
    return tmp_path


def run(book, *names):
    """Execute chapters in a separate process: nbclient leaves sockets open."""
    command = [sys.executable, "-m", "sitebuild.notebooks", *names]
    return subprocess.run(command, cwd=book, capture_output=True, text=True, timeout=300)


def add_chapter(book, *cells, name="one"):
    """Append a chapter of these cells to the book."""
    nb = nbformat.v4.new_notebook()
    nb.cells = [nbformat.v4.new_markdown_cell("# Title", id="head")]
    nb.cells += [nbformat.v4.new_code_cell(c, id=f"c{k}") for k, c in enumerate(cells)]
    path = book / "chapters" / f"{name}.ipynb"
    nbformat.write(nb, path)
    files = [{"file": f"chapters/{p.stem}"} for p in book.glob("chapters/*.ipynb")]
    toc = {"root": files[0]["file"], "parts": [{"chapters": files[1:]}]}
    (book / "_toc.yml").write_text(json.dumps(toc))
    return path


def test_stale_notebooks_are_executed_and_reproducible(book):
    one = add_chapter(book, ANIMATION, PROOF, FIGURE)
    two = add_chapter(book, "from ipywidgets import IntSlider\nIntSlider(3)", name="two")
    result = run(book)
    assert "2 executed, 0 up to date" in result.stdout, result.stderr
    texts = one.read_text(), two.read_text()
    assert "aria-label" in texts[0] and "image/png" not in texts[0]
    assert "hs-grab" in texts[0] and not re.search("anywidget|attach", texts[0])
    assert "0 executed, 2 up to date" in run(book).stdout
    no_widgets, new_version = map(json.loads, texts)
    del no_widgets["metadata"]["widgets"]
    new_version["metadata"]["language_info"]["version"] = "3.99"
    one.write_text(json.dumps(no_widgets))
    two.write_text(json.dumps(new_version))
    output = run(book).stdout
    assert "one: its animations were lost" in output and "2 executed" in output
    assert "two: saved by another program" in output
    assert "1 executed" in run(book, "two").stdout
    assert (one.read_text(), two.read_text()) == texts
    page = (book / "chapters" / "checks.md").read_text()
    assert '<a href="one.html#check-sums">Sums</a>' in page
    assert "SymPy proves 1 claims" in page and "Each of the 1 wrong" in page
    assert "Assumed: for all $n, d$ · real $x$." in page
    assert "- once: fails at n = 1, d = 1, k = 1, x = (" in page


@pytest.mark.slow
def test_edit_during_execution_is_kept(book):
    path = add_chapter(book, SELF_EDITING.format("one"))
    result = run(book)
    assert result.returncode == 1 and "one: edited while it ran" in result.stdout
    assert nbformat.read(path, 4).cells[0]["source"] == "# A better title"
    assert nbformat.read(path, 4).cells[1]["outputs"] == []
    assert "1 executed" in run(book).stdout


def test_failing_notebook_is_unchanged_and_its_line_is_printed(book):
    helper = "def check(x):\n    assert x > 2, 'too small'"
    pages = {
        add_chapter(book, "x = 1", "# line 1\n\nassert x == 2"): [
            "one: FAILED, the file is unchanged",
            "Cell In[2], line 3",
            "----> 3 assert x == 2",
        ],
        add_chapter(book, helper, "y = 1\ncheck(y)", name="two"): [
            "----> 2 check(y)",
            "----> 2     assert x > 2, 'too small'",
            "AssertionError: too small",
        ],
        add_chapter(book, "print(1)", WARNING, name="three"): [
            "three: FAILED, the file is unchanged",
            "cell [2] wrote to stderr:",
            "UserWarning: mind this",
        ],
        add_chapter(book, "for _ in range(30_000):\n    print('x' * 99)", name="four"): [
            "four: FAILED, the file is unchanged",
            "MB, at most 2.5 MB are allowed",
        ],
    }
    before = [path.read_bytes() for path in pages]
    result = run(book)
    # the kernel may print warnings about its sockets
    assert result.returncode == 1 and "sitebuild/notebooks.py" not in result.stderr
    for message in [line for lines in pages.values() for line in lines]:
        assert message in result.stdout
    assert [path.read_bytes() for path in pages] == before


def test_unknown_and_missing_chapter_fail(book):
    path = add_chapter(book, "1")
    result = run(book, "two")
    assert result.returncode == 1
    assert result.stderr.endswith("Unknown chapter 'two'; choose from one\n")
    path.unlink()
    result = run(book)
    assert result.returncode == 1
    assert result.stderr == "_toc.yml lists chapters/one, but there is no such file.\n"


def test_digest_changes_with_imported_modules_and_their_data(book, monkeypatch):
    monkeypatch.setattr(unchanged, "ROOT", book)
    path = add_chapter(book, "def later():\n    from mlcore import data", "%time 1")
    digests = [unchanged.digest(path)]
    for name in ("svm.py", "data/__init__.py", "checks.py", "data/own_data/example.csv"):
        with open(book / "mlcore" / name, "a") as file:
            file.write("\n")
        digests.append(unchanged.digest(path))
    assert digests[0] == digests[1] and len(set(digests)) == 4


def test_committed_checks_page_is_current_and_explains_every_proof():
    page = (ROOT / "chapters" / "checks.md").read_text()
    assert page == render_checks_page(notebook_paths())
    entries = page.split("<a href=")[1:]
    assert all("\nHere " in entry and "\nNeeded for {" in entry for entry in entries)
    anchors = {entry.split('"')[1].partition("#")[2] for entry in entries}
    assert len(anchors) == len(entries), "names of proofs are unique"
