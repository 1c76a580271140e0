"""Logistic regression: by hand, by its gradient, and against scikit-learn."""

import numpy as np
import pytest

from mlcore.logistic import logistic, logit, sigmoid, softmax_regression

LINE = [[0.0], [1.0], [2.0], [3.0]]


def overlapping(seed, n=120, d=4):
    """Two classes drawn from a logistic model; features in very different units."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ (np.eye(d) + 0.4 * rng.normal(size=(d, d)))
    y = np.where(rng.random(n) < 1 / (1 + np.exp(-X.sum(axis=1) - 0.5)), 1.0, -1.0)
    return X, y


def objective(X, y, w, b, lambda_):
    return np.mean(np.logaddexp(0, -y * (X @ w + b))) + lambda_ / 2 * w @ w


def gradient(X, y, w, b, lambda_):
    """Of the objective by (w, b): the residual form, with targets 0 and 1."""
    residual = sigmoid(X @ w + b) - (1 + y) / 2
    return np.append(X.T @ residual / len(y) + lambda_ * w, residual.mean())


class TestSigmoid:
    def test_values(self):
        assert sigmoid(0.0) == 0.5
        assert sigmoid([-800.0, 800.0]).tolist() == [0, 1]
        z = np.array([[-3.0, 0.2], [0.7, 40.0]])
        np.testing.assert_allclose(sigmoid(z), 1 / (1 + np.exp(-z)), rtol=1e-14)

    def test_against_scipy(self):
        from scipy.special import expit

        z = np.linspace(-700, 700, 4001)
        np.testing.assert_allclose(sigmoid(z), expit(z), rtol=1e-13)

    def test_logit_undoes_it(self):
        z = np.linspace(-700, 30, 999)
        np.testing.assert_allclose(logit(sigmoid(z)), z, rtol=1e-13, atol=3e-3)
        z = np.linspace(-30, 3, 999)
        np.testing.assert_allclose(logit(sigmoid(z)), z, rtol=1e-13, atol=1e-14)

    def test_logit_near_one_half(self):
        """ln(p / (1 - p)) = 4 e + 16/3 e**3 + ... at p = 1/2 + e."""
        e = 2.0 ** -np.arange(20, 50)
        np.testing.assert_allclose(logit(0.5 + e), 4 * e, rtol=1e-11)
        np.testing.assert_allclose(logit(0.5 - e), -4 * e, rtol=1e-11)
        assert logit(0.5) == 0

    @pytest.mark.parametrize("p", [0, 1, -0.1, 1.1, [0.5, 1.0]])
    def test_logit_of_what_is_no_probability(self, p):
        with pytest.raises(ValueError, match="p must be above 0 and below 1; got"):
            logit(p)

    @pytest.mark.parametrize("function", [sigmoid, logit])
    def test_nan_is_refused(self, function):
        with pytest.raises(ValueError, match="must be finite"):
            function([0.5, np.nan])


class TestByHand:
    def test_the_share_of_a_coin(self):
        """One feature that is always 0: b is the log-odds of 3 of 4."""
        fit = logistic([[0.0]] * 4, [1, 1, 1, -1], tol=1e-20)
        assert fit.converged
        assert fit.w.tolist() == [0]
        np.testing.assert_allclose(fit.b, np.log(3), rtol=1e-9)
        entropy = -0.75 * np.log(0.75) - 0.25 * np.log(0.25)
        np.testing.assert_allclose(fit.values[-1], entropy, rtol=1e-12)
        np.testing.assert_allclose(fit.probability([[5.0]]), [0.75], rtol=1e-9)

    def test_two_groups(self):
        """x = 0: 1 of 4 is +1; x = 2: 3 of 4.  The log-odds are -ln 3 and ln 3."""
        X = [[0.0]] * 4 + [[2.0]] * 4
        fit = logistic(X, [1, -1, -1, -1, 1, 1, 1, -1], tol=1e-16)
        np.testing.assert_allclose([*fit.w, fit.b], [np.log(3), -np.log(3)], rtol=1e-9)
        assert fit.values[0] == pytest.approx(np.log(2), rel=1e-14)
        assert fit.norms[0] == 0
        np.testing.assert_allclose(fit.norms[-1], np.log(3), rtol=1e-9)
        assert len(fit.values) == len(fit.norms)
        assert fit.predict([[0.9], [1.1]]).tolist() == [-1, 1]

    def test_the_first_newton_step(self):
        """At 0 it is least squares on 2 y: curvature 1/4, slope -y/2."""
        X, y = overlapping(0)
        fit = logistic(X, y, max_steps=1, tol=0)
        extended = np.column_stack([X, np.ones(len(X))])
        step = np.linalg.lstsq(extended, 2 * y, rcond=None)[0]
        np.testing.assert_allclose([*fit.w, fit.b], step, rtol=1e-11)
        assert not fit.converged

    def test_a_penalty_by_hand(self):
        """x = +-1 with y = x: J = ln(1 + e**-w) + w**2 / 2, least where w = 1/(1+e**w)."""
        fit = logistic([[1.0], [-1.0]], [1, -1], lambda_=1.0, tol=1e-20)
        w = 0.40105813754154704  # by bisection
        assert abs(w - 1 / (1 + np.exp(w))) < 1e-15
        np.testing.assert_allclose([*fit.w, fit.b], [w, 0], atol=1e-12)
        value = np.log(1 + np.exp(-w)) + w**2 / 2
        np.testing.assert_allclose(fit.values[-1], value, rtol=1e-12)
        assert fit.converged


class TestOptimum:
    @pytest.mark.parametrize("lambda_", [0.0, 1e-3, 1.0, 100.0])
    @pytest.mark.parametrize("seed", range(4))
    def test_the_gradient_vanishes(self, seed, lambda_):
        X, y = overlapping(seed)
        fit = logistic(X, y, lambda_=lambda_, tol=1e-20)
        assert fit.converged
        assert np.abs(gradient(X, y, fit.w, fit.b, lambda_)).max() < 1e-10
        np.testing.assert_allclose(
            fit.values[-1], objective(X, y, fit.w, fit.b, lambda_), rtol=1e-12
        )
        np.testing.assert_allclose(fit.norms[-1], np.linalg.norm(fit.w), rtol=1e-12)
        assert (np.diff(fit.values) <= 1e-14).all()

    def test_without_bias(self):
        X, y = overlapping(1)
        fit = logistic(X, y, bias=False, lambda_=0.1, tol=1e-20)
        assert fit.b == 0
        assert np.abs(gradient(X, y, fit.w, 0.0, 0.1)[:-1]).max() < 1e-10

    @pytest.mark.parametrize("tol", [1e-4, 1e-10])
    def test_the_gap_is_within_tol(self, tol):
        for seed in range(20):
            X, y = overlapping(seed)
            rough, exact = logistic(X, y, tol=tol), logistic(X, y, tol=1e-25)
            assert rough.converged
            assert rough.values[-1] - exact.values[-1] <= 1.5 * tol

    @pytest.mark.parametrize("tol", [1.0, 0.1, 1e-4])
    def test_a_coarse_tolerance_still_says_whether_there_is_a_minimum(self, tol):
        assert logistic(LINE, [-1, 1, -1, 1], tol=tol).converged
        assert softmax_regression(LINE, [0, 1, 0, 1], tol=tol).converged
        assert not logistic(LINE, [-1, -1, 1, 1], tol=tol).converged
        assert not softmax_regression(LINE, [0, 0, 1, 1], tol=tol).converged

    def test_a_tenth_that_misleads(self):
        """Every tenth example is of one class, far out: the start is bad, not the end."""
        X, y = overlapping(3, n=50_000, d=2)
        y[::10] = 1.0
        X[::10] *= -50
        fit = logistic(X, y, tol=1e-20)
        assert fit.converged
        assert np.abs(gradient(X, y, fit.w, fit.b, 0)).max() < 1e-8  # X is up to 200


SHAPES = {"many": (5000, 20), "more": (4000, 60), "wide": (150, 200)}


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
class TestManyOrWide:
    """More data than elsewhere in this file, or more features than examples."""

    def examples(self, seed, shape):
        """Correlated features, and labels of a logistic model."""
        rng = np.random.default_rng(seed)
        X, d = rng.normal(size=shape), shape[1]
        X = X @ (np.eye(d) + rng.normal(size=(d, d)) / np.sqrt(d)) + 0.5
        score = X @ rng.normal(size=d) / d
        return X, np.where(rng.random(len(X)) < sigmoid(2 * score), 1.0, -1.0)

    @pytest.mark.parametrize("bias", [True, False])
    def test_the_minimum_and_a_gap_within_tol(self, shape, bias):
        X, y = self.examples(0, shape)
        known = {"lambda_": 0.1, "bias": bias}
        exact = logistic(X, y, tol=1e-24, **known)
        residual = (exact.probability(X) - (1 + y) / 2) / len(y)
        assert exact.converged
        assert np.abs(residual @ X + 0.1 * exact.w).max() < 1e-9
        assert abs(bias * residual.sum()) < 1e-9 and (bias or exact.b == 0)
        fit = logistic(X, y, tol=1e-9, **known)
        loss = np.mean(np.logaddexp(0, -y * fit.decision_function(X)))
        assert fit.converged
        assert fit.values[-1] - exact.values[-1] <= 1e-9
        assert fit.values[-1] == pytest.approx(loss + 0.05 * fit.w @ fit.w, rel=1e-12)
        np.testing.assert_allclose(fit.norms[-1], np.linalg.norm(fit.w), rtol=1e-12)
        assert len(fit.values) == len(fit.norms)
        assert (np.diff(fit.values) <= 1e-14).all()

    @pytest.mark.parametrize("step", [6, 10])
    @pytest.mark.parametrize("odd", [30.0, 1e-3])
    def test_some_examples_that_are_like_no_other(self, shape, odd, step):
        X, y = self.examples(2, shape)
        X[::step] *= odd
        exact = logistic(X, y, lambda_=0.01, tol=1e-24)
        assert exact.converged
        slopes = np.abs(gradient(X, y, exact.w, exact.b, 0.01))
        assert slopes.max() < 1e-10 * np.abs(X).max()
        for tol in 1e-2, 1e-3, 1e-4, 1e-6:
            fit = logistic(X, y, lambda_=0.01, tol=tol)
            assert not fit.converged or fit.values[-1] - exact.values[-1] <= tol

    def test_features_in_other_units_and_dependent_ones(self, shape):
        X, y = self.examples(3, shape)
        X *= np.geomspace(1e-2, 1e2, shape[1])
        X = np.column_stack([X, X[:, 0], np.full(len(X), 3.0), X[:, 1] - X[:, 2]])
        fit = logistic(X, y, lambda_=0.1, tol=1e-20)
        assert fit.converged
        assert np.abs(gradient(X, y, fit.w, fit.b, 0.1)).max() < 1e-7  # X is up to 100
        np.testing.assert_allclose(fit.w[0], fit.w[shape[1]], rtol=1e-6, atol=1e-9)

    def test_separable_examples(self, shape):
        X, y = self.examples(4, shape)
        y = np.where(X[:, 0] - 0.5 + 0.3 * X[:, 1] > 0, 1.0, -1.0)
        fit = logistic(X, y)
        assert not fit.converged
        assert (fit.predict(X) == y).all()

    def test_one_class(self, shape):
        X, y = self.examples(5, shape)
        fit = logistic(X, np.abs(y), lambda_=0.1)
        assert not fit.converged
        assert fit.b > 10

    def test_features_that_say_nothing(self, shape):
        y = np.resize([1.0, 1.0, 1.0, -1.0], 4 * (shape[0] // 4))
        fit = logistic(np.zeros((len(y), shape[1])), y, lambda_=0.1, tol=1e-20)
        assert fit.converged and not fit.w.any()
        np.testing.assert_allclose(fit.b, np.log(3), rtol=1e-9)

    def test_no_more_steps_than_asked(self, shape):
        fit = logistic(*self.examples(6, shape), lambda_=1e-3, max_steps=2, tol=0)
        assert not fit.converged
        assert len(fit.values) <= 3


class TestCodings:
    def test_zero_and_one_is_minus_and_plus_one(self):
        X, y = overlapping(6)
        signs, bits = logistic(X, y), logistic(X, (1 + y) / 2)
        assert np.array_equal(signs.w, bits.w)
        assert signs.b == bits.b
        assert bits.predict(X[:3]).tolist() == signs.predict(X[:3]).tolist()

    @pytest.mark.parametrize(
        ("y", "message"),
        [
            ([0, -1, 1], "y must hold only -1 and \\+1, or only 0 and 1; got 0 and -1"),
            ([0, 2, 1], "y must hold only -1 and \\+1, or only 0 and 1; got 0 and 2"),
            ([1, 2, 1], "y must hold only -1 and \\+1; got the label 2"),
        ],
    )
    def test_mixtures_are_refused(self, y, message):
        with pytest.raises(ValueError, match=message):
            logistic(np.ones((3, 1)), y)


class TestNoMinimum:
    def test_separable_data(self):
        """|w| grows by a constant each step, and the objective falls by a factor."""
        X = np.array([[-3.0], [-1.0], [1.0], [2.0]])
        fit = logistic(X, [-1, -1, 1, 1], max_steps=30)
        assert not fit.converged
        np.testing.assert_allclose(np.diff(fit.norms[5:20]), 1.0, atol=0.05)
        np.testing.assert_allclose(
            fit.values[6:20] / fit.values[5:19], np.exp(-1), rtol=0.05
        )

    @pytest.mark.parametrize("steps", [10, 25, 50, 300])
    @pytest.mark.parametrize("seed", range(5))
    def test_separable_data_however_long(self, seed, steps):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(50, 3)) * 10 ** rng.uniform(-3, 3, size=3)
        y = np.where(X[:, 0] > 0, 1.0, -1.0)
        fit = logistic(X, y, max_steps=steps)
        assert not fit.converged
        assert fit.norms[-1] > fit.norms[1]
        assert np.isfinite(fit.w).all()
        assert (fit.predict(X) == y).all()

    @pytest.mark.parametrize("steps", [20, 50, 300])
    def test_all_but_some_are_separated(self, steps):
        """A feature that is 1 only for some of one class: its weight grows forever."""
        X, y = overlapping(7)
        some = np.flatnonzero(y > 0)[:5]
        X = np.column_stack([X, np.isin(np.arange(len(y)), some)])
        fit = logistic(X, y, max_steps=steps)
        assert not fit.converged
        assert fit.w[-1] > 10
        rest = np.delete(np.arange(len(y)), some)
        without = logistic(X[rest, :4], y[rest])
        assert without.converged
        np.testing.assert_allclose(fit.w[:4], without.w, rtol=1e-3)

    @pytest.mark.parametrize("lambda_", [0.0, 0.1])
    def test_one_class(self, lambda_):
        fit = logistic([[1.0], [2.0], [4.0]], [1, 1, 1], lambda_=lambda_)
        assert not fit.converged
        assert fit.predict([[1.0], [4.0]]).tolist() == [1, 1]
        assert fit.values[-1] < 1e-8

    def test_one_class_without_bias_has_a_penalized_minimum(self):
        X = np.array([[1.0], [2.0], [4.0]])
        fit = logistic(X, [1, 1, 1], lambda_=0.1, bias=False, tol=1e-20)
        assert fit.converged
        assert abs(gradient(X, np.ones(3), fit.w, 0.0, 0.1)[0]) < 1e-10

    def test_a_penalty_makes_it_unique(self):
        X = np.array([[-3.0], [-1.0], [1.0], [2.0]])
        for lambda_ in 1e-6, 1e-2:
            assert logistic(X, [-1, -1, 1, 1], lambda_=lambda_).converged

    def test_rare_and_nearly_certain_events_do_have_a_minimum(self):
        """Small curvature alone is no sign of separable data."""
        rng = np.random.default_rng(0)
        X = rng.normal(size=(20_000, 2))
        y = np.where(rng.random(20_000) < 1 / (1 + np.exp(7 - X[:, 0])), 1.0, -1.0)
        assert 5 < (y > 0).sum() < 100
        fit = logistic(X, y)
        assert fit.converged
        assert np.abs(gradient(X, y, fit.w, fit.b, 0)).max() < 1e-7


class TestDependentColumns:
    """Of several minima the one with the least |w|."""

    def check(self, X, y, lambda_=0.0, bias=True):
        fit = logistic(X, y, lambda_=lambda_, bias=bias, tol=1e-20)
        assert fit.converged
        g = gradient(X, y, fit.w, fit.b, lambda_)
        assert np.abs(g[: len(g) - (not bias)]).max() < 1e-9
        rows = X - X.mean(axis=0) if bias else X
        null = fit.w - np.linalg.lstsq(rows.T, fit.w, rcond=None)[0] @ rows
        assert np.abs(null).max() <= 1e-9 * max(1, np.abs(fit.w).max())
        return fit

    @pytest.mark.parametrize("bias", [True, False])
    def test_copies_and_sums(self, bias):
        X, y = overlapping(8)
        X = np.column_stack([X, X[:, 0], X[:, 1] - 3 * X[:, 2]])
        fit = self.check(X, y, bias=bias)
        np.testing.assert_allclose(fit.w[4], fit.w[0], rtol=1e-9)

    @pytest.mark.parametrize("constant", [0.0, 0.1, -7.0, 1e9])
    def test_a_constant_column_is_left_to_the_bias(self, constant):
        X, y = overlapping(9)
        fit = logistic(np.column_stack([X, np.full(len(y), constant)]), y)
        one = logistic(X, y)
        assert fit.converged
        assert abs(fit.w[-1]) <= 1e-12 * abs(one.w).max()
        np.testing.assert_allclose(fit.w[:4], one.w, rtol=1e-6)

    def test_without_bias_a_constant_column_replaces_it(self):
        X, y = overlapping(10)
        X = np.column_stack([X, np.ones(len(y))])
        fit = logistic(X, y, bias=False)
        one = logistic(X[:, :4], y)
        np.testing.assert_allclose(fit.w, [*one.w, one.b], rtol=1e-6)

    @pytest.mark.parametrize("lambda_", [1e-30, 1e-12, 1e-3])
    def test_copies_with_a_penalty(self, lambda_):
        X, y = overlapping(11)
        fit = self.check(np.column_stack([X, X]), y, lambda_=lambda_)
        np.testing.assert_allclose(fit.w[:4], fit.w[4:], rtol=1e-8)

    def test_only_constants(self):
        fit = logistic(np.full((4, 2), 3.0), [1, 1, 1, -1], tol=1e-20)
        assert fit.converged
        assert fit.w.tolist() == [0, 0]
        np.testing.assert_allclose(fit.b, np.log(3), rtol=1e-9)
        zero = logistic(np.zeros((4, 2)), [1, 1, 1, -1], bias=False)
        assert zero.converged
        assert zero.w.tolist() == [0, 0]

    @pytest.mark.parametrize("bias", [True, False])
    @pytest.mark.parametrize("lambda_", [1e-3, 1.0])
    def test_more_features_than_examples(self, lambda_, bias):
        rng = np.random.default_rng(12)
        X, y = rng.normal(size=(20, 300)) + 2.0, np.resize([1.0, -1.0, -1.0], 20)
        fit = self.check(X, y, lambda_=lambda_, bias=bias)
        np.testing.assert_allclose(fit.norms[-1], np.linalg.norm(fit.w), rtol=1e-12)
        np.testing.assert_allclose(
            fit.values[-1], objective(X, y, fit.w, fit.b, lambda_), rtol=1e-12
        )

    def test_more_features_than_examples_far_from_the_origin(self):
        rng = np.random.default_rng(12)
        X, y = (
            np.round(rng.normal(size=(20, 300)) * 1024) / 1024,
            np.resize([1.0, -1.0], 20),
        )
        fit, here = (logistic(A, y, lambda_=0.1, tol=1e-18) for A in (X + 2.0**20, X))
        assert fit.converged
        np.testing.assert_allclose(fit.w, here.w, rtol=1e-6, atol=1e-9)

    def test_a_huge_feature_hides_no_other(self):
        """In products of the rows the last feature is rounding beside the first."""
        X, y = [[1e8, 0.0, 1.0], [1e8, 0.0, -1.0]], [1, -1]
        fit = logistic(X, y, lambda_=0.1, bias=False)
        alone = logistic([[1.0], [-1.0]], y, lambda_=0.1, bias=False)
        np.testing.assert_allclose(fit.w, [0.0, 0.0, alone.w[0]], rtol=1e-7, atol=1e-7)

    def test_more_features_than_examples_without_penalty(self):
        rng = np.random.default_rng(13)
        X, y = rng.normal(size=(20, 300)), np.resize([1.0, -1.0, -1.0], 20)
        fit = logistic(X, y)
        assert not fit.converged
        assert (fit.predict(X) == y).all()


class TestUnits:
    @pytest.mark.parametrize("power", [-6, 6])
    def test_a_new_unit_of_one_feature(self, power):
        X, y = overlapping(14)
        unit = np.array([1.0, 10.0**power, 1.0, 1.0])
        one, fit = logistic(X, y), logistic(X * unit, y)
        assert fit.converged
        np.testing.assert_allclose(fit.w * unit, one.w, rtol=1e-5)
        np.testing.assert_allclose(fit.b, one.b, rtol=1e-5)

    @pytest.mark.parametrize("power", [-70, 70])
    def test_a_new_unit_of_all_with_a_penalty(self, power):
        X, y = overlapping(15)
        unit = 10.0**power
        one = logistic(X, y, lambda_=0.1)
        fit = logistic(X * unit, y, lambda_=0.1 * unit**2)
        assert fit.converged
        np.testing.assert_allclose(fit.w * unit, one.w, rtol=1e-6)

    @pytest.mark.parametrize("d", [4, 200])
    def test_a_penalty_beyond_all_measure(self, d):
        X = overlapping(16, d=d)[0]
        y = np.resize([1.0, -1.0, -1.0], len(X))
        fit = logistic(X, y, lambda_=1e140, tol=1e-25)
        assert fit.converged
        slope = ((1 + y) / 2 - 1 / 3) @ X / len(y)
        np.testing.assert_allclose(fit.w, slope / 1e140, rtol=1e-6, atol=1e-150)


class TestScikitLearn:
    @pytest.mark.parametrize("lambda_", [1e-4, 0.1])
    @pytest.mark.parametrize("seed", range(3))
    def test_same_answer(self, seed, lambda_):
        from sklearn.linear_model import LogisticRegression

        X, y = overlapping(seed)
        model = LogisticRegression(C=1 / (len(y) * lambda_), tol=1e-10, max_iter=9999)
        model.fit(X, y)
        fit = logistic(X, y, lambda_=lambda_, tol=1e-16)
        np.testing.assert_allclose(fit.w, model.coef_[0], rtol=1e-5)
        np.testing.assert_allclose(fit.b, model.intercept_[0], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(
            fit.probability(X), model.predict_proba(X)[:, 1], rtol=1e-5
        )

    def test_breast_cancer(self):
        from sklearn.datasets import load_breast_cancer
        from sklearn.linear_model import LogisticRegression

        X, t = load_breast_cancer(return_X_y=True)
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        model = LogisticRegression(C=1.0, tol=1e-9, max_iter=9999).fit(X, t)
        fit = logistic(X, t, lambda_=1 / len(X), tol=1e-18)
        assert fit.converged
        np.testing.assert_allclose(fit.w, model.coef_[0], rtol=1e-4, atol=1e-5)

    @pytest.mark.parametrize("lambda_", [1e-3, 0.1])
    def test_softmax_on_iris(self, lambda_):
        from sklearn.datasets import load_iris
        from sklearn.linear_model import LogisticRegression

        X, labels = load_iris(return_X_y=True)
        model = LogisticRegression(C=1 / (150 * lambda_), tol=1e-10, max_iter=9999)
        model.fit(X, labels)
        fit = softmax_regression(X, labels, lambda_=lambda_, tol=1e-16)
        assert fit.converged
        np.testing.assert_allclose(fit.W, model.coef_, rtol=1e-4, atol=1e-5)
        b = model.intercept_ - model.intercept_.mean()
        np.testing.assert_allclose(fit.b, b, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(
            fit.probability(X), model.predict_proba(X), rtol=1e-4, atol=1e-7
        )
        assert (fit.predict(X) == model.predict(X)).all()


class TestDask:
    """Skipped where Dask is not installed: mlcore never imports it."""

    @pytest.mark.parametrize("wrong", [-1.0, 0.5, 2.0])
    def test_a_label_beside_zero_and_one_is_refused(self, wrong):
        """Also one between them, which is neither the least nor the largest."""
        da = pytest.importorskip("dask.array")
        y = da.from_array(np.array([0.0, 1.0, wrong, 0.0]), chunks=2)
        with pytest.raises(ValueError, match=f"only 0 and 1; got 0 and {wrong:g}"):
            logistic(da.ones((4, 1), chunks=(2, -1)), y)

    @pytest.mark.parametrize("lambda_", [0.0, 0.1])
    def test_same_answer_from_blocks(self, lambda_):
        da = pytest.importorskip("dask.array")
        X, y = overlapping(23, n=30_000)
        for columns in X, X[:, :2]:
            rows = da.from_array(columns, chunks=(7000, -1))
            options = {"lambda_": lambda_, "tol": 1e-26}
            fit = logistic(rows, da.from_array(y, chunks=7000), **options)
            one = logistic(columns, y, **options)
            assert fit.converged
            np.testing.assert_allclose(fit.w, one.w, rtol=1e-10, atol=1e-10)
            np.testing.assert_allclose(fit.b, one.b, rtol=1e-10)


class TestSoftmax:
    def test_two_classes_share_the_logistic_weights(self):
        """w_1 = -w_0 = w / 2; the penalty lambda there is lambda / 2 for w."""
        X, y = overlapping(19)
        names = np.where(y > 0, "yes", "no")
        both = softmax_regression(X, names, lambda_=0.2, tol=1e-18)
        one = logistic(X, y, lambda_=0.1, tol=1e-18)
        assert both.converged
        assert both.classes.tolist() == ["no", "yes"]
        np.testing.assert_allclose(both.W, [-one.w / 2, one.w / 2], rtol=1e-8)
        np.testing.assert_allclose(both.b, [-one.b / 2, one.b / 2], atol=1e-9)
        np.testing.assert_allclose(both.values[-1], one.values[-1], rtol=1e-12)
        np.testing.assert_allclose(both.probability(X)[:, 1], one.probability(X), rtol=1e-8)
        assert (both.predict(X) == np.where(one.predict(X) > 0, "yes", "no")).all()

    def test_the_shares_of_a_die(self):
        fit = softmax_regression(np.zeros((6, 1)), [7, 7, 7, 8, 8, 9], tol=1e-20)
        assert fit.converged
        np.testing.assert_allclose(fit.W, 0, atol=1e-12)
        logs = np.log([3, 2, 1])
        np.testing.assert_allclose(fit.b, logs - logs.mean(), atol=1e-7)
        np.testing.assert_allclose(
            fit.probability([[4.0]]), [[1 / 2, 1 / 3, 1 / 6]], rtol=1e-7
        )
        assert fit.predict([[1.0]]).tolist() == [7]

    @pytest.mark.parametrize("lambda_", [0.0, 0.01])
    def test_the_optimum(self, lambda_):
        rng = np.random.default_rng(20)
        X, labels = rng.normal(size=(200, 3)), rng.integers(0, 4, size=200)
        X = np.column_stack([X, X[:, 0], np.full(200, 2.0)])
        fit = softmax_regression(X, labels, lambda_=lambda_, tol=1e-20)
        assert fit.converged
        residual = (fit.probability(X) - np.eye(4)[labels]) / 200
        assert np.abs(residual.T @ X + lambda_ * fit.W).max() < 1e-9
        assert np.abs(residual.sum(axis=0)).max() < 1e-9
        assert np.abs(fit.W.sum(axis=0)).max() < 1e-9
        assert abs(fit.b.sum()) < 1e-9
        np.testing.assert_allclose(fit.W[:, 0], fit.W[:, 3], rtol=1e-8)

    @pytest.mark.parametrize("steps", [20, 50])
    def test_separable_classes(self, steps):
        X, labels = np.array([[0.0], [1.0], [2.0], [3.0]]), ["a", "b", "b", "c"]
        fit = softmax_regression(X, labels, max_steps=steps)
        assert not fit.converged
        assert fit.predict(X).tolist() == labels
        assert softmax_regression(X, labels, lambda_=1e-3).converged

    @pytest.mark.parametrize("tol", [1.0, 0.1, 1e-3])
    def test_a_first_step_far_out_does_not_hide_separable_classes(self, tol):
        rng = np.random.default_rng(0)
        fit = softmax_regression(rng.normal(size=(6, 5)), range(6), tol=tol)
        assert not fit.converged

    def test_weights_of_all_sizes(self):
        rng = np.random.default_rng(29)
        X, s = rng.normal(size=(29, 1)), 10.0 ** rng.integers(-5, 11, size=29)
        fit = softmax_regression(X, range(29), tol=0.1, max_steps=9, sample_weight=s)
        assert np.abs(fit.W.sum(axis=0)).max() < 1e-14 * np.abs(fit.W).max()

    def test_more_features_than_examples(self):
        rng = np.random.default_rng(21)
        X, labels = rng.normal(size=(15, 80)), np.arange(15) % 3
        fit = softmax_regression(X, labels, lambda_=0.1, tol=1e-18)
        assert fit.converged
        residual = (fit.probability(X) - np.eye(3)[labels]) / 15
        assert np.abs(residual.T @ X + 0.1 * fit.W).max() < 1e-9

    def test_scores_that_would_overflow(self):
        X, labels = np.array([[0.0], [1.0], [2.0]]), [0, 1, 1]
        fit = softmax_regression(X, labels, lambda_=0.1)
        probabilities = fit.probability([[1e6], [-1e6]])
        np.testing.assert_allclose(probabilities, [[0, 1], [1, 0]], atol=1e-300)

    @pytest.mark.parametrize(
        ("labels", "message"),
        [
            ([1, 1, 1], "labels must hold two classes or more; got"),
            ([1, 2], "labels must have 3 entries; got 2"),
            ([1, 2, np.nan], "labels must be finite"),
        ],
    )
    def test_bad_labels(self, labels, message):
        with pytest.raises(ValueError, match=message):
            softmax_regression(np.ones((3, 1)), labels)


class TestBadInput:
    @pytest.mark.parametrize("function", [logistic, softmax_regression])
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"lambda_": -1}, "lambda_ must be at least 0; got -1"),
            ({"lambda_": np.nan}, "lambda_ must be a finite number"),
            ({"tol": -1e-9}, "tol must be at least 0"),
            ({"max_steps": 0}, "max_steps must be at least 1"),
        ],
    )
    def test_options(self, function, options, message):
        with pytest.raises(ValueError, match=message):
            function([[1.0], [2.0]], [1, -1], **options)

    @pytest.mark.parametrize(
        ("X", "y", "message"),
        [
            ([[np.nan], [1.0]], [1, -1], "X must be finite"),
            ([1.0, 2.0], [1, -1], "X must be a matrix"),
            ([[1.0], [2.0]], [1], "y must have 2 entries; got 1"),
            ([[1.0], [2.0]], ["a", "b"], "y must be an array of real numbers"),
        ],
    )
    def test_data(self, X, y, message):
        with pytest.raises(ValueError, match=message):
            logistic(X, y)

    def test_bias(self):
        with pytest.raises(ValueError, match="bias must be True or False; got 1"):
            logistic([[1.0], [2.0]], [1, -1], bias=1)

    @pytest.mark.parametrize("function", [logistic, softmax_regression])
    def test_the_input_stays_as_it_was(self, function):
        X, y = overlapping(22)
        before = X.copy(), y.copy()
        X.flags.writeable = y.flags.writeable = False
        first = function(X, y, lambda_=0.1)
        second = function(np.asfortranarray(X), y.astype(int).tolist(), lambda_=0.1)
        assert np.array_equal(X, before[0])
        assert np.array_equal(y, before[1])
        np.testing.assert_allclose(first.values, second.values, rtol=1e-12)
