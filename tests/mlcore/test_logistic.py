"""Logistic regression: by hand, by its gradient, and without a minimum."""

import numpy as np
import pytest

from mlcore.data import overlapping
from mlcore.logistic import logistic, logit, sigmoid, softmax_regression

CLOUDS = overlapping(120, 4, separation=1.0, rng=0)


class TestSigmoid:
    def test_logit_keeps_all_digits_near_one_half(self):
        """ln(p / (1 - p)) = 4 e + 16/3 e**3 + ... at p = 1/2 + e."""
        e = 2.0 ** -np.arange(20, 50)
        np.testing.assert_allclose(logit(0.5 + e), 4 * e, rtol=1e-11)
        np.testing.assert_allclose(logit(0.5 - e), -4 * e, rtol=1e-11)
        assert logit(0.5) == 0


class TestByHand:
    def test_zero_and_one_are_minus_and_plus_one(self):
        X, y = CLOUDS.X, CLOUDS.y
        signs, bits = logistic(X, y), logistic(X, (1 + y) / 2)
        assert np.array_equal([*signs.w, signs.b], [*bits.w, bits.b])
        with pytest.raises(
            ValueError, match="only -1 and \\+1, or only 0 and 1; got 0 and"
        ):
            logistic(np.ones((3, 1)), [0, -1, 1])


class TestMinimum:
    def test_a_constant_feature_is_left_to_the_bias(self):
        X, y = CLOUDS.X, CLOUDS.y
        fit, one = logistic(np.column_stack([X, np.full(len(y), 0.1)]), y), logistic(X, y)
        assert fit.converged
        assert abs(fit.w[-1]) <= 1e-9 * abs(one.w).max()
        np.testing.assert_allclose(fit.w[:4], one.w, rtol=1e-6)

    def test_events_that_are_rare_do_have_a_minimum(self):
        """Small curvature alone is no sign of separable data."""
        rng = np.random.default_rng(0)
        X = rng.normal(size=(20_000, 2))
        y = np.where(rng.random(20_000) < sigmoid(X[:, 0] - 7), 1.0, -1.0)
        assert 5 < (y > 0).sum() < 100
        assert logistic(X, y).converged


class TestNoMinimum:
    @pytest.mark.parametrize("steps", [10, 50, 300])
    @pytest.mark.parametrize(("n", "d"), [(50, 3), (2000, 5), (20, 300)])
    def test_separable_data_are_reported_however_long(self, n, d, steps):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 1, size=d)
        y = np.where(X[:, 0] > 0, 1.0, -1.0)
        fit = logistic(X, y, max_steps=steps)
        assert not fit.converged
        assert np.isfinite(fit.w).all()
        assert (fit.predict(X) == y).all()
        assert logistic(X, y, lambda_=1e-3).converged

    def test_a_weight_that_grows_forever_is_reported(self):
        """A feature that is 1 only for some of one class; the others overlap."""
        X, y = CLOUDS.X, CLOUDS.y
        some = np.flatnonzero(y > 0)[:5]
        X = np.column_stack([X, np.isin(np.arange(len(y)), some)])
        fit = logistic(X, y, max_steps=50)
        assert not fit.converged
        assert fit.w[-1] > 10

    @pytest.mark.parametrize("lambda_", [0.0, 0.1])
    def test_one_class_is_reported(self, lambda_):
        X = np.array([[1.0], [2.0], [4.0]])
        fit = logistic(X, [1, 1, 1], lambda_=lambda_)
        assert not fit.converged
        assert fit.predict(X).tolist() == [1, 1, 1]
        assert logistic(X, [1, 1, 1], lambda_=0.1, bias=False).converged


@pytest.mark.parametrize("fit", [logistic, softmax_regression])
def test_a_single_step_may_be_allowed(fit):
    run = fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1], lambda_=0.1, max_steps=1)
    assert len(run.values) == 2 and run.values[1] < run.values[0] and not run.converged


@pytest.mark.parametrize("tol", [1.0, 0.1, 1e-4])
def test_a_coarse_tolerance_still_says_whether_there_is_a_minimum(tol):
    line = [[0.0], [1.0], [2.0], [3.0]]
    assert logistic(line, [-1, 1, -1, 1], tol=tol).converged
    assert softmax_regression(line, [0, 1, 0, 1], tol=tol).converged
    assert not logistic(line, [-1, -1, 1, 1], tol=tol).converged
    assert not softmax_regression(line, [0, 0, 1, 1], tol=tol).converged
