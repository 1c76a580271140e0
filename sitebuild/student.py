"""Write the student edition: its sources, and its notebooks for JupyterHub or Binder.

The cells from `solution-start` through `solution-end` are removed from each notebook.
Pages, search index, downloads and the code that runs in the page are built from these
notebooks, so no solution has to be hidden later.
"""

import json
import shutil
from pathlib import Path

from sitebuild.chapters import ROOT, notebook_paths, read_notebook, repo_path
from sitebuild.staleness import VIEW
from sitebuild.wheel import build_wheel

SOLUTION_TAGS = {"solution", "wrong-answer"}
LINKED = "_config.yml", "_toc.yml", "_static", "sitebuild", "genindex.md"
HUB_FILES = ("postBuild", "requirements.txt", "runtime.txt")
# In place of the repository's postBuild, which installs the sources.
POST_BUILD = """#!/bin/sh
# For repo2docker, after requirements.txt: the package of the book.
exec python -m pip install --no-deps {}
"""


def without_solutions(notebook: dict, name: str) -> dict:
    """Return the notebook without its solutions.

    Raises ValueError if a solution is not between its start and end cells, or contains an
    animation, whose frames are in the notebook's metadata.
    """
    cells, inside = [], False
    for cell in notebook["cells"]:
        text = "".join(cell["source"]) if cell["cell_type"] == "markdown" else ""
        starts, ends = "{solution-start}" in text, "{solution-end}" in text
        if ends and text.strip("`\n") != "{solution-end}":
            raise ValueError(f"{name}: solution-end must be alone in its cell")
        if starts and inside:
            raise ValueError(f"{name}: a solution starts inside another solution")
        if inside and any(VIEW in out.get("data", {}) for out in cell.get("outputs", [])):
            raise ValueError(f"{name}: a solution holds an animation")
        inside = inside or starts
        if not inside:
            cells.append(cell)
        inside = inside and not ends
    if inside:
        raise ValueError(f"{name}: the last solution has no solution-end")
    for cell in cells:
        if SOLUTION_TAGS & set(cell["metadata"].get("tags", [])):
            raise ValueError(f"{name}: a cell tagged as a solution is not inside one")
        fail_on_solution("".join(cell["source"]), name)
    # without "halfspaces", a digest of the outputs, which would be wrong now
    metadata = {k: v for k, v in notebook["metadata"].items() if k != "halfspaces"}
    return notebook | {"cells": cells, "metadata": metadata}


def fail_on_solution(text: str, name: str) -> None:
    if "{solution" in text:
        raise ValueError(f"{name}: a part of a solution is outside its start and end cells")


def write_sources(folder: Path) -> None:
    """Write the folder from which Sphinx builds: stripped notebooks, links to the rest."""
    shutil.rmtree(folder, ignore_errors=True)
    ignore = shutil.ignore_patterns("*.ipynb", ".*")
    shutil.copytree(ROOT / "chapters", folder / "chapters", ignore=ignore)
    for page in folder.rglob("*.md"):
        fail_on_solution(page.read_text(), page.relative_to(folder).as_posix())
    write_notebooks(folder / "chapters")
    for name in LINKED:
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)


def write_notebooks(folder: Path) -> None:
    for path in notebook_paths():
        stripped = without_solutions(read_notebook(path), repo_path(path))
        text = json.dumps(stripped, indent=1, ensure_ascii=False)
        (folder / path.name).write_text(f"{text}\n")


def write_folder(folder: Path) -> None:
    """Write a folder for repo2docker: notebooks, pinned requirements, and the wheel."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "chapters").mkdir(parents=True)
    write_notebooks(folder / "chapters")
    for name in HUB_FILES:
        shutil.copy(ROOT / name, folder)
    wheel = build_wheel(folder)
    (folder / "postBuild").write_text(POST_BUILD.format(wheel.name))
