"""Imports keep to the rooms of the package, and an algorithm loads NumPy alone."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

GROUND = ["arrays", "checks"]
WORDS = ["linear", "losses", "features", "metrics", "validation", "scalings"]
# What the files of a room may import.  Of the shelf all may use `optim`, nothing else.
RULES = {
    "ground": "ground",
    "words": "ground words",
    "solvers": "ground words solvers",
    "shelf": "ground words solvers optim",
    "out_of_core": "ground words solvers shelf",
    "optim": "ground words solvers",
    "data": "ground data",
    "estimators": "ground words solvers shelf optim data estimators",
    "book": "ground words solvers shelf optim data estimators book",
}
LATE = {"sklearn", "scipy", "matplotlib", "sympy", "ipywidgets", "IPython", "dask"}
PACKAGE = Path(__file__).resolve().parents[2] / "mlcore"
PATHS = sorted(set(PACKAGE.rglob("*.py")) - {PACKAGE / "__init__.py"})
DOTTED = [".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in PATHS]
FILES = {name.removesuffix(".__init__"): p for name, p in zip(DOTTED, PATHS, strict=True)}


def room_of(name: str) -> str:
    """The room of a file: its folder, or what it is at the top."""
    first = name.split(".")[0]
    if first in RULES:
        return first
    return "ground" if first in GROUND else "words" if first in WORDS else "shelf"


def imported(code: str):
    """The files of mlcore that it imports; a dot stays a dot, and is no file."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            files = [f"{module}.{alias.name}" for alias in node.names]
            found = [f if f.removeprefix("mlcore.") in FILES else module for f in files]
        else:
            continue
        yield from (
            f.removeprefix("mlcore.") for f in found if f.startswith(("mlcore", "."))
        )


@pytest.mark.parametrize("own", FILES)
def test_imports_keep_to_the_rooms(own):
    for file in imported(FILES[own].read_text()):
        assert file in FILES, "write mlcore.<file>"
        assert room_of(file) in RULES[room_of(own)].split()


def test_an_algorithm_costs_numpy_and_nothing_else():
    names = [name for name in FILES if room_of(name) not in ("estimators", "book")]
    program = f"import sys, mlcore.{', mlcore.'.join(names)}; print(*sys.modules)"
    run = [sys.executable, "-c", program]
    loaded = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert not LATE & set(loaded.split())
