"""Least squares, ridge, the pseudo-inverse and indicator regression."""

import numpy as np
import pytest

from mlcore.least_squares import indicator_regression, least_squares, pseudo_inverse, ridge
from mlcore.linear import LinearRule
from tests.helpers.assertions import EPS, TINY
from tests.helpers.optimality_cases import WEIGHTS_AND_BIAS, Case, center, drop_zero_weight


def ridge_claims(fit, X, y, lambda_=0.0, bias=True, sample_weight=None):
    """Check the normal equations column by column, each in its own unit."""
    X, y, s = drop_zero_weight(X, y, sample_weight)
    Z, t, mean, y_mean = center(X, y, s, bias)
    w, root = fit.w, np.sqrt(s)
    gradient = (s * (t - Z @ w)) @ Z - lambda_ * w
    norms = np.linalg.norm(root[:, None] * Z, axis=0)
    error = 99 * EPS * np.linalg.norm(root[:, None] * X, axis=0)
    terms = root @ np.abs(t) + EPS * root @ np.abs(y) + (norms + error) @ np.abs(w)
    # singular values below 1e-7 of the largest count as 0
    tolerance = 1e-7 * (norms * terms + lambda_ * np.abs(w)) + error * terms + TINY
    yield "normal equations", np.abs(gradient), tolerance
    tolerance = 1e-12 * (np.abs(y).max() + np.abs(mean) @ np.abs(w)) + TINY
    yield "b", abs(fit.b - (y_mean - mean @ w)), tolerance if bias else 0
    if hasattr(fit, "rank"):
        values = np.linalg.svd(root[:, None] * Z / np.maximum(norms, error + TINY))[1]
        has_gap = ((values > 1e-5) | (values < 1e-9)).all()
        is_clear = has_gap and (norms > 1e3 * error).all()
        yield "rank", is_clear and fit.rank != (values > 1e-5).sum(), 0


def indicator_claims(fit, X, labels):
    """Check the least squares fit of each class, and that the scores sum to 1."""
    classes = np.unique(labels)
    yield "classes", fit.classes.tolist() != classes.tolist(), 0
    for label, w, b in zip(classes, fit.W, fit.b, strict=True):
        yield from ridge_claims(LinearRule(w, float(b)), X, (labels == label).astype(float))
    size = np.abs(X) @ np.abs(fit.W).sum(axis=0) + np.abs(fit.b).sum()
    sums = X @ fit.W.sum(axis=0) + fit.b.sum()
    yield "sum of the scores", np.abs(sums - 1), 1e-9 * (1 + size)


def pseudo_inverse_claims(P, A):
    """Check the four Penrose conditions, up to the condition number."""
    size = max(1.0, np.linalg.norm(P) * np.linalg.norm(A))
    error = 99 * max(A.shape) * EPS * size
    yield "A P A = A", np.linalg.norm(A @ P @ A - A), error * np.linalg.norm(A)
    yield "P A P = P", np.linalg.norm(P @ A @ P - P), error * np.linalg.norm(P)
    yield "A P is symmetric", np.linalg.norm(A @ P - (A @ P).T), error
    yield "P A is symmetric", np.linalg.norm(P @ A - (P @ A).T), error


ORACLES = {
    least_squares: ridge_claims,
    ridge: ridge_claims,
    indicator_regression: indicator_claims,
    pseudo_inverse: pseudo_inverse_claims,
}
CASES = [
    Case(least_squares, "numbers", **WEIGHTS_AND_BIAS),
    Case(ridge, "numbers", {"lambda_": 3.0}, **WEIGHTS_AND_BIAS),
    Case(indicator_regression, "labels"),
]
ERRORS = {"at most 1000": lambda: indicator_regression(np.eye(1001), range(1001))}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n", [40, 3])
def test_dependent_columns_give_the_minimum_norm_solution(seed, n):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 4)) * [1, 5, 0.2, 1], rng.normal(size=n)
    X = np.column_stack([X, np.full(n, 0.1), X[:, 0], 2 * X[:, 1] - X[:, 2]])
    for mean, bias in (X.mean(axis=0), True), (0.0, False):
        w, _, rank, _ = np.linalg.lstsq(X - mean, y - bias * y.mean(), rcond=1e-11)
        fit = least_squares(X, y, bias=bias)
        assert fit.rank == rank
        np.testing.assert_allclose(fit.w, w, atol=1e-11)


@pytest.mark.parametrize("shape", [(50, 2), (2, 50)])
def test_pseudo_inverse_tolerance_grows_with_longer_side(shape):
    for size, rank in (30, 1), (100, 2):
        A = np.zeros(shape)
        A[0, 0], A[1, 1] = 1.0, size * np.finfo(float).eps
        assert np.linalg.matrix_rank(pseudo_inverse(A), tol=1e-9) == rank
