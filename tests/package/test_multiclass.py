"""More than two classes: rules by hand, every tie, and scikit-learn's reductions."""

from dataclasses import dataclass

import numpy as np
import pytest

from mlcore.linear import LinearRule
from mlcore.multiclass import linear_machine, one_vs_one, one_vs_rest
from mlcore.perceptron import perceptron

CORNERS = np.array([[0.0, 3.0], [3.0, 0.0], [-3.0, -3.0]])


def blobs(seed, *, n=90, K=3, spread=1.0):
    rng = np.random.default_rng(seed)
    index = np.resize(np.arange(K), n)
    centers = 3 * rng.normal(size=(K, 2))
    return centers[index] + spread * rng.normal(size=(n, 2)), index


def squares(X, y):
    """Least squares, a fit in one line."""
    v = np.linalg.lstsq(np.column_stack([X, np.ones(len(X))]), y, rcond=None)[0]
    return LinearRule(v[:-1], float(v[-1]))


def through_origin(X, y):
    return perceptron(X, y, bias=False, max_epochs=2000)


def one_epoch(X, y):
    return perceptron(X, y, bias=False, max_epochs=1)


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
        seen = []

        def fit(X, y):
            seen.append(y.tolist())
            return Fixed(lambda x: [2 - x, x - 2, 0.5 + 0 * x][len(seen) - 1])

        model = one_vs_rest(fit, X, labels)
        assert seen == [[-1, 1, -1, 1], [1, -1, -1, -1], [-1, -1, 1, -1]]
        assert model.classes.tolist() == ["a", "b", "c"]
        model = one_vs_rest(
            dealt(lambda x: 2 - x, lambda x: x - 2, lambda x: 0.5 + 0 * x), X, labels
        )
        Q = [[0.0], [1.5], [2.0], [2.5], [4.0]]
        assert model.scores(Q).tolist() == [
            [2, -2, 0.5],
            [0.5, -0.5, 0.5],
            [0, 0, 0.5],
            [-0.5, 0.5, 0.5],
            [-2, 2, 0.5],
        ]
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

    def test_two_classes_agree_in_both_forms(self):
        X, index = blobs(0, K=2)
        both = one_vs_rest(squares, X, index)
        one = one_vs_rest(squares, X, index, form="K-1")
        np.testing.assert_array_equal(both.predict(X), one.predict(X))

    @pytest.mark.slow
    def test_scikit_learn(self):
        from sklearn.multiclass import OneVsRestClassifier

        for seed in range(10):
            X, index = blobs(seed, K=5)
            theirs = OneVsRestClassifier(_estimator()).fit(X, index)
            ours = one_vs_rest(squares, X, index)
            np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
            np.testing.assert_allclose(
                ours.scores(X), theirs.decision_function(X), atol=1e-9
            )


class TestOneVsOne:
    def test_by_hand(self):
        X, labels = [[1.0], [2.0], [3.0]], [2, 0, 1]
        seen = []

        def fit(X, y):
            seen.append((X[:, 0].tolist(), y.tolist()))
            return Fixed(lambda x: x)

        model = one_vs_one(fit, X, labels)
        assert model.pairs == ((0, 1), (0, 2), (1, 2))
        assert seen == [
            ([2.0, 3.0], [1, -1]),
            ([1.0, 2.0], [-1, 1]),
            ([1.0, 3.0], [-1, 1]),
        ]
        assert model.votes([[1.0], [-1.0], [0.0]]).tolist() == [
            [2, 1, 0],
            [0, 1, 2],
            [2, 1, 0],
        ]
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
    def test_ties(self, scores, expected):
        fits = (lambda x, s=s: s + 0 * x for s in scores)
        model = one_vs_one(dealt(*fits), [[1.0], [2.0], [3.0]], ["a", "b", "c"])
        assert model.predict([[0.0]]).tolist() == [expected]

    def test_scores_by_hand(self):
        """A vote each; the sums are 1 - 2, -1 + 4 and 2 - 4, which add less than 1/3."""
        fits = (lambda x, s=s: s + 0 * x for s in (1, -2, 4))
        model = one_vs_one(dealt(*fits), [[1.0], [2.0], [3.0]], ["a", "b", "c"])
        scores = [1 - 1 / 6, 1 + 3 / 12, 1 - 2 / 9]
        np.testing.assert_allclose(model.scores([[0.0]]), [scores], rtol=1e-14)

    @pytest.mark.slow
    def test_scikit_learn(self):
        from sklearn.multiclass import OneVsOneClassifier

        tied = 0
        for seed in range(30):
            X, index = blobs(seed, K=5, spread=3.0)
            Q = 9 * np.random.default_rng(seed).normal(size=(300, 2))
            theirs = OneVsOneClassifier(_estimator()).fit(X, index)
            ours = one_vs_one(squares, X, index)
            np.testing.assert_array_equal(ours.predict(Q), theirs.predict(Q))
            votes = np.sort(ours.votes(Q), axis=1)
            assert np.all(votes.sum(axis=1) == 10)
            tied += np.sum(votes[:, -1] == votes[:, -2])
        assert tied > 50


