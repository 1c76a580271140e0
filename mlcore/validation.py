"""How well a fit predicts examples that it has not seen: splits and cross-validation.

A split is a pair (train, test) of index arrays without a common example.

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
    """Split n examples into equal folds; each is the test set once.

    y           (n,) labels of any kind
    folds       number of folds, from 2 to n
    stratified  whether each fold gets its share of each class; False for real y
    rng         seed or Generator that shuffles first; None: the given order

    Returns `folds` pairs (train, test), sorted indices.  Folds differ by at most one
    example, if stratified also in each class.
    Raises ValueError for folds out of range, or more than the smallest class holds.
    Source: Stone (1974); Kohavi (1995) for the strata.

    >>> k_folds(np.arange(4.0), folds=2, stratified=False)[0]
    (array([1, 3]), array([0, 2]))
    """
    y = checks.labels("y", y)
    folds = checks.integer("folds", folds, at_least=2, at_most=len(y))
    order = np.arange(len(y)) if rng is None else checks.rng("rng", rng).permutation(len(y))
    if checks.flag("stratified", stratified):
        _check_classes("folds", folds, y)
        order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(len(y), dtype=int)  # dealt like cards
    fold[order] = np.arange(len(y)) % folds
    return [_split(fold == k) for k in range(folds)]


def monte_carlo(
    y, *, repeats: int, test_share: float, rng: Seed, stratified: bool = True
) -> list[Split]:
    """Split n examples at random, again and again.

    y           (n,) labels of any kind
    repeats     number of splits, at least 1
    test_share  the part of the examples to test on, above 0 and below 1
    rng         seed or Generator
    stratified  whether this part is taken of each class; False for real y

    Returns `repeats` pairs (train, test), sorted indices.  The part is rounded to whole
    examples, but neither side is left empty, if stratified of no class.
    Raises ValueError for a number out of range, or a class with one example.
    Source: Picard and Cook (1984).

    >>> y = np.array([-1, 1] * 5)
    >>> splits = monte_carlo(y, repeats=3, test_share=0.2, rng=0)
    >>> [len(test) for train, test in splits]
    [2, 2, 2]
    """
    y, stratified = checks.labels("y", y), checks.flag("stratified", stratified)
    repeats = checks.integer("repeats", repeats, at_least=1)
    share = checks.number("test_share", test_share, above=0.0, below=1.0)
    rng = checks.rng("rng", rng)
    checks.integer("the number of examples in y", len(y), at_least=2)
    if stratified:
        _check_classes("test_share", 2, y)
    strata = y if stratified else np.zeros(len(y))
    groups = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    splits = []
    for _ in range(repeats):
        tested = np.zeros(len(y), dtype=bool)
        for group in groups:
            size = min(max(round(share * len(group)), 1), len(group) - 1)
            tested[rng.permutation(group)[:size]] = True
        splits.append(_split(tested))
    return splits


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """The error on each test set.

    errors  (F,) one number for each split, in the unit of the error
    """

    errors: Vector

    @property
    def mean(self) -> float:
        """The mean error."""
        return float(self.errors.mean())

    @property
    def standard_error(self) -> float:
        """Of the mean, as if the splits were independent; they overlap: a rough guide."""
        return float(self.errors.std(ddof=1) / np.sqrt(len(self.errors)))


def cross_validate(
    fit: Callable, X: ArrayLike, y, *, splits: list[Split], error=zero_one_error
) -> CrossValidation:
    """Fit on each training set, measure the error on its test set.

    fit     fit(X, y) returns an object with a method predict(X)
    X, y    (n, d) features, in any units; (n,) labels of any kind, or numbers to predict
    splits  at least two pairs (train, test) of indices, as `k_folds` makes them
    error   error(y, predicted) is the number wanted small, such as `zero_one_error`

    Returns the errors; look at `.mean` and `.standard_error`.
    Raises ValueError for wrong shapes, nan, an index out of range, an example in both parts
    of a split, and what fit and error raise.
    Source: Stone (1974).

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
        predicted = fit(X[train], y[train]).predict(X[test])
        errors.append(checks.number("error(y, predicted)", error(y[test], predicted)))
    return CrossValidation(np.array(errors))


def _split(tested: NDArray[np.bool_]) -> Split:
    return np.flatnonzero(~tested), np.flatnonzero(tested)


def _check_classes(name: str, least: int, y) -> None:
    classes, counts = np.unique(y, return_counts=True)
    rarest = counts.argmin()
    if counts[rarest] < least:
        raise ValueError(
            f"{name} needs at least {least} examples of each class in y, or "
            f"stratified=False; got {counts[rarest]} of the class {classes[rarest]}"
        )
