"""Linear discriminant analysis: Gaussian class densities, and Bayes' rule.

Chapters: logistic, least_squares
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks, losses
from mlcore.arrays import EPS, Labels, Matrix, Vector, centered, ratio, typical_row
from mlcore.linear import LinearRule


@dataclass(frozen=True, eq=False)
class LdaFit(LinearRule):
    """Two normal distributions with a common covariance, and their linear rule.

    means   (2, d) the mean of the class -1, then of the class +1
    prior   the fraction of examples in the class +1
    factor  (r, d) with factor.T @ factor equal to the covariance, r = min(n, d)
    rank    the rank of the covariance; if it is below d, w ignores the directions without
            variance
    """

    means: Matrix
    prior: float
    factor: Matrix
    rank: int

    @property
    def covariance(self) -> Matrix:
        """The maximum likelihood estimate of the common covariance, (d, d)."""
        return self.factor.T @ self.factor

    def probability(self, X: ArrayLike) -> Vector:
        """Return the probability of the class +1 for each row of X (n, d), as (n,).

        It is the sigmoid of w @ x + b, since the quadratic terms of the densities cancel.
        """
        return -losses.logistic.slope(-self.decision_function(X))


def lda(X: ArrayLike, y: Labels) -> LdaFit:
    """Fit two normal distributions with a common covariance by maximum likelihood.

    X, y  (n, d) features, in any units; (n,) labels, both -1 and +1

    Returns w = S^-1 (m1 - m0) and b, with the means m0 and m1, the common covariance S and
    the prior.  Check `.rank` first: if it is below d, S is singular, and w uses the
    pseudo-inverse of S after dividing each feature by its standard deviation.  About
    15 - log10(k) digits of w are correct, where k**2 is the condition number of this S.
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
    center = typical_row(X)  # far from the origin the means would lose digits
    for k, members in enumerate([y < 0, y > 0]):
        A[members], means[k] = centered(X[members] - center)
    scale = np.sqrt(np.einsum("ij,ij->j", A, A) / len(A))  # a constant feature stays 0
    difference = ratio(means[1] - means[0], scale, where=scale > 0)
    A = ratio(A, scale, where=scale > 0, out=A)
    # A.T @ A = R.T @ R would square the condition number of A and R
    R = np.linalg.qr(A, mode="r") / np.sqrt(len(A))
    sigma, Vt = np.linalg.svd(R, full_matrices=False)[1:]
    kept = sigma > 10 * EPS * max(A.shape) * sigma[0]
    v = (Vt[kept] @ difference / sigma[kept] ** 2) @ Vt[kept]
    w = ratio(v, scale, where=scale > 0)
    b = float(np.log(prior / (1 - prior)) - (means[0] / 2 + means[1] / 2 + center) @ w)
    factor = sigma[:, None] * Vt * scale
    return LdaFit(w, b, means + center, prior, factor, int(kept.sum()))
