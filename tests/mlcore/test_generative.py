"""Linear discriminant analysis against the pseudo-inverse, and constant features."""

import numpy as np
import pytest

from mlcore.data import overlapping
from mlcore.generative import lda


@pytest.mark.parametrize(("n", "d"), [(20, 3), (12, 11), (12, 15), (12, 400)])
def test_lda_matches_pseudo_inverse(n, d):
    rng = np.random.default_rng(d)
    X, y = rng.normal(size=(n, d)) + 5, np.resize([1.0, -1.0, -1.0], n)
    fit = lda(X, y)
    residuals = X - np.where(y[:, None] > 0, fit.means[1], fit.means[0])
    np.testing.assert_allclose(fit.covariance, residuals.T @ residuals / n, atol=1e-13)
    scale = np.sqrt(np.diag(fit.covariance))
    inverse = np.linalg.pinv(fit.covariance / np.outer(scale, scale), rcond=1e-10)
    w = inverse @ ((fit.means[1] - fit.means[0]) / scale) / scale
    np.testing.assert_allclose(fit.w, w, rtol=1e-8, atol=1e-8 * abs(w).max())
    assert fit.rank == min(n - 2, d)
    assert fit.factor.shape == (min(n, d), d)


@pytest.mark.parametrize("constant", [lambda y: np.full(len(y), 0.1), lambda y: 0.1 * y])
@pytest.mark.parametrize("d", [3, 40])
def test_feature_constant_in_each_class_gets_zero_weight(d, constant):
    data = overlapping(20, d, separation=1.0, rng=6)
    X, y = data.X, data.y
    fit, known = lda(np.column_stack([constant(y), X]), y), lda(X, y)
    assert (fit.w[0], fit.rank) == (0, known.rank)
    assert not fit.covariance[0].any()
    np.testing.assert_allclose(fit.w[1:], known.w, rtol=1e-7)


def test_one_example_per_class_has_rank_zero():
    fit = lda([[1.0, 2.0], [3.0, 4.0]], [-1, 1])
    assert fit.rank == 0
    assert (fit.w.tolist(), fit.b) == ([0, 0], 0)
