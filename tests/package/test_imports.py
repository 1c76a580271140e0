"""Imports keep to the rooms of the package, and each library has one home."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

GROUND = ["arrays", "blocks", "checks", "options"]
WORDS = ["linear", "losses", "features", "metrics", "validation", "scalings"]
# What the files of a room may import.  Of the shelf all may use `optim`, nothing else.
RULES = {
    "ground": "ground",
    "words": "ground words",
    "solvers": "ground words solvers",
    "shelf": "ground words solvers optim",
    "optim": "ground words solvers",
    "data": "ground data",
    "estimators": "ground words solvers shelf optim data estimators",
    "book": "ground words solvers shelf optim data estimators book",
}
# The rooms or files that may import a library, and those that may in a function.
HOMES = {
    # all ten digits: the data of mlcore have two of them at a time
    "sklearn": ("estimators", "data.bundled book.exercises.multiclass"),
    "scipy": ("", " ".join(RULES)),
    "matplotlib": ("book", ""),
    "sympy": ("book", ""),
    "ipywidgets": ("book", ""),
    "IPython": ("book", ""),
    "dask": ("", ""),
}
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
    """(module, whether inside a function) of each import; a dot stays a dot."""
    tree = ast.parse(code)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = {node for outer in functions for node in ast.walk(outer)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node in inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                file = f"{module}.{alias.name}"
                known = file.removeprefix("mlcore.") in FILES
                yield file if known else module, node in inside


def faults(own: str, code: str) -> list[str]:
    """What the file does that its room does not allow."""
    room, found = room_of(own), []
    for module, inside in imported(code):
        first, _, rest = module.partition(".")
        if first == "" or (first == "mlcore" and rest not in FILES):
            found.append(f"{own} imports {module}, which is no file: write mlcore.<file>")
        elif first == "mlcore" and room_of(rest) not in RULES[room].split():
            found.append(f"{own} ({room}) imports {rest} ({room_of(rest)})")
        elif first in HOMES:
            always, within = HOMES[first]
            places = [*always.split(), *(within.split() if inside else [])]
            if own not in places and room not in places:
                found.append(f"{own} imports {first}, whose home is elsewhere")
    return found


def test_imports_keep_to_the_rooms_and_libraries_stay_at_home():
    assert [
        fault for name, p in FILES.items() for fault in faults(name, p.read_text())
    ] == []


@pytest.mark.parametrize(
    ("own", "code", "fault"),
    [
        ("linear", "import mlcore.svm as s", "svm (shelf)"),
        ("checks", "from mlcore.linear import sgn", "linear (words)"),
        ("perceptron", "def f():\n    from mlcore import svm", "svm (shelf)"),
        ("svm", "from . import linear", "no file"),
        ("estimators", "import scipy", "scipy"),
        ("perceptron", "def f():\n    import sklearn", "sklearn"),
    ],
)
def test_a_fault_is_found(own, code, fault):
    assert fault in faults(own, code)[0]


def test_an_algorithm_costs_numpy_and_nothing_else():
    names = [name for name in FILES if room_of(name) not in ("estimators", "book")]
    program = f"import sys, mlcore.{', mlcore.'.join(names)}; print(*sys.modules)"
    run = [sys.executable, "-c", program]
    loaded = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert not set(HOMES) & set(loaded.split())
