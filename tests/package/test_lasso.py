"""The lasso: its path, cross-validation, and proximal descent."""

from dataclasses import replace

import numpy as np
import pytest

from mlcore.lasso import fista, ista, lasso, lasso_cv, lasso_path
from mlcore.validation import k_folds, monte_carlo


def problem(seed):
    """Normal or small whole numbers (ties), with copied columns or without."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(2, 40), rng.integers(1, 30)
    X = rng.normal(size=(n, d)) + 2 if seed % 2 else rng.integers(-2, 3, size=(n, d))
    y = rng.normal(size=n) if seed % 4 < 2 else rng.integers(-3, 4, size=n)
    X, y = X.astype(float), y.astype(float)
    if seed % 3 == 0:
        X = np.column_stack([X, X[:, 0], -X[:, -1], np.full(n, 0.1)])
    return X, y


def objective(X, y, rule, lambda_):
    return np.sum((y - X @ rule.w - rule.b) ** 2) + lambda_ * abs(rule.w).sum()


def violation(X, y, rule, lambda_):
    """How far the optimality conditions are from holding, over the largest slope."""
    r = y - X @ rule.w - rule.b
    centered = X - X.mean(axis=0)
    slope, active = 2 * centered.T @ r, rule.w != 0
    size = max(abs(2 * centered.T @ (y - y.mean())).max(), 1e-300)
    on = abs(slope[active] - lambda_ * np.sign(rule.w[active])).max(initial=0)
    off = (abs(slope[~active]) - lambda_).max(initial=0)
    return max(on, off) / size + abs(r.sum()) / (abs(y).sum() + 1e-300)


class TestPath:
    def test_by_hand(self):
        # orthogonal: each weight is the product cut at lambda / 2, over the square 2
        X = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
        y = np.array([4.0, -2, 1, -1]) + 10
        path = lasso_path(X, y)
        np.testing.assert_allclose(path.lambdas, [12, 4, 0], atol=1e-8)
        np.testing.assert_allclose(path.W, [[0, 0], [2, 0], [3, 1]], atol=1e-8)
        np.testing.assert_allclose(path.b, 10.5)
        assert path.complete
        np.testing.assert_allclose(path.at(8.0).w, [1, 0], atol=1e-8)
        np.testing.assert_allclose(path.at(2.0).w, [2.5, 0.5], atol=1e-8)
        assert not path.at(20.0).w.any()

    def test_the_optimality_conditions_hold_at_every_knot_and_between(self):
        for seed in range(40):
            X, y = problem(seed)
            path = lasso_path(X, y)
            assert path.complete
            assert (np.diff(path.lambdas) < 0).all()
            middle = (path.lambdas[1:] + path.lambdas[:-1]) / 2
            for lambda_ in np.concatenate([path.lambdas[:-1], middle]):
                assert violation(X, y, path.at(lambda_), lambda_) < 1e-5

    def test_at_the_first_knot_the_first_weight_leaves_zero(self):
        for seed in range(20):
            X, y = problem(seed)
            path = lasso_path(X, y)
            top = 2 * abs((X - X.mean(axis=0)).T @ (y - y.mean())).max()
            assert path.lambdas[0] == pytest.approx(top, rel=1e-12, abs=1e-12)
            assert not path.W[0].any()
            if top > 1e-9:
                assert path.at(0.999 * top).w.any()

    def test_it_may_end_earlier(self):
        X, y = problem(7)
        whole = lasso_path(X, y)
        middle = whole.lambdas[len(whole.lambdas) // 2] * 0.999
        part = lasso_path(X, y, until=middle)
        assert part.lambdas[-1] == middle
        np.testing.assert_allclose(part.W[-1], whole.at(middle).w, atol=1e-9)
        with pytest.raises(ValueError, match="lambda_ must be at least"):
            part.at(0.5 * middle)

    def test_nothing_to_fit(self):
        path = lasso_path([[1.0], [2.0]], [3.0, 3.0])
        assert (path.W.tolist(), path.b.tolist()) == ([[0.0]], [3.0])
        fit = lasso([[1.0]], [3.0], lambda_=1.0)
        assert (fit.w.tolist(), fit.b, fit.gap) == ([0.0], 3.0, 0.0)


class TestLasso:
    def test_the_threshold_is_half_of_lambda(self):
        X, y = np.array([[-1.0], [1.0]]) / np.sqrt(2), np.array([-2.0, 2.0]) / np.sqrt(2)
        for lambda_ in 0.5, 1.0, 3.0, 5.0:  # (2 - w)**2 + lambda |w|
            fit = lasso(X, y, lambda_=lambda_)
            assert fit.w[0] == pytest.approx(max(0, 2 - lambda_ / 2), abs=1e-9)
            assert fit.lambda_ == lambda_
        assert lasso(X, y).w == pytest.approx([1.5], abs=1e-9)  # lambda = 1

    def test_at_zero_it_is_least_squares(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(30, 4)), rng.normal(size=30)
        expected = np.linalg.lstsq(np.column_stack([X, np.ones(30)]), y)[0]
        fit = lasso(X, y, lambda_=0.0)
        np.testing.assert_allclose([*fit.w, fit.b], expected, atol=1e-8)

    def test_near_copies_may_lack_the_minimum_and_the_gap_says_so(self):
        rng = np.random.default_rng(0)
        x, e, y = rng.normal(size=(3, 20))
        X = np.column_stack([x, x + 1e-7 * e])  # least squares needs weights of 1e7
        loss = np.linalg.lstsq(np.column_stack([X, np.ones(20)]), y)[1][0]
        fit = lasso(X, y, lambda_=1e-16)
        above = (objective(X, y, fit, 0.0) - loss) / np.sum((y - y.mean()) ** 2)
        assert fit.gap >= 0.999 * above
        assert fit.converged == (fit.gap < 1e-6)

    def test_a_gap_of_a_millionth_is_too_large(self):
        fit = lasso([[1.0], [2.0]], [1.0, 3.0])
        fits = [replace(fit, gap=gap) for gap in (0.0, 0.99e-6, 1e-6, 1.0)]
        assert [fit.converged for fit in fits] == [True, True, False, False]

    def test_copied_columns_share(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(30, 3)), rng.normal(size=30)
        fit = lasso(X, y, lambda_=5.0)
        copied = lasso(np.column_stack([X, X]), y, lambda_=5.0)
        np.testing.assert_allclose(copied.w[:3] + copied.w[3:], fit.w, atol=1e-8)


class TestCrossValidation:
    def test_a_hundred_lambdas_are_tried_on_all_splits(self):
        X, y = problem(13)
        splits = monte_carlo(y, repeats=3, test_share=0.3, stratified=False, rng=0)
        fit = lasso_cv(X, y, splits=splits)
        grid = lasso_path(X, y).lambdas[0] * np.logspace(0, -3, 100)
        np.testing.assert_allclose(fit.lambdas, grid, rtol=1e-9)
        for (train, test), errors in zip(splits, fit.errors, strict=True):
            for k in 20, 60:
                share = grid[k] * len(train) / len(y)
                one = lasso(X[train], y[train], lambda_=share)
                error = np.mean((y[test] - one.decision_function(X[test])) ** 2)
                assert errors[k] == pytest.approx(error, rel=1e-6)
        assert fit.lambda_ == fit.lambdas[fit.errors.mean(axis=0).argmin()]
        np.testing.assert_allclose(fit.w, lasso(X, y, lambda_=fit.lambda_).w)

    def test_the_order_of_the_lambdas_does_not_matter(self):
        X, y = problem(5)
        splits = k_folds(y, folds=2, stratified=False)
        one = lasso_cv(X, y, splits=splits, lambdas=[1.0, 3.0])
        two = lasso_cv(X, y, splits=splits, lambdas=[3.0, 1.0])
        assert one.lambdas.tolist() == two.lambdas.tolist() == [3.0, 1.0]
        assert np.array_equal(one.errors, two.errors)


class TestProximal:
    @pytest.mark.parametrize("descend", [ista, fista])
    def test_both_end_at_the_lasso(self, descend):
        for seed in range(8):
            X, y = problem(seed)
            lambda_ = 0.2 * lasso_path(X, y).lambdas[0]
            best = objective(X, y, lasso(X, y, lambda_=lambda_), lambda_)
            fit = descend(X, y, lambda_=lambda_, max_steps=20_000, tol=1e-9)
            assert fit.converged
            assert fit.gap <= 1e-9
            assert fit.values[-1] == pytest.approx(best, abs=2e-9 * fit.values[0])
            assert fit.values[-1] == pytest.approx(objective(X, y, fit, lambda_))
            assert len(fit.path) == len(fit.values)
            assert np.array_equal(fit.path[-1], fit.w)

    def test_the_bounds_on_their_speed(self):
        """Beck and Teboulle, theorems 3.1 and 4.4."""
        for seed in range(8):
            X, y = problem(seed)
            lambda_ = 0.05 * lasso_path(X, y).lambdas[0]
            exact = lasso(X, y, lambda_=lambda_)
            L = 2 * np.linalg.norm(X - X.mean(axis=0), 2) ** 2
            best, distance = objective(X, y, exact, lambda_), exact.w @ exact.w
            slow = ista(X, y, lambda_=lambda_, max_steps=300, tol=0.0)
            fast = fista(X, y, lambda_=lambda_, max_steps=300, tol=0.0)
            assert (np.diff(slow.values) <= 1e-12 * slow.values[0]).all()
            for fit in slow, fast:
                k = np.arange(1, len(fit.values))
                bound = 2 / (k + 1) ** 2 if fit is fast else 1 / (2 * k)
                room = 1e-9 * fit.values[0]
                assert (fit.values[1:] - best <= L * distance * bound + room).all()

    @pytest.mark.parametrize("descend", [ista, fista])
    def test_where_zero_is_the_minimum_there_is_no_step(self, descend):
        X, y = problem(1)
        fit = descend(X, y, lambda_=1.001 * lasso_path(X, y).lambdas[0])
        assert fit.converged and fit.gap == pytest.approx(0, abs=1e-12)
        assert fit.path.tolist() == [[0.0] * X.shape[1]]

    def test_zeros_are_exact(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(50, 10)), rng.normal(size=50)
        y += 3 * X[:, 0]
        assert np.count_nonzero(fista(X, y, lambda_=60.0).w) < 5

    def test_giving_up_is_reported(self):
        X, y = problem(3)
        fit = ista(X, y, lambda_=1e-3, max_steps=2)
        assert not fit.converged
        assert fit.gap > 1e-8
        assert fit.path.shape == (3, X.shape[1])
