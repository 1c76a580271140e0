"""The types that users see: what README writes is taken, what is wrong is refused.

That the package itself has no errors is said by `make lint`.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
(README,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
TAKEN = """
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
REFUSED = {
    'adaboost(X, [1, -1], rounds="3")': '"rounds" .* has incompatible type "str"',
    "soft_margin({}, [1, -1])": '"soft_margin" has incompatible type "dict',
    "ridge(X, [1, -1]).weights": '"LinearRule" has no attribute "weights"',
}


def test_what_is_right_is_taken_and_what_is_wrong_refused(tmp_path):
    """By a mypy that is strict, of a user's file."""
    path = tmp_path / "user.py"
    path.write_text(README + TAKEN + "\n".join(REFUSED))
    options = ["--strict", "--follow-imports=silent", "--config-file="]
    options += ["--cache-dir", ROOT / "_build" / "mypy-users"]
    call = [sys.executable, "-m", "mypy", *options, path]
    done = subprocess.run(call, cwd=ROOT, capture_output=True, text=True)
    *said, last = done.stdout.splitlines()
    for line, error in zip(said, REFUSED.values(), strict=True):
        assert re.search(error, line), said
    assert "perceptron(" in README and last.startswith(f"Found {len(REFUSED)} errors")