class TestLinearMachine:
    def test_by_hand(self):
        # x = 1 (class 0), x = -1 (class 1): z = (1, 1, -1, -1), then the demand of
        # the second is -(-1, 1, 1, -1), sign -1; v = 0, then (1, 1, -1, -1), scores 0
        # and is added too: (2, 0, -2, 0)
        model = linear_machine(through_origin, [[1.0], [-1.0]], ["p", "q"])
        assert model.W.tolist() == [[2.0], [-2.0]]
        assert model.b.tolist() == [0.0, 0.0]
        assert model.classes.tolist() == ["p", "q"]
        assert model.scores([[3.0]]).tolist() == [[6.0, -6.0]]
        assert model.predict([[3.0], [-0.5], [0.0]]).tolist() == ["p", "q", "p"]

    def test_it_separates_what_a_linear_machine_can(self):
        for seed in range(20):
            rng = np.random.default_rng(seed)
            W, b = rng.normal(size=(4, 3)), rng.normal(size=4)
            X = rng.normal(size=(60, 3))
            scores = np.sort(X @ W.T + b, axis=1)
            X = X[scores[:, -1] - scores[:, -2] > 0.2]
            labels = (X @ W.T + b).argmax(axis=1)
            if len(set(labels)) > 1:
                model = linear_machine(through_origin, X, labels)
                np.testing.assert_array_equal(model.predict(X), labels)

    def test_every_demand_is_an_example(self):
        X, index = blobs(0, n=7, K=3)
        seen = []

        def fit(Z, signs):
            seen.append((Z, signs))
            return LinearRule(np.arange(9.0) ** 2, 0.0)

        model = linear_machine(fit, X, index)
        Z, signs = seen[0]
        assert Z.shape == (14, 9)
        assert {-1.0, 1.0} == set(signs)
        gaps = model.scores(X)[np.arange(7), index][:, None] - model.scores(X)
        others = [gaps[i, k] for i in range(7) for k in range(3) if k != index[i]]
        asked = signs * (Z @ np.arange(9.0) ** 2)
        np.testing.assert_allclose(np.sort(asked), np.sort(others), rtol=1e-12)

    def test_the_order_of_the_demands(self):
        """The other classes come in a circle: the next one first."""
        seen = []

        def fit(Z, signs):
            seen.append(signs[:, None] * Z)
            return LinearRule(np.zeros(6), 0.0)

        linear_machine(fit, [[2.0], [3.0], [5.0]], [0, 1, 2])
        assert seen[0].tolist() == [
            [2, 1, -2, -1, 0, 0],
            [2, 1, 0, 0, -2, -1],
            [0, 0, 3, 1, -3, -1],
            [-3, -1, 3, 1, 0, 0],
            [-5, -1, 0, 0, 5, 1],
            [0, 0, -5, -1, 5, 1],
        ]

    def test_its_regions_are_convex(self):
        X, index = blobs(1, K=4)
        model = linear_machine(through_origin, X, index)
        rng = np.random.default_rng(0)
        P, Q, t = rng.normal(size=(500, 2)), rng.normal(size=(500, 2)), rng.random(500)
        P, Q = 5 * P, 5 * Q
        same = model.predict(P) == model.predict(Q)
        between = (t[:, None] * P + (1 - t[:, None]) * Q)[same]
        np.testing.assert_array_equal(model.predict(between), model.predict(P[same]))
        assert 100 < same.sum() < 500

    def test_a_bias_is_refused(self):
        with pytest.raises(ValueError, match="fit must return a LinearRule without bias"):
            linear_machine(perceptron, CORNERS, [0, 1, 2])


def _estimator():
    from sklearn.base import BaseEstimator, ClassifierMixin

    class Squares(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_, index = np.unique(y, return_inverse=True)
            self.rule = squares(X, 2.0 * index - 1)
            return self

        def decision_function(self, X):
            return self.rule.decision_function(X)

        def predict(self, X):
            return self.classes_[(self.decision_function(X) > 0).astype(int)]

    return Squares()


class TestInput:
    @pytest.mark.parametrize("function", [one_vs_rest, one_vs_one, linear_machine])
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"fit": 3}, "fit must be a function; got 3"),
            ({"X": [[np.nan]] * 3}, "X must be finite"),
            ({"X": [1.0, 2.0, 3.0]}, "X must be a matrix"),
            ({"labels": [1, 1, 1]}, "labels must hold at least two classes; got only 1"),
            ({"labels": ["a", "b"]}, "labels must have 3 labels; got 2"),
            ({"labels": [None, 1, 2]}, "labels must be an array of real numbers"),
        ],
        ids=str,
    )
    def test_reductions(self, function, change, message):
        good = {"fit": through_origin, "X": CORNERS, "labels": [0, 1, 2]}
        with pytest.raises(ValueError, match=message):
            function(**(good | change))

    def test_the_form(self):
        with pytest.raises(ValueError, match="form must be one of 'K', 'K-1'; got 'k'"):
            one_vs_rest(squares, CORNERS, [0, 1, 2], form="k")

    def test_a_rule_with_wrong_scores(self):
        for score in (lambda x: x[:-1]), (lambda x: x / 0 * np.nan):
            model = one_vs_rest(dealt(score, score), [[1.0], [2.0]], [0, 1])
            with (
                np.errstate(all="ignore"),
                pytest.raises(ValueError, match="the scores of a rule must"),
            ):
                model.predict([[1.0], [2.0]])

    def test_prediction(self):
        for function in one_vs_rest, one_vs_one, linear_machine:
            model = function(through_origin, CORNERS, ["a", "b", "c"])
            assert model.predict(CORNERS).dtype.kind == "U"
            with pytest.raises(ValueError, match="X must have 2 columns"):
                model.predict([[1.0]])

    def test_any_layout_and_type_and_nothing_changes(self):
        X, index = blobs(0)
        X = X.astype(np.float32).astype(float)
        wide, before = np.repeat(X, 2, axis=1), X.copy()
        X.setflags(write=False)
        for same in X.astype(np.float32), np.asfortranarray(X), wide[:, ::2], X.tolist():
            for function in one_vs_rest, one_vs_one, linear_machine:
                function(one_epoch, same, index).predict(same)
        np.testing.assert_array_equal(X, before)
