"""Whatever the shelf minimizes: what every fit promises, see tests/helpers/fits.py.

What a fit says about itself is true, and proves that it is a minimum.  That bad input is
named, and nothing that came in is changed, is said in test_safety.py.
"""

import numpy as np
import pytest

from tests.helpers.claims import judge
from tests.helpers.fits import ROWS, hard

CASES = [
    pytest.param(
        row, {"bias": bias} if row.biases else {}, id=f"{name}{'' if bias else ' 0'}"
    )
    for name, row in ROWS.items()
    for bias in (True, False)
    if bias or row.biases
]
every_fit = pytest.mark.parametrize(("row", "bias"), CASES)
seeds = pytest.mark.parametrize("seed", range(4))


def data(row, seed):
    """Examples in units of their own, far from 0; wide ones where a penalty allows it."""
    rng = np.random.default_rng(seed)
    n, d = (12, 20) if seed == 3 and row.options else (48, 4)
    Z = rng.normal(size=(n, d))
    scores = Z[:, 0] - Z[:, 1] + (row.kind != "apart") * rng.normal(size=n)
    y = np.where(scores > 0, 1.0, -1.0)
    if row.kind == "numbers":
        y = scores + 5
    elif row.kind == "labels":
        y = y + (Z[:, 2] > 0.5)
    elif row.kind == "apart":
        Z[:, 0] += y / 2
    return Z * 2.0 ** rng.integers(-2, 3, size=d) + rng.normal(size=d), y, rng


def counts(y, rng):
    """How often each example counts: 0 to 4 times, and each label at least once."""
    times = rng.integers(0, 4, size=len(y)) * 1.0
    times[np.unique(y, return_index=True)[1][:4]] += 1
    return times


@seeds
@every_fit
def test_what_a_fit_says_about_itself_is_true(row, bias, seed):
    X, y, rng = data(row, seed)
    for s in [None] + [counts(y, rng)] * row.weighted:
        arguments = row.arguments(X, y, s=s, **bias)
        fit = row.function(**arguments)
        assert np.all(getattr(fit, "converged", True))
        judge(row.claims, fit, arguments)


@pytest.mark.parametrize("seed", range(12))
@every_fit
def test_it_is_true_on_hard_data_too(row, bias, seed):
    X, y = hard(row.kind, seed)
    few = {"max_steps": 300} if "max_steps" in row.options else {}
    arguments = row.arguments(X, y, **bias, **few)
    judge(row.claims, row.function(**arguments), arguments)
