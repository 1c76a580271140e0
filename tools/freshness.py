"""Are a notebook's outputs those of its cells, and of the mlcore that they import?

What the outputs were computed from is kept in the notebook's metadata, as two digests: so
a clone knows it too, and a build can tell in a moment.  A notebook is here what
`json.loads` makes of its file.
"""

import ast
import hashlib
import json
from functools import cache
from pathlib import Path

from chapters import ROOT, short

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"


def digests(notebook: dict) -> dict[str, str]:
    """Of the code cells with what they answered, and of the mlcore that they import."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    sources = ["".join(cell["source"]) for cell in cells]
    answers = [[cell["outputs"] for cell in cells], _models(notebook)]
    code = [(short(path), _text(path)) for path in imported(sources)]
    return {"cells": _digest([sources, answers]), "mlcore": _digest(code)}


def outdated(notebook: dict) -> str:
    """What changed since the notebook was executed; nothing if nothing did."""
    kept, now = notebook["metadata"].get("halfspaces", {}), digests(notebook)
    if not kept:
        return "never executed"
    changed = [name for name in now if kept.get(name) != now[name]]
    return f"{' and '.join(changed)} changed since it was executed" if changed else ""


def lost_views(notebook: dict) -> int:
    """How many moving pictures have no model: JupyterLab saves the views alone."""
    outputs = [o for cell in notebook["cells"] for o in cell.get("outputs", [])]
    views = [o["data"][VIEW]["model_id"] for o in outputs if VIEW in o.get("data", {})]
    return len(set(views) - set(_models(notebook)))


def imported(sources: list[str]) -> list[Path]:
    """The files of mlcore that the sources import, directly or not, and the data there."""
    found: set[Path] = set()
    todo = [name for source in sources for name in _names(source)]
    while todo:
        for path in _files(todo.pop()) - found:
            found.add(path)
            folder = path.parent.relative_to(ROOT).parts
            todo.extend(_names(_text(path), folder))
    beside = {path for folder in {p.parent for p in found} for path in folder.iterdir()}
    data = {p for p in beside if p.is_file() and p.suffix != ".py" and p.name[0] != "."}
    return sorted(found | data)


@cache
def _names(source: str, package: tuple[str, ...] = ()) -> list[str]:
    """The dotted names that the source imports; some of them are modules."""
    if "mlcore" not in source and "from ." not in source:
        return []  # nearly all cells: no need to parse them
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:  # not plain Python, or not finished: it says nothing yet
        return []
    names = []
    for node in nodes:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else ()
            start += (node.module,) if node.module else ()
            names += [".".join([*start, alias.name]) for alias in node.names]
    return names


@cache
def _files(name: str) -> frozenset[Path]:
    """The files that Python runs to import this name, if it is one of mlcore."""
    parts = name.split(".") if name.split(".")[0] == "mlcore" else []
    starts = [ROOT.joinpath(*parts[: k + 1]) for k in range(len(parts))]
    files = [start.with_suffix(".py") for start in starts]
    files += [start / "__init__.py" for start in starts]
    return frozenset(path for path in files if path.is_file())


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8", "surrogateescape")


def _models(notebook: dict) -> dict:
    return notebook["metadata"].get("widgets", {}).get(STATE, {}).get("state", {})


def _digest(what) -> str:
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:16]
