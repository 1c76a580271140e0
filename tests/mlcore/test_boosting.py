"""AdaBoost against its definition, and its stopping rules."""

import numpy as np
import pytest

from mlcore.boosting import Stump, adaboost, best_stump
from tests.helpers.claims import judge
from tests.helpers.oracles import of_adaboost

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [-1, 1, 1, -1]


def random_data(seed, *, max_n=40):
    """Overlapping classes with ties, a constant feature and a duplicated feature."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(4, max_n), rng.integers(1, 5)
    X = rng.normal(size=(n, d)) if seed % 2 else rng.integers(-3, 4, size=(n, d)) / 2
    X = np.column_stack([X, np.ones(n), X[:, 0]])
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return X, y


def test_weights_are_none_by_default():
    assert adaboost(*XOR, rounds=2).weights is None


def test_stump_without_its_feature_raises():
    with pytest.raises(ValueError, match="the number of columns of X must be"):
        Stump(1, 3.0, -1.0, 0.0).predict([[9.0]])


class TestBestStump:
    def test_threshold_between_adjacent_floats(self):
        low, high = 2.0**52, 2.0**52 + 1
        stump = best_stump([[high], [low]], [1, -1], [1, 1])
        assert low < stump.threshold <= high
        assert stump.error == 0

    @pytest.mark.parametrize("sign", [1, -1])
    @pytest.mark.parametrize("j", [0, 1700, 3999])
    def test_finds_best_of_many_features(self, j, sign):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(40, 4000)), np.resize([1.0, -1.0, -1.0], 40)
        X[:, j] = sign * y
        assert best_stump(X, y, np.ones(40)) == Stump(j, 0.0, sign, 0.0)


@pytest.mark.parametrize("start", ["uniform", "balanced"])
@pytest.mark.parametrize("seed", range(25))
def test_adaboost_matches_definition(seed, start):
    X, y = random_data(seed)
    given = {"rounds": 25, "start": start, "keep_weights": True}
    fit = adaboost(X, y, **given)
    judge(of_adaboost, fit, {"X": X, "y": y, **given})


class TestStopping:
    def test_xor_stops_with_no_edge(self):
        assert best_stump(*XOR, np.ones(4)).error == 0.5
        fit = adaboost(*XOR, rounds=10, keep_weights=True)
        assert fit.stopped == "no edge"
        assert fit.stumps == ()
        assert fit.weights.tolist() == [[0.25] * 4]
        assert fit.decision_function(XOR[0]).tolist() == [0] * 4
        assert fit.predict(XOR[0]).tolist() == [1] * 4
        assert fit.staged_scores(XOR[0]).shape == fit.staged_margins(*XOR).shape == (0, 4)

    def test_perfect_stump_is_used_alone(self):
        X, y = [[1.0, 5.0], [2.0, 3.0], [0.0, 9.0]], [-1, 1, -1]
        fit = adaboost(X, y, rounds=10, keep_weights=True)
        assert fit.stopped == "perfect"
        assert fit.stumps == (Stump(0, 1.5, 1.0, 0.0),)
        assert fit.alpha.tolist() == [1.0]
        assert fit.epsilon.tolist() == fit.Z.tolist() == fit.bound.tolist() == [0.0]
        assert fit.weights.shape == (2, 3)
        assert fit.predict(X).tolist() == y
        assert fit.staged_margins(X, y).tolist() == [[1.0] * 3]

    def test_small_error_is_not_perfect(self):
        X = np.arange(4000.0)[:, None]
        y = np.where(X[:, 0] < 2000, -1, 1)
        y[[10, 3990]] *= -1
        assert len(adaboost(X, y, rounds=3).stumps) == 3

    def test_balanced_start_with_one_class_raises(self):
        with pytest.raises(ValueError, match="y must hold both -1 and \\+1"):
            adaboost([[1.0], [2.0]], [1, 1], start="balanced")
