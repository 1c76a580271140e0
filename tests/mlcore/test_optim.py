"""Gradient descent, Newton's method and SGD: step by step, and on quadratics."""

import numpy as np

from mlcore import losses, optim
from mlcore.optim import constant, gradient_descent, loss_gradient, newton, sgd
from tests.helpers.assertions import EPS
from tests.helpers.signatures import mean_gradient


def step_size_claims(steps, eta, p=0.0):
    for t in (1, 2, 100):
        expected = np.asarray(eta, float) / t ** float(p)
        yield "eta / t**p", np.abs(steps(t) - expected), 1e-14 * expected


def descent_claims(run, f, gradient, w0, max_steps, tol, **rest):
    yield "the path starts at w0", np.abs(run.path[0] - w0), EPS * np.abs(w0)
    yield "the path ends at w", run.path[-1] != run.w, 0
    yield "at most max_steps", len(run.path) - 1, max_steps
    values = np.array([f(w) for w in run.path])
    yield "values", np.abs(run.values - values), 1e-12 * values
    for start, end in zip(run.path, run.path[1:], strict=False) if "eta" in rest else []:
        error = np.abs(end - start + rest["eta"] * gradient(start))
        yield "step", error, EPS * np.abs(start).max()
        yield "no step from a minimum", np.linalg.norm(gradient(start)) <= tol, 0
    size = np.linalg.norm(run.w) if "eta" in rest else f(run.w)  # |gradient| or the gap
    yield "near the minimum", run.converged * size, tol * (1 + 1e-12) + 1e-12 * f(w0)


def sgd_claims(run, gradient, n, w0, steps, epochs, batch, average, runs, rng):
    """Repeat every run separately, with the formula of the gradient."""
    rngs = [None]
    if rng is not None:
        rng = np.random.default_rng(rng)
        rngs = [rng] if runs is None else rng.spawn(runs)
    yield "the last point", np.abs(run.path[-1] - run.w).max(), 0
    yield "not converged, no values", [run.converged, len(run.values)], 0
    for r in range(runs or 1):
        path = run.path if runs is None else run.path[:, r]
        generator, w, visited, points = rngs[r % len(rngs)], w0, [], [w0]
        for _ in range(epochs):
            order = np.arange(n) if generator is None else generator.permutation(n)
            for rows in np.split(order, range(batch, n, batch)):
                target = rows.mean() if gradient is mean_gradient else 1.0
                w = w - steps(len(visited) + 1) * (w - target)
                visited.append(w)
            points.append(np.mean(visited, axis=0) if average else w)
        tolerance = 1e-10 * (np.abs(points).max() + n)
        yield "the points after the epochs", np.abs(path - points), tolerance


ORACLES = {
    constant: step_size_claims,
    optim.inverse_t: lambda steps, alpha: step_size_claims(steps, 1 / alpha, 1.0),
    optim.power: step_size_claims,
    gradient_descent: descent_claims,
    newton: descent_claims,
    sgd: sgd_claims,
}
GRADIENT = loss_gradient([[1.0], [2.0]], [1, -1], losses.hinge)
ONE, TWO = constant(1.0), constant([0.1, 0.2])
ERRORS = {
    "n must be at most 2; got 3": lambda: sgd(GRADIENT, 3, [0.0], steps=ONE),
    "w0 must have 1 entries; got 2": lambda: sgd(GRADIENT, 2, [0, 0], steps=ONE, runs=2),
    "steps(1) must have shape () or (3,)": lambda: sgd(GRADIENT, 2, [0], steps=TWO, runs=3),
}


def quadratic(A, center):
    """Return f(w) = (w - center) @ A @ (w - center) / 2, its gradient and its Hessian."""
    A, center = np.asarray(A, float), np.asarray(center, float)
    return (
        lambda w: (w - center) @ A @ (w - center) / 2,
        lambda w: A @ (w - center),
        lambda w: A,
    )


def test_overflow_stops_at_last_finite_point():
    f, gradient, _ = quadratic([[1]], [0])
    fit = gradient_descent(f, gradient, [1.0], eta=1e20, max_steps=50)
    assert not fit.converged
    assert np.isfinite(fit.values).all()


