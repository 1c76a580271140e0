"""The path of the lasso: by hand, by its optimality conditions, and what lies between."""

import numpy as np
import pytest

from mlcore.solvers.homotopy import between, follow


def violation(G, c, w, t):
    """How far w is from least(t), |y - X w|**2 / 2 + t |w|_1, by its slopes."""
    g = c - G @ w
    return np.where(w != 0, abs(g - t * np.sign(w)), np.maximum(abs(g) - t, 0)).max()


@pytest.mark.parametrize("unit", [1e-14, 1.0, 1e9])
def test_every_knot_and_every_point_between_is_a_minimum(unit):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        n, d = rng.integers(2, 9, size=2)
        X = rng.integers(-2, 3, size=(n, d)) * 1.0 if seed % 2 else rng.normal(size=(n, d))
        y = (rng.integers(-2, 3, size=n) if seed % 2 else rng.normal(size=n)) * unit
        G, c = X.T @ X, X.T @ y
        if not c.any():
            continue
        first = abs(c).max()
        t, W, complete = follow(X, y, 0.0)
        assert complete
        assert (t[0], t[-1]) == (first, 0.0)
        assert (np.diff(t) < 0).all()
        assert not W[0].any()
        assert len(t) == len(W) <= 3 * min(n, d) + 2
        middle = (t[:-1] + t[1:]) / 2
        for s, w in zip([*t, *middle], [*W, *between(t, W, middle)], strict=True):
            assert violation(G, c, w, s) <= 1e-8 * first


def test_it_stops_at_until():
    X, y = np.eye(3), np.array([4.0, -2.0, 1.0])
    t, W, complete = follow(X, y, 1.5)
    np.testing.assert_allclose(t, [4.0, 2.0, 1.5])
    np.testing.assert_allclose(W, [[0, 0, 0], [2, 0, 0], [2.5, -0.5, 0]], atol=1e-8)
    assert complete
    for until in 4.0, 5.0:
        t, W, complete = follow(X, y, until)
        assert (t.tolist(), W.tolist(), complete) == ([4.0], [[0.0, 0.0, 0.0]], True)


def test_between():
    knots, values = np.array([4.0, 2.0, 0.0]), np.array([[0.0], [6.0], [8.0]])
    found = between(knots, values, [9.0, 4.0, 3.0, 2.0, 1.5, 0.0, -1.0])
    assert found.ravel().tolist() == [0, 0, 3, 6, 6.5, 8, 8]
    assert between(knots[:1], values[:1], [9.0, 1.0]).tolist() == [[0.0], [0.0]]
    assert between(knots[1:], values[1:], [1.0]).tolist() == [[7.0]]
