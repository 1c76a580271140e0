"""The soft margin from its support vectors, once the interior point shows which they are.

Where they are known the minimum is the solution of linear equations; where they are not,
the best pair that was met is rid of what rounding left.
"""

import numpy as np
from numpy.typing import NDArray

from mlcore.arrays import EPS, Vector
from mlcore.solvers.soft_margin_problem import Iterate, Problem, Solution

STRICTLY = 1e-6  # how far from its bound what may not attain it has to be
ROUNDING = 16 * EPS  # of a score, as a part of |x| |w|


def _sides(problem: Problem, now: Iterate) -> tuple[Vector, NDArray[np.intp]]:
    """The duals, put to 0 or to the top where they go there, and the others' numbers.

    Of a_i and z_i - 1, and of top - a_i and 1 - z_i, the one goes to 0 that is smaller
    by now.
    """
    (a, room), margin = now.duals, (now.z - 1) / problem.reach
    size = (a * problem.reach).max() / problem.reach
    zero, full = a / size < margin, room / size < -margin
    a = np.where(full, problem.top, np.where(zero, 0.0, a))
    return a, np.flatnonzero(~(zero | full))


def from_support(problem: Problem, now: Iterate, steps: int) -> Solution | None:
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
    u, v = np.zeros(k), np.append(r[problem.w], [0.0] * b)
    for _ in range(3):  # once, and twice for what rounding has left
        left = np.append(z - rows @ v, -r[len(r) - b :] - u @ rows[:, len(r) - b :])
        try:
            move = np.linalg.solve(K, left)
        except np.linalg.LinAlgError:
            return None
        u += move[:k]
        v += np.append(move[:k] @ F, move[k:])
        if (rows @ v >= 1 / short).all():
            break
    a[on] = u / short
    most = np.minimum(problem.top[on], a[on].max())
    inside = np.minimum(a[on], problem.top[on] - a[on]) > STRICTLY * most
    away = np.abs(problem.A @ v - 1) > STRICTLY * problem.reach
    away[on] = True
    if not (away.all() and inside.any()):
        return None
    return problem.judged(v, a, steps)


def best_found(problem: Problem, best: Iterate, steps: int) -> Solution:
    """The best iterate, its duals put to 0 and the top if that is as good."""
    sides, _ = _sides(problem, best)
    snapped, raw = (problem.judged(best.v, a, steps) for a in (sides, best.duals[0]))
    if snapped.gap > 1e-9 * snapped.primal:
        return raw
    at_ends = ((sides == 0) | (sides == problem.top)).all()
    if not (problem.bias and at_ends):
        return snapped
    return problem.judged(_in_the_middle(problem, best.v, sides), sides, steps)


def _in_the_middle(problem: Problem, v: Vector, a: Vector) -> Vector:
    """Of all b that are as good, where every a_i is 0 or at its top, the middle.

    Those are the b with z_i >= 1 where a_i is 0, and z_i <= 1 where it is at its top.
    """
    b = problem.A[:, -1]
    room = (1 - problem.A @ v) / b
    above = (b > 0) == (a > 0)
    return np.append(v[:-1], v[-1] + (room[above].min() + room[~above].max()) / 2)
