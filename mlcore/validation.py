"""Cross-validation, and splits of the examples into training and test sets.

A split is a pair (train, test) of disjoint index arrays.

Chapters: least_squares, feature_selection
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore import checks
from mlcore.arrays import Seed, Vector
from mlcore.metrics import zero_one_error

Split = tuple[NDArray[np.intp], NDArray[np.intp]]


def k_folds(y, *, folds: int = 5, stratified: bool = True, rng: Seed = None) -> list[Split]:
    """Split n examples into folds; each fold is the test set of one split.

    y           (n,) labels of any kind
    folds       number of folds, from 2 to n
    stratified  whether to split each class evenly; must be False for real y
    rng         seed or Generator that shuffles the examples first; None: the given order

    Returns `folds` pairs (train, test) of sorted indices.  The sizes of two folds differ by
    at most one example; if stratified, this also holds for each class.
    Raises ValueError if folds is out of range or above the size of the smallest class.
    Source: Stone (1974); Kohavi (1995) for stratification.

    >>> k_folds(np.arange(4.0), folds=2, stratified=False)[0]
    (array([1, 3]), array([0, 2]))
    """
    y = checks.labels("y", y)
    folds = checks.integer("folds", folds, at_least=2, at_most=len(y))
    order = np.arange(len(y)) if rng is None else checks.rng("rng", rng).permutation(len(y))
    if checks.flag("stratified", stratified):
        _check_class_sizes("folds", folds, y)
        order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(len(y), dtype=int)
    fold[order] = np.arange(len(y)) % folds  # splits each class evenly if sorted by class
    return [_make_split(fold == k) for k in range(folds)]


def monte_carlo(
    y, *, repeats: int, test_fraction: float, rng: Seed, stratified: bool = True
) -> list[Split]:
    """Split n examples at random, repeatedly.

    y              (n,) labels of any kind
    repeats        number of splits, at least 1
    test_fraction  fraction of the examples in the test set, above 0 and below 1
    rng            seed or Generator
    stratified     whether to split each class in this proportion; must be False for real y

    Returns `repeats` pairs (train, test) of sorted indices.  The size of the test set is
    rounded, but neither set is empty; if stratified, this holds for each class.
    Raises ValueError for a number out of range and for a class with one example.
    Source: Picard and Cook (1984).

    >>> y = np.array([-1, 1] * 5)
    >>> splits = monte_carlo(y, repeats=3, test_fraction=0.2, rng=0)
    >>> [len(test) for train, test in splits]
    [2, 2, 2]
    """
    y, stratified = checks.labels("y", y), checks.flag("stratified", stratified)
    repeats = checks.integer("repeats", repeats, at_least=1)
    fraction = checks.number("test_fraction", test_fraction, above=0.0, below=1.0)
    rng = checks.rng("rng", rng)
    checks.integer("the number of examples in y", len(y), at_least=2)
    if stratified:
        _check_class_sizes("test_fraction", 2, y)
    strata = y if stratified else np.zeros(len(y))
    groups = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    splits = []
    for _ in range(repeats):
        in_test = np.zeros(len(y), dtype=bool)
        for group in groups:
            size = min(max(round(fraction * len(group)), 1), len(group) - 1)
            in_test[rng.permutation(group)[:size]] = True
        splits.append(_make_split(in_test))
    return splits


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """The errors of a cross-validation.

    errors  (F,) the error on each test set
    """

    errors: Vector

    @property
    def mean(self) -> float:
        """The mean of the errors."""
        return float(self.errors.mean())

    @property
    def standard_error(self) -> float:
        """The standard error of the mean for F independent splits: only a rough guide."""
        return float(self.errors.std(ddof=1) / np.sqrt(len(self.errors)))


def cross_validate(
    fit: Callable, X: ArrayLike, y, *, splits: list[Split], error=zero_one_error
) -> CrossValidation:
    """Fit on each training set and compute the error on its test set.

    fit     fit(X, y) returns an object with a method predict(X)
    X, y    (n, d) features, in any units; (n,) labels of any kind or numbers to predict
    splits  at least two pairs (train, test) of indices, for example from `k_folds`
    error   error(y, predicted) returns a number, for example `zero_one_error`

    Returns the errors, with `.mean` and `.standard_error`.  With k folds the standard error
    has k - 1 degrees of freedom, so `.mean` +- 2 `.standard_error` is not a 95% interval:
    with five folds it covers about 84%.  Replace the 2 by the 0.975 quantile of Student's t
    with k - 1 degrees of freedom (2.78 for five folds), or compute the standard error from
    the losses of the n individual examples.
    Raises ValueError for wrong shapes, nan, an index out of range, a training set that
    overlaps its test set; and any exception of fit and error.
    Source: Stone (1974); Bates, Hastie and Tibshirani (2024) for the intervals.

    >>> from mlcore.generative import lda
    >>> from mlcore.data import iris
    >>> data = iris()
    >>> cross_validate(lda, data.X, data.y, splits=k_folds(data.y)).mean
    0.0
    """
    X = checks.matrix("X", X)
    y = checks.labels("y", y, length=len(X))
    checks.function("fit", fit)
    checks.function("error", error)
    errors = []
    for train, test in checks.splits("splits", splits, n=len(X)):
        rule = checks.fitted(fit(X[train], y[train]), "predict")
        predicted = rule.predict(X[test])
        errors.append(checks.number("error(y, predicted)", error(y[test], predicted)))
    return CrossValidation(np.array(errors))


def _make_split(in_test: NDArray[np.bool_]) -> Split:
    return np.flatnonzero(~in_test), np.flatnonzero(in_test)


def _check_class_sizes(name: str, min_size: int, y) -> None:
    classes, counts = np.unique(y, return_counts=True)
    rarest = counts.argmin()
    if counts[rarest] < min_size:
        raise ValueError(
            f"{name} needs at least {min_size} examples of each class in y, or "
            f"stratified=False; got {counts[rarest]} of the class {classes[rarest]}"
        )
