"""What a hyperplane {x : w @ x + b = 0} knows about a point, and about a data set.

Chapter: geometry
"""

from math import hypot

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import Labels, Matrix, Vector


def signed_distance(X: ArrayLike, w: ArrayLike, b: float) -> Vector:
    """Find how far each point is from the hyperplane, and on which side.

    X     (n, d) points, in any unit
    w, b  (d,) normal vector, not zero; bias

    Returns (n,), in the unit of X: positive on the side that w points to.
    Raises ValueError for wrong shapes, nan, or w = 0.

    >>> signed_distance(np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([3.0, 4.0]), -5.0)
    array([ 4., -1.])
    """
    X, unit, offset = _points_and_plane(X, w, b)
    return X @ unit + offset


def project(X: ArrayLike, w: ArrayLike, b: float) -> Matrix:
    """Find the point of the hyperplane nearest to each point of X (n, d), as (n, d).

    Arguments, unit and errors are those of `signed_distance`.
    """
    X, unit, offset = _points_and_plane(X, w, b)
    return X - np.outer(X @ unit + offset, unit)


def foot_of_origin(w: ArrayLike, b: float) -> Vector:
    """Find the point of the hyperplane nearest to the origin: -b w / |w|**2, (d,).

    It lies in the direction of w exactly if b < 0.
    Raises ValueError for nan or w = 0.

    >>> foot_of_origin(np.array([0.0, 2.0]), -4.0)
    array([0., 2.])
    """
    unit, offset = _normal_form(checks.weights("w", w), b)
    return -offset * unit


def augment(X: ArrayLike, *, constant: float = 1.0) -> Matrix:
    """Append a constant feature, the last one, so that a bias becomes a weight.

    X         (n, d) points
    constant  above 0; with 1 the weight is b itself, else b / constant

    Returns (n, d + 1).
    Raises ValueError for wrong shapes, nan, constant <= 0.

    >>> augment(np.array([[5.0, 7.0]]))
    array([[5., 7., 1.]])
    """
    X = checks.matrix("X", X)
    constant = checks.number("constant", constant, above=0.0)
    return np.column_stack([X, np.full(len(X), constant)])


def functional_margin(X: ArrayLike, y: Labels, w: ArrayLike, b: float) -> Vector:
    """Find z = y (w @ x + b) for each example: positive if it is on its own side.

    The arguments are those of `geometric_margin`; w may be 0.
    Returns (n,), in the unit of the score.
    Raises ValueError for wrong shapes, nan or other labels.

    >>> functional_margin(np.array([[1.0], [2.0]]), [-1, 1], np.array([2.0]), -3.0)
    array([1., 1.])
    """
    X, y = checks.data(X, y)
    w = checks.vector("w", w, length=X.shape[1])
    return y * (X @ w + checks.number("b", b))


def geometric_margin(X: ArrayLike, y: Labels, w: ArrayLike, b: float) -> Vector:
    """Find the distance to the hyperplane for each example, below 0 on the wrong side.

    X, y  (n, d) examples, in any unit; (n,) labels, -1 or +1
    w, b  (d,) normal vector, not zero; bias

    Returns (n,), in the unit of X: the functional margin over |w|.
    Raises ValueError for wrong shapes, nan, other labels, or w = 0.
    """
    X, y = checks.data(X, y)
    return y * signed_distance(X, w, b)


def _points_and_plane(X, w, b):
    X = checks.matrix("X", X)
    return X, *_normal_form(checks.weights("w", w, length=X.shape[1]), b)


def _normal_form(w: Vector, b: float) -> tuple[Vector, float]:
    """The hyperplane (w, b) with a normal vector of length 1."""
    length = hypot(*w)
    return w / length, checks.number("b / |w|", checks.number("b", b) / length)
