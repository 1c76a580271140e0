"""Classification by the majority of the nearest neighbors.

Chapter: multiclass
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore import checks
from mlcore.arrays import Matrix

BLOCK_SIZE = 2**17  # distances in a block: 1 MB, to fit in cache


@dataclass(frozen=True, eq=False)
class Neighbors:
    """The k nearest neighbors of m queries, and the predicted classes.

    predicted  (m,) the most frequent class among the neighbors of each query
    indices    (m, k) the indices of the neighbors, the nearest first
    distances  (m, k) the distances of the neighbors, in the unit of X
    """

    predicted: np.ndarray
    indices: NDArray[np.intp]
    distances: Matrix


def knn(X: ArrayLike, labels: ArrayLike, queries: ArrayLike, *, k: int = 5) -> Neighbors:
    """Predict the most frequent class among the k nearest neighbors.

    X, labels  (n, d) features, all in the same unit; (n,) labels of any kind
    queries    (m, d) the points to predict
    k          number of neighbors, from 1 to n

    Returns the predictions and the neighbors.  Ties: of two examples at the same distance,
    the one with the smaller index is nearer; of two classes with the same number of
    neighbors, the class of the nearest neighbor is predicted.
    Raises ValueError for wrong shapes, nan, k out of range.
    Source: Fix and Hodges (1951); Cover and Hart (1967), for its error rate.

    >>> X = np.array([[0.0], [1.0], [5.0]])
    >>> knn(X, ["a", "a", "b"], np.array([[0.4], [4.0]]), k=1).predicted
    array(['a', 'b'], dtype='<U1')
    """
    X, classes, index = checks.classes(X, labels)
    queries = checks.matrix("queries", queries, columns=X.shape[1])
    k = checks.integer("k", k, at_least=1, at_most=len(X))
    indices, distances = _nearest(X, queries, k)
    winners = _majority(index[indices], len(classes))
    return Neighbors(classes[winners], indices, distances)


def _nearest(X: Matrix, queries: Matrix, k: int) -> tuple[NDArray[np.intp], Matrix]:
    """Find the k nearest rows of X and their distances, (m, k) each, the nearest first."""
    from scipy.spatial.distance import cdist

    indices = np.empty((len(queries), k), dtype=np.intp)
    distances = np.empty((len(queries), k))
    step = max(1, BLOCK_SIZE // len(X))  # queries in a block
    for first in range(0, len(queries), step):
        block = slice(first, first + step)
        D = cdist(queries[block], X)
        kth = np.partition(D, k - 1, axis=1)[:, [k - 1]]
        q, i = np.nonzero(kth >= D)  # at least k per query, more with ties at the kth
        order = np.lexsort([i, D[q, i], q])  # by query, then distance, then index
        starts = np.searchsorted(q, np.arange(len(D)))
        chosen = order[starts[:, None] + np.arange(k)]
        indices[block], distances[block] = i[chosen], D[q, i][chosen]
    return indices, distances


def _majority(votes: NDArray[np.intp], K: int) -> NDArray[np.intp]:
    """Find the most frequent class in each row; a tie goes to the first in the row."""
    rows = np.arange(len(votes))[:, None]
    pairs = np.ravel_multi_index((rows, votes), (len(votes), K))  # (row, class)
    _, inverse, counts = np.unique(pairs, return_inverse=True, return_counts=True)
    first = counts[inverse.reshape(votes.shape)].argmax(axis=1)
    return votes[rows[:, 0], first]
