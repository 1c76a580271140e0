"""Linear discriminant analysis: model how each class comes about, then turn to Bayes.

Chapters: logistic, least_squares
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore.arrays import LARGEST, Labels, Matrix, Vector
from mlcore.checks import check_data
from mlcore.linear import LinearRule


@dataclass(frozen=True, eq=False)
class LdaFit(LinearRule):
    """Two normal distributions with one covariance, and the rule they imply.

    means   (2, d) the mean of the class -1, then of +1
    prior   the share of the class +1
    factor  (r, d) whose factor.T @ factor is the covariance, r the smaller of n and d:
            it stands for the examples, none of which is kept
    rank    the number of directions in which the classes vary; below d, the
            covariance is singular and w ignores the other directions
    """

    means: Matrix
    prior: float
    factor: Matrix
    rank: int

    @property
    def covariance(self) -> Matrix:
        """The shared covariance, (d, d): the maximum likelihood, divided by n."""
        return self.factor.T @ self.factor

    def probability(self, X: ArrayLike) -> Vector:
        """The probability of the class +1 for each row of X (n, d), as (n,).

        It is the sigmoid of the score w @ x + b: the quadratic terms of the two
        normal densities are equal and cancel.
        """
        g = self.decision_function(X)
        tail = np.exp(-np.abs(g))
        return np.where(g >= 0, 1.0, tail) / (1.0 + tail)


def lda(X: ArrayLike, y: Labels) -> LdaFit:
    """Find the most likely two normal distributions with one covariance.

    X  (n, d) features, one example a row, in any units
    y  (n,) labels, -1 or +1; both must occur

    Returns w = S^-1 (m1 - m0) and b, with the means m0, m1, the shared
    covariance S and the prior that make them.  Look at `.rank` first: where
    no class varies S has no inverse; there the pseudo-inverse of S, in units
    of each feature's own deviation, gives w no part.
    Raises ValueError for wrong shapes, nan, other labels, one class, or
    weights above 1e150.
    Source: Fisher (1936); Hastie, Tibshirani and Friedman (2009), section
    4.3, equation (4.9).

    >>> fit = lda(np.array([[0.0], [1.0], [4.0], [5.0]]), [-1, -1, 1, 1])
    >>> fit.w.round(6), round(fit.b, 6)
    (array([16.]), -40.0)
    """
    X, y = check_data(X, y)
    if abs(y.sum()) == len(y):
        raise ValueError(f"y must hold both -1 and +1; got only {y[0]:g}")
    prior = float(np.mean(y > 0))
    means, deviations = np.empty((2, X.shape[1])), np.empty(X.shape)
    for k, label in enumerate((-1, 1)):
        own = X[y == label]
        rest = own - own[0]  # measured from here, a constant is exactly 0
        shift = rest.mean(axis=0)
        means[k], deviations[y == label] = own[0] + shift, rest - shift
    unit = np.abs(deviations).max(axis=0)
    deviations /= np.where(unit > 0, unit, 1.0)
    with np.errstate(all="ignore"):
        w, rank = _solve(deviations, unit, means[1] - means[0])
        b = float(np.log(prior / (1 - prior)) - (means[0] / 2 + means[1] / 2) @ w)
        largest = max(np.abs(w).max(), abs(b))
    if not largest <= LARGEST:
        raise ValueError(f"X must have features of like scale; got a weight of {largest:g}")
    factor = np.linalg.qr(deviations, mode="r") / np.sqrt(len(X)) * unit
    return LdaFit(w, b, means, prior, factor, rank)


def _solve(A: Matrix, unit: Vector, c: Vector) -> tuple[Vector, int]:
    """The pseudo-inverse of S.T @ S / n times c, and the rank of S = A * unit (n, d)."""
    n, d = A.shape
    varies = unit > 0
    A, unit = A[:, varies], unit[varies]
    length = np.sqrt(np.mean(A * A, axis=0))
    A, unit = A / length, unit * length  # every feature has deviation 1
    w, c = np.zeros(d), c[varies] / unit
    if d <= n:
        inverse, rank = _pseudo_inverse(A.T @ A / n)
        w[varies] = inverse @ c / unit
    else:  # in the space of the rows: (A' A)^+ = A' (A A')^+ (A A')^+ A
        inverse, rank = _pseudo_inverse(A @ A.T / n)
        w[varies] = A.T @ (inverse @ (inverse @ (A @ c))) / n / unit
    return w, rank


def _pseudo_inverse(S: Matrix) -> tuple[Matrix, int]:
    """Of a symmetric matrix without negative eigenvalue, and its rank."""
    if not len(S):
        return S, 0
    eigenvalues, U = np.linalg.eigh(S)
    keep = eigenvalues > 10 * len(S) * np.finfo(float).eps * eigenvalues[-1]
    return U[:, keep] / eigenvalues[keep] @ U[:, keep].T, int(keep.sum())
