"""The soft-margin problem: its curvature, and what is usual."""

import numpy as np
import pytest

from mlcore.solvers.soft_margin_problem import Problem, usual


def overlapping(seed, n, d, bias):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) / np.sqrt(d)
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    return y[:, None] * (np.column_stack([X, np.ones(n)]) if bias else X)


@pytest.mark.parametrize("n", [5, 700, 5000])
def test_the_curvature_in_blocks(n):
    A = overlapping(0, n, 20, True)
    theta = np.random.default_rng(1).exponential(size=n)
    problem = Problem(A, np.ones(n), True)
    every = np.diag([1.0] * 20 + [0.0]) + A.T @ (theta[:, None] * A)
    np.testing.assert_allclose(problem.curvature(theta), every, atol=1e-9)
    rows = np.arange(0, n, 3)
    some = np.diag([1.0] * 20 + [0.0]) + A[rows].T @ (theta[rows, None] * A[rows])
    np.testing.assert_allclose(problem.curvature(theta, rows), some, atol=1e-9)


def test_the_usual_length():
    assert usual(np.array([0.0, 4.0, 1e30, 5.0])) == 5.0
    assert usual(np.zeros(3)) == 1.0
