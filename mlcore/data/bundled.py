"""Real data sets from scikit-learn, with names for features and labels."""

import tomllib
from functools import cache
from pathlib import Path

import numpy as np

from mlcore import checks
from mlcore.arrays import Matrix, Signs
from mlcore.data.dataset import Dataset, RegressionData

FEATURES = tomllib.loads(Path(__file__).with_name("features.toml").read_text("utf-8"))


def iris(
    *,
    negative: str = "setosa",
    positive: str = "versicolor",
    features: tuple[str, ...] | None = None,
) -> Dataset:
    """Load 50 flowers of each of two iris species, measured in cm.

    negative, positive  the species with the labels -1 and +1: setosa, versicolor or
                        virginica
    features            names of features to keep, for example "petal length (cm)"; None:
                        all four

    Setosa is linearly separable from the other two; versicolor and virginica overlap.
    Raises ValueError for an unknown or repeated name.
    Source: Fisher (1936), as in scikit-learn.
    """
    bunch = _load("iris")
    species = [str(name) for name in bunch.target_names]
    checks.choice("negative", negative, species)
    checks.choice("positive", positive, [name for name in species if name != negative])
    names = tuple(bunch.feature_names)
    features = names if features is None else _check_features(features, names)
    data = bunch.data[:, [names.index(name) for name in features]]
    labels = bunch.target_names[bunch.target]
    X, y = _select_classes(data, labels, negative, positive)
    return Dataset(X, y, features, (negative, positive), "iris")


def breast_cancer() -> Dataset:
    """Load 569 images of breast tissue; the label +1 is malignant (212), -1 is benign.

    Returns 30 features.  For ten measurements of the cell nuclei in an image they are the
    mean, the standard error ("error") and the mean of the three largest values ("worst").
    Source: Street, Wolberg and Mangasarian (1993), as in scikit-learn, whose labels are
    reversed (1 is benign).  Lengths are in pixels of the image.
    """
    bunch = _load("breast_cancer")
    X, y = _select_classes(bunch.data, bunch.target, 1, 0)
    features = tuple(FEATURES["breast_cancer"])
    return Dataset(X, y, features, ("benign", "malignant"), "breast cancer")


def digits(*, negative: int = 3, positive: int = 8) -> Dataset:
    """Load images of two handwritten digits, about 180 of each, with 8 x 8 pixels.

    negative, positive  the digits with the labels -1 and +1, different, from 0 to 9

    Returns 64 features, the pixels row by row, with intensity from 0 (paper) to 16 (ink).
    Raises ValueError for any other number and if both are equal.
    Source: the test set of Alpaydin and Kaynak (1998), as in scikit-learn.
    """
    negative = checks.integer("negative", negative, at_least=0, at_most=9)
    positive = checks.integer("positive", positive, at_least=0, at_most=9)
    if positive == negative:
        raise checks.error("positive", "differ from negative", f"{positive} for both")
    bunch = _load("digits")
    X, y = _select_classes(bunch.data, bunch.target, negative, positive)
    pixels = [f"row {i + 1}, column {j + 1}" for i, j in np.ndindex(8, 8)]
    features = tuple(f"{pixel} (intensity 0-16)" for pixel in pixels)
    return Dataset(X, y, features, (str(negative), str(positive)), "digits")


def diabetes() -> RegressionData:
    """Load the progression of diabetes in 442 patients over one year, and 10 features.

    Returns y, an index of the progression from 25 to 346, and the unscaled features, taken
    at the start of the year.  Sex is coded 1 or 2.
    Source: Efron, Hastie, Johnstone and Tibshirani (2004), as in scikit-learn, which gives
    a unit only for age; the other units are the usual ones that fit the values.
    """
    bunch = _load("diabetes", scaled=False)
    features = tuple(FEATURES["diabetes"])
    target = "progression after one year (no unit)"
    X, y = bunch.data.copy(), bunch.target.copy()
    return RegressionData(X, y, features, target, "diabetes")


@cache
def _load(name: str, **options):
    """Read a data set of scikit-learn once; callers copy what they return."""
    try:
        from sklearn import datasets
    except ModuleNotFoundError as missing:
        text = f"{missing}. The data sets come with scikit-learn: pip install scikit-learn"
        raise ModuleNotFoundError(text, name="sklearn") from None
    return getattr(datasets, f"load_{name}")(**options)


def _select_classes(X, labels, negative, positive) -> tuple[Matrix, Signs]:
    """Keep the examples of two classes, with labels -1 and +1."""
    kept = (labels == negative) | (labels == positive)
    return X[kept], np.where(labels[kept] == positive, 1.0, -1.0)


def _check_features(features, names: tuple[str, ...]) -> tuple[str, ...]:
    """Check that features are different names from the given names."""
    if not isinstance(features, (list, tuple)) or len(features) == 0:
        raise checks.error("features", "be a tuple of names", repr(features))
    for name in features:
        checks.choice("features", name, names)
    if len(set(features)) < len(features):
        raise checks.error("features", "not repeat a name", repr(features))
    return tuple(features)
