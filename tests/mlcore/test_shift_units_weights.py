"""Fits do not depend on the origin, on units (powers of 2), or on examples of weight 0."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mlcore import selection
from mlcore.boosting import adaboost
from mlcore.features import polynomial, rbf, standardize
from mlcore.generative import lda
from mlcore.l1_svm import l1_svm
from mlcore.lasso import fista, ista, lasso, lasso_cv, lasso_path
from mlcore.least_squares import indicator_regression, least_squares, ridge
from mlcore.logistic import logistic, softmax_regression
from mlcore.multiclass import one_vs_one, one_vs_rest
from mlcore.neighbors import knn
from mlcore.optim import constant, sgd
from mlcore.selection import backward, exhaustive, forward, univariate
from mlcore.separation import separating_halfspace
from mlcore.svm import hard_margin, pegasos, soft_margin
from mlcore.validation import cross_validate, k_folds
from tests.helpers.signatures import Regression, mean_square

SPLITS = k_folds(np.ones(20), folds=4)
REFITS = {"fit": Regression, "error": mean_square}  # fit each subset from scratch

# f(X, y, u) returns a fit or numbers; u is the unit of X
WITHOUT_PENALTY = {
    "least_squares": lambda X, y, u: least_squares(X, y),
    "indicator_regression": lambda X, y, u: indicator_regression(X, np.sign(y)),
    "lda": lambda X, y, u: lda(X, np.sign(y)),
    "logistic": lambda X, y, u: logistic(X, np.sign(y)),
    "softmax": lambda X, y, u: softmax_regression(X, np.sign(y)),
    "adaboost": lambda X, y, u: adaboost(X, np.sign(y), rounds=3),
    "separating": lambda X, y, u: separating_halfspace(X, np.sign(y)).separable,
    "standardize": lambda X, y, u: standardize(X),
    "correlation": lambda X, y, u: univariate(X, y).scores,
    "information": lambda X, y, u: selection.mutual_information(X, y > 0),
    "forward": lambda X, y, u: forward(X, y, splits=SPLITS).errors,
    "backward": lambda X, y, u: backward(X, y, splits=SPLITS).errors,
    "exhaustive": lambda X, y, u: exhaustive(X, y, splits=SPLITS).errors,
}
FUNCTIONS = WITHOUT_PENALTY | {
    "ridge": lambda X, y, u: ridge(X, y, lambda_=u * u),
    "lasso": lambda X, y, u: lasso(X, y, lambda_=u),
    "fista": lambda X, y, u: fista(X, y, lambda_=u, max_steps=3000),
    "ista": lambda X, y, u: ista(X, y, lambda_=u, max_steps=3000),
    "lasso_path": lambda X, y, u: u * lasso_path(X, y, lambda_min=u).W[-1],
    "lasso_cv": lambda X, y, u: lasso_cv(X, y, splits=SPLITS, lambdas=[u]).errors,
    "penalized logistic": lambda X, y, u: logistic(X, np.sign(y), lambda_=u * u / 9),
    "penalized softmax": lambda X, y, u: softmax_regression(X, np.sign(y), lambda_=u * u),
    "soft_margin": lambda X, y, u: soft_margin(X, np.sign(y), lambda_=u * u / 9),
    "hard_margin": lambda X, y, u: hard_margin(X, np.sign(y)),
    "l1_svm": lambda X, y, u: u * l1_svm(X, np.sign(y), C=0.5 / u).value,
    "knn": lambda X, y, u: knn(X, np.sign(y), X, k=3).distances / u,
}
WEIGHTED = [ridge, logistic, softmax_regression, soft_margin]
seeds = st.integers(0, 10**6)


def data(seed):
    """Draw integer features, maybe linearly dependent, and targets.

    The signs of the targets are labels, which may be separable.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 17, size=(20, 3)) * 1.0
    X[:2, :2] = [[16, 0], [0, 16]]
    if seed % 3 == 0:
        X[:, 2] = X[:, 0] - X[:, 1]
    y = X[:, 0] - X[:, 1] + (seed % 4 > 0) * rng.integers(-9, 10, size=20) + 0.5
    return X, y, rng


