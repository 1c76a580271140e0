"""Least squares, ridge, the pseudo-inverse and indicator regression."""

from fractions import Fraction

import numpy as np
import pytest

from mlcore.features import polynomial
from mlcore.least_squares import (
    indicator_regression,
    least_squares,
    pseudo_inverse,
    ridge,
    ridge_path,
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
        assert fit.w == pytest.approx([0.5])
        assert fit.b == pytest.approx(1.5)
        assert fit.rank == 1
        flat = least_squares([[1.0], [2.0]], [1.0, 3.0], bias=False)
        assert (flat.w[0], flat.b) == pytest.approx((7 / 5, 0.0))

    def test_exact_in_fractions(self):
        x, y = [3, -1, 4, 1, -5, 9], [2, 7, -1, 8, 2, -8]
        mean, level = Fraction(sum(x), 6), Fraction(sum(y), 6)
        pairs = [(Fraction(p) - mean, q - level) for p, q in zip(x, y, strict=True)]
        w = sum(p * q for p, q in pairs) / sum(p * p for p, _ in pairs)
        fit = least_squares(np.array(x)[:, None], y)
        assert fit.w[0] == pytest.approx(float(w), rel=1e-14)
        assert fit.b == pytest.approx(float(level - w * mean), rel=1e-14)

    @pytest.mark.parametrize("bias", [True, False])
    def test_singular_values_agree(self, bias):
        for seed in range(80):
            X, y = problem(seed)
            w, b, rank = oracle(X, y, bias=bias)
            fit = least_squares(X, y, bias=bias)
            assert fit.rank == rank
            np.testing.assert_allclose(fit.w, w, rtol=1e-7, atol=1e-8 * abs(w).max())
            assert fit.b == pytest.approx(b, rel=1e-7, abs=1e-7)

    def test_constant_and_copied_columns_share_the_least_norm(self):
        for seed in range(30):
            rng = np.random.default_rng(seed)
            X = rng.normal(size=(40, 4)) * [1, 5, 0.2, 1]
            X = np.column_stack([X, np.full(40, 0.1), X[:, 0], 2 * X[:, 1] - X[:, 2]])
            y = rng.normal(size=40)
            fit = least_squares(X, y)
            w, b, _ = oracle(X, y)
            assert fit.rank == 4
            assert fit.w[4] == 0.0
            assert fit.w[0] == pytest.approx(fit.w[5], abs=1e-12)
            np.testing.assert_allclose(fit.w, w, atol=1e-11)
            assert fit.b == pytest.approx(b, abs=1e-11)

    def test_the_condition_that_normal_equations_would_square(self):
        x = np.linspace(0, 1, 30)
        X = np.column_stack([x, x + 1e-9 * np.cos(20 * x)])
        fit = least_squares(X, X @ [1.0, 2.0] + 3)
        np.testing.assert_allclose(fit.w, [1.0, 2.0], atol=1e-5)
        assert fit.rank == 2

    def test_units_do_not_matter(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(50, 3)), rng.normal(size=50)
        unit = np.array([1e-6, 1.0, 1e6])
        fit, other = least_squares(X, y), least_squares(X * unit, y)
        np.testing.assert_allclose(other.w * unit, fit.w, rtol=1e-12)
        assert other.b == pytest.approx(fit.b, rel=1e-12)

    @pytest.mark.parametrize("shape", [(40, 6), (6, 40)])
    @pytest.mark.parametrize("far", [1e10, 4e14, 1e15])
    def test_far_from_the_origin(self, shape, far):
        """In whole numbers, so that nothing of X + far is rounded."""
        rng = np.random.default_rng(0)
        X, y = np.round(rng.normal(size=shape) * 1024), rng.normal(size=shape[0])
        here, there = least_squares((X + far) - far, y), least_squares(X + far, y)
        size = np.abs(here.w).max()
        np.testing.assert_allclose(there.w, here.w, atol=1e-9 * size)
        assert there.rank == here.rank

    def test_the_rank_counts_what_is_above_the_rounding_of_the_largest(self):
        """Singular values 70.7 and 70.7 t: the limit is ten roundings for 100 features."""
        wave = np.outer((-1.0) ** np.arange(50), (-1.0) ** np.arange(100))
        limit = 10 * np.finfo(float).eps * 100
        for t, rank in (limit / 1.5, 1), (1.5 * limit, 2):
            fit = least_squares(1 + t * wave, np.arange(50), bias=False)
            assert fit.rank == rank

    def test_a_polynomial_comes_back(self):
        x = np.linspace(-1, 2, 12)
        fit = least_squares(polynomial(x[:, None], degree=3), 5 - x + 4 * x**3)
        np.testing.assert_allclose([fit.b, *fit.w], [5, -1, 0, 4], atol=1e-11)

    def test_the_residual_is_orthogonal_to_the_features(self):
        for seed in range(30):
            X, y = problem(seed)
            fit = least_squares(X, y)
            r = y - fit.decision_function(X)
            size = np.linalg.norm(X, axis=0) * np.linalg.norm(y)
            assert np.all(abs(X.T @ r) <= 1e-9 * size)
            assert abs(r.sum()) < 1e-9 * len(y)

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
        fit = ridge([[-1.0], [1.0]], [1.0, 5.0], lambda_=2.0)
        assert (fit.w[0], fit.b) == pytest.approx((4 / (2 + 2), 3.0))
        fit = ridge([[-1.0], [1.0]], [1.0, 5.0])  # lambda = 1
        assert (fit.w[0], fit.b) == pytest.approx((4 / (2 + 1), 3.0))
        (fit,) = ridge_path([[-1.0], [1.0]], [1.0, 5.0], lambdas=[2.0])
        assert (fit.w[0], fit.b) == pytest.approx((4 / (2 + 2), 3.0))

    @pytest.mark.parametrize("bias", [True, False])
    def test_singular_values_agree(self, bias):
        for seed in range(80):
            X, y = problem(seed)
            lambda_ = 10.0 ** np.random.default_rng(seed).uniform(-3, 4)
            w, b, _ = oracle(X, y, lambda_, bias)
            fit = ridge(X, y, lambda_=lambda_, bias=bias)
            np.testing.assert_allclose(fit.w, w, rtol=1e-8, atol=1e-9 * abs(w).max())
            assert fit.b == pytest.approx(b, rel=1e-8, abs=1e-8)

    def test_zero_is_least_squares(self):
        X, y = problem(3)
        assert np.array_equal(ridge(X, y, lambda_=0).w, least_squares(X, y).w)

    @pytest.mark.parametrize("bias", [True, False])
    def test_a_path_is_what_each_lambda_gives(self, bias):
        for seed in range(30):
            X, y = problem(seed)
            lambdas = np.append(10.0 ** np.random.default_rng(seed).uniform(-3, 4, 4), 0.0)
            rules = ridge_path(X, y, lambdas=lambdas, bias=bias)
            for lambda_, rule in zip(lambdas, rules, strict=True):
                fit = ridge(X, y, lambda_=lambda_, bias=bias)
                atol = 1e-9 * abs(fit.w).max()
                np.testing.assert_allclose(rule.w, fit.w, rtol=1e-8, atol=atol)
                assert rule.b == pytest.approx(fit.b, rel=1e-8, abs=1e-8)

    @pytest.mark.parametrize("root", [1e-11, 1e-6, 1e-3, 1.0])
    @pytest.mark.parametrize("decades", [0, 3])
    def test_nearly_dependent_columns_in_any_units(self, decades, root):
        """As least squares with a row for each penalty, in columns of length 1."""
        rng = np.random.default_rng(0)
        unit = np.array([1.0, 1.0, 10.0**-decades, 10.0**decades, 1.0, 3.0])
        X = rng.normal(size=(50, 6))
        X[:, 1] = X[:, 0] + 1e-9 * X[:, 1]
        y = rng.normal(size=50) + 1e9 * (X[:, 1] - X[:, 0])
        fit = ridge(X * unit, y, lambda_=root**2)
        A = np.vstack([X * unit - (X * unit).mean(axis=0), root * np.eye(6)])
        length = np.linalg.norm(A, axis=0)
        known = np.linalg.lstsq(A / length, [*(y - y.mean()), *np.zeros(6)], rcond=1e-14)[0]
        near = 1e-6 * np.abs(known).max()  # that is, of a score
        np.testing.assert_allclose(fit.w * length, known, rtol=1e-6, atol=near)

    def test_badly_conditioned(self):
        rng = np.random.default_rng(1)
        x = rng.normal(size=50)
        X, y = np.column_stack([x, x, np.ones(50)]), rng.normal(size=50)
        fit = ridge(X, y, lambda_=1e-9)
        c = x - x.mean()
        expected = c @ y / (2 * c @ c)
        np.testing.assert_allclose(fit.w, [expected, expected, 0], atol=1e-5)

    def test_scikit_learn(self):
        from sklearn.linear_model import Ridge

        rng = np.random.default_rng(0)
        for shape in (60, 7), (7, 60):
            X, y = rng.normal(size=shape) + 2, rng.normal(size=shape[0])
            for s in None, rng.exponential(size=shape[0]):
                model = Ridge(alpha=2.5, solver="svd").fit(X, y, sample_weight=s)
                fit = ridge(X, y, lambda_=2.5, sample_weight=s)
                np.testing.assert_allclose(fit.w, model.coef_, rtol=1e-9, atol=1e-12)
                assert fit.b == pytest.approx(model.intercept_, rel=1e-9)


class TestPseudoInverse:
    @pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4), (1, 1), (6, 1)])
    def test_penrose_conditions(self, shape):
        for seed in range(20):
            rng = np.random.default_rng(seed)
            A = rng.normal(size=shape)
            if seed % 2:
                A[:, -1] = A[:, 0]
            P = pseudo_inverse(A)
            for left, right in [
                (A @ P @ A, A),
                (P @ A @ P, P),
                ((A @ P).T, A @ P),
                ((P @ A).T, P @ A),
            ]:
                np.testing.assert_allclose(left, right, atol=1e-11 * abs(P).max() + 1e-12)

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
        A = np.array([[1.0, 1.0], [1.0, 1.2]])  # singular values 2.105 and 0.095
        assert np.linalg.matrix_rank(pseudo_inverse(A, tol=0.06), tol=1e-9) == 1

    @pytest.mark.parametrize("shape", [(50, 2), (2, 50)])
    def test_the_tolerance_grows_with_the_longer_side(self, shape):
        for size, rank in (30, 1), (100, 2):
            A = np.zeros(shape)
            A[0, 0], A[1, 1] = 1.0, size * np.finfo(float).eps
            assert np.linalg.matrix_rank(pseudo_inverse(A), tol=1e-9) == rank

    def test_numbers_of_all_sizes(self):
        P = pseudo_inverse([[1e150, 1e-160]])
        np.testing.assert_allclose(P, [[1e-150], [0.0]], rtol=1e-14)

    def test_zero(self):
        assert not pseudo_inverse(np.zeros((2, 3))).any()
        assert pseudo_inverse(np.zeros((2, 3))).shape == (3, 2)


