"""Least squares, with and without a ridge penalty.

Chapter: least_squares
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import EPS, Matrix
from mlcore.linear import LinearRule, LinearScores
from mlcore.solvers.normal_equations import Weights, min_norm_least_squares


@dataclass(frozen=True, eq=False)
class LeastSquaresFit(LinearRule):
    """The least squares fit; its scores are the fitted values.

    rank  number of linearly independent features (centered if bias is True); if below d,
          w is the solution of minimum norm
    """

    rank: int


def least_squares(
    X: ArrayLike, y: ArrayLike, *, bias: bool = True, sample_weight: ArrayLike | None = None
) -> LeastSquaresFit:
    """Minimize sum_i (y_i - w @ x_i - b)**2.

    X              (n, d) features, in any units
    y              (n,) numbers to fit: measurements in any unit, labels -1 and +1
    bias           if False, b is 0
    sample_weight  (n,) weight of each square, at least 0, not all 0; None: 1

    Returns w (d,), b and the rank.  Check `.rank` first: below d the solution is not
    unique, and w has minimum norm (approximately if units differ by 1e6 or more).  Rank and
    residuals do not depend on units.  For centered columns of X of the same norm, about
    9 digits of the largest w_j are right, or 15 - log10(k) for a condition number k > 1e6.
    Raises ValueError for wrong shapes, nan.
    Source: Hastie, Tibshirani and Friedman (2009), equation (3.6), the normal equations;
    Penrose (1956), the smallest norm.

    >>> fit = least_squares(np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 3.0, 5.0]))
    >>> fit.w.round(6), round(fit.b, 6)
    (array([2.]), 1.0)
    """
    found = _fit(X, y, 0.0, bias, sample_weight)
    return LeastSquaresFit(w=found.W[:, 0], b=float(found.b[0]), rank=found.rank)


def ridge(
    X: ArrayLike,
    y: ArrayLike,
    *,
    lambda_: float = 1.0,
    bias: bool = True,
    sample_weight: ArrayLike | None = None,
) -> LinearRule:
    """Minimize sum_i (y_i - w @ x_i - b)**2 + lambda |w|**2.

    lambda_  penalty parameter, at least 0, in the unit of X squared; the loss is a sum, so
             twice the data need twice the lambda

    The other arguments are those of `least_squares`, but the units of X matter.
    Returns w (d,) and b; for lambda = 0 those of `least_squares`.
    Raises ValueError as `least_squares` does, and for lambda < 0.
    Source: Hoerl and Kennard (1970), equation (2.1).

    >>> X, y = np.array([[-1.0], [0.0], [1.0]]), np.array([-2.0, 0.0, 2.0])
    >>> ridge(X, y, lambda_=2.0).w.round(6)
    array([1.])
    """
    lambda_ = checks.number("lambda_", lambda_, at_least=0.0)
    found = _fit(X, y, lambda_, bias, sample_weight)
    return LinearRule(w=found.W[:, 0], b=float(found.b[0]))


def pseudo_inverse(A: ArrayLike) -> Matrix:
    """Compute the pseudo-inverse of A (n, d): A+ y is the shortest minimizer of |A w - y|.

    Returns (d, n).  Singular values up to 2.2e-16 max(n, d) times the largest one count as
    0: inverting a rounding error would spoil the result.
    Raises ValueError for nan.
    Source: Penrose (1955); Golub and Van Loan (2013), section 5.5.

    >>> pseudo_inverse(np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    A = checks.features("A", A)
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    keep = s > EPS * max(A.shape) * s[0]
    return (Vt[keep].T / s[keep]) @ U[:, keep].T


def indicator_regression(X: ArrayLike, labels: ArrayLike) -> LinearScores:
    """Fit the indicator of each class by least squares: 1 in the class, 0 elsewhere.

    X, labels  (n, d) features, in any units; (n,) labels of any kind, of K <= 1000 classes

    Returns W (K, d) and b (K,), of minimum norm if not unique.  The scores sum to 1, but
    may leave [0, 1]; a class between two other classes may never have the largest score.
    Raises ValueError for wrong shapes, nan, more than 1000 classes.
    Source: Hastie, Tibshirani and Friedman (2009), section 4.2.

    >>> X = np.array([[0.0], [1.0], [5.0], [6.0]])
    >>> indicator_regression(X, ["a", "a", "b", "b"]).predict(np.array([[2.0], [4.0]]))
    array(['a', 'b'], dtype='<U1')
    """
    X, classes, index = checks.classes(X, labels)
    checks.integer("the number of classes in labels", len(classes), at_most=1000)
    Y = np.where(index[:, None] == np.arange(len(classes)), 1.0, 0.0)
    found = min_norm_least_squares(X, Y, np.ones(len(X)), lambda_=0.0, bias=True)
    return LinearScores(classes=classes, W=found.W.T, b=found.b)


def _fit(X, y, lambda_: float, bias, sample_weight) -> Weights:
    """Fit W (d, 1) and b (1,), with the ridge penalty."""
    X, y = checks.regression_data(X, y)
    bias = checks.flag("bias", bias)
    s, factor, kept = checks.sample_weight("sample_weight", sample_weight, length=len(y))
    X, Y = X[kept], y[kept, None]
    # the objective, sum of factor s_i r_i**2 + lambda |w|**2, divided by factor
    return min_norm_least_squares(X, Y, s, lambda_=lambda_ / factor, bias=bias)