def compare(function, X, y, new_X, u, tolerance):
    """Compare the status and the scores of two fits (or the numbers returned)."""
    old, new = function(X, y, 1.0), function(new_X, y, u)
    converged = getattr(old, "converged", True)
    for name in "converged", "separable", "rank":
        assert getattr(new, name, None) == getattr(old, name, None)
    if hasattr(old, "decision_function"):
        old, new = old.decision_function(X), new.decision_function(new_X)
    if converged:
        np.testing.assert_allclose(new, old, 0, tolerance * (1 + np.abs(old).max()))


@pytest.mark.parametrize("name", FUNCTIONS)
@given(seed=seeds, power=st.integers(0, 34))
def test_shift_changes_no_score_or_status(name, seed, power):
    """Shift by up to 1e9 times the spread; scores have the rounding error of w @ x."""
    X, y, rng = data(seed)
    shift = rng.integers(-(2**power), 2**power, size=3, endpoint=True)
    compare(FUNCTIONS[name], X, y, X + shift, 1.0, 1e-8 + 2.0**power * 1e-15)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(seed=seeds, power=st.sampled_from([-30, 30]))
def test_unit_changes_no_score_or_status(name, seed, power):
    X, y, rng = data(seed)
    powers = rng.choice([-30, 0, 30], size=3) if name in WITHOUT_PENALTY else power
    compare(FUNCTIONS[name], X, y, X * 2.0**powers, 2.0**power, 1e-8)


@pytest.mark.parametrize("function", WEIGHTED)
@given(seed=seeds, index=st.sampled_from([0, 9, 20]))
def test_example_of_weight_0_is_ignored(function, seed, index):
    X, y, rng = data(seed)
    size = rng.choice([1, 1e16, 1e150])
    y, s = np.sign(y), rng.uniform(0.5, 2.0, size=20)
    fit = function(X, y, lambda_=0.1, sample_weight=s)
    X_0, s_0 = np.insert(X, index, size, axis=0), np.insert(s, index, 0)
    y_0 = np.insert(y, index, rng.choice([-1, 1]))
    fit_0 = function(X_0, y_0, lambda_=0.1, sample_weight=s_0)
    np.testing.assert_array_equal(fit_0.decision_function(X), fit.decision_function(X))


@pytest.mark.parametrize("search", [forward, backward, exhaustive])
@example(seed=345, power=4)
@example(seed=35227, power=5)
@given(seed=seeds, power=st.integers(0, 13))
def test_searches_equal_refits(search, seed, power):
    """Include calendar years and nearly equal features; refits have rounding errors."""
    x, z, e = np.random.default_rng(seed).normal(size=(3, 20))
    years = polynomial(1985 + np.arange(20.0)[:, None], degree=seed % 3 + 1)
    X = np.column_stack([x, x + z / 10**power, years])
    y = x + z + standardize(years)[:, -1] ** 2 + e / 10
    fast, refit = (search(X, y, splits=SPLITS, **options) for options in ({}, REFITS))
    tolerance = (1e-7 + 10.0 ** (power - 15)) * y.var()
    assert np.abs(fast.errors - refit.errors).max() < tolerance


LINE = np.arange(4.0)[:, None]


@pytest.mark.parametrize("shift", [0, 1e8, -1e9])
def test_likelihood_is_accurate_far_from_origin(shift):
    """Compare with the minimum that scipy.optimize.minimize finds near the origin."""
    for function in logistic, softmax_regression:
        fit = function(LINE + shift, [-1, 1, -1, 1])
        w = fit.w if function is logistic else fit.W[1] - fit.W[0]
        assert fit.converged and abs(w[0] - 0.90818426) < 1e-6
        assert abs(fit.values[-1] - 0.58687163) < 1e-8
        assert not function(LINE + shift, [-1, -1, 1, 1]).converged
        assert function([*LINE, [1e9]], [-1, 1, -1, 1, 1]).converged


