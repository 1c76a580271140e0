"""Quasi-Newton steps: the dense formula, the bound that decides, ways that are too long."""

import numpy as np
import pytest

from mlcore.solvers import quasi_newton as module
from mlcore.solvers.quasi_newton import MEMORY, TRIAL, _direction, quasi_newton


def bowl(d=6, spread=3.0):
    """f, gradient and Hessian of w @ H @ w / 2 - c @ w, and its minimum."""
    rng = np.random.default_rng(d)
    Q = np.linalg.qr(rng.normal(size=(d, d)))[0]
    H, c = Q @ np.diag(np.geomspace(1, spread, d)) @ Q.T, rng.normal(size=d)
    return lambda w: w @ H @ w / 2 - c @ w, lambda w: H @ w - c, H, np.linalg.solve(H, c)


def run(spread=3.0, bound=None, **options):
    f, gradient, H, best = bowl(spread=spread)

    def exact(w, g):
        return g @ np.linalg.solve(H, g) / 2

    options = {"tol": 1e-12, "aim": 1e-12, "max_steps": 50} | options
    found = quasi_newton(f, gradient, np.zeros(6), lambda g: g, bound or exact, **options)
    return found, f, best


def test_the_direction_of_the_dense_formula():
    """(I - rho s u') B (I - rho u s') + rho s s', pair after pair."""
    rng = np.random.default_rng(0)
    A = np.diag(rng.uniform(1, 2, size=5))
    B, pairs = 0.7 * np.linalg.inv(A), []
    for _ in range(3):
        s = rng.normal(size=5)
        u = np.diag(rng.uniform(1, 3, size=5)) @ s
        rho = 1 / (s @ u)
        pairs.append((s, u, rho))
        turn = np.eye(5) - rho * np.outer(u, s)
        B = turn.T @ B @ turn + rho * np.outer(s, s)
    g = rng.normal(size=5)
    found = _direction(g, pairs, lambda q: q / np.diag(A), 0.7)
    np.testing.assert_allclose(found, B @ g, rtol=1e-12)
    s, u, _ = pairs[-1]
    np.testing.assert_allclose(
        _direction(u, pairs, lambda q: q / np.diag(A), 0.7), s, rtol=1e-12
    )


def test_a_bowl():
    found, f, best = run()
    assert found.converged
    np.testing.assert_allclose(found.w, best, atol=1e-5)
    assert np.array_equal(found.path[0], np.zeros(6))
    assert np.array_equal(found.path[-1], found.w)
    np.testing.assert_allclose(found.values, [f(w) for w in found.path], rtol=1e-15)
    assert (np.diff(found.values) < 0).all()
    assert found.values[-1] - f(best) <= 1e-12


def test_fewer_steps_than_of_steepest_descent():
    """The steps correct the Hessian: alone, the rate would be 0.98 for this one."""
    found, _, _ = run(spread=100.0)
    assert found.converged
    assert len(found.path) < 35


@pytest.mark.parametrize("factor", [1, 30, 1e3])
def test_the_bound_decides(factor):
    """However far the bound is above the gap, it is at most tol in the end."""
    _, _, H, _ = bowl()

    def bound(w, g):
        return factor * g @ np.linalg.solve(H, g) / 2

    found, f, best = run(bound=bound)
    assert found.converged
    assert factor * (found.values[-1] - f(best)) <= 1.01e-12


def test_a_start_whose_bound_is_tol_is_an_end():
    """f = w**2 / 2 at w = 2: the step is -2, and f - min f is 2."""
    for tol, steps in (2.0, 0), (np.nextafter(2.0, 0), 1):
        found = quasi_newton(
            lambda w: w @ w / 2,
            lambda w: w,
            np.array([2.0]),
            lambda g: g,
            lambda w, g: g @ g / 2,
            tol=tol,
            aim=tol,
            max_steps=9,
        )
        assert found.converged
        assert len(found.path) - 1 == steps


@pytest.mark.parametrize("factor", [5, 50, 1e5])
def test_a_bound_is_dear_and_is_asked_when_it_may_be_small(factor):
    """A step goes far enough, and no further: the bound is factor times the gap."""
    _, _, H, _ = bowl(spread=100.0)
    asked = []

    def bound(w, g):
        asked.append(factor * g @ np.linalg.solve(H, g) / 2)
        return asked[-1]

    found, *_ = run(spread=100.0, bound=bound, tol=1e-9, aim=1e-9)
    known, *_ = run(spread=100.0, tol=1e-9 / factor, aim=1e-9 / factor)
    assert found.converged
    assert len(asked) <= 3
    assert abs(len(found.path) - len(known.path)) <= 1


def test_a_bound_that_is_never_small():
    found, _, _ = run(bound=lambda w, g: np.inf)
    assert not found.converged


def test_a_way_that_would_be_too_long_is_given_up():
    found, _, _ = run(spread=1e6, max_steps=20)
    assert not found.converged
    assert len(found.path) - 1 == TRIAL
    assert len(run(max_steps=3)[0].path) == 4


def test_nothing_depends_on_the_unit_of_f():
    c = 2.0**40
    f, gradient, _, _ = bowl(spread=1e6)
    small, _, _ = run(spread=1e6, max_steps=20)
    large = quasi_newton(
        lambda w: c * f(w),
        lambda w: c * gradient(w),
        np.zeros(6),
        lambda g: g / c,
        lambda w, g: np.inf,
        tol=c * 1e-12,
        aim=c * 1e-12,
        max_steps=20,
    )
    assert np.array_equal(large.path, small.path)


def test_a_slope_without_curvature_teaches_nothing():
    """f = -w: the gap is 1/2 at each step, and where 1/2 is due no step is too slow."""
    found = quasi_newton(
        lambda w: -w[0],
        lambda w: np.array([-1.0]),
        np.zeros(1),
        lambda g: g,
        lambda w, g: np.inf,
        tol=0.5,
        aim=0.0,
        max_steps=14,
    )
    assert not found.converged
    assert found.path[:, 0].tolist() == list(range(15))


def test_the_last_steps_are_remembered(monkeypatch):
    known = []

    def spy(g, pairs, solve, scale):
        known.append([float(s @ u) for s, u, _ in pairs])
        return _direction(g, pairs, solve, scale)

    monkeypatch.setattr(module, "_direction", spy)
    run(spread=100.0)
    assert [len(pairs) for pairs in known[:12]] == [*range(MEMORY), MEMORY, MEMORY]
    assert known[12][:-1] == known[11][1:]
