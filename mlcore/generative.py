"""Linear discriminant analysis: model how each class comes about, then turn to Bayes.

Chapters: logistic, least_squares
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore import losses
from mlcore.arrays import (
    EPS,
    LARGEST,
    Labels,
    Matrix,
    Signs,
    Vector,
    asked,
    by_block,
    lazy,
    ratio,
)
from mlcore.checks import check_data
from mlcore.linear import LinearRule
from mlcore.solvers.moments import blocks, largest


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
        return -losses.logistic.slope(-self.decision_function(X))


def lda(X: ArrayLike, y: Labels) -> LdaFit:
    """Find the most likely two normal distributions with one covariance.

    X  (n, d) features, one example a row, in any units; an array of Dask is
       read twice, and never as a whole
    y  (n,) labels, -1 or +1, in memory or of Dask; both must occur

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
    X, y = check_data(X, y, lazily=True)
    with np.errstate(all="ignore"):
        if lazy(X):
            prior, means, G, unit = _products(X, y)
            step = ratio(means[1] - means[0], unit, where=unit > 0)
            v, factor, rank = _by_columns(G, step)
        else:
            k = (y == 1).astype(np.intp)
            prior = _share(float(np.mean(k)))
            means, A = _deviations(X, k)
            unit = largest(A)
            A = ratio(A, unit, where=unit > 0, out=A)  # a constant column stays 0
            length = np.sqrt(np.einsum("ij,ij->j", A, A) / len(X))
            A = ratio(A, length, where=length > 0, out=A)
            unit *= length  # each feature is A * unit, and A has deviation 1
            step = ratio(means[1] - means[0], unit, where=unit > 0)
            v, factor, rank = _solve(A, step)
        w, factor = ratio(v, unit, where=unit > 0), factor * unit
        b = float(np.log(prior / (1 - prior)) - (means[0] / 2 + means[1] / 2) @ w)
        most = max(np.abs(w).max(), abs(b))
    if not most <= LARGEST:
        raise ValueError(f"X must have features of like scale; got a weight of {most:g}")
    return LdaFit(w, b, means, prior, factor, rank)


def _share(prior: float) -> float:
    if prior in (0.0, 1.0):
        raise ValueError(f"y must hold both -1 and +1; got only {2 * prior - 1:g}")
    return prior


def _products(X: Matrix, y: Signs) -> tuple[float, Matrix, Matrix, Vector]:
    """The prior, the means, G and unit of a lazy X, where unit * G * unit is S.

    The first pass finds the means but for rounding, the second what was missing.
    """
    labels = y[:, None]
    counts, totals, lows, highs = by_block(_extent, X, labels)
    count, sums, low, high = asked(
        counts.sum(axis=0), totals.sum(axis=0), lows.min(axis=0), highs.max(axis=0)
    )
    prior = _share(float(count[1] / len(X)))
    means = np.clip(sums / count[:, None], low, high)  # of a constant itself
    unit = np.maximum(high - means, means - low).max(axis=0)
    scale = np.where(unit > 0, unit, np.inf)
    parts = by_block(partial(_scatter, means=means, scale=scale), X, labels)
    G, rest = asked(*(part.sum(axis=0) for part in parts))
    G = (G - rest.T @ (rest / count[:, None])) / len(X)
    length = np.sqrt(np.maximum(np.diagonal(G), 0.0))
    G /= np.outer(*2 * [np.where(length > 0, length, np.inf)])
    return prior, means + rest / count[:, None] * unit, G, unit * length


def _extent(X: Matrix, labels: Matrix) -> list:
    """Of each class the rows, their sum, and the smallest and largest values."""
    one = _members(labels)
    low = [np.where(own[:, None] > 0, X, np.inf).min(axis=0) for own in one.T]
    high = [np.where(own[:, None] > 0, X, -np.inf).max(axis=0) for own in one.T]
    return [one.sum(axis=0), one.T @ X, np.stack(low), np.stack(high)]


def _scatter(X: Matrix, labels: Matrix, means: Matrix, scale: Vector) -> list:
    """The products of what the rows are off their means, and its sum in each class."""
    A = (X - np.where(labels == 1, means[1], means[0])) / scale
    return [A.T @ A, _members(labels).T @ A]


def _members(labels: Matrix) -> Matrix:
    """A column of 1 for each row of the class -1 and 0 for others, then one of +1."""
    return np.where(np.hstack([labels == -1, labels == 1]), 1.0, 0.0)


def _deviations(X: Matrix, k: NDArray[np.intp]) -> tuple[Matrix, Matrix]:
    """The mean of each class k, 0 or 1, and of each example what it is off that mean."""
    first = X[[k.argmin(), k.argmax()]]  # measured from here, a constant is exactly 0
    A, parts = np.empty(X.shape), blocks(*X.shape)
    for rows in parts:
        np.subtract(X[rows], first[k[rows]], out=A[rows])
    shift = np.stack([1.0 - k, k]) @ A / np.bincount(k)[:, None]
    for rows in parts:
        A[rows] -= shift[k[rows]]
    return first + shift, A


def _solve(A: Matrix, c: Vector) -> tuple[Vector, Matrix, int]:
    """With G = A.T @ A / n: G^+ c, a factor of G, and the rank of G."""
    n, d = A.shape
    if d <= n:
        return _by_columns(A.T @ A / n, c)
    # in the space of the rows: (A' A)^+ = A' (A A')^+ (A A')^+ A
    inverse, _, U = _inverse(A @ A.T / n)
    factor = U.T @ A / np.sqrt(n)
    return (inverse**2 * (factor @ c)) @ factor, factor, int(np.count_nonzero(inverse))


def _by_columns(G: Matrix, c: Vector) -> tuple[Vector, Matrix, int]:
    """The same of G."""
    inverse, squares, U = _inverse(G)
    factor = np.sqrt(np.maximum(squares, 0.0))[:, None] * U.T
    return U @ (inverse * (U.T @ c)), factor, int(np.count_nonzero(inverse))


def _inverse(G: Matrix) -> tuple[Vector, Vector, Matrix]:
    """The eigenvalues of G^+, those of G, and the eigenvectors."""
    squares, U = np.linalg.eigh(G)
    kept = squares > 10 * len(squares) * EPS * squares[-1]
    return np.where(kept, 1 / squares, 0.0), squares, U