class TestIndicatorRegression:
    def test_the_scores_sum_to_one(self):
        for seed in range(20):
            rng = np.random.default_rng(seed)
            X, k = rng.normal(size=(30, 4)), rng.integers(0, 4, size=30)
            fit = indicator_regression(X, k)
            np.testing.assert_allclose(fit.decision_function(X).sum(axis=1), 1.0)

    def test_each_column_is_one_fit(self):
        rng = np.random.default_rng(0)
        X, k = rng.normal(size=(30, 4)), rng.choice(["a", "b", "c"], size=30)
        fit = indicator_regression(X, k)
        assert fit.classes.tolist() == ["a", "b", "c"]
        for j, label in enumerate(fit.classes):
            one = least_squares(X, (k == label).astype(float))
            np.testing.assert_allclose(fit.W[:, j], one.w, atol=1e-12)
            assert fit.b[j] == pytest.approx(one.b)

    def test_the_middle_class_is_masked(self):
        x = np.concatenate([np.linspace(a, a + 1, 30) for a in (0, 2, 4)])[:, None]
        k = np.repeat([0, 1, 2], 30)
        predicted = indicator_regression(x, k).predict(x)
        assert predicted.tolist() == [0] * 45 + [2] * 45

    def test_one_class(self):
        fit = indicator_regression([[1.0], [2.0]], ["a", "a"])
        assert fit.predict([[5.0]]).tolist() == ["a"]


