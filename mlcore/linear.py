"""Linear classifiers: a hyperplane for two classes, a score for each of K classes.

Chapter: geometry
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import Matrix, Signs, Vector


def sgn(score) -> Signs:
    """Return the sign of scores of any shape: +1 if score >= 0, otherwise -1.

    Unlike np.sign, it never returns 0: by convention, points on the hyperplane get +1.
    Raises ValueError for nan and anything that is not a number.

    >>> sgn([-2.0, 0.0, 3.0])
    array([-1.,  1.,  1.])
    """
    return np.where(checks.array("score", score) >= 0, 1.0, -1.0)


@dataclass(frozen=True, eq=False)
class LinearRule:
    """The rule x -> sgn(w @ x + b).

    w  (d,) normal vector; w_j is the change of the score per unit of feature j
    b  bias, the score of the origin
    """

    w: Vector
    b: float

    def decision_function(self, X: ArrayLike) -> Vector:
        """Compute the scores g(x) = w @ x + b of the rows of X (n, d), as (n,)."""
        X = checks.matrix("X", X, columns=len(self.w))
        return checks.array("X @ w + b", X @ self.w + self.b)

    def predict(self, X: ArrayLike) -> Signs:
        """Predict +1 for rows of X (n, d) with g(x) >= 0, -1 for other rows, as (n,)."""
        return sgn(self.decision_function(X))


@dataclass(frozen=True, eq=False)
class CertifiedRule(LinearRule):
    """A hyperplane that minimizes an objective, and a bound on its error.

    value        the objective at w, b
    duality_gap  value minus a lower bound on the minimum, found by duality
    converged    True if the stopping test of the method is met, False if it gave up
    """

    value: float
    duality_gap: float
    converged: bool

    @property
    def relative_gap(self) -> float:
        """The duality gap as a fraction of the value."""
        return self.duality_gap / self.value if self.value > 0 else 0.0


@dataclass(frozen=True, eq=False)
class LinearScores:
    """K scores w_k @ x + b_k; the largest score decides the class.

    classes  (K,) the labels, sorted
    W        (K, d) the weights, one class a row
    b        (K,) the biases
    """

    classes: np.ndarray
    W: Matrix
    b: Vector

    def decision_function(self, X: ArrayLike) -> Matrix:
        """Compute the scores of the rows of X (n, d), as (n, K)."""
        X = checks.matrix("X", X, columns=self.W.shape[1])
        return checks.array("X @ W.T + b", X @ self.W.T + self.b)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the class with the largest score, the first in a tie, as (n,)."""
        return self.classes[self.decision_function(X).argmax(axis=1)]
