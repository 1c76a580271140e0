"""Sums over examples: means, and products of features, for each split of the data.

Least squares needs no more of the examples than these.  So an error on held-out
examples costs the same for any number of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from mlcore.arrays import Matrix, Vector, asked, by_block, lazy


def blocks(n: int, width: int) -> list[slice]:
    """n rows in parts, of which one of this width and what is made of it fit the cache."""
    size = 64 + 2**16 // width
    return [slice(k, k + size) for k in range(0, n, size)]


def largest(A: Matrix) -> Vector:
    """The largest absolute value in each column, (d,)."""
    return np.maximum(A.max(axis=0), -A.min(axis=0))


def centered(A: Matrix) -> tuple[Matrix, Vector]:
    """Each column minus its mean, and the means."""
    origin = A[0].copy()  # measured from here, a constant column is exactly 0
    A = A - origin
    shift = np.ones(len(A)) @ A / len(A)
    A -= shift
    return A, origin + shift


def measured(
    *given: Matrix, center: bool = True, weights: Vector | None = None
) -> list[tuple[Matrix, Vector, Vector]]:
    """Of each array what `centered` returns, and the `largest` values of its columns.

    The weights of the rows, if there are any, count in the means.
    Lazy arrays are read once for all, after a look at their first rows.
    """
    arrays = list(given)
    origins = [np.zeros(A.shape[1]) for A in arrays]
    if center:
        origins = asked(*(A[0] for A in arrays))
        arrays = [A - origin for A, origin in zip(arrays, origins, strict=True)]
    k, s = len(arrays), [] if weights is None else [weights[:, None]]
    parts = by_block(partial(_extent, k=k), *arrays, *s)
    numbers = asked(
        *(part.sum(axis=0) for part in parts[:k]),
        *(part.max(axis=0) for part in parts[k : 2 * k]),
        *(part.min(axis=0) for part in parts[2 * k :]),
    )
    count = len(given[0]) if weights is None else float(weights.sum())
    found = []
    for A, origin, total, high, low in zip(
        arrays, origins, numbers[:k], numbers[k : 2 * k], numbers[2 * k :], strict=True
    ):
        shift = total / count if center else origin
        if center:
            A -= shift
        found.append((A, origin + shift, np.maximum(high - shift, shift - low)))
    return found


def _extent(*arrays: Matrix, k: int) -> list[Vector]:
    """Sums, largest and smallest values of k arrays; the next one, if any, has weights."""
    s = arrays[k] if len(arrays) > k else None
    return [
        *((A if s is None else A * s).sum(axis=0) for A in arrays[:k]),
        *(A.max(axis=0) for A in arrays[:k]),
        *(A.min(axis=0) for A in arrays[:k]),
    ]


def over_splits(total: Callable, folds: list, once: bool) -> tuple:
    """total(rows) of the training, then of the test examples of each split, stacked.

    once  whether each example is tested once: then all together are the tests together
    """
    tests = [total(test) for _, test in folds]
    whole = sum(tests) if once else total(slice(None))
    trains = [
        whole - part if rows is None else total(rows)
        for (rows, _), part in zip(folds, tests, strict=True)
    ]
    return np.stack(trains), np.stack(tests)


@dataclass(frozen=True, eq=False)
class FoldMoments:
    """Sums over the training and test examples of each of F splits, of p columns.

    Z       (n, p) the columns
    folds   the F pairs (train, test); train is None where it is all but test
    sizes   (2, F) how many train, how many test
    sums    (2, F, p) the sum of each column over them
    square  (p,) the sum of the squares of each column over all examples
    whole   (2, F, p, p) the sums of the products of all columns, where Z is lazy
    once    whether each example is known to be tested in one split
    """

    Z: Matrix
    folds: list
    sizes: Vector
    sums: np.ndarray
    square: Vector
    whole: np.ndarray | None
    once: bool

    def products(self, V: Matrix, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Z.T @ V over the training, then over the test examples, each (F, p, q).

        V (n, q) and its sums (2, F, q).  All is measured from the training mean.
        """

        def product(rows):  # of Z with itself from one copy of the rows
            part = self.Z[rows]
            return part.T @ (part if V is self.Z else V[rows])

        train, test = over_splits(product, self.folds, self.once)
        return self._about_mean(train, test, self.sums[..., None], sums[:, :, None])

    def grams(self) -> tuple[np.ndarray, np.ndarray]:
        """The products of all columns with all columns, each (F, p, p)."""
        if self.whole is None:
            return self.products(self.Z, self.sums)
        train, test = self.whole
        return self._about_mean(train, test, self.sums[..., None], self.sums[:, :, None])

    def column(self, j: int) -> tuple[np.ndarray, np.ndarray]:
        """The products of all columns with the column j, each (F, p)."""
        train, test = self.products(self.Z[:, [j]], self.sums[:, :, [j]])
        return train[..., 0], test[..., 0]

    def squares(self) -> tuple[np.ndarray, np.ndarray]:
        """The products of each column with itself, each (F, p)."""
        square = self.Z**2

        def total(rows):
            return square[rows].sum(axis=0)

        train, test = over_splits(total, self.folds, self.once)
        return self._about_mean(train, test, self.sums, self.sums)

    def _about_mean(self, train, test, left, right):
        """Products about the origin, turned into products about the training mean."""
        shape = (-1,) + (1,) * (train.ndim - 1)
        n, m = (size.reshape(shape) for size in self.sizes)
        x, y = left[0] / n, right[0] / n  # the means
        train = train - n * (x * y)
        return train, test - x * right[1] - y * left[1] + m * (x * y)


