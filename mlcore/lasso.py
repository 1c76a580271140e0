"""The lasso (Tibshirani 1996): least squares with the penalty |w|_1, for sparse w.

The objective is sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1, with b free.
The weight of a single centered feature x is then 0 if |x @ y| <= lambda / 2.

Chapter: sparsity
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import Matrix, Vector, centered
from mlcore.linear import CertifiedRule, LinearRule
from mlcore.solvers import l1_penalty
from mlcore.solvers.homotopy import follow_path
from mlcore.solvers.l1_penalty import duality_gap
from mlcore.validation import Split

__all__ = ["fista", "ista", "lasso", "lasso_cv", "lasso_path"]

GAP_TOL = 1e-9  # relative duality gap above which `lasso` tries a second bound
MAX_PATH_FEATURES = 64  # up to this many, following the path is as fast as Newton steps


@dataclass(frozen=True, eq=False)
class LassoPath:
    """The lasso for every lambda.

    lambdas  (T,) the knots, decreasing; w is 0 for lambda >= lambdas[0]
    W        (T, d) w at the knots; between knots w is linear in lambda
    b        (T,) the bias at the knots
    """

    lambdas: Vector
    W: Matrix
    b: Vector

    def at(self, lambda_: float) -> LinearRule:
        """Interpolate the rule for one lambda, at least lambdas[-1].

        Raises ValueError for a smaller lambda.
        """
        lambda_ = checks.number("lambda_", lambda_, at_least=self.lambdas[-1])
        W, b = self._interpolate([lambda_])
        return LinearRule(w=W[0], b=float(b[0]))

    def _interpolate(self, lambdas) -> tuple[Matrix, Vector]:
        columns = np.column_stack([self.W, self.b]).T
        V = [np.interp(np.negative(lambdas), -self.lambdas, column) for column in columns]
        return np.stack(V[:-1], axis=1), V[-1]


def lasso_path(X: ArrayLike, y: ArrayLike, *, lambda_min: float = 0.0) -> LassoPath:
    """Minimize sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1 for all lambda.

    X, y        (n, d) features, whose units matter; (n,) numbers to fit (or labels)
    lambda_min  the smallest lambda of the path, at least 0, in the unit of X times y

    Returns the knots of the path.  `.lambdas[0]` is 2 max_j |x_j @ (y - mean(y))| for
    centered x_j; w = 0 for larger lambda.  If several w minimize the sum, as for equal
    features, any of them may be returned.  The systems of equations have a ridge of 1e-10
    times the squared length of each feature; the duality gap of `lasso` includes its error.
    Raises ValueError for wrong shapes, nan, lambda_min < 0.
    Source: Osborne, Presnell and Turlach (2000); Efron, Hastie, Johnstone and Tibshirani
    (2004), section 3.1.

    >>> path = lasso_path(np.array([[-1.0], [0.0], [1.0]]), np.array([-2.0, 0.0, 2.0]))
    >>> path.lambdas.round(6), path.at(4.0).w.round(6)
    (array([8., 0.]), array([1.]))
    """
    X, y = checks.regression_data(X, y)
    return _path(X, y, checks.number("lambda_min", lambda_min, at_least=0.0))


@dataclass(frozen=True, eq=False)
class LassoFit(CertifiedRule):
    """The lasso for one lambda.

    lambda_  penalty parameter
    """

    lambda_: float


def lasso(X: ArrayLike, y: ArrayLike, *, lambda_: float = 1.0) -> LassoFit:
    """Minimize sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1 for one lambda.

    X, y     as for `lasso_path`
    lambda_  penalty parameter, at least 0, in the unit of X times y; scikit-learn's
             Lasso has alpha = lambda / (2 n)

    Returns w (d,) with exact zeros, b and the duality gap.  Check `.converged` first:
    True if the gap is at most 1e-6 of the objective at w = 0.  It may fail for small lambda
    if the features are linearly dependent up to 1e-4 of their size, for example because of
    one example 1e4 times as long as the others.
    Raises ValueError for wrong shapes, nan, lambda < 0.
    Source: Tibshirani (1996), equation (1), in the form with a penalty.

    >>> X, y = np.array([[-1.0], [0.0], [1.0]]), np.array([-2.0, 0.0, 2.0])
    >>> lasso(X, y, lambda_=2.0).w.round(6), lasso(X, y, lambda_=8.0).w
    (array([1.5]), array([0.]))
    """
    X, y = checks.regression_data(X, y)
    return _fit(X, y, checks.number("lambda_", lambda_, at_least=0.0))


@dataclass(frozen=True, eq=False)
class LassoCVFit(LassoFit):
    """The lasso for the lambda with the smallest cross-validation error.

    lambdas  (L,) the values tried, decreasing
    errors   (F, L) the mean squared error on the test set of each split
    """

    lambdas: Vector
    errors: Matrix


def lasso_cv(
    X: ArrayLike, y: ArrayLike, *, splits: list[Split], lambdas: ArrayLike | None = None
) -> LassoCVFit:
    """Choose lambda by cross-validation.

    X, y     as for `lasso_path`
    splits   at least two pairs (train, test), as returned by `k_folds`
    lambdas  values to try, at least 0; None: 100 values on a log scale, from the smallest
             lambda with w = 0 to a thousandth of it

    A training set of m examples gets lambda m / n, the same penalty for each example.
    Returns the fit to all examples; look at `.lambda_` and `.errors`.
    Raises ValueError as `lasso` does, and for invalid splits.
    Source: Tibshirani (1996), section 4; Friedman, Hastie and Tibshirani (2010), the grid.

    >>> from mlcore.data import diabetes
    >>> from mlcore.validation import k_folds
    >>> data = diabetes()
    >>> fit = lasso_cv(data.X, data.y, splits=k_folds(data.y, stratified=False))
    >>> int((fit.w != 0).sum()), len(fit.lambdas) == fit.errors.shape[1]
    (10, True)
    """
    X, y = checks.regression_data(X, y)
    splits = checks.splits("splits", splits, n=len(X))
    if lambdas is None:
        first = 2 * np.abs(centered(X)[0].T @ centered(y)[0]).max()
        lambdas = first * np.logspace(0, -3, 100)
    lambdas = np.sort(checks.vector("lambdas", lambdas, at_least=0.0))[::-1]
    errors = np.empty((len(splits), len(lambdas)))
    for f, (train, test) in enumerate(splits):
        scaled = lambdas * len(train) / len(X)
        W, b = _path(X[train], y[train], scaled[-1])._interpolate(scaled)
        errors[f] = np.mean((y[test, None] - X[test] @ W.T - b) ** 2, axis=0)
    best = float(lambdas[errors.mean(axis=0).argmin()])
    return LassoCVFit(**vars(_fit(X, y, best)), lambdas=lambdas, errors=errors)


def _path(X: Matrix, y: Vector, lambda_min: float) -> LassoPath:
    (Z, mean), (target, y_mean) = centered(X), centered(y)
    knots = follow_path(Z, target, lambda_min / 2)  # minimizes half of the objective
    return LassoPath(lambdas=2 * knots.t, W=knots.W, b=y_mean - knots.W @ mean)


def _fit(X: Matrix, y: Vector, lambda_: float) -> LassoFit:
    (Z, mean), (target, y_mean) = centered(X), centered(y)
    w, t = None, lambda_ / 2  # the solvers minimize half of the objective
    if MAX_PATH_FEATURES < Z.shape[1] <= len(Z):
        w = l1_penalty.semismooth_newton(Z, target, t)
    if w is None:
        w = follow_path(Z, target, t).W[-1]
    r, norm, value_at_0 = target - Z @ w, float(np.abs(w).sum()), float(target @ target)
    gap = duality_gap(target, r, Z.T @ r, lambda_=lambda_, norm=norm)
    if gap > GAP_TOL * value_at_0:  # projected_gap solves a least squares problem
        gap = min(gap, l1_penalty.projected_gap(Z, target, r, w, lambda_))
    return LassoFit(
        w=w,
        b=float(y_mean - w @ mean),
        value=float(r @ r + lambda_ * norm),
        duality_gap=gap,
        converged=gap <= 1e-6 * value_at_0,
        lambda_=lambda_,
    )


@dataclass(frozen=True, eq=False)
class ProximalFit(CertifiedRule):
    """The last point and the iterates of a proximal gradient method.

    path    (T + 1, d) w = 0, then w after each step
    values  (T + 1,) sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1 along the path
    """

    path: Matrix
    values: Vector


def ista(
    X: ArrayLike, y: ArrayLike, *, lambda_: float, max_steps: int = 1000, tol: float = 1e-8
) -> ProximalFit:
    """Minimize sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1 by proximal gradient steps.

    X, y, lambda_  as for `lasso`
    max_steps      steps before giving up, at least 1
    tol            stop at this duality gap, at least 0, as a fraction of the objective at
                   w = 0

    Returns w (d,) with exact zeros, b, the path and the values, whose error decreases like
    1 / steps.  Check `.converged` first.
    Raises ValueError for wrong shapes, nan, an option out of range.
    Source: Daubechies, Defrise and De Mol (2004); Beck and Teboulle (2009), section 3.

    >>> X, y = np.array([[-1.0], [0.0], [1.0]]), np.array([-2.0, 0.0, 2.0])
    >>> ista(X, y, lambda_=2.0).w.round(6)
    array([1.5])
    """
    return _descend(X, y, lambda_, max_steps, tol, momentum=False)


def fista(
    X: ArrayLike, y: ArrayLike, *, lambda_: float, max_steps: int = 1000, tol: float = 1e-8
) -> ProximalFit:
    """Minimize as `ista` does, but with momentum: the error decreases like 1 / steps**2.

    The values need not decrease in every step.
    Source: Beck and Teboulle (2009), section 4.
    """
    return _descend(X, y, lambda_, max_steps, tol, momentum=True)


def _descend(X, y, lambda_, max_steps, tol, *, momentum: bool) -> ProximalFit:
    X, y = checks.regression_data(X, y)
    lambda_ = checks.number("lambda_", lambda_, at_least=0.0)
    max_steps = checks.integer("max_steps", max_steps, at_least=1)
    tol = checks.number("tol", tol, at_least=0.0)
    (Z, mean), (y, y_mean) = centered(X), centered(y)
    G = Z.T @ Z if Z.shape[1] <= len(Z) else Z @ Z.T  # the same largest eigenvalue
    L = 2 * np.linalg.eigvalsh(G)[-1] or 1.0  # Lipschitz constant of the gradient, or 1
    w, g = np.zeros(Z.shape[1]), Z.T @ y  # g = Z.T @ (y - Z w)
    v, gv, t = w, g, 1.0  # the gradient step starts at v, where g is gv
    path, values = [w], [float(y @ y)]
    gap = duality_gap(y, y, g, lambda_=lambda_, norm=0.0)
    while gap > tol * values[0] and len(path) <= max_steps:
        new = l1_penalty.soft_threshold(v + 2 * gv / L, lambda_ / L) + 0.0  # not -0
        r = y - Z @ new
        g, old_g = Z.T @ r, g
        new_t = (1 + np.sqrt(1 + 4 * t * t)) / 2
        m = (t - 1) / new_t if momentum else 0.0
        v, gv = new + m * (new - w), g + m * (g - old_g)
        w, t, norm = new, new_t, float(np.abs(new).sum())
        path.append(w)
        values.append(float(r @ r + lambda_ * norm))
        gap = duality_gap(y, r, g, lambda_=lambda_, norm=norm)
    return ProximalFit(
        w=w,
        b=float(y_mean - w @ mean),
        value=values[-1],
        duality_gap=gap,
        converged=gap <= tol * values[0],
        path=np.array(path),
        values=np.array(values),
    )
