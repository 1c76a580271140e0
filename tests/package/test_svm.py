"""Support vector machines: by hand, by duality, and against other solvers."""

from dataclasses import replace

import numpy as np
import pytest

from mlcore.arrays import EPS
from mlcore.scalings import FORMS, constant_of, lambda_of
from mlcore.svm import hard_margin, objective, pegasos, soft_margin, subgradient_descent

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [-1, 1, 1, -1]
FIVE = np.array([[0.0], [1.5], [3.0], [-1.0], [7.0]]), np.array([1, -1, 1, -1, 1])


def overlapping(seed, *, most=60):
    """Two classes that overlap, off center, in any unit; both occur."""
    rng = np.random.default_rng(seed)
    n, d, unit = rng.integers(6, most), rng.integers(1, 5), 10 ** rng.uniform(-2, 2)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return unit * (X + rng.normal()), y, 10 ** rng.uniform(-3, 1) * unit**2


def separated(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, rng.integers(1, 6)))
    w = rng.normal(size=X.shape[1])
    X = X[abs(X @ w + 0.3) > 0.2 * np.linalg.norm(w)]
    y = np.where(X @ w + 0.3 > 0, 1.0, -1.0)
    return (X, y) if len(set(y)) == 2 else separated(seed + 1000)


def minimize_form(X, y, *, square, losses, bias_square=0.0):
    """Minimize square |w|**2 + losses sum hinge + bias_square b**2, as a QP in SciPy."""
    from scipy.optimize import minimize

    n, d = X.shape
    weights = np.append(np.full(d, square), bias_square)
    rows = np.column_stack([y[:, None] * X, y, np.eye(n)])
    found = minimize(
        lambda v: weights @ v[: d + 1] ** 2 + losses * v[d + 1 :].sum(),
        np.append(np.zeros(d + 1), np.full(n, 1.5)),
        jac=lambda v: np.append(2 * weights * v[: d + 1], np.full(n, losses)),
        constraints={"type": "ineq", "fun": lambda v: rows @ v - 1, "jac": lambda v: rows},
        bounds=[(None, None)] * (d + 1) + [(0, None)] * n,
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-15},
    )
    return found.x[:d], found.x[d]


