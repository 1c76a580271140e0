"""Cases for test_fits.py: how to call a fit, random data and hard data."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Case:
    """A fit and its arguments; its claims are in the ORACLES of its family.

    kind     of y: "numbers", "signs", "separable" (signs with a separating hyperplane) or
             "labels" of three classes
    options  keyword arguments; they are empty if the fit has no penalty
    """

    function: Callable
    kind: str = "signs"
    options: dict = field(default_factory=dict)
    weighted: bool = False
    has_bias: bool = False

    def arguments(self, X, y, **more):
        name = "labels" if self.kind == "labels" else "y"
        return {"X": X, name: y, **self.options, **more}


WEIGHTS_AND_BIAS = {"weighted": True, "has_bias": True}


def random_data(case, seed):
    """Draw n > d examples (n < d for seed 3 if the fit has a penalty); units differ."""
    rng = np.random.default_rng(seed)
    n, d = (12, 20) if seed == 3 and case.options else (48, 4)
    Z = rng.normal(size=(n, d))
    scores = Z[:, 0] - Z[:, 1] + (case.kind != "separable") * rng.normal(size=n)
    y = np.where(scores > 0, 1.0, -1.0)
    if case.kind == "separable":
        Z[:, 0] += y / 2
    y = {"numbers": scores + 5, "labels": y + (Z[:, 2] > 0.5)}.get(case.kind, y)
    return Z * 2.0 ** rng.integers(-2, 3, size=d) + rng.normal(size=d), y


def random_weights(y):
    """Draw weights from 0 to 4; the first examples of up to four labels get at least 1."""
    weights = np.random.default_rng(len(y)).integers(0, 4, size=len(y)) * 1.0
    weights[np.unique(y, return_index=True)[1][:4]] += 1
    return weights


def hard_data(kind, seed):
    """Draw data with ties, equal columns, a constant column, and units 1e-3 to 1e3."""
    rng = np.random.default_rng(seed)
    n, d = rng.integers(3, 40), rng.integers(1, 20)
    X = rng.normal(size=(n, d)) + 2 if seed % 2 else rng.integers(-2, 3, size=(n, d)) / 1.0
    scores = X @ rng.normal(size=d) + seed % 3 * rng.normal(size=n)
    X = np.column_stack([X, X[:, 0], -X[:, -1], np.full(n, 0.1)])
    y = np.where(scores >= np.median(scores), 1.0, -1.0)
    y = {"numbers": scores.round(seed % 4), "labels": y + (X[:, 0] > 2)}.get(kind, y)
    return X * 10.0 ** rng.integers(-3, 4, size=d + 3), y


def center(X, y, weights, bias):
    """Subtract the weighted means if there is a bias; return X, y and the means."""
    fractions = weights / weights.sum() * bool(bias)
    x_mean, y_mean = fractions @ X, fractions @ y
    return X - x_mean, y - y_mean, x_mean, y_mean


def drop_zero_weight(X, y, sample_weight):
    weights = np.ones(len(y)) if sample_weight is None else sample_weight
    return X[weights > 0], y[weights > 0], weights[weights > 0]


def standardize(X, train):
    """Return the standardized training examples; None if they are ill-conditioned."""
    mean, std = X[train].mean(axis=0), X[train].std(axis=0)
    largest = np.abs(X - mean).max(axis=0, initial=0)
    if (std <= 1e-5 * np.maximum(largest, np.abs(mean))).any():
        return None  # nearly constant
    A = (X[train] - mean) / std
    n, d = A.shape
    return None if d and (n <= d + 1 or np.linalg.cond(A) > 1e4) else A
