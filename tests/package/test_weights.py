"""Weights of examples: whole numbers are repeated rows, zero is a row left out.

All functions that take a sample_weight are held to the same rules; what they minimize
is compared with scikit-learn's answers for the same weights.
"""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import AdaBoostClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.linear_model import Ridge as TheirRidge
from sklearn.svm import SVC

from mlcore.boosting import adaboost, best_stump
from mlcore.estimators import AdaBoost, Logistic, Ridge, SoftMargin, SoftmaxRegression
from mlcore.least_squares import least_squares, ridge
from mlcore.logistic import logistic, softmax_regression
from mlcore.svm import objective, soft_margin


def boosted(X, y, **options):
    return adaboost(X, y, rounds=12, keep_weights=True, **options)


def balanced(X, y, **options):
    return adaboost(X, y, rounds=12, start="balanced", **options)


def through_origin(X, y, **options):
    return soft_margin(X, y, lambda_=0.05, bias=False, **options)


def penalized(X, y, **options):
    return logistic(X, y, lambda_=0.05, **options)


def softmax(X, y, **options):
    return softmax_regression(X, y + (X[:, 1] > 9), lambda_=0.05, tol=1e-20, **options)


def shrunk(X, y, **options):
    return ridge(X, y, lambda_=3.0, **options)


EVERY = [
    logistic,
    penalized,
    softmax,
    soft_margin,
    through_origin,
    least_squares,
    shrunk,
    boosted,
    balanced,
]
MEAN = [f for f in EVERY if f not in (shrunk,)]
every = pytest.mark.parametrize("fit", EVERY, ids=lambda f: f.__name__)


