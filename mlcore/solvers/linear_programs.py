"""Linear programs: a separating direction, and the support vector machine with |w|_1."""

from typing import NamedTuple

import numpy as np

from mlcore.arrays import Matrix, Signs, Vector


def max_min_lp(rows: Matrix) -> tuple[Vector, Vector]:
    """Maximize the smallest entry of rows @ v over |v_j| <= 1.

    rows  (n, p), entries of size about 1

    Returns v (p,), and the solution a (n,) of the dual problem: minimize |a @ rows|_1 over
    convex weights a.  The optimal values are equal, and 0 if no v satisfies rows @ v > 0.
    Raises ArithmeticError if the solver fails.
    """
    from scipy.optimize import linprog

    n, p = rows.shape
    tolerances = {f"{kind}_feasibility_tolerance": 1e-10 for kind in ("primal", "dual")}
    result = linprog(
        np.append(np.zeros(p), -1.0),  # maximize t, the last variable
        A_ub=np.column_stack([-rows, np.ones(n)]),  # t <= rows @ v
        b_ub=np.zeros(n),
        bounds=[(-1.0, 1.0)] * p + [(None, None)],
        options=tolerances,
    )
    if result.status != 0:
        raise ArithmeticError(f"the linear programming solver failed: {result.message}")
    a = np.maximum(-result.ineqlin.marginals, 0.0)
    return result.x[:p] + 0.0, a / a.sum()  # + 0.0: no negative zeros


class L1Machine(NamedTuple):
    """The hyperplane w (d,), b, and the dual variables a (n,)."""

    w: Vector
    b: float
    a: Vector


def solve_l1_svm_dual(A: Matrix, y: Signs, C: float) -> L1Machine:
    """Minimize |w|_1 + C sum_i max(0, 1 - y_i (w @ x_i + b)) by its dual program.

    A, y  (n, d) the rows y_i x_i, entries of size at most 1; (n,) labels, -1 or +1

    Dual: maximize sum(a) with |A.T @ a| <= 1, y @ a = 0, 0 <= a <= C.  Column generation:
    at most n features have a nonzero weight, so the program is solved with 2 n features,
    then also with the n features of the most violated constraints, until none is violated.
    """
    n, d = A.shape
    w = np.zeros(d)
    if abs(y.sum()) == n:  # for one class w = 0 is optimal
        return L1Machine(w=w, b=float(y[0]), a=np.zeros(n))
    features = np.argsort(-np.abs(A.sum(axis=0)), kind="stable")[: 2 * n]
    while True:
        features.sort()
        w[features], b, a = _solve_dual(A[:, features], y, C)
        violation = np.abs(A.T @ a) - 1
        violation[features] = 0.0
        worst = np.argsort(-violation, kind="stable")[:n]
        worst = worst[violation[worst] > 1e-9]
        if worst.size == 0:
            return L1Machine(w, b, a)
        features = np.append(features, worst)


def _solve_dual(A: Matrix, y: Signs, C: float) -> L1Machine:
    """Solve the dual program; both labels occur.

    The products A.T @ a are variables with bounds, which halves the number of constraints.
    Presolve is off: it simplifies nothing for dense matrices, and takes as long as the
    solver.  Each feature is scaled by its largest entry, because HiGHS treats entries
    below 1e-9 as 0.
    """
    from scipy.optimize import linprog
    from scipy.sparse import block_array, csc_array, eye_array

    n, d = A.shape
    unit = np.maximum(np.abs(A).max(axis=0), 1e-300)
    result = linprog(
        np.repeat([-1.0, 0.0], [n, d]),
        A_eq=block_array([[csc_array((A / unit).T), -eye_array(d)], [y[None, :], None]]),
        b_eq=np.zeros(d + 1),
        bounds=[(0.0, C)] * n + [(-1 / u, 1 / u) for u in unit],
        method="highs-ds",
        options={"presolve": False},
    )
    if result.x is None:  # a = 0 gives only the bound 0, so the relative gap is 1
        return L1Machine(w=np.zeros(d), b=float(np.sign(y.sum())), a=np.zeros(n))
    # Marginals of the bounds: exactly 0 where a bound is not active, unlike those of rows
    w = -(result.lower.marginals + result.upper.marginals)[n:] / unit
    return L1Machine(w=w, b=-float(result.eqlin.marginals[d]), a=result.x[:n])
