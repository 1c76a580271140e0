"""Least squares by the normal equations; by the SVD if they are ill-conditioned.

Minimize over W (d, K) and b (K,):  sum_i s_i |y_i - W.T @ x_i - b|**2 + lambda |W|**2.
For centered rows the minimum solves (X.T @ S @ X + lambda I) W = X.T @ S @ Y, S = diag(s).
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from mlcore.arrays import EPS, Matrix, Vector, sum_over_rows

MAX_COND = 1e6  # solve the normal equations up to this condition number
MAX_LENGTH_RATIO = 1e3  # up to this ratio, scaling the columns would change little


class Weights(NamedTuple):
    """The weights W (d, K), their biases b (K,) and the rank of the features."""

    W: Matrix
    b: Vector
    rank: int


def min_norm_least_squares(
    X: Matrix, Y: Matrix, s: Vector, *, lambda_: float, bias: bool
) -> Weights:
    """Find the minimizer; if there are several, the one with W of minimum norm.

    X, Y  (n, d) and (n, K)
    s     (n,) weight of each example
    """
    means = [np.zeros((2, A.shape[1])) for A in (X, Y)]  # each as a sum of two terms
    if bias:  # relative to a row, a constant column is exactly 0
        first = [A[s.argmax()] for A in (X, Y)]  # a row of tiny weight may be an outlier
        total, *sums = sum_over_rows(partial(_weighted_sums, first=first), X, Y, s)
        means = [np.array([a, b / total]) for a, b in zip(first, sums, strict=True)]
    W = None
    if X.shape[1] <= len(X):
        G, C = sum_over_rows(partial(_products, means=means), X, Y, s)
        W, rank = solve_normal_equations(G, C, lambda_), X.shape[1]
    if W is None:
        A, T = _center_and_scale(X, Y, s, means=means)
        W, rank = _svd_least_squares(A, T, lambda_)
    mean_x, mean_y = (terms.sum(axis=0) for terms in means)
    return Weights(W, b=mean_y - mean_x @ W, rank=rank)


def _weighted_sums(X: Matrix, Y: Matrix, s: Vector, first) -> list[np.ndarray]:
    return [s.sum(), s @ (X - first[0]), s @ (Y - first[1])]


def _products(X: Matrix, Y: Matrix, s: Vector, means: list[Matrix]) -> list[Matrix]:
    A, T = _center_and_scale(X, Y, s, means=means)
    return [A.T @ A, A.T @ T]


def _center_and_scale(X: Matrix, Y: Matrix, s: Vector, means: list[Matrix]) -> list[Matrix]:
    """Subtract both terms of the means, and multiply the rows by sqrt(s)."""
    root, centered = np.sqrt(s)[:, None], []
    for A, terms in zip((X, Y), means, strict=True):
        B = A - terms[0]
        B -= terms[1]
        B *= root
        centered.append(B)
    return centered


def solve_normal_equations(G: Matrix, C: Matrix, lambda_: float) -> Matrix | None:
    """Solve (G + lambda I) W = C; None if it may be ill-conditioned.

    The condition number is computed after scaling the columns to length 1.
    """
    H = G + np.diag(np.full(len(G), lambda_))
    length = np.sqrt(np.diagonal(H))
    if not length.min() > 0:
        return None
    unit = 1 / length
    H, c = unit[:, None] * H * unit, unit[:, None] * C
    # the eigenvalues of H are at most d, and at least lambda / max(length)**2
    if len(G) * length.max() ** 2 > MAX_COND * lambda_:
        try:
            inverse = np.linalg.inv(np.linalg.cholesky(H))
        except np.linalg.LinAlgError:
            return None
        if not len(G) * np.sum(inverse**2) <= MAX_COND:  # >= condition number
            return None
    return unit[:, None] * np.linalg.solve(H, c)


def _svd_least_squares(A: Matrix, T: Matrix, lambda_: float) -> tuple[Matrix, int]:
    """Find W and the rank from A itself: A.T @ A would square the condition number.

    Rank and residual are computed for columns scaled to length 1.  If W is not unique, the
    shortest W may ignore columns of small norm, so its residual is fitted again.
    """
    d = A.shape[1]
    if lambda_ > 0 and len(A) >= d:  # as least squares with d more rows
        A = np.vstack([A, np.sqrt(lambda_) * np.eye(d)])
        T, lambda_ = np.vstack([T, np.zeros((d, T.shape[1]))]), 0.0
    length = np.linalg.norm(A, axis=0)
    unit = np.where(length > 0, length, 1.0)
    if len(A) < d and (lambda_ > 0 or unit.max() < MAX_LENGTH_RATIO * unit.min()):
        solve, rank = _truncated_svd(A, lambda_)
        return solve(T), rank
    solve_scaled, rank = _truncated_svd(A / unit)
    W = np.zeros((d, T.shape[1]))
    if rank < np.count_nonzero(length):
        W = _truncated_svd(A, tol=1e-8)[0](T)  # W has errors EPS / tol**2
    return W + solve_scaled(T - A @ W) / unit[:, None], rank


def _truncated_svd(A: Matrix, lambda_=0.0, tol=0.0) -> tuple[Callable, int]:
    """Return a solver for W, and the rank, without the tiny singular values."""
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    kept = sigma > max(tol, 10 * EPS * max(A.shape)) * sigma[0]
    U, sigma, Vt = U[:, kept], sigma[kept, None], Vt[kept]
    return lambda T: Vt.T @ ((U.T @ T) / (sigma + lambda_ / sigma)), int(kept.sum())
