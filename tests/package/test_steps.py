"""Steps by hand: of proximal descent, and along subgradients of the hinge loss."""

import numpy as np
import pytest

from mlcore.lasso import fista, ista
from mlcore.svm import pegasos, subgradient_descent

both = pytest.mark.parametrize("descend", [ista, fista])


@both
def test_one_proximal_step_for_one_feature(descend):
    """(w - 2)**2 + |w|: L = 2, and one step of 1 / L ends at 2 - 1/2."""
    X, y = np.array([[-1.0], [1.0]]) / np.sqrt(2), np.array([-2.0, 2.0]) / np.sqrt(2)
    fit = descend(X + 1, y + 3, lambda_=1.0, max_steps=1)
    np.testing.assert_allclose(fit.path, [[0], [1.5]], atol=1e-14)
    np.testing.assert_allclose([*fit.values, fit.b], [4.0, 0.25 + 1.5, 1.5])
    assert fit.converged


def test_three_steps_without_and_with_momentum():
    """Steps of 1 / L take the first weight to its end, and 1/4 of the second's way.

    The momentum is (t - 1) / t' with t'**2 - t' = t**2 from t = 1 on: 0 at first, and
    then 0.618 / 2.194.
    """
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.5], [0.0, -0.5]])
    y = X @ [3.0, 1.0]
    golden = (1 + np.sqrt(5)) / 2
    t = max(np.roots([1.0, -1.0, -(golden**2)]))
    ahead = 9 / 16 - (golden - 1) / t * (3 / 4 - 9 / 16)
    for descend, last in (ista, 9 / 16), (fista, ahead):
        fit = descend(X, y, lambda_=0.0, max_steps=3)
        np.testing.assert_allclose(fit.path[:, 0], [0.0, 3.0, 3.0, 3.0])
        np.testing.assert_allclose(1 - fit.path[:, 1], [1.0, 3 / 4, 9 / 16, last * 3 / 4])
        np.testing.assert_allclose(
            fit.values, (fit.path - [3, 1]) ** 2 @ [2, 0.5], atol=1e-14
        )
        assert not fit.converged


@both
def test_a_minimum_at_the_start_needs_no_step_and_a_zero_has_no_sign(descend):
    for X, y, lambda_ in [
        ([[1.0], [-1.0]], [1.0, -1.0], 5.0),  # w = 0 from lambda = 4 on
        ([[1.0], [-1.0]], [2.0, 2.0], 0.0),
        ([[1.0], [1.0]], [1.0, -1.0], 0.0),
    ]:
        fit = descend(X, y, lambda_=lambda_, tol=0.0)
        assert (fit.path.tolist(), fit.gap, fit.converged) == ([[0.0]], 0.0, True)
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    fit = descend(X, [3.0, -3.0, -0.1, 0.1], lambda_=1.0)
    assert fit.path[-1].tolist() == [2.75, 0.0]
    assert not np.signbit(fit.path[:, 1]).any()


def test_of_points_that_are_as_good_the_first_is_returned():
    # x = 1 (-), 2 (+): w = 1 after the step, and J = 1 + 1/4
    fit = subgradient_descent([[1.0], [2.0]], [-1, 1], lambda_=0.5, steps=1)
    assert (fit.values.tolist(), fit.w.tolist(), fit.b) == ([1, 1.25], [0], 0)
    # w = 1 after the step, z = 2, and J = |w|**2
    fit = subgradient_descent([[2.0]], [1], lambda_=2.0, steps=1, bias=False)
    assert (fit.values.tolist(), fit.w.tolist()) == ([1, 1], [0])


def test_an_example_at_the_margin_is_no_hit():
    # x = 1 (+) twice, lambda = 1: w = 1 after a step, where z = 1; then w / 2
    fit = pegasos([[1.0], [1.0]], [1, 1], lambda_=1.0, epochs=1, bias=False, average=False)
    assert fit.w.tolist() == [0.5]


def test_pegasos_draws_from_seed_0_if_none_is_given():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 2)), np.resize([1.0, -1.0], 20)
    assert np.array_equal(pegasos(X, y).w, pegasos(X, y, rng=0).w)
