"""The L1-SVM with squared hinge: Newton's method on the pieces where it is quadratic."""

from itertools import count

import numpy as np

from mlcore.arrays import Matrix, Vector

MOST_NEW = 16  # features that may join in a step, or as many as there are
FLAT = 1e-10  # what is added to the Hessian, relative: a piece may be flat


def minimize(A: Matrix, v: Vector, C: float, max_steps: int, tol: float):
    """Minimize |w|_1 + C sum_i max(0, 1 - A v)_i**2 from v on, w being v but its last.

    A          (n, d + 1) rows y_i (x_i, 1), features of size at most 1
    v          (d + 1,) where to start, the bias last
    C          weight of the loss, above 0
    max_steps  Newton steps before giving up
    tol        the violation at which to stop

    Each step lets zeros join whose gradient beats the penalty, solves for the minimum
    with these signs and these examples with loss, and puts weights that would change
    their sign to 0.
    Returns v and its violation, the largest distance from 0 to the subdifferential.
    Source: Lee, Battle, Raina and Ng (2007), algorithm 1, for the square; here features
    join and leave many at a time.
    """
    z = A @ v
    value, before, best, least = _value(v, z, C), np.inf, v, np.inf
    for step in count():
        slopes = 2 * C * (np.maximum(1 - z, 0.0) @ A)  # minus the gradient of the loss
        violation = _violation(v, slopes)
        if violation < least:
            best, least = v, violation
        elif value >= before:  # rounding has the upper hand
            break
        if violation <= tol or step == max_steps:
            break
        before = value
        v, z, value = _step(A, v, z, slopes, C, value)
    return best, least


def _value(v: Vector, z: Vector, C: float) -> float:
    loss = np.maximum(1 - z, 0.0)
    return float(np.abs(v[:-1]).sum() + C * loss.dot(loss))


def _violation(v: Vector, slopes: Vector) -> float:
    off = np.where(v == 0, np.maximum(np.abs(slopes) - 1, 0.0), np.abs(slopes - np.sign(v)))
    off[-1] = abs(slopes[-1])
    return float(off.max())


def _step(A, v, z, slopes, C, value):
    """The next v, its z and its value, which is lower, but for rounding."""
    signs, used = _signs(v, slopes)
    S, old, s = A[:, used], v[used], signs[used]
    slope = slopes[used] - s
    change = _newton(S[z < 1], C, slope, np.where(old == 0, s, 0.0))
    new = old + change
    new[new * s < 0] = 0.0
    after = S @ new
    lower = _value(new, after, C)
    if lower > value - 1e-4 * (slope @ change):  # the minimum of another piece
        way = lowest(old, change, z, S @ change, C) * change
        new = old + way
        new[np.abs(new) <= 1e-12 * np.abs(way)] = 0.0  # it may end where one is 0
        after = S @ new
        lower = _value(new, after, C)
    v = np.zeros(len(v))
    v[used] = new
    return v, after, lower


def _newton(B: Matrix, C: float, slope: Vector, zeros: Vector) -> Vector:
    """The way to the minimum of a piece, without zeros that would take the other sign.

    zeros  the sign of each zero that may join, 0 for the others
    """
    H = 2 * C * B.T @ B
    H.flat[:: len(H) + 1] += FLAT * (H.max() or 1.0)
    change, inside = np.zeros(len(H)), np.arange(len(H))
    while True:
        change[inside] = np.linalg.solve(H[np.ix_(inside, inside)], slope[inside])
        wrong = change * zeros < 0
        if not wrong.any():
            return change
        change[wrong] = 0.0
        inside = inside[~wrong[inside]]


def lowest(v: Vector, change: Vector, z: Vector, rise: Vector, C: float) -> float:
    """The t where the objective of v + t change is least; its slope grows in pieces.

    Between two kinks, where a weight is 0 or an example gets to z = 1, the slope is
    linear; beyond the last it is not negative.  The bias comes last.
    """
    with np.errstate(all="ignore"):
        kinks = np.concatenate([-v[:-1] / change[:-1], (1 - z) / rise])
    ends = np.unique(kinks[(kinks > 0) & (kinks < np.inf)])
    if not len(ends):
        return 0.0
    low, high = 0, len(ends) - 1  # the piece with the minimum: from the one to the other
    while True:
        k = (low + high) // 2
        start, end = ends[k - 1] if k else 0.0, ends[k]
        middle = (start + end) / 2
        short = np.maximum(1 - z - middle * rise, 0.0)
        slope = np.sign(v + middle * change)[:-1] @ change[:-1] - 2 * C * (short @ rise)
        growth = 2 * C * (rise[short > 0] @ rise[short > 0])
        if low == high:
            least = middle - slope / growth if growth > 0 else start
            return float(np.clip(least, start, end))
        if slope + growth * (end - middle) >= 0:
            high = k
        else:
            low = k + 1


def _signs(v: Vector, slopes: Vector) -> tuple[Vector, Vector]:
    """The signs to keep, 0 for the bias, and the features that may be other than 0."""
    joins = (v == 0) & (np.abs(slopes) > 1)
    joins[-1] = False
    old, new = np.flatnonzero(v[:-1]), np.flatnonzero(joins)
    most = max(MOST_NEW, len(old))
    new = new[np.argsort(-np.abs(slopes[new]), kind="stable")[:most]]
    signs = np.zeros(len(v))
    signs[old], signs[new] = np.sign(v[old]), np.sign(slopes[new])
    return signs, np.concatenate([old, new, [len(v) - 1]])
