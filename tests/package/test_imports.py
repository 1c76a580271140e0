"""Imports keep to the rooms of the package, and each library has one home."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

GROUND = ["arrays", "blocks", "checks", "options"]
WORDS = ["linear", "losses", "features", "metrics", "validation", "scalings"]
# What the files of a room may import.  Of the shelf all may use `optim`, nothing else.
# Circles need no rule: with one, Python cannot import the files.
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
    inside = {
        node
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef)
        for node in ast.walk(outer)
    }
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
        if first == "":
            found.append(f"{own} imports {module}: write mlcore.<file>, without a dot")
        elif first == "mlcore" and rest not in FILES:
            found.append(f"{own} imports {module}, which is no file of mlcore")
        elif first == "mlcore" and room_of(rest) not in RULES[room].split():
            found.append(f"{own} ({room}) imports {rest} ({room_of(rest)})")
        elif first in HOMES:
            always, within = HOMES[first]
            places = [*always.split(), *(within.split() if inside else [])]
            if own not in places and room not in places:
                found.append(f"{own} imports {first}, whose home is elsewhere")
    return found


@pytest.mark.parametrize("name", FILES)
def test_imports_keep_to_the_rooms_and_libraries_stay_at_home(name):
    assert faults(name, FILES[name].read_text()) == []


@pytest.mark.parametrize(
    ("own", "code", "fault"),
    [
        ("linear", "from mlcore.perceptron import perceptron", "perceptron (shelf)"),
        ("linear", "from mlcore import perceptron", "perceptron (shelf)"),
        ("linear", "import mlcore.svm as s", "svm (shelf)"),
        ("linear", "from mlcore.optim import newton", "optim (optim)"),
        ("features", "from mlcore.solvers import greedy", "solvers.greedy (solvers)"),
        ("checks", "from mlcore.linear import sgn", "linear (words)"),
        ("perceptron", "def f():\n    import mlcore.svm", "svm (shelf)"),
        ("optim", "from mlcore.logistic import sigmoid", "logistic (shelf)"),
        ("svm", "from mlcore.data import iris", "data (data)"),
        ("svm", "from mlcore.estimators import SoftMargin", "estimators (estimators)"),
        ("svm", "from mlcore.book.pictures import INK", "book.pictures (book)"),
        ("solvers.nearest", "from mlcore.neighbors import knn", "neighbors (shelf)"),
        ("solvers.nearest", "from mlcore.optim import sgd", "optim (optim)"),
        ("data.bundled", "from mlcore.linear import sgn", "linear (words)"),
        ("estimators.base", "from mlcore.book import Picture", "book (book)"),
        ("svm", "from .linear import LinearRule", "without a dot"),
        ("svm", "from . import linear", "without a dot"),
        ("svm", "import mlcore", "no file of mlcore"),
        ("svm", "from mlcore import nowhere", "no file of mlcore"),
        ("svm", "from mlcore.nowhere import f", "no file of mlcore"),
        ("separation", "from scipy.optimize import linprog", "scipy"),
        ("estimators", "import scipy", "scipy"),
        ("perceptron", "def f():\n    import sklearn", "sklearn"),
        ("data.bundled", "from sklearn import datasets", "sklearn"),
        ("data.synthetic", "def f():\n    import sklearn", "sklearn"),
        ("geometry", "import matplotlib.pyplot as plt", "matplotlib"),
        ("estimators.base", "from IPython import display", "IPython"),
        ("svm", "def f():\n    import sympy", "sympy"),
        ("estimators.base", "import ipywidgets", "ipywidgets"),
        ("logistic", "def f():\n    import dask.array", "dask"),
    ],
)
def test_each_kind_of_fault_is_found(own, code, fault):
    (found,) = faults(own, code)
    assert own in found
    assert fault in found


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ("separation", "def f():\n    from scipy.optimize import linprog"),
        ("separation", "from mlcore.linear import LinearRule\nimport numpy"),
        ("perceptron", "from mlcore.solvers.mistakes import mistaken_rows\nimport math"),
        ("logistic", "from mlcore.optim import newton\nfrom mlcore import losses"),
        ("checks", "from mlcore.arrays import Matrix"),
        ("validation", "from mlcore.metrics import zero_one_error"),
        ("solvers.greedy", "from mlcore.solvers import moments"),
        ("data.bundled", "def f():\n    from sklearn.datasets import load_iris"),
        ("estimators.base", "from sklearn.base import BaseEstimator"),
        ("estimators", "from mlcore.estimators.base import Classifier"),
        ("book.exercises.svm", "import sympy\nfrom mlcore.svm import soft_margin"),
    ],
)
def test_what_is_allowed_is_let_through(own, code):
    assert faults(own, code) == []


@pytest.mark.parametrize(
    "name", [name for name in FILES if room_of(name) not in ("estimators", "book")]
)
def test_an_algorithm_costs_numpy_and_nothing_else(name):
    program = f"import sys, mlcore.{name}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"dask", "scipy", "sklearn", "matplotlib", "sympy", "ipywidgets"} & set(
        loaded
    )
