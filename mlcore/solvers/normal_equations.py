"""Least squares: by the normal equations where these can be trusted, else without them."""

import numpy as np

from mlcore.arrays import EPS, Matrix, Vector, asked, lazy, side_by_side
from mlcore.solvers.factors import lower_inverse
from mlcore.solvers.moments import largest, measured

TRUSTED = 1e7  # the condition number up to which the normal equations are solved


def smallest_squares(
    X: Matrix, Y: Matrix, root: float, bias: bool, weights: Vector | None
) -> tuple[Matrix, Vector, Vector, int]:
    """The shortest W (d, K) with the least weighted |Y - X W - b|**2 + |root W|**2.

    Returns W, the means of X and of Y, which are 0 without a bias, and the rank.
    """
    n, d = X.shape
    if not lazy(X):
        quick = _by_columns if d <= n else _by_rows
        found = quick(X, Y, root, bias, weights)
        if found is not None:
            return found
    (X, mean, size), (Y, level, spread) = measured(X, Y, center=bias, weights=weights)
    if weights is not None:  # s (y - w @ x)**2 = (sqrt(s) y - w @ (sqrt(s) x))**2
        X, Y = (A * np.sqrt(weights)[:, None] for A in (X, Y))
    unit = spread.max() or 1.0
    if d <= n:
        V, rank = _solve(X, Y / unit, root, size)
    else:
        V, rank = _shortest(X, Y / unit, root)
    return V * unit, mean, level, rank


def _means(X, Y, bias, weights) -> tuple[Vector, Vector]:
    if not bias:
        return np.zeros(X.shape[1]), np.zeros(Y.shape[1])
    share = np.full(len(X), 1 / len(X)) if weights is None else weights / weights.sum()
    return share @ X, share @ Y


def _by_columns(X, Y, root, bias, weights):
    """By the products of the columns, from blocks of rows that fit the cache."""
    n, d = X.shape
    mean, level = _means(X, Y, bias, weights)
    size = 64 + 2**16 // d
    work, G, C = np.empty((min(size, n), d)), np.zeros((d, d)), np.zeros((d, Y.shape[1]))
    for k in range(0, n, size):
        rows = slice(k, k + size)
        A = np.subtract(X[rows], mean, out=work[: len(X[rows])])
        T = Y[rows] - level
        if weights is not None:
            A *= np.sqrt(weights[rows, None])
            T *= np.sqrt(weights[rows, None])
        G += A.T @ A
        C += A.T @ T
    if not _measured(np.diagonal(G), mean, n if weights is None else weights.sum()):
        return None
    G.flat[:: d + 1] += root**2
    V = _trusted(G, C)
    return None if V is None else (V, mean, level, d)


def _by_rows(X, Y, root, bias, weights):
    """By the products of the rows: the shortest W is a sum of multiples of them."""
    n = len(X)
    mean, level = _means(X, Y, bias, weights)
    A, T, r = X - mean, Y - level, np.ones(n)
    if weights is not None:
        r = np.sqrt(weights)
        A, T = A * r[:, None], T * r[:, None]
    G = A @ A.T
    if bias:
        if not _measured(np.diagonal(G), r * np.linalg.norm(mean), 1.0):
            return None
        # Centered, the rows add up to 0.  In this direction Y is 0 and G may be 1.
        G += np.outer(r, r) * (np.trace(G) / n / (r @ r))
    G.flat[:: n + 1] += root**2
    V = _trusted(G, T)
    return None if V is None else (A.T @ V, mean, level, n - bias)


def _measured(squares: Vector, mean: Vector, n: float) -> bool:
    """Whether all vary, by so much that the rounding of their mean does not count."""
    return bool((squares > 1e-12 * n * mean**2).all())


def _trusted(G: Matrix, C: Matrix) -> Matrix | None:
    """Solve G V = C by Cholesky's factor, for columns of length 1; None in doubt."""
    length = np.sqrt(np.diagonal(G))
    if not length.min() > 1e-50:  # products of smaller ones may have vanished
        return None
    try:
        M = lower_inverse(np.linalg.cholesky(G / np.outer(length, length)))
    except np.linalg.LinAlgError:
        return None
    if not len(G) * np.sum(M * M) <= TRUSTED:  # at least the condition number
        return None
    return M.T @ (M @ (C / length[:, None])) / length[:, None]


def _solve(X: Matrix, Y: Matrix, root: float, size: Vector) -> tuple[Matrix, int]:
    """The shortest V (d, K) that minimizes |Y - X V|**2 + |root V|**2, and the rank."""
    unit = np.maximum(size, root)
    varies = unit > 0  # a constant feature gets the weight 0
    unit = np.where(varies, unit, 1.0)
    tame = unit.min() > 1e-50 and unit.max() < 1e50  # the products will be, too
    Z, scale = (X, np.ones(len(unit))) if tame else (X / unit, unit)
    G, C = asked(Z.T @ Z, Z.T @ Y)
    np.fill_diagonal(G, np.where(varies, np.diag(G) + (root / scale) ** 2, 1.0))
    V = _trusted(G, C)
    if V is None:
        return _solve_carefully(X / unit, Y, root / unit, np.where(varies, unit, 0.0))
    return V / scale[:, None], int(varies.sum())


def _solve_carefully(Z, Y, p, own) -> tuple[Matrix, int]:
    """The same by orthogonal transformations, which do not square the condition.

    The units of the columns are `own`, 0 for a constant feature.
    """
    d = Z.shape[1]
    ZY: Matrix = side_by_side(Z, Y)
    if lazy(ZY):  # each block gives way to its R, of the same products
        ZY = np.asarray(ZY.map_blocks(np.linalg.qr, mode="r", meta=np.empty((0, 0))))
    if p.any():
        ZY = np.vstack([ZY, np.eye(d, ZY.shape[1]) * p[:, None]])
    R = np.asarray(np.linalg.qr(ZY, mode="r"))  # as many rows as columns
    A, T = R[:, :d], R[:, d:]
    V, rank = _shortest(A, T, 0.0)
    if rank == np.count_nonzero(own):  # one solution, whatever the units
        return V / np.where(own > 0, own, 1.0)[:, None], rank
    V, rank = _shortest(A * (own / own.max()), T, 0.0)
    return V / own.max(), rank


def _shortest(X: Matrix, Y: Matrix, root: float) -> tuple[Matrix, int]:
    """As `_solve`, by the singular values of X as it is."""
    size = largest(X).max() or 1.0
    U, s, Vt = np.linalg.svd(X / size, full_matrices=False)
    keep = s > 10 * EPS * max(X.shape) * s[0]
    s, h = s[keep, None], np.hypot(s[keep, None], root / size)
    return Vt[keep].T @ (s / h * (U[:, keep].T @ Y) / h) / size, int(keep.sum())
