"""Coordinates in which the columns of a matrix are independent and of similar size."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlcore.arrays import EPS, Matrix, Vector

TINY = 1e-150  # a column that varies less than this counts as constant


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Coordinates for the scores: w @ x + b = v @ z + c, with independent columns z.

    Z        (n, r) the examples: (X - center) @ basis / unit
    center   (d,) what was subtracted from the rows of X
    unit     (r,) what the columns were divided by
    penalty  (r,) what lambda_ |w|**2 is in terms of v: penalty @ v**2
    lift     from v / unit to w, without a change of length: |w| = |v / unit|
    """

    Z: Matrix
    center: Vector
    unit: Vector
    penalty: Vector
    lift: Callable

    def rule(self, v: Vector) -> tuple[Vector, float]:
        """w, b of the coordinates v, the last of which is the bias if there is one."""
        w = self.lift(v[: len(self.unit)] / self.unit)
        return w, float(v[len(self.unit) :].sum() - self.center @ w)


def themselves(X: Matrix, lambda_: float) -> Coordinates:
    """The columns of X as they are."""
    d = X.shape[1]
    return Coordinates(X, np.zeros(d), np.ones(d), np.full(d, lambda_), lambda w: w)


def independent(X: Matrix, lambda_: float, bias: bool) -> Coordinates:
    """X itself if its columns are independent, else coordinates that are."""
    n, d = X.shape
    if d <= n:
        sums = np.concatenate([X.T @ X, X.sum(axis=0)[None]])
        sums = np.asarray(sums) / n
        S, mean = sums[:d], sums[d]
        S.flat[:: d + 1] += 4 * lambda_
        G = np.block([[S, mean[:, None]], [mean, 1.0]])
        G = G[: d + bias, : d + bias]
        if least_pivot(G) > 1e-10:
            return themselves(X, lambda_)
    return (_by_rows if d > n else _by_columns)(X, lambda_, bias)


def _about_mean(X: Matrix, bias: bool) -> tuple[Matrix, Vector]:
    """The rows less their mean, and the mean; without a bias 0 stands for it."""
    origin = np.asarray(X[0]) if bias else np.zeros(X.shape[1])
    C = X - origin  # measured from here, a constant column is exactly 0
    shift = np.asarray(C.mean(axis=0)) if bias else np.zeros(X.shape[1])
    C -= shift
    return C, origin + shift


def _by_columns(X: Matrix, lambda_: float, bias: bool) -> Coordinates:
    """Leave out the directions in which no row differs from the mean."""
    C, center = _about_mean(X, bias)
    size = np.asarray(np.abs(C).max(axis=0))
    kept = size > TINY
    kept[0] |= not kept.any()  # a column that is 0 stands for none
    size = np.maximum(size, TINY)
    kept = np.flatnonzero(kept)
    basis = np.eye(len(size))[:, kept]
    null = _null_vectors(C[:, kept] / size[kept]) / size[kept, None]
    if null.size and null.shape[1] < len(null):
        null = null / np.abs(null).max(axis=0)
        Q = np.linalg.qr(null, mode="complete")[0]
        basis = basis @ Q[:, null.shape[1] :]
    Z = C @ basis
    size = np.asarray(np.abs(Z).max(axis=0))
    return _scaled(Z, size, center, lambda_, lambda v: basis @ v)


def _by_rows(X: Matrix, lambda_: float, bias: bool) -> Coordinates:
    """The span of the n rows less their mean, r <= n columns: by their products."""
    with np.errstate(all="ignore"):
        K = X @ X.T
        whole = np.diagonal(K).copy()
        if bias:  # centering the products instead of the rows spares a copy of X
            mean = K.mean(axis=0)
            K += mean.mean() - mean - mean[:, None]
        known = np.diagonal(K) > 1e-3 * whole
    if not known.all():  # rounding, squares that are 0, or too large
        return _by_singular_values(X, lambda_, bias)
    squares, U = np.linalg.eigh(K)
    kept = squares > 1e-10 * squares[-1]
    if kept.sum() < len(K) - bias:  # what is left has few digits, or is rounding
        return _by_singular_values(X, lambda_, bias)
    root, U = np.sqrt(squares[kept]), U[:, kept]

    def lift(v):
        shares = U @ (v / root)
        return X.T @ (shares - bias * shares.mean())

    center = np.full(len(X), bias / len(X)) @ X
    return _scaled(U * root, root, center, lambda_, lift)


def _by_singular_values(X: Matrix, lambda_: float, bias: bool) -> Coordinates:
    """The same without squares, for rows that are far out or very different."""
    rows, center = _about_mean(X, bias)
    _, s, V = np.linalg.svd(rows, full_matrices=False)
    kept = s > 10 * len(s) * EPS * s[0]
    kept[0] = True  # a column that is 0 stands for none
    V = V[kept]  # by which the rows are multiplied: so the scores are those of the w found
    return _scaled(rows @ V.T, s[kept], center, lambda_, lambda v: v @ V)


def _scaled(Z, size, center, lambda_, lift) -> Coordinates:
    """Columns of size 1, or less where the penalty keeps their weight small anyway."""
    unit = np.maximum(size, np.sqrt(lambda_))
    penalty = np.where(size > TINY, lambda_ / np.maximum(unit, TINY) ** 2, 1.0)
    unit = np.where(size > TINY, unit, 1.0)
    return Coordinates(Z / unit, center, unit, penalty, lift)


def _null_vectors(D: Matrix) -> Matrix:
    eigenvalues, U = np.linalg.eigh(np.asarray(D.T @ D))
    return U[:, eigenvalues <= 10 * len(U) * EPS * eigenvalues[-1]]


def least_pivot(H: Matrix) -> float:
    """The least squared pivot of H scaled to the diagonal 1; 0 if it is singular."""
    size = np.diagonal(H)
    if not (size.min() > 1e-100 and size.max() < 1e100):
        return 0.0
    unit = 1 / np.sqrt(size)
    try:
        pivots = np.diagonal(np.linalg.cholesky(unit[:, None] * H * unit))
    except np.linalg.LinAlgError:
        return 0.0
    return float(pivots.min() ** 2)
