"""Basis functions: linear in the new features is curved in the old ones.

Each function maps X (n, d) to phi(X) (n, p), without a constant column: the bias of
the linear rule takes its place.

Chapter: features
"""

from math import comb

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import LARGEST, Matrix, ratio

MOST = 100_000  # columns


def polynomial(X: ArrayLike, *, degree: int) -> Matrix:
    """All monomials of the features of total degree 1 to `degree`, each one once.

    X       (n, d) features, in any units
    degree  the largest sum of exponents, at least 1

    Returns (n, p) with p = C(d + degree, degree) - 1.  Columns are ordered by degree, then
    as words of the feature numbers: x1, x2, x1 x1, x1 x2, x2 x2, x1 x1 x1, ...
    Raises ValueError for nan, degree < 1, p > 100 000, or a monomial above 1e150.
    Source: C(d + k - 1, k) monomials of degree k, see Feller (1968), section II.5.

    >>> polynomial(np.array([[2.0], [3.0]]), degree=3)
    array([[ 2.,  4.,  8.],
           [ 3.,  9., 27.]])
    """
    X = checks.matrix("X", X)
    degree = checks.integer("degree", degree, at_least=1, at_most=MOST)
    d = X.shape[1]
    p = comb(d + degree, degree) - 1
    checks.integer("the columns that degree gives", p, at_most=MOST)
    checks.number("max |X|", max(X.max(), -X.min()), at_most=LARGEST ** (1 / degree))
    level = list(enumerate(X.T))  # monomials of a degree, each with its first feature
    phi = [*level]
    for _ in range(degree - 1):  # x_j times what holds no earlier feature: none comes twice
        level = [(j, X[:, j] * m) for j in range(d) for first, m in level if j <= first]
        phi += level
    return np.column_stack([m for _, m in phi])


def quadratic(X: ArrayLike) -> Matrix:
    """The features of X (n, d), then their products x_i x_j with i <= j, each one once.

    Returns (n, d + d (d + 1) / 2): x_i x_j and x_j x_i are the same feature.
    Raises ValueError for nan, a number above 1e75, more than 100 000 columns.
    Source: the quadratic model of Rousu (2020), with its double sum over i <= j.
    """
    return polynomial(X, degree=2)


def rbf(X: ArrayLike, centers: ArrayLike, *, width: float) -> Matrix:
    """Radial basis functions exp(-|x - m|**2 / (2 width**2)), one for each center m.

    X, centers  (n, d) features, all in the same unit; (p, d) the points m
    width       the distance at which exp(-1/2) = 0.61 is left, above 0, in the unit of X

    Returns (n, p), each number in [0, 1].
    Raises ValueError for nan, different d, width <= 0.
    Source: Broomhead and Lowe (1988).

    >>> rbf(np.array([[0.0], [1.0]]), np.array([[0.0]]), width=1.0).round(4)
    array([[1.    ],
           [0.6065]])
    """
    from scipy.spatial.distance import cdist

    X = checks.matrix("X", X)
    centers = checks.matrix("centers", centers, columns=X.shape[1])
    width = checks.number("width", width, above=0.0)
    with np.errstate(over="ignore"):  # exp(-inf) = 0 is right for a distant center
        return np.exp(-0.5 * (cdist(X, centers) / width) ** 2)


def rectified(X: ArrayLike, directions: ArrayLike, offsets: ArrayLike) -> Matrix:
    """Rectified linear functions max(0, a @ x + c), one for each direction a.

    X                    (n, d) features, in any units
    directions, offsets  (p, d) the vectors a; (p,) the numbers c

    Returns (n, p): 0 on one side of each hyperplane a @ x + c = 0, linear on the other.
    Raises ValueError for nan, different d or p, or a score above 1e150.
    Source: Nair and Hinton (2010), for the name.

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
    """The waves cos(2 pi k x / period), sin(2 pi k x / period) of each feature x.

    X       (n, d) features, all in the same unit
    order   the largest k, at least 1: how often the fastest wave turns in a period
    period  the length after which the slowest wave repeats, above 0, in the unit of X

    Returns (n, 2 d order): of the first feature, then of the next; of each the cosine and
    the sine for k = 1, 2, ..., order.
    Raises ValueError for nan, order < 1, period <= 0, more than 100 000 columns.
    Source: Fourier (1822).

    >>> fourier(np.array([[0.0], [np.pi / 2]]), order=1).round(6)
    array([[1., 0.],
           [0., 1.]])
    """
    X = checks.matrix("X", X)
    order = checks.integer("order", order, at_least=1, at_most=MOST)
    checks.integer("the columns that order gives", 2 * X.shape[1] * order, at_most=MOST)
    period = checks.number("period", period, above=0.0)
    turns = np.fmod(X, period) / period  # fmod is exact, so large X lose no digit
    angles = 2 * np.pi * turns[:, :, None] * np.arange(1, order + 1)
    waves = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return waves.reshape(len(X), -1)


def haar(X: ArrayLike, *, levels: int) -> Matrix:
    """The Haar wavelets of each feature x: steps on ever shorter parts of [0, 1).

    X       (n, d) features, scaled to [0, 1); elsewhere, also at 1, every wavelet is 0
    levels  how often [0, 1) is halved, at least 1

    Level l = 0, ..., levels - 1 has 2**l wavelets: on the k-th of the 2**l equal parts of
    [0, 1) one is 2**(l/2) left of the middle, -2**(l/2) right of it, else it is 0.  With
    the constant 1 they are orthonormal on [0, 1).
    Returns (n, d (2**levels - 1)): of the first feature, then of the next; of each the
    coarse levels first, from left to right.
    Raises ValueError for nan, levels < 1, more than 100 000 columns.
    Source: Haar (1910).

    >>> haar(np.array([[0.1], [0.9]]), levels=1)
    array([[ 1.],
           [-1.]])
    """
    X = checks.matrix("X", X)
    levels = checks.integer("levels", levels, at_least=1, at_most=16)
    columns = X.shape[1] * (2**levels - 1)
    checks.integer("the columns that levels gives", columns, at_most=MOST)
    parts = []
    for level in range(levels):
        t = 2**level * X[:, :, None] - np.arange(2**level)  # place in each part
        signs = np.where(t < 0.5, 1.0, -1.0) * ((t >= 0) & (t < 1))
        parts.append(2 ** (level / 2) * signs)
    return np.concatenate(parts, axis=2).reshape(len(X), -1)


def standardize(X: ArrayLike, *, like: ArrayLike | None = None) -> Matrix:
    """Each feature minus its mean, divided by its standard deviation.

    X     (n, d) features, in any units
    like  (m, d) the examples whose means and deviations are used; None: X itself

    Returns (n, d), without unit.  A feature that is constant in `like` becomes 0.  New data
    are treated as the training data were: standardize(new, like=train).
    Raises ValueError for nan, different d.

    >>> standardize(np.array([[1.0], [3.0]]))
    array([[-1.],
           [ 1.]])
    """
    X = checks.matrix("X", X)
    like = X if like is None else checks.matrix("like", like, columns=X.shape[1])
    origin = like[0]  # measured from here, a constant column is exactly 0
    old = like - origin
    mean, spread = old.mean(axis=0), old.std(axis=0)
    return ratio(X - origin - mean, spread, where=spread > 0)
