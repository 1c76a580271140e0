"""The soft-margin problem, solved exactly: a primal-dual interior point method.

primal  smallest |w|**2 / 2 + C sum xi  with y_i (w @ x_i + b) >= 1 - xi_i, xi_i >= 0
dual    largest sum a - |sum_i a_i y_i x_i|**2 / 2  with 0 <= a_i <= C, y @ a = 0
"""

from dataclasses import dataclass

import numpy as np

from mlcore.arrays import Matrix, Signs, Vector

ENOUGH = 1e-12  # the gap aimed at, as a part of the primal value
MOST_STEPS = 100


@dataclass(frozen=True, eq=False)
class Solution:
    """The best pair found: w, b of the primal and a of the dual.

    w, b    (d,) and a number; without bias b is 0
    a       (n,) dual variables, exactly feasible up to the rounding of y @ a
    primal  the value of the primal problem at w, b
    dual    the value of the dual problem at a: no w, b has a lower primal value
    steps   how many Newton steps it took
    """

    w: Vector
    b: float
    a: Vector
    primal: float
    dual: float
    steps: int


def solve_soft_margin(X: Matrix, y: Signs, C: float, bias: bool) -> Solution:
    """Find the soft margin of both classes, for X of size about 1.

    Each step solves the optimality conditions, linearized, with the products
    a_i s_i and (C - a_i) xi_i set to mu > 0, where s_i = y_i g(x_i) - 1 + xi_i is
    the slack.  mu goes to 0.  The only system solved is (d + 1) by (d + 1).
    Source: Mehrotra (1992), predictor and corrector; Ferris and Munson (2002), for
    this problem.
    """
    A = np.column_stack([X, np.ones(len(X))]) if bias else X.copy()
    A *= y[:, None]  # y_i (x_i, 1)
    penalty = np.ones(A.shape[1])
    penalty[X.shape[1] :] = 0.0  # b is free
    state = _start(A, y, C)
    best, steps = _valued(A, y, C, penalty, state, 0), 0
    with np.errstate(all="ignore"):
        while steps < MOST_STEPS and best.primal - best.dual > ENOUGH * best.primal:
            state = _step(A, C, penalty, state)
            steps += 1
            if state is None or not all(np.isfinite(part).all() for part in state):
                break
            new = _valued(A, y, C, penalty, state, steps)
            if new.primal - new.dual < best.primal - best.dual:
                best = new
            elif steps > best.steps + 5:  # rounding has the upper hand
                break
    return best


def _start(A: Matrix, y: Signs, C: float):
    """v = 0, equal a within each class, y @ a = 0, and slacks that fit v."""
    n = len(y)
    share = np.where(y > 0, (y < 0).mean(), (y > 0).mean()) if abs(y.sum()) < n else 0.5
    a = C * share
    s, xi = np.ones(n), np.full(n, 2.0)
    return np.zeros(A.shape[1]), a * np.ones(n), s, xi


def _step(A: Matrix, C: float, penalty: Vector, state):
    """One Newton step: predict with mu = 0, then correct and center."""
    v, a, s, xi = state
    u = C - a
    theta = 1 / (s / a + xi / u)
    M = (A.T * theta) @ A
    M.flat[:: len(v) + 1] += penalty
    primal = A @ v - 1 + xi - s
    dual = A.T @ a - penalty * v

    def direction(c, e):
        """Solve for a_i s_i to change by c_i, u_i xi_i by e_i."""
        q = c / a - e / u - primal
        dv = np.linalg.solve(M, dual + A.T @ (theta * q))
        da = theta * (q - A @ dv)
        return dv, da, (c - s * da) / a, (e + xi * da) / u

    def longest(da, ds, dxi):
        """The largest step at most 1 that keeps a, u, s, xi at least 0."""
        pairs = (a, da), (u, -da), (s, ds), (xi, dxi)
        return min(1.0, *(1 / max(1e-300, (-dp / p).max()) for p, dp in pairs))

    try:
        _, da, ds, dxi = direction(-a * s, -u * xi)
        t = longest(da, ds, dxi)
        mu = (a @ s + u @ xi) / (2 * len(a))
        left = (a + t * da) @ (s + t * ds) + (u - t * da) @ (xi + t * dxi)
        target = (left / (2 * len(a) * mu)) ** 3 * mu
        dv, da, ds, dxi = direction(target - a * s - da * ds, target - u * xi + da * dxi)
    except np.linalg.LinAlgError:
        return None
    t = min(1.0, 0.995 * longest(da, ds, dxi))
    return v + t * dv, a + t * da, s + t * ds, xi + t * dxi


def _valued(A, y, C, penalty, state, steps) -> Solution:
    """The state as feasible points of both problems, with their values."""
    v, a = state[0], np.clip(state[1], 0.0, C)
    free = penalty == 0
    if free.any():  # shrink one class so that y @ a = 0
        sums = a[y > 0].sum(), a[y < 0].sum()
        a = a * np.where(y > 0, sums[1], sums[0]) / max(sums)
    w = v[~free]
    primal = w @ w / 2 + C * np.maximum(0.0, 1 - A @ v).sum()
    dual_w = (A.T @ a)[~free]
    dual = a.sum() - dual_w @ dual_w / 2
    b = float(v[-1]) if free.any() else 0.0
    return Solution(w, b, a, float(primal), float(dual), steps)
