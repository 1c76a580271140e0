"""The committed notebooks and their cells."""

import re

import nbformat

from sitebuild.chapters import notebook_paths

PATHS = notebook_paths()
LABEL = re.compile(r"`{3,}\{exercise\}.*\n:label: (\S+)")
EXERCISE_TAGS = {"stub", "solution", "wrong-answer"}


def cells(path, kind="code"):
    return [c for c in nbformat.read(path, 4).cells if c["cell_type"] == kind]


def with_labels(path):
    """Yield (label of the exercise or None, its tag or "", cell) for each code cell."""
    label = None
    for cell in nbformat.read(path, 4).cells:
        if cell["cell_type"] == "code":
            yield label, "".join(tags(cell) & EXERCISE_TAGS), cell
        else:
            label = None if "{solution-end}" in cell["source"] else label
            label = (LABEL.findall(cell["source"]) or [label])[-1]


def tags(cell):
    return set(cell["metadata"].get("tags", []))


def text_of(cell):
    """Return the outputs of a cell as text."""
    parts = (o.get("text") or o["data"].get("text/plain", "") for o in cell["outputs"])
    return "".join(parts)
