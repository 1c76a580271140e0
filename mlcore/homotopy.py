"""The path of the lasso, exact: straight between its knots, so these are all of it."""

from collections.abc import Callable

import numpy as np

from mlcore.arrays import Matrix, Vector

RIDGE = 1e-10  # relative; without it copied columns make a singular system
SAME = 1e-12  # a knot this near, relative to the first, counts as the same


def follow(
    column: Callable, c: Vector, until: float, most: int
) -> tuple[Vector, Matrix, bool]:
    """All knots of the minima of |y - X w|**2 / 2 + t |w|_1 for t from max |c| down.

    column  column(j) is X.T @ x_j, (d,)
    c       (d,) X.T @ y
    until   the t at which to stop, at least 0
    most    steps before giving up; most of them end at a new knot

    At each knot one feature joins the active set A or leaves it.  Between two knots
    the active products x_j @ (y - X w) are t s_j with fixed signs s, so w is p - t q,
    and those of the others are u + t v.

    Returns t (T,), w (T, d) and whether the end was reached.
    Source: Osborne, Presnell and Turlach (2000); Efron and others (2004), section 3.1.
    """
    d = len(c)
    t, active, signs = float(np.abs(c).max()), [], np.zeros(d)
    rows = np.empty((0, d))  # column(j) for each active j
    knots, weights = [t], [np.zeros(d)]
    for _ in range(most):
        if t <= until:
            break
        p, q = _lines(rows, active, c, signs)
        u, v = c - p @ rows, q @ rows
        t, j, joins = _next_knot(t, active, signs, p, q, u, v)
        t = t if t > max(until, SAME * knots[0]) else until
        w = np.zeros(d)
        w[active] = p - t * q
        w[w * signs < 0] = 0.0  # at the end of its segment, up to rounding
        if t > until:
            if joins:
                active.append(j)
                signs[j] = 1.0 if u[j] + t * v[j] > 0 else -1.0
                rows = np.vstack([rows, column(j)])
            else:
                rows = np.delete(rows, active.index(j), axis=0)
                active.remove(j)
                w[j] = signs[j] = 0.0
        if knots[-1] - t > SAME * knots[0] or t == until:
            knots.append(t)
            weights.append(w)
    return np.array(knots), np.array(weights), t <= until


def _lines(rows: Matrix, active: list, c: Vector, signs: Vector):
    """The p, q of the active weights p - t q."""
    G = rows[:, active]
    G.flat[:: len(active) + 1] *= 1 + RIDGE
    right = np.stack([c[active], signs[active]], axis=1)
    return np.linalg.solve(G, right).T


def _next_knot(t, active, signs, p, q, u, v) -> tuple[float, int, bool]:
    """The largest t up to the present one where a feature joins or leaves.

    A product meets +t or -t on the way down only if it gets there from inside: the
    sign of the denominator says so, even where it is there already (a tie).
    """
    with np.errstate(all="ignore"):
        up = np.where(1 - v > RIDGE, u / (1 - v), -np.inf)
        down = np.where(1 + v > RIDGE, -u / (1 + v), -np.inf)
        meets = np.minimum(np.maximum(up, down), t)
        shrinks = signs[active] * q < 0
        zero = np.where(shrinks, np.minimum(p / q, t), -np.inf)
    meets[active] = -np.inf
    j = int(meets.argmax())
    if active and zero.max() >= meets[j]:
        i = int(zero.argmax())
        return float(zero[i]), active[i], False
    return float(meets[j]), j, True
