"""The numerics of the lasso: data of size 1, their path, the errors on held-out folds."""

import numpy as np
from numpy.typing import ArrayLike

from mlcore.arrays import Matrix, Vector
from mlcore.checks import check_matrix, check_vector
from mlcore.options import check_number
from mlcore.solvers.active_set import Columns, Gram
from mlcore.solvers.homotopy import between, follow
from mlcore.solvers.l1_penalty import duality_gap, projected_gap
from mlcore.solvers.moments import centered, fold_moments, largest
from mlcore.validation import Split


class LassoProblem:
    """The data of a lasso, centered, and divided by their size where squares need it."""

    def __init__(self, X: ArrayLike, y: ArrayLike):
        X = check_matrix("X", X)
        y = check_vector("y", y, length=len(X))
        self.Z, self.mean = centered(X)
        target, level = centered(y[:, None])
        self.level = float(level[0])
        self.size = float(largest(self.Z).max()) or 1.0
        self.unit = float(largest(target)[0]) or 1.0
        if 1e-50 < self.size < 1e50:
            self.size = 1.0
        else:
            self.Z /= self.size
        self.target = target[:, 0] / self.unit
        self.c = self.Z.T @ self.target
        self.factor = check_number("max |X| max |y|", self.size * self.unit)
        self.factor = max(self.factor, np.finfo(float).tiny)
        self.first = 2 * self.factor * float(np.abs(self.c).max())

    def scaled(self, lambdas):
        """Each lambda for X and y of size 1, or 1e300: above 1e150 all make w = 0."""
        with np.errstate(over="ignore"):
            return np.minimum(np.divide(lambdas, self.factor), 1e300)

    def path(self, until: float) -> tuple[Vector, Matrix, Vector, bool]:
        """The knots of the path: lambda, w and b; and whether it reached `until`."""
        Z, (n, d) = self.Z, self.Z.shape
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused
            t, V, complete = follow(
                _products(Z), self.c, self.scaled(until) / 2, _most(n, d)
            )
        lambdas = 2 * self.factor * t
        if complete and until < self.first:
            lambdas[-1] = until
        with np.errstate(all="ignore"):
            W = check_matrix("w for X and y", V * (self.unit / self.size))
            b = check_vector("b for X and y", self.level - W @ self.mean)
        return lambdas, W, b, complete

    def fit(self, lambda_: float) -> tuple[Vector, float, float, float]:
        """The end of the path to lambda: w and b, lambda, and how far they may be off."""
        _, W, b, _ = self.path(lambda_)
        return W[-1], float(b[-1]), lambda_, self.gap(W[-1], lambda_)

    def gap(self, w: Vector, lambda_: float) -> float:
        """The duality gap, as a part of the objective of w = 0."""
        with np.errstate(all="ignore"):
            v = w * self.size / self.unit
            r = self.target - self.Z @ v
            g, cut = self.Z.T @ r, self.scaled(lambda_)
            gap = duality_gap(self.Z, self.target, r, g, (cut, np.abs(v).sum()))
            if gap > 1e-9:  # the other costs a least squares problem
                gap = min(gap, projected_gap(self.Z, self.target, r, v, cut))
            return gap

    def cross_validate(self, splits: list[Split], lambdas: Vector) -> Matrix:
        """The test error (F, L) of each lambda."""
        ts = self.scaled(lambdas) / 2
        grams, trusted = self._grams(splits)
        with np.errstate(all="ignore"):  # what is not finite is refused
            errors = np.array(
                [
                    self._fold(*grams[f], split, ts)
                    if trusted[f]
                    else self._direct_fold(split, ts)
                    for f, split in enumerate(splits)
                ]
            )
            if not np.isfinite(errors).all():
                raise ValueError(
                    "X must have features of like scale; got a fit that overflows"
                )
            return check_matrix("the squares of y", errors * self.unit**2)

    def _grams(self, splits: list[Split]) -> tuple[list[tuple[Matrix, Matrix]], list[bool]]:
        """The products over training and test of each split, and whether to trust them.

        They are differences of sums: what hardly varies in training drowns in rounding.
        """
        n, d = self.Z.shape
        if d > n:
            return [], [False] * len(splits)
        moments = fold_moments(np.column_stack([self.Z, self.target]), splits)
        train, test = moments.grams()
        least = 1e-3 * moments.square
        trusted = np.all(np.diagonal(train, axis1=1, axis2=2) >= least, axis=1)
        return list(zip(train, test, strict=True)), trusted.tolist()

    def _fold(self, train: Matrix, test: Matrix, split: Split, ts: Vector) -> Vector:
        n, d = self.Z.shape
        share = len(split[0]) / n
        W = _weights(Gram(train[:d, :d]), train[:d, d], share * ts, _most(n, d))
        A, a = test[:d, :d], test[:d, d]
        squares = test[d, d] - 2 * W @ a + np.sum((W @ A) * W, axis=1)
        return np.maximum(squares, 0.0) / len(split[1])

    def _direct_fold(self, split: Split, ts: Vector) -> Vector:
        train, test = split
        A, mean = centered(self.Z[train])
        y, level = centered(self.target[train, None])
        share, most = len(train) / len(self.Z), _most(*A.shape)
        W = _weights(_products(A), A.T @ y[:, 0], share * ts, most)
        residual = self.target[test] - level - W @ (self.Z[test] - mean).T
        return np.mean(residual**2, axis=1)


def _products(Z: Matrix) -> Gram | Columns:
    return Gram(Z.T @ Z) if Z.shape[1] <= len(Z) else Columns(Z)


def _most(n: int, d: int) -> int:
    return 100 + 20 * min(n, d)


def _weights(products: Gram | Columns, c: Vector, ts: Vector, most: int) -> Matrix:
    """The minima (L, d) for falling t."""
    knots, W, _ = follow(products, c, ts[-1], most)
    return between(knots, W, ts)