class TestContract:
    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: least_squares([[np.nan]], [1]), "X must be finite"),
            (lambda: least_squares([[1.0]], [1, 2]), "y must have 1 entries; got 2"),
            (lambda: least_squares([1.0], [1]), "X must be a matrix"),
            (lambda: least_squares([[1.0]], [1], bias=1), "bias must be True or"),
            (lambda: ridge([[1.0]], [1], lambda_=-1), "lambda_ must be at least 0"),
            (lambda: ridge_path([[1]], [1], lambdas=[1, -2]), "lambdas must be at least 0"),
            (lambda: ridge_path([[1]], [1], lambdas=[]), "lambdas must be a vector with"),
            (lambda: ridge([["a"]], [1], lambda_=1), "X must be an array of real"),
            (lambda: pseudo_inverse([[np.inf]]), "A must be finite"),
            (lambda: pseudo_inverse([[1.0]], tol=1), "tol must be less than 1; got 1"),
            (lambda: pseudo_inverse([[1e-160]]), "pseudo-inverse of A must be finite"),
            (lambda: indicator_regression([[1.0]], [1, 2]), "labels must have 1"),
            (
                lambda: indicator_regression(np.eye(1001), range(1001)),
                "the number of classes in labels must be at most 1000; got 1001",
            ),
        ],
    )
    def test_bad_input(self, call, message):
        with pytest.raises(ValueError, match=message):
            call()

    def test_one_row_and_huge_numbers(self):
        fit = least_squares([[3.0, 4.0]], [2.0])
        assert (fit.w.tolist(), fit.b, fit.rank) == ([0.0, 0.0], 2.0, 0)
        assert least_squares([[3.0, 4.0]], [2.0], bias=False).w @ [3, 4] == pytest.approx(2)
        fit = least_squares([[1e150], [-1e150], [0.0]], [1.0, -1.0, 0.0])
        assert fit.w[0] == pytest.approx(1e-150)

    def test_huge_features_for_tiny_targets(self):
        fit = ridge([[1e150, 1e150]], [1e-150], lambda_=1.0, bias=False)
        np.testing.assert_allclose(fit.w, [5e-301, 5e-301])

    def test_inputs_are_untouched(self):
        X, y = problem(0)
        X.setflags(write=False)
        y.setflags(write=False)
        for fit in least_squares(X, y), ridge(X, y, lambda_=1.0):
            fit.w[...] = 0.0
        indicator_regression(X, np.sign(y))
        pseudo_inverse(X)


@pytest.mark.slow
def test_scikit_learn_on_digits():
    from sklearn.datasets import load_digits
    from sklearn.linear_model import LinearRegression

    X, digit = load_digits(return_X_y=True)
    y = np.where(digit > 4, 1.0, -1.0)
    fit, model = least_squares(X, y), LinearRegression().fit(X, y)
    np.testing.assert_allclose(fit.w, model.coef_, atol=1e-10)
    assert fit.b == pytest.approx(model.intercept_, abs=1e-10)
    assert fit.rank == 61  # three pixels are always empty
