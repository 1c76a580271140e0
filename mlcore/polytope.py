"""The point of a polytope that is nearest to the origin (Wolfe 1976)."""

from collections.abc import Callable

import numpy as np

from mlcore.arrays import Matrix, Vector

# vertex(p) gives the name and the coordinates of the vertex that minimizes p @ v
Vertex = Callable[[Vector], tuple[tuple[int, ...], Vector]]


def nearest_to_origin(vertex: Vertex, d: int) -> tuple[Vector, dict]:
    """Find the point of smallest norm in the convex hull of the vertices.

    vertex  the oracle; d the number of coordinates, of size about 1

    Returns the point p (d,) and its convex weights, {name of a vertex: weight}.
    Source: Wolfe (1976), finding the nearest point in a polytope.
    """
    name, p = vertex(np.zeros(d))
    names, S, a = [name], p[None], np.ones(1)  # the corral, and its weights
    while True:
        name, v = vertex(p)
        if p @ v >= p @ p - 1e-14 * np.abs(v).max() * np.abs(p).max() or name in names:
            return p, dict(zip(names, a, strict=True))
        names, S, a = [*names, name], np.vstack([S, v]), np.append(a, 0.0)
        names, S, a = _shrunk(names, S, a)
        if a @ S @ (a @ S) >= p @ p:  # no progress beyond rounding
            return p, dict(zip(names, a, strict=True))
        p = a @ S


def _shrunk(names: list, S: Matrix, a: Vector) -> tuple[list, Matrix, Vector]:
    """Move to the nearest point of the affine hull; drop vertices met at the border."""
    while True:
        target = _affine_minimizer(S)
        inside = target > 1e-14
        if inside.all():
            return names, S, target
        leaving = np.flatnonzero(~inside)
        steps = a[leaving] / np.maximum(a[leaving] - target[leaving], 1e-300)
        a = a + min(1.0, steps.min()) * (target - a)
        a[leaving[steps.argmin()]] = 0.0
        keep = a > 1e-14
        names = [name for name, kept in zip(names, keep, strict=True) if kept]
        S, a = S[keep], a[keep] / a[keep].sum()


def _affine_minimizer(S: Matrix) -> Vector:
    """Weights with sum 1, of any sign, of the point of smallest norm."""
    steps = (S[1:] - S[0]).T
    rest = np.linalg.lstsq(steps, -S[0], rcond=None)[0]
    return np.append(1.0 - rest.sum(), rest)
