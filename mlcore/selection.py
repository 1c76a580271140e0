"""Which features to keep: all subsets, or one feature at a time.

Chapters: feature_selection, sparsity
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from mlcore.arrays import Vector
from mlcore.blocks import check_beside, check_rows, lazy
from mlcore.checks import check_labels, check_matrix, check_vector
from mlcore.metrics import zero_one_error
from mlcore.options import check_integer, check_number, check_splits
from mlcore.solvers.greedy import (
    Moments,
    Refits,
    first_least,
    mean_square,
    shortest,
)
from mlcore.solvers.ranking import mutual_information, recursive_elimination, univariate
from mlcore.validation import Split

__all__ = [
    "backward",
    "exhaustive",
    "forward",
    "mutual_information",
    "recursive_elimination",
    "univariate",
]
MOST_EXHAUSTIVE = 12  # features: 4096 subsets
MOST_PRODUCTS = 1000  # features: their products are kept for each split


@dataclass(frozen=True, eq=False)
class Selection:
    """What a greedy search kept, and its way there.

    features  the indices kept: in the order of their choice (forward), sorted
              (backward)
    order     the features added, or removed, in order
    errors    (T + 1,) E before the first of the T steps and after each
    empty     E of no feature: the best constant
    all       E of all features
    """

    features: tuple[int, ...]
    order: tuple[int, ...]
    errors: Vector
    empty: float
    all: float


def forward(
    X: ArrayLike,
    y: ArrayLike,
    *,
    splits: list[Split],
    count: int | None = None,
    tol: float = 1e-9,
    fit: Callable | None = None,
    error: Callable = zero_one_error,
) -> Selection:
    """Start without features; add the best one while the error E decreases.

    X       (n, d) features, one example a row, in any units; without `fit`
            an array of Dask is read twice, and never as a whole; for more
            than 1000 features each set is fitted again
    y       (n,) numbers to fit; with `fit` labels of any kind
    splits  at least two pairs (train, test), as `k_folds` makes them; for an
            X of Dask the fold of each example, (n,) numbers 0, ..., K - 1
    count   how many features to choose whatever E does, from 0 to d; None:
            stop when E does not decrease
    tol     a smaller decrease counts as none; a part of E without features
    fit     None: least squares with a bias, and E is the mean over the
            splits of its mean square, exactly, without refits; else
            fit(X, y) returns an object with predict(X), is refitted to
            every set of features, and E is the mean of
    error   error(y, predicted), used only with `fit`

    Returns the features and the history.  Compare `.errors` with `.empty`
    and `.all`; the least of many estimates tends to be too small.
    Raises ValueError for wrong shapes, nan, an option out of range.
    Source: Efroymson (1960); Miller (2002), section 3.2.

    >>> from mlcore.data import diabetes
    >>> from mlcore.validation import k_folds
    >>> data = diabetes()
    >>> found = forward(data.X, data.y, splits=k_folds(data.y, stratified=False), count=2)
    >>> found.features, data.features[2]
    ((2, 8), 'body mass index (kg per square meter)')
    """
    search, tol, count = _search(X, y, splits, count, tol, fit, error)
    empty, full = _ends(search)
    order, errors = _walk(search.additions(), empty, tol * empty, count)
    return Selection(order, order, errors, empty, full)


def backward(
    X: ArrayLike,
    y: ArrayLike,
    *,
    splits: list[Split],
    count: int | None = None,
    tol: float = 1e-9,
    fit: Callable | None = None,
    error: Callable = zero_one_error,
) -> Selection:
    """Start with all features; remove the worst one while the error E decreases.

    The arguments are those of `forward`; count is how many features to keep.

    Returns the features and the history.  Look at `.errors`: the first is E
    of all features, so a removal that harms is not made.
    Raises ValueError as `forward` does.
    Source: Marill and Green (1963); Miller (2002), section 3.4.

    >>> from mlcore.data import diabetes
    >>> from mlcore.validation import k_folds
    >>> data = diabetes()
    >>> found = backward(data.X, data.y, splits=k_folds(data.y, stratified=False), count=2)
    >>> found.features, data.features[2]
    ((2, 8), 'body mass index (kg per square meter)')
    """
    search, tol, count = _search(X, y, splits, count, tol, fit, error)
    empty, full = _ends(search)
    steps = None if count is None else search.d - count
    order, errors = _walk(search.removals(), full, tol * empty, steps)
    kept = sorted(set(range(search.d)) - set(order))
    return Selection(tuple(kept), order, errors, empty, full)


@dataclass(frozen=True, eq=False)
class BestSubsets:
    """The best of all subsets.

    features  the indices of the best one; of equals the smallest
    subsets   the best of each size 0, ..., d
    errors    (d + 1,) their E
    """

    features: tuple[int, ...]
    subsets: tuple[tuple[int, ...], ...]
    errors: Vector


def exhaustive(
    X: ArrayLike,
    y: ArrayLike,
    *,
    splits: list[Split],
    tol: float = 1e-9,
    fit: Callable | None = None,
    error: Callable = zero_one_error,
) -> BestSubsets:
    """Score every subset of at most 12 features.

    The arguments are those of `forward`.

    Returns the best subset, and the best of each size with its E.
    Raises ValueError as `forward` does, and for d > 12.
    Source: Garside (1965); Miller (2002), section 3.8.

    >>> from mlcore.data import diabetes
    >>> from mlcore.validation import k_folds
    >>> data = diabetes()
    >>> best = exhaustive(data.X, data.y, splits=k_folds(data.y, stratified=False))
    >>> best.features
    (1, 2, 3, 4, 5, 8)
    """
    search, tol, _ = _search(X, y, splits, None, tol, fit, error)
    check_integer("the columns of X", search.d, at_most=MOST_EXHAUSTIVE)
    subsets: list[tuple[int, ...]] = []
    errors: list[float] = []
    for size in range(search.d + 1):
        sets = list(combinations(range(search.d), size))
        values = search.errors(sets)
        best = first_least(values, max([*values, *errors]))
        subsets.append(sets[best])
        errors.append(values[best])
    least = min(errors) + tol * errors[0]
    best = int(np.argmax(np.array(errors) <= least))
    return BestSubsets(subsets[best], tuple(subsets), np.array(errors))


def _search(X, y, splits, count, tol, fit, error):
    """The arguments, checked, as a search; a tolerance; a count."""
    X = check_rows("X", X) if fit is None else check_matrix("X", X)
    n, d = X.shape
    if not lazy(X):
        splits = check_splits("splits", splits, n=n)
    if count is not None:
        count = check_integer("count", count, at_most=d)
    tol = check_number("tol", tol, at_least=0.0, below=1.0)
    if fit is None and (lazy(X) or d <= MOST_PRODUCTS):
        return Moments(X, check_beside("y", y, X), splits), tol, count
    if fit is None:
        y = check_vector("y", y, length=n)
        return Refits(shortest, X, y, splits, mean_square), tol, count
    for name, value in ("fit", fit), ("error", error):
        if not callable(value):
            raise ValueError(f"{name} must be a function; got {value!r}")
    y = check_labels("y", y, length=n)
    return Refits(fit, X, y, splits, error), tol, count


def _ends(search) -> tuple[float, float]:
    """E of no feature and of all features."""
    (empty,), (full,) = search.errors([()]), search.errors([range(search.d)])
    return float(empty), float(full)


def _walk(path, error: float, tol: float, count: int | None):
    """Follow a path for count steps, or while each step decreases E by tol."""
    order, errors = [], [error]
    if count != 0:
        for feature, error in path:
            if count is None and not error < errors[-1] - tol:
                break
            order.append(feature)
            errors.append(error)
            if len(order) == count:
                break
    return tuple(order), np.array(errors)
