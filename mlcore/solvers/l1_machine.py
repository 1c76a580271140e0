"""The support vector machine with |w|_1 as a linear program.

A has the rows y_i x_i, features of size at most 1.
"""

import numpy as np

from mlcore.arrays import Matrix, Signs, Vector


def solve_dual(A: Matrix, y: Signs, C: float) -> tuple[Vector, float, Vector]:
    """Largest sum a with |A.T @ a| <= 1, y @ a = 0, 0 <= a <= C; w, b, a.

    The products A.T @ a are unknowns with bounds, which halves the constraints.  A
    presolve finds nothing in full matrices, and takes as long as the solution.  Each
    feature gets a unit of its own: HiGHS takes entries below 1e-9 for 0.
    """
    from scipy.optimize import linprog

    n, d = A.shape
    if abs(y.sum()) == n:  # one class needs no weights
        return np.zeros(d), float(y[0]), np.zeros(n)
    unit = np.maximum(np.abs(A).max(axis=0), 1e-300)
    result = linprog(
        np.repeat([-1.0, 0.0], [n, d]),
        A_eq=np.block([[(A / unit).T, -np.eye(d)], [y, np.zeros(d)]]),
        b_eq=np.zeros(d + 1),
        bounds=[(0.0, C)] * n + [(-1 / u, 1 / u) for u in unit],
        method="highs-ds",
        options={"presolve": False},
    )
    if result.x is None:
        return np.zeros(d), float(np.sign(y.sum())), np.zeros(n)
    # The price of a bound is exactly 0 where it does not bind, that of a row is rounded
    w = -(result.lower.marginals + result.upper.marginals)[n:] / unit
    return w, -float(result.eqlin.marginals[d]), result.x[:n]


def duality_gap(A: Matrix, a: Vector, objective: float) -> float:
    """The gap to the dual value of a, made feasible, as a part of the objective."""
    a = a / max(1.0, np.abs(A.T @ a).max())
    return float(max(objective - a.sum(), 0.0) / max(objective, 1e-300))
