"""Real data that come with scikit-learn, with what their features and labels mean."""

import tomllib
from pathlib import Path

import numpy as np

from mlcore import checks
from mlcore.arrays import Matrix, Signs
from mlcore.data.dataset import Dataset, Measured

FEATURES = tomllib.loads(Path(__file__).with_name("features.toml").read_text("utf-8"))


def iris(
    *,
    negative: str = "setosa",
    positive: str = "versicolor",
    features: tuple[str, ...] | None = None,
) -> Dataset:
    """Flowers of two species of iris, 50 of each, measured in cm.

    negative, positive  the species with the labels -1 and +1: two of setosa, versicolor and
                        virginica
    features            names of columns to keep, such as "petal length (cm)"; None: all
                        four

    Setosa is separable from the other two, versicolor from virginica is not.
    Raises ValueError for an unknown or repeated name.
    Source: Fisher (1936), as in scikit-learn.
    """
    from sklearn.datasets import load_iris

    bunch = load_iris()
    species = [str(name) for name in bunch.target_names]
    checks.choice("negative", negative, species)
    checks.choice("positive", positive, [name for name in species if name != negative])
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

    bunch = load_breast_cancer()
    X, y = _two(bunch.data, bunch.target, 1, 0)
    features = tuple(FEATURES["breast_cancer"])
    return Dataset(X, y, features, ("benign", "malignant"), "breast cancer")


def digits(*, negative: int = 3, positive: int = 8) -> Dataset:
    """Two handwritten digits, about 180 of each, as images of 8 x 8 pixels.

    negative, positive  the digits with the labels -1 and +1, two numbers from 0 to 9

    Returns 64 features, the pixels row by row: intensity from 0 (paper) to 16 (ink).
    Raises ValueError for another number, or twice the same.
    Source: Alpaydin and Kaynak (1998), their test set, as in scikit-learn.
    """
    from sklearn.datasets import load_digits

    negative = checks.integer("negative", negative, at_least=0, at_most=9)
    positive = checks.integer("positive", positive, at_least=0, at_most=9)
    if positive == negative:
        raise checks.error("positive", "differ from negative", f"twice {positive}")
    bunch = load_digits()
    X, y = _two(bunch.data, bunch.target, negative, positive)
    features = tuple(
        f"row {i + 1}, column {j + 1} (intensity 0-16)" for i, j in np.ndindex(8, 8)
    )
    return Dataset(X, y, features, (str(negative), str(positive)), "digits")


def diabetes() -> Measured:
    """How diabetes went on in 442 patients within a year, and 10 measures at its start.

    Returns y, an index of the progression from 25 to 346, and the features as they were
    measured.  Sex is coded 1 or 2.
    Source: Efron, Hastie, Johnstone and Tibshirani (2004), as in scikit-learn.  It states
    no units but years; those of the other names are the customary ones that fit.
    """
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes(scaled=False)
    features = tuple(FEATURES["diabetes"])
    target = "progression after one year (no unit)"
    return Measured(bunch.data, bunch.target, features, target, "diabetes")


def _two(X, labels, negative, positive) -> tuple[Matrix, Signs]:
    """The examples of two of the classes, with labels -1 and +1."""
    kept = (labels == negative) | (labels == positive)
    return X[kept], np.where(labels[kept] == positive, 1.0, -1.0)


def _chosen(features, names: tuple[str, ...]) -> tuple[str, ...]:
    """Some of the names, each once, in the order asked for."""
    if not isinstance(features, (list, tuple)) or len(features) == 0:
        raise checks.error("features", "be a tuple of names", repr(features))
    for name in features:
        checks.choice("features", name, names)
    if len(set(features)) < len(features):
        raise checks.error("features", "not repeat a name", repr(features))
    return tuple(features)
