"""The features of a lasso whose weights are not 0, kept up to date along its path."""

import numpy as np

from mlcore.arrays import Matrix, Vector

RIDGE = 1e-10  # relative; without it copied columns make a singular system


class Gram:
    """G = X.T @ X as a matrix: for no more features than examples."""

    def __init__(self, G: Matrix):
        self.G, self.width = G.copy(), len(G)
        self.G.flat[:: len(G) + 1] *= 1 + RIDGE

    def row(self, j: int) -> Vector:
        """What is kept of an active feature."""
        return self.G[j]

    def beside(self, rows: Matrix, features: Vector, j: int) -> tuple[Vector, float]:
        """The products of the active features with j, and of j with itself."""
        return self.G[j][features], float(self.G[j, j])

    def among(self, rows: Matrix, features: Vector) -> Matrix:
        return rows[:, features]

    def times(self, z: Vector, rows: Matrix, features: Vector) -> Vector:
        """G @ w for the weights z of the active features."""
        return z.dot(rows)


class Columns:
    """The same by way of X: for more features than examples, G would be too large."""

    def __init__(self, X: Matrix):
        self.X, self.width = X, len(X)
        self.ridge = RIDGE * np.einsum("ij,ij->j", X, X)

    def row(self, j: int) -> Vector:
        return self.X[:, j]

    def beside(self, rows: Matrix, features: Vector, j: int) -> tuple[Vector, float]:
        x = self.X[:, j]
        return rows.dot(x), float(x.dot(x) + self.ridge[j])

    def among(self, rows: Matrix, features: Vector) -> Matrix:
        return rows @ rows.T + np.diag(self.ridge[features])

    def times(self, z: Vector, rows: Matrix, features: Vector) -> Vector:
        h = z.dot(rows).dot(self.X)
        h[features] += self.ridge[features] * z
        return h


class ActiveSet:
    """The active features A with their signs s, and the straight lines between two knots.

    The products X_A.T @ (y - X w) are t s, so the weights are p - t q, and the products
    of all features u + t v.  With root.T @ root = inverse of G_AA a feature that joins
    or leaves costs k**2 + k d operations; a solution of the system costs k**3.
    """

    def __init__(self, products: Gram | Columns, c: Vector):
        self.products, self.c = products, c
        self.u, self.v = c.copy(), np.zeros(len(c))
        self._room: list[np.ndarray] = []
        self._make_room(16)
        self._set_size(0)

    def _make_room(self, size: int) -> None:
        """Arrays for so many active features."""
        old, width = self._room, self.products.width
        self._room = [np.empty(size, dtype=int), *np.empty((3, size))]
        self._room += [np.empty((size, width)), np.zeros((size, size))]
        for values, before in zip(self._room, old, strict=False):
            values[tuple(map(slice, before.shape))] = before

    def _set_size(self, k: int) -> None:
        self.k = k
        self.features, self.signs, self.p, self.q = (a[:k] for a in self._room[:4])
        self.rows, self.root = self._room[4][:k], self._room[5][:k, :k]

    def weights(self, t: float) -> Vector:
        """The minimum (d,) for this t."""
        values = self.p - t * self.q
        values[values * self.signs < 0] = 0.0  # at the end of its segment, up to rounding
        w = np.zeros(len(self.c))
        w[self.features] = values
        return w

    def join(self, j: int, sign: float) -> None:
        """Let feature j become active, with this sign."""
        k = self.k
        if k == len(self._room[0]):
            self._make_room(2 * k + 9)  # odd: rows a power of 2 apart share a cache line
        g, square = self.products.beside(self.rows, self.features, j)
        r = self.root.dot(g)
        z = np.append(-r.dot(self.root), 1.0)  # G z is 0 for all active features but j
        left = max(square - r.dot(r), RIDGE * square)  # what the others leave of x_j
        self._set_size(k + 1)
        self.features[k], self.signs[k], self.rows[k] = j, sign, self.products.row(j)
        self.p[k] = self.q[k] = 0.0
        self.root[k] = z / np.sqrt(left)
        self._move(z, self.u[j] / left, (sign - self.v[j]) / left)

    def leave(self, i: int) -> None:
        """Let the i-th active feature become 0."""
        m = self.root[:, i].copy()
        z = m.dot(self.root)  # G z is 0 for all active features but this
        self._move(z, -self.p[i] / z[i], -self.q[i] / z[i])
        # A reflection turns column i of the root to its last row, which then goes
        m[-1] += np.copysign(np.sqrt(z[i]), m[-1])
        self.root[...] -= np.multiply.outer(m * (2 / m.dot(m)), m.dot(self.root))
        last = self.k - 1  # takes the place of i
        for values in self.features, self.signs, self.p, self.q, self.rows, self.root.T:
            values[i] = values[last]
        self.root[last] = self.root[:, last] = 0.0
        self._set_size(last)

    def _move(self, z: Vector, a: float, b: float) -> None:
        """Add a z to p and b z to q."""
        self.p += a * z
        self.q += b * z
        h = self.products.times(z, self.rows, self.features)
        self.u -= a * h
        self.v += b * h

    def drift(self) -> float:
        """The largest of the active u: all are 0 but for the rounding of all changes."""
        return float(np.abs(self.u[self.features]).max(initial=0.0))

    def solve(self) -> None:
        """Compute all anew."""
        A = self.features
        G = self.products.among(self.rows, A)
        self.p[:], self.q[:] = np.linalg.solve(G, np.array([self.c[A], self.signs]).T).T
        self.root[...] = np.linalg.inv(np.linalg.cholesky(G))
        self.u = self.c - self.products.times(self.p, self.rows, A)
        self.v = self.products.times(self.q, self.rows, A)
