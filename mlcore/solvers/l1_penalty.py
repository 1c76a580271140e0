"""The penalty lambda |w|_1: steps to a minimizer, and duality gaps of the lasso.

Lasso: minimize P(w) = |y - Z w|**2 + lambda |w|_1 for centered Z, y.
Dual:  maximize D(u) = |y|**2 - |y - u|**2 over u with |2 Z.T @ u| <= lambda.
"""

import numpy as np

from mlcore.arrays import Matrix, Vector

ROUNDING = 1e-12  # rounding error of the product of two vectors of length 1
JITTER = 1e-10  # relative ridge, which makes systems with equal columns nonsingular
MAX_PROXIMAL_STEPS = 100
STABLE_STEPS = 4  # proximal steps with the same signs after which Newton steps start
MAX_NEWTON_STEPS = 6


def soft_threshold(v: Vector, threshold: float | Vector) -> Vector:
    """Move each number toward 0 by the threshold; smaller numbers become 0."""
    return np.sign(v) * np.maximum(np.abs(v) - threshold, 0.0)


def semismooth_newton(X: Matrix, y: Vector, t: float) -> Vector | None:
    """Minimize |y - X w|**2 / 2 + t |w|_1 for n >= d; returns w (d,), or None if it fails.

    Accelerated proximal gradient steps, for features divided by their lengths, find most
    signs of w.  Then each Newton step solves the equations of the features whose proximal
    step is not 0 (a semismooth Newton method); w is the minimizer if no sign changes.
    Source: Beck and Teboulle (2009), section 4, the proximal steps,
    with the momentum i / (i + 3).
    """
    G, c, d = X.T @ X, X.T @ y, X.shape[1]
    squares = np.where(G.diagonal() > 0, G.diagonal(), 1.0)
    G.flat[:: d + 1] += JITTER * squares
    x, L = c / squares, 1.0
    for _ in range(10):  # L approaches the largest eigenvalue of G / squares
        x = x / (np.sqrt(x @ (squares * x)) or 1.0)
        Gx = G @ x
        L, x = float(x @ Gx) or 1.0, Gx / squares
    step = 1 / (1.1 * L * squares)
    w, v, stable = np.zeros(d), np.zeros(d), 0
    for i in range(MAX_PROXIMAL_STEPS):
        new = soft_threshold(v + step * (c - G @ v), step * t)
        stable = stable + 1 if np.array_equal(np.sign(new), np.sign(w)) else 0
        v, w = new + i / (i + 3) * (new - w), new
        if stable == STABLE_STEPS:
            break
    signs = np.full(d, np.nan)
    for _ in range(MAX_NEWTON_STEPS):
        previous, signs = signs, np.sign(soft_threshold(squares * w + c - G @ w, t))
        if np.array_equal(signs, previous):
            return w
        active = signs != 0
        w = np.zeros(d)
        w[active] = np.linalg.solve(G[np.ix_(active, active)], (c - t * signs)[active])
    return None


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
    length, used = np.sqrt(np.einsum("ij,ij->j", Z, Z)), w != 0
    S = Z[:, used] / length[used]
    u = r - np.linalg.lstsq(S.T, S.T @ r - lambda_ / 2 * np.sign(w[used]) / length[used])[0]
    rounding = ROUNDING * length * np.linalg.norm(y)
    if (np.abs(Z.T @ u) > lambda_ / 2 + rounding).any():
        return np.inf
    slackness = lambda_ * np.abs(w).sum() - 2 * u @ (y - r)
    return float((r - u) @ (r - u) + abs(slackness))
