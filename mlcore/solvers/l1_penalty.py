"""The penalty lambda |w|_1: its proximal operator, and duality gaps of the lasso.

Lasso: minimize P(w) = |y - Z w|**2 + lambda |w|_1 for centered Z, y.
Dual:  maximize D(u) = |y|**2 - |y - u|**2 over u with |2 Z.T @ u| <= lambda.
"""

import numpy as np

from mlcore.arrays import Matrix, Vector

ROUNDING = 1e-12  # of the product of two vectors of length 1


def soft_threshold(v: Vector, threshold: float | Vector) -> Vector:
    """Move each number toward 0 by the threshold; smaller numbers become 0."""
    return np.sign(v) * np.maximum(np.abs(v) - threshold, 0.0)


def duality_gap(y: Vector, r: Vector, g: Vector, *, lambda_: float, norm: float) -> float:
    """Compute P(w) - D(u) for u = r, scaled down until it is feasible.

    r, g  the residual y - Z @ w, and Z.T @ r
    norm  |w|_1
    """
    steepest = 2 * np.abs(g).max()
    u = r if steepest <= lambda_ else r * (lambda_ / steepest)
    # P(w) - D(u) = |r - u|**2 + lambda |w|_1 - 2 u @ (y - r)
    return max(float((r - u) @ (r - u) + lambda_ * norm - 2 * u @ (y - r)), 0.0)


def projected_gap(Z: Matrix, y: Vector, r: Vector, w: Vector, lambda_: float) -> float:
    """Compute P(w) - D(u) for the projection u of r onto the active constraints.

    For small lambda, rounding alone makes 2 |g| larger than lambda, and `duality_gap` is
    too large.  Here 2 Z_j @ u = lambda sign(w_j) for all features in use, as at the
    minimum.  Returns inf if u is not feasible.
    """
    S, signs = Z[:, w != 0], np.sign(w[w != 0])
    e = np.linalg.lstsq(S.T, S.T @ r - lambda_ / 2 * signs)[0]  # r - u
    rounding = ROUNDING * np.sqrt(np.einsum("ij,ij->j", Z, Z) * (y @ y))
    if (np.abs(Z.T @ (r - e)) > lambda_ / 2 + rounding).any():
        return np.inf
    slackness = lambda_ * np.abs(w).sum() - 2 * (r - e) @ (y - r)
    return float(e @ e + abs(slackness))
