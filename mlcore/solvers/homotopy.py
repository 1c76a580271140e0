"""The path of the lasso, exact: straight between its knots, so these are all of it."""

import numpy as np

from mlcore.arrays import Matrix, Vector

RIDGE = 1e-10  # relative; without it copied columns make a singular system
SAME = 1e-12  # a knot this near, relative to the first, counts as the same
DRIFT = 1e-11  # rounding of the products, relative to the first, that is let pass


def follow(X: Matrix, y: Vector, until: float) -> tuple[Vector, Matrix]:
    """All knots of the minima of |y - X w|**2 / 2 + t |w|_1 for t from max |X.T y| down.

    X, y   (n, d) and (n,), centered, or not if there is no bias
    until  the t at which to stop, at least 0

    At each knot one feature joins the active set or leaves it.

    Returns t (T,), falling to `until` unless the knots are too many, and w (T, d).
    Source: Osborne, Presnell and Turlach (2000); Efron and others (2004), section 3.1.
    """
    active = ActiveSet(X, X.T @ y)
    t = first = float(np.abs(active.c).max())
    knots, weights = [t], [np.zeros(X.shape[1])]
    for _ in range(100 + 20 * min(X.shape)):
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
        if np.abs(active.u[active.features]).max(initial=0.0) > DRIFT * first:
            active.solve()
    return np.array(knots), np.array(weights)


def between(knots: Vector, values: Matrix, wanted) -> Matrix:
    """What is linear between falling knots, at other points."""
    columns = [np.interp(-np.asarray(wanted), -knots, column) for column in values.T]
    return np.stack(columns, axis=1)


def _next_knot(active: "ActiveSet", t: float) -> tuple[float, int, bool]:
    """The largest t up to the present one where a feature joins, or one of A leaves.

    A product meets +t or -t on the way down only if it gets there from inside: the
    sign of the slope says so, even where it is there already (a tie).
    """
    slope = 1 - np.sign(active.u) * active.v
    slope[slope <= RIDGE] = np.inf
    meets = np.minimum(np.abs(active.u) / slope, t)
    meets[active.features] = -np.inf
    j = int(meets.argmax())
    zero = np.full(len(active.features), -np.inf)
    np.divide(active.p, active.q, out=zero, where=active.signs * active.q < 0)
    i = int(np.minimum(zero, t).argmax()) if len(zero) else -1
    if len(zero) and min(zero[i], t) >= meets[j]:
        return min(float(zero[i]), t), i, False
    return float(meets[j]), j, True


class ActiveSet:
    """The active features A with their signs s, and the straight lines between two knots.

    The products X_A.T @ (y - X w) are t s, so the weights are p - t q, and the products
    of all features u + t v.  With root.T @ root = inverse of G_AA, G = X.T @ X, a feature
    that joins or leaves costs k**2 operations and one product with G; a system, k**3.
    """

    def __init__(self, X: Matrix, c: Vector):
        self.X, self.c = X, c
        self.G = X.T @ X if X.shape[1] <= len(X) else None  # else it would be too large
        self.ridge = RIDGE * np.einsum("ij,ij->j", X, X)
        self.features = np.empty(0, dtype=int)
        self.signs, self.p, self.q = np.empty((3, 0))
        self.room = np.zeros((32, 32))  # the root, and place for it to grow
        self.u, self.v = c.copy(), np.zeros(len(c))

    @property
    def root(self) -> Matrix:
        return self.room[: len(self.features), : len(self.features)]

    def times(self, z: Vector) -> Vector:
        """G @ w for the weights z of the active features."""
        w = np.zeros(len(self.c))
        w[self.features] = z
        Gw = self.X.T @ (self.X @ w) if self.G is None else self.G @ w
        return Gw + self.ridge * w

    def weights(self, t: float) -> Vector:
        """The minimum (d,) for this t."""
        values = self.p - t * self.q
        values[values * self.signs < 0] = 0.0  # at the end of its segment, up to rounding
        w = np.zeros(len(self.c))
        w[self.features] = values
        return w

    def join(self, j: int, sign: float) -> None:
        """Let feature j become active, with this sign."""
        A = self.features
        g = self.X[:, A].T @ self.X[:, j] if self.G is None else self.G[A, j]
        square = self.ridge[j] * (1 + 1 / RIDGE)
        r = self.root @ g
        left = max(square - r @ r, RIDGE * square)  # what the others leave of x_j
        z = np.append(-r @ self.root, 1.0)  # G z is 0 for all active features but j
        k = len(A)
        if k == len(self.room):
            self.room = np.pad(self.room, (0, k))
        self.room[:k, k], self.room[k, : k + 1] = 0.0, z / np.sqrt(left)
        self.features, self.signs = np.append(A, j), np.append(self.signs, sign)
        self.p, self.q = np.append(self.p, 0.0), np.append(self.q, 0.0)
        self._move(z, self.u[j] / left, (sign - self.v[j]) / left)

    def leave(self, i: int) -> None:
        """Let the i-th active feature become 0."""
        m = self.root[:, i].copy()
        z = m @ self.root  # G z is 0 for all active features but this
        self._move(z, -self.p[i] / z[i], -self.q[i] / z[i])
        # A reflection turns column i of the root to its last row, which then goes
        m[-1] += np.copysign(np.sqrt(z[i]), m[-1])
        root = self.root - np.outer(m * (2 / (m @ m)), m @ self.root)
        stay = np.arange(len(z)) != i
        self.room[: len(z) - 1, : len(z) - 1] = root[:-1, stay]
        self.features, self.signs = self.features[stay], self.signs[stay]
        self.p, self.q = self.p[stay], self.q[stay]

    def _move(self, z: Vector, a: float, b: float) -> None:
        """Add a z to p and b z to q."""
        h = self.times(z)
        self.p, self.q = self.p + a * z, self.q + b * z
        self.u, self.v = self.u - a * h, self.v + b * h

    def solve(self) -> None:
        """Compute all anew, without the rounding of all changes."""
        A = self.features
        G = self.X[:, A].T @ self.X[:, A] if self.G is None else self.G[np.ix_(A, A)]
        G = G + np.diag(self.ridge[A])
        self.root[:] = np.linalg.inv(np.linalg.cholesky(G))
        self.p, self.q = np.linalg.solve(G, np.array([self.c[A], self.signs]).T).T
        self.u = self.c - self.times(self.p)
        self.v = self.times(self.q)
