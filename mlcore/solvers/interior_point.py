"""The soft margin, exactly: a primal-dual interior point method.

The problem is that of `mlcore.solvers.soft_margin_problem`; the support vectors end it.
"""

import numpy as np

from mlcore.arrays import Matrix, Vector
from mlcore.solvers.soft_margin_problem import Iterate, Problem, Solution
from mlcore.solvers.support_vectors import best_found, from_support

ENOUGH = 1e-11  # the gap aimed at, as a part of the primal value
NEAR = 1e-3  # at this gap the support vectors begin to be known
MOST_STEPS = 100
PATIENCE = 15  # steps in which the gap need not become smaller
ONE = np.array([[1.0], [-1.0]])


def solve_soft_margin(A: Matrix, C: float, bias: bool, s: Vector | float = 1.0) -> Solution:
    """Find the soft margin; with a bias both classes occur.

    Each step solves the optimality conditions, linearized, with the products of duals
    and slacks set to mu > 0.  mu goes to 0.  As soon as the steps show which examples
    are the support vectors, equations for these give the minimum.
    Source: Mehrotra (1992), predictor and corrector; Ferris and Munson (2002), for
    this problem.
    """
    n, steps, found, guess = len(A), 0, 0, None
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
                guess = from_support(problem, now, steps) or guess
                if guess and guess.gap <= ENOUGH * guess.primal:
                    return guess
        end = best_found(problem, best, steps)
        return guess if guess and guess.gap < end.gap else end


def _start(problem: Problem) -> Iterate:
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
    return Iterate(v, z, np.stack([a, top - a]), np.stack([slack, xi]), z - 1 + xi - slack)


def _step(problem: Problem, now: Iterate) -> Iterate | None:
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
        mu = left * (left / total) ** 2 / (2 * n) * problem.share
        change = (second - products + mu) / duals
        q = change[0] - change[1] - now.missing
        dv, dz = direction(q)
    except np.linalg.LinAlgError:
        return None
    moves = ONE * (theta * (q - dz))
    gives = change - stiff * moves
    t = 0.995 / max(0.995, -(moves / duals).min(), -(gives / slacks).min())
    if not (np.isfinite(t) and np.isfinite(dv).all()):
        return None
    return Iterate(
        now.v + t * dv,
        now.z + t * dz,
        duals + t * moves,
        slacks + t * gives,
        (1 - t) * now.missing,
    )
