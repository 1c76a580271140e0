"""The penalty |w|_1: its step towards 0, and a proof that a minimum is near."""

import numpy as np

from mlcore.arrays import Matrix, Vector


def soft_threshold(v: Vector, cut: float | Vector) -> Vector:
    """Each number moved towards 0 by cut, those within cut to 0 itself.

    v    numbers in an array
    cut  at least 0, in the unit of v
    """
    return np.sign(v) * np.maximum(np.abs(v) - cut, 0.0)


def duality_gap(Z: Matrix, y: Vector, r: Vector, g: Vector, penalty) -> float:
    """How far the lasso at w is above its minimum at most, over its value at 0.

    r = y - Z @ w, g = Z.T @ r, and penalty is (lambda, |w|_1).  Made smaller until
    2 |g| <= lambda, the residual is feasible in the dual: a lower bound.
    """
    lambda_, norm = penalty
    steepest = 2 * np.abs(g).max()
    theta = r if steepest <= lambda_ else r * (lambda_ / steepest)
    above = (r - theta) @ (r - theta) + lambda_ * norm - 2 * theta @ (y - r)
    return float(max(above, 0.0) / max(y @ y, np.finfo(float).tiny))
