"""Imports point down only, and each library has one home."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

FLOORS = {
    0: "arrays checks",
    # numerics that know arrays only, each serving a family or two above
    0.5: "dataset coordinates halfspaces homotopy interior_point l1 masks moments nearest",
    0.75: "leukemia synthetic",
    1: "losses linear geometry features datasets metrics validation "
    "descent likelihood proximal ranking scalings stumps subgradients neighbors",
    1.5: "stochastic greedy",
    2: "optim",
    3: "perceptron least_squares logistic svm boosting generative multiclass selection "
    "l1_svm",
    3.5: "lasso",
    4: "shells selectors plotting sums symbolic source",
    4.5: "estimators",
    5: "widgets",
}
FLOOR = {name: floor for floor, names in FLOORS.items() for name in names.split()}
SHARED = {"arrays", "checks", "linear", "metrics", "sums"}  # may serve their own floor
HOMES = {
    "sklearn": {"estimators", "selectors", "shells"},
    "matplotlib": {"plotting"},
    "sympy": {"sums", "symbolic"},
    "ipywidgets": {"widgets"},
    "scipy": set(),
    "IPython": set(),
    "dask": set(),
}
INSIDE = {"scipy": FLOOR.keys(), "sklearn": {"datasets"}}  # in a function
PACKAGE = Path(__file__).resolve().parents[1] / "mlcore"
FILES = sorted(path for path in PACKAGE.glob("*.py") if path.stem != "__init__")


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
            names = [f"mlcore.{alias.name}" for alias in node.names]
            for name in names if module == "mlcore" else [module]:
                yield name, node in inside


def faults(own: str, code: str) -> list[str]:
    """What the file does that its floor does not allow."""
    if own not in FLOOR:
        return [f"{own}.py has no floor: add it to FLOORS in {Path(__file__).name}"]
    found = []
    for module, inside in imported(code):
        first, _, rest = module.partition(".")
        if first == "":
            found.append(f"{own} imports {module}: write mlcore.<file>, without a dot")
        elif first == "mlcore" and rest not in FLOOR:
            found.append(f"{own} imports {module}, which is no file with a floor")
        elif first == "mlcore":
            up = FLOOR[rest] > FLOOR[own]
            sideways = FLOOR[rest] == FLOOR[own] and rest not in SHARED
            if up or sideways:
                found.append(
                    f"{own} (floor {FLOOR[own]}) imports {rest} (floor {FLOOR[rest]})"
                )
        elif first in HOMES:
            allowed = own in HOMES[first] or (inside and own in INSIDE.get(first, ()))
            if not allowed:
                found.append(f"{own} imports {first}, whose home is elsewhere")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_imports_point_down_and_libraries_stay_at_home(path):
    assert faults(path.stem, path.read_text()) == []


@pytest.mark.parametrize(
    ("own", "code", "fault"),
    [
        ("linear", "from mlcore.perceptron import perceptron", "perceptron (floor 3)"),
        ("linear", "from mlcore import perceptron", "perceptron (floor 3)"),
        ("linear", "import mlcore.svm as s", "svm (floor 3)"),
        ("checks", "from mlcore.linear import sgn", "linear (floor 1)"),
        ("losses", "from mlcore.features import rbf", "features (floor 1)"),
        ("perceptron", "def f():\n    import mlcore.svm", "svm (floor 3)"),
        ("svm", "from .linear import LinearRule", "without a dot"),
        ("svm", "from . import linear", "without a dot"),
        ("svm", "import mlcore", "no file with a floor"),
        ("svm", "from mlcore.nowhere import f", "no file with a floor"),
        ("geometry", "from scipy.optimize import linprog", "scipy"),
        ("estimators", "import scipy", "scipy"),
        ("perceptron", "def f():\n    import sklearn", "sklearn"),
        ("datasets", "from sklearn import datasets", "sklearn"),
        ("geometry", "import matplotlib.pyplot as plt", "matplotlib"),
        ("plotting", "from IPython import display", "IPython"),
        ("widgets", "def f():\n    import sympy", "sympy"),
        ("plotting", "import ipywidgets", "ipywidgets"),
        ("nowhere", "import math", "add it to FLOORS in test_floors.py"),
    ],
)
def test_each_kind_of_fault_is_found(own, code, fault):
    (found,) = faults(own, code)
    assert own in found
    assert fault in found


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ("geometry", "def f():\n    from scipy.optimize import linprog"),
        ("geometry", "from mlcore.linear import LinearRule\nimport numpy"),
        ("perceptron", "from mlcore.geometry import max_margin\nimport math"),
        ("checks", "from mlcore.arrays import Matrix"),
        ("datasets", "def f():\n    from sklearn.datasets import load_iris"),
        ("estimators", "from sklearn.base import BaseEstimator"),
    ],
)
def test_what_is_allowed_is_let_through(own, code):
    assert faults(own, code) == []


@pytest.mark.parametrize("path", [p for p in FILES if FLOOR.get(p.stem, 9) <= 3])
def test_an_algorithm_costs_numpy_and_nothing_else(path):
    program = f"import sys, mlcore.{path.stem}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"dask", "scipy", "sklearn", "matplotlib", "sympy", "ipywidgets"} & set(
        loaded
    )
