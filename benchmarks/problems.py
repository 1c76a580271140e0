"""The data of the benchmarks: the same bits for every contestant."""

from functools import cache

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits

from mlcore.features import standardize


@cache
def logistic_model(n: int, d: int):
    """Overlapping classes, drawn from a logistic model."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    scores = X @ (rng.normal(size=d) / np.sqrt(d)) * 2
    return X, np.where(rng.random(n) < 1 / (1 + np.exp(-scores)), 1.0, -1.0)


def syn20k():
    return logistic_model(20_000, 50)


def syn2k():
    return logistic_model(2_000, 20)


@cache
def cancer():
    X, label = load_breast_cancer(return_X_y=True)
    return standardize(X), np.where(label == 1, 1.0, -1.0)


@cache
def digits():
    """Ten classes of 8 x 8 images, gray levels from 0 to 1."""
    X, digit = load_digits(return_X_y=True)
    return X / 16, digit


@cache
def four(n: int, d: int):
    """Four classes that overlap."""
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(n, d)), rng.normal(size=(d, 4)) / np.sqrt(d)
    return X, (2 * X @ W + rng.gumbel(size=(n, 4))).argmax(axis=1)


@cache
def pair():
    """The digits 3 (-1) and 8 (+1)."""
    X, digit = load_digits(return_X_y=True)
    chosen = np.isin(digit, [3, 8])
    return X[chosen], np.where(digit[chosen] == 8, 1.0, -1.0)


@cache
def micro():
    """72 samples of 7129 features, 20 of which say something: the shape of a microarray."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(72) < 0.35, 1.0, -1.0)
    X = rng.normal(size=(72, 7129))
    X[:, :20] += 0.8 * y[:, None]
    return standardize(X), y


@cache
def separable(n: int, d: int, margin: float):
    """n points of the unit sphere, none within `margin` of a random hyperplane."""
    rng = np.random.default_rng(0)
    w = rng.normal(size=d)
    X = rng.normal(size=(3 * n, d))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    scores = X @ w / np.linalg.norm(w)
    far = np.flatnonzero(abs(scores) >= margin)[:n]
    return X[far], np.sign(scores[far])


@cache
def noisy(n: int, d: int):
    """Classes apart, but for a tenth of the labels, which are turned round."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    y = np.sign(X @ rng.normal(size=d) + 0.3)
    return X, np.where(rng.random(n) < 0.1, -y, y)


@cache
def measured(n: int, d: int):
    """Numbers to fit: a linear function of a third of the features, and noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d)) + rng.normal(size=d)
    w = np.where(np.arange(d) % 3 == 0, rng.normal(size=d), 0.0)
    return X, X @ w + rng.normal(size=n)


def with_ones(X):
    """X with a last column of ones: the bias as a weight, penalized like one."""
    return np.column_stack([X, np.ones(len(X))])
