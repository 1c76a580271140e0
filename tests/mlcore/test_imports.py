"""Imports follow the layers of the package, and algorithms load only NumPy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

BASE = ["arrays", "checks"]
SHARED = ["linear", "losses", "features", "metrics", "validation", "scalings"]
# layer: the layers that its files may import; every algorithm may import `optim`
LAYERS = {
    "base": "base",
    "shared": "base shared",
    "solvers": "base shared solvers",
    "algorithms": "base shared solvers optim",
    "out_of_core": "base shared solvers algorithms",
    "optim": "base shared solvers",
    "data": "base data",
    "estimators": "base shared solvers algorithms optim data estimators",
}
LAZY = {"sklearn", "scipy", "matplotlib", "sympy", "ipywidgets", "IPython", "dask"}
PACKAGE = Path(__file__).resolve().parents[2] / "mlcore"
PATHS = sorted({*PACKAGE.rglob("*.py")} - {PACKAGE / "__init__.py"})
NAMES = [".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in PATHS]
FILES = {name.removesuffix(".__init__"): p for name, p in zip(NAMES, PATHS, strict=True)}


def layer_of(name: str) -> str:
    first = name.split(".")[0]
    if first in LAYERS:
        return first
    return "base" if first in BASE else "shared" if first in SHARED else "algorithms"


def imports(code: str):
    """Yield the modules of mlcore that the code imports."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            assert not any(alias.name.startswith("mlcore") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "write from mlcore.<module> import <name>"
            package, _, module = node.module.partition(".")
            names = [f"{module}.{alias.name}".removeprefix(".") for alias in node.names]
            if package == "mlcore":
                yield from (name if name in FILES else module for name in names)


@pytest.mark.parametrize("name", FILES)
def test_imports_follow_layers(name):
    for module in imports(FILES[name].read_text()):
        assert layer_of(module) in LAYERS[layer_of(name)].split()


def test_algorithms_load_only_numpy():
    names = [name for name in FILES if layer_of(name) != "estimators"]
    program = f"import sys, mlcore.{', mlcore.'.join(names)}; print(*sys.modules)"
    command = [sys.executable, "-c", program]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert not LAZY & set(loaded.split())
