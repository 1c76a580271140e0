"""Synthetic data with a known margin or a known optimal rule.

All features are dimensionless.  Both classes always occur.
"""

import numpy as np

from mlcore import checks
from mlcore.arrays import Seed, Signs
from mlcore.data.dataset import Dataset, Separable

CLASSES = "negative", "positive"
MAX_SIZE = 10**8  # entries of X, 800 MB


def separable(n: int, d: int, *, margin: float, rng: Seed) -> Separable:
    """Draw two classes separated by a random hyperplane with the given margin.

    n, d    number of examples, at least 2; number of features, at least 1
    margin  from 0.001 to 1000; the standard deviation along the hyperplane is 1
    rng     seed or Generator

    Returns the data with `w_star`, `b_star`.  No hyperplane has a larger margin, since two
    examples of different classes are at distance 2 margin.
    Raises ValueError for a number outside its range.
    """
    y, rng = _draw_labels(n, d, rng)
    margin = checks.number("margin", margin, at_least=1e-3, at_most=1e3)
    w = rng.standard_normal(d)
    w /= np.linalg.norm(w)
    b = rng.uniform(-1, 1)
    X = rng.standard_normal((n, d))
    distance = margin + np.abs(rng.standard_normal(n))
    minus, plus = np.argmin(y), np.argmax(y)
    X[minus] = X[plus]
    distance[[minus, plus]] = margin
    X += np.outer(y * distance - b - X @ w, w)  # so that w @ x + b = y * distance
    return Separable(X, y, _names(d), CLASSES, "separable", w, b, margin)


def overlapping(n: int, d: int, *, separation: float, rng: Seed) -> Dataset:
    """Draw two normal distributions whose means are `separation` apart.

    n, d        as for `separable`; the class sizes differ by at most one
    separation  from 0 to 1000, in standard deviations
    rng         seed or Generator

    The means are -c and +c with c = (1, ..., 1) separation / (2 sqrt(d)), the covariance is
    the identity.  The optimal rule is sgn(x1 + ... + xd), with the error probability
    Phi(-separation / 2).
    Raises ValueError for a number outside its range.
    """
    y, rng = _draw_labels(n, d, rng)
    separation = checks.number("separation", separation, at_least=0.0, at_most=1e3)
    X = rng.standard_normal((n, d)) + y[:, None] * separation / (2 * np.sqrt(d))
    return Dataset(X, y, _names(d), CLASSES, "overlapping")


def ring(n: int, *, rng: Seed) -> Dataset:
    """Draw a disc (+1) of radius 1 inside a ring (-1) of radii 1.5 and 2.5, in the plane.

    n, rng  as for `overlapping`

    Both distributions are uniform.  The circle of radius 1.25 separates the classes, but no
    line does unless n is small.
    Raises ValueError for a number outside its range.
    """
    y, rng = _draw_labels(n, 2, rng)
    area = rng.random(n)  # radius**2 is uniform
    radius = np.sqrt(np.where(y > 0, area, 1.5**2 + area * (2.5**2 - 1.5**2)))
    angle = rng.uniform(0, 2 * np.pi, n)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Dataset(X, y, _names(2), ("ring", "disc"), "ring")


def parity(n: int, d: int = 2, *, rng: Seed) -> Dataset:
    """Draw uniform points in the cube [-1, 1]**d, labeled by the product of signs (XOR).

    n, d, rng  as for `overlapping`

    The distribution is uniform; no coordinate is exactly 0.  Any d - 1 features are
    independent of the label.
    Raises ValueError for a number outside its range.
    """
    y, rng = _draw_labels(n, d, rng)
    magnitudes = 1 - rng.random((n, d))  # in (0, 1]
    signs = rng.choice([-1.0, 1.0], size=(n, d))
    signs[:, -1] *= y * signs.prod(axis=1)
    classes = ("product < 0", "product > 0")
    return Dataset(magnitudes * signs, y, _names(d), classes, "parity")


def _draw_labels(n: int, d: int, rng: Seed) -> tuple[Signs, np.random.Generator]:
    """Draw labels, half of them -1, in random order; also return the Generator."""
    d = checks.integer("d", d, at_least=1, at_most=MAX_SIZE // 2)
    n = checks.integer("n", n, at_least=2, at_most=MAX_SIZE // d)
    rng = checks.rng("rng", rng)
    return rng.permutation(np.where(np.arange(n) < n // 2, -1.0, 1.0)), rng


def _names(d: int) -> tuple[str, ...]:
    return tuple(f"x{j + 1} (no unit)" for j in range(d))
