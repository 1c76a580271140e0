"""The point of a convex hull, or of a sum of hulls, that is nearest to the origin."""

import numpy as np

from mlcore.arrays import EPS, Matrix, Vector

NOTHING = 1e-13  # a distance that counts as 0, where coordinates are of size 1
ACCURACY = 1e-10  # of a distance, relative, unless rounding allows less
PIVOTS = 20  # three to ten are usual
PROVED = 1e-12  # of a squared distance: as near to the least as pivots have to come
CROWD = 20  # of each hull, that many points for each coordinate are looked at first


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
    tiny = NOTHING / len(hulls)
    d = hulls[0].shape[1] + 1
    w, corral, seen = np.zeros(d), Corral(d), set()
    crowd = _lowest_rows(hulls, tiny, sum(H.mean(axis=0) for H in hulls))
    while np.linalg.norm(w) < 0.5 / NOTHING:  # d vertices bring it to 1 / tiny
        slack = max(ACCURACY, 16 * EPS * d * np.linalg.norm(w))
        name, v = _lowest_vertex(crowd, w)
        if v @ w >= 1 - slack:  # none in the crowd: look at all rows
            crowd = _lowest_rows(hulls, tiny, w[:-1])
            name, v = _lowest_vertex(crowd, w)
        if v @ w >= 1 - slack or name in corral.names:
            break
        corral.add(name, v)
        w = corral.settle(slack / 4)
        if frozenset(corral.names) in seen:  # exact arithmetic never comes back
            break
        seen.add(frozenset(corral.names))
    rows = np.array(corral.names).T
    parts = [
        np.bincount(i, weights=corral.a, minlength=len(H))
        for i, H in zip(rows, hulls, strict=True)
    ]
    return w[:-1], parts


def nearest_by_pivots(
    rows: Matrix, cuts: list[int]
) -> tuple[Vector, list[np.ndarray]] | None:
    """Find the same for independent rows, d > n; None if that has not worked.

    rows, cuts  the only hull, and []; or two, and where the second begins

    The equations for the weights that are guessed to be above 0 are solved, and all
    guesses exchanged that the solution contradicts.  At first no weight is 0: in many
    dimensions few are, and some solutions replace a walk through a corral of nearly all
    rows.  Nothing says that it must end, so what comes out is checked.
    Source: Portugal, Judice and Vicente (1994).
    """
    hulls = np.split(rows, cuts)
    E = np.repeat(np.eye(len(hulls)), [len(H) for H in hulls], axis=0)
    G = rows @ rows.T
    if cuts:  # what sums of two rows never notice makes those of centered data independent
        side = E @ [1.0, -1.0]
        G += G.diagonal().mean() * np.outer(side, side)
    on = np.ones(len(G), dtype=bool)
    for _ in range(PIVOTS):
        a = np.zeros(len(G))
        try:
            B = np.linalg.solve(G[np.ix_(on, on)], E[on])
            squares = np.linalg.solve(E[on].T @ B, np.ones(len(hulls)))
        except np.linalg.LinAlgError:
            return None
        a[on] = B @ squares
        wrong = np.where(on, a <= 0, G @ a < E @ squares)
        if not wrong.any():
            break
        on ^= wrong
    p = a @ rows
    if a.min() < 0 or not 0 < (1 - PROVED) * (p @ p) <= sum((H @ p).min() for H in hulls):
        return None
    return p / (p @ p), np.split(a, cuts)


class Corral:
    """Vertices whose convex hull has its nearest point to the origin inside.

    names and a (k,) are the vertices and their convex weights; V (k, d) has them as
    rows.  V.T = Q @ R with orthonormal columns in Q, and S is the inverse of R: adding
    or dropping a vertex costs k * d operations.
    """

    def __init__(self, d: int):
        self.names: list[tuple[int, ...]] = []
        self.a = np.empty(0)
        self.V, self.Q, self.S = np.empty((0, d)), np.empty((d, 0)), np.eye(0)

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
        along = v @ self.Q
        rest = v - self.Q @ along
        again = rest @ self.Q  # once more: the first time leaves rounding behind
        rest, along = rest - self.Q @ again, along + again
        height, k = np.linalg.norm(rest), len(self.names)
        S = np.zeros((k + 1, k + 1))
        S[:k, :k], S[:k, k], S[k, k] = self.S, self.S @ along / -height, 1 / height
        self.S, self.Q = S, np.column_stack([self.Q, rest / height])
        self.V, self.a = np.vstack([self.V, v]), np.append(self.a, 0.0)
        self.names.append(name)

    def drop(self, j: int) -> None:
        """Mirror the direction that only vertex j needs to the last place; cut it."""
        h = self.S[j] / np.linalg.norm(self.S[j])
        h[-1] += np.copysign(1.0, h[-1])
        h *= np.sqrt(2) / np.linalg.norm(h)
        S = np.delete(self.S, j, axis=0)
        self.S = (S - np.outer(S @ h, h))[:, :-1]
        self.Q = (self.Q - np.outer(self.Q @ h, h))[:, :-1]
        self.V, self.a = np.delete(self.V, j, axis=0), np.delete(self.a, j)
        del self.names[j]

    def nearest(self, slack: float) -> tuple[Vector, Vector]:
        """Weights (sum 1, any sign) of the affine hull's nearest point; V @ w = 1."""
        u, w = self._solve()
        if np.abs(self.V @ w - 1).max() > slack:  # the updates have drifted
            self.Q, R = np.linalg.qr(self.V.T)
            self.S = np.linalg.inv(R)
            u, w = self._solve()
        return u, w

    def _solve(self):
        t = self.S.sum(axis=0)
        t += (1 - self.V @ (self.Q @ t)) @ self.S  # one step of refinement, as below
        u = self.S @ t
        u += self.S @ (t - (u @ self.V) @ self.Q)
        return u / u.sum(), self.Q @ t


def _lowest_rows(hulls, last, w):
    """Of each hull the rows where w is lowest, by number and by coordinates.

    They have one coordinate more, the same everywhere, which w need not know.
    """
    found = []
    for H in hulls:
        rows, most = np.arange(len(H)), CROWD * (len(w) + 1)
        if len(H) > most:
            rows = np.argpartition(H @ w, most)[:most]
        found.append((rows, np.column_stack([H[rows], np.full(len(rows), last)])))
    return found


def _lowest_vertex(crowd, w):
    """The vertex of the sum where w is lowest: its rows' numbers, its coordinates."""
    best = [int((H @ w).argmin()) for _, H in crowd]
    name = tuple(int(rows[i]) for i, (rows, _) in zip(best, crowd, strict=True))
    return name, sum(H[i] for i, (_, H) in zip(best, crowd, strict=True))
