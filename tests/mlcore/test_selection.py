"""Feature selection: greedy searches and rankings."""

from functools import partial

import numpy as np
import pytest

from mlcore.least_squares import least_squares
from mlcore.selection import (
    backward,
    exhaustive,
    forward,
    mutual_information,
    univariate,
)
from mlcore.validation import k_folds, monte_carlo
from tests.helpers.claims import judge
from tests.helpers.oracles_searches import ORACLES

every_search = pytest.mark.parametrize("search", [forward, backward, exhaustive])


def problem(seed, copies=False):
    rng = np.random.default_rng(seed)
    n, d = rng.integers(20, 50), rng.integers(1, 7)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-2, 3, size=d)
    X += rng.normal(size=d)
    y = rng.normal(size=n) + 2 * X[:, 0] / abs(X[:, 0]).max() + 5
    splits = k_folds(y, folds=4, stratified=False, rng=seed)
    if seed % 3 == 0:
        splits = monte_carlo(y, repeats=3, test_fraction=0.3, stratified=False, rng=seed)
        splits = [(train[2:], test) for train, test in splits]
    if copies:
        X = np.column_stack([X[:, :3], X[:, 0], np.full(n, 0.1), 3 * X[:, -1] + 1])
        X[splits[0][0], 1] = rng.normal()  # constant in training
    return X, y, splits


def mean_square(y, predicted):
    return np.mean((y - predicted) ** 2)


class Regression:
    def __init__(self, X, y):
        self.predict = least_squares(X, y).decision_function


class TestAllSearches:
    @pytest.mark.parametrize("seed", range(12))
    @every_search
    def test_no_step_and_no_subset_would_have_been_better(self, search, seed):
        X, y, splits = problem(seed)
        greedy = {} if search is exhaustive else {"n_features": None}
        ends = [{"n_features": count} for count in (0, 1, X.shape[1])] if greedy else []
        for given in [greedy, *ends]:
            arguments = {"X": X, "y": y, "splits": splits, "tol": 1e-9, **given}
            found = search(**arguments)
            judge(ORACLES[search], found, {"fit": None, "error": None, **arguments})

    @pytest.mark.parametrize("copies", [False, True])
    @every_search
    def test_refits_give_the_same_answer(self, search, copies):
        for seed in range(4):
            X, y, splits = problem(seed, copies)
            moments = search(X, y, splits=splits)
            refits = search(X, y, splits=splits, fit=Regression, error=mean_square)
            assert moments.features == refits.features
            np.testing.assert_allclose(moments.errors, refits.errors, rtol=1e-7)

    def test_of_equal_columns_the_first_is_kept(self):
        """However the sums are rounded; backward removes it first."""
        for seed in range(6):
            X, y, splits = problem(seed)
            d, twice = X.shape[1], np.column_stack([X, 3 * X])
            for search in forward, backward:
                order = search(twice, y, n_features=d, splits=splits).order
                assert all(j - d in order[:at] for at, j in enumerate(order) if j >= d)

    def test_of_perfect_fits_the_first_is_kept(self):
        for seed in range(4):
            x = np.random.default_rng(seed).normal(size=30)
            X = np.column_stack([x + 7, x / 3, 1e3 * x, np.pi * x - 1])
            splits = k_folds(x, folds=4, stratified=False)
            for search in partial(forward, n_features=4), partial(backward, n_features=0):
                found = search(X, np.e * x + 2, splits=splits)
                assert found.order == (0, 1, 2, 3)
            found = exhaustive(X, np.e * x + 2, splits=splits)
            assert found.subsets[1:] == ((0,), (0, 1), (0, 1, 2), (0, 1, 2, 3))

    def test_without_a_tolerance_an_equal_error_is_no_decrease(self):
        X, y = np.full((12, 2), 0.1), np.arange(12.0) ** 2
        splits = k_folds(y, folds=3, stratified=False)
        assert forward(X, y, splits=splits, tol=0.0).features == ()

    def test_the_error_without_an_outlier_keeps_its_digits(self):
        X, y = np.array([[0.3, 1.0], [1e6, 2.0], [1.2, 4.0], [-0.7, 7.0]]), [1, 2, -1, 0.5]
        splits = [([1, 3, 2], [0]), ([0, 2, 3], [1]), ([0, 1, 3], [2])]
        found = backward(X, y, splits=splits, n_features=0)
        rest = forward(X[:, 1:], y, splits=splits, n_features=1)
        assert found.all > 1e11
        np.testing.assert_allclose(found.errors[1:], rest.errors[::-1], rtol=1e-10)

    def test_a_rule_may_have_labels_of_any_kind(self):
        X = np.random.default_rng(0).normal(size=(60, 4))
        names = np.where(X[:, 2] > 0, "up", "down")

        class Rule:
            def __init__(self, X, y):
                self.fit = least_squares(X, np.where(y == "up", 1.0, -1.0))

            def predict(self, X):
                return np.where(self.fit.predict(X) > 0, "up", "down")

        found = forward(X, names, splits=k_folds(names), fit=Rule)
        assert found.features[0] == 2
        with pytest.raises(ValueError, match="error must be"):
            forward(X, names, splits=k_folds(names), fit=Rule, error=3)
        assert found.empty == pytest.approx(min(np.mean(names == "up"), 0.5), abs=0.1)


