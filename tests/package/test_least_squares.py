"""Least squares, ridge, the pseudo-inverse and indicator regression."""

import numpy as np
import pytest

from mlcore.least_squares import (
    indicator_regression,
    least_squares,
    pseudo_inverse,
    ridge,
)


def problem(seed):
    rng = np.random.default_rng(seed)
    n, d = rng.integers(2, 30, size=2)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-3, 4) + rng.normal(size=d)
    return X, rng.normal(size=n) + 3


def oracle(X, y, lambda_=0.0, bias=True):
    """Singular values of the centered data; the cut is as small as it can be."""
    mean, level = (X.mean(axis=0), y.mean()) if bias else (0 * X[0], 0.0)
    U, s, Vt = np.linalg.svd(X - mean, full_matrices=False)
    keep = s > 1e-11 * s[0]
    s = s[keep]
    w = Vt[keep].T @ (s / (s**2 + lambda_) * (U[:, keep].T @ (y - level)))
    return w, level - w @ mean, keep.sum()


class TestLeastSquares:
    def test_by_hand(self):
        fit = least_squares([[0.0], [1.0], [2.0]], [1.0, 3.0, 2.0])
        assert (fit.w[0], fit.b, fit.rank) == pytest.approx((0.5, 1.5, 1))
        flat = least_squares([[1.0], [2.0]], [1.0, 3.0], bias=False)
        assert (flat.w[0], flat.b) == pytest.approx((7 / 5, 0.0))
        one = least_squares([[3.0, 4.0]], [2.0])
        assert (one.w.tolist(), one.b, one.rank) == ([0.0, 0.0], 2.0, 0)

    @pytest.mark.parametrize("bias", [True, False])
    def test_singular_values_give_the_same(self, bias):
        for seed in range(40):
            X, y = problem(seed)
            w, b, rank = oracle(X, y, bias=bias)
            fit = least_squares(X, y, bias=bias)
            assert fit.rank == rank
            np.testing.assert_allclose(fit.w, w, rtol=1e-7, atol=1e-8 * abs(w).max())
            assert fit.b == pytest.approx(b, rel=1e-7, abs=1e-7)

    def test_constant_and_copied_columns_share_the_least_norm(self):
        for seed in range(10):
            rng = np.random.default_rng(seed)
            X = rng.normal(size=(40, 4)) * [1, 5, 0.2, 1]
            X = np.column_stack([X, np.full(40, 0.1), X[:, 0], 2 * X[:, 1] - X[:, 2]])
            y = rng.normal(size=40)
            fit = least_squares(X, y)
            w, b, _ = oracle(X, y)
            assert fit.rank == 4
            assert fit.w[4] == pytest.approx(0.0, abs=1e-12)
            np.testing.assert_allclose(fit.w, w, atol=1e-11)
            assert fit.b == pytest.approx(b, abs=1e-11)

    def test_the_condition_that_normal_equations_would_square(self):
        x = np.linspace(0, 1, 30)
        X = np.column_stack([x, x + 1e-9 * np.cos(20 * x)])
        fit = least_squares(X, X @ [1.0, 2.0] + 3)
        np.testing.assert_allclose(fit.w, [1.0, 2.0], atol=1e-5)
        assert fit.rank == 2

    def test_features_in_other_units(self):
        rng = np.random.default_rng(0)
        X, y, unit = rng.normal(size=(50, 3)), rng.normal(size=50), [1e-6, 1.0, 1e6]
        fit, other = least_squares(X, y), least_squares(X * unit, y)
        np.testing.assert_allclose(other.w * unit, fit.w, rtol=1e-10)
        assert other.b == pytest.approx(fit.b, rel=1e-10)
        assert other.rank == 3

    def test_correct_points_far_out_pull_the_line(self):
        rng = np.random.default_rng(0)
        x = np.concatenate([rng.uniform(-2, -1, 15), rng.uniform(1, 2, 15)])
        y = np.sign(x)
        fit = least_squares(x[:, None], y)
        assert (fit.predict(x[:, None]) == y).all()
        far = np.concatenate([x, np.full(10, 60.0)])
        fit = least_squares(far[:, None], np.concatenate([y, np.ones(10)]))
        assert (fit.predict(x[:, None]) != y).any()


