"""Feature selection: greedy searches and rankings."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest

from mlcore.least_squares import LeastSquaresFit, least_squares
from mlcore.selection import (
    backward,
    exhaustive,
    forward,
    mutual_information,
    recursive_elimination,
    univariate,
)
from mlcore.validation import cross_validate, k_folds, monte_carlo


def refit_error(X, y, splits, features):
    """The mean over the splits of the mean square of a refit."""
    features, errors = list(features), []
    for train, test in splits:
        mean, level = X[train][:, features].mean(axis=0), y[train].mean()
        A = X[train][:, features] - mean
        unit = np.linalg.norm(A, axis=0) + 1e-300
        w = np.linalg.lstsq(A / unit, y[train] - level, rcond=1e-11)[0] / unit
        fitted = level + (X[test][:, features] - mean) @ w
        errors.append(np.mean((y[test] - fitted) ** 2))
    return np.mean(errors)


def shortest_error(X, y, splits):
    """The same for the refit of least norm, in the units of X."""
    return cross_validate(regression, X, y, splits=splits, error=mean_square).mean


def naive_forward(X, y, splits, steps):
    chosen, errors = [], [refit_error(X, y, splits, [])]
    for _ in range(steps):
        rest = [j for j in range(X.shape[1]) if j not in chosen]
        tried = [refit_error(X, y, splits, [*chosen, j]) for j in rest]
        errors.append(min(tried))
        chosen.append(rest[int(np.argmin(tried))])
    return tuple(chosen), np.array(errors)


def naive_backward(X, y, splits, steps):
    rest, removed = list(range(X.shape[1])), []
    errors = [refit_error(X, y, splits, rest)]
    for _ in range(steps):
        tried = [refit_error(X, y, splits, [k for k in rest if k != j]) for j in rest]
        errors.append(min(tried))
        removed.append(rest.pop(int(np.argmin(tried))))
    return tuple(removed), np.array(errors)


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


class TestTies:
    """Of equal columns the first, however the sums are rounded."""

    @pytest.mark.parametrize("fit", [None, least_squares], ids=["moments", "refits"])
    def test_equal_columns(self, fit):
        for seed in range(12):
            X, y, splits = problem(seed)
            d, own = X.shape[1], {"fit": fit, "splits": splits}
            own |= {"error": lambda y, s: np.mean((y - s) ** 2)} if fit else {}
            twice = np.column_stack([X, 3 * X])
            for search in forward, backward:
                order = search(twice, y, count=d, **own).order
                assert all(j - d in order[:at] for at, j in enumerate(order) if j >= d)
            for subset in exhaustive(twice, y, **own).subsets[: d + 1] if d < 4 else ():
                assert all(j < d or j - d in subset for j in subset)

    def test_perfect_fits(self):
        for seed in range(10):
            x = np.random.default_rng(seed).normal(size=30)
            X = np.column_stack([x + 7, np.ones(30), x / 3, 1e3 * x, np.pi * x - 1])
            splits = k_folds(x, folds=4, stratified=False)
            for search, count in (forward, 5), (backward, 0):
                found = search(X, np.e * x + 2, splits=splits, count=count)
                assert found.order == (0, 1, 2, 3, 4)

    def test_errors_that_are_all_zero(self):
        X, y, splits = problem(5)
        every = tuple(range(X.shape[1]))
        for search, count in (forward, len(every)), (backward, 0):
            found = search(X, np.full(len(y), 3.0), splits=splits, count=count)
            assert found.order == every
            assert not found.errors.any()


class TestForward:
    def test_it_is_the_loop_of_refits(self):
        for seed in range(40):
            X, y, splits = problem(seed)
            d = X.shape[1]
            order, errors = naive_forward(X, y, splits, d)
            found = forward(X, y, splits=splits, count=d)
            assert found.order == found.features == order
            np.testing.assert_allclose(found.errors, errors, rtol=1e-9)
            assert found.empty == pytest.approx(errors[0], rel=1e-12)
            assert found.all == pytest.approx(errors[-1], rel=1e-9)

    def test_constant_and_copied_columns_add_nothing(self):
        for seed in range(20):
            X, y, splits = problem(seed, copies=True)
            d = X.shape[1]
            _, errors = naive_forward(X, y, splits, d)
            found = forward(X, y, splits=splits, count=d)
            np.testing.assert_allclose(found.errors, errors, rtol=1e-8)
            assert sorted(found.order) == list(range(d))
            stopped = forward(X, y, splits=splits)
            kept = np.column_stack([X[:, list(stopped.features)], np.ones(len(X))])
            assert np.linalg.matrix_rank(kept) == kept.shape[1]

    def test_it_stops_before_the_error_would_not_decrease(self):
        for seed in range(20):
            X, y, splits = problem(seed)
            whole = forward(X, y, splits=splits, count=X.shape[1])
            rises = np.diff(whole.errors) >= -1e-9 * whole.empty
            steps = int(rises.argmax()) if rises.any() else X.shape[1]
            assert forward(X, y, splits=splits).order == whole.order[:steps]

    def test_noise_is_not_chosen(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(200, 3)), rng.normal(size=200)
        splits = k_folds(y, stratified=False)
        assert forward(X, y, splits=splits).features == ()
        assert forward(X, y, splits=splits, count=1).errors[1] > np.var(y)

    def test_without_a_tolerance_an_equal_error_is_no_decrease(self):
        X, y = np.full((12, 2), 0.1), np.arange(12.0) ** 2
        splits = k_folds(y, folds=3, stratified=False)
        assert forward(X, y, splits=splits, tol=0.0).features == ()

    def test_parity_is_missed(self):
        X = np.array(list(np.ndindex(2, 2)) * 20) * 2.0 - 1
        y = X[:, 0] * X[:, 1]
        X = np.column_stack([X, y])[:, :2]
        splits = k_folds(y, folds=4, stratified=False)
        assert forward(X, y, splits=splits).features == ()

    def test_more_features_than_examples(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(24, 60)), rng.normal(size=24)
        y += 2 * X[:, 7]
        splits = k_folds(y, folds=3, stratified=False)
        order, errors = naive_forward(X, y, splits, 4)
        found = forward(X, y, splits=splits, count=4)
        assert found.order == order
        np.testing.assert_allclose(found.errors, errors, rtol=1e-9)

    def test_a_constant_among_more_features_than_examples(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(12, 14)), rng.normal(size=12)
        X[:, 3] = 7.0
        splits = k_folds(y, folds=3, stratified=False)
        order, errors = naive_forward(X, y, splits, 4)
        assert 3 in order[:3]
        found = forward(X, y, splits=splits, count=4)
        assert found.order == order
        np.testing.assert_allclose(found.errors, errors, rtol=1e-9)

    def test_all_of_more_features_than_examples_are_fitted_with_the_least_weights(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(24, 60)), rng.normal(size=24)
        splits = k_folds(y, folds=3, stratified=False)
        far = X * np.where(np.arange(24) == 3, 1e6, 1.0)[:, None]
        for A in X, np.column_stack([1e-200 * y, X]), far, np.ones((24, 60)):
            for unit in 1.0, 1e-180:
                found = forward(unit * A, y, splits=splits, count=0)
                assert found.all == pytest.approx(shortest_error(A, y, splits), rel=1e-6)

    def test_an_outlier_hides_no_feature(self):
        """In training without it the feature, scaled by it, is hardly seen."""
        rng = np.random.default_rng(0)
        X = rng.normal(size=(12, 14))
        X[3, 0] = 1e6
        y = 2 * X[:, 0] + 0.1 * rng.normal(size=12)
        splits = k_folds(y, folds=3, stratified=False)
        for d in 3, 14:
            order, errors = naive_forward(X[:, :d], y, splits, 2)
            found = forward(X[:, :d], y, splits=splits, count=2)
            assert found.order == order
            np.testing.assert_allclose(found.errors, errors, rtol=1e-2)

    def test_features_that_are_constant_in_training(self):
        for seed in range(20):
            rng = np.random.default_rng(seed)
            X, y = rng.normal(size=(12, 14)), rng.normal(size=12)
            splits = k_folds(y, folds=3, stratified=False)
            X[splits[0][0], 0] = rng.normal()
            found = forward(X, y, splits=splits)
            again = forward(np.column_stack([X, np.ones(12)]), y, splits=splits)
            assert again.order == found.order
            for d in 3, 14:
                order, errors = naive_forward(X[:, :d], y, splits, 3)
                found = forward(X[:, :d], y, splits=splits, count=3)
                assert found.order == order
                np.testing.assert_allclose(found.errors, errors, rtol=1e-7)


class TestBackward:
    def test_it_is_the_loop_of_refits(self):
        for seed in range(40):
            X, y, splits = problem(seed)
            d = X.shape[1]
            order, errors = naive_backward(X, y, splits, d)
            found = backward(X, y, splits=splits, count=0)
            assert found.order == order
            assert found.features == ()
            np.testing.assert_allclose(found.errors, errors, rtol=1e-9)
            assert found.all == pytest.approx(errors[0], rel=1e-9)
            assert found.empty == pytest.approx(errors[-1], rel=1e-9)

    def test_copied_columns_share_their_weight(self):
        for seed in range(20):
            X, y, splits = problem(seed, copies=True)
            found = backward(X, y, splits=splits, count=0)
            rest = list(range(X.shape[1]))
            for j, error in zip(found.order, found.errors[1:], strict=True):
                rest.remove(j)
                assert error == pytest.approx(refit_error(X, y, splits, rest), rel=1e-7)
                # no other removal would have been better
                for other in found.order[: len(rest)][:2]:
                    swapped = [k for k in [*rest, j] if k != other]
                    if other in rest:
                        least = refit_error(X, y, splits, swapped)
                        assert error <= least * (1 + 1e-7)

    def test_nothing_is_removed_where_all_are_needed(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(200, 3))
        y = X @ [3, 2, 1] + 0.1 * rng.normal(size=200)
        found = backward(X, y, splits=k_folds(y, stratified=False))
        assert (found.features, found.order) == ((0, 1, 2), ())
        assert found.errors.tolist() == [found.all]
        assert found.all < found.empty / 100

    def test_noise_is_removed(self):
        rng = np.random.default_rng(1)
        X = rng.normal(size=(60, 6))
        y = 2 * X[:, 3] + rng.normal(size=60)
        found = backward(X, y, splits=k_folds(y, stratified=False))
        assert 3 in found.features
        assert len(found.features) < 6
        assert (np.diff(found.errors) < 0).all()

    def test_count_is_how_many_are_kept(self):
        X, y, splits = problem(4)
        whole = backward(X, y, splits=splits, count=0)
        for count in range(X.shape[1] + 1):
            found = backward(X, y, splits=splits, count=count)
            assert found.order == whole.order[: X.shape[1] - count]
            assert len(found.features) == count

    @pytest.mark.parametrize(("search", "steps"), [(forward, 2), (backward, 0)])
    def test_the_unit_of_y_does_not_matter(self, search, steps):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(60, 6))
        y = X @ [2, 0, 0.5, 0, 1, 0] + 0.1 * rng.normal(size=60)
        splits = k_folds(y, stratified=False)
        found = search(X, y, splits=splits)
        assert {0, 2, 4} <= set(found.features)
        assert found.order
        for unit in 1e-9, 1e9:
            assert search(X, unit * y, splits=splits).order == found.order
            # the features 0 and 4 lower E by a tenth of that without features, each
            assert len(search(X, unit * y, splits=splits, tol=0.1).order) == steps

    @pytest.mark.parametrize("search", [forward, backward, exhaustive])
    def test_the_units_of_the_features_do_not_matter(self, search):
        for seed in 1, 2, 4:
            X, y, splits = problem(seed)
            units = np.resize([1e-6, 1e6, 1.0], X.shape[1])
            found, other = (search(A, y, splits=splits) for A in (X, X * units))
            assert found.features == other.features
            np.testing.assert_allclose(found.errors, other.errors, rtol=1e-9)


class TestExhaustive:
    def test_brute_force(self):
        for seed in range(15):
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

    def test_more_features_than_examples(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(8, 9)), rng.normal(size=8)
        splits = k_folds(y, folds=2, stratified=False)
        found = exhaustive(X * np.resize([1e-6, 1.0, 1.0], 9), y, splits=splits)
        for k in 1, 2:
            least = min(refit_error(X, y, splits, s) for s in combinations(range(9), k))
            assert found.errors[k] == pytest.approx(least, rel=1e-8)
        X[:, 0] *= 100  # now with as many features as training examples
        sets = list(combinations(range(9), 4))
        least = min(shortest_error(X[:, s], y, splits) for s in sets)
        assert exhaustive(X, y, splits=splits).errors[4] == pytest.approx(least, rel=1e-8)

    def test_an_outlier_hides_no_feature(self):
        """In training without it the feature, scaled by it, is hardly seen."""
        rng = np.random.default_rng(0)
        x, y = rng.normal(size=30), rng.normal(size=30)
        x[3], splits = 1e6, k_folds(y, folds=3, stratified=False)
        X = np.column_stack([x, y**2])
        found = exhaustive(X, y, splits=splits)
        expected = [refit_error(X, y, splits, s) for s in found.subsets]
        np.testing.assert_allclose(found.errors, expected, rtol=1e-4)
        found = forward(X, y, splits=splits, count=2)
        np.testing.assert_allclose(found.errors, expected, rtol=1e-4)

    def test_beside_a_feature_that_is_constant_in_training_even_the_smallest_counts(self):
        X = np.array([[0, 1e-140, 0, 0], [0, -1e-140, 0, 0], [1e20, 3e-140, 0, 0]])
        y = np.array([1.0, -1.0, 3.0])
        splits = [(np.array([0, 1]), np.array([2])), (np.array([1, 2]), np.array([0]))]
        errors = exhaustive(X, y, splits=splits[:1] * 2).errors
        assert np.min(errors) == pytest.approx(0.0, abs=1e-12)

    def test_a_constant_in_each_of_large_training_sets_adds_nothing(self):
        X = np.repeat([0.1, 0.7], 50_000)[:, None]
        y = np.random.default_rng(0).normal(size=100_000)
        halves = np.split(np.arange(100_000), 2)
        for search in exhaustive, partial(forward, count=1):
            found = search(X, y, splits=[tuple(halves), tuple(halves[::-1])])
            np.testing.assert_allclose(found.errors, found.errors[0], rtol=1e-9)

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

    def test_of_perfect_fits_the_first_however_their_errors_are_rounded(self):
        for seed in range(10):
            x = np.random.default_rng(seed).normal(size=30)
            X = np.column_stack([x + 7, x / 3, 1e3 * x, np.pi * x - 1])
            splits = k_folds(x, folds=4, stratified=False)
            found = exhaustive(X, np.e * x + 2, splits=splits)
            assert found.subsets[1:] == ((0,), (0, 1), (0, 1, 2), (0, 1, 2, 3))

    def test_too_many_features_are_refused(self):
        with pytest.raises(ValueError, match="tol must be less than 1; got 1"):
            exhaustive(
                np.eye(4), np.arange(4), splits=k_folds(np.ones(4), folds=2), tol=1.0
            )
        with pytest.raises(ValueError, match="columns of X must be at most 12; got 13"):
            exhaustive(np.eye(4, 13), np.arange(4), splits=k_folds(np.ones(4), folds=2))


class Regression(LeastSquaresFit):
    def predict(self, X):
        return self.decision_function(X)


def regression(X, y):
    fit = least_squares(X, y)
    return Regression(fit.w, fit.b, fit.rank)


def mean_square(y, predicted):
    return np.mean((y - predicted) ** 2)


class TestAnyFit:
    """Refits of least squares give what the moments give."""

    @pytest.mark.parametrize("search", [forward, backward, exhaustive])
    def test_same_answer(self, search):
        for seed in range(6):
            X, y, splits = problem(seed)
            search_here = partial(search, X, y, splits=splits)
            moments = search_here()
            refits = search_here(fit=regression, error=mean_square)
            assert moments.features == refits.features
            np.testing.assert_allclose(moments.errors, refits.errors, rtol=1e-8)

    def test_classes_by_name(self):
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


class TestRankings:
    def test_correlation(self):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(50, 5)) * [1, 1e9, 1, 1, 0], rng.normal(size=50)
        X[:, 1] -= 1e9 * y
        found = univariate(X, y)
        expected = [np.corrcoef(x, y)[0, 1] for x in X.T[:4]]
        np.testing.assert_allclose(found.scores[:4], expected, rtol=1e-12)
        assert found.scores[4] == 0
        assert (found.order[0], found.order[-1]) == (1, 4)
        assert (np.diff(abs(found.scores[found.order])) <= 0).all()

    @pytest.mark.parametrize("score", ["correlation", "signal_to_noise"])
    def test_scores_have_no_unit(self, score):
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(50, 3)), np.resize([1.0, 1.0, -1.0], 50)
        found = univariate(X, y, score=score).scores
        other = univariate(X * [1e-200, 1e149, -1.0], y, score=score).scores
        np.testing.assert_allclose(other, found * [1, 1, -1], rtol=1e-12)
        if score == "correlation":
            for unit in 1e-200, 1e149:
                other = univariate(X, unit * y).scores
                np.testing.assert_allclose(other, found, rtol=1e-12)
            assert not univariate(X, np.full(50, 7.0)).scores.any()

    def test_of_equal_scores_the_first_comes_first(self):
        x = np.array([1.0, 2.0, 4.0, 3.0])
        X = np.column_stack([[1, -1, -1, 1], x, -x, x])
        assert univariate(X, [1.0, 2.0, 3.0, 4.0]).order.tolist() == [1, 2, 3, 0]

    def test_no_correlation_exceeds_one(self):
        for seed in range(20):
            x = np.random.default_rng(seed).normal(size=7)
            found = univariate(np.column_stack([x, -x]), 3 * x).scores
            assert abs(found).max() <= 1
            np.testing.assert_allclose(found, [1, -1], rtol=1e-15)

    def test_signal_to_noise_by_hand(self):
        X = np.array([[1.0, 5.0], [3.0, 5.0], [4.0, 5.0], [10.0, 5.0]])
        found = univariate(X, [1, 1, -1, -1], score="signal_to_noise")
        np.testing.assert_allclose(found.scores, [(2 - 7) / (1 + 3), 0], rtol=1e-14)
        assert found.order.tolist() == [0, 1]
        huge = univariate(1e140 * X, [1, 1, -1, -1], score="signal_to_noise")
        np.testing.assert_allclose(huge.scores, found.scores, rtol=1e-14)

    def test_recursive_elimination_by_hand(self):
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

    def test_scikit_learn_eliminates_the_same(self):
        from sklearn.feature_selection import RFE
        from sklearn.linear_model import LinearRegression

        rng = np.random.default_rng(0)
        X = rng.normal(size=(60, 8))
        y = X @ rng.normal(size=8) + rng.normal(size=60)
        found = recursive_elimination(X, y, fit=least_squares, count=3)
        model = RFE(LinearRegression(), n_features_to_select=3).fit(X, y)
        assert found.features == tuple(np.flatnonzero(model.support_))
        assert np.argsort(-model.ranking_)[:5].tolist() == list(found.removed)

    def test_mutual_information_by_hand(self):
        X = np.array([[0, 0, 7], [0, 1, 7], [1, 0, 7], [1, 1, 7]])
        found = mutual_information(X, ["a", "a", "b", "b"])
        np.testing.assert_allclose(found, [np.log(2), 0, 0], atol=1e-15)

    def test_mutual_information_of_parity_is_in_the_pair(self):
        X = np.array(list(np.ndindex(2, 2)))
        y = X.sum(axis=1) % 2
        assert mutual_information(X, y).tolist() == [0, 0]
        assert mutual_information(X @ [[2], [1]], y)[0] == pytest.approx(np.log(2))

    def test_scikit_learn_mutual_information(self):
        from sklearn.metrics import mutual_info_score

        rng = np.random.default_rng(0)
        X, y = rng.integers(0, 4, size=(90, 5)), rng.integers(0, 3, size=90)
        X[:, 0] = y + rng.integers(0, 2, size=90)
        expected = [mutual_info_score(x, y) for x in X.T]
        np.testing.assert_allclose(mutual_information(X, y), expected, atol=1e-14)

    def test_bins_hold_as_many_examples_each(self):
        rng = np.random.default_rng(0)
        x = rng.permutation(np.arange(12.0))[:, None] ** 3
        third = np.searchsorted(np.sort(x[:, 0])[[3, 7]], x[:, 0])
        found = mutual_information(x, third, bins=3)
        assert found[0] == pytest.approx(np.log(3))
        assert mutual_information(x, third, bins=2)[0] < np.log(2.01)
        assert mutual_information(np.ones((5, 1)), np.arange(5), bins=3).tolist() == [0]

    def test_bins_by_hand(self):
        labels = ["a", "a", "b", "b"]
        half = mutual_information([[1.0], [2.0], [3.0], [4.0]], labels, bins=2)
        np.testing.assert_allclose(half, [np.log(2)])
        # equal values share an interval: 1, 1, 1 and 4
        tied = mutual_information([[1.0], [1.0], [1.0], [4.0]], labels, bins=2)
        np.testing.assert_allclose(
            tied, [np.log(4 / 3) / 2 + np.log(2 / 3) / 4 + np.log(2) / 4]
        )
        each = mutual_information([[1.0], [2.0], [3.0], [4.0]], range(4), bins=1000)
        np.testing.assert_allclose(each, [np.log(4)])


SPLITS = k_folds(np.ones(4), folds=2)
X4, Y4 = np.arange(8.0).reshape(4, 2) ** 2, np.array([1.0, -1, -1, 1])


class TestContract:
    @pytest.mark.parametrize("search", [forward, backward, exhaustive])
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"X": [[np.nan]]}, "X must be finite"),
            ({"X": X4[:2]}, "splits must hold vectors of indices from 0 to 1"),
            ({"y": Y4[:3]}, "y must have 4 entries; got 3"),
            ({"y": list("abab")}, "y must be an array of real numbers"),
            ({"y": 1e100 * Y4}, "error\\(y, predicted\\) must be at most"),
            ({"splits": 3}, "splits must be pairs"),
            ({"tol": -1}, "tol must be at least 0; got -1"),
            ({"fit": 3}, "fit must be a function; got 3"),
            ({"fit": regression, "error": 3}, "error must be a function; got 3"),
        ],
    )
    def test_bad_input(self, search, options, message):
        with pytest.raises(ValueError, match=message):
            search(**{"X": X4, "y": Y4, "splits": SPLITS} | options)

    @pytest.mark.parametrize("search", [forward, backward])
    @pytest.mark.parametrize("count", [-1, 3, 1.0])
    def test_bad_count(self, search, count):
        with pytest.raises(ValueError, match="count must be"):
            search(X4, Y4, splits=SPLITS, count=count)

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: univariate(X4, Y4, score="x"), "score must be one of"),
            (
                lambda: univariate(X4, abs(Y4), score="signal_to_noise"),
                "y must hold both -1 and .1; got only 1",
            ),
            (lambda: mutual_information(X4, Y4, bins=1), "bins must be at least 2"),
            (
                lambda: recursive_elimination(X4, Y4, fit=least_squares, count=0),
                "count must be at least 1",
            ),
            (
                lambda: recursive_elimination(
                    X4, Y4, fit=least_squares, count=1, share=1.0
                ),
                "share must be less than 1",
            ),
            (
                lambda: recursive_elimination(X4, Y4, fit=3, count=1),
                "fit must be a function",
            ),
        ],
    )
    def test_bad_ranking(self, call, message):
        with pytest.raises(ValueError, match=message):
            call()

    @pytest.mark.parametrize("search", [forward, backward, exhaustive])
    def test_inputs_are_untouched(self, search):
        X, y, splits = problem(1)
        X.setflags(write=False)
        y.setflags(write=False)
        one, two = search(X, y, splits=splits), search(X, y, splits=splits)
        assert np.array_equal(one.errors, two.errors)
