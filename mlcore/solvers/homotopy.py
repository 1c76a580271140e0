"""The path of the lasso, exact: straight between its knots, so these are all of it."""

import numpy as np

from mlcore.arrays import Matrix, Vector
from mlcore.solvers.active_set import RIDGE, ActiveSet, Columns, Gram

SAME = 1e-12  # a knot this near, relative to the first, counts as the same
DRIFT = 1e-11  # rounding of the products, relative to the first, that is let pass


def follow(
    products: Gram | Columns, c: Vector, until: float, most: int
) -> tuple[Vector, Matrix, bool]:
    """All knots of the minima of |y - X w|**2 / 2 + t |w|_1 for t from max |c| down.

    products  X.T @ X
    c         (d,) X.T @ y
    until     the t at which to stop, at least 0
    most      steps before giving up; most of them end at a new knot

    At each knot one feature joins the active set or leaves it.

    Returns t (T,), w (T, d) and whether the end was reached.
    Source: Osborne, Presnell and Turlach (2000); Efron and others (2004), section 3.1.
    """
    t = first = float(np.abs(c).max())
    active = ActiveSet(products, c)
    knots, weights = [t], [np.zeros(len(c))]
    for _ in range(most):
        if t <= until:
            break
        t, j, joins = _next_knot(active, t)
        t = t if t > max(until, SAME * first) else until
        w = active.weights(t)
        if t > until and joins:
            active.join(j, float(np.sign(active.u[j] + t * active.v[j])))
        elif t > until:
            w[active.features[j]] = 0.0
            active.leave(j)
        if knots[-1] - t > SAME * first or t == until:
            knots.append(t)
            weights.append(w)
        if active.drift() > DRIFT * first:
            active.solve()
    return np.array(knots), np.array(weights), t <= until


def between(knots: Vector, values: Matrix, wanted) -> Matrix:
    """What is linear between falling knots, at other points."""
    wanted = np.clip(wanted, knots[-1], knots[0])
    right = np.maximum(np.searchsorted(-knots, -wanted), 1)
    if len(knots) == 1:
        return np.repeat(values, len(wanted), axis=0)
    share = (knots[right - 1] - wanted) / (knots[right - 1] - knots[right])
    return values[right - 1] + share[:, None] * (values[right] - values[right - 1])


def _next_knot(active: ActiveSet, t: float) -> tuple[float, int, bool]:
    """The largest t up to the present one where a feature joins, or one of A leaves.

    A product meets +t or -t on the way down only if it gets there from inside: the
    sign of the slope says so, even where it is there already (a tie).
    """
    slope = 1 - np.sign(active.u) * active.v
    slope[slope <= RIDGE] = np.inf
    meets = np.minimum(np.abs(active.u) / slope, t)
    meets[active.features] = -np.inf
    j = int(meets.argmax())
    if active.k:
        zero = np.full(active.k, -np.inf)
        np.divide(active.p, active.q, out=zero, where=active.signs * active.q < 0)
        i = int(np.minimum(zero, t, out=zero).argmax())
        if zero[i] >= meets[j]:
            return float(zero[i]), i, False
    return float(meets[j]), j, True
