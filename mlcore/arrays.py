"""The vocabulary of the package: what its arrays hold, where randomness comes from."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]  # X: (n, d), one example a row
Vector = NDArray[np.float64]  # w: (d,), or one number for each example: (n,)
Signs = NDArray[np.float64]  # y: (n,), each -1 or +1
Labels = ArrayLike  # the same as a caller has it, a list, say
Seed = int | np.random.Generator | None  # None, where it may be: no shuffling

LARGEST = 1e150  # a sum of 1e8 squares of such numbers is still finite
EPS = float(np.finfo(np.float64).eps)


def centered(A: np.ndarray) -> tuple[np.ndarray, Any]:
    """Each column less its mean, and the means; of a vector, less the mean."""
    origin = A[0]  # measured from here, a constant column is exactly 0
    A = A - origin
    shift = A.mean(axis=0)
    A -= shift
    return A, origin + shift


def ratio(A, b, where, out: np.ndarray | None = None) -> np.ndarray:
    """A / b where it may be divided, elsewhere 0, or what is in out."""
    out = np.zeros(np.broadcast(A, b).shape) if out is None else out
    return np.divide(A, b, out=out, where=where)
