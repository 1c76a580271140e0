"""Feature selection: greedy searches and rankings."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest

from mlcore.least_squares import least_squares
from mlcore.selection import (
    backward,
    exhaustive,
    forward,
    mutual_information,
    recursive_elimination,
    univariate,
)
from mlcore.validation import k_folds, monte_carlo


def refit_error(X, y, splits, features):
    """The mean over the splits of the mean square of a refit."""
    features, errors = sorted(features), []
    for train, test in splits:
        mean, level = X[train][:, features].mean(axis=0), y[train].mean()
        A = X[train][:, features] - mean
        unit = np.linalg.norm(A, axis=0) + 1e-300
        w = np.linalg.lstsq(A / unit, y[train] - level, rcond=1e-11)[0] / unit
        fitted = level + (X[test][:, features] - mean) @ w
        errors.append(np.mean((y[test] - fitted) ** 2))
    return np.mean(errors)


def by_refits(search, X, y, splits):
    """The greedy search to its end: at each step one feature comes in, or goes out."""
    every = set(range(X.shape[1]))
    inside = every if search is backward else set()
    order, errors = [], [refit_error(X, y, splits, inside)]
    for _ in every:
        moved = sorted(inside if search is backward else every - inside)
        tried = [refit_error(X, y, splits, inside ^ {j}) for j in moved]
        order.append(moved[int(np.argmin(tried))])
        errors.append(min(tried))
        inside = inside ^ {order[-1]}
    return tuple(order), np.array(errors)


def problem(seed, copies=False):
    rng = np.random.default_rng(seed)
    n, d = rng.integers(20, 50), rng.integers(1, 7)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-2, 3, size=d)
    X += rng.normal(size=d)
    y = rng.normal(size=n) + 2 * X[:, 0] / abs(X[:, 0]).max() + 5
    if copies:
        X = np.column_stack([X, X[:, 0], np.full(n, 0.1), 3 * X[:, -1] + 1])
    if seed % 3:
        return X, y, k_folds(y, folds=4, stratified=False, rng=seed)
    splits = monte_carlo(y, repeats=3, test_share=0.3, stratified=False, rng=seed)
    return X, y, [(train[2:], test) for train, test in splits]


def mean_square(y, predicted):
    return np.mean((y - predicted) ** 2)


class Regression:
    def __init__(self, X, y):
        self.fit = least_squares(X, y)

    def predict(self, X):
        return self.fit.decision_function(X)


class TestForward:
    def test_constant_and_copied_columns_add_nothing(self):
        for seed in range(8):
            X, y, splits = problem(seed, copies=True)
            d = X.shape[1]
            _, errors = by_refits(forward, X, y, splits)
            found = forward(X, y, splits=splits, count=d)
            np.testing.assert_allclose(found.errors, errors, rtol=1e-8)
            assert sorted(found.order) == list(range(d))
            stopped = forward(X, y, splits=splits)
            kept = np.column_stack([X[:, list(stopped.features)], np.ones(len(X))])
            assert np.linalg.matrix_rank(kept) == kept.shape[1]

    def test_it_stops_before_the_error_would_not_decrease(self):
        for seed in range(12):
            X, y, splits = problem(seed)
            whole = forward(X, y, splits=splits, count=X.shape[1])
            rises = np.diff(whole.errors) >= -1e-9 * whole.empty
            steps = int(rises.argmax()) if rises.any() else X.shape[1]
            assert forward(X, y, splits=splits).order == whole.order[:steps]

    def test_without_a_tolerance_an_equal_error_is_no_decrease(self):
        X, y = np.full((12, 2), 0.1), np.arange(12.0) ** 2
        splits = k_folds(y, folds=3, stratified=False)
        assert forward(X, y, splits=splits, tol=0.0).features == ()

    @pytest.mark.parametrize("d", [3, 14])
    def test_a_feature_may_be_constant_in_training(self, d):
        for seed in range(6):
            rng = np.random.default_rng(seed)
            X, y = rng.normal(size=(12, 14))[:, :d], rng.normal(size=12)
            splits = k_folds(y, folds=3, stratified=False)
            X[splits[0][0], 0] = rng.normal()
            found = forward(X, y, splits=splits, count=3)
            for at, error in enumerate(found.errors):
                expected = refit_error(X, y, splits, found.order[:at])
                assert error == pytest.approx(expected, rel=1e-7)


class TestBackward:
    def test_copied_columns_share_their_weight(self):
        for seed in range(8):
            X, y, splits = problem(seed, copies=True)
            found = backward(X, y, splits=splits, count=0)
            rest = list(range(X.shape[1]))
            for j, error in zip(found.order, found.errors[1:], strict=True):
                others = [[k for k in rest if k != i] for i in rest]
                least = min(refit_error(X, y, splits, other) for other in others)
                rest.remove(j)
                assert error == pytest.approx(refit_error(X, y, splits, rest), rel=1e-7)
                assert error <= least * (1 + 1e-7)

    def test_nothing_is_removed_where_all_are_needed(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(200, 3))
        y = X @ [3, 2, 1] + 0.1 * rng.normal(size=200)
        found = backward(X, y, splits=k_folds(y, stratified=False))
        assert (found.features, found.order) == ((0, 1, 2), ())
        assert found.errors.tolist() == [found.all]
        assert found.all < found.empty / 100

    def test_count_is_how_many_are_kept(self):
        X, y, splits = problem(4)
        whole = backward(X, y, splits=splits, count=0)
        for count in range(X.shape[1] + 1):
            found = backward(X, y, splits=splits, count=count)
            assert found.order == whole.order[: X.shape[1] - count]
            kept = sorted(set(range(X.shape[1])) - set(found.order))
            assert found.features == tuple(kept)


class TestExhaustive:
    def test_no_other_subset_is_better(self):
        for seed in range(8):
            X, y, splits = problem(seed)
            d = X.shape[1]
            found = exhaustive(X, y, splits=splits)
            for k in range(d + 1):
                errors = {
                    s: refit_error(X, y, splits, s) for s in combinations(range(d), k)
                }
                assert found.errors[k] == pytest.approx(min(errors.values()), rel=1e-8)
                assert found.subsets[k] == min(errors, key=errors.get)
            assert found.features == found.subsets[int(found.errors.argmin())]

    def test_it_beats_greed(self):
        rng = np.random.default_rng(0)
        u = rng.normal(size=100)
        X = np.column_stack([u, u + 0.1 * rng.normal(size=100), rng.normal(size=100)])
        y = X[:, 1] - X[:, 0] + 0.05 * X[:, 2]
        splits = k_folds(y, stratified=False)
        assert forward(X, y, splits=splits, count=2).errors[2] > 1e-4
        assert exhaustive(X, y, splits=splits).subsets[2] == (0, 1)

    def test_of_equals_the_smallest(self):
        x = np.arange(12.0)
        X, y = np.column_stack([x, x, 2 * x]), 3 * x
        found = exhaustive(X, y, splits=k_folds(y, folds=3, stratified=False))
        assert found.features == (0,)

    def test_the_tolerance_is_a_part_of_the_error_without_features(self):
        """E is about 101, 1 and 0: 1 is as good as 0 if tol is above 1 / 101."""
        X = np.array(list(np.ndindex(2, 2)) * 10) * 2.0 - 1
        y = X @ [10.0, 1.0]
        splits = k_folds(y, folds=5, stratified=False)
        for tol, features in (0.0, (0, 1)), (0.005, (0, 1)), (0.02, (0,)), (0.9, (0,)):
            assert exhaustive(X, y, splits=splits, tol=tol).features == features
            found = forward(X, y, splits=splits, tol=tol)
            assert found.features == features

    def test_thirteen_features_are_refused(self):
        with pytest.raises(ValueError, match="columns of X must be at most 12; got 13"):
            exhaustive(np.eye(4, 13), np.arange(4), splits=k_folds(np.ones(4), folds=2))


class TestAllSearches:
    @pytest.mark.parametrize("search", [forward, backward])
    def test_a_greedy_search_is_its_loop_of_refits(self, search):
        for seed in range(12):
            X, y, splits = problem(seed)
            d, back = X.shape[1], search is backward
            order, errors = by_refits(search, X, y, splits)
            found = search(X, y, splits=splits, count=0 if back else d)
            assert found.order == order
            assert found.features == (() if back else order)
            np.testing.assert_allclose(found.errors, errors, rtol=1e-9)
            ends = [found.all, found.empty] if back else [found.empty, found.all]
            np.testing.assert_allclose(errors[[0, -1]], ends, rtol=1e-9)

    @pytest.mark.parametrize("fit", [None, Regression], ids=["at once", "refits"])
    def test_of_equal_columns_the_first_is_kept(self, fit):
        """However the sums are rounded; backward removes it first."""
        for seed in range(6):
            X, y, splits = problem(seed)
            d, own = X.shape[1], {"fit": fit, "splits": splits}
            own |= {"error": mean_square} if fit else {}
            twice = np.column_stack([X, 3 * X])
            for search in forward, backward:
                order = search(twice, y, count=d, **own).order
                assert all(j - d in order[:at] for at, j in enumerate(order) if j >= d)

    def test_of_perfect_fits_the_first_is_kept(self):
        for seed in range(4):
            x = np.random.default_rng(seed).normal(size=30)
            X = np.column_stack([x + 7, x / 3, 1e3 * x, np.pi * x - 1])
            splits = k_folds(x, folds=4, stratified=False)
            for search in partial(forward, count=4), partial(backward, count=0):
                found = search(X, np.e * x + 2, splits=splits)
                assert found.order == (0, 1, 2, 3)
            found = exhaustive(X, np.e * x + 2, splits=splits)
            assert found.subsets[1:] == ((0,), (0, 1), (0, 1, 2), (0, 1, 2, 3))

    @pytest.mark.parametrize("search", [forward, backward, exhaustive])
    def test_refits_give_the_same_answer(self, search):
        for seed in range(4):
            X, y, splits = problem(seed)
            moments = search(X, y, splits=splits)
            refits = search(X, y, splits=splits, fit=Regression, error=mean_square)
            assert moments.features == refits.features
            np.testing.assert_allclose(moments.errors, refits.errors, rtol=1e-8)

    @pytest.mark.parametrize("search", [forward, backward, exhaustive])
    def test_the_units_of_the_features_do_not_matter(self, search):
        for seed in 1, 2, 4:
            X, y, splits = problem(seed)
            units = np.resize([1e-3, 1e3, 1.0], X.shape[1])
            found, other = (search(A, y, splits=splits) for A in (X, X * units))
            assert found.features == other.features
            np.testing.assert_allclose(found.errors, other.errors, rtol=1e-9)

    @pytest.mark.parametrize(("search", "steps"), [(forward, 2), (backward, 0)])
    @pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
    def test_the_tolerance_has_no_unit(self, search, steps, unit):
        """The features 0 and 4 lower E by a tenth of that without features, each."""
        rng = np.random.default_rng(0)
        X = rng.normal(size=(60, 6))
        y = unit * (X @ [2, 0, 0.5, 0, 1, 0] + 0.1 * rng.normal(size=60))
        splits = k_folds(y, stratified=False)
        assert len(search(X, y, splits=splits, tol=0.1).order) == steps
        assert len(search(X, y, splits=splits).order) >= 1

    def test_a_rule_may_have_labels_of_any_kind(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(60, 4))
        names = np.where(X[:, 2] > 0, "up", "down")

        class Rule:
            def __init__(self, X, y):
                self.fit = least_squares(X, np.where(y == "up", 1.0, -1.0))

            def predict(self, X):
                return np.where(self.fit.predict(X) > 0, "up", "down")

        found = forward(X, names, splits=k_folds(names), fit=Rule)
        assert found.features[0] == 2
        assert found.empty == pytest.approx(min(np.mean(names == "up"), 0.5), abs=0.1)


class TestUnivariate:
    def test_correlation_is_that_of_numpy(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(50, 5)) * [1, 1e6, 1, 1, 0], rng.normal(size=50)
        X[:, 1] -= 1e6 * y
        found = univariate(X, y)
        expected = [np.corrcoef(x, y)[0, 1] for x in X.T[:4]]
        np.testing.assert_allclose(found.scores[:4], expected, rtol=1e-12)
        assert found.scores[4] == 0
        assert (found.order[0], found.order[-1]) == (1, 4)
        assert (np.diff(abs(found.scores[found.order])) <= 0).all()

    def test_of_equal_scores_the_first_comes_first(self):
        x = np.array([1.0, 2.0, 4.0, 3.0])
        X = np.column_stack([[1, -1, -1, 1], x, -x, x])
        assert univariate(X, [1.0, 2.0, 3.0, 4.0]).order.tolist() == [1, 2, 3, 0]

    def test_no_correlation_exceeds_one(self):
        for seed in range(10):
            x = np.random.default_rng(seed).normal(size=7)
            found = univariate(np.column_stack([x, -x]), 3 * x).scores
            assert abs(found).max() <= 1
            np.testing.assert_allclose(found, [1, -1], rtol=1e-15)

    def test_signal_to_noise_by_hand(self):
        X = np.array([[1.0, 5.0], [3.0, 5.0], [4.0, 5.0], [10.0, 5.0]])
        found = univariate(X, [1, 1, -1, -1], score="signal_to_noise")
        np.testing.assert_allclose(found.scores, [(2 - 7) / (1 + 3), 0], rtol=1e-14)
        assert found.order.tolist() == [0, 1]
        with pytest.raises(ValueError, match="y must hold both -1 and \\+1; got only 1"):
            univariate(X, np.ones(4), score="signal_to_noise")


class TestRecursiveElimination:
    def test_by_hand(self):
        class Rule:
            def __init__(self, X, y):
                self.w = X[0]  # the first row is the importance

        X = np.array([[5.0, -1.0, 4.0, 2.0, -3.0]])
        found = recursive_elimination(X, [1], fit=Rule, count=2)
        assert found.features == (0, 2)
        assert found.removed == (1, 3, 4)
        assert found.sizes == (5, 4, 3)
        found = recursive_elimination(X, [1], fit=Rule, count=1, share=0.5)
        assert (found.features, found.sizes) == ((0,), (5, 3, 2))
        assert found.removed == (1, 3, 4, 2)
        found = recursive_elimination(X, [1], fit=Rule, count=4, share=0.9)
        assert (found.features, found.removed) == ((0, 2, 3, 4), (1,))


class TestMutualInformation:
    def test_by_hand(self):
        X = np.array([[0, 0, 7], [0, 1, 7], [1, 0, 7], [1, 1, 7]])
        found = mutual_information(X, ["a", "a", "b", "b"])
        np.testing.assert_allclose(found, [np.log(2), 0, 0], atol=1e-15)

    def test_scikit_learn_finds_the_same(self):
        from sklearn.metrics import mutual_info_score

        rng = np.random.default_rng(0)
        X, y = rng.integers(0, 4, size=(90, 5)), rng.integers(0, 3, size=90)
        X[:, 0] = y + rng.integers(0, 2, size=90)
        expected = [mutual_info_score(x, y) for x in X.T]
        np.testing.assert_allclose(mutual_information(X, y), expected, atol=1e-14)

    def test_bins_hold_as_many_examples_each(self):
        x = np.random.default_rng(0).permutation(np.arange(12.0))[:, None] ** 3
        third = np.searchsorted(np.sort(x[:, 0])[[3, 7]], x[:, 0])
        assert mutual_information(x, third, bins=3)[0] == pytest.approx(np.log(3))
        assert mutual_information(x, third, bins=2)[0] < np.log(2.01)

    def test_in_bins_equal_values_stay_together(self):
        # 1, 1, 1 and 4
        X, labels = [[1.0], [1.0], [1.0], [4.0]], ["a", "a", "b", "b"]
        expected = np.log(4 / 3) / 2 + np.log(2 / 3) / 4 + np.log(2) / 4
        np.testing.assert_allclose(mutual_information(X, labels, bins=2), expected)
        each = mutual_information([[1.0], [2.0], [3.0], [4.0]], range(4), bins=1000)
        np.testing.assert_allclose(each, [np.log(4)])
