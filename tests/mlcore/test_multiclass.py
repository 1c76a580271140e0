"""Reductions of many classes to two: the fitted rules, their votes, and all ties."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from mlcore.linear import LinearRule
from mlcore.multiclass import linear_machine, one_vs_one, one_vs_rest
from tests.helpers.assertions import equals, scores_oracle
from tests.helpers.signatures import ONE_VS_REST

RULES = np.array([rule.w for rule in ONE_VS_REST.rules])


def sum_claims(rule, plus, minus):
    """`fit` of signatures.py returns w = y @ X: the sum over +1 minus the sum over -1."""
    size = np.abs(plus).sum(axis=0) + np.abs(minus).sum(axis=0)
    yield "w", np.abs(rule.w - plus.sum(axis=0) + minus.sum(axis=0)), 1e-14 * size


def one_vs_rest_claims(found, fit, X, labels, form):
    classes = np.unique(labels)
    yield "classes", found.classes.tolist() != classes.tolist(), 0
    fitted = classes if form == "K" else classes[:-1]
    for label, rule in zip(fitted, found.rules, strict=True):
        yield from sum_claims(rule, X[labels == label], X[labels != label])


def one_vs_one_claims(found, fit, X, labels):
    classes = np.unique(labels)
    yield "pairs", list(found.pairs) != list(combinations(range(len(classes)), 2)), 0
    for (k, m), rule in zip(found.pairs, found.rules, strict=True):
        yield from sum_claims(rule, X[labels == classes[k]], X[labels == classes[m]])


ORACLES = {
    one_vs_rest: one_vs_rest_claims,
    one_vs_one: one_vs_one_claims,
    ONE_VS_REST.scores: scores_oracle(RULES, np.zeros(3)),
    ONE_VS_REST.predict: equals(
        lambda X: np.array([*"abc"])[ONE_VS_REST.scores(X).argmax(axis=1)]
    ),
    ONE_VS_REST.claims: equals(lambda X: X @ RULES.T >= 0),
}


def fit_with_scores(*scores):
    """Return a fit that ignores the data: its k-th rule has the k-th score function."""
    scores = iter(scores)

    def fit(X, y):
        score = next(scores)
        return SimpleNamespace(decision_function=lambda X: score(X[:, 0]))

    return fit


def test_form_k_minus_1_gives_last_class_score_zero():
    X, labels = [[0.0], [1.0], [2.0]], [5, 6, 7]
    fit = fit_with_scores(lambda x: x, lambda x: 2 * x)
    model = one_vs_rest(fit, X, labels, form="K-1")
    assert len(model.rules) == 2
    Q = [[-1.0], [0.0], [1.0]]  # no rule claims x = -1; both tie at x = 0
    assert model.predict(Q).tolist() == [7, 5, 6]
    assert model.claims(Q).tolist() == [[False] * 2, [True] * 2, [True] * 2]
    assert model.scores(Q).tolist() == [[-1, -2, 0], [0, 0, 0], [1, 2, 0]]


@pytest.mark.parametrize(
    ("scores", "expected", "sums"),
    [
        ((1, -2, 4), "b", (1 - 1 / 6, 1 + 3 / 12, 1 - 2 / 9)),  # a, c, b: a vote each
        ((1, -1, 1), "a", (1, 1, 1)),  # a vote each, all sums 0: the first class
        ((0, 0, 0), "a", (2, 1, 0)),  # a score of 0 is a vote for the first of the pair
        ((5, -9, -1), "c", (1 - 4 / 15, -6 / 21, 2 + 10 / 33)),  # c has two votes
        ((1, 1, 99), "a", (2 + 2 / 9, 1 + 98 / 297, -100 / 303)),  # the sum of b is larger
    ],
)
def test_sums_of_scores_break_ties(scores, expected, sums):
    """A sum of scores s adds s / (3 (|s| + 1)), less than 1/3, to the votes."""
    fit = fit_with_scores(*(lambda x, s=s: s + 0 * x for s in scores))
    model = one_vs_one(fit, [[1.0], [2.0], [3.0]], ["a", "b", "c"])
    assert model.predict([[0.0]]).tolist() == [expected]
    np.testing.assert_allclose(model.scores([[0.0]]), [sums], rtol=1e-14)


def test_order_and_signs_of_kesler_vectors():
    """The next class comes first; every other vector is negated."""
    calls = []

    def fit(Z, signs):
        calls.extend([Z, signs])
        return LinearRule(np.arange(6.0), 0.0)

    model = linear_machine(fit, [[2.0], [3.0], [5.0]], [0, 1, 2])
    Z, signs = calls
    assert signs.tolist() == [1, -1, 1, -1, 1, -1]
    assert (signs[:, None] * Z).tolist() == [
        [2, 1, -2, -1, 0, 0],
        [2, 1, 0, 0, -2, -1],
        [0, 0, 3, 1, -3, -1],
        [-3, -1, 3, 1, 0, 0],
        [-5, -1, 0, 0, 5, 1],
        [0, 0, -5, -1, 5, 1],
    ]
    assert (model.W.tolist(), model.b.tolist()) == ([[0], [2], [4]], [1, 3, 5])


@pytest.mark.parametrize("score", [lambda x: x[:-1], lambda x: x * np.nan])
def test_invalid_scores_of_a_rule_raise(score):
    model = one_vs_rest(fit_with_scores(score, score), [[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="the scores of a rule must"):
        model.predict([[1.0], [2.0]])
