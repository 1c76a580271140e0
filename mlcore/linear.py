"""Linear classifiers as values: a hyperplane with a side called +1, or a score a class.

Chapter: geometry
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import Matrix, Signs, Vector


def sgn(score) -> Signs:
    """The predicted side of a score, of any shape: +1 if score >= 0, else -1.

    Never 0, unlike np.sign: a point on the hyperplane is predicted +1, by convention.
    Raises ValueError for nan, or what is no number.

    >>> sgn([-2.0, 0.0, 3.0])
    array([-1.,  1.,  1.])
    """
    return np.where(checks.array("score", score) >= 0, 1.0, -1.0)


@dataclass(frozen=True, eq=False)
class LinearRule:
    """The rule x -> sgn(w @ x + b).

    w  (d,) normal vector, in units of score for each unit of a feature
    b  bias, the score of the origin
    """

    w: Vector
    b: float

    def decision_function(self, X: ArrayLike) -> Vector:
        """The scores g(x) = w @ x + b of the rows of X (n, d), as (n,)."""
        X = checks.matrix("X", X, columns=len(self.w))
        return checks.array("X @ w + b", X @ self.w + self.b)

    def predict(self, X: ArrayLike) -> Signs:
        """The side of each row of X (n, d), as (n,): +1 where g(x) >= 0, else -1."""
        return sgn(self.decision_function(X))


@dataclass(frozen=True, eq=False)
class LinearScores:
    """K scores w_k @ x + b_k, of which the largest says the class.

    classes  (K,) the labels, sorted
    W        (K, d) the weights of each class in a row
    b        (K,) their biases
    """

    classes: np.ndarray
    W: Matrix
    b: Vector

    def decision_function(self, X: ArrayLike) -> Matrix:
        """The scores of the rows of X (n, d), as (n, K)."""
        X = checks.matrix("X", X, columns=self.W.shape[1])
        return checks.array("X @ W.T + b", X @ self.W.T + self.b)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """The class with the largest score, of equals the first, as (n,)."""
        return self.classes[self.decision_function(X).argmax(axis=1)]
