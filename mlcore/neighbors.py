"""The nearest neighbors, and the class that most of them have.

Chapter: multiclass
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.arrays import Matrix
from mlcore.checks import check_classes, check_matrix
from mlcore.options import check_integer

BLOCK = 2**19  # squared distances computed at a time, 2 MB: they fit the cache
GROUPS = 64  # groups of examples for each neighbor wanted


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

    X        (n, d) features, one example a row, all in one unit
    labels   (n,) labels of any kind
    queries  (m, d) the points to predict
    k        number of neighbors, 1 to n

    Returns the predictions and the neighbors.  Of examples equally far the
    first in X is nearer; of classes with equally many neighbors the one
    that has the nearest of them is predicted.
    Raises ValueError for wrong shapes, nan, k out of range.
    Source: Fix and Hodges (1951); Cover and Hart (1967), how good it is.

    >>> X = np.array([[0.0], [1.0], [5.0]])
    >>> knn(X, ["a", "a", "b"], np.array([[0.4], [4.0]]), k=1).predicted
    array(['a', 'b'], dtype='<U1')
    """
    X, classes, index = check_classes(X, labels)
    queries = check_matrix("queries", queries, columns=X.shape[1])
    k = check_integer("k", k, at_least=1, at_most=len(X))
    indices, distances = _nearest(X, queries, k)
    elected = _elected(index[indices], len(classes))
    return Neighbors(classes[elected], indices, distances)


def _nearest(X: Matrix, queries: Matrix, k: int) -> tuple[NDArray[np.intp], Matrix]:
    """The k nearest rows of X and their distances, (m, k) each, the nearest first.

    One product in float32 finds which rows cannot be among the nearest.  Row i is in group
    i modulo their number.  The k least of the groups' minima belong to k rows, so the
    largest of them is a limit that k rows respect; groups beyond it are left out.  The
    doubt is twice what rounding may change (Higham 2002, section 3.1).
    """
    (n, d), center = X.shape, X.mean(axis=0)
    size = max(np.abs(A - center).max() for A in (X, queries)) or 1.0
    Z, Q = (((A - center) / size).astype(np.float32) for A in (X, queries))
    groups = max(k, min(GROUPS * k, n // 8))
    columns = np.zeros((d + 1, n + -n % groups), np.float32)  # (-2 x, |x|**2), of size 1
    columns[:d, :n], columns[d] = -2 * Z.T, 1e30  # what fills a group is far away
    columns[d, :n] = squares = np.einsum("ij,ij->i", Z, Z)
    lengths = np.sqrt(squares.max()) + np.linalg.norm(Q, axis=1)
    doubt = 2 * (d + 6) * np.finfo(np.float32).eps * lengths**2 + 1e-30
    Q = np.column_stack([Q, np.ones(len(Q), np.float32)])
    found = []
    for first in range(0, len(Q), step := max(1, BLOCK // len(columns.T))):
        block = slice(first, first + step)
        D = (Q[block] @ columns).reshape(-1, columns.shape[1] // groups, groups)
        least = D.min(axis=1)
        limit = np.partition(least, k - 1, axis=1)[:, k - 1] + doubt[block]
        q, group = np.nonzero(least <= limit[:, None])
        pair, place = np.nonzero(D[q, :, group] <= limit[q, None])
        found.append(_sorted(X, queries[block], k, q[pair], place * groups + group[pair]))
    indices, distances = zip(*found, strict=True)
    return np.vstack(indices), np.vstack(distances)


def _sorted(X: Matrix, queries: Matrix, k: int, q, i):
    """The k nearest of each query among the pairs (query q, row i), by their distance."""
    far = np.linalg.norm(X[i] - queries[q], axis=1)
    order = np.lexsort([i, far, q])  # of rows equally far the first in X
    starts = np.searchsorted(q, np.arange(len(queries)))
    chosen = order[starts[:, None] + np.arange(k)]
    return i[chosen], far[chosen]


def _elected(votes: NDArray[np.intp], K: int) -> NDArray[np.intp]:
    """The most frequent of K classes in each row; of equals the one that occurs first."""
    rows = np.arange(len(votes))[:, None]
    cells = np.ravel_multi_index((rows, votes), (len(votes), K))  # a row and a class
    _, place, counts = np.unique(cells, return_inverse=True, return_counts=True)
    first = counts[place.reshape(votes.shape)].argmax(axis=1)
    return votes[rows[:, 0], first]
