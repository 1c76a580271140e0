"""Least squares, ridge, the pseudo-inverse and indicator regression."""

import numpy as np
import pytest

from mlcore.least_squares import indicator_regression, least_squares, pseudo_inverse


class TestLeastSquares:
    @pytest.mark.parametrize("seed", range(10))
    def test_constant_and_copied_columns_share_the_least_norm(self, seed):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(40, 4)) * [1, 5, 0.2, 1], rng.normal(size=40)
        X = np.column_stack([X, np.full(40, 0.1), X[:, 0], 2 * X[:, 1] - X[:, 2]])
        for rows in slice(40), slice(3):
            fit, mean, level = (
                least_squares(X[rows], y[rows]),
                X[rows].mean(0),
                y[rows].mean(),
            )
            w, _, rank, _ = np.linalg.lstsq(X[rows] - mean, y[rows] - level, rcond=1e-11)
            assert fit.rank == rank
            np.testing.assert_allclose(fit.w, w, atol=1e-11)
            assert fit.b == pytest.approx(level - w @ mean, abs=1e-11)
        free = np.linalg.lstsq(X, y, rcond=1e-11)[0]
        np.testing.assert_allclose(least_squares(X, y, bias=False).w, free, atol=1e-11)

    def test_the_condition_that_normal_equations_would_square(self):
        x = np.linspace(0, 1, 30)
        X = np.column_stack([x, x + 1e-9 * np.cos(20 * x)])
        fit = least_squares(X, X @ [1.0, 2.0] + 3)
        np.testing.assert_allclose(fit.w, [1.0, 2.0], atol=1e-5)
        assert fit.rank == 2


class TestPseudoInverse:
    @pytest.mark.parametrize("shape", [(50, 2), (2, 50)])
    def test_the_tolerance_grows_with_the_longer_side(self, shape):
        for size, rank in (30, 1), (100, 2):
            A = np.zeros(shape)
            A[0, 0], A[1, 1] = 1.0, size * np.finfo(float).eps
            assert np.linalg.matrix_rank(pseudo_inverse(A), tol=1e-9) == rank


class TestIndicatorRegression:
    def test_one_class_is_always_predicted(self):
        fit = indicator_regression([[1.0], [2.0]], ["a", "a"])
        assert fit.predict([[5.0]]).tolist() == ["a"]

    def test_more_than_a_thousand_classes_are_refused(self):
        message = "the number of classes in labels must be at most 1000; got 1001"
        with pytest.raises(ValueError, match=message):
            indicator_regression(np.eye(1001), range(1001))
