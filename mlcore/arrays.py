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

# Limits on the size of entries: from SMALLEST on, squares of entries and of their
# differences do not underflow; up to LARGEST, a sum of 1e8 squares is finite.
SMALLEST = 1e-100
LARGEST = 1e150
EPS = float(np.finfo(np.float64).eps)


def centered(A: np.ndarray) -> tuple[np.ndarray, Any]:
    """Subtract the mean of each column (or of a vector); also return the means."""
    origin = A[0]  # subtracted first, so that a constant column becomes exactly 0
    A = A - origin
    shift = A.mean(axis=0)
    A -= shift
    return A, origin + shift


def typical_row(X: np.ndarray) -> np.ndarray:
    """Compute the median of each column over at most 100 rows of X (n, d): a center."""
    return np.median(X[:: 1 + len(X) // 100], axis=0)


def to_row_space(X: Matrix) -> tuple[Matrix, Callable]:
    """Write the rows of X (n, d) in coordinates of their span, if d > n.

    Returns X @ Q and the map back, u -> Q @ u.  Q (d, n) has orthonormal columns; if
    d <= n, Q = I.
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
    """Cut the arrays into blocks of rows that fit in cache; add up terms(*blocks).

    terms   returns a list of arrays for one block of each array
    arrays  with n rows each, the first a matrix (n, d)
    """
    n, block_rows = len(arrays[0]), 64 + 2**17 // arrays[0].shape[1]
    sums = terms(*(A[:block_rows] for A in arrays))
    for start in range(block_rows, n, block_rows):
        more = terms(*(A[start : start + block_rows] for A in arrays))
        sums = [a + b for a, b in zip(sums, more, strict=True)]
    return sums
