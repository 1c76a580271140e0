"""`make notebooks` is reproducible, and a failure changes no file."""

import json
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

from sitebuild import notebooks
from sitebuild.chapters import ROOT, notebook_paths, read_notebook
from sitebuild.checks_page import render_checks_page
from sitebuild.staleness import why_stale
from tests.helpers import unchanged

slow = pytest.mark.slow
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
# Edits its notebook while it runs.
SELF_EDITING = """from pathlib import Path
page = Path("three.ipynb")
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


def test_notebooks_are_executed_reproducibly(book):
    paths = add_chapter(book, ANIMATION, FIGURE), add_chapter(book, ANIMATION, name="two")
    result = run(book)
    assert "2 executed, 0 up to date" in result.stdout, result.stderr
    text = paths[0].read_text()
    one, two = (nbformat.read(path, 4) for path in paths)
    assert one.cells[1] == two.cells[1] and one.metadata.widgets == two.metadata.widgets
    assert "aria-label" in text and "image/png" not in text
    assert "hs-grab" in text and not re.search("anywidget|attach", text)
    assert "SymPy proves 0 claims" in (book / "chapters" / "checks.md").read_text()


@slow
def test_stale_and_named_notebooks_are_executed_and_edits_are_kept(book):
    one, two = add_chapter(book, ANIMATION), add_chapter(book, "1", name="two")
    three = add_chapter(book, SELF_EDITING, name="three")
    result = run(book)
    assert result.returncode == 1 and "three: edited while it ran" in result.stdout
    edited = nbformat.read(three, 4)
    assert edited.cells[0]["source"] == "# A better title"
    assert edited.cells[1]["outputs"] == []
    assert "1 executed, 2 up to date" in run(book).stdout
    texts = one.read_text(), two.read_text()
    no_widgets, new_version = map(json.loads, texts)
    del no_widgets["metadata"]["widgets"]
    new_version["metadata"]["language_info"]["version"] = "3.99"
    one.write_text(json.dumps(no_widgets))
    two.write_text(json.dumps(new_version))
    output = run(book).stdout
    assert "one: its animations were lost" in output and "2 executed" in output
    assert "two: saved by another program" in output
    assert "1 executed\n" in run(book, "two").stdout
    assert (one.read_text(), two.read_text()) == texts


# cells of a notebook -> what its failure prints
FAILURES = {
    ("def check(x):\n    assert x > 2, 'too small'", "# line 1\n\ncheck(1)"): [
        "Cell In[2], line 3",
        "----> 3 check(1)",
        "----> 2     assert x > 2, 'too small'",
        "AssertionError: too small",
    ],
    ("1", "import warnings\nwarnings.warn('mind this', stacklevel=1)"): [
        "cell [2] wrote to stderr:",
        "UserWarning: mind this",
    ],
    ("for _ in range(30_000):\n    print('x' * 99)",): ["MB, at most 2.5 MB are allowed"],
}


def test_failed_notebook_is_unchanged(book, monkeypatch):
    path = add_chapter(book, "1")
    before = path.read_bytes()
    monkeypatch.setattr(notebooks, "run_cells", lambda *_: "  line 3")
    assert notebooks.execute_notebook(path) == "FAILED, the file is unchanged\n  line 3"
    assert path.read_bytes() == before


@slow
@pytest.mark.parametrize("code", FAILURES)
def test_failing_notebook_is_unchanged_and_says_why(book, code):
    path = add_chapter(book, *code)
    before = path.read_bytes()
    result = run(book)
    # the kernel may print warnings about its sockets
    assert result.returncode == 1 and "sitebuild/notebooks.py" not in result.stderr
    for message in ["one: FAILED, the file is unchanged", *FAILURES[code]]:
        assert message in result.stdout
    assert path.read_bytes() == before


def test_unknown_and_missing_chapters_are_reported(book, capsys):
    assert notebooks.main(["two"]) == 1
    message = "Stopped: Unknown chapter 'two'; choose from intro, "
    assert capsys.readouterr().err.startswith(message)
    add_chapter(book, "1").unlink()
    with pytest.raises(SystemExit, match=r"^_toc.yml lists chapters/one, but there is no"):
        notebook_paths(book)


def test_notebook_with_a_changed_cell_or_output_is_stale():
    for change in ({"source": ["1 + 1"]}, {"outputs": []}):
        notebook = read_notebook(ROOT / "chapters" / "background.ipynb")
        assert why_stale(notebook) == ""
        next(cell for cell in notebook["cells"] if cell.get("outputs")).update(change)
        assert why_stale(notebook) == "cells or outputs changed since it ran"


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
    assert f"proves {len(entries)} claims" in page
    assert f"Each of the {page.count(': fails at ')} wrong versions" in page
    for part in ("\nHere ", "\nAssumed: ", "\nNeeded for: {", ": fails at "):
        assert all(part in entry for entry in entries), part
    anchors = {entry.split('"')[1].partition("#")[2] for entry in entries}
    assert len(anchors) == len(entries), "names of proofs are unique"
