"""The edition without solutions: its sources, and its notebooks for a Hub or for Binder.

A notebook loses its cells from `solution-start` through `solution-end`.  Pages, search
index, downloads and what Python runs in the page are all made from what is left, so
nothing has to be hidden afterwards.
"""

import json
import shutil
from pathlib import Path

from sitebuild import pack
from sitebuild.chapters import ROOT, in_book_order, read, short
from sitebuild.freshness import VIEW

ANSWERS = {"solution", "wrong-answer"}
SAME = "_config.yml", "_toc.yml", "_static", "sitebuild", "genindex.md"  # as they are
FOR_A_HUB = ("postBuild", "requirements.txt", "runtime.txt")
# The clone installs itself; the folder of notebooks brings the wheel.
POST_BUILD = """#!/bin/sh
# For repo2docker, after requirements.txt: the package of the book.
exec python -m pip install --no-deps {}
"""


def without_solutions(notebook: dict, name: str) -> dict:
    """The notebook less its solutions.

    Raises ValueError if a solution does not stand between cells that begin and end it, or
    holds a moving picture, whose frames lie elsewhere in the notebook.
    """
    kept, inside = [], False
    for cell in notebook["cells"]:
        text = "".join(cell["source"]) if cell["cell_type"] == "markdown" else ""
        starts, ends = "{solution-start}" in text, "{solution-end}" in text
        if ends and text.strip("`\n") != "{solution-end}":
            raise ValueError(f"{name}: solution-end needs a cell of its own")
        if starts and inside:
            raise ValueError(f"{name}: a solution starts before the last one ended")
        if inside and any(VIEW in out.get("data", {}) for out in cell.get("outputs", [])):
            raise ValueError(f"{name}: a solution holds a moving picture")
        inside = inside or starts
        if not inside:
            kept.append(cell)
        inside = inside and not ends
    if inside:
        raise ValueError(f"{name}: the last solution has no solution-end")
    for cell in kept:
        if ANSWERS & set(cell["metadata"].get("tags", [])):
            raise ValueError(f"{name}: a cell of a solution stands outside of it")
        refuse_directive("".join(cell["source"]), name)
    # the digests were those of all cells
    metadata = {k: v for k, v in notebook["metadata"].items() if k != "halfspaces"}
    return notebook | {"cells": kept, "metadata": metadata}


def refuse_directive(text: str, name: str) -> None:
    if "{solution" in text:
        raise ValueError(f"{name}: a solution begins at the head of a cell of a notebook")


def write_sources(folder: Path) -> None:
    """What Sphinx builds the edition from: the clone's files, and stripped notebooks."""
    shutil.rmtree(folder, ignore_errors=True)
    others = shutil.ignore_patterns("*.ipynb", ".*")
    shutil.copytree(ROOT / "chapters", folder / "chapters", ignore=others)
    for page in folder.rglob("*.md"):
        refuse_directive(page.read_text(), page.relative_to(folder).as_posix())
    write_notebooks(folder / "chapters")
    for name in SAME:
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)


def write_notebooks(folder: Path) -> None:
    for path in in_book_order():
        stripped = without_solutions(read(path), short(path))
        text = json.dumps(stripped, indent=1, ensure_ascii=False)
        (folder / path.name).write_text(f"{text}\n")


def write_folder(folder: Path) -> None:
    """A folder to put into a repository, for repo2docker: notebooks, pins, the wheel."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "chapters").mkdir(parents=True)
    write_notebooks(folder / "chapters")
    for name in FOR_A_HUB:
        shutil.copy(ROOT / name, folder)
    wheel = pack.wheel(folder)
    (folder / "postBuild").write_text(POST_BUILD.format(wheel.name))
