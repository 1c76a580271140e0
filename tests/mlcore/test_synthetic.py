"""Synthetic data against their known properties."""

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlcore.data import overlapping, parity, ring, separable, synthetic
from mlcore.svm import hard_margin

SIZE = synthetic.MAX_SIZE
GENERATORS = {
    "separable": lambda n, rng: separable(n, 3, margin=0.1, rng=rng),
    "overlapping": lambda n, rng: overlapping(n, 3, separation=2.0, rng=rng),
    "ring": lambda n, rng: ring(n, rng=rng),
    "parity": lambda n, rng: parity(n, 3, rng=rng),
}
ERRORS = {
    f"n must be at most {SIZE // 2:g};": lambda: ring(SIZE // 2 + 1, rng=0),
    f"n must be at most {SIZE // 3:g};": lambda: parity(SIZE // 3 + 1, 3, rng=0),
    f"d must be at most {SIZE // 2:g};": lambda: parity(2, SIZE // 2 + 1, rng=0),
    "margin must be at least": lambda: separable(9, 2, margin=1e-4, rng=0),
}


@pytest.mark.parametrize("make", GENERATORS.values(), ids=GENERATORS)
def test_labels_are_balanced_shuffled_and_reproducible(make):
    for n in 2, 3, 20, 31:
        data = make(n, n)
        assert data.X.shape == (n, len(data.features))
        assert [(data.y == -1).sum(), (data.y == 1).sum()] == [n // 2, n - n // 2]
    a, b, other = make(20, 3), make(20, np.random.default_rng(3)), make(20, 4)
    assert np.array_equal(a.X, b.X) and np.array_equal(a.y, b.y)
    assert not np.array_equal(a.X, other.X)
    assert abs(make(100, 0).y[:50].sum()) < 50


def test_separable_hyperplanes_vary():
    planes = [separable(2, 2, margin=0.1, rng=seed) for seed in range(40)]
    biases = [plane.b_star for plane in planes]
    assert -1 <= min(biases) < -0.7 and 0.7 < max(biases) <= 1
    assert {tuple(np.sign(plane.w_star)) for plane in planes} >= {(1, 1), (-1, 1)}


@given(n=st.integers(2, 40), d=st.integers(1, 6), seed=st.integers(0, 10**6))
@pytest.mark.parametrize("margin", [1e-3, 0.1, 1e3])
def test_separable_attains_its_margin_and_no_larger_one_exists(n, d, margin, seed):
    data = separable(n, d, margin=margin, rng=seed)
    assert np.linalg.norm(data.w_star) == pytest.approx(1, rel=1e-14)
    distances = data.y * (data.X @ data.w_star + data.b_star)
    for side in -1, 1:
        smallest = distances[data.y == side].min()
        assert smallest == pytest.approx(data.margin, rel=1e-11) == margin
    assert hard_margin(data.X, data.y).margin == pytest.approx(margin, rel=1e-9)


@pytest.mark.parametrize(("d", "separation"), [(1, 3.0), (4, 2.0), (9, 0.0)])
def test_overlapping_has_optimal_error(d, separation):
    data = overlapping(40_000, d, separation=separation, rng=d)
    for side in 1, -1:
        Z, mean = data.X[data.y == side], side * separation / np.sqrt(d) / 2
        np.testing.assert_allclose(Z.mean(axis=0), mean, atol=0.03)
        np.testing.assert_allclose(np.atleast_2d(np.cov(Z.T)), np.eye(d), atol=0.05)
    errors = np.mean(data.X.sum(axis=1) * data.y <= 0)
    assert errors == pytest.approx(NormalDist().cdf(-separation / 2), abs=0.0075)  # 3 sigma


def test_ring_is_uniform():
    data = ring(20_000, rng=0)
    radius = np.hypot(*data.X.T)
    disc, outer = radius[data.y > 0], radius[data.y < 0]
    assert 0.99 < disc.max() <= 1 < 1.5 <= outer.min() < outer.max() <= 2.5
    assert np.mean(disc < 0.5) == pytest.approx(1 / 4, abs=0.015)  # uniform
    assert np.mean(outer < 2) == pytest.approx(1.75 / 4, abs=0.015)
    assert np.abs(data.X.mean(axis=0)).max() < 0.03


@pytest.mark.parametrize("d", [1, 2, 5])
def test_parity_is_product_of_signs_and_independent_of_each(d):
    data = parity(40_000, d, rng=d)
    assert parity(9, rng=0).X.shape == (9, 2)
    signs = np.sign(data.X)
    assert np.array_equal(np.prod(signs, axis=1), data.y)
    assert 0 < np.abs(data.X).min() < 0.02 < 0.98 < np.abs(data.X).max() <= 1
    assert d == 1 or np.abs(data.y @ signs).max() < 0.02 * len(signs)
    assert data.features == tuple(f"x{j + 1} (no unit)" for j in range(d))
