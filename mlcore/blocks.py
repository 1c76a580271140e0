"""Sums over the rows of arrays: in memory, or of Dask, which are read block by block.

An array of Dask is lazy: its blocks are computed when they are asked for.  NumPy's
functions hand it to Dask, so `mlcore` never imports it.  What needs its rows only in sums
takes such an array: `least_squares`, `ridge`, `logistic` and `forward`.
"""

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, TypeGuard

import numpy as np

from mlcore import checks
from mlcore.arrays import Matrix, Vector


def lazy(X) -> TypeGuard[Any]:
    """Whether X is an array of Dask, or of a library that works as Dask does."""
    return hasattr(X, "__array_function__") and hasattr(X, "map_blocks")


def check_rows(name: str, value) -> Matrix:
    """A matrix (n, d) of finite numbers; a lazy one is checked as it is computed.

    Its shape and type are checked at once, its numbers block by block: no pass over the
    data is spent on them, and the error is that of an array in memory.
    """
    return _checked(name, value, 2, checks.matrix)


def check_beside(name: str, value, X: Matrix, check: Callable = checks.vector) -> Matrix:
    """A column (n, 1) of numbers beside the rows of X, lazy where X is.

    check  check(name, value) for those in memory, and for each block of lazy ones
    """
    column = _checked(name, value, 1, check)[:, None]
    if len(column) != len(X):
        raise checks.error(name, f"have {len(X)} entries", len(column))
    return np.asarray(column, like=X)


def check_counts(name: str, value, X: Matrix) -> list[Matrix]:
    """How often each row of X counts: [] for None, else a column (n, 1), at most 1.

    They are at least 0, and not all 0; only their ratios matter.
    """
    counts = checks.sample_weight(name, value, length=len(X))
    return [np.asarray(column, like=X) for column in counts]


def _checked(name: str, value, ndim: int, check: Callable):
    if not lazy(value):
        return check(name, value)
    if value.ndim != ndim or np.isnan(value.shape).any() or value.dtype.kind not in "biuf":
        rule = f"have {ndim} dimensions, numbers, and blocks of known size, "
        rule += "see Dask's compute_chunk_sizes"
        raise checks.error(name, rule, f"shape {value.shape}, dtype {value.dtype}")
    return value.map_blocks(partial(_block, name, check), meta=np.empty((0,) * ndim))


def _block(name: str, check: Callable, values):
    return check(name, values) if values.size else values


def total(parts: Callable, *arrays: Matrix) -> list[np.ndarray]:
    """The sums over all rows of parts(*blocks), a list of arrays for a block of rows.

    arrays  (n, ...) each, of as many rows; those of Dask are read once, for all sums

    A block in memory is so small that it and what is made of it fit the cache.
    """
    if any(map(lazy, arrays)):
        return _lazy_total(parts, *arrays)
    n, size = len(arrays[0]), 64 + 2**17 // arrays[0].shape[1]
    sums = parts(*(A[:size] for A in arrays))
    for k in range(size, n, size):
        more = parts(*(A[k : k + size] for A in arrays))
        sums = [a + b for a, b in zip(sums, more, strict=True)]
    return sums


def _lazy_total(parts: Callable, *arrays: Matrix) -> list[np.ndarray]:
    """A lazy block gives way to all its parts at once, as one row, and the rows are added.

    Where the parts are tasks of their own, the plan of Dask may take one of them through
    all blocks before it comes to the next, and then a cluster holds all rows.
    """
    widths = [A.shape[1] for A in arrays]
    shapes = [np.shape(part) for part in parts(*(np.ones((1, width)) for width in widths))]
    starts = np.cumsum([0] + [int(np.prod(shape)) for shape in shapes]).tolist()
    rows: Any = np.hstack(arrays)
    found = rows.rechunk({1: rows.shape[1]}).map_blocks(
        partial(_in_a_row, parts=parts, ends=np.cumsum(widths)[:-1]),
        chunks=(1, starts[-1]),
        meta=np.empty((0, 0)),
    )
    sums = np.asarray(found.sum(axis=0))
    return [
        sums[start:end].reshape(shape)
        for (start, end), shape in zip(pairwise(starts), shapes, strict=True)
    ]


def _in_a_row(rows: Matrix, parts: Callable, ends: Vector) -> Matrix:
    arrays = np.split(rows, ends, axis=1)
    return np.concatenate([np.ravel(part) for part in parts(*arrays)])[None]
