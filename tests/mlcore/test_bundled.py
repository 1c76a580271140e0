"""Real data sets against their publications."""

import numpy as np
from sklearn.datasets import load_breast_cancer

from mlcore.data import breast_cancer, diabetes, digits, iris


def assert_classes(data, classes, sizes, n_features):
    assert len(set(data.features)) == n_features
    assert all(name.endswith(")") for name in data.features)  # a unit
    assert data.classes == classes
    assert data.X.shape == (sum(sizes), n_features)
    assert ((data.y == -1).sum(), (data.y == 1).sum()) == sizes


def test_iris_as_published():
    flowers = iris()
    assert_classes(flowers, ("setosa", "versicolor"), (50, 50), 4)
    assert flowers.X[[0, -1]].tolist() == [[5.1, 3.5, 1.4, 0.2], [5.7, 2.8, 4.1, 1.3]]
    names = ("petal width (cm)", "sepal length (cm)")
    others = iris(negative="virginica", positive="versicolor", features=names)
    assert (others.features, others.classes) == (names, ("virginica", "versicolor"))
    assert others.X[[0, -1]].tolist() == [[1.4, 7.0], [1.8, 5.9]]
    assert others.y.tolist() == [1.0] * 50 + [-1.0] * 50


def test_breast_cancer_as_published():
    """The class +1, malignant, is smaller and has larger nuclei."""
    tissue = breast_cancer()
    assert_classes(tissue, ("benign", "malignant"), (357, 212), 30)
    assert (tissue.X[0, 0], tissue.y[0]) == (17.99, 1.0)
    radius = tissue.X[:, tissue.features.index("worst radius (pixels)")]
    assert radius[tissue.y == 1].mean() > 1.5 * radius[tissue.y == -1].mean()
    names = [name.partition(" (")[0] for name in tissue.features]
    assert names == [*load_breast_cancer().feature_names]
    assert tissue.features[11] == "texture error (gray levels)"


def test_digits_as_published():
    images = digits()
    assert_classes(images, ("3", "8"), (183, 174), 64)
    assert (images.X.min(), images.X.max()) == (0, 16)
    # the lower loop of an 8 is closed on the left, the loop of a 3 is open
    left = images.X[:, images.features.index("row 6, column 3 (intensity 0-16)")]
    assert left[images.y == 1].mean() > 5 * left[images.y == -1].mean()
    a, b = digits(negative=1, positive=0), digits(negative=0, positive=1)
    assert a.classes == ("1", "0")
    assert np.array_equal(a.X, b.X) and np.array_equal(a.y, -b.y)


def test_diabetes_as_published():
    """Features are in their original units."""
    patients = diabetes()
    assert patients.X.shape == (442, 10) and len(set(patients.features)) == 10
    assert all(name.endswith(")") for name in patients.features)
    assert patients.X[0, [0, 1, 2, 4]].tolist() == [59.0, 2.0, 32.1, 157.0]
    assert (patients.y[0], patients.y.min(), patients.y.max()) == (151.0, 25.0, 346.0)
    assert patients.target == "progression after one year (no unit)"
    assert patients.features[7].startswith("total cholesterol / high-density")
    total, _, high, ratio = (patients.X[:, j] for j in range(4, 8))
    assert np.abs(total / high - ratio).max() < 0.65  # both are rounded
    fat = np.exp(patients.X[:, 8])
    assert patients.features[8].startswith("logarithm of triglycerides")
    np.testing.assert_allclose(fat, fat.round(), atol=0.03)  # whole mg/dl
