"""The ending from the support vectors, and what it leaves to the steps."""

import numpy as np
import pytest

from mlcore.solvers.interior_point import _start
from mlcore.solvers.soft_margin_problem import Problem
from mlcore.solvers.support_vectors import from_support


def overlapping(seed, n, d, bias):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) / np.sqrt(d)
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    return y[:, None] * (np.column_stack([X, np.ones(n)]) if bias else X)


@pytest.mark.parametrize("bias", [True, False])
def test_a_wrong_guess_of_the_support_is_no_end(bias):
    """The start knows nothing yet: what follows from it has a gap, or is nothing."""
    for seed in range(10):
        A = overlapping(seed, 60, 3, bias)
        problem = Problem(A, np.ones(60), bias)
        guess = from_support(problem, _start(problem), 0)
        assert guess is None or guess.gap > 1e-6 * guess.primal
