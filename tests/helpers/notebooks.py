"""The committed notebooks and their cells."""

import re
from functools import cache

import nbformat

from halfspaces.page.dependencies import needed_statements
from sitebuild.chapters import ROOT, notebook_paths, toc_parts

PATHS = notebook_paths()
CHAPTERS = [
    ROOT / f"{page}.ipynb" for _, numbered, part in toc_parts() for page in part if numbered
]
LABEL = re.compile(r"`{3,}\{exercise\}.*\n:label: (\S+)")
EXERCISE_TAGS = {"stub", "solution", "wrong-answer"}


@cache
def all_cells(path):
    return nbformat.read(path, 4).cells


def cells(path, kind="code"):
    return [c for c in all_cells(path) if c["cell_type"] == kind]


def outputs(path):
    return [output for cell in cells(path) for output in cell["outputs"]]


def is_proof(output):
    return "proof" in output.get("metadata", {})


def labeled_cells(path):
    """Yield (label of the exercise or None, its tag or "", cell) for each code cell."""
    label = None
    for cell in all_cells(path):
        if cell["cell_type"] == "code":
            yield label, "".join(tags(cell) & EXERCISE_TAGS), cell
        else:
            labels = LABEL.findall(cell["source"])
            if labels:
                label = labels[-1]
            elif "{solution-end}" in cell["source"]:
                label = None


def tags(cell):
    return set(cell["metadata"].get("tags", []))


def output_text(cell):
    """Return the outputs of a cell as text."""
    parts = (o.get("text") or o["data"].get("text/plain", "") for o in cell["outputs"])
    return "".join(parts)


def interactive_figures(path):
    """Yield (statements that an interactive figure needs, its stored text) for each."""
    earlier = []
    for cell in cells(path):
        if "hs-grab" in str(cell["outputs"]):  # the CSS class of interactive figures
            needed = needed_statements(tuple(earlier), cell["source"])
            yield [*needed, cell["source"]], output_text(cell)
        earlier.append(cell["source"])
