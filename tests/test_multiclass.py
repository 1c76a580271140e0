"""More than two classes: rules by hand, every tie, and scikit-learn's reductions."""

from dataclasses import dataclass

import numpy as np
import pytest

from mlcore.linear import LinearRule
from mlcore.multiclass import linear_machine, one_vs_one, one_vs_rest
from mlcore.neighbors import knn
from mlcore.perceptron import perceptron
from mlcore.solvers import nearest

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


def brute_force(X, labels, queries, k):
    """One query at a time: sort by distance, count, break ties by who is nearest."""
    predicted, chosen = [], []
    for q in queries:
        far = [sum((a - b) ** 2 for a, b in zip(x, q, strict=True)) for x in X]
        near = sorted(range(len(X)), key=lambda i: (far[i], i))[:k]
        votes = [labels[i] for i in near]
        most = max(votes.count(v) for v in votes)
        predicted.append(next(v for v in votes if votes.count(v) == most))
        chosen.append(near)
    return predicted, chosen


class TestNearestNeighbors:
    def test_by_hand(self):
        X = [[0.0], [2.0], [2.0], [5.0], [6.0]]
        labels = ["p", "q", "r", "r", "q"]
        found = knn(X, labels, [[1.0], [4.0], [9.0]], k=2)
        assert found.indices.tolist() == [[0, 1], [3, 1], [4, 3]]
        assert found.distances.tolist() == [[1, 1], [1, 2], [3, 4]]
        assert found.predicted.tolist() == ["p", "r", "q"]  # one vote each: the nearest
        more = knn(X, labels, [[1.0], [4.0], [9.0]], k=4)
        assert more.indices.tolist() == [[0, 1, 2, 3], [3, 1, 2, 4], [4, 3, 1, 2]]
        assert more.predicted.tolist() == ["r", "r", "q"]

    @pytest.mark.parametrize("k", [1, 2, 3, 7, 12])
    def test_brute_force_with_ties(self, k):
        for seed in range(40):
            rng = np.random.default_rng(seed)
            X = rng.integers(-2, 3, size=(rng.integers(k, 60), 2)) + 0.0
            labels = rng.integers(0, 3, size=len(X))
            queries = rng.integers(-3, 4, size=(9, 2)) + 0.0
            predicted, chosen = brute_force(X, labels, queries, k)
            found = knn(X, labels, queries, k=k)
            assert found.indices.tolist() == chosen
            assert found.predicted.tolist() == predicted

    def test_near_ties_far_from_the_origin(self):
        """Differences that float32 does not see: 1e-9 beside coordinates of 1e4."""
        rng = np.random.default_rng(0)
        for _ in range(20):
            X = rng.choice([-1e4, 1e4], size=(100, 3)) + 1e-9 * rng.normal(size=(100, 3))
            labels = rng.integers(0, 4, size=100)
            queries = rng.choice([-1e4, 1e4], size=(8, 3))
            predicted, chosen = brute_force(X, labels, queries, 5)
            found = knn(X, labels, queries, k=5)
            assert found.indices.tolist() == chosen
            assert found.predicted.tolist() == predicted

    def test_distances_of_any_size(self):
        for unit in 1e-320, 1e-200, 1e-100, 1.0, 1e100, 1e149:
            X = unit * np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
            found = knn(X, [0, 1, 2], X[:1], k=3)
            assert found.indices.tolist() == [[0, 1, 2]]
            np.testing.assert_allclose(
                found.distances, [[0, 5 * unit, 10 * unit]], rtol=1e-3
            )
        wide = np.array([[0.0], [1e-200], [2e-200], [1e150]])
        assert knn(wide, [0, 1, 2, 3], [[1.9e-200]], k=2).indices.tolist() == [[2, 1]]

    def test_blocks_change_nothing(self, monkeypatch):
        rng = np.random.default_rng(0)
        X, labels = rng.normal(size=(50, 3)), rng.integers(0, 3, size=50)
        queries = rng.normal(size=(40, 3))
        whole = knn(X, labels, queries, k=4)
        for size in 1, 7, 130, 600:
            monkeypatch.setattr(nearest, "BLOCK", size)
            parts = knn(X, labels, queries, k=4)
            np.testing.assert_array_equal(parts.indices, whole.indices)
            np.testing.assert_array_equal(parts.distances, whole.distances)
            np.testing.assert_array_equal(parts.predicted, whole.predicted)

    def test_memory_is_bounded(self):
        import tracemalloc

        rng = np.random.default_rng(0)
        X, labels = rng.normal(size=(3000, 4)), rng.integers(0, 3, size=3000)
        queries = rng.normal(size=(6000, 4))  # all distances: 144 MB
        tracemalloc.start()
        knn(X, labels, queries, k=3)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 60e6

    def test_float32_is_off_by_less_than_the_doubt(self):
        rng = np.random.default_rng(0)
        for d in 1, 10, 300:
            X, queries = rng.normal(size=(200, d)) + 3, rng.normal(size=(50, d))
            examples = nearest._Examples(X, queries, 3)
            Q = examples._small(queries)
            D = np.column_stack([Q, np.ones(50, dtype=np.float32)]) @ examples.columns
            Z, Q64 = ((A - examples.center) / examples.size for A in (X, queries))
            exact = (Z**2).sum(axis=1) - 2 * Q64 @ Z.T
            off = np.abs(D[:, :200] - exact).max(axis=1)
            assert np.all(off <= examples._doubt(Q) / 2)
            assert np.all(examples._doubt(Q) < 1e-4 * (d + 6))

    @pytest.mark.slow
    def test_scikit_learn(self):
        from sklearn.datasets import load_digits
        from sklearn.neighbors import KNeighborsClassifier

        X, labels = load_digits(return_X_y=True)
        X = X + 1e-3 * np.random.default_rng(0).normal(size=X.shape)  # no ties
        for k in 1, 5:
            model = KNeighborsClassifier(k, algorithm="brute").fit(X[::2], labels[::2])
            distances, indices = model.kneighbors(X[1::2])
            found = knn(X[::2], labels[::2], X[1::2], k=k)
            np.testing.assert_array_equal(found.indices, indices)
            np.testing.assert_allclose(found.distances, distances, rtol=1e-7)
            predicted = model.predict(X[1::2])
            votes = np.sort([np.bincount(v, minlength=10) for v in labels[::2][indices]])
            clear = votes[:, -1] > votes[:, -2]
            np.testing.assert_array_equal(found.predicted[clear], predicted[clear])


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

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"k": 0}, "k must be at least 1; got 0"),
            ({"k": 4}, "k must be at most 3; got 4"),
            ({"k": 1.0}, "k must be an integer; got 1.0"),
            ({"queries": [[1.0]]}, "queries must have 2 columns"),
            ({"queries": [[1.0, np.inf]]}, "queries must be finite"),
            ({"labels": [1, 2]}, "labels must have 3 entries; got 2"),
        ],
        ids=str,
    )
    def test_knn(self, change, message):
        good = {"X": CORNERS, "labels": [0, 1, 2], "queries": [[1.0, 2.0]], "k": 1}
        with pytest.raises(ValueError, match=message):
            knn(**(good | change))

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
        found = knn(X, index, X, k=3)
        for same in X.astype(np.float32), np.asfortranarray(X), wide[:, ::2], X.tolist():
            again = knn(same, list(index), same, k=3)
            np.testing.assert_array_equal(again.indices, found.indices)
            for function in one_vs_rest, one_vs_one, linear_machine:
                function(one_epoch, same, index).predict(same)
        np.testing.assert_array_equal(X, before)
