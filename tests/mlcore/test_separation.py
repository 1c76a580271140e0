"""Separating hyperplanes and certificates, and their limits."""

import numpy as np
import pytest

from mlcore.separation import separating_halfspace, shatters
from tests.helpers.assertions import TINY, score_error
from tests.helpers.optimality_cases import Case


def separating_halfspace_claims(fit, X, y, bias=True):
    """Check the hyperplane or the certificate, which proves that there is none."""
    if fit.separable:
        z = y * (X @ fit.w + fit.b)
        yield "y (w @ x + b) >= 1", 1 - z, 1e-9 + score_error(X, fit.w, fit.b)
        yield "no bias", not bias and fit.b != 0, 0
        return
    a = fit.certificate
    origin = (X.min(axis=0) + X.max(axis=0)) / 2 * bool(bias)
    x_max = np.maximum(np.abs(X - origin).max(axis=0), 1e-9 * np.abs(X).max() + TINY)
    yield "a >= 0", -a, 0
    yield "sum of a", abs(a.sum() - 1), 1e-9
    yield "sum of a_i y_i x_i", np.abs((a * y) @ (X - origin)) / x_max, 2e-9
    yield "sum of a_i y_i", bool(bias) * abs(a @ y), 2e-9


def shatters_claims(answer, X):
    """Check Radon's theorem: points are shattered if and only if affinely independent."""
    Z = X - X.mean(axis=0)
    Z = np.column_stack([Z / np.maximum(np.abs(Z).max(axis=0), TINY), np.ones(len(X))])
    smallest = np.linalg.svd(Z)[1][-1] if len(X) <= Z.shape[1] else 0.0
    yield "dependent points are not shattered", answer and smallest < 1e-13, 0
    yield "independent points are shattered", not answer and smallest > 1e-5, 0


ORACLES = {separating_halfspace: separating_halfspace_claims, shatters: shatters_claims}
CASES = [Case(separating_halfspace, has_bias=True)]
ERRORS = {"X must have at most 12 rows, to try all labelings": lambda: shatters(np.eye(13))}


def test_one_flipped_label_among_many_is_found():
    X = np.random.default_rng(0).normal(size=(20_000, 3))
    y = np.where(X @ [1, -2, 3] > 0.5, 1.0, -1.0)
    fit = separating_halfspace(X, y)
    assert fit.separable and (y * fit.decision_function(X) > 0.999).all()
    i = np.argmax(X @ [1, -2, 3])
    y[i] *= -1
    a = separating_halfspace(X, y).certificate
    assert a[i] > 0 and np.abs((a * y) @ np.column_stack([X, np.ones(len(X))])).max() < 1e-8


def test_difference_below_rounding_raises():
    X = np.array([[1e8], [1e8 + 1e-7]])  # |w @ x| is about 2e15, |w @ x + b| must be 1
    with pytest.raises(ArithmeticError, match="subtract the mean of each feature that"):
        separating_halfspace(X, [-1, 1])
    assert separating_halfspace(X - X.mean(), [-1, 1]).separable
    assert separating_halfspace([[1e8], [1e8 + 1e-6]], [-1, 1]).separable


@pytest.mark.parametrize("sign", [1, -1])
def test_one_class_is_separated_by_the_bias(sign):
    X = 1e8 + np.array([[0.0, -2e-8], [6e-8, 1e-8]])
    found = separating_halfspace(X, [sign, sign])
    assert found.separable
    assert not found.w.any() and found.b == sign
