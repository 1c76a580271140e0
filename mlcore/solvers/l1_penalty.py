"""The penalty |w|_1: its step towards 0, and a proof that a minimum is near."""

import numpy as np

from mlcore.arrays import Matrix, Vector

ROUNDING = 1e-12  # of the product of two vectors of length 1


def soft_threshold(v: Vector, cut: float | Vector) -> Vector:
    """Each number moved towards 0 by cut, at least 0; those within cut to 0 itself."""
    return np.sign(v) * np.maximum(np.abs(v) - cut, 0.0)


def duality_gap(y: Vector, r: Vector, g: Vector, penalty) -> float:
    """How far the lasso at w is above its minimum at most, over its value at 0.

    r = y - Z @ w, g = Z.T @ r, and penalty is (lambda, |w|_1).  Made smaller until
    2 |g| <= lambda, the residual is feasible in the dual: a lower bound.
    """
    lambda_, norm = penalty
    steepest = 2 * np.abs(g).max()
    theta = r if steepest <= lambda_ else r * (lambda_ / steepest)
    above = (r - theta) @ (r - theta) + lambda_ * norm - 2 * theta @ (y - r)
    return float(max(above, 0.0) / max(y @ y, np.finfo(float).tiny))


def projected_gap(Z: Matrix, y: Vector, r: Vector, w: Vector, lambda_: float) -> float:
    """The gap for lambda small against Z.T @ y, or inf, from a dual point near r.

    There rounding alone makes 2 |g| larger than lambda.  Take the point nearest to r whose
    products with the features in use are lambda / 2 with their signs, as at the minimum.
    """
    S, signs = Z[:, w != 0], np.sign(w[w != 0])
    e = np.linalg.lstsq(S.T, S.T @ r - lambda_ / 2 * signs)[0]
    rounding = ROUNDING * np.sqrt(np.einsum("ij,ij->j", Z, Z) * (y @ y))
    if (np.abs(Z.T @ (r - e)) > lambda_ / 2 + rounding).any():
        return np.inf
    left = lambda_ * np.abs(w).sum() - 2 * (r - e) @ (y - r)
    return float((e @ e + abs(left)) / (y @ y))