class TestByHand:
    def test_soft_margin(self):
        # w = 1/2: x = 0 and 1.5 are on the wrong side, 3 and -1 at the margin
        fit = soft_margin(*FIVE, lambda_=0.8)
        np.testing.assert_allclose(fit.w, [0.5], rtol=1e-9)
        assert fit.b == pytest.approx(-0.5, rel=1e-9)
        np.testing.assert_allclose(
            fit.a, [1 / 4, 1 / 4, 7 / 32, 7 / 32, 0], rtol=1e-9, atol=0
        )
        np.testing.assert_allclose(fit.C, 1 / 4, rtol=1e-15)
        assert fit.value == pytest.approx(0.65, rel=1e-9)
        assert 0 <= fit.gap < 1e-10
        assert fit.converged
        assert fit.support.tolist() == [0, 1, 2, 3]
        assert fit.predict(FIVE[0]).tolist() == [-1, 1, 1, -1, 1]
        assert fit.a[0] == fit.a[1] == fit.C

    def test_soft_margin_without_bias(self):
        # x = 1 (+), 2 (+): J = (1 - w) / 2 + 2 w**2 / 5 for w in [1/2, 1]
        fit = soft_margin([[1.0], [2.0]], [1, 1], lambda_=0.8, bias=False)
        np.testing.assert_allclose(fit.w, [5 / 8], rtol=1e-9)
        assert fit.b == 0.0
        assert fit.value == pytest.approx(11 / 32, rel=1e-9)
        assert fit.a.tolist() == [fit.C, 0.0]
        assert fit.support.tolist() == [0]

    def test_hard_margin(self):
        fit = hard_margin([[1.0], [2.0], [5.0]], [-1, 1, 1])
        assert fit.w.tolist() == pytest.approx([2.0])
        assert fit.b == pytest.approx(-3.0)
        assert fit.a.tolist() == pytest.approx([2.0, 2.0, 0.0])
        assert fit.margin == pytest.approx(0.5)
        assert fit.separable
        assert fit.support.tolist() == [0, 1]

    def test_hard_margin_without_bias(self):
        fit = hard_margin([[2.0, 0.0], [0.0, -2.0], [9.0, 0.0]], [1, -1, 1], bias=False)
        np.testing.assert_allclose(fit.w, [0.5, 0.5], rtol=1e-12)
        assert fit.b == 0.0
        np.testing.assert_allclose(fit.a, [0.25, 0.25, 0.0], rtol=1e-12)
        assert fit.margin == pytest.approx(np.sqrt(2))

    def test_subgradient_descent(self):
        # x = 1 (-), 2 (+); after step 1 the second has z = 1 and is no hit
        fit = subgradient_descent([[1.0], [2.0]], [-1, 1], lambda_=1.0, steps=3)
        np.testing.assert_allclose(fit.values, [1, 7 / 8, 1, 67 / 72], rtol=1e-12)
        assert fit.w.tolist() == [0.5]
        assert fit.b == 0.0

    def test_subgradient_descent_learns_a_bias(self):
        fit = subgradient_descent([[1.0], [2.0]], [1, 1], lambda_=4.0, steps=1)
        assert (fit.w.tolist(), fit.b) == ([0.375], 0.25)
        assert fit.values[1] == pytest.approx(
            ((1 - 0.625) + 0) / 2 + 2 * 0.375**2, rel=1e-14
        )

    def test_pegasos(self):
        # one example, z = 2 w + b: w, b = 4, 2, then w shrinks to 2 and 4/3
        fit = pegasos([[2.0]], [1], lambda_=0.5, epochs=3, rng=0)
        np.testing.assert_allclose(fit.values, [4, 1, 4 / 9], rtol=1e-14)
        np.testing.assert_allclose(fit.w, [5 / 3], rtol=1e-14)
        assert fit.b == 2.0
        last = pegasos([[2.0]], [1], lambda_=0.5, epochs=3, rng=0, average=False)
        np.testing.assert_allclose(last.w, [4 / 3], rtol=1e-14)
        none = pegasos([[2.0]], [1], lambda_=0.5, epochs=3, rng=0, bias=False)
        assert none.b == 0.0

    def test_objective(self):
        X, y = [[1.0, 0.0], [0.0, 2.0]], [1, -1]
        # z = 3 - 1/2 and -(-2 + ...): g = 2.5 and -4.5 + 2 = -4.5
        value = objective(X, y, [3.0, -2.0], -0.5, lambda_=0.2)
        assert value == pytest.approx(0.1 * 13)
        value = objective(X, y, [0.5, -2.0], 4.0, lambda_=0.2)
        assert value == pytest.approx(0.1 * 4.25 + 0.5)


