"""Least squares: by the normal equations where these can be trusted, else without them."""

import numpy as np

from mlcore.arrays import EPS, Matrix, Vector, asked, by_block, lazy, side_by_side
from mlcore.checks import NUMBERS
from mlcore.solvers.factors import lower_inverse
from mlcore.solvers.moments import blocks, largest, measured

TRUSTED = 1e7  # the condition number up to which the normal equations are solved


def smallest_squares(
    X: Matrix, Y: Matrix, roots: list[float], bias: bool, weights: Vector | None
) -> tuple[list[tuple[Matrix, int]], Vector, Vector]:
    """The shortest W (d, K) with the least weighted |Y - X W - b|**2 + |root W|**2.

    Returns W and the rank for each root, and the means of X and of Y, which are 0
    without a bias.  However many roots there are, X is read as often as for one.
    """
    n, d = X.shape
    if not lazy(X):
        quick = _by_columns if d <= n else _by_rows
        unit = np.exp2(np.frexp(largest(Y).max())[1])  # a power of 2 rounds nothing
        found = quick(X, Y / unit, roots, bias, weights)
        if found is not None:
            fits, mean, level = found
            return [(V * unit, rank) for V, rank in fits], mean, level * unit
    (X, mean, size), (Y, level, spread) = measured(X, Y, center=bias, weights=weights)
    if weights is not None:  # s (y - w @ x)**2 = (sqrt(s) y - w @ (sqrt(s) x))**2
        X, Y = (A * np.sqrt(weights)[:, None] for A in (X, Y))
    unit = spread.max() or 1.0
    if d <= n:
        fits = _solve(X, Y / unit, roots, size)
    else:
        fits = [_shortest(X, Y / unit, root) for root in roots]
    return [(V * unit, rank) for V, rank in fits], mean, level


def _means(X, Y, bias, weights) -> tuple[Vector, Vector]:
    if not bias:
        return np.zeros(X.shape[1]), np.zeros(Y.shape[1])
    share = np.full(len(X), 1 / len(X)) if weights is None else weights / weights.sum()
    return share @ X, share @ Y


def _by_columns(X, Y, roots, bias, weights):
    """By the products of the columns, from blocks of rows that fit the cache."""
    n, d = X.shape
    mean, level = _means(X, Y, bias, weights)
    parts, G, C = blocks(n, d), np.zeros((d, d)), np.zeros((d, Y.shape[1]))
    work = np.empty(X[parts[0]].shape)
    for rows in parts:
        A = np.subtract(X[rows], mean, out=work[: len(X[rows])])
        T = Y[rows] - level
        if weights is not None:
            A *= np.sqrt(weights[rows, None])
            T *= np.sqrt(weights[rows, None])
        G += A.T @ A
        C += A.T @ T
    if not _measured(np.diagonal(G), (n if weights is None else weights.sum()) * mean**2):
        return None
    found = _all_trusted(G, C, roots)
    return found and ([(V, d) for V in found], mean, level)


def _by_rows(X, Y, roots, bias, weights):
    """By the products of the rows: the shortest W is a sum of multiples of them."""
    n = len(X)
    mean, level = _means(X, Y, bias, weights)
    A, T, r = X - mean, Y - level, np.ones(n)
    if weights is not None:
        r = np.sqrt(weights)
        A, T = A * r[:, None], T * r[:, None]
    G = A @ A.T
    if bias:
        if not _measured(np.diagonal(G), r**2 * (mean @ mean)):
            return None
        # Centered, the rows add up to 0.  In this direction Y is 0 and G may be 1.
        G += np.outer(r, r) * (np.trace(G) / n / (r @ r))
    found = _all_trusted(G, T, roots)
    return found and ([(A.T @ V, n - bias) for V in found], mean, level)


def _measured(squares: Vector, means: Vector) -> bool:
    """Whether all vary, by so much that the rounding of their mean does not count.

    Given are the sums of squares about the means, and those of the means themselves.
    """
    return bool((squares > 1e-12 * means).all())


def _all_trusted(G: Matrix, C: Matrix, roots: list[float]) -> list[Matrix] | None:
    """The solutions V of (G + root**2) V = C; None if one of them is in doubt."""
    found = []
    for root in roots:
        H = G.copy()
        H.flat[:: len(G) + 1] += root**2
        V = _trusted(H, C)
        if V is None:
            return None
        found.append(V)
    return found


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


def _solve(
    X: Matrix, Y: Matrix, roots: list[float], size: Vector
) -> list[tuple[Matrix, int]]:
    """For each root the shortest V (d, K) with the least |Y - X V|**2 + |root V|**2.

    Returns each V with the rank.
    """
    unit = np.maximum(size, min(roots))
    varies = unit > 0  # a constant feature gets the weight 0
    unit = np.where(varies, unit, np.inf)
    tame = unit.min() > 1e-50 and unit[varies].max(initial=0.0) < 1e150  # so are products
    Z, scale = (X, np.ones(len(unit))) if tame else (X / unit, unit)
    products = by_block(lambda Z, Y: (Z.T @ Z, Z.T @ Y), Z, Y)
    G, C = asked(*(part.sum(axis=0) for part in products))
    found, R = [], None
    for root in roots:
        H = G.copy()
        np.fill_diagonal(H, np.where(varies, np.diag(G) + (root / scale) ** 2, 1.0))
        V = _trusted(H, C)
        if V is not None:
            found.append((V / scale[:, None], int(varies.sum())))
            continue
        if R is None:
            R = _triangle(side_by_side(X / unit, Y))
        found.append(_solve_carefully(R, np.where(varies, unit, 0.0), root))
    return found


def _triangle(A: Matrix) -> Matrix:
    """R with R.T @ R = A.T @ A, for which the condition of A is not squared."""
    if lazy(A):  # each block gives way to its R, of the same products
        A = np.asarray(A.map_blocks(np.linalg.qr, mode="r", meta=NUMBERS))
    return np.asarray(np.linalg.qr(A, mode="r"))


def _solve_carefully(R: Matrix, size: Vector, root: float) -> tuple[Matrix, int]:
    """As `_solve`, by orthogonal transformations, from R = `_triangle` of X / size and Y.

    The sizes of the columns are 0 for a constant feature.
    """
    d = len(size)
    own = np.maximum(size, root)
    unit = np.where(own > 0, own, np.inf)
    R = np.concatenate([R[:, :d] * (size / unit), R[:, d:]], axis=1)
    if root > 0:
        R = _triangle(np.vstack([R, np.eye(d, R.shape[1]) * (root / unit)[:, None]]))
    A, T = R[:, :d], R[:, d:]
    V, rank = _shortest(A, T, 0.0)
    if rank == np.count_nonzero(own):  # one solution, whatever the units
        return V / unit[:, None], rank
    V, rank = _shortest(A * (own / own.max()), T, 0.0)
    return V / own.max(), rank


def _shortest(X: Matrix, Y: Matrix, root: float) -> tuple[Matrix, int]:
    """As `_solve`, by the singular values of X as it is."""
    size = largest(X).max() or 1.0
    U, s, Vt = np.linalg.svd(X / size, full_matrices=False)
    keep = s > 10 * EPS * max(X.shape) * s[0]
    s, h = s[keep, None], np.hypot(s[keep, None], root / size)
    return Vt[keep].T @ (s / h * (U[:, keep].T @ Y) / h) / size, int(keep.sum())
