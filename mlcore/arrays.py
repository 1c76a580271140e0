"""The vocabulary of the package: what its arrays hold, where randomness comes from.

An array of Dask is lazy: blocks of rows that are computed when asked for.  NumPy's
functions hand it to Dask, whose results are lazy again, so `mlcore` never imports it.
"""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float64]  # X: (n, d), one example a row
Vector = NDArray[np.float64]  # w: (d,), or one number for each example: (n,)
Signs = NDArray[np.float64]  # y: (n,), each -1 or +1
Labels = ArrayLike  # the same as a caller has it, a list, say
Seed = int | np.random.Generator | None  # what np.random.default_rng takes

LARGEST = 1e150  # a sum of 1e8 squares of such numbers is still finite
EPS = float(np.finfo(np.float64).eps)


def lazy(X) -> TypeGuard[Any]:
    """Whether X is an array of Dask, or of a library that works as Dask does."""
    return hasattr(X, "__array_function__") and hasattr(X, "map_blocks")


def asked(*parts) -> list:
    """The parts as arrays of NumPy; lazy ones are computed in one pass for all."""
    if not any(map(lazy, parts)):
        return list(parts)
    numbers = np.asarray(np.concatenate([part.ravel() for part in parts]))
    pieces = np.split(numbers, np.cumsum([part.size for part in parts])[:-1])
    return [piece.reshape(part.shape) for piece, part in zip(pieces, parts, strict=True)]


def highest(scores: Matrix, classes: np.ndarray) -> np.ndarray:
    """The class of the largest score in each row, of equals the first; lazy as they are."""
    best = scores.argmax(axis=1)
    if lazy(best):
        return best.map_blocks(partial(np.take, classes), meta=classes[:0])
    return classes[best]


def side_by_side(*arrays: Matrix) -> Matrix:
    """The columns of one after the other; blocks of a lazy array keep whole rows."""
    rows = np.hstack(arrays)
    return rows.rechunk({1: rows.shape[1]}) if lazy(rows) else rows


def by_block(parts: Callable, *arrays: Matrix) -> list:
    """The parts(*arrays) of each block of rows, stacked; all rows in memory are one block.

    A lazy block gives way to all its parts at once.  Where they are tasks of their own,
    the plan of Dask may take one of them through all blocks before it comes to the next,
    and then a cluster holds all rows.
    """
    if not any(map(lazy, arrays)):
        return [np.asarray(part)[None] for part in parts(*arrays)]
    shapes = [np.shape(part) for part in parts(*(np.ones((1, A.shape[1])) for A in arrays))]
    starts = np.cumsum([0] + [int(np.prod(shape)) for shape in shapes]).tolist()
    rows: Any = side_by_side(*arrays)
    found = rows.map_blocks(
        partial(_in_a_row, parts=parts, widths=[A.shape[1] for A in arrays]),
        chunks=(1, starts[-1]),
        meta=np.empty((0, 0)),
    )
    return [
        found[:, start:end].reshape((len(found), *shape))
        for (start, end), shape in zip(pairwise(starts), shapes, strict=True)
    ]


def _in_a_row(rows: Matrix, parts: Callable, widths: list[int]) -> Matrix:
    """All parts of a block end to end, as one row."""
    arrays = np.split(rows, np.cumsum(widths)[:-1], axis=1)
    return np.concatenate([np.ravel(part) for part in parts(*arrays)])[None]


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
