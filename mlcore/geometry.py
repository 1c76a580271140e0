"""Distances, projections and margins for a hyperplane {x : w @ x + b = 0}.

Chapter: geometry
"""

from math import hypot

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import Labels, Matrix, Vector


def signed_distance(X: ArrayLike, w: ArrayLike, b: float) -> Vector:
    """Compute the signed distance (w @ x + b) / |w| of each point from the hyperplane.

    X     (n, d) points, in any unit
    w, b  (d,) normal vector, not zero; bias

    Returns (n,), in the unit of X, positive on the side that w points to.
    Raises ValueError for wrong shapes, nan, w = 0.

    >>> signed_distance(np.array([[3.0, 4.0], [0.0, 0.0]]), np.array([3.0, 4.0]), -5.0)
    array([ 4., -1.])
    """
    X, normal, offset = _check_points(X, w, b)
    return X @ normal + offset


def project(X: ArrayLike, w: ArrayLike, b: float) -> Matrix:
    """Project each point of X (n, d) onto the hyperplane, as (n, d).

    Arguments, unit and errors are the same as for `signed_distance`.
    """
    X, normal, offset = _check_points(X, w, b)
    return X - np.outer(X @ normal + offset, normal)


def closest_point_to_origin(w: ArrayLike, b: float) -> Vector:
    """Find the point of the hyperplane closest to the origin: -b w / |w|**2, (d,).

    It is a positive multiple of w if and only if b < 0.
    Raises ValueError for nan or w = 0.

    >>> closest_point_to_origin(np.array([0.0, 2.0]), -4.0)
    array([0., 2.])
    """
    normal, offset = _normal_form(checks.normal_vector("w", w), b)
    return -offset * normal


def augment(X: ArrayLike, *, constant: float = 1.0) -> Matrix:
    """Append a constant feature, so that the bias becomes the last weight.

    X         (n, d) points
    constant  above 0; the last weight is b / constant

    Returns (n, d + 1).
    Raises ValueError for wrong shapes, nan, constant <= 0.

    >>> augment(np.array([[5.0, 7.0]]))
    array([[5., 7., 1.]])
    """
    X = checks.matrix("X", X)
    constant = checks.number("constant", constant, above=0.0)
    return np.column_stack([X, np.full(len(X), constant)])


def functional_margin(X: ArrayLike, y: Labels, w: ArrayLike, b: float) -> Vector:
    """Compute z = y (w @ x + b) for each example, positive if it is classified correctly.

    The arguments are the same as for `geometric_margin`, but w may be 0.
    Returns (n,), in the unit of the score.
    Raises ValueError for wrong shapes, nan or labels other than -1 and +1.

    >>> functional_margin(np.array([[1.0], [2.0]]), [-1, 1], np.array([2.0]), -3.0)
    array([1., 1.])
    """
    X, y = checks.data(X, y)
    w = checks.vector("w", w, length=X.shape[1])
    return y * (X @ w + checks.number("b", b))


def geometric_margin(X: ArrayLike, y: Labels, w: ArrayLike, b: float) -> Vector:
    """Compute the distance y (w @ x + b) / |w|, negative for misclassified examples.

    X, y  (n, d) examples, in any unit; (n,) labels, -1 or +1
    w, b  (d,) normal vector, not zero; bias

    Returns (n,), in the unit of X.
    Raises ValueError for wrong shapes, nan, other labels, w = 0.
    """
    X, y = checks.data(X, y)
    return y * signed_distance(X, w, b)


def _check_points(X, w, b):
    """Check X, w and b; return X and the normal form of the hyperplane."""
    X = checks.matrix("X", X)
    return X, *_normal_form(checks.normal_vector("w", w, length=X.shape[1]), b)


def _normal_form(w: Vector, b: float) -> tuple[Vector, float]:
    """Return w / |w| and b / |w|."""
    length = hypot(*w)
    return w / length, checks.number("b / |w|", checks.number("b", b) / length)
