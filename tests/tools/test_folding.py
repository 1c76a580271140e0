"""What JupyterLab folds: what the page folds, and no more."""

import nbformat
import pytest
from folding import fold

from chapters import in_book_order

START = "````{solution-start} ex-one\n:class: dropdown\n````\n\nWhy it is so."
CODE = {"source_hidden": True}
ALL = {"outputs_hidden": True, "source_hidden": True}


def folded(*cells, **left):
    """What fold makes of cells: (kind, source, tags) each, in a notebook of their own."""
    notebook = nbformat.v4.new_notebook()
    for kind, source, *tags in cells:
        new = getattr(nbformat.v4, f"new_{kind}_cell")
        notebook.cells.append(new(source, metadata={"tags": tags} | left))
    fold(notebook)
    return [dict(cell["metadata"].get("jupyter", {})) for cell in notebook.cells]


@pytest.mark.parametrize(
    ("tag", "hidden"),
    [
        *(("hide-input", CODE), ("remove-cell", CODE)),
        *(("hide-cell", ALL), ("solution", ALL), ("wrong-answer", ALL)),
        *(("stub", {}), ("raises-exception", {})),
    ],
)
def test_code_is_folded_by_its_tag(tag, hidden):
    assert folded(("code", "1", tag)) == [hidden]


def test_the_words_between_two_answers_are_folded_too():
    cells = [("markdown", "text"), ("markdown", START), ("code", "1", "solution")]
    cells += [("markdown", "And a slip:"), ("code", "2", "wrong-answer")]
    cells += [("markdown", "````{solution-end}\n````\n\nMore."), ("markdown", "text")]
    assert folded(*cells) == [{}, {}, ALL, CODE, ALL, {}, {}]


@pytest.mark.parametrize("path", in_book_order(), ids=lambda p: p.stem)
def test_the_chapters_are_folded(path):
    notebook = nbformat.read(path, 4)
    was = [cell["metadata"].get("jupyter") for cell in notebook.cells]
    fold(notebook)
    assert was == [cell["metadata"].get("jupyter") for cell in notebook.cells]
