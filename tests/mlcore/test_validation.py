"""Splits and cross-validation: their counts, and examples by hand."""

import numpy as np
import pytest
from scipy.stats import sem

from mlcore.validation import cross_validate, k_folds, monte_carlo


def k_folds_claims(splits, y, folds, stratified, rng):
    n, tests = len(y), np.concatenate([test for _, test in splits])
    yield "every example is in one test set", sorted(tests) != [*range(n)], 0
    yield "folds", len(splits) != folds, 0
    for train, test in splits:
        yield "training set", [*train] != sorted({*range(n)} - {*test}), 0
    for label in [None, *(np.unique(y) if stratified else [])]:  # None: all examples
        sizes = [sum(label is None or y[i] == label for i in test) for _, test in splits]
        yield "difference of the sizes", max(sizes) - min(sizes), 1


def monte_carlo_claims(splits, y, repeats, test_fraction, rng, stratified):
    yield "repeats", len(splits) != repeats, 0
    for train, test in splits:
        yield "every example once", sorted([*train, *test]) != [*range(len(y))], 0
        for label in np.unique(y) if stratified else [None]:
            of_label = np.ones(len(y), bool) if label is None else y == label
            size, n = of_label[test].sum(), of_label.sum()
            yield "size", size != min(max(round(test_fraction * n), 1), n - 1), 0


def cross_validate_claims(found, fit, X, y, splits, error):
    expected = [error(y[test], np.full(len(test), y[train][0])) for train, test in splits]
    yield "errors", np.abs(found.errors - expected), 1e-15
    yield "mean", abs(found.mean - np.mean(expected)), 1e-15
    yield "standard error", abs(found.standard_error - sem(expected)), 1e-14


ORACLES = {
    k_folds: k_folds_claims,
    monte_carlo: monte_carlo_claims,
    cross_validate: cross_validate_claims,
}
RANDOM = {"repeats": 2, "test_fraction": 0.5, "rng": 0}
ERRORS = {
    "stratified=False; got 1 of the class -1": lambda: k_folds([1, 1, -1], folds=2),
    "folds must be at most 3; got 4": lambda: k_folds([1, 1, 1], folds=4, stratified=False),
    "test_fraction needs at least 2": lambda: monte_carlo([1, 1, -1], **RANDOM),
    "examples in y must be at least 2": lambda: monte_carlo([1], **RANDOM),
}


def test_k_folds_by_hand():
    found = k_folds([1, 1, -1, 1, -1], folds=2)
    # sorted by class: 2 4 | 0 1 3; assigned to the folds in turn: 2 0 3 and 4 1
    assert [test.tolist() for _, test in found] == [[0, 2, 3], [1, 4]]
    plain = k_folds([1, 1, -1, 1, -1], folds=2, stratified=False)
    assert [test.tolist() for _, test in plain] == [[0, 2, 4], [1, 3]]
    assert len(k_folds([-1, 1] * 9)) == 5


@pytest.mark.parametrize("stratified", [True, False])
def test_seeds_give_different_splits(stratified):
    y = np.repeat([-1, 1], 10)
    folds = [k_folds(y, folds=2, stratified=stratified, rng=seed)[0] for seed in range(30)]
    options = {"repeats": 30, "test_fraction": 0.5, "rng": 0, "stratified": stratified}
    for splits in folds, monte_carlo(y, **options):
        assert len({tuple(test) for _, test in splits}) > 25
