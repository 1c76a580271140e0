"""Imports point down only, and each library has one home."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

FLOORS = {
    0: "arrays checks polytope",
    1: "losses linear geometry features datasets metrics validation",
    2: "optim moments interior_point",
    3: "perceptron least_squares logistic svm boosting generative multiclass selection "
    "lasso l1_svm",
    4: "estimators plotting sums symbolic source",
    5: "widgets",
}
FLOOR = {name: floor for floor, names in FLOORS.items() for name in names.split()}
SHARED = {"arrays", "checks", "linear", "metrics", "sums"}  # may serve their own floor
HOMES = {
    "sklearn": {"estimators"},
    "matplotlib": {"plotting"},
    "sympy": {"sums", "symbolic"},
    "ipywidgets": {"widgets"},
    "scipy": set(),
    "IPython": set(),
    "dask": set(),
}
INSIDE = {"scipy": FLOOR.keys(), "sklearn": {"estimators", "datasets"}}  # in a function
PACKAGE = Path(__file__).resolve().parents[1] / "mlcore"
FILES = sorted(path for path in PACKAGE.glob("*.py") if path.stem != "__init__")


def imported(tree, own):
    """(name of the module, whether inside a function) of each import."""
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
            assert node.level == 0, f"{own}: write mlcore.{node.module}, not a dot"
            yield node.module, node in inside


def faults(own: str, code: str) -> list[str]:
    """What the file does that its floor does not allow."""
    if own not in FLOOR:
        return [f"{own}.py has no floor: add it to FLOORS in {Path(__file__).name}"]
    found = []
    for module, inside in imported(ast.parse(code), own):
        first, _, rest = module.partition(".")
        if first == "mlcore":
            up = FLOOR[rest] > FLOOR[own]
            sideways = FLOOR[rest] == FLOOR[own] and rest not in SHARED
            if up or sideways:
                found.append(
                    f"{own} (floor {FLOOR[own]}) imports {rest} ({FLOOR[rest]})"
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
    ("own", "code"),
    [
        ("linear", "from mlcore.perceptron import perceptron"),
        ("losses", "from mlcore.metrics import confusion"),
        ("perceptron", "def f():\n    import mlcore.svm"),
        ("geometry", "from scipy.optimize import linprog"),
        ("perceptron", "def f():\n    import sklearn"),
        ("geometry", "import matplotlib.pyplot as plt"),
        ("nowhere", "import math"),
    ],
)
def test_each_kind_of_fault_is_found(own, code):
    assert faults(own, code)


def test_what_is_allowed_is_let_through():
    assert not faults("geometry", "def f():\n    from scipy.optimize import linprog")
    assert not faults("geometry", "from mlcore.linear import LinearRule\nimport numpy")


@pytest.mark.parametrize("path", [p for p in FILES if FLOOR.get(p.stem, 9) <= 3])
def test_an_algorithm_costs_numpy_and_nothing_else(path):
    program = f"import sys, mlcore.{path.stem}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"scipy", "sklearn", "matplotlib", "sympy", "ipywidgets"} & set(loaded)
