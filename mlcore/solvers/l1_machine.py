"""The support vector machine with |w|_1: its linear program, and its descent.

A has the rows y_i x_i, features of size at most 1; `descend` takes y_i (x_i, 1).
"""

import numpy as np

from mlcore.arrays import Matrix, Signs, Vector
from mlcore.solvers.l1_penalty import soft_threshold


def hinge(A: Matrix, y: Signs, v: Vector, b: float) -> Vector:
    """The loss of each example."""
    return np.maximum(0.0, 1 - A @ v - y * b)


def solve_dual(A: Matrix, y: Signs, C: float) -> tuple[Vector, float, Vector]:
    """Largest sum a with |A.T @ a| <= 1, y @ a = 0, 0 <= a <= C; w, b, a.

    Each feature is a constraint, and most do not bind: begin with the features that
    differ most between the classes, then add those whose constraint is violated.
    """
    from scipy.optimize import linprog

    n, d = A.shape
    few = max(2 * n, 50)
    chosen = np.argsort(-np.abs(A.sum(axis=0)), kind="stable")[:few]
    v, b, a = np.zeros(d), 1.0 if y.sum() >= 0 else -1.0, np.zeros(n)
    while True:
        G = A[:, chosen].T
        result = linprog(
            -np.ones(n),
            A_ub=np.vstack([G, -G]),
            b_ub=np.ones(2 * len(chosen)),
            A_eq=y[None],
            b_eq=[0.0],
            bounds=(0.0, C),
            method="highs-ds",
        )
        if result.x is None:
            return v, b, a
        a, k = result.x, len(chosen)
        v = np.zeros(d)
        v[chosen] = -result.ineqlin.marginals[:k] + result.ineqlin.marginals[k:]
        b = float(-result.eqlin.marginals[0])
        excess = np.abs(A.T @ a) - 1
        excess[chosen] = 0.0
        new = np.argsort(-excess, kind="stable")[:few]
        new = new[excess[new] > 1e-9]
        if not len(new):
            return v, b, a
        chosen = np.concatenate([chosen, new])


def duality_gap(A: Matrix, a: Vector, objective: float) -> float:
    """The gap to the dual value of a, made feasible, as a part of the objective."""
    a = a / max(1.0, np.abs(A.T @ a).max())
    return float(max(objective - a.sum(), 0.0) / max(objective, 1e-300))


def descend(A: Matrix, v: Vector, C: float, L: float, max_steps: int, tol: float):
    """One C: v with the bias last, and its violation.  A has rows y_i (x_i, 1)."""
    cut = np.append(np.full(A.shape[1] - 1, 1 / L), 0.0)  # the bias is not cut
    z = A @ v
    u, zu, t = v, z, 1.0
    for step in range(max_steps):
        if step % 10 == 0:
            for guess in _guesses(A, v, z, C):
                violation = _violation(A, guess, A @ guess, C)
                if violation <= tol:
                    return guess, violation
        new = soft_threshold(u + 2 * C / L * (np.maximum(1 - zu, 0.0) @ A), cut)
        if (u - new) @ (new - v) > 0:  # the momentum leads uphill
            t = 1.0
        v, old = new, v
        z, before = A @ v, z
        after = (1 + np.sqrt(1 + 4 * t * t)) / 2
        m, t = (t - 1) / after, after
        u, zu = v + m * (v - old), z + m * (z - before)
    return v, _violation(A, v, z, C)


def _guesses(A, v, z, C):
    """v, then three times the minimum if zeros, signs and examples with loss stay so.

    They end the descent early where they are right, which `_violation` tells.
    """
    yield v
    for _ in range(3):
        free = np.append(v[:-1] != 0, True)  # the bias is always free
        signs = np.append(np.sign(v[:-1]), 0.0)
        B = A[:, free][z < 1]
        H = 2 * C * B.T @ B
        H.flat[:: len(H) + 1] *= 1 + 1e-12  # copied columns share their weight
        try:
            solved = np.linalg.solve(H, 2 * C * B.sum(axis=0) - signs[free])
        except np.linalg.LinAlgError:
            return
        v = np.zeros(len(v))
        v[free] = solved
        v[v * signs < 0] = 0.0
        z = A @ v
        yield v


def _violation(A, v, z, C) -> float:
    """The largest distance from 0 to the subdifferential, over the coordinates."""
    g = 2 * C * (np.maximum(1 - z, 0.0) @ A)  # minus the gradient of the loss
    off = np.where(v == 0, np.maximum(np.abs(g) - 1, 0.0), np.abs(g - np.sign(v)))
    off[-1] = abs(g[-1])
    return float(off.max())
