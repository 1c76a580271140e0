"""The soft margin: an interior point method, ended by the equations of the support vectors.

primal  smallest |w|**2 / 2 + top @ xi  with A v >= 1 - xi, xi >= 0
dual    largest sum a - |w|**2 / 2  with 0 <= a <= top, y @ a = 0, w = sum_i a_i y_i x_i

v is w, and after it b if there is a bias; the rows of A are y_i (x_i, 1).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mlcore.arrays import Matrix, Signs, Vector

ENOUGH = 1e-11  # the gap aimed at, as a part of the primal value
NEAR = 1e-3  # at this gap the support vectors begin to be known
MOST_STEPS = 100
PATIENCE = 15  # steps in which the gap need not become smaller
STRICTLY = 1e-6  # inside its bounds: by such a part of them
ONE = np.array([[1.0], [-1.0]])


@dataclass(frozen=True, eq=False)
class Solution:
    """The best pair found.

    v       of the primal problem: w, and b if there is a bias
    a       (n,) of the dual problem; exactly 0 or at its top where it goes there
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


@dataclass(frozen=True, eq=False)
class Iterate:
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


def least_soft_margin(
    X: Matrix, y: Signs, lambda_: float, bias: bool, s: Vector | float
) -> tuple[Vector, float, Solution, float]:
    """Find the least mean loss + lambda_ / 2 |w|**2.

    X, y  (n, d) examples and (n,) labels, both of which occur if there is a bias
    s     how often each example counts: (n,), above 0, with the mean 1; or 1.0

    Returns w, b, the solution and a unit: values divided by it are those of the mean
    loss, duals divided by unit * lambda_ those for which w = sum_i a_i y_i x_i.
    With more features than examples w is sought in the span of the rows.
    """
    n, d = X.shape
    center = np.median(X[:: 1 + n // 100], axis=0) if bias else np.zeros(d)
    A, Q = np.ones((n, d + bias)), None
    Z = np.subtract(X, center, out=A[:, :d])
    largest = float(max(Z.max(), -Z.min())) or 1.0
    Z /= largest
    lengths = np.sqrt(np.einsum("ij,ij->i", Z, Z))
    usual = float(np.median(lengths[lengths > 0])) if lengths.any() else 1.0
    Z /= usual
    size = largest * usual
    unit = size * size / lambda_
    if d > n:
        Q, R = np.linalg.qr(Z.T)
        A = np.column_stack([R.T, np.ones((n, int(bias)))])
    A *= y[:, None]
    found = solve_soft_margin(A, np.broadcast_to(unit / n * s, n), int(bias))
    v, b = found.v[: A.shape[1] - bias], found.v[A.shape[1] - bias :].sum()
    w = (v if Q is None else Q @ v) / size
    return w, float(b - w @ center), found, unit


def solve_soft_margin(A: Matrix, top: Vector, bias: int) -> Solution:
    """Find the soft margin; with a bias both classes occur.

    Each step solves the optimality conditions, linearized, with the products of duals
    and slacks set to mu > 0.  mu goes to 0.  As soon as the steps show which examples
    are the support vectors, equations for these give the minimum.
    Source: Mehrotra (1992), predictor and corrector; Ferris and Munson (2002), for
    this problem.
    """
    steps, found, guess = 0, 0, None
    with np.errstate(all="ignore"):  # the best is kept, whatever comes after
        now = last = _start(A, top, bias)
        best = judged(A, top, bias, now.v, now.duals[0], 0)
        while best.gap > ENOUGH * best.primal and steps < min(MOST_STEPS, found + PATIENCE):
            try:
                after = _step(A, top, bias, now)
            except np.linalg.LinAlgError:
                break
            if after is None:  # rounding has the upper hand
                break
            now, steps = after, steps + 1
            new = judged(A, top, bias, now.v, now.duals[0], steps)
            if new.gap < NEAR * new.primal:
                guess = _from_support(A, top, bias, now, steps) or guess
                if guess and guess.gap <= ENOUGH * guess.primal:
                    return guess
            if new.gap < best.gap:
                best, found, last = new, steps, now
        end = _snapped(A, top, bias, best, last)
        return guess if guess and guess.gap < end.gap else end


def judged(A: Matrix, top: Vector, bias: int, v: Vector, a: Vector, steps: int):
    """A solution from any v and a, once the duals satisfy their conditions."""
    a = np.clip(a, 0.0, top)
    if bias:  # y @ a = 0 exactly, by moving those inside (0, top)
        y = np.sign(A[:, -1])
        room = np.minimum(a, top - a)
        a = np.clip(a - y * room * (y @ a) / max(room.sum(), 1e-300), 0.0, top)
    d = len(v) - bias
    w, r = v[:d], a @ A[:, :d]
    primal = w @ w / 2 + top @ np.maximum(0.0, 1 - A @ v)
    return Solution(v, a, float(primal), float(a.sum() - r @ r / 2), steps)


def _start(A: Matrix, top: Vector, bias: int) -> Iterate:
    """The least squares of 1 - A v, with duals and slacks that fit it and y @ a = 0."""
    M = _curvature(A, top / 2, bias)
    v = np.asarray(np.linalg.solve(M, (top / 2) @ A), float)
    z = A @ v
    a = np.clip(1 - z, 0.04, 1.96) / 2 * top
    if bias:
        plus = A[:, -1] > 0
        sums = a[plus].sum(), a[~plus].sum()
        a *= np.where(plus, min(1.0, sums[1] / sums[0]), min(1.0, sums[0] / sums[1]))
    slack, xi = np.maximum(z - 1, 0.0) + 1.0, np.clip(1 - z, 0.0, 1.0) + 1.0
    missing = z - 1 + xi - slack
    return Iterate(v, z, np.stack([a, top - a]), np.stack([slack, xi]), missing)


def _curvature(A: Matrix, theta: Vector, bias: int) -> Matrix:
    """The penalty on w plus the sum of theta_i A_i.T A_i, a hair more on its diagonal."""
    M = A.T @ (A * theta[:, None])
    M.flat[:: len(M) + 1] *= 1 + 1e-14
    M.flat[: (len(M) - bias) * len(M) : len(M) + 1] += 1.0
    return M


def _step(A: Matrix, top: Vector, bias: int, now: Iterate) -> Iterate | None:
    """One Newton step: predict with mu = 0, then center and correct."""
    duals, slacks, n = now.duals, now.slacks, len(now.z)
    stiff = slacks / duals
    theta = 1 / (stiff[0] + stiff[1])
    M = _curvature(A, theta, bias)
    shrink = np.append(now.v[: len(now.v) - bias], [0.0] * bias)

    def direction(q):
        """For A dv + da / theta = q: dv and A dv."""
        dv = np.linalg.solve(M, (duals[0] + theta * q) @ A - shrink)
        return dv, A @ dv

    q = 1 - now.z
    part = ONE * (theta * (q - direction(q)[1])) / duals
    t = 1 / max(1.0, -part.min(), 1 + part.max())
    products = duals * slacks
    second = products * part * (1 + part)  # what the products are off after the step
    total = products.sum()
    left = (1 - t) * total - t * t * second.sum()
    mu = left * (left / total) ** 2 / (2 * n) * (top / top.mean())
    change = (second - products + mu) / duals
    q = change[0] - change[1] - now.missing
    dv, dz = direction(q)
    moves = ONE * (theta * (q - dz))
    gives = change - stiff * moves
    t = 0.995 / max(0.995, -(moves / duals).min(), -(gives / slacks).min())
    if not (np.isfinite(t) and np.isfinite(dv).all()):
        return None
    v, z, missing = now.v + t * dv, now.z + t * dz, (1 - t) * now.missing
    return Iterate(v, z, duals + t * moves, slacks + t * gives, missing)


def _sides(top: Vector, now: Iterate) -> tuple[Vector, NDArray[np.intp]]:
    """The duals, put to 0 or to the top where they go there, and the others' numbers.

    Of a_i and z_i - 1, and of top - a_i and 1 - z_i, the one goes to 0 that is smaller
    by now.
    """
    a, room = now.duals / now.duals[0].max()
    zero, full = a < now.z - 1, room < 1 - now.z
    a = np.where(full, top, np.where(zero, 0.0, now.duals[0]))
    return a, np.flatnonzero(~(zero | full))


def _from_support(A, top, bias, now: Iterate, steps: int) -> Solution | None:
    """The minimum, if the examples on the margin are those that seem to be there.

    Their duals and b solve z_i = 1, where w is the sum of all a_i y_i x_i, and y @ a = 0.
    If none of them has its dual inside its bounds, b may have other values: then the
    steps go on, to the middle of all.
    """
    a, on = _sides(top, now)
    k, d = len(on), A.shape[1] - bias
    if not 0 < k <= A.shape[1]:
        return None
    a[on] = 0.0
    r, F, E = a @ A, A[on, :d], A[on, d:]
    K = np.block([[F @ F.T, E], [E.T, np.zeros((bias, bias))]])
    sides = np.append(1 - F @ r[:d], -r[d:])
    try:
        u = np.linalg.solve(K, sides)
        u += np.linalg.solve(K, sides - K @ u)
    except np.linalg.LinAlgError:
        return None
    a[on] = u[:k]
    v = np.append(a @ A[:, :d], u[k:])
    most = np.minimum(top[on], a.max())
    inside = np.minimum(a[on], top[on] - a[on]) > STRICTLY * most
    return judged(A, top, bias, v, a, steps) if inside.any() else None


def _snapped(A, top, bias, best: Solution, now: Iterate) -> Solution:
    """The best, its duals exactly 0 and at the top where they go there, if as good."""
    a, _ = _sides(top, now)
    snapped = judged(A, top, bias, best.v, a, best.steps)
    if snapped.gap > 1e-9 * snapped.primal:
        return best
    if bias and ((snapped.a == 0) | (snapped.a == top)).all():
        v = _in_the_middle(A, snapped.v, snapped.a)
        return judged(A, top, bias, v, snapped.a, best.steps)
    return snapped


def _in_the_middle(A: Matrix, v: Vector, a: Vector) -> Vector:
    """Of all b that are as good, where every a_i is 0 or at its top, the middle.

    Those are the b with z_i >= 1 where a_i is 0, and z_i <= 1 where it is at its top.
    """
    y = A[:, -1]
    room, above = (1 - A @ v) / y, (y > 0) == (a > 0)
    return np.append(v[:-1], v[-1] + (room[above].min() + room[~above].max()) / 2)
