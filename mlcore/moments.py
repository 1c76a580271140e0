"""Sums over examples: means, and products of features, for each split of the data.

Least squares needs no more of the examples than these.  So an error on held-out
examples costs the same for any number of them.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.arrays import Matrix, Vector


def largest(A: Matrix) -> Vector:
    """The largest absolute value in each column, (d,)."""
    return np.maximum(A.max(axis=0), -A.min(axis=0))


def centered(A: Matrix, center: bool = True) -> tuple[Matrix, Vector]:
    """Each column minus its mean, and the means (0 and a copy if not to center)."""
    if not center:
        return A, np.zeros(A.shape[1])
    origin = A[0].copy()  # measured from here, a constant column is exactly 0
    A = A - origin
    shift = A.mean(axis=0)
    A -= shift
    return A, origin + shift


@dataclass(frozen=True, eq=False)
class FoldMoments:
    """Sums over the training and test examples of each of F splits, of p columns.

    Z      (n, p) the columns
    folds  the F pairs (train, test); train is None where it is all but test
    sizes  (2, F) how many train, how many test
    sums   (2, F, p) the sum of each column over them
    """

    Z: Matrix
    folds: list
    sizes: Vector
    sums: np.ndarray

    def products(self, V: Matrix, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Z.T @ V over the training, then over the test examples, each (F, p, q).

        V (n, q) and its sums (2, F, q).  All is measured from the training mean.
        """
        test = np.stack([self.Z[t].T @ V[t] for _, t in self.folds])
        whole = self.Z.T @ V
        train = np.stack(
            [
                whole - part if rows is None else self.Z[rows].T @ V[rows]
                for (rows, _), part in zip(self.folds, test, strict=True)
            ]
        )
        return self._about_mean(train, test, self.sums[..., None], sums[:, :, None])

    def grams(self) -> tuple[np.ndarray, np.ndarray]:
        """The products of all columns with all columns, each (F, p, p)."""
        return self.products(self.Z, self.sums)

    def column(self, j: int) -> tuple[np.ndarray, np.ndarray]:
        """The products of all columns with the column j, each (F, p)."""
        train, test = self.products(self.Z[:, [j]], self.sums[:, :, [j]])
        return train[..., 0], test[..., 0]

    def squares(self) -> tuple[np.ndarray, np.ndarray]:
        """The products of each column with itself, each (F, p)."""
        square = self.Z**2
        test = np.stack([square[t].sum(axis=0) for _, t in self.folds])
        whole = square.sum(axis=0)
        train = np.stack(
            [
                whole - part if rows is None else square[rows].sum(axis=0)
                for (rows, _), part in zip(self.folds, test, strict=True)
            ]
        )
        return self._about_mean(train, test, self.sums, self.sums)

    def _about_mean(self, train, test, left, right):
        """Products about the origin, turned into products about the training mean."""
        shape = (-1,) + (1,) * (train.ndim - 1)
        n, m = (size.reshape(shape) for size in self.sizes)
        x, y = left[0] / n, right[0] / n  # the means
        train = train - n * (x * y)
        return train, test - x * right[1] - y * left[1] + m * (x * y)


def fold_moments(Z: Matrix, splits: list) -> FoldMoments:
    """The sums of the columns of Z (n, p), for splits into (train, test)."""
    folds = []
    for train, test in splits:
        times = np.bincount(np.concatenate([train, test]), minlength=len(Z))
        folds.append((None if (times == 1).all() else train, test))
    total = Z.sum(axis=0)
    tests = np.stack([Z[test].sum(axis=0) for _, test in folds])
    trains = np.stack(
        [
            total - part if rows is None else Z[rows].sum(axis=0)
            for (rows, _), part in zip(folds, tests, strict=True)
        ]
    )
    sizes = np.array([[len(part) for part in pair] for pair in splits], float).T
    return FoldMoments(Z, folds, sizes, np.stack([trains, tests]))
