"""Linear discriminant analysis: model how each class comes about, then turn to Bayes.

Chapters: logistic, least_squares
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks, losses
from mlcore.arrays import EPS, Labels, Matrix, Vector, centered, ratio
from mlcore.linear import LinearRule


@dataclass(frozen=True, eq=False)
class LdaFit(LinearRule):
    """Two normal distributions with one covariance, and the rule they imply.

    means   (2, d) the mean of the class -1, then of +1
    prior   the share of the class +1
    factor  (r, d) with factor.T @ factor = the covariance, r the smaller of n and d
    rank    the number of directions in which the classes vary; below d, the covariance is
            singular and w ignores the other directions
    """

    means: Matrix
    prior: float
    factor: Matrix
    rank: int

    @property
    def covariance(self) -> Matrix:
        """The shared covariance, (d, d): the most likely one, divided by n."""
        return self.factor.T @ self.factor

    def probability(self, X: ArrayLike) -> Vector:
        """The probability of the class +1 for each row of X (n, d), as (n,).

        It is the sigmoid of w @ x + b: the quadratic terms of the two densities cancel.
        """
        return -losses.logistic.slope(-self.decision_function(X))


def lda(X: ArrayLike, y: Labels) -> LdaFit:
    """Find the most likely two normal distributions with one covariance.

    X, y  (n, d) features, in any units; (n,) labels, -1 or +1, both of which occur

    Returns w = S^-1 (m1 - m0) and b, with the means m0, m1, the shared covariance S and the
    prior that make them.  Look at `.rank` first: where no class varies S has no inverse;
    its pseudo-inverse, in units of each feature's own deviation, gives these directions no
    part.
    Raises ValueError for wrong shapes, nan, other labels, one class.
    Source: Fisher (1936); Hastie, Tibshirani and Friedman (2009), equation (4.9).

    >>> fit = lda(np.array([[0.0], [1.0], [4.0], [5.0]]), [-1, -1, 1, 1])
    >>> fit.w.round(6), round(fit.b, 6)
    (array([16.]), -40.0)
    """
    X, y = checks.data(X, y)
    checks.require_two_classes(y)
    prior = float(np.mean(y > 0))
    A, means = np.empty(X.shape), np.empty((2, X.shape[1]))
    for k, own in enumerate([y < 0, y > 0]):
        A[own], means[k] = centered(X[own])
    unit = np.sqrt(np.einsum("ij,ij->j", A, A) / len(A))  # a constant column stays 0
    step = ratio(means[1] - means[0], unit, where=unit > 0)
    v, factor, rank = _solve(ratio(A, unit, where=unit > 0, out=A), step)
    w = ratio(v, unit, where=unit > 0)
    b = float(np.log(prior / (1 - prior)) - (means[0] / 2 + means[1] / 2) @ w)
    return LdaFit(w, b, means, prior, factor * unit, rank)


def _solve(A: Matrix, c: Vector) -> tuple[Vector, Matrix, int]:
    """With G = A.T @ A / n: G^+ c, a factor of G, and the rank of G."""
    n, d = A.shape
    squares, U = np.linalg.eigh((A.T @ A if d <= n else A @ A.T) / n)
    kept = squares > 10 * len(squares) * EPS * squares[-1]
    inverse, rank = ratio(1.0, squares, where=kept), int(kept.sum())
    if d <= n:
        factor = np.sqrt(np.maximum(squares, 0.0))[:, None] * U.T
        return U @ (inverse * (U.T @ c)), factor, rank
    # in the space of the rows: (A' A)^+ = A' (A A')^+ (A A')^+ A
    factor = U.T @ A / np.sqrt(n)
    return (inverse**2 * (factor @ c)) @ factor, factor, rank
