"""Break the code on purpose: every small slip in a module turns its tests red.

A mutant is a module with one slip in the body of a function: a flipped sign, a dropped
factor, divisor, power or minus, a bound that now excludes (or includes) equality, a
comparison turned round.  Error messages are left alone.  Each mutant is tested in a
process of its own, with the tests of its module alone, those of a solver's caller after
them; a hang counts as red.  They are slow: `make test-slow`.
"""

import ast
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = ["perceptron", "solvers/mistakes", "geometry", "separation"]
MODULES += ["solvers/widest_margin", "linear", "metrics", "validation", "selection"]
CALLERS = {"solvers/mistakes": "perceptron", "solvers/widest_margin": "separation"}
RED, HUNG = 1, "hung"  # 1: the exit code of pytest when a test failed

FLIPPED = {ast.Add: ast.Sub, ast.Sub: ast.Add}
DROPPED = ast.Mult, ast.Div, ast.Pow
BOUNDARY = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
NEGATED = {
    **{ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
}

# Mutants that no test can tell from the code: (module, function, slip) -> why.
EQUIVALENT = {
    ("solvers/mistakes", "mistaken_rows", "2 * length -> 2"): "speed only: short blocks",
    ("solvers/mistakes", "mistaken_rows", "scores <= doubt -> scores < doubt"): (
        "doubt is twice what rounding can do, so no mistake attains it"
    ),
    ("solvers/mistakes", "mistaken_rows", "scores[k] < -doubt -> scores[k] <= -doubt"): (
        "likewise: at -doubt the row alone says the same"
    ),
}


@dataclass(frozen=True)
class Mutant:
    module: str
    function: str
    line: int
    slip: str  # "old -> new"
    source: str

    @property
    def place(self) -> str:
        return f"mlcore/{self.module}.py, line {self.line}, {self.function}"

    @property
    def key(self) -> tuple[str, str, str]:
        return self.module, self.function, self.slip


def slips(node):
    """The wrong nodes that could stand in the place of this one."""
    match node:
        case ast.BinOp(left, op, right) if type(op) in FLIPPED:
            yield ast.BinOp(left, FLIPPED[type(op)](), right)
        case ast.BinOp(left, op) if isinstance(op, DROPPED):
            yield left
        case ast.AugAssign(target, op, value) if type(op) in FLIPPED:
            yield ast.AugAssign(target, FLIPPED[type(op)](), value)
        case ast.UnaryOp(ast.USub(), operand):
            yield operand
        case ast.Compare(left, [op], right):
            for table in BOUNDARY, NEGATED:
                if type(op) in table:
                    yield ast.Compare(left, [table[type(op)]()], right)


def expressions(function):
    """The nodes of a function's own body; an error message is not its business."""
    todo = list(function.body)
    while todo:
        node = todo.pop(0)
        if not isinstance(node, (ast.Raise, ast.FunctionDef)):
            yield node
            todo = [*ast.iter_child_nodes(node), *todo]


@cache
def mutants(module: str) -> list[Mutant]:
    source = (ROOT / "mlcore" / f"{module}.py").read_text()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in expressions(function):
            for wrong in slips(node):
                first = starts[node.lineno - 1] + node.col_offset
                last = starts[node.end_lineno - 1] + node.end_col_offset
                new = ast.unparse(wrong)
                slip = f"{ast.unparse(node)} -> {new}"
                inside = new if isinstance(wrong, ast.stmt) else f"({new})"
                text = source[:first] + inside + source[last:]
                found.append(Mutant(module, function.name, node.lineno, slip, text))
    return found


def files_of(module: str) -> list[Path]:
    """The tests of a module, then those of the one that calls it."""
    names = filter(None, [module, CALLERS.get(module)])
    paths = [ROOT / "tests" / name for name in names]
    return [path.with_name(f"test_{path.name}.py") for path in paths]


def run_tests(module: str, source: str, folder: Path, timeout: float | None = None):
    """The tests of a module on a copy of the package: pytest's exit code and output."""
    package = folder / "mlcore"
    shutil.copytree(ROOT / "mlcore", package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / f"{module}.py").write_text(source)
    plain = ["-p", "no:cacheprovider", "-o", "addopts="]
    pytest_ = [sys.executable, "-m", "pytest", "-x", "-q", *plain]
    environment = os.environ | {
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_ADDOPTS": "",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # three times as fast
    }
    try:
        done = subprocess.run(
            [*pytest_, "-m", "not slow", *files_of(module)],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        return HUNG, ""
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="session")
def patience(tmp_path_factory):
    """For each module how many seconds its sound tests take, five times over."""

    @cache
    def measure(module: str) -> float:
        source = (ROOT / "mlcore" / f"{module}.py").read_text()
        start = time.perf_counter()
        code, output = run_tests(module, source, tmp_path_factory.mktemp("sound"))
        assert code == 0, output
        return 5 * (time.perf_counter() - start)

    return measure


@pytest.mark.slow
@pytest.mark.parametrize(
    "mutant",
    [mutant for module in MODULES for mutant in mutants(module)],
    ids=lambda m: f"{m.module}:{m.line}: {m.slip}",
)
def test_the_slip_is_noticed(mutant, patience, tmp_path):
    if mutant.key in EQUIVALENT:  # it may be slow, and it ends
        code, output = run_tests(mutant.module, mutant.source, tmp_path)
        assert code == 0, f"{mutant.place}: {mutant.slip} is not equivalent, strike it"
        return
    timeout = patience(mutant.module)
    code, output = run_tests(mutant.module, mutant.source, tmp_path, timeout)
    assert code in (RED, HUNG), (
        f"{mutant.place}: with the slip\n    {mutant.slip}\n"
        f"the tests of {mutant.module} end with exit code {code}\n{output}"
    )


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_the_tests_see_the_copy(module, tmp_path):
    code, output = run_tests(module, 'raise RuntimeError("the copy")', tmp_path)
    assert code not in (0, HUNG)
    assert "RuntimeError: the copy" in output


def test_every_equivalent_mutant_exists():
    assert set(EQUIVALENT) <= {m.key for module in MODULES for m in mutants(module)}
