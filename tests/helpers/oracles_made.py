"""Oracles for points, and for data made as promised; see oracles.py."""

from fractions import Fraction

import numpy as np
from oracles import exact

from mlcore import data, features, geometry, separation


def of_foot(foot, w, b):
    w, b = exact(w), Fraction(b)
    wanted = -b * w / (w @ w)
    tiny = Fraction(1e-14) * abs(wanted) + Fraction(1e-300)
    yield "-b w / |w|**2", abs(exact(foot) - wanted), tiny


def of_augment(more, X, constant):
    yield "the same features", more[:, :-1] != X, 0
    yield "a constant one", more[:, -1] != constant, 0


def rank(rows) -> int:
    """Of fractions, by elimination."""
    rows, found = rows.copy(), 0
    for j in range(rows.shape[1]):
        at = np.flatnonzero(rows[found:, j])
        if len(at):
            rows[[found, found + at[0]]] = rows[[found + at[0], found]]
            below = rows[found + 1 :, j] / rows[found, j]
            rows[found + 1 :] -= np.outer(below, rows[found])
            found += 1
    return found


def of_shatters(answer, X):
    """Radon: just the affinely independent points are shattered."""
    E = exact(X)
    independent = rank(E[1:] - E[0]) == len(X) - 1
    yield "dependent points", answer and not independent, 0
    Z = X - (X.min(axis=0) / 2 + X.max(axis=0) / 2)
    Z = np.column_stack([Z / np.maximum(np.abs(Z).max(axis=0), 1e-250), np.ones(len(X))])
    sure = len(X) <= X.shape[1] + 1 and np.linalg.svd(Z)[1][-1] > 1e-5
    yield "independent points", sure and not answer, 0


def of_haar(phi, X, levels):
    """Each wavelet at each point, by its interval."""
    for row, wavelets in zip(exact(X), phi, strict=True):
        wanted = []
        for x in row:
            for level in range(levels):
                for k in range(2**level):
                    left = 0 <= 2 * (2**level * x - k) < 1
                    right = 1 <= 2 * (2**level * x - k) < 2
                    wanted.append((left - right) * 2 ** (level / 2))
        yield "steps", np.abs(wavelets - wanted), 1e-12


def balanced(made, n, d):
    n, d = int(n), int(d)
    yield "shape", made.X.shape != (n, d) or made.y.shape != (n,), 0
    yield "labels", set(made.y.tolist()) != {-1.0, 1.0}, 0
    yield "halves", abs(made.y.sum()), 1


def of_separable(made, n, d, margin, rng):
    """No example is nearer than the margin, and two that face each other are as near."""
    yield from balanced(made, n, d)
    X, y, w = made.X, made.y, made.w_star
    tiny = 1e-12 * (1 + np.abs(X).max() + margin) * d
    yield "length of w_star", abs(w @ w - 1), 1e-12
    z = y * (X @ w + made.b_star)
    yield "margin", abs(z.min() - margin), tiny
    near = min(np.linalg.norm(X[y < 0] - x, axis=1).min() for x in X[y > 0])
    yield "two face each other", abs(near - 2 * margin), tiny


def of_clouds(made, n, d, separation, rng):
    yield from balanced(made, n, d)
    center = made.y[:, None] * separation / 2 / d**0.5
    yield "around the centers", np.abs(made.X - center).max(), 9


def of_ring(made, n, rng):
    yield from balanced(made, n, 2)
    radius, tiny = np.hypot(*made.X.T), 1e-12
    yield "the disc", radius[made.y > 0] - 1, tiny
    yield "the ring", np.abs(radius[made.y < 0] - 2) - 0.5, tiny


def of_parity(made, n, d, rng):
    yield from balanced(made, n, d)
    yield "the cube", np.abs(made.X) - 1, 0
    yield "product of the signs", np.sign(made.X).prod(axis=1) != made.y, 0


def of_collinear(made, n, pairs, noise, rng):
    yield from balanced(made, n, 2 * int(pairs))
    X = made.X
    yield "clouds 2 apart", np.abs(X[:, ::2] - made.y[:, None] / pairs**0.5), 9
    yield "copies", np.abs(X[:, 1::2] - X[:, ::2]), 9 * noise + 1e-12 * noise


def of_microarray(made, n, d, informative, shift, rng):
    yield from balanced(made, n, d)
    places = list(made.informative)
    yield "as many", len(places) != informative, 0
    yield "rising", places != sorted(set(places) & set(range(d))), 0
    shifts = np.where(np.isin(np.arange(d), places), shift / 2, 0.0)
    yield "around the means", np.abs(made.X - np.outer(made.y, shifts)), 9


ORACLES = {
    geometry.foot_of_origin: of_foot,
    geometry.augment: of_augment,
    separation.shatters: of_shatters,
    features.haar: of_haar,
    data.separable: of_separable,
    data.overlapping: of_clouds,
    data.ring: of_ring,
    data.parity: of_parity,
    data.collinear: of_collinear,
    data.microarray: of_microarray,
}
