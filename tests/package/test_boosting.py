"""AdaBoost: by hand, against all stumps there are, and within its bound."""

import numpy as np
import pytest

from mlcore.boosting import Stump, adaboost, best_stump, vote_weight
from mlcore.linear import sgn

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), [-1, 1, 1, -1]
LINE = [[1.0], [2.0], [3.0], [4.0]], [-1, 1, 1, -1]


def random_data(seed, *, most=40):
    """Two classes that overlap, with ties, a constant and a copied feature."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(4, most), rng.integers(1, 5)
    X = rng.normal(size=(n, d)) if seed % 2 else rng.integers(-3, 4, size=(n, d)) / 2
    X = np.column_stack([X, np.ones(n), X[:, 0]])
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return X, y


def all_stumps(X):
    """The predictions of every stump, one a row, by trying all of them."""
    for column in X.T:
        for low in [-np.inf, *column]:
            for sign in 1.0, -1.0:
                yield np.where(column > low, sign, -sign)


class TestByHand:
    def test_three_rounds(self):
        # Threshold 1.5 errs on x = 4, then 3.5 on x = 1, then "always -1" on 2 and 3.
        fit = adaboost(*LINE, rounds=3, keep_weights=True)
        assert [h.feature for h in fit.stumps] == [0, 0, 0]
        assert [h.threshold for h in fit.stumps] == [1.5, 3.5, -1e150]
        assert [h.sign for h in fit.stumps] == [1, -1, -1]
        np.testing.assert_allclose(fit.epsilon, [1 / 4, 1 / 6, 1 / 5], rtol=1e-14)
        np.testing.assert_allclose(fit.alpha, np.log([3, 5, 4]) / 2, rtol=1e-14)
        Z = np.array([np.sqrt(3) / 2, np.sqrt(5) / 3, 4 / 5])
        np.testing.assert_allclose(fit.Z, Z, rtol=1e-14)
        np.testing.assert_allclose(fit.bound, np.cumprod(Z), rtol=1e-14)
        weights = [[15] * 4, [10, 10, 10, 30], [30, 6, 6, 18], [18.75, 15, 15, 11.25]]
        np.testing.assert_allclose(60 * fit.weights, weights, rtol=1e-14)
        assert fit.stopped == "rounds"
        assert fit.d == 1
        scores = np.log([5 / 12, 15 / 4, 15 / 4, 3 / 20]) / 2
        np.testing.assert_allclose(fit.decision_function(LINE[0]), scores, rtol=1e-14)
        assert fit.predict(LINE[0]).tolist() == LINE[1]
        stages = [[-1, 1, 1, 1], [1, 1, 1, -1], [-1, 1, 1, -1]]
        assert sgn(fit.staged_scores(LINE[0])).tolist() == stages
        second = np.log([3 / 5, 15, 15, 5 / 3]) / np.log(15)
        margins = [[1, 1, 1, -1], second, scores * LINE[1] / (np.log(60) / 2)]
        np.testing.assert_allclose(fit.staged_margins(*LINE), margins, rtol=1e-14)
        assert adaboost(*LINE, rounds=2).weights is None

    def test_a_balanced_start(self):
        X, y = np.arange(1.0, 7.0)[:, None], [1, 1, 1, -1, 1, 1]
        fit = adaboost(X, y, rounds=1, start="balanced", keep_weights=True)
        np.testing.assert_allclose(fit.weights[0], [0.1, 0.1, 0.1, 0.5, 0.1, 0.1])
        stump = fit.stumps[0]  # wrong on the last two
        assert (stump.feature, stump.threshold, stump.sign) == (0, 3.5, -1)
        assert stump.error == pytest.approx(0.2)
        np.testing.assert_allclose(16 * fit.weights[1], [1, 1, 1, 5, 4, 4], rtol=1e-14)
        uniform = adaboost(X, y, rounds=1).stumps[0]  # wrong on the only -1
        assert uniform.threshold == -1e150
        assert uniform.error == pytest.approx(1 / 6)

    def test_a_stump(self):
        stump = best_stump([[5.0, 1.0], [5.0, 2.0], [5.0, 4.0]], [1, 1, -1], [1, 2, 3])
        assert stump == Stump(1, 3.0, -1.0, 0.0)
        assert stump.predict([[9.0, 3.0], [9.0, 2.99]]).tolist() == [-1, 1]
        with pytest.raises(ValueError, match="the number of columns of X must be"):
            stump.predict([[9.0]])

    def test_a_vote(self):
        assert vote_weight(0.5) == 0
        assert vote_weight(0.2) == pytest.approx(np.log(2), rel=1e-14)
        assert vote_weight(0.8) == pytest.approx(-np.log(2), rel=1e-14)


class TestBestStump:
    def test_no_stump_is_better(self):
        for seed in range(60):
            X, y = random_data(seed)
            w = np.random.default_rng(seed).exponential(size=len(y)) ** 2
            stump = best_stump(X, y, w)
            least = min(w[h != y].sum() for h in all_stumps(X)) / w.sum()
            assert stump.error == pytest.approx(least, rel=1e-12, abs=1e-15)
            assert stump.error <= 0.5
            wrong = stump.predict(X) != y
            assert stump.error == pytest.approx(w[wrong].sum() / w.sum(), rel=1e-12)

    def test_a_threshold_is_halfway(self):
        for seed in range(30):
            X, y = random_data(seed)
            stump = best_stump(X, y, np.ones(len(y)))
            if stump.threshold > -1e150:
                x = X[:, stump.feature]
                below, above = x[x < stump.threshold], x[x >= stump.threshold]
                middle = (below.max() + above.min()) / 2
                assert stump.threshold == pytest.approx(middle, rel=1e-14)

    def test_a_threshold_fits_between_neighboring_numbers(self):
        low, high = 2.0**52, 2.0**52 + 1
        stump = best_stump([[high], [low]], [1, -1], [1, 1])
        assert low < stump.threshold <= high
        assert stump.error == 0

    @pytest.mark.parametrize("sign", [1, -1])
    @pytest.mark.parametrize("j", [0, 1700, 3999])
    def test_of_many_features_the_best_is_found(self, j, sign):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(40, 4000)), np.resize([1.0, -1.0, -1.0], 40)
        X[:, j] = sign * y
        assert best_stump(X, y, np.ones(40)) == Stump(j, 0.0, sign, 0.0)

    @pytest.mark.parametrize("sign", [1, -1])
    def test_one_class_gives_the_constant_rule(self, sign):
        stump = best_stump([[1.0], [2.0], [2.0]], [sign] * 3, [1, 1, 1])
        assert stump == Stump(0, -1e150, float(sign), 0.0)
        assert stump.predict([[-9.0], [9.0]]).tolist() == [sign] * 2


@pytest.mark.parametrize("start", ["uniform", "balanced"])
class TestTheorems:
    """Schapire and Singer (1999), over many data sets and both starts."""

    def test_the_bound_is_the_exponential_loss(self, start):
        for seed in range(25):
            X, y = random_data(seed)
            fit = adaboost(X, y, rounds=25, start=start, keep_weights=True)
            first = fit.weights[0]
            for F, bound in zip(fit.staged_scores(X), fit.bound, strict=True):
                if fit.stopped != "perfect":
                    assert first @ np.exp(-y * F) == pytest.approx(bound, rel=1e-11)
                assert first[y * F <= 0].sum() <= bound * (1 + 1e-11)

    def test_the_last_stump_is_as_bad_as_chance_afterwards(self, start):
        for seed in range(25):
            X, y = random_data(seed)
            fit = adaboost(X, y, rounds=25, start=start, keep_weights=True)
            if fit.stopped == "perfect":
                continue
            np.testing.assert_allclose(fit.weights.sum(axis=1), 1, rtol=1e-12)
            Z = 2 * np.sqrt(fit.epsilon * (1 - fit.epsilon))
            np.testing.assert_allclose(fit.Z, Z, rtol=1e-12)
            assert fit.epsilon.tolist() == [h.error for h in fit.stumps]
            for h, before, after in zip(
                fit.stumps, fit.weights[:-1], fit.weights[1:], strict=True
            ):
                wrong = h.predict(X) != y
                assert before[wrong].sum() == pytest.approx(h.error, rel=1e-12)
                assert after[wrong].sum() == pytest.approx(0.5, rel=1e-12)

    def test_stages_sum_up(self, start):
        for seed in range(10):
            X, y = random_data(seed)
            fit = adaboost(X, y, rounds=12, start=start)
            first = adaboost(X, y, rounds=5, start=start)
            stages = fit.staged_scores(X)
            assert stages.shape == (len(fit.stumps), len(y))
            np.testing.assert_array_equal(first.alpha, fit.alpha[:5])
            last = stages[len(first.stumps) - 1]
            np.testing.assert_allclose(last, first.decision_function(X), rtol=1e-12)
            margins = fit.staged_margins(X, y)
            whole = y * fit.decision_function(X) / fit.alpha.sum()
            np.testing.assert_allclose(margins[-1], whole, rtol=1e-12)
            assert np.all(np.abs(margins) <= 1 + 1e-12)


class TestEdges:
    def test_xor_leaves_no_edge(self):
        assert best_stump(*XOR, np.ones(4)).error == 0.5
        fit = adaboost(*XOR, rounds=10, keep_weights=True)
        assert fit.stopped == "no edge"
        assert fit.stumps == ()
        assert fit.weights.tolist() == [[0.25] * 4]
        assert fit.decision_function(XOR[0]).tolist() == [0] * 4
        assert fit.predict(XOR[0]).tolist() == [1] * 4
        assert fit.staged_scores(XOR[0]).shape == fit.staged_margins(*XOR).shape == (0, 4)

    def test_there_may_be_no_edge_after_some_rounds(self):
        fit = adaboost([[1.0], [1.0], [1.0]], [1, 1, -1], rounds=10)
        assert fit.stopped == "no edge"
        assert [h.threshold for h in fit.stumps] == [-1e150]
        np.testing.assert_allclose(fit.alpha, np.log(2) / 2)

    def test_a_perfect_stump_is_used_alone(self):
        X, y = [[1.0, 5.0], [2.0, 3.0], [0.0, 9.0]], [-1, 1, -1]
        fit = adaboost(X, y, rounds=10, keep_weights=True)
        assert fit.stopped == "perfect"
        assert fit.stumps == (Stump(0, 1.5, 1.0, 0.0),)
        assert fit.alpha.tolist() == [1.0]
        assert fit.epsilon.tolist() == fit.Z.tolist() == fit.bound.tolist() == [0.0]
        assert fit.weights.shape == (2, 3)
        assert fit.predict(X).tolist() == y
        assert fit.staged_margins(X, y).tolist() == [[1.0] * 3]

    def test_many_rounds_stay_finite(self):
        X, y = random_data(3)
        fit = adaboost(X, y, rounds=2000)
        assert np.isfinite(fit.decision_function(X)).all()
        assert np.all(fit.alpha > 0)
        assert np.all(fit.epsilon < 0.5)

    def test_one_class_cannot_be_balanced(self):
        with pytest.raises(ValueError, match="y must hold both -1 and \\+1"):
            adaboost([[1.0], [2.0]], [1, 1], start="balanced")
