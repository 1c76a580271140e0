"""More than two classes: rules by hand, and every tie."""

from dataclasses import dataclass

import numpy as np
import pytest

from mlcore.linear import LinearRule
from mlcore.multiclass import linear_machine, one_vs_one, one_vs_rest
from mlcore.perceptron import perceptron


@dataclass
class Fixed:
    """A rule with the score that a function gives."""

    score: object

    def decision_function(self, X):
        return self.score(X[:, 0])


def dealt(*scores):
    """A fit that ignores the data: the first call returns the first score, and so on."""
    rules = iter(scores)
    return lambda X, y: Fixed(next(rules))


def test_the_form_with_one_rule_less():
    X, labels = [[0.0], [1.0], [2.0]], [5, 6, 7]
    model = one_vs_rest(dealt(lambda x: x, lambda x: 2 * x), X, labels, form="K-1")
    assert len(model.rules) == 2
    Q = [[-1.0], [0.0], [1.0]]  # no rule claims -1, both tie at 0
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
def test_sums_of_scores_settle_ties(scores, expected, sums):
    """A sum s adds s / (3 (|s| + 1)), which is less than 1/3."""
    fits = (lambda x, s=s: s + 0 * x for s in scores)
    model = one_vs_one(dealt(*fits), [[1.0], [2.0], [3.0]], ["a", "b", "c"])
    assert model.predict([[0.0]]).tolist() == [expected]
    np.testing.assert_allclose(model.scores([[0.0]]), [sums], rtol=1e-14)


def test_the_demands_come_in_a_circle():
    """The class after its own comes first; every second demand is turned around."""
    seen = []

    def fit(Z, signs):
        seen.extend([Z, signs])
        return LinearRule(np.arange(6.0), 0.0)

    model = linear_machine(fit, [[2.0], [3.0], [5.0]], [0, 1, 2])
    Z, signs = seen
    assert signs.tolist() == [1, -1, 1, -1, 1, -1]
    assert (signs[:, None] * Z).tolist() == [
        [2, 1, -2, -1, 0, 0],
        [2, 1, 0, 0, -2, -1],
        [0, 0, 3, 1, -3, -1],
        [-3, -1, 3, 1, 0, 0],
        [-5, -1, 0, 0, 5, 1],
        [0, 0, -5, -1, 5, 1],
    ]
    assert model.W.tolist() == [[0], [2], [4]]
    assert model.b.tolist() == [1, 3, 5]


def test_a_machine_of_rules_with_a_bias_is_refused():
    with pytest.raises(ValueError, match="fit must return a LinearRule without bias"):
        linear_machine(perceptron, [[0.0, 3.0], [3.0, 0.0], [-3.0, -3.0]], [0, 1, 2])


def test_a_rule_with_wrong_scores_is_refused():
    for score in (lambda x: x[:-1]), (lambda x: x * np.nan):
        model = one_vs_rest(dealt(score, score), [[1.0], [2.0]], [0, 1])
        with pytest.raises(ValueError, match="the scores of a rule must"):
            model.predict([[1.0], [2.0]])
