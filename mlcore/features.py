"""Basis functions: a linear rule in phi(x) is a nonlinear rule in x.

Each function maps X (n, d) to phi(X) (n, p), without a constant column.

Chapter: features
"""

from math import comb

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import LARGEST, Matrix, ratio

MAX_COLUMNS = 100_000


def polynomial(X: ArrayLike, *, degree: int) -> Matrix:
    """Compute all monomials of the features with total degree from 1 to `degree`.

    X       (n, d) features, in any units
    degree  largest total degree, at least 1

    Returns (n, p) with p = C(d + degree, degree) - 1.  Columns are sorted by degree, then
    lexicographically: x1, x2, x1 x1, x1 x2, x2 x2, x1 x1 x1, ...
    Raises ValueError for nan, degree < 1, p > 100 000, a monomial above 1e150.
    Source: C(d + k - 1, k) monomials of degree k, see Feller (1968), section II.5.

    >>> polynomial(np.array([[2.0], [3.0]]), degree=3)
    array([[ 2.,  4.,  8.],
           [ 3.,  9., 27.]])
    """
    X = checks.matrix("X", X)
    degree = checks.integer("degree", degree, at_least=1, at_most=MAX_COLUMNS)
    d = X.shape[1]
    p = comb(d + degree, degree) - 1
    checks.integer("the number of columns for degree", p, at_most=MAX_COLUMNS)
    checks.number("max |X|", max(X.max(), -X.min()), at_most=LARGEST ** (1 / degree))
    terms = list(enumerate(X.T))  # monomials of one degree, with their first feature
    phi = [*terms]
    for _ in range(degree - 1):  # j <= first yields each product x_j m once
        terms = [(j, X[:, j] * m) for j in range(d) for first, m in terms if j <= first]
        phi += terms
    return np.column_stack([m for _, m in phi])


def quadratic(X: ArrayLike) -> Matrix:
    """Compute the features of X (n, d) and their products x_i x_j with i <= j.

    Returns (n, d + d (d + 1) / 2), since x_i x_j and x_j x_i are the same feature.
    Raises ValueError for nan, a number above 1e75, more than 100 000 columns.
    Source: the quadratic model of Rousu (2020), with its double sum restricted to i <= j.
    """
    return polynomial(X, degree=2)


def rbf(X: ArrayLike, centers: ArrayLike, *, width: float) -> Matrix:
    """Compute the radial basis function exp(-|x - m|**2 / (2 width**2)) of each center m.

    X, centers  (n, d) features, all in the same unit; (p, d) the centers m
    width       the distance at which the value is exp(-1/2) = 0.61, above 0, in the unit
                of X

    Returns (n, p), each number in [0, 1].
    Raises ValueError for nan, different d, width <= 0.
    Source: Broomhead and Lowe (1988).

    >>> rbf(np.array([[0.0], [1.0]]), np.array([[0.0]]), width=1.0).round(4)
    array([[1.    ],
           [0.6065]])
    """
    from scipy.spatial.distance import cdist

    X = checks.features("X", X)
    centers = checks.features("centers", centers, columns=X.shape[1])
    width = checks.number("width", width, above=0.0)
    with np.errstate(over="ignore"):  # a distant center gives exp(-inf) = 0
        return np.exp(-0.5 * (cdist(X, centers) / width) ** 2)


def rectified(X: ArrayLike, directions: ArrayLike, offsets: ArrayLike) -> Matrix:
    """Compute the rectified linear function max(0, a @ x + c) of each direction a.

    X                    (n, d) features, in any units
    directions, offsets  (p, d) the directions a; (p,) the offsets c

    Returns (n, p): 0 on one side of the hyperplane a @ x + c = 0, linear on the other.
    Raises ValueError for nan, different d or p, a score above 1e150.
    Source: Nair and Hinton (2010).

    >>> rectified(np.array([[-1.0], [2.0]]), np.array([[1.0]]), np.array([0.5]))
    array([[0. ],
           [2.5]])
    """
    X = checks.matrix("X", X)
    directions = checks.matrix("directions", directions, columns=X.shape[1])
    offsets = checks.vector("offsets", offsets, length=len(directions))
    scores = X @ directions.T + offsets
    return np.maximum(0.0, checks.matrix("X @ directions.T + offsets", scores))


