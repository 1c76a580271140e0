"""The vocabulary of the package: what its arrays hold, where randomness comes from."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]  # X: (n, d), one example a row
Vector = NDArray[np.float64]  # w: (d,), or one number for each example: (n,)
Signs = NDArray[np.float64]  # y: (n,), each -1 or +1
Labels = ArrayLike  # the same as a caller has it, a list, say
Seed = int | np.random.Generator | None  # what np.random.default_rng takes

LARGEST = 1e150  # a sum of 1e8 squares of such numbers is still finite
EPS = float(np.finfo(np.float64).eps)


def centered(A: np.ndarray) -> tuple[np.ndarray, Any]:
    """Each column less its mean, and the means; of a vector, less the mean."""
    origin = A[0]  # measured from here, a constant column is exactly 0
    A = A - origin
    shift = A.mean(axis=0)
    A -= shift
    return A, origin + shift


def total(parts: Callable, *arrays: np.ndarray) -> list[np.ndarray]:
    """The sums over all rows of parts(*blocks), a list of arrays for a block of rows.

    A block of the arrays (n, ...) and what is made of it fit the cache.
    """
    n, size = len(arrays[0]), 64 + 2**17 // arrays[0].shape[1]
    sums = parts(*(A[:size] for A in arrays))
    for k in range(size, n, size):
        more = parts(*(A[k : k + size] for A in arrays))
        sums = [a + b for a, b in zip(sums, more, strict=True)]
    return sums


def ratio(A, b, where, out: np.ndarray | None = None) -> np.ndarray:
    """A / b where it may be divided, elsewhere 0, or what is in out."""
    out = np.zeros(np.broadcast(A, b).shape) if out is None else out
    return np.divide(A, b, out=out, where=where)
