"""More than two classes: rules by hand, and every tie."""

from dataclasses import dataclass

import numpy as np
import pytest

from mlcore.linear import LinearRule
from mlcore.multiclass import linear_machine, one_vs_one, one_vs_rest
from mlcore.perceptron import perceptron


def through_origin(X, y):
    return perceptron(X, y, bias=False, max_epochs=2000)


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


class TestOneVsRest:
    def test_by_hand(self):
        X, labels = [[0.0], [1.0], [2.0], [3.0]], ["b", "a", "c", "a"]
        rules = dealt(lambda x: 2 - x, lambda x: x - 2, lambda x: 0.5 + 0 * x)
        seen = []

        def fit(X, y):
            seen.append(y.tolist())
            return rules(X, y)

        model = one_vs_rest(fit, X, labels)
        assert seen == [[-1, 1, -1, 1], [1, -1, -1, -1], [-1, -1, 1, -1]]
        assert model.classes.tolist() == ["a", "b", "c"]
        assert len(model.rules) == 3
        Q = [[0.0], [1.5], [2.0], [2.5], [4.0]]
        scores = [[2, -2], [0.5, -0.5], [0, 0], [-0.5, 0.5], [-2, 2]]
        assert model.scores(Q).tolist() == [[*pair, 0.5] for pair in scores]
        assert model.predict(Q).tolist() == ["a", "a", "c", "b", "b"]
        assert model.claims(Q)[:, 0].tolist() == [True, True, True, False, False]
        assert model.claims(Q).sum(axis=1).tolist() == [2, 2, 3, 2, 2]

    def test_the_form_with_one_rule_less(self):
        X, labels = [[0.0], [1.0], [2.0]], [5, 6, 7]
        model = one_vs_rest(dealt(lambda x: x, lambda x: 2 * x), X, labels, form="K-1")
        assert len(model.rules) == 2
        Q = [[-1.0], [0.0], [1.0]]  # no rule claims -1, both tie at 0
        assert model.predict(Q).tolist() == [7, 5, 6]
        assert model.claims(Q).tolist() == [[False] * 2, [True] * 2, [True] * 2]
        assert model.scores(Q).tolist() == [[-1, -2, 0], [0, 0, 0], [1, 2, 0]]


class TestOneVsOne:
    def test_by_hand(self):
        X, labels = [[1.0], [2.0], [3.0]], [2, 0, 1]
        seen = []

        def fit(X, y):
            seen.append((X[:, 0].tolist(), y.tolist()))
            return Fixed(lambda x: x)

        model = one_vs_one(fit, X, labels)
        assert model.pairs == ((0, 1), (0, 2), (1, 2))
        pairs = [([2.0, 3.0], [1, -1]), ([1.0, 2.0], [-1, 1]), ([1.0, 3.0], [-1, 1])]
        assert seen == pairs
        votes = [[2, 1, 0], [0, 1, 2], [2, 1, 0]]
        assert model.votes([[1.0], [-1.0], [0.0]]).tolist() == votes
        assert model.predict([[1.0], [-1.0]]).tolist() == [0, 2]

    @pytest.mark.parametrize(
        ("scores", "expected"),
        [
            ((1, -2, 4), "b"),  # a, c, b: a vote each; the sums are -1, 3, -2
            ((1, -1, 1), "a"),  # a vote each, all sums 0: the first class
            ((-3, 2, -1), "b"),  # b, a, c: a vote each; -1, 2, -1
            ((5, -9, -1), "c"),  # c has two votes
            ((1, 1, 99), "a"),  # a has two votes, b the largest sum
        ],
    )
    def test_sums_of_scores_settle_ties(self, scores, expected):
        fits = (lambda x, s=s: s + 0 * x for s in scores)
        model = one_vs_one(dealt(*fits), [[1.0], [2.0], [3.0]], ["a", "b", "c"])
        assert model.predict([[0.0]]).tolist() == [expected]

    def test_scores_by_hand(self):
        """A vote each; the sums are 1 - 2, -1 + 4 and 2 - 4, which add less than 1/3."""
        fits = (lambda x, s=s: s + 0 * x for s in (1, -2, 4))
        model = one_vs_one(dealt(*fits), [[1.0], [2.0], [3.0]], ["a", "b", "c"])
        scores = [1 - 1 / 6, 1 + 3 / 12, 1 - 2 / 9]
        np.testing.assert_allclose(model.scores([[0.0]]), [scores], rtol=1e-14)


class TestLinearMachine:
    def test_the_demands_come_in_a_circle(self):
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


@pytest.mark.parametrize("function", [one_vs_rest, one_vs_one, linear_machine])
def test_one_class_is_refused(function):
    with pytest.raises(ValueError, match="labels must hold 2 classes or more; got"):
        function(through_origin, np.eye(3, 2), [1, 1, 1])


def test_a_machine_of_rules_with_a_bias_is_refused():
    with pytest.raises(ValueError, match="fit must return a LinearRule without bias"):
        linear_machine(perceptron, [[0.0, 3.0], [3.0, 0.0], [-3.0, -3.0]], [0, 1, 2])


def test_a_rule_with_wrong_scores_is_refused():
    for score in (lambda x: x[:-1]), (lambda x: x * np.nan):
        model = one_vs_rest(dealt(score, score), [[1.0], [2.0]], [0, 1])
        with pytest.raises(ValueError, match="the scores of a rule must"):
            model.predict([[1.0], [2.0]])
