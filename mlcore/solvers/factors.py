"""Inverses of triangular matrices, which NumPy would treat as any matrix."""

import numpy as np


def lower_inverse(L: np.ndarray) -> np.ndarray:
    """The inverse of a lower triangular matrix, from those of its quarters.

    On the way to 300 x 300 nearly all work is products, and a third of that of an LU.
    """
    if len(L) <= 48:  # below, the calls cost more than they save
        return np.linalg.inv(L)
    k = len(L) // 2
    M = np.zeros_like(L)
    M[:k, :k], M[k:, k:] = lower_inverse(L[:k, :k]), lower_inverse(L[k:, k:])
    M[k:, :k] = -M[k:, k:] @ (L[k:, :k] @ M[:k, :k])
    return M
