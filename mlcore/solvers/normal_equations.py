"""Least squares: by the normal equations where these can be trusted, else without them."""

from functools import partial

import numpy as np

from mlcore.arrays import EPS, Matrix, Vector
from mlcore.blocks import lazy, total

TRUSTED = 1e7  # the condition number up to which the normal equations are solved
SINGULAR = 1e-10  # of the squares of lazy columns: what is left counts as dependent


def smallest_squares(
    X: Matrix, Y: Matrix, lambda_: float, bias: bool, *s: Matrix
) -> tuple[Matrix, Vector, int]:
    """The shortest W with the least sum of s |y - W x - b|**2, plus lambda |W|**2.

    X, Y  (n, d) and (n, K), in memory or lazy
    s     (n, 1) how often each example counts, if not once

    Returns W (d, K), b (K,) and the rank.  Lazy rows are read twice.
    """
    about = [np.zeros((2, A.shape[1])) for A in (X, Y)]
    if bias:  # measured from the first row, a constant column is exactly 0
        first = [np.asarray(A[0]) for A in (X, Y)]
        count, *sums = total(partial(_sums, first=first), X, Y, *s)
        about = [np.array([a, b / count]) for a, b in zip(first, sums, strict=True)]
    found = None
    if X.shape[1] <= len(X):
        G, C = total(partial(_products, about=about), X, Y, *s)
        found = _trusted(G, C, lambda_)
        if found is None and lazy(X):
            found = _dependent(G, C, lambda_)
    if found is None:
        A, T = _centered(X, Y, *s, about=about)
        found = _carefully(A, T, lambda_)
    W, rank = found
    mean, level = (shifts.sum(axis=0) for shifts in about)
    return W, level - mean @ W, rank


def _sums(X: Matrix, Y: Matrix, *s: Matrix, first: list[Vector]) -> list[np.ndarray]:
    ones = s[0][:, 0] if s else np.ones(len(X))
    return [ones.sum(), ones @ (X - first[0]), ones @ (Y - first[1])]


def _products(X: Matrix, Y: Matrix, *s: Matrix, about: list[Matrix]) -> list[np.ndarray]:
    A, T = _centered(X, Y, *s, about=about)
    return [A.T @ A, A.T @ T]


def _centered(X: Matrix, Y: Matrix, *s: Matrix, about: list[Matrix]) -> list[np.ndarray]:
    """Rows whose products count s times, as s |y - W x|**2 = |sqrt(s) (y - W x)|**2."""
    parts = [A - shifts[0] - shifts[1] for A, shifts in zip((X, Y), about, strict=True)]
    return [np.sqrt(s[0]) * A if s else A for A in parts]


def _trusted(G: Matrix, C: Matrix, lambda_: float) -> tuple[Matrix, int] | None:
    """W with (G + lambda) W = C, and the rank, for columns of length 1; None in doubt."""
    H = G + np.diag(np.full(len(G), lambda_))
    length = np.sqrt(np.diagonal(H))
    if not length.min() > 0:
        return None
    unit = 1 / length
    H, c = unit[:, None] * H * unit, unit[:, None] * C
    if len(G) * length.max() ** 2 > TRUSTED * lambda_:  # else it is no less than that
        try:
            inverse = np.linalg.inv(np.linalg.cholesky(H))
        except np.linalg.LinAlgError:
            return None
        if not len(G) * np.sum(inverse**2) <= TRUSTED:  # at least the condition number
            return None
    return unit[:, None] * np.linalg.solve(H, c), len(G)


def _carefully(A: Matrix, T: Matrix, lambda_: float) -> tuple[Matrix, int]:
    """W and the rank by orthogonal transformations, which do not square the condition."""
    d = A.shape[1]
    if len(A) >= d:  # the penalty as d more rows
        B = np.vstack([A, np.sqrt(lambda_) * np.eye(d)])
        length = np.linalg.norm(B, axis=0)
        unit = np.where(length > 0, length, 1.0)
        W, rank = _shortest(B / unit, np.vstack([T, np.zeros((d, T.shape[1]))]), 0.0)
        if rank == np.count_nonzero(length):  # one solution, whatever the units
            return W / unit[:, None], rank
    return _shortest(A, T, lambda_)


def _shortest(A: Matrix, T: Matrix, lambda_: float) -> tuple[Matrix, int]:
    """W and the rank from the singular values of A as it is."""
    U, sizes, V = np.linalg.svd(A, full_matrices=False)
    kept = sizes > 10 * EPS * max(A.shape) * sizes[0]
    U, sizes, V = U[:, kept], sizes[kept, None], V[kept]
    return V.T @ ((U.T @ T) / (sizes + lambda_ / sizes)), int(kept.sum())


def _dependent(G: Matrix, C: Matrix, lambda_: float) -> tuple[Matrix, int]:
    """W and the rank from products alone, which tell no more than half of the digits."""
    squares, U = np.linalg.eigh(G)
    kept = squares > SINGULAR * squares[-1]
    U = U[:, kept]
    return U @ ((U.T @ C) / (squares[kept, None] + lambda_)), int(kept.sum())
