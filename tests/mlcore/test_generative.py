"""Linear discriminant analysis: its estimates, constant features, many features."""

import numpy as np
import pytest
from scipy.special import expit

from mlcore.data import overlapping
from mlcore.generative import lda
from tests.helpers.assertions import EPS, TINY, assert_claims, equals
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


ORACLES = {
    lda: lda_claims,
    LDA.probability: equals(lambda X: expit(LDA.decision_function(X))),
}
CASES = [Case(lda)]


@pytest.mark.parametrize("constant", [lambda y: np.full(len(y), 0.1), lambda y: 0.1 * y])
@pytest.mark.parametrize("d", [3, 19, 40, 400])
def test_feature_constant_in_each_class_gets_zero_weight(d, constant):
    """Of 20 examples; the covariance of 19 or more features is singular."""
    data = overlapping(20, d, separation=1.0, rng=6)
    X, y = data.X, data.y
    fit, without = lda(np.column_stack([constant(y), X]), y), lda(X, y)
    assert_claims(lda_claims, without, {"X": X, "y": y})
    assert fit.w[0] == 0 and fit.rank == without.rank == min(d, 18)
    assert not fit.covariance[0].any()
    np.testing.assert_allclose(fit.w[1:], without.w, rtol=1e-7)
