"""Cross-validation: exact partitions, fits made by hand, and noise that none learns."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.metrics import zero_one_error
from mlcore.validation import cross_validate, k_folds, monte_carlo, nested_cross_validate

repeatable = settings(derandomize=True, deadline=None)
seeds = st.one_of(st.none(), st.integers(0, 10**6))
labels = st.lists(st.sampled_from("abc"), min_size=2, max_size=40)


@dataclass
class Constant:
    """Predicts one label, whatever it sees."""

    label: float

    def predict(self, X):
        return np.full(len(X), self.label)


@dataclass
class Column:
    """Predicts the sign of one feature."""

    j: int

    def predict(self, X):
        return np.where(X[:, self.j] > 0, 1.0, -1.0)


def majority(X, y):
    values, counts = np.unique(y, return_counts=True)
    return Constant(values[counts.argmax()])


def squared_error(y, predicted):
    return np.mean((y - predicted) ** 2)


class TestFolds:
    def test_by_hand(self):
        found = k_folds([1, 1, -1, 1, -1], folds=2)
        # In the order of the classes 2 4 | 0 1 3, dealt in turn: 2 0 3 and 4 1.
        assert [test.tolist() for _, test in found] == [[0, 2, 3], [1, 4]]
        assert [train.tolist() for train, _ in found] == [[1, 4], [0, 2, 3]]
        plain = k_folds([1, 1, -1, 1, -1], folds=2, stratified=False)
        assert [test.tolist() for _, test in plain] == [[0, 2, 4], [1, 3]]

    @repeatable
    @given(y=labels, folds=st.integers(2, 6), stratified=st.booleans(), rng=seeds)
    def test_a_partition(self, y, folds, stratified, rng):
        y = np.array(y)
        classes, counts = np.unique(y, return_counts=True)
        if folds > (counts.min() if stratified else len(y)):
            with pytest.raises(ValueError, match=r"folds (needs|must be)"):
                k_folds(y, folds=folds, stratified=stratified, rng=rng)
            return
        found = k_folds(y, folds=folds, stratified=stratified, rng=rng)
        assert len(found) == folds
        tests = np.concatenate([test for _, test in found])
        assert np.sort(tests).tolist() == list(range(len(y)))
        for train, test in found:
            assert np.sort(np.append(train, test)).tolist() == list(range(len(y)))
            assert np.all(np.diff(train) > 0) and np.all(np.diff(test) > 0)
            assert abs(len(test) - len(y) / folds) < 1
            if stratified:
                for label, count in zip(classes, counts, strict=True):
                    assert abs(np.sum(y[test] == label) - count / folds) < 1

    def test_any_two_of_a_class_meet_equally_often(self):
        y = np.repeat([-1, 1], [7, 5])
        together = np.zeros((12, 12))
        for seed in range(2000):
            for _, test in k_folds(y, folds=3, rng=seed):
                together[np.ix_(test, test)] += 1
        # Seven are dealt as 3 + 2 + 2, five as 2 + 2 + 1; a count has deviation 19.
        for group, pairs in (range(7), (3 + 1 + 1) / 21), (range(7, 12), (1 + 1) / 10):
            counts = together[np.ix_(group, group)]
            counts = counts[~np.eye(len(counts), dtype=bool)]
            np.testing.assert_allclose(counts, 2000 * pairs, atol=80)

    @pytest.mark.parametrize(
        ("y", "options", "message"),
        [
            (
                [1, 1, -1],
                {"folds": 2},
                r"folds needs .* y, or .*; got 1 of the class -1",
            ),
            ([1.5, 2.5, 3.5], {"folds": 3}, "got 1 of the class 1.5"),
            ([1, 1], {"folds": 3}, "folds must be at most 2; got 3"),
            ([1, 1], {"folds": 1}, "folds must be at least 2; got 1"),
            ([1, 1], {"folds": 2.0}, "folds must be an integer"),
            ([1, 1], {"folds": 2, "stratified": 1}, "stratified must be True or False"),
            ([1, 1], {"folds": 2, "rng": "a"}, "rng must be"),
            ([1, np.nan], {"folds": 2}, "y must be finite"),
        ],
    )
    def test_bad_input(self, y, options, message):
        with pytest.raises(ValueError, match=message):
            k_folds(y, **options)


class TestMonteCarlo:
    @repeatable
    @given(
        counts=st.lists(st.integers(2, 20), min_size=1, max_size=3),
        share=st.floats(0.001, 0.999),
        stratified=st.booleans(),
        rng=st.integers(0, 10**6),
    )
    def test_the_share_is_kept(self, counts, share, stratified, rng):
        y = np.repeat(np.arange(len(counts)), counts)
        options = {"repeats": 3, "test_share": share, "rng": rng}
        found = monte_carlo(y, stratified=stratified, **options)
        assert len(found) == 3
        for train, test in found:
            assert np.sort(np.append(train, test)).tolist() == list(range(len(y)))
            groups = (
                np.bincount(y[test], minlength=len(counts)) if stratified else [len(test)]
            )
            for size, n in zip(groups, counts if stratified else [len(y)], strict=True):
                assert size == min(max(round(share * n), 1), n - 1)

    def test_repeats_differ_and_a_seed_repeats(self):
        y = np.repeat([-1, 1], 10)
        one = monte_carlo(y, repeats=40, test_share=0.25, rng=0)
        two = monte_carlo(y, repeats=40, test_share=0.25, rng=np.random.default_rng(0))
        assert all(np.array_equal(a[1], b[1]) for a, b in zip(one, two, strict=True))
        assert len({tuple(test) for _, test in one}) > 30
        drawn = np.bincount(np.concatenate([test for _, test in one]), minlength=20)
        assert drawn.min() > 0

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"repeats": 0}, "repeats must be at least 1; got 0"),
            ({"test_share": 0.0}, "test_share must be greater than 0; got 0"),
            ({"test_share": 1}, "test_share must be less than 1; got 1"),
            ({"rng": None}, "rng must be"),
            ({"y": [1, 1, -1]}, "test_share needs at least 2 examples .* class -1"),
            (
                {"y": [1], "stratified": False},
                "number of examples in y must be at least 2",
            ),
        ],
    )
    def test_bad_input(self, options, message):
        good = {"y": [1, 1, -1, -1], "repeats": 2, "test_share": 0.5, "rng": 0}
        with pytest.raises(ValueError, match=message):
            monte_carlo(**(good | options))


class TestCrossValidate:
    def test_by_hand(self):
        X = np.arange(6.0)[:, None]
        y = [-1, 1, 1, 1, -1, 1]
        splits = [([0, 1, 4], [2, 3]), ([1, 2, 3], [0, 4, 5]), ([0, 4], [1, 5])]
        found = cross_validate(majority, X, y, splits=splits)
        np.testing.assert_allclose(found.errors, [1, 2 / 3, 1])
        assert found.mean == pytest.approx(8 / 9)
        # deviations 1, -2, 1 ninths: variance (6 / 81) / 2, of the mean a third of it
        assert found.standard_error == pytest.approx(1 / 9)

    def test_it_fits_on_the_training_part_only(self):
        X, y = np.random.default_rng(0).integers(-99, 99, (30, 2)), np.arange(30.0)
        seen = []

        def fit(X_train, y_train):
            seen.append(y_train.tolist())
            assert np.array_equal(X_train, X[y_train.astype(int)])
            X_train[...] = y_train[...] = np.inf  # a fit without manners
            return Constant(len(seen))

        splits = k_folds(y, folds=3, stratified=False, rng=0)
        found = cross_validate(fit, X, y, splits=splits, error=squared_error)
        assert seen == [train.tolist() for train, _ in splits]
        expected = [np.mean((t - k) ** 2) for k, (_, t) in enumerate(splits, start=1)]
        np.testing.assert_allclose(found.errors, expected, rtol=1e-12)

    def test_scikit_learn(self):
        from sklearn.linear_model import Ridge
        from sklearn.model_selection import KFold, cross_val_score

        rng = np.random.default_rng(0)
        X = rng.normal(size=(40, 3))
        y = X @ [1, 2, 3] + rng.normal(size=40)
        splits = list(KFold(4).split(X))
        found = cross_validate(Ridge().fit, X, y, splits=splits, error=squared_error)
        peer = cross_val_score(Ridge(), X, y, cv=4, scoring="neg_mean_squared_error")
        np.testing.assert_allclose(found.errors, -peer, rtol=1e-12)

    @pytest.mark.parametrize(
        ("splits", "message"),
        [
            ([], "splits must be at least 2; got 0"),
            ([([0], [1])], "splits must be at least 2; got 1"),
            (
                [([0], [4])] * 2,
                "splits must hold vectors of indices from 0 to 3; got .4",
            ),
            ([([0], [-1])] * 2, "splits must hold vectors of indices from 0 to 3"),
            ([([], [1])] * 2, "splits must hold vectors of indices"),
            ([([0.0], [1])] * 2, "splits must hold vectors of indices"),
            ([([True], [1])] * 2, "splits must hold vectors of indices"),
            ([([0, 1], [1, 2])] * 2, "splits must not test on training data; got .1"),
            (3, r"splits must be pairs .* got 3"),
            (["abc"], r"splits must be pairs"),
        ],
    )
    def test_bad_splits(self, splits, message):
        with pytest.raises(ValueError, match=message):
            cross_validate(majority, np.ones((4, 1)), [1, 1, -1, -1], splits=splits)

    def test_bad_functions(self):
        X, y, splits = np.ones((4, 1)), [1, 1, -1, -1], [([0, 2], [1, 3])] * 2
        with pytest.raises(ValueError, match="fit must be a function; got None"):
            cross_validate(None, X, y, splits=splits)
        with pytest.raises(ValueError, match="error must be a function; got 'mse'"):
            cross_validate(majority, X, y, splits=splits, error="mse")
        with pytest.raises(ValueError, match=r"error.y, predicted. must be a finite"):
            cross_validate(majority, X, y, splits=splits, error=lambda *_: np.nan)


class TestNested:
    def test_it_chooses_inside_and_measures_outside(self):
        """Feature 0 is right except in the last four examples, feature 1 only there."""
        y = np.tile([1.0, -1.0], 6)
        X = np.column_stack([y, -y])
        X[8:] *= -1
        fits = {"first": lambda *_: Column(0), "second": lambda *_: Column(1)}
        found = nested_cross_validate(fits, X, y, folds=3, inner=2)
        tests = [test for _, test in k_folds(y, folds=3)]
        wrong = [np.mean(test >= 8) for test in tests]
        assert found.chosen == ("first",) * 3
        np.testing.assert_allclose(found.errors, wrong)
        inner = [(4 - np.sum(test >= 8)) / 8 for test in tests]
        np.testing.assert_allclose(found.promised, inner)
        assert found.mean == pytest.approx(1 / 3)

    def test_noise_promises_more_than_it_keeps(self):
        """The best of 40 random features looks better than 1/2, and is not."""
        fits = {f"x{j}": (lambda *_, j=j: Column(j)) for j in range(20)}
        promised, errors = [], []
        for seed in range(10):
            rng = np.random.default_rng(seed)
            X, y = (
                rng.normal(size=(40, 20)),
                rng.permutation(np.repeat([-1.0, 1.0], 20)),
            )
            found = nested_cross_validate(fits, X, y, folds=4, inner=4, rng=rng)
            promised.append(found.promised.mean())
            errors.append(found.mean)
        assert max(promised) < 0.42
        assert np.mean(errors) == pytest.approx(0.5, abs=0.05)  # 2 standard errors

    def test_the_first_of_equals_and_a_seed(self):
        y = np.tile([1.0, -1.0], 10)
        X = y[:, None]
        fits = {"b": majority, "a": majority}
        one = nested_cross_validate(fits, X, y, folds=2, inner=2, rng=3)
        two = nested_cross_validate(fits, X, y, folds=2, inner=2, rng=3)
        assert one.chosen == ("b", "b") == two.chosen
        assert np.array_equal(one.errors, two.errors)

    @pytest.mark.parametrize("rng", [None, 0])
    def test_the_inner_folds_too_are_in_the_given_order_or_shuffled(self, rng):
        """In the given order two folds take the examples in turn."""
        y, seen = np.arange(40.0), []

        def fit(X, y):
            seen.append(y.tolist())
            return Constant(0.0)

        options = {"folds": 2, "inner": 2, "stratified": False, "error": squared_error}
        nested_cross_validate({"a": fit}, y[:, None], y, rng=rng, **options)
        outer = [train for train in seen if len(train) == 20]
        inner = [train for train in seen if len(train) == 10]
        turns = [train[start::2] for train in outer for start in (0, 1)]
        assert len(inner) == 4
        assert [train in turns for train in inner] == [rng is None] * 4

    def test_a_regression(self):
        y = np.arange(20.0)
        fits = {
            "mean": lambda X, y: Constant(y.mean()),
            "zero": lambda X, y: Constant(0.0),
        }
        found = nested_cross_validate(
            fits, y[:, None], y, stratified=False, rng=0, error=squared_error
        )
        assert found.chosen == ("mean",) * 5
        assert 20 < found.mean < 50

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"fits": {}}, "fits must be a dict name -> fit; got"),
            ({"fits": [majority]}, "fits must be a dict"),
            ({"fits": {"a": None}}, r"fits\['a'\] must be a function; got None"),
            ({"folds": 5}, "folds needs at least 5 examples of each class"),
            ({"inner": 4}, "inner needs at least 4 examples of each class"),
            ({"inner": 1}, "inner must be at least 2; got 1"),
            ({"stratified": None}, "stratified must be True or False; got None"),
            ({"error": 0}, "error must be a function; got 0"),
            ({"y": [1, -1]}, "y must have 8 entries; got 2"),
        ],
    )
    def test_bad_input(self, options, message):
        good = {
            "fits": {"majority": majority},
            "X": np.ones((8, 1)),
            "y": [1, -1] * 4,
            "folds": 2,
            "inner": 2,
            "error": zero_one_error,
        }
        with pytest.raises(ValueError, match=message):
            nested_cross_validate(**(good | options))
