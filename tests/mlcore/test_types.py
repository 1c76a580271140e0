"""Type hints: mypy accepts the code in the README, and finds errors in user code.

`make lint` checks the package itself.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
(README,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
VALID = """
import numpy as np
from numpy.typing import NDArray
from mlcore.boosting import adaboost
from mlcore.least_squares import ridge
from mlcore.logistic import logistic, softmax_regression
from mlcore.multiclass import one_vs_rest
from mlcore.svm import pegasos, soft_margin

X = np.ones((2, 1), dtype=np.float32)
w: NDArray[np.float64] = soft_margin([[1], [2]], [-1, 1], sample_weight=(1, 2)).w
p: NDArray[np.float64] = logistic(X, [True, False]).probability([[1.0]])
softmax_regression([[0.0], [1.0]], ["a", "b"]).predict(X)
one_vs_rest(ridge, X, ["a", "b"])
pegasos(X, np.array([1, -1]), rng=np.random.default_rng(0)).predict(X)
"""
INVALID = {
    'adaboost(X, [1, -1], rounds="3")': '"rounds" .* has incompatible type "str"',
    "soft_margin({}, [1, -1])": '"soft_margin" has incompatible type "dict',
    "ridge(X, [1, -1]).weights": '"LinearRule" has no attribute "weights"',
}


def test_strict_mypy_finds_only_the_expected_errors(tmp_path):
    path = tmp_path / "user.py"
    path.write_text(README + VALID + "\n".join(INVALID))
    options = ["--strict", "--follow-imports=silent", "--config-file="]
    options += ["--cache-dir", ROOT / "_build" / "mypy-users"]
    command = [sys.executable, "-m", "mypy", *options, path]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    *errors, summary = result.stdout.splitlines()
    for error, expected in zip(errors, INVALID.values(), strict=True):
        assert re.search(expected, error), errors
    assert "perceptron(" in README and summary.startswith(f"Found {len(INVALID)} errors")