def fold_moments(Z: Matrix, splits: list) -> FoldMoments:
    """The sums over the rows of Z (n, p), for splits into (train, test).

    A lazy Z is read once for all sums; its splits are those of `check_masks`.
    """
    if lazy(Z):
        folds, once, masks = splits, False, [mask for pair in splits for mask in pair]
        given = [mask[:, None] for mask in masks if mask is not None]
        known = tuple(mask is not None for mask in masks)
        stacks = by_block(partial(_of_a_block, known=known), Z, *given)
        square, *parts = asked(*(stack.sum(axis=0) for stack in stacks))
    else:
        folds, once = _complements(splits, len(Z))
        square, *parts = _totals(Z, folds, once)
    sizes, sums, *whole = map(np.stack, zip(parts[::2], parts[1::2], strict=True))
    return FoldMoments(Z, folds, sizes, sums, square, whole[0] if whole else None, once)


def _totals(Z: Matrix, folds: list, once: bool, *, products: bool = False) -> list:
    """The squares of Z; then over the splits its rows, its sums, and maybe its products."""
    one = np.ones_like(Z[:, 0])
    totals = [lambda rows: one[rows].sum(), lambda rows: Z[rows].sum(axis=0)]
    if products:
        totals.append(lambda rows: Z[rows].T @ Z[rows])
    parts = [part for total in totals for part in over_splits(total, folds, once)]
    return [np.einsum("ij,ij->j", Z, Z), *parts]


def _of_a_block(Z: Matrix, *given: Matrix, known: tuple[bool, ...]) -> list:
    """The totals of a block, whose masks are columns; of a train that is None, none."""
    columns = iter(given)
    masks = [next(columns)[:, 0] > 0 if here else None for here in known]
    return _totals(Z, list(zip(masks[::2], masks[1::2], strict=True)), False, products=True)


def _complements(splits: list, n: int) -> tuple[list, bool]:
    """The splits, with None for a train that is all but test; whether all test once."""
    folds, tested = [], np.zeros(n, dtype=int)
    for train, test in splits:
        own = np.bincount(test, minlength=n)
        whole = (own + np.bincount(train, minlength=n) == 1).all()
        folds.append((None if whole else train, test))
        tested += own
    return folds, bool((tested == 1).all())