def noisy(seed, n=60, d=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * [1.0, 30.0, 0.2] + [5.0, 0.0, -1.0]
    y = np.where((X - X.mean(axis=0)) @ [1.0, 0.05, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    return X, y, rng


def same(one, other, X, tolerance=1e-8):
    """Both score alike, up to a part of the largest score."""
    scores, expected = one.decision_function(X), other.decision_function(X)
    np.testing.assert_allclose(scores, expected, atol=tolerance * np.abs(expected).max())


@every
@pytest.mark.parametrize("seed", range(1, 6))  # none has stumps that are equally good
def test_whole_numbers_are_repeated_rows(fit, seed):
    X, y, rng = noisy(seed)
    times = rng.integers(0, 4, size=len(y))
    weighted = fit(X, y, sample_weight=times)
    repeated = fit(np.repeat(X, times, axis=0), np.repeat(y, times))
    same(weighted, repeated, X)


@every
def test_zero_is_a_row_left_out(fit):
    X, y, rng = noisy(7)
    weights = rng.uniform(0.5, 2.0, size=len(y))
    weights[::3] = 0
    wild = np.where(weights[:, None] > 0, X, 1e6 * X)
    kept = weights > 0
    one = fit(wild, y, sample_weight=weights)
    other = fit(X[kept], y[kept], sample_weight=weights[kept])
    same(one, other, X)


@every
def test_all_the_same_is_no_weight(fit):
    X, y, _ = noisy(8)
    same(fit(X, y, sample_weight=np.ones(len(y))), fit(X, y), X, 1e-12)


@pytest.mark.parametrize("fit", MEAN, ids=lambda f: f.__name__)
@pytest.mark.parametrize("size", [1e-300, 1e-3, 1e3, 1e149])
def test_only_ratios_matter_in_a_mean(fit, size):
    X, y, rng = noisy(9)
    weights = rng.uniform(0.5, 2.0, size=len(y))
    same(fit(X, y, sample_weight=size * weights), fit(X, y, sample_weight=weights), X)


@pytest.mark.parametrize("fit", [boosted, balanced])
def test_the_least_and_the_largest_weights_there_are(fit):
    X, y, rng = noisy(9)
    times = rng.integers(1, 9, size=len(y))
    known = fit(X, y, sample_weight=times)
    same(fit(X, y, sample_weight=5e-324 * times), known, X)
    more, labels = np.append(X, X[:1], axis=0), np.append(y, -y[0])  # it hardly counts
    same(fit(more, labels, sample_weight=np.append(1e149 * times, 1e-160)), known, X)


@pytest.mark.parametrize("size", [1e-100, 1e-3, 1e3, 1e100])
def test_in_a_sum_they_weigh_against_the_penalty(size):
    X, y, rng = noisy(9)
    weights = rng.uniform(0.5, 2.0, size=len(y))
    one = ridge(X, y, lambda_=3.0 * size, sample_weight=size * weights)
    same(one, ridge(X, y, lambda_=3.0, sample_weight=weights), X)


class Stumps(ClassifierMixin, BaseEstimator):
    """The best stump; the trees of scikit-learn seek another."""

    def fit(self, X, y, sample_weight):
        self.classes_ = np.unique(y)
        self.stump = best_stump(X, y, sample_weight)
        return self

    def predict(self, X):
        return self.stump.predict(X)


@pytest.mark.parametrize("seed", range(5))
class TestScikitLearn:
    """The same objectives, with the same weights."""

    def test_least_squares(self, seed):
        X, y, rng = noisy(seed)
        s = rng.exponential(size=len(y))
        for bias in True, False:
            model = LinearRegression(fit_intercept=bias).fit(X, y, sample_weight=s)
            fit = least_squares(X, y, bias=bias, sample_weight=s)
            np.testing.assert_allclose(fit.w, model.coef_, rtol=1e-9)
            model = TheirRidge(alpha=3.0, fit_intercept=bias).fit(X, y, sample_weight=s)
            fit = ridge(X, y, lambda_=3.0, bias=bias, sample_weight=s)
            np.testing.assert_allclose(fit.w, model.coef_, rtol=1e-9)
            np.testing.assert_allclose(fit.b, model.intercept_, rtol=1e-9)

    def test_logistic(self, seed):
        X, y, rng = noisy(seed)
        s = rng.exponential(size=len(y))
        model = LogisticRegression(C=1 / (0.05 * s.sum()), solver="newton-cholesky")
        model.set_params(tol=1e-12).fit(X, y, sample_weight=s)
        fit = logistic(X, y, lambda_=0.05, tol=1e-20, sample_weight=s)
        assert fit.converged
        np.testing.assert_allclose(fit.w, model.coef_[0], rtol=1e-8)
        np.testing.assert_allclose(fit.b, model.intercept_[0], rtol=1e-8)

    def test_softmax(self, seed):
        X, y, rng = noisy(seed)
        kinds, s = y + (X[:, 1] > 9), rng.exponential(size=len(y))
        model = LogisticRegression(C=1 / (0.05 * s.sum()), solver="newton-cholesky")
        model.set_params(tol=1e-12).fit(X, kinds, sample_weight=s)
        fit = softmax(X, y, sample_weight=s)
        assert fit.converged and len(fit.classes) == 4
        np.testing.assert_allclose(fit.W, model.coef_, rtol=1e-6, atol=1e-8)
        assert np.ptp(fit.b - model.intercept_) < 1e-6

    def test_soft_margin(self, seed):
        X, y, rng = noisy(seed)
        s, lambda_ = rng.exponential(size=len(y)), 0.05
        model = SVC(kernel="linear", C=1 / (lambda_ * s.sum()), tol=1e-10)
        model.fit(X, y, sample_weight=s)
        fit = soft_margin(X, y, lambda_=lambda_, sample_weight=s)
        assert fit.converged
        near = 1e-4 * np.abs(fit.w).max()  # SVC stops early where features are large
        np.testing.assert_allclose(fit.w, model.coef_[0], atol=near)
        z, most = y * fit.decision_function(X), fit.C * s / s.mean()
        np.testing.assert_allclose(fit.a[z < 1 - 1e-6], most[z < 1 - 1e-6], rtol=1e-12)
        assert not fit.a[z > 1 + 1e-6].any() and np.all(fit.a <= most * (1 + 1e-12))
        np.testing.assert_allclose(fit.a @ (y[:, None] * X), fit.w, rtol=1e-6, atol=1e-7)
        assert fit.value <= weighted_objective(X, y, s, model, lambda_) * (1 + 1e-9)

    def test_adaboost(self, seed):
        """Its loop with our stumps: the same stumps, and the weights 2 alpha."""
        X, y, rng = noisy(seed)
        for s in np.ones(len(y)), rng.exponential(size=len(y)):
            model = AdaBoostClassifier(Stumps(), n_estimators=12).fit(X, y, s)
            fit = boosted(X, y, sample_weight=s)
            ours = [(h.feature, h.threshold) for h in fit.stumps]
            assert ours == [(m.stump.feature, m.stump.threshold) for m in model.estimators_]
            np.testing.assert_allclose(2 * fit.alpha, model.estimator_weights_, rtol=1e-9)
            np.testing.assert_allclose(fit.epsilon, model.estimator_errors_, rtol=1e-9)
            np.testing.assert_allclose(fit.weights[0], s / s.sum(), rtol=1e-14)


def weighted_objective(X, y, s, model, lambda_):
    """J at scikit-learn's answer: whole numbers would repeat rows, these repeat terms."""
    w, b = model.coef_[0], model.intercept_[0]
    penalty = lambda_ * w @ w / 2
    losses = [objective(X[[i]], y[[i]], w, b, lambda_=lambda_) for i in range(len(y))]
    return np.average(np.array(losses) - penalty, weights=s) + penalty


class TestWhatAFitReports:
    def test_an_example_without_weight_supports_nothing(self):
        X, y, rng = noisy(3)
        weights = rng.integers(0, 2, size=len(y))
        fit = soft_margin(X, y, sample_weight=weights)
        assert fit.a.shape == y.shape and not fit.a[weights == 0].any()
        history = boosted(X, y, sample_weight=weights).weights
        assert history.shape == (13, len(y)) and not history[:, weights == 0].any()

    def test_the_balanced_start_halves_the_weight_of_each_class(self):
        X, y, rng = noisy(4)
        s = rng.exponential(size=len(y))
        fit = adaboost(X, y, start="balanced", keep_weights=True, sample_weight=s)
        first = fit.weights[0]
        np.testing.assert_allclose([first[y > 0].sum(), first[y < 0].sum()], 0.5)
        np.testing.assert_allclose(first[y > 0], 0.5 * s[y > 0] / s[y > 0].sum())

    def test_rank_is_that_of_the_rows_that_count(self):
        X, y, _ = noisy(5)
        assert least_squares(X, y, sample_weight=np.arange(60) < 2).rank == 1


def test_half_of_many_rows():
    """So many that logistic begins with every tenth of them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40_000, 4))
    y = np.where(X[:, 0] + rng.normal(size=len(X)) > 0, 1.0, -1.0)
    weights = rng.integers(0, 3, size=len(y))
    fit = logistic(X, y, tol=1e-20, sample_weight=weights)
    X, y = np.repeat(X, weights, axis=0), np.repeat(y, weights)
    assert fit.converged
    same(fit, logistic(X, y, tol=1e-20), X[:99])


class TestEstimators:
    @pytest.mark.parametrize("estimator", [Logistic(lambda_=0.1), SoftMargin(), AdaBoost()])
    def test_fit_passes_them_on(self, estimator):
        X, y, rng = noisy(1)
        s = rng.exponential(size=len(y))
        model = estimator.fit(X, y, sample_weight=s)
        options = estimator.get_params()
        options.pop("class_weight", None)
        expected = type(estimator)._function(X, y, **options, sample_weight=s)
        assert np.array_equal(model.decision_function(X), expected.decision_function(X))
        model = Ridge().fit(X, y, sample_weight=s)
        assert np.array_equal(model.coef_, ridge(X, y, sample_weight=s).w)

    @pytest.mark.parametrize("kind", [Logistic, SoftMargin, SoftmaxRegression])
    def test_weights_of_classes_multiply_those_of_examples(self, kind):
        X, y, rng = noisy(2)
        labels, s = np.where(y > 0, "yes", "no"), rng.exponential(size=len(y))
        own = np.where(y > 0, 5.0, 1.0)
        for given in None, s:
            model = kind(lambda_=0.1, class_weight={"yes": 5}).fit(X, labels, given)
            other = kind(lambda_=0.1).fit(X, labels, own if given is None else own * s)
            np.testing.assert_allclose(model.coef_, other.coef_, rtol=1e-6)

    @pytest.mark.parametrize("kind", [Logistic, SoftMargin])
    def test_balanced_classes_weigh_the_same(self, kind):
        X, y, rng = noisy(3)
        times = rng.integers(1, 4, size=len(y))
        model = kind(lambda_=0.1, class_weight="balanced").fit(X, y, sample_weight=times)
        share = np.where(y > 0, times[y > 0].sum(), times[y < 0].sum())
        other = kind(lambda_=0.1).fit(X, y, sample_weight=times / share)
        same(model, other, X)

    @pytest.mark.parametrize(
        ("class_weight", "message"),
        [
            ({"yes": -1}, "class_weight must be above 0; got -1"),
            ({"yes": 0}, "class_weight must be above 0; got 0"),
            ({"maybe": 2}, "The classes, .* are not in class_weight"),
            ("both", "'class_weight' parameter .* must be"),
        ],
    )
    def test_weights_of_classes_that_make_no_sense(self, class_weight, message):
        X, y, _ = noisy(4)
        with pytest.raises(ValueError, match=message):
            Logistic(class_weight=class_weight).fit(X, np.where(y > 0, "yes", "no"))

    def test_a_class_without_weight(self):
        X, y, _ = noisy(5)
        with pytest.raises(ValueError, match=r"zero for a whole class; it is for -1\.0"):
            SoftMargin().fit(X, y, sample_weight=y > 0)

    def test_under_the_boosting_of_scikit_learn(self):
        X, y, _ = noisy(6)
        model = AdaBoostClassifier(Logistic(lambda_=0.1), n_estimators=3).fit(X, y)
        assert model.score(X, y) > 0.7
