"""The soft margin of data in any unit: moved, scaled and turned for the interior point."""

import numpy as np

from mlcore.arrays import EPS, LARGEST, Matrix, Signs, Vector
from mlcore.options import check_number
from mlcore.solvers.interior_point import ENOUGH, solve_soft_margin
from mlcore.solvers.soft_margin_problem import Solution, usual
from mlcore.solvers.support_vectors import STRICTLY

PIVOTS = 20  # three to ten are usual
BLUR = 64 * EPS  # of the center: rows that are nearer to it may be copies of it
TAIL = 9.0  # an example of so many usual squared lengths has moved the mean


def least_soft_margin(
    X: Matrix, y: Signs, lambda_: float, bias: bool, s: Vector | float
) -> tuple[Vector, float, Solution, float]:
    """Find the least mean loss + lambda_ / 2 |w|**2.

    X, y  (n, d) examples and (n,) labels, both of which occur if there is a bias
    s     how often each example counts: (n,), above 0, with the mean 1; or 1.0

    Returns w, b, the solution and a unit: values divided by it are those of the mean
    loss, duals divided by unit * lambda_ those for which w = sum_i a_i y_i x_i.
    """
    n, d = X.shape
    rows = np.empty((n, d + bias))  # the only copy of X; the bias has its column there
    Z = rows[:, :d]
    center = X.mean(axis=0) if bias else np.zeros(d)
    size, squares = _scaled(X, center, Z)
    if bias and squares.max() > TAIL * np.median(squares):
        near = squares <= np.median(squares)  # their mean is one of the crowd
        center = near @ X / near.sum()
        size, squares = _scaled(X, center, Z)
    unit = size * size / lambda_
    check_number("max |X|**2 / lambda_", unit, at_least=1 / LARGEST)
    length = np.sqrt(usual(squares))
    if d > n:
        with np.errstate(all="ignore"):  # what is not finite is no answer
            answer = _by_pivots(Z, y, bias, np.broadcast_to(unit / n * s, n))
        if answer is None:
            answer = _in_row_space(Z, y, length * bias, unit / n, s)
        v, b, found = answer
    else:
        if bias:
            rows[:, -1] = length
        rows *= y[:, None]
        found = solve_soft_margin(rows, unit / n, bias, s)
        v, b = found.v[:d], found.v[d:].sum() * length
    w = v / size
    return w, float(b - w @ center), found, unit


def _scaled(X: Matrix, center: Vector, Z: Matrix) -> tuple[float, Vector]:
    """Put X less the center into Z, with entries of size 1; its squared lengths."""
    np.subtract(X, center, out=Z)
    size = float(max(Z.max(), -Z.min())) or 1.0
    Z /= size
    squares = np.einsum("ij,ij->i", Z, Z)
    blur = BLUR * float(np.abs(center).max()) / size
    squares[squares <= len(center) * blur**2] = 0.0
    return size, squares


def _by_pivots(Z, y, bias, top) -> tuple[Vector, float, Solution] | None:
    """The same for independent rows, n < d; None if that has not worked.

    The equations of the examples that are guessed to be on the margin, with their duals
    between 0 and the top, are solved, and all guesses exchanged that the solution
    contradicts.  In many dimensions most examples are on the margin, so that some
    solutions are enough.  Nothing says that it must end; what comes out is checked.
    Source: Portugal, Judice and Vicente (1994), for a problem with one bound.
    """
    n = len(y)
    K = Z @ Z.T
    if bias:  # no change where y @ a = 0, and makes rows of centered data independent
        K += K.diagonal().mean()
    on, full = np.ones(n, dtype=bool), np.zeros(n, dtype=bool)
    for step in range(1, PIVOTS + 1):
        u, b = np.where(full, y * top, 0.0), 0.0  # y * a
        sides = np.stack([y - K @ u, np.ones(n)], axis=1)[on]
        try:
            first, second = np.linalg.solve(K[np.ix_(on, on)], sides).T
        except np.linalg.LinAlgError:
            return None
        if bias:  # without an example on the margin b is nan, and that is no answer
            b = (first.sum() + u.sum()) / second.sum()
        u[on] = first - b * second
        a, z = y * u, y * (K @ u + b)
        low, high = on & (a <= 0), on & (a >= top)
        back = np.where(full, z > 1, z < 1) & ~on
        if not (low | high | back).any():
            w, b, found = _measured(Z, y, u @ Z, b, np.abs(u), top, step)
            balanced = not bias or abs(u.sum()) <= 1e-13 * np.abs(u).sum()
            proven = balanced and found.gap <= ENOUGH * found.primal
            return (w, b, found) if proven else None
        on, full = (on & ~(low | high)) | back, (full & ~back) | high
    return None


def _in_row_space(Z, y, length, C, s) -> tuple[Vector, float, Solution]:
    """The same for more features than examples, in coordinates of the span of the rows.

    w is a sum of rows, so it lies there.  Each row is right but for rounding of its own
    length: rows that nearly agree, or are far shorter than others, are sound.  With the
    largest features first, so is each feature.
    Source: Cox and Higham (1998).
    """
    n, bias = len(y), bool(length > 0)
    order = np.argsort(-np.abs(Z).max(axis=0))
    Q, R = np.linalg.qr(Z[:, order].T)
    rows = np.empty((n, n + bias))
    rows[:, :n] = R.T
    rows[:, n:] = length
    rows *= y[:, None]
    found = solve_soft_margin(rows, C, bias, s)
    w, b = np.empty(Z.shape[1]), found.v[n:].sum() * length
    w[order] = Q @ found.v[:n]
    return _measured(Z, y, w, b, found.a, C * s, found.steps)


def _measured(Z, y, w, b, a, top, steps) -> tuple[Vector, float, Solution]:
    """What holds for w, b and a with all features, and so is free of what led there.

    An example just below the margin, by rounding, may cost as much as all others: w and b
    are that much longer if the value is lower then.
    """
    z = y * (Z @ w + b)
    least = z[abs(z - 1) < STRICTLY].min(initial=1.0)

    def primal(up):
        return up * up * (w @ w) / 2 + (top * np.maximum(0.0, 1 - up * z)).sum()

    up = min(1.0, 1 / least, key=primal)
    value, r = primal(up), (y * a) @ Z
    w, b = up * w, float(up * b)
    return w, b, Solution(np.append(w, b), a, value, float(a.sum() - r @ r / 2), steps)
