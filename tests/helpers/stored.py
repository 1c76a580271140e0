"""The notebooks of the book, and what their committed cells hold."""

import nbformat

from chapters import in_book_order

PATHS = in_book_order()


def cells(path, kind="code"):
    return [c for c in nbformat.read(path, 4).cells if c["cell_type"] == kind]


def tags(cell):
    return set(cell["metadata"].get("tags", []))


def text_of(cell):
    """What a cell answered, as text."""
    parts = (o.get("text") or o["data"].get("text/plain", "") for o in cell["outputs"])
    return "".join(parts)
