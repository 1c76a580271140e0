"""The notebooks of the book, and what their committed cells hold."""

import re

import nbformat

from sitebuild.chapters import in_book_order

PATHS = in_book_order()
LABEL = re.compile(r"`{3,}\{exercise\}.*\n:label: (\S+)")
OF_EXERCISES = {"stub", "solution", "wrong-answer"}  # tags


def cells(path, kind="code"):
    return [c for c in nbformat.read(path, 4).cells if c["cell_type"] == kind]


def with_labels(path):
    """(label of the exercise or None, tag of it or "", cell) of the cells of code."""
    label = None
    for cell in nbformat.read(path, 4).cells:
        if cell["cell_type"] == "code":
            yield label, "".join(tags(cell) & OF_EXERCISES), cell
        else:
            label = None if "{solution-end}" in cell["source"] else label
            label = (LABEL.findall(cell["source"]) or [label])[-1]


def tags(cell):
    return set(cell["metadata"].get("tags", []))


def text_of(cell):
    """What a cell answered, as text."""
    parts = (o.get("text") or o["data"].get("text/plain", "") for o in cell["outputs"])
    return "".join(parts)
