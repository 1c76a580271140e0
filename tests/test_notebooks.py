"""The tool that executes the chapters: same bytes twice, nothing lost on failure."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import notebooks  # noqa: E402
from freshness import STATE  # noqa: E402

GOOD = """from mlcore.book.pictures import Picture, canvas
from mlcore.book.widgets import player
def draw(step):
    fig, ax = canvas(width=2, height=1.5)
    ax.plot([0, step], [0, 1])
    return Picture(fig, "a line", "a line")
player(draw, step=range(3))"""
PROOF = """from mlcore.book.proofs import i, k, prove, total, x
s = total(x[i, k], i)
prove("Sums", total(2 * x[i, k], i), 2 * s, wrong={"once": s})"""


@pytest.fixture
def book(tmp_path):
    """A book of one chapter, in a folder of its own."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "_toc.yml").write_text(
        "root: chapters/intro\nparts: [{chapters: [{file: chapters/one}]}]"
    )
    shutil.copytree(ROOT / "mlcore", tmp_path / "mlcore")
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    return tmp_path


def run(book, *names):
    """Execute in a process of its own: nbclient leaves sockets to the collector."""
    tool = [sys.executable, book / "tools" / "notebooks.py", *names]
    return subprocess.run(tool, capture_output=True, text=True, timeout=120)


def write(book, *cells):
    nb = nbformat.v4.new_notebook()
    nb.cells = [nbformat.v4.new_markdown_cell("# One", id="head")]
    nb.cells += [nbformat.v4.new_code_cell(c, id=f"c{q}") for q, c in enumerate(cells)]
    path = book / "chapters" / "one.ipynb"
    nbformat.write(nb, path)
    return path


def test_two_executions_give_the_same_bytes(book):
    path = write(book, GOOD, PROOF)
    assert run(book).returncode == 0
    first = path.read_bytes()
    assert b"aria-label" in first and b"image/png" not in first
    assert run(book, "one").returncode == 0
    assert path.read_bytes() == first


def test_widget_ids_are_numbered_and_every_reference_is_kept(book):
    path = write(book, GOOD)
    run(book)
    state = json.loads(path.read_text())["metadata"]["widgets"][STATE]["state"]
    assert sorted(int(name, 16) for name in state) == list(range(1, len(state) + 1))
    for model in state.values():
        for reference in str(model).split("IPY_MODEL_")[1:]:
            assert reference[:32] in state


def test_only_what_changed_is_executed_again(book):
    path = write(book, "1 + 1")
    run(book)
    assert "0 executed, 1 up to date" in run(book).stdout
    (book / "mlcore" / "linear.py").write_text("# changed\n")
    assert "1 executed" in run(book).stdout
    nb = nbformat.read(path, 4)
    nb.cells[1]["source"] = "1 + 2"
    nbformat.write(nb, path)
    assert "1 executed" in run(book).stdout
    assert nbformat.read(path, 4).cells[1]["outputs"][0]["data"]["text/plain"] == "3"


def test_a_failing_notebook_is_left_as_it_was_and_its_cell_is_named(book):
    path = write(book, "1 + 1", "# the culprit\n1 / 0", "3")
    before = path.read_bytes()
    failed = run(book)
    assert failed.returncode == 1
    assert path.read_bytes() == before
    said = failed.stdout
    assert "one: FAILED" in said and "cell 2 (# the culprit)" in said
    assert "ZeroDivisionError" in said
    assert run(book).returncode == 1, "a failure is not taken for done"


def test_an_error_shown_on_purpose_is_no_failure(book):
    path = write(book, "1 / 0", "2")
    nb = nbformat.read(path, 4)
    nb.cells[1]["metadata"]["tags"] = ["raises-exception"]
    nbformat.write(nb, path)
    assert run(book).returncode == 0


def test_an_unknown_chapter_is_refused_by_name(book):
    write(book, "1")
    refused = run(book, "two")
    assert refused.returncode == 2 and "no such chapter: two" in refused.stderr


def test_the_page_of_checks_lists_each_proof_with_a_link(book):
    write(book, PROOF)
    run(book)
    page = (book / "chapters" / "checks.md").read_text()
    assert '<a href="one.html#check-sums">Sums</a>' in page
    assert "SymPy proves 1 claims" in page and "1 in all" in page
    assert "Assumed: for all $n, d$ · real $x$." in page
    assert "- once: fails at n = 1, d = 1, k = 1, x = (" in page


def test_the_committed_page_of_checks_is_current():
    page = (ROOT / "chapters" / "checks.md").read_text()
    assert page == notebooks.checks_page(notebooks.in_book_order())
