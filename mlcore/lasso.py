"""The lasso (Tibshirani 1996): least squares with |w|_1 as penalty, so that w has zeros.

Everywhere the objective is sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1, with b free.
The weight of a single centered feature x is then 0 if |x @ y| <= lambda / 2.

Chapter: sparsity
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore.arrays import Matrix, Vector
from mlcore.checks import check_vector
from mlcore.linear import LinearRule
from mlcore.options import check_number, check_splits
from mlcore.solvers.homotopy import between
from mlcore.solvers.lasso_problem import LassoProblem
from mlcore.solvers.proximal import fista, ista
from mlcore.validation import Split

__all__ = ["fista", "ista", "lasso", "lasso_cv", "lasso_path"]


@dataclass(frozen=True, eq=False)
class LassoPath:
    """The lasso for every lambda, but for a ridge of 1e-10 of each feature's squares.

    What that costs is as a rule nothing; `lasso` gives a bound of it for one lambda.

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
        """The rule for one lambda, at least that of the last knot.

        Raises ValueError for a lambda below it.
        """
        lambda_ = check_number("lambda_", lambda_, at_least=self.lambdas[-1])
        W = between(self.lambdas, np.column_stack([self.W, self.b]), [lambda_])[0]
        return LinearRule(W[:-1], float(W[-1]))


def lasso_path(X: ArrayLike, y: ArrayLike, *, until: float = 0.0) -> LassoPath:
    """Minimize sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1 for all lambda.

    X      (n, d) features, one example a row; in which units, matters
    y      (n,) numbers to fit: labels -1 and +1, or measurements
    until  the least lambda wanted, at least 0, in the unit of X times y

    Returns the knots of the path.  Look at `.lambdas[0]` first: it is
    2 max_j |x_j @ (y - mean)| for centered x_j, and from there on w = 0.
    The square of each feature counts 1 + 1e-10 times, so that features
    which are copies share one weight.
    Raises ValueError for wrong shapes, nan, until < 0, w above 1e150.
    Source: Osborne, Presnell and Turlach (2000); Efron, Hastie, Johnstone
    and Tibshirani (2004), section 3.1.

    >>> path = lasso_path(np.array([[-1.0], [0.0], [1.0]]), np.array([-2.0, 0.0, 2.0]))
    >>> path.lambdas.round(6), path.at(4.0).w.round(6)
    (array([8., 0.]), array([1.]))
    """
    problem = LassoProblem(X, y)
    return LassoPath(*problem.path(check_number("until", until, at_least=0.0)))


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


def lasso(X: ArrayLike, y: ArrayLike, *, lambda_: float = 1.0) -> LassoFit:
    """Minimize sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1, by its path.

    X        (n, d) features, one example a row; in which units, matters
    y        (n,) numbers to fit: labels -1 and +1, or measurements
    lambda_  weight of the penalty, at least 0, in the unit of X times y;
             scikit-learn's Lasso calls lambda / (2 n) alpha

    Returns w (d,) with exact zeros, b and the gap.  Look at `.converged`
    first: the square of each feature counts 1 + 1e-10 times, and where
    features differ by less than 1e-4 of their size a w for a small lambda
    may end above the minimum.
    Raises ValueError for wrong shapes, nan, lambda < 0, w above 1e150.
    Source: Tibshirani (1996), equation (1), in the form with a penalty.

    >>> X, y = np.array([[-1.0], [0.0], [1.0]]), np.array([-2.0, 0.0, 2.0])
    >>> lasso(X, y, lambda_=2.0).w.round(6), lasso(X, y, lambda_=8.0).w
    (array([1.5]), array([0.]))
    """
    lambda_ = check_number("lambda_", lambda_, at_least=0.0)
    return LassoFit(*LassoProblem(X, y).fit(lambda_))


@dataclass(frozen=True, eq=False)
class LassoCV(LassoFit):
    """The lasso for the lambda with the least cross-validation error.

    lambdas  (L,) those tried, falling
    errors   (F, L) the mean square on the test examples of each split
    """

    lambdas: Vector
    errors: Matrix


def lasso_cv(
    X: ArrayLike,
    y: ArrayLike,
    *,
    splits: list[Split],
    lambdas: ArrayLike | None = None,
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

    >>> from mlcore.data import diabetes
    >>> from mlcore.validation import k_folds
    >>> data = diabetes()
    >>> fit = lasso_cv(data.X, data.y, splits=k_folds(data.y, stratified=False))
    >>> int((fit.w != 0).sum()), len(fit.lambdas) == fit.errors.shape[1]
    (10, True)
    """
    problem = LassoProblem(X, y)
    splits = check_splits("splits", splits, n=len(problem.Z))
    if lambdas is None:
        first = check_number("2 max |X.T @ y| for centered X", problem.first)
        lambdas = first * np.logspace(0, -3, 100)
    lambdas = check_vector("lambdas", lambdas)
    check_number("lambdas", lambdas.min(), at_least=0.0)
    lambdas = np.sort(lambdas)[::-1]
    errors = problem.cross_validate(splits, lambdas)
    best = float(lambdas[errors.mean(axis=0).argmin()])
    return LassoCV(*problem.fit(best), lambdas, errors)
