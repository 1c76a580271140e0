"""Data with two classes: three real sets that come with scikit-learn, and synthetic ones.

Every data set says what its features and its two labels mean.  The synthetic ones are
without unit, need a seed, and always hold both classes.
"""

from dataclasses import dataclass

import numpy as np

from mlcore.arrays import Matrix, Seed, Signs, Vector
from mlcore.checks import check_choice, check_integer, check_number, check_rng

PIXELS = 8  # a digit is 8 x 8 pixels
SIZE = 10**8  # numbers in a synthetic X at most: 800 MB


@dataclass(frozen=True, eq=False)
class Dataset:
    """Examples, labels, and what they mean.

    X         (n, d) features, one example a row
    y         (n,) labels, -1 or +1
    features  d names, each with its unit
    classes   what the labels -1 and +1 stand for
    name      of the data set
    """

    X: Matrix
    y: Signs
    features: tuple[str, ...]
    classes: tuple[str, str]
    name: str


@dataclass(frozen=True, eq=False)
class Separable(Dataset):
    """Data with the hyperplane that separates them best.

    w_star  (d,) its normal vector, of length 1, pointing to the class +1
    b_star  its bias: y_i (w_star @ x_i + b_star) >= margin for every i
    margin  the largest possible margin of these data
    """

    w_star: Vector
    b_star: float
    margin: float


def iris(
    *,
    negative: str = "setosa",
    positive: str = "versicolor",
    features: tuple[str, ...] | None = None,
) -> Dataset:
    """Flowers of two species of iris, 50 of each, measured in cm.

    negative  the species with the label -1: setosa, versicolor or virginica
    positive  the species with the label +1, another one
    features  names of columns to keep, such as "petal length (cm)"; None keeps all four

    Setosa is separable from the other two, versicolor from virginica is not.
    Raises ValueError for an unknown or repeated name.
    Source: Fisher (1936), as in scikit-learn.
    """
    from sklearn.datasets import load_iris

    bunch = load_iris()
    species = [str(name) for name in bunch.target_names]
    check_choice("negative", negative, species)
    check_choice("positive", positive, [name for name in species if name != negative])
    names = tuple(bunch.feature_names)
    features = names if features is None else _chosen(features, names)
    flowers = bunch.data[:, [names.index(name) for name in features]]
    labels = bunch.target_names[bunch.target]
    X, y = _two(flowers, labels, negative, positive)
    return Dataset(X, y, features, (negative, positive), "iris")


def breast_cancer() -> Dataset:
    """Cell nuclei in 569 images of breast tissue: +1 is malignant (212), -1 benign.

    Returns 30 features: the mean, the standard error ("error") and the mean of the
    three largest ("worst") of ten measures of the nuclei of an image.
    Source: Street, Wolberg and Mangasarian (1993), as in scikit-learn, whose labels are
    the other way round (1 is benign).  They measure lengths in pixels of the image.
    """
    from sklearn.datasets import load_breast_cancer

    units = {
        "radius": "pixels",
        "perimeter": "pixels",
        "area": "square pixels",
        "texture": "gray levels",
    }
    bunch = load_breast_cancer()
    features = []
    for name in bunch.feature_names:
        unit = [unit for measure, unit in units.items() if measure in name]
        features.append(f"{name} ({unit[0] if unit else 'no unit'})")
    X, y = _two(bunch.data, bunch.target, 1, 0)
    classes = ("benign", "malignant")
    return Dataset(X, y, tuple(features), classes, "breast cancer")


def digits(*, negative: int = 3, positive: int = 8) -> Dataset:
    """Two handwritten digits, about 180 of each, as images of 8 x 8 pixels.

    negative  the digit with the label -1, from 0 to 9
    positive  the digit with the label +1, another one

    Returns 64 features, the pixels row by row: intensity from 0 (paper) to 16 (ink).
    Raises ValueError for another number, or twice the same.
    Source: Alpaydin and Kaynak (1998), their test set, as in scikit-learn.
    """
    from sklearn.datasets import load_digits

    negative = check_integer("negative", negative, at_least=0, at_most=9)
    positive = check_integer("positive", positive, at_least=0, at_most=9)
    if positive == negative:
        raise ValueError(f"positive must differ from negative; got twice {positive}")
    bunch = load_digits()
    X, y = _two(bunch.data, bunch.target, negative, positive)
    features = tuple(
        f"row {i + 1}, column {j + 1} (intensity 0-16)"
        for i in range(PIXELS)
        for j in range(PIXELS)
    )
    return Dataset(X, y, features, (str(negative), str(positive)), "digits")


