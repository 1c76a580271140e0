"""The lines of the lasso between two knots, after features have joined and left."""

import numpy as np
import pytest

from mlcore.solvers.active_set import RIDGE, ActiveSet, Columns, Gram


def expected(X, c, features, signs):
    """p, q, u and v by their definition."""
    G = X.T @ X
    G.flat[:: len(G) + 1] *= 1 + RIDGE
    among = G[np.ix_(features, features)]
    p, q = np.linalg.solve(among, np.array([c[features], signs]).T).T
    return p, q, c - G[:, features] @ p, G[:, features] @ q


@pytest.mark.parametrize("products", [lambda X: Gram(X.T @ X), Columns])
@pytest.mark.parametrize("seed", range(6))
def test_any_order_of_joining_and_leaving(products, seed):
    rng = np.random.default_rng(seed)
    X, y = (
        rng.normal(size=(60, 50)) * 10.0 ** rng.integers(-3, 4, size=50),
        rng.normal(size=60),
    )
    c = X.T @ y
    active = ActiveSet(products(X), c)
    for _ in range(200):
        outside = np.setdiff1d(np.arange(50), active.features)
        if active.k and (rng.random() < 0.4 or not len(outside)):
            active.leave(int(rng.integers(active.k)))
        else:
            active.join(int(rng.choice(outside)), float(rng.choice([-1.0, 1.0])))
        found = active.p, active.q, active.u, active.v
        wanted = expected(X, c, active.features, active.signs)
        size = np.linalg.norm(X, axis=0)
        for one, other in zip(found[:2], wanted[:2], strict=True):  # weights of features
            far = abs(one - other) * size[active.features]
            assert far.max(initial=0) < 1e-9 * abs(other * size[active.features]).max(
                initial=1
            )
        for one, other in zip(found[2:], wanted[2:], strict=True):  # products with them
            assert (abs(one - other) / size).max() < 1e-9 * (1 + (abs(other) / size).max())


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_copies_share_in_any_unit(scale):
    X = np.array([[1.0, 1.0], [-1.0, -1.0]]) * scale
    for products in Gram(X.T @ X), Columns(X):
        active = ActiveSet(products, X.T @ [1.0, 0.0])
        active.join(0, 1.0)
        active.join(1, 1.0)
        np.testing.assert_allclose(active.p * scale, [0.25, 0.25], rtol=1e-4)


def test_a_weight_is_zero_beyond_the_end_of_its_segment():
    active = ActiveSet(Gram(np.eye(4)), np.array([3.0, -3.0, 2.0, 9.0]))
    for j, sign in (2, 1.0), (1, -1.0), (0, 1.0):
        active.join(j, sign)
    np.testing.assert_allclose(active.weights(0.5), [2.5, -2.5, 1.5, 0.0], rtol=1e-9)
    w = active.weights(2.5)
    np.testing.assert_allclose(w[:2], [0.5, -0.5], rtol=1e-9)
    assert w[2:].tolist() == [0.0, 0.0]