class TestRidge:
    def test_by_hand(self):
        X, y = [[-1.0], [1.0]], [1.0, 5.0]
        fit = ridge(X, y, lambda_=2.0)
        assert (fit.w[0], fit.b) == pytest.approx((4 / (2 + 2), 3.0))
        fit = ridge(X, y)  # lambda = 1
        assert (fit.w[0], fit.b) == pytest.approx((4 / (2 + 1), 3.0))
        fit = ridge([[1.0], [2.0]], [1.0, 3.0], lambda_=2.0, bias=False)
        assert (fit.w[0], fit.b) == pytest.approx((7 / (5 + 2), 0.0))

    @pytest.mark.parametrize("bias", [True, False])
    def test_singular_values_give_the_same(self, bias):
        for seed in range(40):
            X, y = problem(seed)
            for lambda_ in 10.0 ** np.random.default_rng(seed).uniform(-3, 4, size=2):
                w, b, _ = oracle(X, y, lambda_, bias)
                fit = ridge(X, y, lambda_=lambda_, bias=bias)
                atol = 1e-8 * abs(w).max()
                np.testing.assert_allclose(fit.w, w, rtol=1e-8, atol=atol)
                assert fit.b == pytest.approx(b, rel=1e-8, abs=1e-8)

    def test_zero_is_least_squares(self):
        X, y = problem(3)
        fit = least_squares(X, y)
        same = ridge(X, y, lambda_=0)
        np.testing.assert_allclose(same.w, fit.w, rtol=1e-8)
        assert same.b == pytest.approx(fit.b, rel=1e-8)

    def test_copies_share_and_a_constant_gets_nothing(self):
        rng = np.random.default_rng(1)
        x = rng.normal(size=50)
        X, y = np.column_stack([x, x, np.ones(50)]), rng.normal(size=50)
        fit = ridge(X, y, lambda_=1e-9)
        c = x - x.mean()
        expected = c @ y / (2 * c @ c)
        np.testing.assert_allclose(fit.w, [expected, expected, 0], atol=1e-5)


class TestPseudoInverse:
    def test_without_a_tolerance_rounding_drowns_the_answer(self):
        A = np.outer([0.1, 0.7, 0.3], [0.3, 0.6, 0.9])
        A = A + A.T + np.outer([1, 2, 3], [1, 2, 3]) * 0.1
        singular = np.column_stack([A[:, 0], A[:, 1], A[:, 0] + A[:, 1]])
        assert abs(pseudo_inverse(singular)).max() < 1e3
        assert abs(pseudo_inverse(singular, tol=0.0)).max() > 1e12

    def test_the_tolerance_is_a_part_of_the_largest(self):
        A = np.diag([100.0, 10.0, 1.0])
        P = pseudo_inverse(A, tol=0.05)
        np.testing.assert_allclose(P, np.diag([0.01, 0.1, 0.0]), atol=1e-14)

    @pytest.mark.parametrize("shape", [(50, 2), (2, 50)])
    def test_the_tolerance_grows_with_the_longer_side(self, shape):
        for size, rank in (30, 1), (100, 2):
            A = np.zeros(shape)
            A[0, 0], A[1, 1] = 1.0, size * np.finfo(float).eps
            assert np.linalg.matrix_rank(pseudo_inverse(A), tol=1e-9) == rank

    def test_that_of_zero_is_zero(self):
        P = pseudo_inverse(np.zeros((2, 3)))
        assert P.shape == (3, 2)
        assert not P.any()


class TestIndicatorRegression:
    def test_the_middle_class_is_masked(self):
        x = np.concatenate([np.linspace(a, a + 1, 30) for a in (0, 2, 4)])[:, None]
        k = np.repeat([0, 1, 2], 30)
        predicted = indicator_regression(x, k).predict(x)
        assert predicted.tolist() == [0] * 45 + [2] * 45

    def test_one_class_is_always_predicted(self):
        fit = indicator_regression([[1.0], [2.0]], ["a", "a"])
        assert fit.predict([[5.0]]).tolist() == ["a"]

    def test_more_than_a_thousand_classes_are_refused(self):
        message = "the number of classes in labels must be at most 1000; got 1001"
        with pytest.raises(ValueError, match=message):
            indicator_regression(np.eye(1001), range(1001))
