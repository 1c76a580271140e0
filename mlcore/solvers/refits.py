"""Cross-validation errors of any fit on subsets of the features, by fitting it again."""

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

from mlcore.arrays import Matrix, Vector
from mlcore.solvers.greedy import first_least
from mlcore.validation import cross_validate


class Refits:
    """E(S) for any fit: the mean error of refits to the columns in S."""

    def __init__(self, fit: Callable, X: Matrix, y, splits: list, error: Callable):
        self.fit, self.X, self.y = fit, X, y
        self.splits, self.error, self.d = splits, error, X.shape[1]

    def errors(self, sets) -> Vector:
        """E of each set of features; of none: a fit to a column of zeros."""
        return np.array([self._error(list(s)) for s in sets])

    def _error(self, features: list) -> float:
        return self._mean_error(self.X[:, features]) if features else self.of_none

    @cached_property
    def of_none(self) -> float:
        """E of no feature, with which a search compares."""
        return self._mean_error(np.zeros((len(self.X), 1)))

    def _mean_error(self, A: Matrix) -> float:
        return cross_validate(
            self.fit, A, self.y, splits=self.splits, error=self.error
        ).mean

    def additions(self) -> Iterator[tuple[int, float]]:
        """The feature whose addition gives the least E, and this E, one at a time."""
        chosen: list[int] = []
        rest = list(range(self.d))
        while rest:
            errors = self.errors([[*chosen, j] for j in rest])
            best = first_least(errors, self.of_none)
            chosen.append(rest.pop(best))
            yield chosen[-1], errors[best]

    def removals(self) -> Iterator[tuple[int, float]]:
        """The feature whose removal gives the least E, and this E, one at a time."""
        rest = list(range(self.d))
        while rest:
            errors = self.errors([[k for k in rest if k != j] for j in rest])
            best = first_least(errors, self.of_none)
            yield rest.pop(best), errors[best]
