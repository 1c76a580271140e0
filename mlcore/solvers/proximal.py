"""Proximal gradient descent: a step for the smooth part, then a cut towards 0."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore.arrays import Matrix, Vector
from mlcore.checks import check_matrix, check_vector
from mlcore.linear import LinearRule
from mlcore.options import check_integer, check_number
from mlcore.solvers.l1_penalty import duality_gap, soft_threshold
from mlcore.solvers.moments import centered, largest


@dataclass(frozen=True, eq=False)
class ProximalFit(LinearRule):
    """Where a proximal descent ended, and its way there.

    path       (T + 1, d) w = 0, then w after each step
    values     (T + 1,) sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1 along the path
    gap        how far the last value may be above the minimum, over the first value
    converged  whether the gap is at most tol
    """

    path: Matrix
    values: Vector
    gap: float
    converged: bool


def ista(
    X: ArrayLike, y: ArrayLike, *, lambda_: float, max_steps: int = 1000, tol: float = 1e-8
) -> ProximalFit:
    """Minimize sum_i (y_i - w @ x_i - b)**2 + lambda |w|_1 by shrunken steps.

    X          (n, d) features, one example a row; in which units, matters
    y          (n,) numbers to fit
    lambda_    weight of the penalty, at least 0, in the unit of X times y
    max_steps  steps before giving up, at least 1
    tol        the gap at which to stop, at least 0, as a part of the value
               at w = 0

    Returns w (d,) with exact zeros, b, the path and the values, which fall
    as 1 / steps.  Look at `.converged` first.
    Raises ValueError for wrong shapes, nan, an option out of range.
    Source: Daubechies, Defrise and De Mol (2004); Beck and Teboulle (2009),
    section 3.

    >>> X, y = np.array([[-1.0], [0.0], [1.0]]), np.array([-2.0, 0.0, 2.0])
    >>> ista(X, y, lambda_=2.0).w.round(6)
    array([1.5])
    """
    return _descend(X, y, lambda_, max_steps, tol, momentum=False)


def fista(
    X: ArrayLike, y: ArrayLike, *, lambda_: float, max_steps: int = 1000, tol: float = 1e-8
) -> ProximalFit:
    """The same as `ista` with momentum: the values fall as 1 / steps**2, not monotone.

    Arguments, result and errors are those of `ista`.
    Source: Beck and Teboulle (2009), section 4.

    >>> X, y = np.array([[-1.0], [0.0], [1.0]]), np.array([-2.0, 0.0, 2.0])
    >>> fista(X, y, lambda_=2.0).w.round(6)
    array([1.5])
    """
    return _descend(X, y, lambda_, max_steps, tol, momentum=True)


def _descend(X, y, lambda_, max_steps, tol, *, momentum: bool) -> ProximalFit:
    X = check_matrix("X", X)
    y = check_vector("y", y, length=len(X))
    lambda_ = check_number("lambda_", lambda_, at_least=0.0)
    max_steps = check_integer("max_steps", max_steps, at_least=1)
    tol = check_number("tol", tol, at_least=0.0)
    Z, mean = centered(X)
    target, level = centered(y[:, None])
    size, unit = largest(Z).max() or 1.0, largest(target)[0] or 1.0
    with np.errstate(all="ignore"):
        path, values, gap = _steps(
            Z / size,
            target[:, 0] / unit,
            check_number("lambda_ / (max |X| max |y|)", lambda_ / size / unit),
            max_steps,
            tol,
            momentum,
        )
        path = check_matrix("w for X and y", path * (unit / size))
        values = check_vector("the squares of y", values * unit * unit)
        b = check_number("b for X and y", float(level[0] - path[-1] @ mean))
    return ProximalFit(path[-1], b, path, values, gap, gap <= tol)


def _steps(Z, y, lambda_, max_steps, tol, momentum):
    """The path, the values and the last gap, for data of size 1."""
    small = Z.T @ Z if Z.shape[1] <= len(Z) else Z @ Z.T
    L = 2 * np.linalg.eigvalsh(small)[-1]  # of the gradient 2 Z' (Z w - y)
    w, r, g = np.zeros(Z.shape[1]), y, Z.T @ y  # r = y - Z w, g = Z' r
    v, gv, t = w, g, 1.0  # v: where the step starts
    path, values = [w], [r @ r]
    gap = duality_gap(Z, y, r, g, (lambda_, 0.0))
    while gap > tol and len(path) <= max_steps:
        new = soft_threshold(v + 2 * gv / L, lambda_ / L)
        r = y - Z @ new
        g, old = Z.T @ r, g
        after = (1 + np.sqrt(1 + 4 * t * t)) / 2
        m = (t - 1) / after if momentum else 0.0
        v, gv = new + m * (new - w), g + m * (g - old)
        w, t = new, after
        norm = np.abs(w).sum()
        path.append(w)
        values.append(r @ r + lambda_ * norm)
        gap = duality_gap(Z, y, r, g, (lambda_, norm))
    return np.array(path), np.array(values), gap
