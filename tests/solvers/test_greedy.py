"""The errors of refits: what is fitted, and which feature is taken of equals."""

from dataclasses import dataclass

import numpy as np
import pytest

from mlcore.least_squares import least_squares
from mlcore.solvers.greedy import Refits
from mlcore.validation import k_folds


@dataclass
class Scores:
    """Predicts what a fit of least squares scores."""

    fit: object

    def predict(self, X):
        return self.fit.decision_function(X)


def mean_square(y, predicted):
    return np.mean((y - predicted) ** 2)


def test_without_features_a_column_of_zeros_is_fitted():
    seen = []

    def fit(X, y):
        seen.append((X.shape, X.any()))
        return Scores(least_squares(X, y))

    y = np.array([0.0, 1.0, 2.0, 5.0])
    splits = [([0, 1], [2, 3]), ([2, 3], [0, 1])]
    (error,) = Refits(fit, np.ones((4, 3)), y, splits, mean_square).errors([()])
    assert seen == [((2, 1), False)] * 2
    assert error == pytest.approx(((1.5**2 + 4.5**2) / 2 + (3.5**2 + 2.5**2) / 2) / 2)


def test_of_perfect_fits_the_first_however_their_errors_are_rounded():
    for seed in range(5):
        x = np.random.default_rng(seed).normal(size=30)
        X = np.column_stack([x + 7, x / 3, 1e3 * x, np.pi * x - 1])
        splits = k_folds(x, folds=4, stratified=False)
        search = Refits(
            lambda X, y: Scores(least_squares(X, y)), X, np.e * x + 2, splits, mean_square
        )
        assert [j for j, _ in search.additions()] == [0, 1, 2, 3]
        assert [j for j, _ in search.removals()] == [0, 1, 2, 3]
