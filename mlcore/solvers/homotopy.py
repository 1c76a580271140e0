"""Exact minimizers of |y - X w|**2 / 2 + t |w|_1, followed along a line in s.

In `follow` s is t itself, which decreases from the largest t of interest; in `minimize` the
linear term of the objective changes.  Between knots, where a feature enters or leaves the
active set, w is linear in s.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mlcore.arrays import Matrix, Vector
from mlcore.solvers.l1_penalty import soft_threshold

JITTER = 1e-10  # relative ridge, which makes systems with equal columns nonsingular
KNOT_TOL = 1e-12  # knots closer than this, relative to the first, are one knot
REFACTOR_TOL = 1e-11  # rounding error of the correlations, relative to the first
POWER_STEPS = 10  # steps of the power method
PROXIMAL_STEPS = 100  # the most in `minimize`
STABLE_STEPS = 4  # proximal steps with the same active set after which it seems to stay


class Knots(NamedTuple):
    """The knots t (T,), decreasing, and W (T, d): w at each knot."""

    t: Vector
    W: Matrix


def follow(X: Matrix, y: Vector, until: float) -> Knots:
    """Minimize |y - X w|**2 / 2 + t |w|_1 for all t from max |X.T y| down to `until`.

    X, y   (n, d) and (n,), centered if there is a bias
    until  the t at which to stop, at least 0; not reached with too many knots

    At each knot one feature enters or leaves the active set.
    Source: Osborne, Presnell and Turlach (2000); Efron and others (2004), section 3.1.
    """
    active = ActiveSet(X, X.T @ y)
    first = active.largest
    knots, weights = [first], [np.zeros(X.shape[1])]
    for t, w in _knots(active, first, until):
        if knots[-1] - t > KNOT_TOL * first or t == until:
            knots.append(t)
            weights.append(w)
    return Knots(t=np.array(knots), W=np.array(weights))


def minimize(X: Matrix, y: Vector, t: float) -> Vector:
    """Minimize |y - X w|**2 / 2 + t |w|_1 for one t, as `follow`; returns w (d,).

    Proximal steps lead to some w, and the correlations g = X.T @ (y - X w).  At the minimum
    g is t sign(w) where w is not 0, and at most t in size elsewhere.  With X.T @ y + e in
    place of X.T @ y, w is the minimum if g + e has these values.  Then e moves to 0: if w
    was a good approximation, few features enter or leave.
    Source: Osborne, Presnell and Turlach (2000), for a line in t in place of X.T @ y.
    """
    active = ActiveSet(X, X.T @ y)
    w = _proximal_steps(active, t)
    g = active.c - active.times(w)
    e = np.where(w != 0, t * np.sign(w), np.clip(g, -t, t)) - g
    size = float(np.abs(e).max()) or 1.0
    active.restart(w, e / size, t)
    *_, (_, w) = _knots(active, size, 0.0)
    return w


def _proximal_steps(active: "ActiveSet", t: float) -> Vector:
    """Take accelerated proximal gradient steps until the active set seems to stay.

    As `mlcore.lasso.fista`, with steps for features divided by their lengths.
    """
    squares = active.ridge / JITTER
    squares[squares == 0] = 1.0
    x, L = active.c, 1.0
    for _ in range(POWER_STEPS):  # L approaches the largest eigenvalue of G / squares
        x = x / (np.sqrt(x @ (squares * x)) or 1.0)
        Gx = active.times(x)
        L, x = float(x @ Gx), Gx / squares
    step = 1 / (1.1 * (L or 1.0) * squares)
    w, v, stable = np.zeros(len(x)), np.zeros(len(x)), 0
    for i in range(PROXIMAL_STEPS):
        new = soft_threshold(v + step * (active.c - active.times(v)), step * t)
        stable = stable + 1 if np.array_equal(new != 0, w != 0) else 0
        v, w = new + i / (i + 3) * (new - w), new
        if stable == STABLE_STEPS:
            break
    return w


def _knots(active: "ActiveSet", s: float, until: float) -> Iterator[tuple[float, Vector]]:
    """Move s down to `until`; yield s and the minimizer (d,) at each knot."""
    first = s
    for _ in range(100 + 20 * min(active.X.shape)):
        if s <= until:
            break
        s, j, enters = _next_knot(active, s)
        s = s if s > max(until, KNOT_TOL * first) else until
        w = active.weights(s)
        if s > until and enters:
            active.add(j, float(np.sign(active.u[j] + s * active.v[j])))
        elif s > until:
            w[active.features[j]] = 0.0
            active.drop(j)
        yield s, w
        # u is h signs for the active features, up to rounding
        error = np.abs(active.u[active.features] - active.h * active.signs)
        if error.max(initial=0.0) > REFACTOR_TOL * active.largest:
            active.refactor()


def between(knots: Vector, values: Matrix, points) -> Matrix:
    """Interpolate the columns of values, given at decreasing knots, at other points."""
    columns = [np.interp(-np.asarray(points), -knots, column) for column in values.T]
    return np.stack(columns, axis=1)


def _next_knot(active: "ActiveSet", s: float) -> tuple[float, int, bool]:
    """Find the largest s up to the present one where a feature enters or leaves.

    Returns s, an index, and True if feature j enters, False if active feature i leaves.
    A correlation u + s v reaches a bound +-(h + s k) as s decreases only from inside: the
    sign of the slope decides, even in a tie, where it is there already.
    """
    slope = active.k - np.sign(active.u) * active.v
    slope[slope <= JITTER] = np.inf
    enter = np.minimum((np.abs(active.u) - active.h) / slope, s)
    enter[active.features] = -np.inf
    j = int(enter.argmax())
    leave = np.full(len(active.features), -np.inf)  # where a weight p - s q is 0
    np.divide(active.p, active.q, out=leave, where=active.signs * active.q < 0)
    i = int(np.minimum(leave, s).argmax()) if len(leave) else -1
    if len(leave) and min(leave[i], s) >= enter[j]:
        return min(float(leave[i]), s), i, False
    return float(enter[j]), j, True


class ActiveSet:
    """The active features A with their signs, and all lines up to the next knot.

    With G = X.T @ X and c = X.T @ y, w minimizes

        w @ G @ w / 2 - (c + s e) @ w + (h + s k) |w|_1

    where e = 0, h = 0 and k = 1 in `follow`; k = 0 in `minimize`.  The weights of A are
    p - s q, and the correlations c + s e - G @ w of all features are u + s v, which is
    (h + s k) signs for A.  With a root, root.T @ root = inv(G_AA), adding or dropping one
    of m active features costs m**2 operations and one product with G, where a linear
    system would cost m**3.
    """

    def __init__(self, X: Matrix, c: Vector):
        self.X, self.c, self.largest = X, c, float(np.abs(c).max())
        self.G = X.T @ X if X.shape[1] <= len(X) else None  # would be larger than X
        squares = np.einsum("ij,ij->j", X, X) if self.G is None else self.G.diagonal()
        self.ridge = JITTER * squares
        self.e, self.h, self.k = np.zeros(len(c)), 0.0, 1.0
        self.features = np.empty(0, dtype=int)
        self.signs, self.p, self.q = np.empty((3, 0))
        self.buffer = np.zeros((32, 32))  # the root, with space to grow
        self.u, self.v = c.copy(), np.zeros(len(c))

    @property
    def root(self) -> Matrix:
        return self.buffer[: len(self.features), : len(self.features)]

    def times(self, w: Vector) -> Vector:
        """Compute G @ w."""
        Gw = self.X.T @ (self.X @ w) if self.G is None else self.G @ w
        return Gw + self.ridge * w

    def full(self, z: Vector) -> Vector:
        """Compute w (d,) from the weights z of the active features."""
        w = np.zeros(len(self.c))
        w[self.features] = z
        return w

    def weights(self, s: float) -> Vector:
        """Compute the minimizer (d,) for this s."""
        values = self.p - s * self.q
        values[values * self.signs < 0] = 0.0  # wrong signs are rounding error at a knot
        return self.full(values)

    def add(self, j: int, sign: float) -> None:
        """Add feature j with the given sign."""
        A = self.features
        g = self.X[:, A].T @ self.X[:, j] if self.G is None else self.G[A, j]
        square = self.ridge[j] * (1 + 1 / JITTER)
        r = self.root @ g
        # the squared norm of the part of x_j orthogonal to the active features
        rest = max(square - r @ r, JITTER * square)
        z = np.append(-r @ self.root, 1.0)  # G z is 0 for all active features but j
        m = len(A)
        if m == len(self.buffer):
            self.buffer = np.pad(self.buffer, (0, m))
        self.buffer[:m, m], self.buffer[m, : m + 1] = 0.0, z / np.sqrt(rest)
        self.features, self.signs = np.append(A, j), np.append(self.signs, sign)
        self.p, self.q = np.append(self.p, 0.0), np.append(self.q, 0.0)
        u, v = self.u[j] - self.h * sign, self.v[j] - self.k * sign
        self._move(z, u / rest, -v / rest)

    def drop(self, i: int) -> None:
        """Drop the i-th active feature, whose weight has become 0."""
        m = self.root[:, i].copy()
        z = m @ self.root  # G z is 0 for all active features but the i-th
        self._move(z, -self.p[i] / z[i], -self.q[i] / z[i])
        # A reflection moves column i of the root into its last row, which is dropped
        m[-1] += np.copysign(np.sqrt(z[i]), m[-1])
        root = self.root - np.outer(m * (2 / (m @ m)), m @ self.root)
        stay = np.arange(len(z)) != i
        self.buffer[: len(z) - 1, : len(z) - 1] = root[:-1, stay]
        self.features, self.signs = self.features[stay], self.signs[stay]
        self.p, self.q = self.p[stay], self.q[stay]

    def _move(self, z: Vector, a: float, b: float) -> None:
        """Add a z to p and b z to q."""
        Gz = self.times(self.full(z))
        self.p, self.q = self.p + a * z, self.q + b * z
        self.u, self.v = self.u - a * Gz, self.v + b * Gz

    def refactor(self) -> None:
        """Recompute everything, without the rounding errors of the updates."""
        from scipy.linalg.lapack import dtrtri

        A, m = self.features, len(self.features)
        G = self.X[:, A].T @ self.X[:, A] if self.G is None else self.G[np.ix_(A, A)]
        G.flat[:: m + 1] += self.ridge[A]
        if m > len(self.buffer):
            self.buffer = np.zeros((m + 32, m + 32))
        if m > 0:
            self.root[:] = dtrtri(np.linalg.cholesky(G), lower=1)[0]
        self.p = (self.root @ (self.c[A] - self.h * self.signs)) @ self.root
        self.q = (self.root @ (self.k * self.signs - self.e[A])) @ self.root
        self.u = self.c - self.times(self.full(self.p))
        self.v = self.e + self.times(self.full(self.q))

    def restart(self, w: Vector, e: Vector, h: float) -> None:
        """Start from the minimizer w for other e and h, and k = 0."""
        self.e, self.h, self.k = e, h, 0.0
        self.features = np.flatnonzero(w)
        self.signs = np.sign(w[self.features])
        self.refactor()