def test_newton_halves_a_step_twice():
    # for f = sqrt(1 + w**2) a full Newton step goes from w to -w**3
    f = lambda w: np.sqrt(1 + w[0] ** 2)  # noqa: E731
    fit = newton(f, lambda w: w / f(w), lambda w: np.array([[f(w) ** -3]]), [2.0])
    # -8 and 2 - 10/2 = -3 are rejected, 2 - 10/4 = -1/2 is accepted; then 1/8
    np.testing.assert_allclose(fit.path[:3], [[2], [-0.5], [0.125]], rtol=1e-14)
    assert fit.converged


def test_newton_tol_bounds_the_gap():
    """On a quadratic the estimated gap is exact: stop if and only if f <= tol."""
    f, gradient, hessian = quadratic(np.diag([4.0, 1.0]), [0, 0])
    loose = newton(f, gradient, hessian, [1.0, 1.0], tol=2.5 * (1 + 1e-6))
    tight = newton(f, gradient, hessian, [1.0, 1.0], tol=2.5 * (1 - 1e-6))
    assert loose.converged and loose.w.tolist() == [1, 1]
    assert tight.converged and f(tight.w) <= 1e-12


def test_newton_with_singular_hessian_finds_nearest_minimum():
    fit = newton(*quadratic([[1, 1], [1, 1]], [1, 0]), [0.0, 0.0], max_steps=1)
    assert fit.converged
    np.testing.assert_allclose(fit.path, [[0, 0], [0.5, 0.5]], rtol=1e-14)
    np.testing.assert_allclose(fit.values, [0.5, 0], atol=1e-14)


def test_newton_without_minimum_does_not_converge():
    gradient, hessian = lambda w: -np.exp(-w), lambda w: np.diag(np.exp(-w))
    options = {"tol": 0, "max_steps": 30}
    fit = newton(lambda w: np.exp(-w[0]), gradient, hessian, [0.0], **options)
    assert not fit.converged
    np.testing.assert_allclose(fit.w, [30.0], rtol=1e-12)


def test_overflowing_run_does_not_stop_other_runs():
    # the steps lead to (1 + w) / 2 and to about -1e50 w
    options = {"steps": constant([0.5, 1e50]), "runs": 2, "epochs": 4}
    fit = sgd(lambda w, i: w - 1, 2, [0.0], **options)
    assert fit.path[:, :, 0].T[0].tolist() == [0, 3 / 4, 15 / 16, 63 / 64, 255 / 256]
    assert fit.path[-1, 1] == fit.path[-2, 1] and fit.w[1] == fit.path[-1, 1]


def test_loss_gradient_by_hand():
    # at w = (2, 1): z = 2, -1, 4, and the slopes of (1 - z)**2 are 2, -4, 6
    X, y = [[1, 0], [0, 1], [1, 2]], [1, -1, 1]
    gradient, w = loss_gradient(X, y, losses.squared, lambda_=0.5), np.array([2.0, 1])
    assert [gradient(w, i).tolist() for i in range(3)] == [[3, 0.5], [1, 4.5], [7, 12.5]]
    assert gradient(w, np.array([0, 2])).tolist() == [5, 6.5]
    two, pairs = np.array([w, 0 * w]), np.array([[0, 2], [1, 1]])
    assert gradient(two, np.array([2, 0])).tolist() == [[7, 12.5], [-2, 0]]
    assert gradient(two, pairs).tolist() == [[5, 6.5], [0, 2]]
    assert loss_gradient(X, y, losses.squared)(w, 0).tolist() == [2, 0]
    # step size 1/2 leads to (1/2, 3/4), where z = -3/4 and the slope is -7/2
    assert sgd(gradient, 2, w, steps=constant(0.5)).w.tolist() == [0.375, -1.1875]


def test_gradient_may_be_a_list():
    run = gradient_descent(lambda w: w @ w, lambda w: [2 * w[0]], [3.0], eta=0.5)
    assert run.converged and run.w == 0
    assert sgd(lambda w, i: [w[0] - 1], 1, [0.0], steps=constant(1.0)).w == 1
