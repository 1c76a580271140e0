"""Proximal descent by hand."""

import tracemalloc

import numpy as np
import pytest

from mlcore.lasso import fista, ista

BOTH = pytest.mark.parametrize("descend", [ista, fista])


@BOTH
@pytest.mark.parametrize("unit", [1.0, 1e-3, 1e70])
def test_one_step_for_one_feature(descend, unit):
    """(w - 2)**2 + |w|: L = 2, and one step of 1 / L ends at 2 - 1/2."""
    X, y = np.array([[-1.0], [1.0]]) / np.sqrt(2), np.array([-2.0, 2.0]) / np.sqrt(2)
    fit = descend(X * unit + unit, y * unit + 3 * unit, lambda_=unit**2, max_steps=1)
    np.testing.assert_allclose(fit.path, [[0], [1.5]], atol=1e-14)
    np.testing.assert_allclose(fit.values / unit / unit, [4.0, 0.25 + 1.5])
    np.testing.assert_allclose(fit.b / unit, 1.5)
    assert fit.converged


def test_three_steps_without_and_with_momentum():
    """Steps of 1 / L take the first weight to its end, and 1/4 of the second's way.

    The momentum is (t - 1) / t' with t'**2 - t' = t**2 from t = 1 on: 0 at first, and
    then 0.618 / 2.194.
    """
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.5], [0.0, -0.5]])
    y = X @ [3.0, 1.0]
    slow = ista(X, y, lambda_=0.0, max_steps=3)
    np.testing.assert_allclose(slow.path[:, 0], [0.0, 3.0, 3.0, 3.0])
    np.testing.assert_allclose(1 - slow.path[:, 1], [1.0, 3 / 4, 9 / 16, 27 / 64])
    golden = (1 + np.sqrt(5)) / 2
    t = max(np.roots([1.0, -1.0, -(golden**2)]))
    from_here = 9 / 16 - (golden - 1) / t * (3 / 4 - 9 / 16)
    fast = fista(X, y, lambda_=0.0, max_steps=3)
    np.testing.assert_allclose(fast.path[:, 0], [0.0, 3.0, 3.0, 3.0])
    np.testing.assert_allclose(1 - fast.path[:, 1], [1.0, 3 / 4, 9 / 16, from_here * 3 / 4])
    for fit in slow, fast:
        far = fit.path - [3.0, 1.0]
        np.testing.assert_allclose(fit.values, far**2 @ [2.0, 0.5], atol=1e-14)
        assert not fit.converged


@BOTH
def test_a_minimum_at_the_start_needs_no_step(descend):
    for X, y, lambda_ in [
        ([[1.0], [-1.0]], [1.0, -1.0], 5.0),  # w = 0 from lambda = 4 on
        ([[1.0], [-1.0]], [2.0, 2.0], 0.0),
        ([[1.0], [1.0]], [1.0, -1.0], 0.0),
    ]:
        fit = descend(X, y, lambda_=lambda_, tol=0.0)
        assert (fit.path.tolist(), fit.gap, fit.converged) == ([[0.0]], 0.0, True)


@BOTH
def test_no_square_of_the_number_of_features_is_kept(descend):
    X = np.random.default_rng(0).normal(size=(5, 1000))
    tracemalloc.start()
    descend(X, X[:, 0], lambda_=1.0, max_steps=3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * X.nbytes < 8 * 1000**2


@BOTH
def test_a_zero_has_no_sign(descend):
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    fit = descend(X, [3.0, -3.0, -0.1, 0.1], lambda_=1.0)
    assert fit.path[-1].tolist() == [2.75, 0.0]
    assert not np.signbit(fit.path[:, 1]).any()
