"""The nearest neighbors, and the class that most of them have.

Chapter: multiclass
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.arrays import Matrix
from mlcore.checks import check_labels, check_matrix
from mlcore.options import check_integer
from mlcore.solvers.nearest import nearest


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
    that has the nearest of them is predicted.  The distances are those of
    float64, and so are the choices: float32 is used only to discard.
    Raises ValueError for wrong shapes, nan, k out of range.
    Source: Fix and Hodges (1951); Cover and Hart (1967), how good it is.

    >>> X = np.array([[0.0], [1.0], [5.0]])
    >>> knn(X, ["a", "a", "b"], np.array([[0.4], [4.0]]), k=1).predicted
    array(['a', 'b'], dtype='<U1')
    """
    X = check_matrix("X", X)
    labels = check_labels("labels", labels, length=len(X))
    queries = check_matrix("queries", queries, columns=X.shape[1])
    k = check_integer("k", k, at_least=1, at_most=len(X))
    classes, index = np.unique(labels, return_inverse=True)
    indices, distances = nearest(X, queries, k)
    elected = _elected(index[indices], len(classes))
    return Neighbors(classes[elected], indices, distances)


def _elected(votes: NDArray[np.intp], K: int) -> NDArray[np.intp]:
    """The most frequent of K classes in each row; of equals the one that occurs first."""
    rows = np.arange(len(votes))[:, None]
    cells = np.ravel_multi_index((rows, votes), (len(votes), K))  # a row and a class
    _, place, counts = np.unique(cells, return_inverse=True, return_counts=True)
    first = counts[place.reshape(votes.shape)].argmax(axis=1)
    return votes[rows[:, 0], first]
