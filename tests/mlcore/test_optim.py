"""Gradient descent, Newton's method and SGD by hand, and on quadratics."""

import numpy as np
import pytest

from mlcore import losses
from mlcore.optim import constant, gradient_descent, loss_gradient, newton, sgd


def quadratic(A, center):
    """f(w) = (w - center) @ A @ (w - center) / 2 with its gradient and Hessian."""
    A, center = np.asarray(A, float), np.asarray(center, float)
    return (
        lambda w: (w - center) @ A @ (w - center) / 2,
        lambda w: A @ (w - center),
        lambda w: A,
    )


def square_root():
    """f(w) = sqrt(1 + w**2); full Newton steps diverge from |w| > 1."""

    def f(w):
        return np.sqrt(1 + w[0] ** 2)

    return f, lambda w: w / f(w), lambda w: np.array([[f(w) ** -3]])


class TestGradientDescent:
    def test_two_steps_by_hand(self):
        # f = w1**2 / 2 + w2**2, the gradient is (w1, 2 w2)
        f, gradient, _ = quadratic([[1, 0], [0, 2]], [0, 0])
        fit = gradient_descent(f, gradient, [4.0, 2.0], eta=0.25, max_steps=2)
        assert fit.path.tolist() == [[4, 2], [3, 1], [2.25, 0.5]]
        assert fit.values.tolist() == [12, 5.5, 2.78125]
        assert fit.w.tolist() == [2.25, 0.5]
        assert not fit.converged

    def test_start_at_minimum_takes_no_step(self):
        f, gradient, _ = quadratic(np.eye(2), [1, 2])
        for tol in 1e-8, 0:
            fit = gradient_descent(f, gradient, [1.0, 2.0], eta=1.0, tol=tol)
            assert fit.converged
            assert fit.path.tolist() == [[1, 2]]

    def test_overflow_stops_at_last_finite_point(self):
        f, gradient, _ = quadratic([[1]], [0])
        fit = gradient_descent(f, gradient, [1.0], eta=1e20, max_steps=50)
        assert not fit.converged
        assert np.isfinite(fit.values).all()


class TestNewton:
    def test_quadratic_takes_one_step(self):
        for steps in 1, 100:
            fit = newton(*quadratic([[2, 1], [1, 2]], [3, -1]), [0.0, 0.0], max_steps=steps)
            assert fit.converged
            np.testing.assert_allclose(fit.path, [[0, 0], [3, -1]], atol=1e-12)
            np.testing.assert_allclose(fit.values, [7, 0], atol=1e-12)

    def test_two_halvings_by_hand(self):
        # a full Newton step goes from w to -w**3
        fit = newton(*square_root(), [2.0])
        # -8 and 2 - 10/2 = -3 are rejected, 2 - 10/4 = -1/2 is accepted; then 1/8
        np.testing.assert_allclose(fit.path[:3], [[2], [-0.5], [0.125]], rtol=1e-14)
        np.testing.assert_allclose(fit.values[:2], [5**0.5, 1.25**0.5], rtol=1e-15)
        assert fit.converged

    def test_tol_bounds_the_gap(self):
        """On a quadratic the estimated gap is exact: stop if and only if f <= tol."""
        f, gradient, hessian = quadratic(np.diag([4.0, 1.0]), [0, 0])
        at = newton(f, gradient, hessian, [1.0, 1.0], tol=2.5 * (1 + 1e-6))
        below = newton(f, gradient, hessian, [1.0, 1.0], tol=2.5 * (1 - 1e-6))
        assert at.converged and at.w.tolist() == [1, 1]
        assert below.converged and f(below.w) <= 1e-12

    def test_singular_hessian_finds_nearest_minimum(self):
        fit = newton(*quadratic([[1, 1], [1, 1]], [1, 0]), [0.0, 0.0])
        assert fit.converged
        np.testing.assert_allclose(fit.w, [0.5, 0.5], rtol=1e-14)

    def test_no_minimum_is_not_converged(self):
        gradient, hessian = lambda w: -np.exp(-w), lambda w: np.diag(np.exp(-w))
        options = {"tol": 0, "max_steps": 30}
        fit = newton(lambda w: np.exp(-w[0]), gradient, hessian, [0.0], **options)
        assert not fit.converged
        np.testing.assert_allclose(fit.w, [30.0], rtol=1e-12)


class TestSgd:
    def test_overflowing_run_does_not_stop_other_runs(self):
        # the steps lead to (1 + w) / 2 and to about -1e50 w
        options = {"steps": constant([0.5, 1e50]), "runs": 2, "epochs": 4}
        fit = sgd(lambda w, i: w - 1, 2, [0.0], **options)
        assert fit.path[:, :, 0].T[0].tolist() == [0, 3 / 4, 15 / 16, 63 / 64, 255 / 256]
        assert fit.path[-1, 1] == fit.path[-2, 1] and fit.w[1] == fit.path[-1, 1]

    def test_inconsistent_shapes_raise(self):
        gradient = loss_gradient([[1.0], [2.0]], [1, -1], losses.hinge)
        with pytest.raises(ValueError, match="n must be at most 2; got 3"):
            sgd(gradient, 3, [0.0], steps=constant(1.0))
        with pytest.raises(ValueError, match="w0 must have 1 entries; got 2"):
            sgd(gradient, 2, [0.0, 0.0], steps=constant(1.0), runs=2)
        with pytest.raises(ValueError, match=r"steps\(1\) must have shape \(\) or \(3,\);"):
            sgd(lambda w, i: w, 3, [1.0], steps=constant([0.1, 0.2]), runs=3)


class TestLossGradient:
    def test_gradients_by_hand(self):
        # at w = (2, 1): z = 2, -1, 4, and the slopes of (1 - z)**2 are 2, -4, 6
        X, y = [[1, 0], [0, 1], [1, 2]], [1, -1, 1]
        gradient, w = loss_gradient(X, y, losses.squared, lambda_=0.5), np.array([2.0, 1])
        single = [[3, 0.5], [1, 4.5], [7, 12.5]]
        assert [gradient(w, i).tolist() for i in range(3)] == single
        assert gradient(w, np.array([0, 2])).tolist() == [5, 6.5]
        two, pairs = np.array([w, 0 * w]), np.array([[0, 2], [1, 1]])
        assert gradient(two, np.array([2, 0])).tolist() == [[7, 12.5], [-2, 0]]
        assert gradient(two, pairs).tolist() == [[5, 6.5], [0, 2]]
        unpenalized = loss_gradient(X, y, losses.squared)
        assert unpenalized(w, 0).tolist() == [2, 0]
        # step size 1/2 leads to (1/2, 3/4), where z = -3/4 and the slope is -7/2
        fit = sgd(gradient, 2, w, steps=constant(0.5))
        assert fit.w.tolist() == [0.375, -1.1875]


def test_gradient_may_be_a_list():
    run = gradient_descent(lambda w: w @ w, lambda w: [2 * w[0]], [3.0], eta=0.5)
    assert run.converged and run.w == 0
    assert sgd(lambda w, i: [w[0] - 1], 1, [0.0], steps=constant(1.0)).w == 1