class TestDuality:
    """The dual variables prove how close J is to its minimum, and satisfy KKT."""

    @pytest.mark.parametrize("bias", [True, False])
    def test_the_gap(self, bias):
        for seed in range(60):
            X, y, lambda_ = overlapping(seed)
            fit = soft_margin(X, y, lambda_=lambda_, bias=bias)
            w = (fit.a * y) @ X
            dual = lambda_ * (fit.a.sum() - w @ w / 2)
            primal = objective(X, y, fit.w, fit.b, lambda_=lambda_)
            assert np.all((fit.a >= 0) & (fit.a <= fit.C))
            if bias:
                assert abs(y @ fit.a) <= 1e-12 * fit.a.sum()
            assert fit.value == pytest.approx(primal, rel=1e-10)
            assert primal - dual == pytest.approx(fit.gap, abs=1e-10 * primal)
            assert 0 <= fit.gap <= 1e-9 * primal
            assert fit.converged

    @pytest.mark.parametrize("bias", [True, False])
    def test_stationarity_and_complementary_slackness(self, bias):
        for seed in range(60):
            X, y, lambda_ = overlapping(seed)
            fit = soft_margin(X, y, lambda_=lambda_, bias=bias)
            np.testing.assert_allclose((fit.a * y) @ X, fit.w, atol=1e-6 / np.abs(X).max())
            z = y * fit.decision_function(X)
            assert np.all(fit.a * np.maximum(0, z - 1) <= 1e-6 * fit.C)
            assert np.all((fit.C - fit.a) * np.maximum(0, 1 - z) <= 1e-6 * fit.C)

    @pytest.mark.parametrize("value", [1e-9, 1.0, 1e9])
    def test_converged_is_a_gap_of_at_most_a_part_of_J(self, value):
        fit = soft_margin(*FIVE)
        assert replace(fit, value=value, gap=1e-8 * value).converged
        assert not replace(fit, value=value, gap=1.1e-8 * value).converged

    def test_duals_are_zero_or_c_exactly_off_the_margin(self):
        for seed in range(40):
            X, y, lambda_ = overlapping(seed)
            fit = soft_margin(X, y, lambda_=lambda_)
            z = y * fit.decision_function(X)
            assert np.all(fit.a[z > 1 + 1e-4] == 0)
            assert np.all(fit.a[z < 1 - 1e-4] == fit.C)

    def test_only_support_vectors_matter(self):
        for seed in range(20):
            X, y, lambda_ = overlapping(seed)
            fit = soft_margin(X, y, lambda_=lambda_)
            kept = fit.support
            again = soft_margin(X[kept], y[kept], lambda_=1 / (fit.C * len(kept)))
            np.testing.assert_allclose(
                again.w, fit.w, atol=1e-6 * np.abs(fit.w).max(), rtol=0
            )

    def test_no_nearby_point_is_better(self):
        rng = np.random.default_rng(0)
        for seed in range(20):
            X, y, lambda_ = overlapping(seed)
            fit = soft_margin(X, y, lambda_=lambda_)
            unit = np.abs(X).max()
            for size in 1e-3, 1e-1, 10:
                w = fit.w + size * rng.normal(size=len(fit.w)) / unit
                b = fit.b + size * rng.normal()
                assert objective(X, y, w, b, lambda_=lambda_) > fit.value * (1 - 1e-10)

    @pytest.mark.parametrize("unit", [1.0, 7.0])
    def test_of_many_biases_it_is_one_in_the_middle(self, unit):
        """So is it of many duals: four points on the margin, and three would do."""
        X = unit * np.array([[-3.0], [-1.0], [1.0], [3.0]])
        fit = soft_margin(X, [-1, -1, 1, 1], lambda_=10 * unit**2)
        assert fit.b == pytest.approx(0, abs=1e-3)
        X = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
        fit = soft_margin(unit * X, [1, 1, -1, -1], lambda_=0.001 * unit**2)
        np.testing.assert_allclose(fit.a * unit**2, 0.25, rtol=1e-6)

    @pytest.mark.parametrize("seed", range(6))
    def test_where_the_bias_is_not_unique_it_is_the_middle(self, seed):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(20, 2)), np.resize([1.0, -1.0], 20)
        fit = soft_margin(X, y, lambda_=1e3)
        assert fit.converged and (fit.a == fit.C).all()
        ends = y - X @ fit.w  # there y (w @ x + b) = 1
        low, high = ends[y < 0].max(), ends[y > 0].min()
        assert high - low > 1.9
        assert fit.b == pytest.approx((low + high) / 2, abs=1e-12)

    def test_the_middle_of_the_biases_by_hand(self):
        """w = 0.5; z <= 1 at -1 and 1 gives |b| <= 0.5, and z >= 1 at 2.4 b >= -0.2."""
        fit = soft_margin([[-1.0], [1.0], [2.4]], [-1, 1, 1], lambda_=4 / 3)
        assert fit.a == pytest.approx([0.25, 0.25, 0])
        assert fit.w == pytest.approx([0.5])
        assert fit.b == pytest.approx(0.15, abs=1e-9)

    def test_the_bias_need_not_be_unique(self):
        X, y = [[-1.0], [1.0]], [-1, 1]
        fit = soft_margin(X, y, lambda_=2.0)
        np.testing.assert_allclose(fit.w, [0.5], rtol=1e-9)
        assert abs(fit.b) <= 0.5
        for b in -0.5, 0.0, 0.5:
            assert objective(X, y, fit.w, b, lambda_=2.0) == pytest.approx(0.75)

    @pytest.mark.parametrize("C", [1e-3, 0.03])
    def test_a_price_that_binds_with_more_features_than_examples(self, C):
        """At such prices some duals are C and some are not: the price is the one said."""
        from sklearn.svm import SVC

        rng = np.random.default_rng(5)
        X, y = rng.normal(size=(30, 80)), np.resize([1.0, -1.0, 1.0], 30)
        fit = soft_margin(X, y, lambda_=1 / (30 * C))
        model = SVC(kernel="linear", C=C, tol=1e-10).fit(X, y)
        assert fit.converged and (fit.a == fit.C).any()
        np.testing.assert_allclose(fit.w, model.coef_[0], atol=1e-6)
        np.testing.assert_allclose((fit.a * y) @ X, fit.w, atol=1e-9)

    @pytest.mark.parametrize("bias", [True, False])
    @pytest.mark.parametrize("seed", range(3))
    def test_a_huge_feature_beside_many_others(self, seed, bias):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(5, 8)) * np.append(np.ones(7), 1e6)
        assert soft_margin(X, [1, 1, -1, -1, 1], lambda_=1e-3, bias=bias).converged

    @pytest.mark.parametrize("bias", [True, False])
    @pytest.mark.parametrize("lambda_", [1e-4, 1e-2, 1.0, 30.0])
    def test_wide_data_with_weights_and_copied_rows(self, lambda_, bias):
        """In every second data set a row is there twice, and features have other units."""
        for seed in range(24):
            rng = np.random.default_rng(seed)
            n = rng.integers(5, 40)
            X = rng.normal(size=(n, n + rng.integers(1, 30))) + rng.normal()
            y, s = np.resize([1.0, -1.0, -1.0], n), rng.exponential(size=n)
            if seed % 2:
                X *= 10.0 ** rng.integers(-2, 2, size=X.shape[1])
                X[2] = X[0]
            fit = soft_margin(X, y, lambda_=lambda_, bias=bias, sample_weight=s)
            loss = np.maximum(0, 1 - y * fit.decision_function(X))
            primal = np.average(loss, weights=s) + lambda_ / 2 * fit.w @ fit.w
            w = (fit.a * y) @ X
            dual = lambda_ * (fit.a.sum() - w @ w / 2)
            assert ((fit.a >= 0) & (fit.a <= fit.C * s / s.mean() * (1 + 1e-12))).all()
            assert not bias or abs(y @ fit.a) <= 1e-12 * fit.a.sum()
            assert fit.converged
            assert fit.value == pytest.approx(primal, rel=1e-9)
            assert primal - dual <= 2e-8 * primal

    def test_more_features_than_examples(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(20, 300)) + 5
        y = np.resize([1.0, -1.0, -1.0], 20)
        for bias in True, False:
            for lambda_ in 1e-3, 1.0, 1e3:
                fit = soft_margin(X, y, lambda_=lambda_, bias=bias)
                assert fit.converged
                value = objective(X, y, fit.w, fit.b, lambda_=lambda_)
                w = (fit.a * y) @ X
                dual = lambda_ * (fit.a.sum() - w @ w / 2)
                assert value - dual <= 1e-9 * value

    @pytest.mark.parametrize("unit", [1e-60, 1e-5, 1e5, 1e60])
    def test_units_and_shifts(self, unit):
        X, y, lambda_ = overlapping(3)
        fit = soft_margin(X, y, lambda_=lambda_)
        other = soft_margin(unit * X, y, lambda_=lambda_ * unit**2)
        np.testing.assert_allclose(unit * other.w, fit.w, rtol=1e-7)
        assert other.value == pytest.approx(fit.value, rel=1e-10)
        moved = soft_margin(X + 1e3, y, lambda_=lambda_)
        np.testing.assert_allclose(moved.w, fit.w, rtol=1e-6)
        assert moved.b == pytest.approx(fit.b - 1e3 * fit.w.sum(), rel=1e-6)

    def test_prices_from_tiny_to_huge(self):
        X, y, _ = overlapping(5)
        X = X / X.std()
        for power in range(-6, 7):
            assert soft_margin(X, y, lambda_=10.0**power).converged


