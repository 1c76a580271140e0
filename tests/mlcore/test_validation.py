"""Splits and cross-validation by hand."""

from dataclasses import dataclass

import numpy as np
import pytest

from mlcore.validation import cross_validate, k_folds, monte_carlo


@dataclass
class Constant:
    """A rule that predicts the same label for every example."""

    label: float

    def predict(self, X):
        return np.full(len(X), self.label)


def majority(X, y):
    values, counts = np.unique(y, return_counts=True)
    return Constant(values[counts.argmax()])


def squared_error(y, predicted):
    return np.mean((y - predicted) ** 2)


class TestKFolds:
    def test_folds_by_hand(self):
        found = k_folds([1, 1, -1, 1, -1], folds=2)
        # sorted by class: 2 4 | 0 1 3; in turn to the folds: 2 0 3 and 4 1
        assert [test.tolist() for _, test in found] == [[0, 2, 3], [1, 4]]
        assert [train.tolist() for train, _ in found] == [[1, 4], [0, 2, 3]]
        plain = k_folds([1, 1, -1, 1, -1], folds=2, stratified=False)
        assert [test.tolist() for _, test in plain] == [[0, 2, 4], [1, 3]]
        assert len(k_folds([-1, 1] * 9)) == 5

    @pytest.mark.parametrize("stratified", [True, False])
    def test_seeds_give_different_splits(self, stratified):
        y = np.repeat([-1, 1], 10)
        many = [k_folds(y, folds=2, stratified=stratified, rng=seed) for seed in range(30)]
        many += [
            monte_carlo(y, repeats=30, test_fraction=0.5, rng=0, stratified=stratified)
        ]
        assert len({tuple(splits[0][1]) for splits in many}) > 25
        assert len({tuple(test) for _, test in many[-1]}) > 25

    def test_more_folds_than_examples_of_a_class_raise(self):
        message = r"folds needs .* y, or .*; got 1 of the class -1"
        with pytest.raises(ValueError, match=message):
            k_folds([1, 1, -1], folds=2)
        assert len(k_folds([1, 1, -1], folds=3, stratified=False)) == 3
        with pytest.raises(ValueError, match="folds must be at most 3; got 4"):
            k_folds([1, 1, -1], folds=4, stratified=False)


class TestMonteCarlo:
    def test_class_with_one_example_raises(self):
        with pytest.raises(ValueError, match=r"test_fraction needs at least 2 .* class -1"):
            monte_carlo([1, 1, -1], repeats=2, test_fraction=0.5, rng=0)
        with pytest.raises(ValueError, match="number of examples in y must be at least 2"):
            monte_carlo([1], repeats=2, test_fraction=0.5, rng=0, stratified=False)


class TestCrossValidate:
    def test_errors_by_hand(self):
        X = np.arange(6.0)[:, None]
        y = [-1, 1, 1, 1, -1, 1]
        splits = [([0, 1, 4], [2, 3]), ([1, 2, 3], [0, 4, 5]), ([0, 4], [1, 5])]
        found = cross_validate(majority, X, y, splits=splits)
        np.testing.assert_allclose(found.errors, [1, 2 / 3, 1])
        assert found.mean == pytest.approx(8 / 9)
        # deviations 1/9, -2/9, 1/9: variance 3/81, variance of the mean 1/81
        assert found.standard_error == pytest.approx(1 / 9)

    def test_fit_gets_only_training_examples(self):
        X, y = np.random.default_rng(0).integers(-99, 99, (30, 2)), np.arange(30.0)
        seen = []

        def fit(X_train, y_train):
            seen.append(y_train.tolist())
            assert np.array_equal(X_train, X[y_train.astype(int)])
            X_train[...] = y_train[...] = np.inf  # must not change the data
            return Constant(len(seen))

        splits = k_folds(y, folds=3, stratified=False, rng=0)
        found = cross_validate(fit, X, y, splits=splits, error=squared_error)
        assert seen == [train.tolist() for train, _ in splits]
        expected = [np.mean((t - k) ** 2) for k, (_, t) in enumerate(splits, start=1)]
        np.testing.assert_allclose(found.errors, expected, rtol=1e-12)

    def test_index_out_of_range_raises(self):
        splits = [([0, 1], [2, 4])] * 2
        with pytest.raises(ValueError, match=r"splits must hold .* indices from 0 to 3"):
            cross_validate(print, np.ones((4, 1)), [1, 1, -1, -1], splits=splits)
