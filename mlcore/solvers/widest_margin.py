"""The widest margin, from the points of two convex hulls that are nearest to each other."""

import numpy as np

from mlcore.arrays import EPS, Matrix, Signs, Vector

NO_MARGIN = 1e-12  # what is below this part of the data's size is rounding
NOTHING = 1e-13  # a distance that counts as 0, where coordinates are of size 1
ACCURACY = 1e-10  # of a distance, relative, unless rounding allows less


def widest_margin(X: Matrix, y: Signs, bias: bool) -> tuple[Vector, float, float, Vector]:
    """Find the hyperplane of `max_margin`, which `hard_margin` scales otherwise.

    X, y  (n, d) examples and (n,) labels, both of which occur if there is a bias
    bias  whether the hyperplane may miss the origin

    Returns w (d,) of length 1, b, the margin, and the weights (n,) of the nearest point:
    of the hull of y_i x_i without bias, of the differences between the two classes with
    it.  If no hyperplane separates, w, b and the margin are 0.
    """
    center = X.mean(axis=0) if bias else np.zeros(X.shape[1])
    Z = X - center
    Z *= y[:, None]
    size = max(Z.max(), -Z.min()) or 1.0
    Z /= size
    classes = [y > 0, y < 0] if bias else [y != 0]
    Q, R = np.linalg.qr(Z.T) if Z.shape[1] > len(Z) else (None, Z.T)
    w, parts = nearest_to_origin([R.T[rows] for rows in classes])
    w = w if Q is None else Q @ w  # the answer lies in the span of the rows
    w = w / (np.linalg.norm(w) or 1.0)
    weights = np.empty(len(y))
    for rows, part in zip(classes, parts, strict=True):
        weights[rows] = part
    lowest = [(Z[rows] @ w).min() for rows in classes]
    margin = size * np.mean(lowest)
    rounding = len(center) * EPS * np.abs(center).max()
    if margin <= max(NO_MARGIN * size, rounding):
        return np.zeros(X.shape[1]), 0.0, 0.0, weights
    middle = size * (lowest[0] - lowest[-1]) / 2  # between the classes, from center
    b = float(-middle - w @ center) if bias else 0.0
    return w, b, float(margin), weights


def nearest_to_origin(hulls: list[Matrix]) -> tuple[Vector, list[np.ndarray]]:
    """Find the point p of a sum of convex hulls that is nearest to the origin.

    hulls  one or more matrices (n_k, d); the hulls of their rows are added.  Entries
           of size about 1

    Returns w = p / |p|**2 (d,), the shortest w with w @ v >= 1 at every vertex v of
    the sum; then for each hull its convex weights (n_k,), with which the rows add up
    to p.  A distance |p| below about 1e-13 counts as 0, and then w is only noise.
    Source: Wolfe (1976), with his corral in an orthonormal basis.
    """
    # One more coordinate, the same tiny one everywhere, keeps the origin outside.
    last = np.full((1, 1), NOTHING / len(hulls))
    longer = [np.hstack([H, last.repeat(len(H), axis=0)]) for H in hulls]
    d = longer[0].shape[1]
    w, corral, seen = np.zeros(d), Corral(d), set()
    name, v = _lowest_vertex(longer, sum(H.mean(axis=0) for H in longer))
    while np.linalg.norm(w) < 0.5 / NOTHING:  # d vertices bring it to 1 / NOTHING
        slack = max(ACCURACY, 16 * EPS * d * np.linalg.norm(w))
        if v @ w >= 1 - slack or name in corral.names:
            break
        corral.add(name, v)
        w = corral.settle(slack / 4)
        if frozenset(corral.names) in seen:  # exact arithmetic never comes back
            break
        seen.add(frozenset(corral.names))
        name, v = _lowest_vertex(longer, w)
    rows = np.array(corral.names).T
    parts = [
        np.bincount(i, weights=corral.a, minlength=len(H))
        for i, H in zip(rows, hulls, strict=True)
    ]
    return w[:-1], parts


def _lowest_vertex(hulls: list[Matrix], w: Vector) -> tuple[tuple[int, ...], Vector]:
    """The vertex of the sum where w is lowest: its rows' numbers, its coordinates."""
    name = tuple(int((H @ w).argmin()) for H in hulls)
    return name, sum(H[i] for i, H in zip(name, hulls, strict=True))


class Corral:
    """Vertices whose convex hull has its nearest point to the origin inside.

    names and a (k,) are the vertices and their convex weights; the first k rows of V are
    the vertices themselves.  V.T = Q.T @ R with orthonormal rows in Q, and S is the
    inverse of R: adding or dropping a vertex costs k * d operations.
    """

    def __init__(self, d: int):
        self.names: list[tuple[int, ...]] = []
        self.a = np.empty(0)
        self.V, self.Q, self.S = np.zeros((3, d, d))

    def parts(self):
        k = len(self.names)
        return self.V[:k], self.Q[:k], self.S[:k, :k]

    def settle(self, slack: float) -> Vector:
        """Move to the nearest point of the affine hull, and drop what is in the way.

        Returns the shortest w with V @ w = 1, up to slack.
        """
        u, w = self.nearest(slack)
        while u.min() <= 0:  # walk from a to u, as far as the weights stay positive
            steps = np.where(u <= 0, self.a / np.maximum(self.a - u, 1e-300), np.inf)
            out = int(steps.argmin())
            self.a = self.a + steps[out] * (u - self.a)
            self.drop(out)
            u, w = self.nearest(slack)
        self.a = u
        return w

    def add(self, name: tuple[int, ...], v: Vector) -> None:
        (_, Q, S), k = self.parts(), len(self.names)
        along = Q @ v
        rest = v - along @ Q
        again = Q @ rest  # once more: the first time leaves rounding behind
        rest, along = rest - again @ Q, along + again
        height = np.linalg.norm(rest)
        self.V[k], self.Q[k], self.a = v, rest / height, np.append(self.a, 0.0)
        self.S[:k, k], self.S[k, :k], self.S[k, k] = S @ along / -height, 0.0, 1 / height
        self.names.append(name)

    def drop(self, j: int) -> None:
        """Mirror the direction that only vertex j needs to the last place; cut it."""
        V, Q, S = self.parts()
        h = S[j] / np.linalg.norm(S[j])
        h[-1] += np.copysign(1.0, h[-1])
        h *= np.sqrt(2) / np.linalg.norm(h)
        S -= np.outer(S @ h, h)
        Q -= np.outer(h, h @ Q)
        S[j:-1], V[j:-1], self.a = S[j + 1 :], V[j + 1 :], np.delete(self.a, j)
        del self.names[j]

    def nearest(self, slack: float) -> tuple[Vector, Vector]:
        """Weights (sum 1, any sign) of the affine hull's nearest point; V @ w = 1."""
        V, Q, S = self.parts()
        t = S.sum(axis=0)
        if np.abs(V @ (t @ Q) - 1).max() > slack:  # the updates have drifted
            columns, R = np.linalg.qr(V.T)
            Q[:], S[:] = columns.T, np.linalg.inv(R)
            t = S.sum(axis=0)
            t += (1 - V @ (t @ Q)) @ S  # one step of refinement, as below
        u = S @ t
        u += S @ (t - Q @ (u @ V))
        return u / u.sum(), t @ Q