def with_outlier(seed, size, n=100, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    X[seed] *= size / np.abs(X[seed]).max()
    return X, y


def proven_gap(X, y, fit, lambda_):
    """How far J(w, b) is above what the duals prove, as a part of J."""
    value, w = objective(X, y, fit.w, fit.b, lambda_=lambda_), (fit.a * y) @ X
    assert np.all((fit.a >= 0) & (fit.a <= fit.C))
    return (value - lambda_ * (fit.a.sum() - w @ w / 2)) / value


def rounding(X, fit):
    """How much J moves when w is rounded, as a part of J."""
    scores = np.linalg.norm(X, axis=1) * np.linalg.norm(fit.w)
    return EPS * scores.mean() / fit.value


class TestOutliers:
    """One example that is far longer than the others pins w down, no more than that."""

    @pytest.mark.parametrize("bias", [True, False])
    @pytest.mark.parametrize(("n", "d"), [(100, 3), (12, 2), (300, 10), (30, 60)])
    @pytest.mark.parametrize("power", [3, 5, 6])
    def test_the_duals_prove_the_minimum(self, power, n, d, bias):
        for seed in range(6):
            X, y = with_outlier(seed, 10.0**power, n, d)
            fit = soft_margin(X, y, lambda_=0.01, bias=bias)
            assert fit.converged
            assert abs(proven_gap(X, y, fit, 0.01)) <= 1e-10 + rounding(X, fit)
            assert not bias or abs(y @ fit.a) <= 1e-12 * fit.a.sum()

    @pytest.mark.parametrize("seed", range(4))
    def test_it_is_the_minimum_of_scikit_learn(self, seed):
        from sklearn.svm import SVC

        X, y = with_outlier(seed, 1e6)
        fit = soft_margin(X, y, lambda_=0.01)
        model = SVC(kernel="linear", C=1.0).fit(X, y)
        theirs = objective(X, y, model.coef_[0], model.intercept_[0], lambda_=0.01)
        assert fit.value <= theirs * (1 + 1e-9)
        assert (fit.predict(X) == y).mean() >= 0.65

    @pytest.mark.parametrize("bias", [True, False])
    def test_rows_of_any_length(self, bias):
        for seed in range(40):
            X, y = with_outlier(seed, 1.0, 100 + 2 * seed, 1 + seed % 15)
            rng = np.random.default_rng(seed)
            X *= 10 ** rng.uniform(-4, 4, size=(len(X), 1))
            lambda_ = 10 ** rng.uniform(-3, 1)
            fit = soft_margin(X, y, lambda_=lambda_, bias=bias)
            assert fit.converged, seed
            assert abs(proven_gap(X, y, fit, lambda_)) <= 2e-8, seed

    def test_copies_of_a_few_points(self):
        """Few rows have any weight in the system solved, and span no other direction."""
        for seed in (*range(40), 60, 288):  # the last two are such
            rng = np.random.default_rng(seed)
            n, d = rng.integers(20, 200), rng.integers(1, 5)
            X, y = with_outlier(seed % 20, 1.0, n, d)
            rows = rng.integers(0, n, size=n)
            fit = soft_margin(X[rows], y[rows], lambda_=10 ** rng.uniform(-3, 2))
            assert fit.converged, seed

    def test_a_copied_feature_at_a_tiny_price_is_no_error(self):
        X, y = with_outlier(0, 1.0)
        fit = soft_margin(np.column_stack([X, X[:, 0]]), y, lambda_=1e-25)
        assert fit.value < 0.6

    def test_many_examples_in_one_point(self):
        X, y = with_outlier(0, 1.0)
        X[40:, :] = 1 / 3
        fit = soft_margin(X, y, lambda_=0.01)
        assert fit.converged
        assert abs(proven_gap(X, y, fit, 0.01)) <= 1e-9

    @pytest.mark.parametrize("bias", [True, False])
    def test_nearly_parallel_rows_in_mixed_units(self, bias):
        for seed in range(40):
            rng = np.random.default_rng(seed)
            n = rng.integers(2, 5)
            units = 10.0 ** rng.integers(-9, 9, size=n + 1)
            X, y = units * (99 + rng.normal(size=(n, n + 1))), np.resize([1.0, -1.0], n)
            assert soft_margin(X, y, lambda_=rng.choice([0.1, 1, 10]), bias=bias).converged

    def test_all_but_one_example_in_one_point(self):
        for seed in range(40):
            rng = np.random.default_rng(seed)
            X = np.repeat(
                rng.normal(size=(1, rng.integers(1, 12))), rng.integers(3, 12), axis=0
            )
            X[0] = rng.normal(size=X.shape[1])
            y = np.resize([1.0, -1.0, -1.0], len(X))
            assert soft_margin(X, y, lambda_=10 ** rng.uniform(-3, 2)).converged, seed

    @pytest.mark.parametrize("bias", [True, False])
    def test_weights_with_many_powers_of_ten_between_them(self, bias):
        for seed in range(20):
            X, y = with_outlier(seed, 1.0)
            s = 10 ** np.random.default_rng(seed).uniform(-20, 20, size=len(y))
            assert soft_margin(X, y, sample_weight=s, bias=bias).converged, seed


class TestHardMargin:
    def test_duals(self):
        for seed in range(60):
            X, y = separated(seed)
            for bias in True, False:
                fit = hard_margin(X, y, bias=bias)
                if not fit.separable:
                    assert not fit.w.any()
                    assert not fit.a.any()
                    continue
                np.testing.assert_allclose((fit.a * y) @ X, fit.w, rtol=1e-7, atol=1e-8)
                square = fit.w @ fit.w
                assert fit.a.sum() == pytest.approx(square, rel=1e-9)
                assert fit.margin == pytest.approx(1 / np.sqrt(square), rel=1e-12)
                if bias:
                    assert abs(y @ fit.a) <= 1e-10 * square
                z = y * fit.decision_function(X)
                assert z.min() == pytest.approx(1, rel=1e-9)
                np.testing.assert_allclose(z[fit.support], 1, rtol=1e-7)

    def test_it_is_the_limit_of_the_soft_margin(self):
        for seed in range(15):
            X, y = separated(seed)
            hard = hard_margin(X, y)
            lambda_ = 1 / (len(y) * 2 * hard.a.max())  # C = 2 max a: no bound is met
            soft = soft_margin(X, y, lambda_=lambda_)
            np.testing.assert_allclose(soft.w, hard.w, rtol=1e-5, atol=1e-5)
            assert soft.value == pytest.approx(lambda_ * hard.w @ hard.w / 2, rel=1e-8)

    def test_no_hyperplane(self):
        fit = hard_margin(*XOR)
        assert not fit.separable
        assert (fit.margin, fit.b) == (0.0, 0.0)
        assert fit.w.tolist() == [0, 0]
        assert fit.a.tolist() == [0] * 4
        assert soft_margin(*XOR, lambda_=0.1).value == pytest.approx(1)  # w = 0


class TestSubgradients:
    def test_pegasos_with_one_batch_is_subgradient_descent(self):
        X, y, _ = overlapping(1)
        X = X / X.std()
        for bias in True, False:
            fit = subgradient_descent(X, y, lambda_=0.1, steps=30, bias=bias)
            same = pegasos(
                X,
                y,
                lambda_=0.1,
                epochs=30,
                batch=len(y),
                rng=0,
                average=False,
                bias=bias,
            )
            np.testing.assert_allclose(same.values, fit.values[1:], rtol=1e-9)

    def test_the_best_point_is_returned(self):
        X, y, _ = overlapping(2)
        X = X / X.std()
        fit = subgradient_descent(X, y, lambda_=0.1, steps=50)
        assert objective(X, y, fit.w, fit.b, lambda_=0.1) == min(fit.values)

    @pytest.mark.parametrize("average", [True, False])
    @pytest.mark.parametrize("batch", [1, 4, 7])
    def test_pegasos_is_its_plain_loop(self, average, batch):
        X, y, _ = overlapping(8)
        X, lambda_, epochs = X / X.std(), 0.05, 5
        fit = pegasos(
            X, y, lambda_=lambda_, epochs=epochs, batch=batch, rng=3, average=average
        )
        rng = np.random.default_rng(3)
        parts = np.array_split(rng.permutation(len(y)), -(-len(y) // batch))
        v, path = np.zeros(X.shape[1] + 1), []
        for _ in range(epochs):
            for k in rng.permutation(len(parts)):
                slope = np.append(lambda_ * v[:-1], 0.0)
                for i in parts[k]:
                    if y[i] * (X[i] @ v[:-1] + v[-1]) < 1:
                        slope = slope - y[i] * np.append(X[i], 1) / len(parts[k])
                v = v - slope / (lambda_ * (len(path) + 1))
                path.append(v)
        epoch = np.array(path).reshape(epochs, len(parts), -1)
        answer = epoch[2:].mean(axis=(0, 1)) if average else v
        np.testing.assert_allclose(np.append(fit.w, fit.b), answer, rtol=1e-9, atol=1e-12)
        ends = epoch.mean(axis=1) if average else epoch[:, -1]
        np.testing.assert_allclose(
            fit.values,
            [objective(X, y, e[:-1], e[-1], lambda_=lambda_) for e in ends],
            rtol=1e-9,
        )

    @pytest.mark.parametrize("seed", range(5))
    def test_pegasos_within_one_percent(self, seed):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(200, 3)) + 0.5
        y = np.where(X[:, 0] + rng.normal(size=200) > 0.5, 1.0, -1.0)
        least = soft_margin(X, y, lambda_=0.1).value
        fit = pegasos(X, y, lambda_=0.1, epochs=100, batch=5, rng=seed)
        assert least <= objective(X, y, fit.w, fit.b, lambda_=0.1) <= 1.01 * least
        full = subgradient_descent(X, y, lambda_=0.1, steps=2000)
        assert least <= min(full.values) <= 1.01 * least

    def test_same_seed_same_fit(self):
        X, y, _ = overlapping(0)
        X = X / X.std()
        fits = [pegasos(X, y, lambda_=0.1, epochs=3, rng=s).w for s in (5, 5, 6)]
        assert np.array_equal(fits[0], fits[1])
        assert not np.array_equal(fits[0], fits[2])


class TestTranslation:
    """All forms of the objective have one minimizer, once the constants fit."""

    @pytest.mark.parametrize(
        ("form", "square", "losses"),
        [
            ("SVC", lambda v: 0.5, lambda v: v),
            ("SGDClassifier", lambda v: v / 2, lambda v: 1 / 25),
            ("Zisserman", lambda v: 1, lambda v: v),
            ("Krause mean", lambda v: v, lambda v: 1 / 25),
            ("Krause sum", lambda v: v, lambda v: 1),
        ],
    )
    def test_forms(self, form, square, losses):
        rng = np.random.default_rng(1)
        X = rng.normal(size=(25, 2))
        y = np.where(X @ [1.0, -1.0] + 0.4 + rng.normal(size=25) > 0, 1.0, -1.0)
        fit = soft_margin(X, y, lambda_=0.07)
        v = constant_of(form, lambda_=0.07, n=25)
        w, b = minimize_form(X, y, square=square(v), losses=losses(v))
        np.testing.assert_allclose(np.append(w, b), np.append(fit.w, fit.b), atol=1e-5)

    def test_there_and_back(self):
        for form in FORMS:
            for lambda_ in 1e-5, 0.3, 40.0:
                v = constant_of(form, lambda_=lambda_, n=17)
                assert lambda_of(form, constant=v, n=17) == pytest.approx(lambda_)

    def test_values(self):
        values = [constant_of(form, lambda_=0.1, n=20) for form in FORMS]
        assert values == pytest.approx([0.5, 0.5, 0.1, 1.0, 0.05, 1.0])
        assert constant_of("SVC", lambda_=2.0, n=1) == 0.5
        assert lambda_of("SVC", constant=1e-150, n=1) == pytest.approx(1e150)

    @pytest.mark.slow
    def test_scikit_learn(self):
        from sklearn.linear_model import SGDClassifier
        from sklearn.svm import SVC, LinearSVC

        rng = np.random.default_rng(0)
        X = rng.normal(size=(80, 3)) + 2
        y = np.where(X[:, 0] + rng.normal(size=80) > 2, 1.0, -1.0)
        fit = soft_margin(X, y, lambda_=0.05)
        C = constant_of("SVC", lambda_=0.05, n=80)
        svc = SVC(kernel="linear", C=C, tol=1e-10).fit(X, y)
        np.testing.assert_allclose(svc.coef_[0], fit.w, rtol=1e-5)
        assert svc.intercept_[0] == pytest.approx(fit.b, rel=1e-4)
        assert set(svc.support_) == set(fit.support)
        np.testing.assert_allclose(
            np.abs(svc.dual_coef_[0]), fit.a[svc.support_], atol=1e-4 * C
        )
        linear = LinearSVC(
            C=C, loss="hinge", fit_intercept=False, tol=1e-6, max_iter=10**6
        ).fit(X, y)
        without = soft_margin(X, y, lambda_=0.05, bias=False)
        np.testing.assert_allclose(linear.coef_[0], without.w, rtol=1e-4)
        augmented = LinearSVC(C=C, loss="hinge", tol=1e-6, max_iter=10**6).fit(X, y)
        ones = np.column_stack([X, np.ones(80)])
        both = soft_margin(ones, y, lambda_=0.05, bias=False)  # b costs b**2 / 2
        np.testing.assert_allclose(augmented.coef_[0], both.w[:-1], rtol=1e-4)
        sgd = SGDClassifier(alpha=0.05, max_iter=2000, tol=None, average=True)
        sgd.set_params(random_state=0).fit(X, y)
        value = objective(X, y, sgd.coef_[0], float(sgd.intercept_[0]), lambda_=0.05)
        assert fit.value <= value <= 1.02 * fit.value


class TestInput:
    @pytest.mark.parametrize(
        "function", [soft_margin, subgradient_descent, pegasos, hard_margin]
    )
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"X": [[np.nan], [1.0]]}, "X must be finite"),
            ({"X": [1.0, 2.0]}, "X must be a matrix"),
            ({"y": [0, 1]}, "y must hold only -1 and \\+1; got the label 0"),
            ({"y": [1, -1, 1]}, "y must have 2 entries; got 3"),
            ({"bias": 1}, "bias must be True or False; got 1"),
        ],
        ids=str,
    )
    def test_data(self, function, change, message):
        options = {
            soft_margin: {"lambda_": 0.1},
            subgradient_descent: {"lambda_": 0.1, "steps": 3},
            pegasos: {"lambda_": 0.1, "epochs": 3, "rng": 0},
            hard_margin: {},
        }
        good = {"X": [[1.0], [2.0]], "y": [1, -1]} | options[function]
        with pytest.raises(ValueError, match=message):
            function(**(good | change))

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"lambda_": 0.0}, "lambda_ must be at least 1e-150; got 0.0"),
            ({"lambda_": np.inf}, "lambda_ must be a finite number; got inf"),
            ({"epochs": 0}, "epochs must be at least 1; got 0"),
            ({"batch": 0}, "batch must be at least 1; got 0"),
            ({"batch": 3}, "batch must be at most 2; got 3"),
            ({"average": None}, "average must be True or False; got None"),
            ({"rng": None}, "rng must be an integer; got None"),
            ({"X": [[1e100], [0.0]]}, "max |X|\\*\\*2 / lambda_ must be at most 1e\\+150"),
        ],
        ids=str,
    )
    def test_pegasos(self, change, message):
        good = {"X": [[1.0], [2.0]], "y": [1, -1], "lambda_": 0.1, "epochs": 2, "rng": 0}
        with pytest.raises(ValueError, match=message):
            pegasos(**(good | change))

    def test_one_class(self):
        with pytest.raises(ValueError, match="y must hold both -1 and \\+1 with a bias"):
            soft_margin([[1.0], [2.0]], [1, 1], lambda_=0.1)
        with pytest.raises(ValueError, match="y must hold both -1 and \\+1 with a bias"):
            hard_margin([[1.0], [2.0]], [1, 1])

    def test_out_of_range(self):
        with pytest.raises(ValueError, match="must be at least 1e-150"):
            soft_margin([[1e-100], [0.0]], [1, -1], lambda_=1.0)
        with pytest.raises(ValueError, match="the margin of X must be at least"):
            hard_margin([[1e-100], [0.0]], [1, -1])
        with pytest.raises(ValueError, match="form must be one of 'SVC'"):
            constant_of("SVM", lambda_=1.0, n=1)
        with pytest.raises(ValueError, match="n must be at least 1; got 0"):
            lambda_of("SVC", constant=1.0, n=0)
        with pytest.raises(ValueError, match="lambda_ must be at least 1e-150"):
            constant_of("SVC", lambda_=5e-324, n=1)

    def test_objective(self):
        with pytest.raises(
            ValueError, match="sqrt\\(lambda_\\) \\* sum \\|w\\| must be at"
        ):
            objective([[1.0]], [1], [1e100], 0.0, lambda_=1e150)
        with pytest.raises(ValueError, match="w must have 1 entries; got 2"):
            objective([[1.0]], [1], [1.0, 2.0], 0.0, lambda_=1.0)

    def test_identical_examples(self):
        fit = soft_margin(np.ones((4, 2)), [1, -1, 1, 1], lambda_=0.1)
        assert fit.converged
        assert fit.value == pytest.approx(0.5)  # one of four costs 2
        np.testing.assert_allclose(fit.w, 0, atol=1e-9)

    def test_any_layout_and_type_and_nothing_changes(self):
        X, y, _ = overlapping(2)
        X = (X / X.std()).astype(np.float32).astype(float)
        wide, before = np.repeat(X, 2, axis=1), X.copy()
        X.setflags(write=False)
        soft = soft_margin(X, y, lambda_=0.1)
        peg = pegasos(X, y, lambda_=0.1, epochs=2, rng=0)
        for same in X.astype(np.float32), np.asfortranarray(X), wide[:, ::2], X.tolist():
            again = soft_margin(same, y.astype(int), lambda_=0.1)
            np.testing.assert_allclose(again.w, soft.w, rtol=1e-8)
            again = pegasos(same, y.astype(int), lambda_=0.1, epochs=2, rng=0)
            np.testing.assert_allclose(again.w, peg.w, rtol=1e-10)
        np.testing.assert_array_equal(X, before)


def test_more_features_than_examples_that_are_all_0():
    fit = soft_margin(np.zeros((2, 3)), [1, 1], lambda_=0.5, bias=False)
    assert fit.converged and fit.value == 1.0 and not fit.w.any()
