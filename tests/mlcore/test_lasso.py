"""The lasso: its path, cross-validation, and proximal descent."""

import numpy as np
import pytest

from mlcore.lasso import fista, ista, lasso, lasso_cv, lasso_path
from mlcore.least_squares import least_squares
from mlcore.validation import monte_carlo
from tests.helpers.certificates import lasso_gap

both = pytest.mark.parametrize("descend", [ista, fista])


class TestPath:
    def test_nothing_to_fit(self):
        path = lasso_path([[1.0], [2.0]], [3.0, 3.0])
        assert (path.W.tolist(), path.b.tolist()) == ([[0.0]], [3.0])
        fit = lasso([[1.0]], [3.0], lambda_=1.0)
        assert (fit.w.tolist(), fit.b, fit.duality_gap) == ([0.0], 3.0, 0.0)


def test_a_tiny_penalty_is_proved_to_be_least_squares():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
    for lambda_ in 1e-6, 1e-9, 0.0:
        fit = lasso(X, y, lambda_=lambda_)
        assert fit.converged
        np.testing.assert_allclose(fit.w, least_squares(X, y).w, rtol=1e-6)


@pytest.mark.parametrize("count", [30, 90])
@pytest.mark.parametrize("kind", ["random walk", "dependent", "duplicated", "units"])
def test_duality_gap_is_small_for_ill_conditioned_features(kind, count):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, count))
    if kind == "random walk":
        X = X.cumsum(axis=1)
    if kind == "dependent":
        X = X[:, : count // 2] @ rng.normal(size=(count // 2, count))
    if kind == "duplicated":
        X[:, count // 2 :] = X[:, : count - count // 2]
    if kind == "units":
        X *= 10.0 ** rng.integers(-6, 7, size=count)
    y = X @ (rng.normal(size=count) / np.abs(X).max(axis=0)) + rng.normal(size=120)
    path = lasso_path(X, y)
    for share in 1.0, 0.3, 0.01, 1e-4:
        fit = lasso(X, y, lambda_=share * path.lambdas[0])
        gap, value_at_0 = lasso_gap(fit, X, y, fit.lambda_)
        assert fit.converged and gap <= fit.duality_gap + 1e-6 * value_at_0


class TestCrossValidation:
    def test_a_hundred_lambdas_are_tried(self):
        rng = np.random.default_rng(13)
        X, y = rng.normal(size=(20, 8)) + 2, rng.normal(size=20)
        splits = monte_carlo(y, repeats=3, test_fraction=0.3, stratified=False, rng=0)
        fit = lasso_cv(X, y, splits=splits)
        grid = lasso_path(X, y).lambdas[0] * np.logspace(0, -3, 100)
        np.testing.assert_allclose(fit.lambdas, grid, rtol=1e-9)
        assert fit.errors.shape == (3, 100)
        np.testing.assert_allclose(fit.w, lasso(X, y, lambda_=fit.lambda_).w)


class TestProximal:
    def test_three_steps_without_and_with_momentum(self):
        """Steps of 1 / L take the first weight to its end, and 1/4 of the second's way.

        The momentum is (t - 1) / t' with t'**2 - t' = t**2 from t = 1 on: 0 at first, and
        then 0.618 / 2.194.
        """
        X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.5], [0.0, -0.5]])
        golden = (1 + np.sqrt(5)) / 2
        t = max(np.roots([1.0, -1.0, -(golden**2)]))
        ahead = 9 / 16 - (golden - 1) / t * (3 / 4 - 9 / 16)
        for descend, last in (ista, 9 / 16), (fista, ahead):
            fit = descend(X, X @ [3.0, 1.0], lambda_=0.0, max_steps=3)
            np.testing.assert_allclose(fit.path[:, 0], [0.0, 3.0, 3.0, 3.0])
            rest = [1.0, 3 / 4, 9 / 16, last * 3 / 4]
            np.testing.assert_allclose(1 - fit.path[:, 1], rest)
            values = (fit.path - [3, 1]) ** 2 @ [2, 0.5]
            np.testing.assert_allclose(fit.values, values, atol=1e-14)
            assert not fit.converged and fit.duality_gap > 1e-8

    @both
    def test_a_minimum_at_the_start_needs_no_step_and_a_zero_has_no_sign(self, descend):
        for X, y, lambda_ in [
            ([[1.0], [-1.0]], [1.0, -1.0], 5.0),  # w = 0 from lambda = 4 on
            ([[1.0], [-1.0]], [2.0, 2.0], 0.0),
            ([[1.0], [1.0]], [1.0, -1.0], 0.0),
        ]:
            fit = descend(X, y, lambda_=lambda_, tol=0.0)
            assert (fit.path.tolist(), fit.duality_gap, fit.converged) == (
                [[0.0]],
                0.0,
                True,
            )
        X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
        fit = descend(X, [3.0, -3.0, -0.1, 0.1], lambda_=1.0)
        assert fit.path[-1].tolist() == [2.75, 0.0]
        assert not np.signbit(fit.path[:, 1]).any()
