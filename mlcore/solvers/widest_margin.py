"""The widest margin, from the points of two convex hulls that are nearest to each other."""

import numpy as np

from mlcore.arrays import EPS, Matrix, Signs, Vector
from mlcore.solvers.nearest_point import nearest_by_pivots, nearest_to_origin

NO_MARGIN = 1e-12  # what is below this part of the data's size is rounding


def widest_margin(X: Matrix, y: Signs, bias: bool) -> tuple[Vector, float, float, Vector]:
    """Find the hyperplane that keeps farthest from all examples.

    X, y  (n, d) examples and (n,) labels, both of which occur if there is a bias
    bias  whether the hyperplane may miss the origin

    Returns w (d,) of length 1, b, the margin, and the weights (n,) of the nearest point:
    of the hull of y_i x_i without bias, of the differences between the two classes with
    it.  If no hyperplane separates, w, b and the margin are 0.
    """
    center = X.mean(axis=0) if bias else np.zeros(X.shape[1])
    order = np.argsort(-y, kind="stable") if bias else np.arange(len(y))
    Z = X[order]  # the only copy, one class after the other
    Z -= center
    Z *= y[order, None]
    size = max(Z.max(), -Z.min()) or 1.0
    Z /= size
    cuts = [int(np.count_nonzero(y > 0))] if bias else []
    w, parts = _nearest(Z, cuts)
    weights = np.empty(len(y))
    weights[order] = np.concatenate(parts)
    w = w / (np.linalg.norm(w) or 1.0)
    lowest = [(hull @ w).min() for hull in np.split(Z, cuts)]
    margin = size * np.mean(lowest)
    rounding = len(center) * EPS * np.abs(center).max()
    if margin <= max(NO_MARGIN * size, rounding):
        return np.zeros(X.shape[1]), 0.0, 0.0, weights
    middle = size * (lowest[0] - lowest[-1]) / 2  # between the classes, from center
    b = float(-middle - w @ center) if bias else 0.0
    return w, b, float(margin), weights


def _nearest(Z: Matrix, cuts: list[int]) -> tuple[Vector, list[Vector]]:
    if Z.shape[1] <= len(Z):
        return nearest_to_origin(np.split(Z, cuts))
    with np.errstate(all="ignore"):  # what is not finite is no answer
        found = nearest_by_pivots(Z, cuts)
    if found is not None:
        return found
    basis, triangle = np.linalg.qr(Z.T)  # the answer lies in the span of the rows
    w, parts = nearest_to_origin(np.split(triangle.T, cuts))
    return basis @ w, parts
