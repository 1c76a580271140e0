"""Array types of the package, its numerical limits, and array helpers."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]  # X: (n, d), one example a row
Vector = NDArray[np.float64]  # w: (d,); one number for each example: (n,)
Signs = NDArray[np.float64]  # y: (n,), each -1 or +1
Labels = ArrayLike  # labels as the caller passes them, for example a list
Seed = int | np.random.Generator | None  # None, where allowed: no shuffling

SMALLEST = 1e-100  # squares of such numbers, and of their differences, do not underflow
LARGEST = 1e150  # a sum of 1e8 squares of such numbers is still finite
EPS = float(np.finfo(np.float64).eps)


def centered(A: np.ndarray) -> tuple[np.ndarray, Any]:
    """Subtract the mean of each column (or of a vector); also return the means."""
    origin = A[0]  # relative to its first entry, a constant column is exactly 0
    A = A - origin
    shift = A.mean(axis=0)
    A -= shift
    return A, origin + shift


def typical_row(X: np.ndarray) -> np.ndarray:
    """Compute the median of about 100 rows of X (n, d): an origin near most rows."""
    return np.median(X[:: 1 + len(X) // 100], axis=0)


def row_space(X: Matrix) -> tuple[Matrix, Callable]:
    """Replace X (n, d) by coordinates in the span of its rows, if d > n.

    Returns X @ Q and u -> Q @ u, for an orthonormal basis Q (d, n); if d <= n, Q = I.
    """
    if X.shape[1] <= len(X):
        return X, lambda u: u
    Q, R = np.linalg.qr(X.T)
    return R.T, lambda u: Q @ u


def ratio(A, b, where, out: np.ndarray | None = None) -> np.ndarray:
    """Compute A / b where `where` is True; elsewhere keep `out` (default 0)."""
    out = np.zeros(np.broadcast(A, b).shape) if out is None else out
    return np.divide(A, b, out=out, where=where)


def sum_over_rows(terms: Callable, *arrays: np.ndarray) -> list[np.ndarray]:
    """Sum the list of arrays terms(*slices) over slices of rows that fit the cache.

    arrays  with n rows each, the first a matrix (n, d)
    """
    n, size = len(arrays[0]), 64 + 2**17 // arrays[0].shape[1]
    sums = terms(*(A[:size] for A in arrays))
    for start in range(size, n, size):
        more = terms(*(A[start : start + size] for A in arrays))
        sums = [a + b for a, b in zip(sums, more, strict=True)]
    return sums
