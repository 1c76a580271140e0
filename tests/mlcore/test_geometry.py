"""Distances, margins and projections of a hyperplane against their formulas."""

import numpy as np

from mlcore import geometry
from tests.helpers.assertions import EPS, equals, score_scale


def distance(X, w, b):
    return (X @ w + b) / np.linalg.norm(w)


def distance_scale(X, w, b, **_):
    return score_scale(X, w, b) / np.linalg.norm(w)


ORACLES = {
    geometry.signed_distance: equals(distance, rtol=EPS, scale=distance_scale),
    geometry.geometric_margin: equals(
        lambda y, **plane: y * distance(**plane), rtol=EPS, scale=distance_scale
    ),
    geometry.functional_margin: equals(
        lambda X, y, w, b: y * (X @ w + b), rtol=EPS, scale=score_scale
    ),
    geometry.project: equals(
        lambda X, w, b: X - distance(X, w, b)[:, None] * w / np.linalg.norm(w),
        rtol=EPS,
        scale=lambda X, w, b: distance_scale(X, w, b)[:, None] + np.abs(X).max(),
    ),
    geometry.closest_point_to_origin: equals(lambda w, b: -b * w / (w @ w)),
    geometry.augment: equals(lambda X, constant: np.c_[X, np.full(len(X), constant)]),
}
ERRORS = {"b / |w| must be": lambda: geometry.closest_point_to_origin([1e-160], -1e149)}
