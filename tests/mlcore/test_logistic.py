"""Logistic and softmax regression: optimality, and data without a minimum."""

import numpy as np
import pytest
from scipy.special import expit, softmax

from mlcore.data import overlapping
from mlcore.logistic import logistic, logit, sigmoid, softmax_regression
from tests.helpers.assertions import assert_claims, equals, score_error, scores_oracle
from tests.helpers.optimality_cases import WEIGHTS_AND_BIAS, Case, drop_zero_weight
from tests.helpers.signatures import LOGISTIC, SOFTMAX

PENALTY = {"lambda_": 0.05}


def logistic_claims(fit, X, y, lambda_=0.0, bias=True, tol=1e-12, sample_weight=None, **_):
    """Bound the slopes: a step along a coordinate gains slope**2 / (2 curvature)."""
    X, y, s = drop_zero_weight(X, 2 * y - 1 if (y == 0).any() else y, sample_weight)
    z, s = y * (X @ fit.w + fit.b), s / s.sum()
    error = 99 * score_error(X, fit.w, fit.b).max()
    J = s @ np.logaddexp(0, -z) + lambda_ / 2 * fit.w @ fit.w
    yield "the last value is J", abs(fit.values[-1] - J), error + 1e-9 * J
    norm = np.linalg.norm(fit.w)
    yield "the last norm is |w|", abs(fit.norms[-1] - norm), 1e-9 * J + error
    yield "values do not increase", np.diff(fit.values), 1e-9 * fit.values[0]
    yield "no bias", not bias and fit.b != 0, 0
    if fit.converged:
        separable, one_class = (z > error).all(), abs(y.sum()) == len(y)
        yield "J has a minimum", (lambda_ == 0 and separable) or (bias and one_class), 0
        residual = s * y * expit(-z)
        Z = X - s @ X if bias else X
        slopes = np.append(lambda_ * fit.w - residual @ Z, bias * residual.sum())
        curvature = np.append(s @ Z**2 / 4 + lambda_, 0.25)
        tolerance = (error + 1e-12) * np.append(s @ np.abs(X) + lambda_ * np.abs(fit.w), 1)
        yield "slopes", np.abs(slopes), np.sqrt(4 * tol * curvature) + tolerance


def softmax_claims(fit, X, labels, lambda_=0.0, tol=1e-12, sample_weight=None, **_):
    """Check the claims of logistic regression."""
    yield "sums of W", np.abs(fit.W.sum(axis=0)), 1e-9 * (1 + np.abs(fit.W).sum(axis=0))
    yield "sum of b", abs(fit.b.sum()), 1e-9 * (1 + np.abs(fit.b).sum())
    yield "values do not increase", np.diff(fit.values), 1e-9 * fit.values[0]
    X, labels, s = drop_zero_weight(X, labels, sample_weight)
    yield "classes", fit.classes.tolist() != np.unique(labels).tolist(), 0
    g, is_label, s = X @ fit.W.T + fit.b, labels[:, None] == fit.classes, s / s.sum()
    error = 99 * score_error(X, fit.W.T, fit.b).max()
    loss = np.logaddexp.reduce(g, axis=1) - g[is_label]
    J = s @ loss + lambda_ / 2 * (fit.W**2).sum()
    yield "the last value is J", abs(fit.values[-1] - J), error + 1e-9 * J
    if fit.converged:
        margin = g[is_label] - np.where(is_label, -np.inf, g).max(axis=1)
        yield "J has a minimum", lambda_ == 0 and (margin > error).all(), 0
        residual = (softmax(g, axis=1) - is_label) * s[:, None]
        Z = X - s @ X
        curvature = s @ Z**2 / 2 + lambda_
        tolerance = (error + 1e-12) * (s @ np.abs(X) + lambda_ * np.abs(fit.W))
        slopes = np.abs(residual.T @ Z + lambda_ * fit.W)
        yield "slopes of W", slopes, np.sqrt(4 * tol * curvature) + tolerance
        slopes = np.abs(residual.sum(axis=0))
        yield "slopes of b", slopes, np.sqrt(2 * tol) + error + 1e-12


ORACLES = {
    logistic: logistic_claims,
    softmax_regression: softmax_claims,
    sigmoid: equals(lambda z: expit(z)),
    logit: equals(lambda p: np.log(p) - np.log1p(-np.asarray(p)), rtol=1e-9),
    LOGISTIC.probability: equals(lambda X: expit(LOGISTIC.decision_function(X))),
    SOFTMAX.decision_function: scores_oracle(SOFTMAX.W, SOFTMAX.b),
    SOFTMAX.probability: equals(lambda X: softmax(SOFTMAX.decision_function(X), axis=1)),
    SOFTMAX.predict: equals(
        lambda X: np.array([*"abc"])[SOFTMAX.decision_function(X).argmax(axis=1)]
    ),
}
CASES = [
    Case(logistic, **WEIGHTS_AND_BIAS),
    Case(logistic, options=PENALTY, **WEIGHTS_AND_BIAS),
    Case(softmax_regression, "labels", PENALTY, weighted=True),
]
ERRORS = {"or only 0 and 1; got 0 and": lambda: logistic(np.eye(3), [0, -1, 1])}


@pytest.mark.parametrize("lambda_", [0.1, 1e-6])
@pytest.mark.parametrize("function", [logistic, softmax_regression])
def test_fits_of_large_data_reach_the_minimum(function, lambda_):
    """L-BFGS fits large data, also with weights and features in other units."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 80)) * 10 ** rng.uniform(-1, 2, size=80)
    y = np.sign(X[:, 0] / X[:, 0].std() + rng.normal(size=4000))
    y += (function == softmax_regression) * (X[:, 1] > 0)
    y_name = "y" if function == logistic else "labels"
    for sample_weight in None, rng.integers(0, 4, size=4000):
        options = {"lambda_": lambda_, "sample_weight": sample_weight}
        fit = function(X, y, **options)
        assert fit.converged
        assert_claims(ORACLES[function], fit, {"X": X, y_name: y, **options})


def test_rare_events_converge():
    """Small curvature does not mean separable data."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 2))
    y = np.where(rng.random(20_000) < sigmoid(X[:, 0] - 7), 1.0, -1.0)
    assert 5 < (y > 0).sum() < 100
    assert logistic(X, y).converged


@pytest.mark.parametrize("tol", [1.0, 1e-4, 1e-12])
@pytest.mark.parametrize("function", [logistic, softmax_regression])
def test_separable_data_do_not_converge(function, tol):
    for n, d in (4, 1), (50, 3), (2000, 5), (20, 300):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 1, size=d)
        y = np.where(X[:, 0] > 0, 1.0, -1.0)
        fit = function(X, y, tol=tol)
        assert not fit.converged
        assert (fit.predict(X) == y).all()
        assert function(X, y, tol=tol, lambda_=1e-3).converged
    assert function([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1], tol=tol).converged


def test_one_diverging_weight_does_not_converge():
    """One feature is 1 only for some examples of one class."""
    data = overlapping(120, 4, separation=1.0, rng=0)
    rare = np.isin(np.arange(120), np.flatnonzero(data.y > 0)[:5])
    fit = logistic(np.column_stack([data.X, rare]), data.y, max_steps=50)
    assert not fit.converged
    assert fit.w[-1] > 10
