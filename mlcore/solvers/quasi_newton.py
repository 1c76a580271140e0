"""Quasi-Newton steps: for a function whose Hessian costs far more than its gradient."""

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from mlcore.arrays import Vector
from mlcore.solvers.descent import Descent, descent, halved, tame

MEMORY = 10  # the steps that correct the rough Hessian
TRIAL = 10  # the steps after which their rate is judged


def quasi_newton(
    f: Callable,
    gradient: Callable,
    w: Vector,
    solve: Callable,
    bound: Callable,
    *,
    tol: float,
    aim: float,
    max_steps: int,
) -> Descent:
    """Seek the minimum of a convex f from w on, with a rough Hessian A.

    solve      solve(g) is A^-1 g
    bound      bound(w, g) >= f(w) - min f, for the quadratic model of f at w: it is to
               be at most tol, and is asked when the estimate by the steps is at most aim
    max_steps  given up is also a way that promises to be longer

    Source: Nocedal and Wright (2006), algorithms 7.4 and 7.5: BFGS, limited memory.
    """
    path, values, converged = [w], [f(w)], False
    pairs: deque[tuple] = deque(maxlen=MEMORY)
    g, scale, gaps = gradient(w), 1.0, []
    with np.errstate(all="ignore"):
        while True:
            p = _direction(g, pairs, solve, scale)
            gap = g @ p / 2  # of the quadratic model that the steps know
            gaps.append(gap)
            steps = len(path) - 1
            if gap <= aim:
                limit = bound(w, g)
                converged = bool(limit <= tol)
                aim = gap * np.clip(tol / limit, 0.01, 0.5)
            if converged or steps >= max_steps:
                break
            due = gaps[0] * (tol / gaps[0]) ** (steps / max_steps)
            if steps >= TRIAL and not gap <= due:
                break
            new, value = halved(f, w, p, 2 * gap, values[-1])
            if not tame(value, new):
                break
            slope = gradient(new)
            s, u = new - w, slope - g
            w, g = new, slope
            path.append(w)
            values.append(value)
            if s.dot(u) > 0:
                pairs.append((s, u, 1 / s.dot(u)))
                scale = s.dot(u) / u.dot(solve(u))
    return descent(path, values, converged)


def _direction(g: Vector, pairs: Sequence, solve: Callable, scale: float) -> Vector:
    """B g for the BFGS matrix B, which starts as scale A^-1 and learns B u = s."""
    p, shares = g.copy(), []
    for s, u, rho in reversed(pairs):
        shares.append(rho * s.dot(p))
        p -= shares[-1] * u
    p = scale * solve(p)
    for s, u, rho in pairs:
        p += (shares.pop() - rho * u.dot(p)) * s
    return p
