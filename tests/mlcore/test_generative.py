"""Linear discriminant analysis: its estimates, constant features, many features."""

import numpy as np
import pytest

from mlcore.data import overlapping
from mlcore.generative import lda
from tests.helpers.assertions import EPS, TINY, assert_claims
from tests.helpers.optimality_cases import Case
from tests.helpers.signatures import LDA


def lda_claims(fit, X, y):
    """Check the estimates, and w by a pseudo-inverse if rounding cannot change the rank."""
    means = np.array([X[y < 0].mean(axis=0), X[y > 0].mean(axis=0)])
    x_max = np.abs(X).max(axis=0)
    yield "means", np.abs(fit.means - means), 1e-12 * x_max
    yield "prior", abs(fit.prior - np.mean(y > 0)), 1e-15
    D = X - means[(y > 0).astype(int)]
    S, spread = D.T @ D / len(y), np.sqrt((D**2).mean(axis=0))
    size = spread + 99 * EPS * x_max
    tolerance = 1e-9 * np.outer(size, size) + np.outer(EPS * x_max, EPS * x_max)
    yield "covariance", np.abs(S - fit.covariance), 9 * tolerance + TINY
    yield "shape of the factor", fit.factor.shape != (min(X.shape), X.shape[1]), 0
    b = np.log(fit.prior / (1 - fit.prior)) - means.sum(axis=0) @ fit.w / 2
    yield "b", abs(fit.b - b), 1e-12 * (1 + np.abs(means).sum(axis=0) @ np.abs(fit.w))
    if (spread > 1e-9 * x_max).all():
        values, U = np.linalg.eigh(S / np.outer(spread, spread))
        c, kept = U.T @ ((means[1] - means[0]) / spread), values > 1e-8
        if (kept | (values < 1e-15 * len(values))).all():
            yield "rank", fit.rank != kept.sum(), 0
            w = U[:, kept] @ (c[kept] / values[kept])
            rtol = (1e-7 + 99 * EPS * (x_max / spread).max()) / values[kept].min(initial=1)
            yield "w", np.abs(fit.w * spread - w), rtol * (1 + np.abs(c).max())


def lda_probability_claims(found, X):
    """Compare with Bayes' rule for two normal densities."""
    squares = [
        np.einsum("ij,jk,ik->i", X - m, np.linalg.inv(LDA.covariance), X - m)
        for m in LDA.means
    ]
    t = np.clip((squares[1] - squares[0]) / 2, -700, 700)
    expected = 1 / (1 + (1 - LDA.prior) / LDA.prior * np.exp(t))
    yield "Bayes' rule", np.abs(found - expected), 1e-12 * (1 + np.maximum(*squares))


ORACLES = {lda: lda_claims, LDA.probability: lda_probability_claims}
CASES = [Case(lda)]


@pytest.mark.parametrize(("n", "d"), [(2, 3), (12, 11), (12, 15), (12, 400)])
def test_lda_with_singular_covariance_meets_claims(n, d):
    X, y = np.random.default_rng(d).normal(size=(n, d)) + 5, np.resize([1.0, -1, -1], n)
    fit = lda(X, y)
    assert_claims(lda_claims, fit, {"X": X, "y": y})
    assert fit.rank == n - 2


@pytest.mark.parametrize("constant", [lambda y: np.full(len(y), 0.1), lambda y: 0.1 * y])
@pytest.mark.parametrize("d", [3, 40])
def test_feature_constant_in_each_class_gets_zero_weight(d, constant):
    data = overlapping(20, d, separation=1.0, rng=6)
    X, y = data.X, data.y
    fit, without = lda(np.column_stack([constant(y), X]), y), lda(X, y)
    assert (fit.w[0], fit.rank) == (0, without.rank)
    assert not fit.covariance[0].any()
    np.testing.assert_allclose(fit.w[1:], without.w, rtol=1e-7)


@pytest.mark.parametrize("power", [20, 27, 30])
def test_lda_keeps_nearly_equal_features(power):
    """The features differ by 2**-power of their size, which costs `power` bits."""
    rng = np.random.default_rng(0)
    A = rng.integers(-2048, 2048, size=(200, 2)) / 1024
    X, y = np.column_stack([A[:, 0], A @ [1, 2.0**-power]]), np.sign(A[:, 1] + 0.1)
    found, reference = lda(X, y), lda(A, y)
    assert found.rank == 2
    scores = reference.decision_function(A)
    np.testing.assert_allclose(found.decision_function(X), scores, atol=2.0 ** (power - 47))
