"""The soft-margin problem, solved exactly: a primal-dual interior point method.

primal  smallest |w|**2 / 2 + C s @ xi  with y_i (w @ x_i + b) >= 1 - xi_i, xi_i >= 0
dual    largest sum a - |sum_i a_i y_i x_i|**2 / 2  with 0 <= a_i <= C s_i, y @ a = 0

The weights s of the examples are above 0, with the mean 1; the number 1.0 stands for n.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.arrays import Matrix, Signs, Vector

ENOUGH = 1e-11  # the gap aimed at, as a part of the primal value
MOST_STEPS = 100


@dataclass(frozen=True, eq=False)
class Solution:
    """The best pair found: w, b of the primal and a of the dual.

    w, b    (d,) and a number; without bias b is 0
    a       (n,) dual variables; exactly 0 or C s_i where they go there
    primal  the value of the primal problem at w, b
    dual    the value of the dual problem at a: no w, b has a lower primal value
    steps   how many Newton steps were taken
    """

    w: Vector
    b: float
    a: Vector
    primal: float
    dual: float
    steps: int


@dataclass(frozen=True, eq=False)
class _Iterate:
    """A pair on the way, with what changes along: v is (w, b), z = A v, r = A.T a."""

    v: Vector
    a: Vector
    s: Vector  # slack z - 1 + xi
    xi: Vector
    z: Vector
    r: Vector

    def moved(self, t: float, direction: "_Iterate") -> "_Iterate":
        pairs = zip(vars(self).values(), vars(direction).values(), strict=True)
        return _Iterate(*(value + t * change for value, change in pairs))

    def values(self, C: float, s: Vector | float, d: int) -> tuple[float, float]:
        """The values of the primal and of the dual problem."""
        w, r = self.v[:d], self.r[:d]
        loss = (s * np.maximum(0.0, 1 - self.z)).sum()
        return float(w @ w / 2 + C * loss), float(self.a.sum() - r @ r / 2)


def solve_soft_margin(
    X: Matrix, y: Signs, C: float, bias: bool, s: Vector | float = 1.0
) -> Solution:
    """Find the soft margin, for X of size about 1, and both classes if there is a bias.

    Each step solves the optimality conditions, linearized, with the products
    a_i slack_i and (C s_i - a_i) xi_i set to mu > 0, where slack_i is
    y_i g(x_i) - 1 + xi_i.  mu goes to 0.  The only system solved is (d + 1) by (d + 1).
    Source: Mehrotra (1992), predictor and corrector; Ferris and Munson (2002), for
    this problem.
    """
    n, d = X.shape
    A = np.column_stack([X, np.ones(n)]) if bias else X.copy()
    A *= y[:, None]  # y_i (x_i, 1)
    penalty = np.append(np.ones(d), [0.0] * bias)  # b is free
    now = best = _start(A, y, C * s, bias)
    steps = found = 0
    with np.errstate(all="ignore"):  # the best is kept, whatever comes after
        primal, dual = best.values(C, s, d)
        while steps < MOST_STEPS and primal - dual > ENOUGH * primal:
            steps += 1
            after = _step(A, C * s, penalty, now)
            if after is None or steps > found + 5:  # rounding has the upper hand
                break
            now = after
            new = now.values(C, s, d)
            if new[0] - new[1] < primal - dual:
                best, found, (primal, dual) = now, steps, new
        return _finished(A, y, C, s, bias, best, steps)


def _start(A: Matrix, y: Signs, top: Vector | float, bias: bool) -> _Iterate:
    """v = 0, slacks that fit it, and y @ a = 0 if there is a bias; top: the most of a."""
    n, share = len(y), top / np.max(top)
    other = np.where(y > 0, (share * (y < 0)).mean(), (share * (y > 0)).mean())
    a = top * (other if bias else np.full(n, 0.5))
    ones = np.ones(n)
    return _Iterate(np.zeros(A.shape[1]), a, ones, 2 * ones, 0 * ones, A.T @ a)


def _step(
    A: Matrix, top: Vector | float, penalty: Vector, now: _Iterate
) -> _Iterate | None:
    """One Newton step: predict with mu = 0, then center and correct."""
    a, s, xi, n = now.a, now.s, now.xi, len(now.a)
    u = top - a
    theta = 1 / (s / a + xi / u)
    scaled = np.sqrt(theta)[:, None] * A
    M = scaled.T @ scaled
    M.flat[:: len(M) + 1] += penalty
    primal = now.z - 1 + xi - s  # what is still missing
    dual = now.r - penalty * now.v

    def direction(c, e):
        """Let a_i s_i change by c_i and u_i xi_i by e_i."""
        q = c / a - e / u - primal
        dv = np.linalg.solve(M, dual + A.T @ (theta * q))
        dz = A @ dv
        da = theta * (q - dz)
        return dv, da, (c - s * da) / a, (e + xi * da) / u, dz

    def longest(da, ds, dxi):
        """The longest step, 1 at most, that keeps a, u, s and xi at least 0."""
        pairs = (a, da), (u, -da), (s, ds), (xi, dxi)
        return 1 / max(1.0, *((-change / value).max() for value, change in pairs))

    try:
        _, da, ds, dxi, _ = direction(-a * s, -u * xi)
        t = longest(da, ds, dxi)
        mu = (a @ s + u @ xi) / (2 * n)
        left = ((a + t * da) @ (s + t * ds) + (u - t * da) @ (xi + t * dxi)) / (2 * n)
        mu *= (left / mu) ** 3
        dv, da, ds, dxi, dz = direction(mu - a * s - da * ds, mu - u * xi + da * dxi)
    except np.linalg.LinAlgError:
        return None
    t = min(1.0, 0.995 * longest(da, ds, dxi))
    after = now.moved(t, _Iterate(dv, da, ds, dxi, dz, A.T @ da))
    return after if np.isfinite(t) and np.isfinite(after.r).all() else None


def _finished(A, y, C, s, bias, best: _Iterate, steps: int) -> Solution:
    """The best iterate, its duals put to 0 and C where they go there."""
    d = A.shape[1] - bias
    z, choices = A @ best.v, []
    for a in best.a, s * _snapped(best.a / s, C, z):
        a = np.clip(a, 0.0, C * s)
        if bias:  # y @ a = 0 exactly, by moving those inside (0, C s)
            room = np.minimum(a, C * s - a)
            a = np.clip(a - y * room * (y @ a) / max(room.sum(), 1e-300), 0.0, C * s)
        point = _Iterate(best.v, a, best.s, best.xi, z, A.T @ a)
        b = float(best.v[-1]) if bias else 0.0
        choices.append(Solution(best.v[:d], b, a, *point.values(C, s, d), steps))
    raw, snapped = choices
    good = snapped.primal - snapped.dual <= 1e-9 * snapped.primal
    return snapped if good else raw


def _snapped(a: Vector, C: float, z: Vector) -> Vector:
    """Of a_i and its slack z_i - 1, and of C - a_i and 1 - z_i, one goes to 0.

    It is the one that is smaller by now.
    """
    size = a.max()
    a = np.where(a / size < z - 1, 0.0, a)
    return np.where((C - a) / size < 1 - z, C, a)