def separable(n: int, d: int, *, margin: float, rng: Seed) -> Separable:
    """Examples on both sides of a random hyperplane, none nearer to it than `margin`.

    n       number of examples, at least 2
    d       number of features, at least 1
    margin  from 0.001 to 1000; parallel to the hyperplane the data have deviation 1
    rng     seed or Generator

    Returns the data with `w_star`, `b_star`.  No hyperplane has a larger margin: two
    examples, one of each class, face each other at the distance 2 margin.
    Raises ValueError for a number outside its range.
    """
    y, rng = _start(n, d, rng)
    margin = check_number("margin", margin, at_least=1e-3, at_most=1e3)
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
    return Separable(X, y, names, ("negative", "positive"), "separable", w, b, margin)


def overlapping(n: int, d: int, *, separation: float, rng: Seed) -> Dataset:
    """Two normal clouds of deviation 1 whose centers are `separation` apart.

    n           number of examples, at least 2; the two classes differ by at most one
    d           number of features, at least 1
    separation  from 0 to 1000, in standard deviations
    rng         seed or Generator

    The centers are -c and +c with c = (1, ..., 1) separation / (2 sqrt(d)), so that no
    rule errs less than sgn(x1 + ... + xd), with probability Phi(-separation / 2).
    Raises ValueError for a number outside its range.
    """
    y, rng = _start(n, d, rng)
    separation = check_number("separation", separation, at_least=0.0, at_most=1e3)
    X = rng.standard_normal((n, d)) + y[:, None] * separation / (2 * np.sqrt(d))
    return Dataset(X, y, _names(d), ("negative", "positive"), "overlapping")


def ring(n: int, *, rng: Seed) -> Dataset:
    """A disc (+1) of radius 1 inside a ring (-1) of radii 1.5 and 2.5, in the plane.

    n    number of examples, at least 2; the two classes differ by at most one
    rng  seed or Generator

    Uniform in both.  The circle of radius 1.25 separates them, no line does unless n
    is small.  Raises ValueError for a number outside its range.
    """
    y, rng = _start(n, 2, rng)
    share = rng.random(n)  # of the area: the radius grows as its root
    radius = np.sqrt(np.where(y > 0, share, 1.5**2 + share * (2.5**2 - 1.5**2)))
    angle = rng.uniform(0, 2 * np.pi, n)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Dataset(X, y, _names(2), ("ring", "disc"), "ring")


def parity(n: int, d: int = 2, *, rng: Seed) -> Dataset:
    """Points of the cube [-1, 1]**d; the label is the product of the signs (XOR).

    n    number of examples, at least 2; the two classes differ by at most one
    d    number of features, at least 1
    rng  seed or Generator

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
    d = check_integer("d", d, at_least=1, at_most=SIZE // 2)
    n = check_integer("n", n, at_least=2, at_most=SIZE // d)
    rng = check_rng("rng", rng)
    return rng.permutation(np.where(np.arange(n) < n // 2, -1.0, 1.0)), rng


def _two(X, labels, negative, positive) -> tuple[Matrix, Signs]:
    """The examples of two of the classes, with labels -1 and +1."""
    kept = (labels == negative) | (labels == positive)
    return X[kept], np.where(labels[kept] == positive, 1.0, -1.0)


def _chosen(features, names: tuple[str, ...]) -> tuple[str, ...]:
    """Some of the names, each once, in the order asked for."""
    if not isinstance(features, (list, tuple)) or len(features) == 0:
        raise ValueError(f"features must be a tuple of names; got {features!r}")
    for name in features:
        check_choice("features", name, names)
    if len(set(features)) < len(features):
        raise ValueError(f"features must not repeat a name; got {features!r}")
    return tuple(features)


def _names(d: int) -> tuple[str, ...]:
    return tuple(f"x{j + 1} (no unit)" for j in range(d))
