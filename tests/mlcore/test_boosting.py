"""AdaBoost and stumps against their definitions, and the stopping rules."""

import numpy as np
import pytest

from mlcore.boosting import Stump, adaboost, best_stump, vote_weight
from tests.helpers.assertions import equals
from tests.helpers.optimality_cases import Case
from tests.helpers.signatures import BOOSTED, STUMP


def stump_labels(stump, X):
    return np.where(X[:, stump.feature] >= stump.threshold, stump.sign, -stump.sign)


def staged_scores(X):
    """Return the scores after each round, (T, n)."""
    pairs = zip(BOOSTED.alpha, BOOSTED.stumps, strict=True)
    return np.cumsum([alpha * stump_labels(h, X) for alpha, h in pairs], axis=0)


def smallest_error(X, y, D):
    """Return the smallest weighted error of all stumps."""
    smallest = min(D[y < 0].sum(), D[y > 0].sum())
    for column in X.T:
        wrong = [D[np.where(column >= t, 1, -1) != y].sum() for t in np.unique(column)]
        smallest = min(smallest, *wrong, D.sum() - max(wrong))
    return smallest


def best_stump_claims(stump, X, y, weights):
    D = weights / weights.sum()
    yield "error", abs(D[stump_labels(stump, X) != y].sum() - stump.error), 1e-12
    yield "no stump is better", stump.error - smallest_error(X, y, D), 1e-12


def adaboost_claims(fit, X, y, rounds, start, keep_weights):
    """Recompute every round from the definition."""
    D = np.ones(len(y))
    if start == "balanced":
        D = D / np.where(y > 0, D[y > 0].sum(), D[y < 0].sum())
    D = D / D.sum()
    first, F = D, np.zeros(len(y))
    for t, h in enumerate(fit.stumps):
        labels = stump_labels(h, X)
        error = D[labels != y].sum()
        yield "weights", np.abs(fit.weights[t] - D) if keep_weights else 0, 1e-9
        yield "no stump is better", error - smallest_error(X, y, D), 1e-9
        yield "epsilon", abs(error - fit.epsilon[t]), 1e-9
        F = F + fit.alpha[t] * labels
        if fit.stopped == "perfect":
            yield "a perfect stump is used alone", [len(fit.stumps) != 1, error], 0
            yield "alpha, Z and the bound", [*fit.alpha - 1, *fit.Z, *fit.bound], 0
            break
        odds = (1 - fit.epsilon[t]) / fit.epsilon[t]
        yield "alpha", abs(fit.alpha[t] - np.log(odds) / 2), 1e-9
        D = D * np.exp(-fit.alpha[t] * y * labels)
        yield "Z", abs(fit.Z[t] - D.sum()), 1e-9
        yield "the bound is the loss", abs(fit.bound[t] - first @ np.exp(-y * F)), 1e-9
        D = D / D.sum()
    yield "scores", np.abs(fit.decision_function(X) - F), 1e-9 * fit.alpha.sum()
    rows = fit.weights is not None and len(fit.weights) != len(fit.stumps) + 1
    yield "rows of weights", rows or (fit.weights is None) == keep_weights, 0
    if fit.stopped == "no edge":
        yield "no stump has an edge", 0.5 - smallest_error(X, y, D), 1e-9
    yield "rounds", fit.stopped == "rounds" and len(fit.stumps) != rounds, 0


ORACLES = {
    STUMP.predict: equals(lambda X: stump_labels(STUMP, X)),
    BOOSTED.decision_function: equals(lambda X: staged_scores(X)[-1]),
    BOOSTED.predict: equals(lambda X: np.where(staged_scores(X)[-1] >= 0, 1.0, -1.0)),
    BOOSTED.staged_scores: equals(staged_scores),
    BOOSTED.staged_margins: equals(
        lambda X, y: y * staged_scores(X) / np.cumsum(BOOSTED.alpha)[:, None]
    ),
    best_stump: best_stump_claims,
    adaboost: adaboost_claims,
    vote_weight: equals(lambda epsilon: np.log((1 - epsilon) / epsilon) / 2),
}
CASES = [
    Case(adaboost, options={"rounds": 25, "start": start, "keep_weights": True})
    for start in ("uniform", "balanced")
]
ERRORS = {
    "y must contain both -1 and +1": lambda: adaboost([[1], [2]], [1, 1], start="balanced"),
    "the number of columns of X must be": lambda: Stump(1, 3.0, 1, 0.0).predict([[9.0]]),
}


def test_stump_threshold_between_adjacent_floats():
    low, high = 2.0**52, 2.0**52 + 1
    stump = best_stump([[high], [low]], [1, -1], [1, 1])
    assert low < stump.threshold <= high and stump.error == 0


@pytest.mark.parametrize(("j", "sign"), [(0, 1), (1700, -1), (3999, 1)])
def test_best_stump_of_many_features(j, sign):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 4000)), np.resize([1.0, -1.0, -1.0], 40)
    X[:, j] = sign * y
    assert best_stump(X, y, np.ones(40)) == Stump(j, 0.0, sign, 0.0)


def test_xor_stops_with_no_edge():
    X, y = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [-1, 1, 1, -1]
    fit = adaboost(X, y, rounds=10, keep_weights=True)
    assert (fit.stopped, fit.stumps, fit.weights.tolist()) == ("no edge", (), [[0.25] * 4])
    assert fit.predict(X).tolist() == [1] * 4
    assert fit.staged_scores(X).shape == fit.staged_margins(X, y).shape == (0, 4)
