"""The hard margin, from the nearest points of two convex hulls (Wolfe's algorithm)."""

from typing import NamedTuple

import numpy as np

from mlcore.arrays import EPS, Matrix, Signs, Vector, to_row_space

MARGIN_TOL = 1e-12  # a margin below this fraction of the size of the data is rounding error
TINY_DIST = 1e-13  # a distance that counts as 0, for coordinates of size 1
DIST_TOL = 1e-10  # relative accuracy of the distance, unless rounding allows less


class MaxMarginHyperplane(NamedTuple):
    """The separating hyperplane with the largest margin, scaled to |w| = 1.

    w, b, margin  all 0 if no hyperplane separates
    weights       (n,) convex weights of the nearest point of the hull of y_i x_i; with a
                  bias, of the two nearest points of the hulls of the classes
    """

    w: Vector
    b: float
    margin: float
    weights: Vector


def max_margin_hyperplane(X: Matrix, y: Signs, bias: bool) -> MaxMarginHyperplane:
    """Find the separating hyperplane with the largest margin.

    X, y  (n, d) examples and (n,) labels; with a bias both labels occur
    bias  if False, the hyperplane passes through the origin
    """
    center = X.mean(axis=0) if bias else np.zeros(X.shape[1])
    Z = X - center
    Z *= y[:, None]
    size = max(Z.max(), -Z.min()) or 1.0
    Z /= size
    classes = [y > 0, y < 0] if bias else [y != 0]
    U, lift = to_row_space(Z)
    u, parts = nearest_to_origin([U[rows] for rows in classes])
    w = lift(u / (np.linalg.norm(u) or 1.0))
    weights = np.empty(len(y))
    for rows, part in zip(classes, parts, strict=True):
        weights[rows] = part
    lowest = [(Z[rows] @ w).min() for rows in classes]
    margin = size * np.mean(lowest)
    rounding = len(center) * EPS * np.abs(center).max()
    if margin <= max(MARGIN_TOL * size, rounding):
        return MaxMarginHyperplane(np.zeros(X.shape[1]), b=0.0, margin=0.0, weights=weights)
    middle = size * (lowest[0] - lowest[-1]) / 2  # between the classes, from center
    b = float(-middle - w @ center) if bias else 0.0
    return MaxMarginHyperplane(w, b=b, margin=float(margin), weights=weights)


def nearest_to_origin(hulls: list[Matrix]) -> tuple[Vector, list[np.ndarray]]:
    """Find the point p of a Minkowski sum of convex hulls that is nearest to the origin.

    hulls  one or more matrices (n_k, d): the convex hulls of their rows are added.  Entries
           of size about 1

    Returns w = p / |p|**2 (d,), the shortest w with w @ v >= 1 for every vertex v of the
    sum; then for each hull the convex weights (n_k,) of its summand of p.  A distance |p|
    below about 1e-13 counts as 0, and then w is only rounding error.
    Source: Wolfe (1976), with his corral in an orthonormal basis.
    """
    # One more coordinate, tiny and equal in all rows, keeps the origin outside the sum.
    last = np.full((1, 1), TINY_DIST / len(hulls))
    lifted = [np.hstack([H, last.repeat(len(H), axis=0)]) for H in hulls]
    d = lifted[0].shape[1]
    w, corral, visited = np.zeros(d), Corral(d), set()
    vertex, v = _lowest_vertex(lifted, sum(H.mean(axis=0) for H in lifted))
    while np.linalg.norm(w) < 0.5 / TINY_DIST:  # for d vertices |w| may be 1 / TINY_DIST
        tol = max(DIST_TOL, 16 * EPS * d * np.linalg.norm(w))
        if v @ w >= 1 - tol or vertex in corral.vertices:
            break
        corral.add(vertex, v)
        w = corral.minor_cycle(tol / 4)
        if frozenset(corral.vertices) in visited:  # a corral repeats only by rounding
            break
        visited.add(frozenset(corral.vertices))
        vertex, v = _lowest_vertex(lifted, w)
    pairs = zip(np.array(corral.vertices).T, hulls, strict=True)
    weights = [np.bincount(i, weights=corral.a, minlength=len(H)) for i, H in pairs]
    return w[:-1], weights


