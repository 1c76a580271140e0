"""Data as promised: with a known margin, or a known best rule.

They are without unit, need a seed, and always hold both classes.
"""

import numpy as np

from mlcore import checks
from mlcore.arrays import Seed, Signs
from mlcore.data.dataset import Dataset, Separable

CLASSES = "negative", "positive"
SIZE = 10**8  # numbers in X at most: 800 MB


def separable(n: int, d: int, *, margin: float, rng: Seed) -> Separable:
    """Examples on both sides of a random hyperplane, none nearer to it than `margin`.

    n, d    number of examples, at least 2, and of features, at least 1
    margin  from 0.001 to 1000; parallel to the hyperplane the data have deviation 1
    rng     seed or Generator

    Returns the data with `w_star`, `b_star`.  No hyperplane has a larger margin: two
    examples, one of each class, face each other at the distance 2 margin.
    Raises ValueError for a number outside its range.
    """
    y, rng = _start(n, d, rng)
    margin = checks.number("margin", margin, at_least=1e-3, at_most=1e3)
    w = rng.standard_normal(d)
    w /= np.linalg.norm(w)
    b = rng.uniform(-1, 1)
    X = rng.standard_normal((n, d))
    height = margin + np.abs(rng.standard_normal(n))
    minus, plus = np.argmin(y), np.argmax(y)
    X[minus] = X[plus]
    height[[minus, plus]] = margin
    X += np.outer(y * height - b - X @ w, w)  # now w @ x + b = y * height
    names = _names(d)
    return Separable(X, y, names, CLASSES, "separable", w, b, margin)


def overlapping(n: int, d: int, *, separation: float, rng: Seed) -> Dataset:
    """Two normal clouds of deviation 1 whose centers are `separation` apart.

    n, d        as for `separable`; the two classes differ by at most one example
    separation  from 0 to 1000, in standard deviations
    rng         seed or Generator

    The centers are -c and +c with c = (1, ..., 1) separation / (2 sqrt(d)), so that no rule
    errs less than sgn(x1 + ... + xd), with probability Phi(-separation / 2).
    Raises ValueError for a number outside its range.
    """
    y, rng = _start(n, d, rng)
    separation = checks.number("separation", separation, at_least=0.0, at_most=1e3)
    X = rng.standard_normal((n, d)) + y[:, None] * separation / (2 * np.sqrt(d))
    return Dataset(X, y, _names(d), CLASSES, "overlapping")


def ring(n: int, *, rng: Seed) -> Dataset:
    """A disc (+1) of radius 1 inside a ring (-1) of radii 1.5 and 2.5, in the plane.

    n, rng  as for `overlapping`

    Uniform in both.  The circle of radius 1.25 separates them, no line does unless n is
    small.
    Raises ValueError for a number outside its range.
    """
    y, rng = _start(n, 2, rng)
    share = rng.random(n)  # of the area: the radius grows as its root
    radius = np.sqrt(np.where(y > 0, share, 1.5**2 + share * (2.5**2 - 1.5**2)))
    angle = rng.uniform(0, 2 * np.pi, n)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Dataset(X, y, _names(2), ("ring", "disc"), "ring")


def parity(n: int, d: int = 2, *, rng: Seed) -> Dataset:
    """Points of the cube [-1, 1]**d; the label is the product of the signs (XOR).

    n, d, rng  as for `overlapping`

    Uniform, without zeros.  Any d - 1 of the features say nothing about the label.
    Raises ValueError for a number outside its range.
    """
    y, rng = _start(n, d, rng)
    size = 1 - rng.random((n, d))  # in (0, 1]
    signs = rng.choice([-1.0, 1.0], size=(n, d))
    signs[:, -1] *= y * signs.prod(axis=1)
    classes = ("product < 0", "product > 0")
    return Dataset(size * signs, y, _names(d), classes, "parity")


def _start(n: int, d: int, rng: Seed) -> tuple[Signs, np.random.Generator]:
    """Labels, half of them -1, in random order; and the generator."""
    d = checks.integer("d", d, at_least=1, at_most=SIZE // 2)
    n = checks.integer("n", n, at_least=2, at_most=SIZE // d)
    rng = checks.rng("rng", rng)
    return rng.permutation(np.where(np.arange(n) < n // 2, -1.0, 1.0)), rng


def _names(d: int) -> tuple[str, ...]:
    return tuple(f"x{j + 1} (no unit)" for j in range(d))
