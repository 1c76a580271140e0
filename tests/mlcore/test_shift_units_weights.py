"""Fits do not depend on the origin, on units (powers of 2), or on examples of weight 0."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mlcore.boosting import adaboost
from mlcore.features import polynomial, standardize
from mlcore.generative import lda
from mlcore.l1_svm import l1_svm
from mlcore.lasso import fista, ista, lasso, lasso_cv, lasso_path
from mlcore.least_squares import indicator_regression, least_squares, ridge
from mlcore.logistic import logistic, softmax_regression
from mlcore.neighbors import knn
from mlcore.selection import backward, exhaustive, forward, mutual_information, univariate
from mlcore.separation import separating_halfspace
from mlcore.svm import hard_margin, soft_margin
from mlcore.validation import k_folds
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
    "information": lambda X, y, u: mutual_information(X, y > 0),
    "forward": lambda X, y, u: forward(X, y, splits=SPLITS).errors,
    "backward": lambda X, y, u: backward(X, y, splits=SPLITS).errors,
    "exhaustive": lambda X, y, u: exhaustive(X, y, splits=SPLITS).errors,
}
FUNCTIONS = WITHOUT_PENALTY | {
    "ridge": lambda X, y, u: ridge(X, y, lambda_=u * u),
    "lasso": lambda X, y, u: lasso(X, y, lambda_=u),
    "fista": lambda X, y, u: fista(X, y, lambda_=u, max_steps=3000),
    "ista": lambda X, y, u: ista(X, y, lambda_=u, max_steps=1000),
    "lasso_path": lambda X, y, u: u * lasso_path(X, y, lambda_min=u).W[-1],
    "lasso_cv": lambda X, y, u: lasso_cv(X, y, splits=SPLITS, lambdas=[u]).errors,
    "penalized logistic": lambda X, y, u: logistic(X, np.sign(y), lambda_=u * u / 9),
    "penalized softmax": lambda X, y, u: softmax_regression(X, np.sign(y), lambda_=u * u),
    "soft_margin": lambda X, y, u: soft_margin(X, np.sign(y), lambda_=u * u / 9),
    "hard_margin": lambda X, y, u: hard_margin(X, np.sign(y)),
    "l1_svm": lambda X, y, u: u * l1_svm(X, np.sign(y), C=0.5 / u).value,
    "knn": lambda X, y, u: knn(X, np.sign(y), X, k=3).distances / u,
}
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
        n_converged += fit.converged and softmax_regression(X, y).converged
        for function in logistic, softmax_regression:
            assert distance > 1e8 or function(X, y, lambda_=0.1).converged
    assert n_converged == 20 if distance < 1e8 else n_converged > 0


@pytest.mark.parametrize("function", [least_squares, lda, logistic, softmax_regression])
def test_nearly_equal_features_are_distinguished(function):
    """The features differ by 2^-30, about 1e-9, of their size."""
    A = np.random.default_rng(3).integers(-2048, 2048, size=(45, 2)) / 1024
    X, y = np.column_stack([A[:, 0], A @ [1, 2.0**-30]]), np.where(A[:, 1] > 0, 1, -1)
    y[::4] *= -1
    fit, reference = function(X, y), function(A, y)
    assert getattr(fit, "converged", True) and getattr(fit, "rank", 2) == 2
    scores = reference.decision_function(A)
    np.testing.assert_allclose(fit.decision_function(X), scores, atol=1e-5)


def test_backward_with_few_examples_equals_refits():
    rng = np.random.default_rng(5174)  # a dependent feature has large values
    n, d = rng.integers([6, 4], [14, 12])
    X = rng.integers(-5, 6, size=(n, d)) * 10.0 ** rng.integers(-2, 3, size=d)
    X[:, 5174 % d] = X[:, 0]
    options = {"splits": k_folds(np.ones(n), folds=2), "n_features": 1}
    y = rng.normal(size=n)
    fast, refit = (backward(X, y, **options, **mode) for mode in ({}, REFITS))
    assert fast.order == refit.order
    np.testing.assert_allclose(fast.errors, refit.errors, rtol=1e-6)


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