def _lowest_vertex(hulls: list[Matrix], w: Vector) -> tuple[tuple[int, ...], Vector]:
    """Minimize w @ v over the vertices v of the sum; return the row in each hull, and v."""
    vertex = tuple(int((H @ w).argmin()) for H in hulls)
    return vertex, sum(H[i] for i, H in zip(vertex, hulls, strict=True))


class Corral:
    """Vertices such that the point of their hull nearest to the origin is in its interior.

    vertices, a  the k vertices and their convex weights (k,)

    The first k rows of V are the coordinates of the vertices.  V.T = Q.T @ R with
    orthonormal rows in Q, and S is the inverse of R: changing a vertex costs k * d.
    """

    def __init__(self, d: int):
        self.vertices: list[tuple[int, ...]] = []
        self.a = np.empty(0)
        self.V, self.Q, self.S = np.zeros((3, d, d))

    def active(self) -> tuple[Matrix, Matrix, Matrix]:
        """Return views of the parts of V, Q and S that are in use."""
        k = len(self.vertices)
        return self.V[:k], self.Q[:k], self.S[:k, :k]

    def minor_cycle(self, tol: float) -> Vector:
        """Move to the nearest point of the affine hull, dropping vertices on the boundary.

        Returns the shortest w with V @ w = 1, up to tol.
        """
        u, w = self.affine_minimizer(tol)
        while u.min() <= 0:  # move from a toward u while all weights are positive
            steps = np.where(u <= 0, self.a / np.maximum(self.a - u, 1e-300), np.inf)
            out = int(steps.argmin())
            self.a = self.a + steps[out] * (u - self.a)
            self.drop(out)
            u, w = self.affine_minimizer(tol)
        self.a = u
        return w

    def add(self, vertex: tuple[int, ...], v: Vector) -> None:
        """Add a vertex with weight 0 (Gram-Schmidt, applied twice against rounding)."""
        (_, Q, S), k = self.active(), len(self.vertices)
        along = Q @ v
        rest = v - along @ Q
        again = Q @ rest
        rest, along = rest - again @ Q, along + again
        height = np.linalg.norm(rest)
        self.V[k], self.Q[k], self.a = v, rest / height, np.append(self.a, 0.0)
        self.S[:k, k], self.S[k, :k], self.S[k, k] = S @ along / -height, 0.0, 1 / height
        self.vertices.append(vertex)

    def drop(self, j: int) -> None:
        """Drop vertex j, after moving the direction that it alone spans to the last row."""
        V, Q, S = self.active()
        h = S[j] / np.linalg.norm(S[j])
        h[-1] += np.copysign(1.0, h[-1])
        h *= np.sqrt(2) / np.linalg.norm(h)
        S -= np.outer(S @ h, h)  # Householder reflection: |h|**2 = 2
        Q -= np.outer(h, h @ Q)
        S[j:-1], V[j:-1], self.a = S[j + 1 :], V[j + 1 :], np.delete(self.a, j)
        del self.vertices[j]

    def affine_minimizer(self, tol: float) -> tuple[Vector, Vector]:
        """Find weights (sum 1, any sign) of the nearest point of the affine hull, and w."""
        V, Q, S = self.active()
        t = S.sum(axis=0)
        if np.abs(V @ (t @ Q) - 1).max() > tol:  # too much rounding from the updates
            columns, R = np.linalg.qr(V.T)
            Q[:], S[:] = columns.T, np.linalg.inv(R)
            t = S.sum(axis=0)
            t += (1 - V @ (t @ Q)) @ S  # iterative refinement, as below
        u = S @ t
        u += S @ (t - Q @ (u @ V))
        return u / u.sum(), t @ Q