class TestExhaustive:
    def test_a_huge_error_of_one_subset_leaves_the_others_apart(self):
        X, y = (np.random.default_rng(0).normal(size=size) for size in ((7, 3), 7))
        X[0, 0] = 1e6
        found = exhaustive(X, y, splits=k_folds(y, folds=2, stratified=False))
        assert found.subsets[1] == (2,)

    def test_the_tolerance_is_a_part_of_the_error_without_features(self):
        """E is about 101, 1 and 0: 1 is as good as 0 if tol is above 1 / 101."""
        X = np.array(list(np.ndindex(2, 2)) * 10) * 2.0 - 1
        y = X @ [10.0, 1.0]
        splits = k_folds(y, folds=5, stratified=False)
        for tol, features in (0.0, (0, 1)), (0.005, (0, 1)), (0.02, (0,)), (0.9, (0,)):
            for search in exhaustive, forward:
                assert search(X, y, splits=splits, tol=tol).features == features

    def test_thirteen_features_are_refused(self):
        with pytest.raises(ValueError, match="columns of X must be at most 12; got 13"):
            exhaustive(np.eye(4, 13), np.arange(4), splits=k_folds(np.ones(4), folds=2))


class TestUnivariate:
    def test_of_equal_scores_the_first_comes_first(self):
        x = np.array([1.0, 2.0, 4.0, 3.0])
        X = np.column_stack([[1, -1, -1, 1], x, -x, x])
        assert univariate(X, [1.0, 2.0, 3.0, 4.0]).order.tolist() == [1, 2, 3, 0]

    def test_signal_to_noise_by_hand(self):
        X = np.array([[1.0, 5.0], [3.0, 5.0], [4.0, 5.0], [10.0, 5.0]])
        found = univariate(X, [1, 1, -1, -1], score="signal_to_noise")
        np.testing.assert_allclose(found.scores, [(2 - 7) / (1 + 3), 0], rtol=1e-14)
        assert found.order.tolist() == [0, 1]
        with pytest.raises(ValueError, match="y must hold both -1 and \\+1; got only 1"):
            univariate(X, np.ones(4), score="signal_to_noise")


def test_in_bins_equal_values_stay_together():
    # 1, 1, 1 and 4
    X, labels = [[1.0], [1.0], [1.0], [4.0]], ["a", "a", "b", "b"]
    expected = np.log(4 / 3) / 2 + np.log(2 / 3) / 4 + np.log(2) / 4
    np.testing.assert_allclose(mutual_information(X, labels, bins=2), expected)
    each = mutual_information([[1.0], [2.0], [3.0], [4.0]], range(4), bins=1000)
    np.testing.assert_allclose(each, [np.log(4)])
    assert mutual_information([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1], bins=2) == [0]
