"""The nearest examples of each query, exactly, with most of the work in float32."""

import numpy as np
from numpy.typing import NDArray

from mlcore.arrays import Matrix, Vector

BLOCK = 2**19  # squared distances computed at a time, 2 MB of float32: they fit the cache
GROUPS = 64  # groups of examples for each neighbor wanted


def nearest(X: Matrix, queries: Matrix, k: int) -> tuple[NDArray[np.intp], Matrix]:
    """Find the indices of the k nearest rows of X and their distances, (m, k) each.

    The nearest come first; of rows equally far the first in X.
    """
    indices = np.empty((len(queries), k), dtype=np.intp)
    distances = np.empty((len(queries), k))
    examples = _Examples(X, queries, k)
    for block in _blocks(len(queries), BLOCK // examples.columns.shape[1]):
        q, i = examples.near(queries[block])
        far = _distances(X, i, queries[block], q)
        order = np.lexsort([i, far, q])  # by query, then distance, then index
        starts = np.searchsorted(q, np.arange(len(queries[block])))
        chosen = order[starts[:, None] + np.arange(k)]
        indices[block], distances[block] = i[chosen], far[chosen]
    return indices, distances


class _Examples:
    """The rows of X in float32, to find which of them cannot be among the nearest.

    The squared distances of all come from one product.  The rows are dealt to groups,
    row i to group i modulo their number.  The k least of the groups' minima belong to
    k rows, so the largest of them is a limit that k rows respect; only the groups
    with a minimum below it are looked into.
    """

    def __init__(self, X: Matrix, queries: Matrix, k: int):
        (n, d), self.k = X.shape, k
        self.center = X.mean(axis=0)
        ends = np.array([end(axis=0) for A in (X, queries) for end in (A.min, A.max)])
        self.size = np.abs(ends - self.center).max() or 1.0
        self.groups = max(k, min(GROUPS * k, n // 8))
        # Columns (-2 x, |x|**2), whose product with (q, 1) is |x - q|**2 - |q|**2;
        # those that fill up the last group are farther than any: all are of size 1.
        length = -(-n // self.groups) * self.groups
        self.columns = np.zeros((d + 1, length), dtype=np.float32)
        for block in _blocks(n, BLOCK // 8 // d):
            Z = self._small(X[block])
            self.columns[:d, :n][:, block] = -2 * Z.T
            self.columns[d, :n][block] = np.einsum("ij,ij->i", Z, Z)
        self.longest = float(np.sqrt(self.columns[d, :n].max()))
        self.columns[d, n:] = 1e30

    def near(self, queries: Matrix) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The pairs (query, row) that remain, at least k of each query, by query."""
        Q = self._small(queries)
        D = np.column_stack([Q, np.ones(len(Q), dtype=np.float32)]) @ self.columns
        D = D.reshape(len(Q), -1, self.groups)
        least = D.min(axis=1)
        limit = np.partition(least, self.k - 1, axis=1)[:, self.k - 1] + self._doubt(Q)
        q, group = np.nonzero(least <= limit[:, None])
        pair, place = np.nonzero(D[q, :, group] <= limit[q, None])
        return q[pair], place * self.groups + group[pair]

    def _doubt(self, Q) -> Vector:
        """Twice what a squared distance may be off in float32, for each query.

        Relative to (|x| + |q|)**2 that is half an eps for each of d + 1 products, as
        many sums, and two roundings of the factors (Higham 2002, section 3.1); the
        factor 2 is room to spare, and so is the last term, for what underflows.
        """
        reach = self.longest + np.linalg.norm(Q, axis=1).astype(float)
        steps = len(self.columns) + 5
        return 2 * steps * float(np.finfo(np.float32).eps) * reach**2 + 1e-30

    def _small(self, A: Matrix) -> NDArray[np.float32]:
        return ((A - self.center) / self.size).astype(np.float32)


def _distances(X: Matrix, i, queries: Matrix, q) -> Vector:
    """The distance of each pair: row i of X, query q."""
    squares = np.empty(len(i))
    for block in _blocks(len(i), BLOCK // 8 // X.shape[1]):  # of float64, all in cache
        steps = X[i[block]]
        steps -= queries[q[block]]
        squares[block] = np.einsum("ij,ij->i", steps, steps)
    distances = np.sqrt(squares)
    extreme = np.flatnonzero(squares < 1e-250)  # none is too large: X is below 1e150
    for block in _blocks(len(extreme), BLOCK // X.shape[1]):
        pairs = extreme[block]
        distances[pairs] = _scaled(X[i[pairs]] - queries[q[pairs]])
    return distances


def _scaled(steps: Matrix) -> Vector:
    """The lengths of the rows, whose squares need not be numbers."""
    exponent = np.frexp(np.abs(steps).max(axis=1))[1]
    steps = np.ldexp(steps, -exponent[:, None])  # of size 1
    return np.ldexp(np.sqrt(np.einsum("ij,ij->i", steps, steps)), exponent)


def _blocks(n: int, size: int) -> list[slice]:
    size = max(1, size)
    return [slice(first, first + size) for first in range(0, n, size)]
