"""The soft-margin problem, solved exactly: a primal-dual interior point method.

primal  smallest |w|**2 / 2 + C s @ xi  with A_i v >= 1 - xi_i, xi_i >= 0
dual    largest sum a - |sum_i a_i y_i x_i|**2 / 2  with 0 <= a_i <= C s_i, y @ a = 0

where v is (w, b), and the rows of A are y_i (x_i, 1).  The weights s of the examples are
above 0, with the mean 1; the number 1.0 stands for n of them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mlcore.arrays import EPS, Matrix, Vector

ENOUGH = 1e-11  # the gap aimed at, as a part of the primal value
NEAR = 1e-3  # at this gap the support vectors begin to be known
MOST_STEPS = 100
STRICTLY = 1e-6  # how far from its bound what may not attain it has to be
PATIENCE = 15  # steps in which the gap need not become smaller
ROUNDING = 16 * EPS  # of a score, as a part of |x| |w|
ROWS = 3  # times the columns: so many rows are always in the system that is solved
ONE = np.array([[1.0], [-1.0]])


@dataclass(frozen=True, eq=False)
class Solution:
    """The best pair found: v of the primal and a of the dual.

    v       (d,) of w, and after them b if there is a bias
    a       (n,) dual variables; exactly 0 or C s_i where they go there
    primal  the value of the primal problem at v
    dual    the value of the dual problem at a: no v has a lower primal value
    steps   how many Newton steps were taken
    """

    v: Vector
    a: Vector
    primal: float
    dual: float
    steps: int

    @property
    def gap(self) -> float:
        return self.primal - self.dual


class Problem:
    """What stays the same from step to step.

    A      (n, p), its last column that of the bias if there is one
    top    (n,) the most that each a_i may be
    norms  (n,) the squared lengths of the rows of A
    reach  (n,) how much longer than usual an example is, at least 1: its a is about so
           much smaller, and its slack so much larger
    """

    def __init__(self, A: Matrix, top: Vector, bias: bool):
        self.A, self.top, self.bias = A, top, bias
        self.w = slice(0, A.shape[1] - bias)
        self.penalty = np.append(np.ones(A.shape[1] - bias), [0.0] * bias)  # b is free
        self.norms = np.einsum("ij,ij->i", A, A)
        self.reach = np.sqrt(np.maximum(self.norms / usual(self.norms), 1.0))
        self.whole = False

    def values(self, v: Vector, z: Vector, a: Vector) -> tuple[float, float, float]:
        """The values of the primal and of the dual problem, and how far y @ a is off."""
        loss = np.maximum(0.0, 1 - z) @ self.top
        r = a @ self.A
        off = abs(r[-1]) if self.bias else 0.0
        w, r = v[self.w], r[self.w]
        return float(w @ w / 2 + loss), float(a.sum() - r @ r / 2), float(off)

    def curvature(self, theta: Vector, rows=None) -> Matrix:
        """The penalty plus the sum of theta_i A_i.T A_i, in blocks that fit the cache."""
        n, p = self.A.shape
        root, M, size = np.sqrt(theta), np.diag(self.penalty), 64 + 2**16 // p
        for k in range(0, n if rows is None else len(rows), size):
            part = slice(k, k + size) if rows is None else rows[k : k + size]
            B = self.A[part] * root[part, None]
            M += B.T @ B
        return M

    def heavy(self, theta: Vector):
        """The rows that make up the curvature, but for little; None for all of them.

        The others are left out of the system that is solved, not of the residuals, so
        that the direction is not quite Newton's, but what it leads to is the same.
        Source: Jung, O'Leary and Tits (2008).
        """
        n, p = self.A.shape
        if self.whole or n <= 2 * ROWS * p:
            return None
        parts = theta * self.norms
        least = np.partition(parts, n - ROWS * p)[n - ROWS * p] * ROWS * p / n
        rows = np.flatnonzero(parts > 0.3 * least)
        return rows if len(rows) < 0.6 * n else None


def usual(squares: Vector) -> float:
    """The median of the squared lengths that are not 0; 1 if all are."""
    true = squares[squares > 0]
    return float(np.median(true)) if len(true) else 1.0


@dataclass(frozen=True, eq=False)
class _Iterate:
    """A pair on the way.

    v, z     the primal variables, and A v
    duals    (2, n) a, and top - a
    slacks   (2, n) z - 1 + xi, and xi: their products with the duals go to 0
    missing  z - 1 + xi less the slack that stands for it
    """

    v: Vector
    z: Vector
    duals: Matrix
    slacks: Matrix
    missing: Vector


def solve_soft_margin(A: Matrix, C: float, bias: bool, s: Vector | float = 1.0) -> Solution:
    """Find the soft margin; with a bias both classes occur.

    Each step solves the optimality conditions, linearized, with the products of duals
    and slacks set to mu > 0.  mu goes to 0.  As soon as the steps show which examples
    are the support vectors, equations for these give the minimum.
    Source: Mehrotra (1992), predictor and corrector; Ferris and Munson (2002), for
    this problem.
    """
    n, steps, found = len(A), 0, 0
    problem = Problem(A, np.broadcast_to(C * s, n), bias)
    with np.errstate(all="ignore"):  # the best is kept, whatever comes after
        now = best = _start(problem)
        primal, dual, off = problem.values(now.v, now.z, now.duals[0])
        gap = np.inf
        while gap > ENOUGH * primal and steps < MOST_STEPS:
            steps += 1
            after = _step(problem, now)
            if after is None or steps > found + PATIENCE:  # rounding has the upper hand
                break
            now = after
            value, dual, off = problem.values(now.v, now.z, now.duals[0])
            new = abs(value - dual) + off * (1 + abs(now.v[-1]))
            if new < gap:
                best, found, gap, primal = now, steps, new, value
            else:
                problem.whole = True
            if new < NEAR * value:
                end = _from_support(problem, now, steps)
                if end is not None and end.gap <= ENOUGH * end.primal:
                    return end
        return _ended(problem, best, steps)


def _start(problem: Problem) -> _Iterate:
    """The least squares of 1 - A v, with duals and slacks that fit it and y @ a = 0.

    Slacks that are longer than these residuals leave room for the steps to come.
    """
    A, top, reach = problem.A, problem.top, problem.reach
    price = top / (2 * reach * reach)
    M = problem.curvature(price)
    M.flat[:: len(M) + 1] *= 1 + 1e-8  # copied features and no penalty on b: regular, too
    v = np.linalg.solve(M, (price * reach) @ A)
    z = A @ v
    a = np.clip(1 - z / reach, 0.04, 1.96) / 2 * top / reach
    if problem.bias:
        plus = A[:, -1] > 0
        sums = a[plus].sum(), a[~plus].sum()
        a *= np.where(plus, min(1.0, sums[1] / sums[0]), min(1.0, sums[0] / sums[1]))
    slack, xi = np.maximum(z - 1, 0.0) + reach, np.clip(1 - z, 0.0, 1.0) + 1.0
    return _Iterate(v, z, np.stack([a, top - a]), np.stack([slack, xi]), z - 1 + xi - slack)


def _step(problem: Problem, now: _Iterate) -> _Iterate | None:
    """One Newton step: predict with mu = 0, then center and correct."""
    A, duals, slacks, n = problem.A, now.duals, now.slacks, len(now.z)
    stiff = slacks / duals
    theta = 1 / (stiff[0] + stiff[1])
    M = problem.curvature(theta, problem.heavy(theta))
    shrink = problem.penalty * now.v

    def direction(q):
        """For A dv + da / theta = q: dv and A dv."""
        dv = np.linalg.solve(M, (duals[0] + theta * q) @ A - shrink)
        return dv, A @ dv

    try:
        q = 1 - now.z
        part = ONE * (theta * (q - direction(q)[1])) / duals
        t = 1 / max(1.0, -part.min(), 1 + part.max())
        products = duals * slacks
        second = products * part * (1 + part)  # what the products are off after the step
        total = products.sum()
        left = (1 - t) * total - t * t * second.sum()
        change = (second - products + left**3 / (2 * n * total**2)) / duals
        q = change[0] - change[1] - now.missing
        dv, dz = direction(q)
    except np.linalg.LinAlgError:
        return None
    moves = ONE * (theta * (q - dz))
    gives = change - stiff * moves
    t = 0.995 / max(0.995, -(moves / duals).min(), -(gives / slacks).min())
    if not (np.isfinite(t) and np.isfinite(dv).all()):
        return None
    return _Iterate(
        now.v + t * dv,
        now.z + t * dz,
        duals + t * moves,
        slacks + t * gives,
        (1 - t) * now.missing,
    )


def _sides(problem: Problem, now: _Iterate) -> tuple[Vector, NDArray[np.intp]]:
    """The duals, put to 0 or to the top where they go there, and the others' numbers.

    Of a_i and z_i - 1, and of top - a_i and 1 - z_i, the one goes to 0 that is smaller
    by now.
    """
    (a, room), margin = now.duals, (now.z - 1) / problem.reach
    size = (a * problem.reach).max() / problem.reach
    zero, full = a / size < margin, room / size < -margin
    a = np.where(full, problem.top, np.where(zero, 0.0, a))
    return a, np.flatnonzero(~(zero | full))


def _from_support(problem: Problem, now: _Iterate, steps: int) -> Solution | None:
    """The minimum, if the examples on the margin are those that seem to be there.

    Their duals and b solve z_i = 1, where w is the sum of all a_i y_i x_i, and y @ a = 0.
    If another one is on the margin, too, or none of them has its dual inside its bounds,
    there may be other minima: then the steps go on, to the middle of all.
    For a very long example 1 is lost in rounding: z_i is asked to stay above it, which
    costs next to nothing.
    """
    a, on = _sides(problem, now)
    k, b = len(on), problem.bias
    if not 0 < k <= problem.A.shape[1]:
        return None
    a[on] = 0.0
    r = a @ problem.A
    short = problem.reach[on]
    rows = problem.A[on] / short[:, None]
    F = rows[:, problem.w]
    K = np.zeros((k + b, k + b))
    K[:k, :k] = F @ F.T
    K[:k, k:], K[k:, :k] = rows[:, len(r) - b :], rows[:, len(r) - b :].T
    z = 1 / short + ROUNDING * np.linalg.norm(now.v) * np.sqrt(problem.norms[on]) / short
    try:
        u = np.linalg.solve(K, np.append(z - F @ r[problem.w], -r[len(r) - b :]))
    except np.linalg.LinAlgError:
        return None
    a[on] = u[:k] / short
    v = np.append(r[problem.w] + u[:k] @ F, u[k:])
    inside = np.minimum(a[on], problem.top[on] - a[on]) * short > STRICTLY * problem.top[on]
    away = np.abs(problem.A @ v - 1) > STRICTLY * problem.reach
    away[on] = True
    if not (away.all() and inside.any()):
        return None
    return _judged(problem, v, a, steps)


def _ended(problem: Problem, best: _Iterate, steps: int) -> Solution:
    """The best iterate, its duals put to 0 and the top if that is as good."""
    sides, _ = _sides(problem, best)
    snapped, raw = (_judged(problem, best.v, a, steps) for a in (sides, best.duals[0]))
    if snapped.gap > 1e-9 * snapped.primal:
        return raw
    at_ends = ((sides == 0) | (sides == problem.top)).all()
    if not (problem.bias and at_ends):
        return snapped
    return _judged(problem, _in_the_middle(problem, best.v, sides), sides, steps)


def _in_the_middle(problem: Problem, v: Vector, a: Vector) -> Vector:
    """Of all b that are as good, where every a_i is 0 or at its top, the middle.

    Those are the b with z_i >= 1 where a_i is 0, and z_i <= 1 where it is at its top.
    """
    b = problem.A[:, -1]
    room = (1 - problem.A @ v) / b
    above = (b > 0) == (a > 0)
    return np.append(v[:-1], v[-1] + (room[above].min() + room[~above].max()) / 2)


def _judged(problem: Problem, v: Vector, a: Vector, steps: int) -> Solution:
    """A solution from any v and a, once the duals are within their bounds."""
    top = problem.top
    a = np.clip(a, 0.0, top)
    if problem.bias:  # y @ a = 0 exactly, by moving those inside (0, top)
        y = np.sign(problem.A[:, -1])
        room = np.minimum(a, top - a)
        a = np.clip(a - y * room * (y @ a) / max(room.sum(), 1e-300), 0.0, top)
    primal, dual, off = problem.values(v, problem.A @ v, a)
    proof = off <= 1e-13 * np.abs(problem.A[:, -1]) @ a
    return Solution(v, a, primal, dual if proof else -np.inf, steps)