@pytest.mark.parametrize("distance", [1e7, 1e9])
def test_likelihood_with_outlier_converges_only_at_minimum(distance):
    """The outlier adds no loss: w classifies it, or is nearly orthogonal to it."""
    n_converged = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(30, 2)), np.where(rng.random(30) < 0.5, 1, -1)
        X[-1] = distance * np.array([1, -0.5])
        fit, others = logistic(X, y), logistic(X[:-1], y[:-1])
        if y[-1] * others.decision_function(X)[-1] < 50:
            others = logistic(X[:-1] @ [[0.5], [1.0]], y[:-1])
        if fit.converged:
            assert fit.values[-1] < others.values[-1] * 29 / 30 + 1e-6
        n_converged += fit.converged
    assert n_converged == 20 if distance < 1e8 else n_converged > 0


@pytest.mark.parametrize("factor", [1e6, 1e7])
def test_penalized_likelihood_with_outlier_converges(factor):
    """The last steps still move the score of the outlier, by less and less."""
    for seed in range(30, 40):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(30, 2)), np.where(rng.random(30) < 0.5, 1, -1)
        X[-1] *= factor
        assert logistic(X, y, lambda_=0.1).converged
        assert softmax_regression(X, y, lambda_=0.1).converged


def test_likelihood_distinguishes_nearly_equal_features():
    """The features differ by 2^-30, about 1e-9, of their size."""
    A = np.random.default_rng(3).integers(-2048, 2048, size=(45, 2)) / 1024
    X, y = np.column_stack([A[:, 0], A @ [1, 2.0**-30]]), np.where(A[:, 1] > 0, 1, -1)
    y[::4] *= -1
    for function in logistic, softmax_regression:
        fit, reference = function(X, y), function(A, y)
        assert fit.converged and abs(fit.values[-1] - reference.values[-1]) < 1e-7
        scores = reference.decision_function(A)
        np.testing.assert_allclose(fit.decision_function(X), scores, atol=1e-3)


@given(seed=seeds)
@example(seed=5174)  # one of the linearly dependent features has large values
def test_backward_equals_refits_with_few_examples(seed):
    rng = np.random.default_rng(seed)
    n, d = rng.integers([6, 4], [14, 12])
    X = rng.integers(-5, 6, size=(n, d)) * 10.0 ** rng.integers(-2, 3, size=d)
    X[:, seed % d] = X[:, 0]
    y, splits = rng.normal(size=n), k_folds(np.ones(n), folds=2)
    options = {"splits": splits, "n_features": 1}
    fast, refit = (backward(X, y, **options, **mode) for mode in ({}, REFITS))
    assert fast.order == refit.order
    np.testing.assert_allclose(fast.errors, refit.errors, rtol=1e-6)


@pytest.mark.parametrize("search", [forward, backward])
@pytest.mark.parametrize("factor", [1e5, 1e7, 1e9])
def test_searches_with_outlier_equal_refits(search, factor):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    X[-1] *= factor
    options = {"splits": k_folds(y, folds=4, stratified=False), "n_features": 2}
    fast, refit = search(X, y, **options), search(X, y, **options, **REFITS)
    assert fast.order == refit.order
    np.testing.assert_allclose(fast.errors, refit.errors, rtol=1e-6)


def test_rank_and_scores_with_large_dependent_features():
    X = [[0, 1e14, 1e14], [1, -1e14, -1e14], [2, 0, 0], [3, 2e14, 2e14]]
    fit = least_squares(X, [1, 3, 5, 7])
    error = fit.decision_function(X) - [1, 3, 5, 7]
    assert fit.rank == 2 and np.abs(error).max() < 1e-12


