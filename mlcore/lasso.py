"""The lasso (Tibshirani 1996): least squares with |w|_1 as penalty, so that w has zeros.

Everywhere the objective is sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1, with b free.
A single standardized feature is then cut off at lambda / 2.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.arrays import Matrix, Vector
from mlcore.checks import check_matrix, check_vector
from mlcore.linear import LinearRule
from mlcore.options import check_number, check_splits
from mlcore.solvers.homotopy import between, follow
from mlcore.solvers.l1_penalty import duality_gap
from mlcore.solvers.moments import centered, fold_moments, largest
from mlcore.solvers.proximal import fista, ista
from mlcore.validation import Split

__all__ = ["fista", "ista", "lasso", "lasso_cv", "lasso_path"]


@dataclass(frozen=True, eq=False)
class LassoPath:
    """The lasso for every lambda, exactly.

    lambdas   (T,) the knots, falling; from the first on up w is 0
    W         (T, d) w at the knots; in between it is linear in lambda
    b         (T,) the bias at the knots
    complete  whether the path reached the lambda asked for
    """

    lambdas: Vector
    W: Matrix
    b: Vector
    complete: bool

    def at(self, lambda_: float) -> LinearRule:
        """The minimum for one lambda, at least that of the last knot.

        Raises ValueError for a lambda below it.
        """
        lambda_ = check_number("lambda_", lambda_, at_least=self.lambdas[-1])
        W = between(self.lambdas, np.column_stack([self.W, self.b]), [lambda_])[0]
        return LinearRule(W[:-1], float(W[-1]))


def lasso_path(X: Matrix, y: Vector, *, until: float = 0.0) -> LassoPath:
    """Minimize sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1 for all lambda.

    X      (n, d) features, one example a row; in which units, matters
    y      (n,) numbers to fit: labels -1 and +1, or measurements
    until  the least lambda wanted, at least 0, in the unit of X times y

    Returns the knots of the path.  Look at `.lambdas[0]` first: it is
    2 max_j |x_j @ (y - mean)| for centered x_j, and from there on w = 0.
    Raises ValueError for wrong shapes, nan, until < 0, w above 1e150.
    Source: Osborne, Presnell and Turlach (2000); Efron, Hastie, Johnstone
    and Tibshirani (2004), section 3.1.
    """
    problem = _Problem(X, y)
    return problem.path(check_number("until", until, at_least=0.0))


@dataclass(frozen=True, eq=False)
class LassoFit(LinearRule):
    """The lasso for one lambda.

    lambda_  the weight of the penalty
    gap      how far the objective may be above its minimum, as a part of the
             objective of w = 0: a proof that w is right, by duality
    """

    lambda_: float
    gap: float

    @property
    def converged(self) -> bool:
        """Whether the gap is below 1e-6."""
        return self.gap < 1e-6


def lasso(X: Matrix, y: Vector, *, lambda_: float) -> LassoFit:
    """Minimize sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1, exactly.

    X        (n, d) features, one example a row; in which units, matters
    y        (n,) numbers to fit: labels -1 and +1, or measurements
    lambda_  weight of the penalty, at least 0, in the unit of X times y;
             scikit-learn's Lasso calls lambda / (2 n) alpha

    Returns w (d,) with exact zeros, b and the gap.
    Raises ValueError for wrong shapes, nan, lambda < 0, w above 1e150.
    Source: Tibshirani (1996), equation (1), in the form with a penalty.
    """
    lambda_ = check_number("lambda_", lambda_, at_least=0.0)
    return _Problem(X, y).fit(lambda_)


@dataclass(frozen=True, eq=False)
class LassoCV(LassoFit):
    """The lasso for the lambda with the least cross-validation error.

    lambdas  (L,) those tried, falling
    errors   (F, L) the mean square on the test examples of each split
    """

    lambdas: Vector
    errors: Matrix


def lasso_cv(
    X: Matrix,
    y: Vector,
    *,
    splits: list[Split],
    lambdas: Vector | None = None,
) -> LassoCV:
    """Find the lambda whose lasso predicts best on held-out examples.

    X        (n, d) features, one example a row; in which units, matters
    y        (n,) numbers to fit
    splits   at least two pairs (train, test), as `k_folds` makes them
    lambdas  those to try, at least 0; None: 100 from the one that makes
             w = 0 down to a thousandth of it, evenly on a log scale

    A training set of m examples gets lambda m / n: the same for an example.
    Returns the fit to all examples; look at `.lambda_` and `.errors`.
    Raises ValueError as `lasso` does, and for other splits.
    Source: Tibshirani (1996), section 4; Friedman, Hastie and Tibshirani
    (2010), the grid.
    """
    problem = _Problem(X, y)
    splits = check_splits("splits", splits, n=len(problem.Z))
    if lambdas is None:
        lambdas = problem.first * np.logspace(0, -3, 100)
    lambdas = check_vector("lambdas", lambdas)
    check_number("lambdas", lambdas.min(), at_least=0.0)
    lambdas = np.sort(lambdas)[::-1]
    errors = problem.cross_validate(splits, lambdas)
    best = float(lambdas[errors.mean(axis=0).argmin()])
    fit = problem.fit(best)
    return LassoCV(fit.w, fit.b, best, fit.gap, lambdas, errors)


class _Problem:
    """The data of a lasso, centered, and divided by their size where squares need it."""

    def __init__(self, X: Matrix, y: Vector):
        X = check_matrix("X", X)
        y = check_vector("y", y, length=len(X))
        self.Z, self.mean = centered(X)
        target, level = centered(y[:, None])
        self.level = float(level[0])
        self.size, self.unit = largest(self.Z).max() or 1.0, largest(target)[0] or 1.0
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

    def path(self, until: float) -> LassoPath:
        Z, (n, d) = self.Z, self.Z.shape
        column = (Z.T @ Z).__getitem__ if d <= n else lambda j: Z.T @ Z[:, j]
        t, V, complete = follow(column, self.c, self.scaled(until) / 2, _most(n, d))
        lambdas = 2 * self.factor * t
        if complete and until < self.first:
            lambdas[-1] = until
        with np.errstate(all="ignore"):
            W = check_matrix("w for X and y", V * (self.unit / self.size))
            b = check_vector("b for X and y", self.level - W @ self.mean)
        return LassoPath(lambdas, W, b, complete)

    def fit(self, lambda_: float) -> LassoFit:
        path = self.path(lambda_)
        w, b = path.W[-1], float(path.b[-1])
        return LassoFit(w, b, lambda_, self.gap(w, lambda_))

    def gap(self, w: Vector, lambda_: float) -> float:
        """The duality gap, as a part of the objective of w = 0."""
        with np.errstate(all="ignore"):
            v = w * self.size / self.unit
            r = self.target - self.Z @ v
            penalty = self.scaled(lambda_), np.abs(v).sum()
            return duality_gap(self.Z, self.target, r, self.Z.T @ r, penalty)

    def cross_validate(self, splits: list[Split], lambdas: Vector) -> Matrix:
        """The test error (F, L) of each lambda."""
        ts = self.scaled(lambdas) / 2
        grams, trusted = self._grams(splits)
        errors = [
            self._fold(*grams[f], split, ts) if trusted[f] else self._direct_fold(split, ts)
            for f, split in enumerate(splits)
        ]
        with np.errstate(over="ignore"):
            return check_matrix("the squares of y", np.array(errors) * self.unit**2)

    def _grams(self, splits: list[Split]) -> tuple[list, list]:
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
        W = _weights(train[:d, :d].__getitem__, train[:d, d], share * ts, _most(n, d))
        A, a = test[:d, :d], test[:d, d]
        squares = test[d, d] - 2 * W @ a + np.sum((W @ A) * W, axis=1)
        return np.maximum(squares, 0.0) / len(split[1])

    def _direct_fold(self, split: Split, ts: Vector) -> Vector:
        train, test = split
        A, mean = centered(self.Z[train])
        y, level = centered(self.target[train, None])
        share, most = len(train) / len(self.Z), _most(*A.shape)
        W = _weights(lambda j: A.T @ A[:, j], A.T @ y[:, 0], share * ts, most)
        residual = self.target[test] - level - W @ (self.Z[test] - mean).T
        return np.mean(residual**2, axis=1)


def _most(n: int, d: int) -> int:
    return 100 + 20 * min(n, d)


def _weights(column, c: Vector, ts: Vector, most: int) -> Matrix:
    """The minima (L, d) for falling t."""
    knots, W, _ = follow(column, c, ts[-1], most)
    return between(knots, W, ts)
