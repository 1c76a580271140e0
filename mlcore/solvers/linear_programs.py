"""Halfspaces by linear programming: one that separates, one of few features."""

import numpy as np

from mlcore.arrays import Matrix, Signs, Vector


def highest_least(rows: Matrix) -> tuple[Vector, Vector]:
    """Find the v whose smallest product with a row is greatest, by linear programming.

    rows  (n, p), entries of size about 1

    Returns v (p,), each |v_j| <= 1; and the dual solution, the convex weights a (n,)
    whose a @ rows has the smallest sum of sizes.  What v maximizes and what a
    minimizes are equal at the end: if the rows have no v with rows @ v > 0, both are 0.
    Raises ArithmeticError if the solver gives up.
    """
    from scipy.optimize import linprog

    n, p = rows.shape
    accuracy = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(
        np.append(np.zeros(p), -1.0),  # maximize t, the last unknown
        A_ub=np.column_stack([-rows, np.ones(n)]),  # t <= rows @ v
        b_ub=np.zeros(n),
        bounds=[(-1.0, 1.0)] * p + [(None, None)],
        options=accuracy,
    )
    if found.status != 0:
        raise ArithmeticError(f"the solver gave up: {found.message}")
    a = np.maximum(-found.ineqlin.marginals, 0.0)
    return found.x[:p] + 0.0, a / a.sum()  # + 0.0: no negative zeros


def least_l1_machine(A: Matrix, y: Signs, C: float) -> tuple[Vector, float, Vector]:
    """Find the least |w|_1 + C sum of losses, by the dual; returns w, b, a.

    A, y  (n, d) the rows y_i x_i, entries of size at most 1; (n,) labels, -1 or +1

    Of the dual: a (n,), largest sum a with |A.T @ a| <= 1, y @ a = 0, 0 <= a <= C.  The
    products A.T @ a are unknowns with bounds, which halves the constraints.  A presolve
    finds nothing in full matrices, and takes as long as the solution.  Each feature gets
    a unit of its own: HiGHS takes entries below 1e-9 for 0.
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
    if result.x is None:  # a = 0 proves nothing: the gap will be 1
        return np.zeros(d), float(np.sign(y.sum())), np.zeros(n)
    # The price of a bound is exactly 0 where it does not bind, that of a row is rounded
    w = -(result.lower.marginals + result.upper.marginals)[n:] / unit
    return w, -float(result.eqlin.marginals[d]), result.x[:n]
