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
    d, k = len(c), 0
    t, signs = float(np.abs(c).max()), np.zeros(d)
    active, rows = np.empty(16, dtype=int), np.empty((16, d))  # k of each are in use
    knots, weights = [t], [np.zeros(d)]
    for _ in range(most):
        if t <= until:
            break
        A, R = active[:k], rows[:k]
        p, q = _lines(R[:, A], c[A], signs[A])
        u, v = c - p @ R, q @ R
        t, j, joins = _next_knot(t, A, signs[A], p, q, u, v)
        t = t if t > max(until, SAME * knots[0]) else until
        w = np.zeros(d)
        w[A] = p - t * q
        w[w * signs < 0] = 0.0  # at the end of its segment, up to rounding
        if t > until and joins:
            if k == len(rows):
                active, rows = np.tile(active, 2), np.tile(rows, (2, 1))
            active[k], rows[k] = j, column(j)
            signs[j] = 1.0 if u[j] + t * v[j] > 0 else -1.0
            k += 1
        elif t > until:
            keep = j != A
            k -= 1
            active[:k], rows[:k] = A[keep], R[keep]
            w[j] = signs[j] = 0.0
        if knots[-1] - t > SAME * knots[0] or t == until:
            knots.append(t)
            weights.append(w)
    return np.array(knots), np.array(weights), t <= until


def between(knots: Vector, values: Matrix, wanted) -> Matrix:
    """What is linear between falling knots, at other points."""
    wanted = np.clip(wanted, knots[-1], knots[0])
    right = np.clip(np.searchsorted(-knots, -wanted), 1, max(len(knots) - 1, 1))
    if len(knots) == 1:
        return np.repeat(values, len(wanted), axis=0)
    share = (knots[right - 1] - wanted) / (knots[right - 1] - knots[right])
    return values[right - 1] + share[:, None] * (values[right] - values[right - 1])


def _lines(G: Matrix, c: Vector, signs: Vector) -> Matrix:
    """The p, q of the active weights p - t q."""
    G.flat[:: len(G) + 1] *= 1 + RIDGE
    return np.linalg.solve(G, np.array([c, signs]).T).T


def _next_knot(t, active, signs, p, q, u, v) -> tuple[float, int, bool]:
    """The largest t up to the present one where a feature joins or leaves.

    A product meets +t or -t on the way down only if it gets there from inside: the
    sign of the denominator says so, even where it is there already (a tie).
    """
    with np.errstate(all="ignore"):
        inside, outside = 1 - v, 1 + v
        up = np.where(inside > RIDGE, u / inside, -np.inf)
        down = np.where(outside > RIDGE, -u / outside, -np.inf)
        meets = np.minimum(np.maximum(up, down), t)
        zero = np.where(signs * q < 0, np.minimum(p / q, t), -np.inf)
    meets[active] = -np.inf
    j = int(meets.argmax())
    if len(active) and zero.max() >= meets[j]:
        i = int(zero.argmax())
        return float(zero[i]), int(active[i]), False
    return float(meets[j]), j, True
