"""The nearest neighbors, and the class that most of them have.

Chapter: multiclass
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore import checks
from mlcore.arrays import Matrix

BLOCK = 2**17  # distances computed at a time, 1 MB: they fit the cache


@dataclass(frozen=True, eq=False)
class Neighbors:
    """The k nearest examples of each of m queries, and what they say.

    predicted  (m,) the class of most of them
    indices    (m, k) which examples they are, the nearest first
    distances  (m, k) how far they are, in the unit of X
    """

    predicted: np.ndarray
    indices: NDArray[np.intp]
    distances: Matrix


def knn(X: ArrayLike, labels: ArrayLike, queries: ArrayLike, *, k: int = 5) -> Neighbors:
    """Predict the class that most of the k nearest examples have.

    X, labels  (n, d) features, all in one unit; (n,) labels of any kind
    queries    (m, d) the points to predict
    k          number of neighbors, 1 to n

    Returns the predictions and the neighbors.  Of examples equally far the first in X is
    nearer; of classes with equally many neighbors the one with the nearest is predicted.
    Raises ValueError for wrong shapes, nan, k out of range.
    Source: Fix and Hodges (1951); Cover and Hart (1967), how good it is.

    >>> X = np.array([[0.0], [1.0], [5.0]])
    >>> knn(X, ["a", "a", "b"], np.array([[0.4], [4.0]]), k=1).predicted
    array(['a', 'b'], dtype='<U1')
    """
    X, classes, index = checks.classes(X, labels)
    queries = checks.matrix("queries", queries, columns=X.shape[1])
    k = checks.integer("k", k, at_least=1, at_most=len(X))
    indices, distances = _nearest(X, queries, k)
    elected = _elected(index[indices], len(classes))
    return Neighbors(classes[elected], indices, distances)


def _nearest(X: Matrix, queries: Matrix, k: int) -> tuple[NDArray[np.intp], Matrix]:
    """The k nearest rows of X and their distances, (m, k) each, the nearest first."""
    from scipy.spatial.distance import cdist

    indices = np.empty((len(queries), k), dtype=np.intp)
    distances = np.empty((len(queries), k))
    for first in range(0, len(queries), step := max(1, BLOCK // len(X))):
        block = slice(first, first + step)
        D = cdist(queries[block], X)
        kth = np.partition(D, k - 1, axis=1)[:, [k - 1]]
        q, i = np.nonzero(kth >= D)  # k of each query, or more that are equally far
        order = np.lexsort([i, D[q, i], q])  # of rows equally far the first in X
        starts = np.searchsorted(q, np.arange(len(D)))
        chosen = order[starts[:, None] + np.arange(k)]
        indices[block], distances[block] = i[chosen], D[q, i][chosen]
    return indices, distances


def _elected(votes: NDArray[np.intp], K: int) -> NDArray[np.intp]:
    """The most frequent of K classes in each row; of equals the one that occurs first."""
    rows = np.arange(len(votes))[:, None]
    cells = np.ravel_multi_index((rows, votes), (len(votes), K))  # a row and a class
    _, place, counts = np.unique(cells, return_inverse=True, return_counts=True)
    first = counts[place.reshape(votes.shape)].argmax(axis=1)
    return votes[rows[:, 0], first]
