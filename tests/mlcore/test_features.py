"""Basis functions against their formulas, and at their limits."""

import numpy as np
from sklearn.preprocessing import PolynomialFeatures

from mlcore import features
from mlcore.features import rbf, rectified, standardize
from tests.helpers.assertions import EPS, equals, score_scale


def polynomial(X, degree=2):
    return PolynomialFeatures(degree, include_bias=False).fit_transform(X)


def fourier(X, order, period):
    turns = X[:, :, None] * np.arange(1, order + 1) / period
    angles = 2 * np.pi * (turns % 1)
    return np.stack([np.cos(angles), np.sin(angles)], axis=3).reshape(len(X), -1)


def haar(X, levels):
    """Evaluate each wavelet on the two halves of its interval."""
    columns = []
    for x in X.T:
        for level in range(levels):
            for k in range(2**level):
                t = 2 * (2**level * x - k)
                steps = ((t >= 0) & (t < 1)) * 1.0 - ((t >= 1) & (t < 2))
                columns.append(2 ** (level / 2) * steps)
    return np.column_stack(columns)


def standardize_claims(Z, X, like):
    like = X if like is None else like
    mean, std = like.mean(axis=0), like.std(axis=0)
    yield "constant features become 0", Z[:, np.ptp(like, axis=0) == 0] != 0, 0
    varies = std > 1e-9 * np.abs(like).max(axis=0)
    expected = (X[:, varies] - mean[varies]) / std[varies]
    rtol = 1e-5 if (np.abs(mean) > 1e4 * std).any() else 1e-11
    yield "z-scores", np.abs(Z[:, varies] - expected), rtol * (1 + np.abs(expected))


ORACLES = {
    features.polynomial: equals(polynomial),
    features.quadratic: equals(polynomial),
    rbf: equals(
        lambda X, centers, width: np.exp(
            -((X[:, None] - centers) ** 2).sum(axis=2) / (2 * width**2)
        ),
        scale=lambda X, centers, width: 1 + (np.abs(X).max() / width) ** 2 * EPS,
        rtol=1e-11,
    ),
    rectified: equals(
        lambda X, directions, offsets: np.maximum(0, X @ directions.T + offsets),
        scale=lambda X, directions, offsets: score_scale(X, directions.T, offsets),
    ),
    features.fourier: equals(
        fourier, scale=lambda X, order, period: 99 * order * (1 + np.abs(X).max() / period)
    ),
    features.haar: equals(haar),
    standardize: standardize_claims,
}
ERRORS = {
    "X must have a largest": lambda: standardize([[0.0], [1e-160]]),
    "at most 1e+75; got 1.001e+75": lambda: features.quadratic([[0.0, 1.001e75]]),
    "max |X| must be at most 1e+75": lambda: features.quadratic([[0.0, -1.001e75]]),
    "columns for degree must be": lambda: features.polynomial(np.ones((2, 50)), degree=4),
    "X @ directions.T + offsets must be": lambda: rectified([[1e80]], [[1e80]], [0.0]),
}
