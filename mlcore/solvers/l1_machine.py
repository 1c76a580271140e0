"""The support vector machine with |w|_1 as a linear program.

A has the rows y_i x_i, features of size at most 1.
"""

import numpy as np

from mlcore.arrays import Matrix, Signs, Vector
from mlcore.solvers.moments import largest

MANY = 2000  # examples from which on the program has those near the margin only
NEAR = (
    3.0  # how many these are, times sqrt(n (d + 1)): the size of what a sample leaves open
)
FEASIBLE = 1e-9  # what may be off in a product, or in y_i g(x_i) at the margin


def hinge(A: Matrix, y: Signs, v: Vector, b: float) -> Vector:
    """The loss of each example."""
    return np.maximum(0.0, 1 - A @ v - y * b)


def solve_dual(A: Matrix, y: Signs, C: float) -> tuple[Vector, float, Vector]:
    """Largest sum a with |A.T @ a| <= 1, y @ a = 0, 0 <= a <= C; w, b, a.

    At the end a_i is 0 beyond the margin and C on the other side.  A quarter of the
    examples shows where that is clear: only those near the margin are left to the
    linear program, and those that come out on the other side join them.  So HiGHS,
    which nothing can interrupt, gets small programs only.
    """
    n, d = A.shape
    if abs(y.sum()) == n:  # one class needs no weights
        return np.zeros(d), float(y[0]), np.zeros(n)
    part, fixed = np.ones(n, dtype=bool), np.zeros(n)
    if n > MANY:
        v, b, _ = solve_dual(A[::4], y[::4], 4 * C)
        z = A @ v + y * b
        order, near = np.argsort(np.abs(z - 1)), 1 + int(NEAR * np.sqrt(n * (d + 1)))
        part[order[near:]] = False
        fixed[z < 1] = C
    while True:
        found = _solve_part(A, y, C, part, fixed)
        if found is not None:
            z = A @ found[0] + y * found[1]
            wrong = np.where(fixed > 0, z - 1, 1 - z) > FEASIBLE
            if not wrong[~part].any():
                return found
            part |= wrong
        elif part.all():
            return np.zeros(d), float(np.sign(y.sum())), np.zeros(n)
        else:  # the others leave no a
            near *= 2
            part[order[:near]] = True


def _solve_part(A, y, C, part, fixed) -> tuple[Vector, float, Vector] | None:
    """The same where only a part of a is free; None if HiGHS finds nothing.

    Each feature is a constraint, and most do not bind: begin with the features that
    differ most between the classes, then add those whose constraint is violated.
    """
    a, free = np.where(part, 0.0, fixed), A[part]
    known, few = A.T @ a, max(2 * len(free), 50)
    chosen = np.argsort(-np.abs(known + C * free.sum(axis=0)), kind="stable")[:few]
    while True:
        found = _program(free[:, chosen], y[part], C, known[chosen], float(y @ a))
        if found is None:
            return None
        v = np.zeros(A.shape[1])
        inside, v[chosen], b = found
        excess = np.abs(known + inside @ free) - 1
        excess[chosen] = 0.0
        new = np.argsort(-excess, kind="stable")[:few]
        new = new[excess[new] > FEASIBLE]
        if not len(new):
            a[part] = inside
            return v, b, a
        chosen = np.concatenate([chosen, new])


def _program(A, y, C, known: Vector, rest: float) -> tuple[Vector, Vector, float] | None:
    """Largest sum a with |A.T @ a + known| <= 1, y @ a + rest = 0; a, w, b.

    The products A.T @ a are unknowns with bounds, which halves the constraints.  A
    presolve finds nothing in full matrices, and takes as long as the solution.  Each
    feature gets a unit of its own: HiGHS takes entries below 1e-9 for 0.
    """
    from scipy.optimize import linprog

    n, k = A.shape
    unit = np.maximum(largest(A), 1e-300)
    result = linprog(
        np.repeat([-1.0, 0.0], [n, k]),
        A_eq=np.block([[(A / unit).T, -np.eye(k)], [y, np.zeros(k)]]),
        b_eq=np.append(np.zeros(k), -rest),
        bounds=[(0.0, C)] * n
        + list(zip((-1 - known) / unit, (1 - known) / unit, strict=True)),
        method="highs-ds",
        options={"presolve": False},
    )
    if result.x is None:
        return None
    # The price of a bound is exactly 0 where it does not bind, that of a row is rounded
    w = -(result.lower.marginals + result.upper.marginals)[n:] / unit
    return result.x[:n], w, -float(result.eqlin.marginals[k])


def duality_gap(A: Matrix, a: Vector, objective: float) -> float:
    """The gap to the dual value of a, made feasible, as a part of the objective."""
    a = a / max(1.0, np.abs(A.T @ a).max())
    return float(max(objective - a.sum(), 0.0) / max(objective, 1e-300))
