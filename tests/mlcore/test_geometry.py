"""The geometry of a hyperplane: formulas, a default and a limit."""

import numpy as np

from mlcore import geometry
from tests.helpers.assertions import EPS, equals, score_size


def distance(X, w, b):
    return (X @ w + b) / np.linalg.norm(w)


def distance_size(X, w, b, **_):
    return score_size(X, w, b) / np.linalg.norm(w)


ORACLES = {
    geometry.signed_distance: equals(distance, rtol=EPS, size=distance_size),
    geometry.geometric_margin: equals(
        lambda y, **plane: y * distance(**plane), rtol=EPS, size=distance_size
    ),
    geometry.functional_margin: equals(
        lambda X, y, w, b: y * (X @ w + b), rtol=EPS, size=score_size
    ),
    geometry.project: equals(
        lambda X, w, b: X - distance(X, w, b)[:, None] * w / np.linalg.norm(w),
        rtol=EPS,
        size=lambda X, w, b: distance_size(X, w, b)[:, None] + np.abs(X).max(),
    ),
    geometry.closest_point_to_origin: equals(lambda w, b: -b * w / (w @ w)),
    geometry.augment: equals(
        lambda X, constant: np.insert(X, X.shape[1], constant, axis=1)
    ),
}
ERRORS = {
    "b / |w| must be": lambda: geometry.closest_point_to_origin([1e-160], -1e149),
}
