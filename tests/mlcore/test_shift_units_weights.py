"""Fits do not depend on origin, units (here powers of 2) and examples of weight 0."""

from enum import Enum
from types import SimpleNamespace

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

SPLITS = k_folds(np.ones(20), folds=4)
REFITS = {
    "fit": lambda X, y: SimpleNamespace(predict=least_squares(X, y).decision_function),
    "error": lambda y, predicted: np.mean((y - predicted) ** 2),
}

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
ALL = WITHOUT_PENALTY | {
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
    """Draw integers; a feature may depend on others, and signs may be separable."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 17, size=(20, 3)) * 1.0
    X[:2, :2] = [[16, 0], [0, 16]]
    if seed % 3 == 0:
        X[:, 2] = X[:, 0] - X[:, 1]
    y = X[:, 0] - X[:, 1] + (seed % 4 > 0) * rng.integers(-9, 10, size=20) + 0.5
    return X, y, rng


def compare(function, X, y, changed, u, tolerance):
    """Compare what fits say of themselves, and their scores, or the numbers returned."""
    old, new = function(X, y, 1.0), function(changed, y, u)
    converged = getattr(old, "converged", True)
    for name in "converged", "separable", "rank":
        assert getattr(new, name, None) == getattr(old, name, None)
    if hasattr(old, "decision_function"):
        old, new = old.decision_function(X), new.decision_function(changed)
    if converged:
        np.testing.assert_allclose(new, old, 0, tolerance * (1 + np.abs(old).max()))


@pytest.mark.parametrize("name", ALL)
@given(seed=seeds, power=st.integers(0, 34))
def test_shift_leaves_scores_and_verdict(name, seed, power):
    """Up to 1e9 times the spread; scores have the rounding errors of w @ x."""
    X, y, rng = data(seed)
    shift = rng.integers(-(2**power), 2**power, size=3, endpoint=True)
    compare(ALL[name], X, y, X + shift, 1.0, 1e-8 + 2.0**power * 1e-15)


@pytest.mark.parametrize("name", ALL)
@given(seed=seeds, power=st.sampled_from([-30, 30]))
def test_unit_leaves_scores_and_verdict(name, seed, power):
    X, y, rng = data(seed)
    powers = rng.choice([-30, 0, 30], size=3) if name in WITHOUT_PENALTY else power
    compare(ALL[name], X, y, X * 2.0**powers, 2.0**power, 1e-8)


@pytest.mark.parametrize("function", WEIGHTED)
@given(seed=seeds, place=st.sampled_from([0, 9, 20]))
def test_weight_0_means_absent(function, seed, place):
    X, y, rng = data(seed)
    size = rng.choice([1, 1e16, 1e150])
    y, s = np.sign(y), rng.uniform(0.5, 2.0, size=20)
    fit = function(X, y, lambda_=0.1, sample_weight=s)
    more, label, weight = (np.insert(a, place, v, axis=0) for a, v in
        ((X, size), (y, rng.choice([-1, 1])), (s, 0)))  # fmt: skip
    found = function(more, label, lambda_=0.1, sample_weight=weight)
    np.testing.assert_array_equal(found.decision_function(X), fit.decision_function(X))
    if function is soft_margin:
        assert found.a[place] == 0 and len(found.a) == 21


@pytest.mark.parametrize("search", [forward, backward, exhaustive])
@example(seed=345, power=4)
@example(seed=35227, power=5)
@given(seed=seeds, power=st.integers(0, 13))
def test_searches_equal_refits(search, seed, power):
    """For calendar years and nearly equal features, up to the rounding error of refits."""
    x, z, e = np.random.default_rng(seed).normal(size=(3, 20))
    years = polynomial(1985 + np.arange(20.0)[:, None], degree=seed % 3 + 1)
    X = np.column_stack([x, x + z / 10**power, years])
    y = x + z + standardize(years)[:, -1] ** 2 + e / 10
    found, refit = (search(X, y, splits=SPLITS, **options) for options in ({}, REFITS))
    tolerance = (1e-7 + 10.0 ** (power - 15)) * y.var()
    assert np.abs(found.errors - refit.errors).max() < tolerance


LINE = np.arange(4.0)[:, None]


@pytest.mark.parametrize("shift", [0, 1e8, -1e9])
def test_likelihood_far_from_origin(shift):
    for fit in logistic, softmax_regression:
        found = fit(LINE + shift, [-1, 1, -1, 1])
        w = found.w if fit is logistic else found.W[1] - found.W[0]
        assert found.converged and abs(w[0] - 0.90818426) < 1e-6
        assert abs(found.values[-1] - 0.58687163) < 1e-8
        assert not fit(LINE + shift, [-1, -1, 1, 1]).converged
        assert fit([*LINE, [1e9]], [-1, 1, -1, 1, 1]).converged


@pytest.mark.parametrize("far", [1e7, 1e9])
def test_likelihood_with_a_far_example_converges_only_at_the_minimum(far):
    """A far example adds nothing to the minimum: w puts it on its side, or avoids it."""
    count = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(30, 2)), np.where(rng.random(30) < 0.5, 1, -1)
        X[-1] = far * np.array([1, -0.5])
        found, near = logistic(X, y), logistic(X[:-1], y[:-1])
        if y[-1] * near.decision_function(X)[-1] < 50:
            near = logistic(X[:-1] @ [[0.5], [1.0]], y[:-1])
        if found.converged:
            assert found.values[-1] < near.values[-1] * 29 / 30 + 1e-6
        count += found.converged
    assert count == 20 if far < 1e8 else count > 0


@pytest.mark.parametrize("far", [1e6, 1e7])
def test_likelihood_with_a_far_example_converges_to_its_minimum(far):
    """The last steps still move the score of the far example, by less and less."""
    for seed in range(30, 40):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(30, 2)), np.where(rng.random(30) < 0.5, 1, -1)
        X[-1] *= far
        assert logistic(X, y, lambda_=0.1).converged
        assert softmax_regression(X, y, lambda_=0.1).converged


def test_likelihood_keeps_nearly_equal_features():
    """They differ by 1e-9 of their size, exactly."""
    A = np.random.default_rng(3).integers(-2048, 2048, size=(45, 2)) / 1024
    X, y = np.column_stack([A[:, 0], A @ [1, 2.0**-30]]), np.where(A[:, 1] > 0, 1, -1)
    y[::4] *= -1
    for fit in logistic, softmax_regression:
        found, right = fit(X, y), fit(A, y)
        assert found.converged and abs(found.values[-1] - right.values[-1]) < 1e-7
        scores = right.decision_function(A)
        np.testing.assert_allclose(found.decision_function(X), scores, atol=1e-3)


@given(seed=seeds)
@example(seed=5174)  # a feature of a large unit in a dependency
def test_backward_equals_refits_with_few_examples(seed):
    rng = np.random.default_rng(seed)
    n, d = rng.integers([6, 4], [14, 12])
    X = rng.integers(-5, 6, size=(n, d)) * 10.0 ** rng.integers(-2, 3, size=d)
    X[:, seed % d] = X[:, 0]
    y, splits = rng.normal(size=n), k_folds(np.ones(n), folds=2)
    options = {"splits": splits, "n_features": 1}
    found, refit = (backward(X, y, **options, **more) for more in ({}, REFITS))
    assert found.order == refit.order
    np.testing.assert_allclose(found.errors, refit.errors, rtol=1e-6)


@pytest.mark.parametrize("search", [forward, backward])
@pytest.mark.parametrize("far", [1e5, 1e7, 1e9])
def test_searches_with_a_far_example_equal_refits(search, far):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    X[-1] *= far
    options = {"splits": k_folds(y, folds=4, stratified=False), "n_features": 2}
    found, refit = search(X, y, **options), search(X, y, **options, **REFITS)
    assert found.order == refit.order
    np.testing.assert_allclose(found.errors, refit.errors, rtol=1e-6)


def test_small_unit_beside_dependent_features():
    X = [[0, 1e14, 1e14], [1, -1e14, -1e14], [2, 0, 0], [3, 2e14, 2e14]]
    found = least_squares(X, [1, 3, 5, 7])
    error = found.decision_function(X) - [1, 3, 5, 7]
    assert found.rank == 2 and np.abs(error).max() < 1e-12


def test_residual_of_powers_of_years_decreases_up_to_rounding():
    years = np.arange(2000.0, 2015.0)
    y, residual = np.sin(years), []
    for degree in range(1, 8):
        X = polynomial(years[:, None], degree=degree)
        residual.append(np.sum((y - least_squares(X, y).decision_function(X)) ** 2))
    assert np.diff(residual).max() < 0.1 and residual[3] < 6.34 and max(residual[4:]) < 2.7


def test_least_squares_has_nine_digits_on_wampler_1_and_2():
    x = np.arange(21.0)
    for w in np.ones(6), 0.1 ** np.arange(6):
        found = least_squares(polynomial(x[:, None], degree=5), np.polyval(w[::-1], x))
        np.testing.assert_allclose(found.w, w[1:], rtol=1e-9)


def test_ratio_of_signal_to_noise_far_from_origin():
    X = np.random.default_rng(0).integers(0, 1024, size=(40, 3)) / 128
    y = np.resize([-1, 1, 1], 40)
    near, far = (univariate(A, y, score="signal_to_noise").scores for A in (X, X + 1e10))
    np.testing.assert_allclose(far, near, atol=1e-12)


def test_infinite_ratio_of_signal_to_noise_is_first():
    X = [[0, 1, 7], [0, 2, 7], [1, 3, 7], [1, 5, 7]]
    found = univariate(X, [-1, -1, 1, 1], score="signal_to_noise")
    assert found.order.tolist() == [0, 1, 2]
    assert found.scores[0] == np.inf and found.scores[2] == 0


X, Y = LINE * [1, 2], [-1, -1, 1, 1]
NO_RULE = {"fit": lambda X, y: None, "X": X}
HALVES = [([0, 1, 2], [3]), ([1, 2, 3], [0])]
# fmt: off
REFUSED = {
    "labels": [lambda y=y: knn(X, y, X, k=1) for y in ([*"abc", np.nan], [1, "1", 2, 3],
        [2**63 + 1, 2**63, -1, 0], ["a", "a\0", "b", "b"])],
    "X": [lambda f=f: f(1e-160 * X, Y) for f in (univariate, lda, logistic, least_squares)]
    + [lambda: standardize(1e-160 * X), lambda: forward(1e-160 * X, Y, splits=HALVES),
       lambda: rbf(1e-160 * X, X, width=1e-160)],
    "lambda_": [lambda f=f: f(X, Y, lambda_=1e-160) for f in (soft_margin, pegasos)],
    "sample_weight": [lambda: ridge(X, Y, sample_weight=[5e-324] * 4)],
    "fit": [lambda f=f: f(**NO_RULE, labels=Y) for f in (one_vs_rest, one_vs_one)]
    + [lambda: selection.recursive_elimination(**NO_RULE, y=Y, n_features=1),
       lambda: cross_validate(**NO_RULE, y=Y, splits=HALVES)],
    "runs": [lambda: sgd(lambda w, i: w, 9, [1.0], steps=constant(1.0), runs=10**30)],
}
# fmt: on


def test_member_of_enum_is_its_value():
    letter = Enum("letter", {"first": "alpha", "second": "beta"}, type=str)
    found = knn(LINE, [*letter, "alpha", "beta"], LINE, k=1)
    assert found.predicted.tolist() == ["alpha", "beta", "alpha", "beta"]


@pytest.mark.parametrize("name", REFUSED)
def test_underflow_mixed_labels_and_no_rule_are_refused(name):
    for call in REFUSED[name]:
        with pytest.raises(ValueError, match=f"^{name} must "):
            call()
