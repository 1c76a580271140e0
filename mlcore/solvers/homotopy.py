"""The lasso path: the minimizers of |y - X w|**2 / 2 + t |w|_1, from the largest t down.

At each knot a feature enters or leaves the active set; between knots w is linear in t.
"""

from typing import NamedTuple

import numpy as np

from mlcore.arrays import Matrix, Vector
from mlcore.solvers.l1_penalty import JITTER

# Fractions of |x_j| |y|, the largest possible knot of feature j:
KNOT_TOL = 1e-12  # knots closer than this are one knot
REFACTOR_TOL = 1e-11  # refactor if the rounding error of a correlation is larger
BASE_KNOTS, KNOTS_PER_FEATURE = 100, 20  # at most 100 + 20 min(n, d) knots


class Knots(NamedTuple):
    """The knots t (T,), decreasing, and W (T, d): w at each knot."""

    t: Vector
    W: Matrix


def follow_path(X: Matrix, y: Vector, until: float) -> Knots:
    """Minimize |y - X w|**2 / 2 + t |w|_1 for all t from max |X.T y| down to `until`.

    X, y   (n, d) and (n,), centered if there is a bias
    until  the t at which to stop, at least 0; not reached after 100 + 20 min(n, d) knots

    At each knot one feature enters or leaves the active set.
    Source: Osborne, Presnell and Turlach (2000); Efron and others (2004), section 3.1.
    """
    active = ActiveSet(X, X.T @ y)
    size = np.linalg.norm(y) * np.sqrt(active.squares)
    t = float(np.abs(active.c).max())
    knots, weights = [t], [np.zeros(X.shape[1])]
    for _ in range(BASE_KNOTS + KNOTS_PER_FEATURE * min(X.shape)):
        if t <= until:
            break
        t, j, enters = _next_knot(active, t, KNOT_TOL * size)
        t = max(t, until)
        changed = j if enters else active.features[j]
        w = active.weights(t)
        if t > until and enters:
            active.add(j, float(np.sign(active.u[j] + t * active.v[j])))
        elif t > until:
            w[active.features[j]] = 0.0
            active.drop(j)
        if knots[-1] - t > KNOT_TOL * size[changed] or t == until:
            knots.append(t)
            weights.append(w)
        A = active.features  # where u is 0, up to rounding
        if (np.abs(active.u[A]) > REFACTOR_TOL * size[A]).any():
            active.refactor()
    return Knots(t=np.array(knots), W=np.array(weights))


def _next_knot(active: "ActiveSet", t: float, noise: Vector) -> tuple[float, int, bool]:
    """Find the largest t, up to the current one, where a feature enters or leaves.

    noise  (d,) rounding errors of u: a feature with a smaller u does not enter

    Returns t, an index, and True if feature j enters, False if active feature i leaves.
    As t decreases, a correlation u + t v reaches a bound +-t only if `slope` > 0.  This
    also decides ties, where the correlation is already at the bound.
    """
    slope = 1.0 - np.sign(active.u) * active.v
    slope[slope <= JITTER] = np.inf
    enter = np.minimum(np.abs(active.u) / slope, t)
    enter[active.features], enter[np.abs(active.u) <= noise] = -np.inf, -np.inf
    j = int(enter.argmax())
    leave = np.full(len(active.features), -np.inf)  # where a weight p - t q is 0
    np.divide(active.p, active.q, out=leave, where=active.signs * active.q < 0)
    leave = np.minimum(leave, t)
    if len(leave) and leave.max() >= enter[j]:
        i = int(leave.argmax())
        return float(leave[i]), i, False
    return float(enter[j]), j, True


class ActiveSet:
    """The active features A with their signs, and all numbers that are linear in t.

    With G = X.T @ X and c = X.T @ y, w minimizes w @ G @ w / 2 - c @ w + t |w|_1.  The
    weights of A are p - t q, and the correlations c - G @ w of all features are u + t v,
    which is t * signs for A.  With an inverse square root of G_AA, root.T @ root =
    inv(G_AA), adding or dropping one of m active features costs m**2 operations and one
    product with G, where a linear system would cost m**3.
    """

    def __init__(self, X: Matrix, c: Vector):
        self.X, self.c = X, c
        self.G = X.T @ X if X.shape[1] <= len(X) else None  # would be larger than X
        squares = np.einsum("ij,ij->j", X, X) if self.G is None else self.G.diagonal()
        self.squares, self.ridge = squares, JITTER * squares
        self.features = np.empty(0, dtype=int)
        self.signs, self.p, self.q = np.empty((3, 0))
        self.buffer = np.zeros((32, 32))  # the root, with space to grow
        self.u, self.v = c.copy(), np.zeros(len(c))

    @property
    def root(self) -> Matrix:
        return self.buffer[: len(self.features), : len(self.features)]

    def times(self, w: Vector) -> Vector:
        """Compute (G + diag(ridge)) @ w."""
        Gw = self.X.T @ (self.X @ w) if self.G is None else self.G @ w
        return Gw + self.ridge * w

    def scatter(self, z: Vector) -> Vector:
        """Compute w (d,) from the weights z of the active features."""
        w = np.zeros(len(self.c))
        w[self.features] = z
        return w

    def weights(self, t: float) -> Vector:
        """Compute the minimizer (d,) for this t."""
        values = self.p - t * self.q
        values[values * self.signs < 0] = 0.0  # wrong signs are rounding error at a knot
        return self.scatter(values)

    def add(self, j: int, sign: float) -> None:
        """Add feature j with the given sign."""
        A = self.features
        g = self.X[:, A].T @ self.X[:, j] if self.G is None else self.G[A, j]
        square = self.squares[j] + self.ridge[j]
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
        self._move(z, self.u[j] / rest, (sign - self.v[j]) / rest)

    def drop(self, i: int) -> None:
        """Drop the i-th active feature, whose weight has become 0."""
        column = self.root[:, i].copy()
        z = column @ self.root  # G z is 0 for all active features but the i-th
        self._move(z, -self.p[i] / z[i], -self.q[i] / z[i])
        # A reflection moves column i of the root into its last row, which is dropped
        column[-1] += np.copysign(np.sqrt(z[i]), column[-1])
        factor = 2 / (column @ column)
        root = self.root - np.outer(factor * column, column @ self.root)
        stay = np.arange(len(z)) != i
        self.buffer[: len(z) - 1, : len(z) - 1] = root[:-1, stay]
        self.features, self.signs = self.features[stay], self.signs[stay]
        self.p, self.q = self.p[stay], self.q[stay]

    def _move(self, z: Vector, a: float, b: float) -> None:
        """Add a z to p and b z to q."""
        Gz = self.times(self.scatter(z))
        self.p, self.q = self.p + a * z, self.q + b * z
        self.u, self.v = self.u - a * Gz, self.v + b * Gz

    def refactor(self) -> None:
        """Recompute everything, without the rounding errors of the updates."""
        A = self.features
        G = self.X[:, A].T @ self.X[:, A] if self.G is None else self.G[np.ix_(A, A)]
        G.flat[:: len(A) + 1] += self.ridge[A]
        self.root[:] = np.linalg.inv(np.linalg.cholesky(G))
        self.p = (self.root @ self.c[A]) @ self.root
        self.q = (self.root @ self.signs) @ self.root
        self.u = self.c - self.times(self.scatter(self.p))
        self.v = self.times(self.scatter(self.q))