def test_loss_on_powers_of_years_decreases_up_to_rounding():
    years = np.arange(2000.0, 2015.0)
    y, losses = np.sin(years), []
    for degree in range(1, 8):
        X = polynomial(years[:, None], degree=degree)
        losses.append(np.sum((y - least_squares(X, y).decision_function(X)) ** 2))
    assert np.diff(losses).max() < 0.1 and losses[3] < 6.34 and max(losses[4:]) < 3


def test_least_squares_has_nine_correct_digits_on_wampler_1_and_2():
    x = np.arange(21.0)
    for w in np.ones(6), 0.1 ** np.arange(6):
        fit = least_squares(polynomial(x[:, None], degree=5), np.polyval(w[::-1], x))
        np.testing.assert_allclose(fit.w, w[1:], rtol=1e-9)


def test_distant_example_with_tiny_weight_costs_no_accuracy():
    X, y, s = [[1e16], [0], [1], [2]], [0, 1, 3, 5], [1e-80, 1, 1, 1]
    fit = least_squares(X, y, sample_weight=s)
    assert abs(fit.w[0] - 2) < 1e-9 and abs(fit.b - 1) < 1e-9
    for weight in 1e-250, 5e-324:
        fit = soft_margin(X, [1, -1, 1, 1], lambda_=0.1, sample_weight=[weight, *s[1:]])
        other = soft_margin(X[1:], [-1, 1, 1], lambda_=0.1)
        assert fit.converged and np.allclose([*fit.w, fit.b], [*other.w, other.b])


def test_signal_to_noise_ratio_and_lda_far_from_origin():
    X = np.random.default_rng(0).integers(0, 1024, size=(40, 3)) / 128
    y = np.resize([-1, 1, 1], 40)
    near, far = (univariate(A, y, score="signal_to_noise").scores for A in (X, X + 1e10))
    np.testing.assert_allclose(far, near, atol=1e-12)
    np.testing.assert_allclose(lda(X + 1e10, y).w, lda(X, y).w, rtol=1e-11)


X, Y = LINE * [1, 2], [-1, -1, 1, 1]
FIT_WITHOUT_RULE = {"fit": lambda X, y: None, "X": X}
HALVES = [([0, 1, 2], [3]), ([1, 2, 3], [0])]
# fmt: off
INVALID_CALLS = {
    "labels": [lambda y=y: knn(X, y, X, k=1) for y in ([*"abc", np.nan], [1, "1", 2, 3],
        [2**63 + 1, 2**63, -1, 0], ["a", "a\0", "b", "b"])],
    "X": [lambda f=f: f(1e-160 * X, Y) for f in (univariate, lda, logistic, least_squares)]
    + [lambda: standardize(1e-160 * X), lambda: forward(1e-160 * X, Y, splits=HALVES),
       lambda: rbf(1e-160 * X, X, width=1e-160)],
    "lambda_": [lambda f=f: f(X, Y, lambda_=1e-160) for f in (soft_margin, pegasos)],
    "sample_weight": [lambda: ridge(X, Y, sample_weight=[5e-324] * 4)],
    "fit": [lambda f=f: f(**FIT_WITHOUT_RULE, labels=Y) for f in (one_vs_rest, one_vs_one)]
    + [lambda: selection.recursive_elimination(**FIT_WITHOUT_RULE, y=Y, n_features=1),
       lambda: cross_validate(**FIT_WITHOUT_RULE, y=Y, splits=HALVES)],
    "runs": [lambda: sgd(lambda w, i: w, 9, [1.0], steps=constant(1.0), runs=10**30)],
}
# fmt: on


@pytest.mark.parametrize("name", INVALID_CALLS)
def test_underflow_mixed_labels_and_fit_without_rule_raise(name):
    for call in INVALID_CALLS[name]:
        with pytest.raises(ValueError, match=f"^{name} must "):
            call()