def fourier(X: ArrayLike, *, order: int, period: float = 2 * np.pi) -> Matrix:
    """Compute the waves cos(2 pi k x / period), sin(2 pi k x / period) of each feature x.

    X       (n, d) features, all in the same unit
    order   the largest k, at least 1
    period  the period of the slowest wave, above 0, in the unit of X

    Returns (n, 2 d order).  Columns are sorted by feature, then by k; the cosine precedes
    the sine.
    Raises ValueError for nan, order < 1, period <= 0, more than 100 000 columns.
    Source: Fourier (1822).

    >>> fourier(np.array([[0.0], [np.pi / 2]]), order=1).round(6)
    array([[1., 0.],
           [0., 1.]])
    """
    X = checks.matrix("X", X)
    order = checks.integer("order", order, at_least=1, at_most=MAX_COLUMNS)
    columns = 2 * X.shape[1] * order
    checks.integer("the number of columns for order", columns, at_most=MAX_COLUMNS)
    period = checks.number("period", period, above=0.0)
    cycles = np.fmod(X, period) / period  # fmod is exact, even for large X
    angles = 2 * np.pi * cycles[:, :, None] * np.arange(1, order + 1)
    waves = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return waves.reshape(len(X), -1)


def haar(X: ArrayLike, *, levels: int) -> Matrix:
    """Compute the Haar wavelets of each feature x on [0, 1).

    X       (n, d) features, scaled to [0, 1); every wavelet is 0 outside, including at 1
    levels  number of levels, at least 1

    Level l = 0, ..., levels - 1 has 2**l wavelets.  Wavelet k of level l is 2**(l/2) on the
    left half of [k / 2**l, (k + 1) / 2**l), -2**(l/2) on the right half, and 0 elsewhere.
    With the constant 1 the wavelets are orthonormal on [0, 1).
    Returns (n, d (2**levels - 1)).  Columns are sorted by feature, then by l, then by k.
    Raises ValueError for nan, levels < 1, more than 100 000 columns.
    Source: Haar (1910).

    >>> haar(np.array([[0.1], [0.9]]), levels=1)
    array([[ 1.],
           [-1.]])
    """
    X = checks.matrix("X", X)
    levels = checks.integer("levels", levels, at_least=1, at_most=16)
    columns = X.shape[1] * (2**levels - 1)
    checks.integer("the number of columns for levels", columns, at_most=MAX_COLUMNS)
    wavelets = []
    for level in range(levels):
        t = 2**level * X[:, :, None] - np.arange(2**level)  # in [0, 1) on the support
        signs = np.where(t < 0.5, 1.0, -1.0) * ((t >= 0) & (t < 1))
        wavelets.append(2 ** (level / 2) * signs)
    return np.concatenate(wavelets, axis=2).reshape(len(X), -1)


def standardize(X: ArrayLike, *, like: ArrayLike | None = None) -> Matrix:
    """Subtract the mean of each feature and divide by its standard deviation.

    X     (n, d) features, in any units
    like  (m, d) examples that define the means and standard deviations; None: X

    Returns (n, d), without unit.  A feature that is constant in `like` becomes 0.  For new
    data, use the means of the training data: standardize(new, like=train).
    Raises ValueError for nan, different d.

    >>> standardize(np.array([[1.0], [3.0]]))
    array([[-1.],
           [ 1.]])
    """
    if like is None:
        X = like = checks.features("X", X)
    else:
        X = checks.matrix("X", X)
        like = checks.features("like", like, columns=X.shape[1])
    origin = like[0]  # relative to it, a constant feature is exactly 0
    Z = like - origin
    mean = Z.mean(axis=0)
    Z -= mean
    deviation = np.sqrt(np.mean(Z**2, axis=0))
    if like is not X:
        Z = X - origin - mean
    return ratio(Z, deviation, where=deviation > 0)
