"""The synthetic data sets, as promised."""

import re
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from mlcore.data import (
    collinear,
    microarray,
    overlapping,
    parity,
    ring,
    separable,
    synthetic,
)

SIZE = synthetic.SIZE
repeatable = settings(derandomize=True, deadline=None)
seeds = st.integers(0, 10**6)

GENERATORS = {
    "separable": lambda n, rng: separable(n, 3, margin=0.1, rng=rng),
    "overlapping": lambda n, rng: overlapping(n, 3, separation=2.0, rng=rng),
    "ring": lambda n, rng: ring(n, rng=rng),
    "parity": lambda n, rng: parity(n, 3, rng=rng),
    "collinear": lambda n, rng: collinear(n, 2, noise=0.1, rng=rng),
    "microarray": lambda n, rng: microarray(n, 3, informative=1, shift=1.0, rng=rng),
}
each_generator = pytest.mark.parametrize("make", GENERATORS.values(), ids=GENERATORS)


def separable_by_a_line(X, y):
    rows = y[:, None] * np.column_stack([X, np.ones(len(X))])
    d = rows.shape[1]
    found = linprog(
        np.zeros(d), A_ub=-rows, b_ub=-np.ones(len(X)), bounds=[(None, None)] * d
    )
    return found.status == 0


class TestEveryGenerator:
    @each_generator
    @repeatable
    @given(n=st.integers(2, 30), seed=seeds)
    def test_both_classes(self, make, n, seed):
        data = make(n, seed)
        assert data.X.shape == (n, len(data.features))
        assert [(data.y == -1).sum(), (data.y == 1).sum()] == [n // 2, n - n // 2]

    @each_generator
    def test_same_seed_same_data(self, make):
        one, two, other = make(20, 3), make(20, np.random.default_rng(3)), make(20, 4)
        assert np.array_equal(one.X, two.X)
        assert np.array_equal(one.y, two.y)
        assert not np.array_equal(one.X, other.X)

    @each_generator
    def test_the_order_is_random(self, make):
        assert abs(make(100, 0).y[:50].sum()) < 50

    @each_generator
    @pytest.mark.parametrize("n", [1, 0, -3, 2.0, "9", 10**20])
    def test_bad_n(self, make, n):
        with pytest.raises(ValueError, match="n must be"):
            make(n, 0)

    @each_generator
    @pytest.mark.parametrize("rng", [None, "0", 0.5, -1])
    def test_rng_is_required(self, make, rng):
        with pytest.raises(ValueError, match="rng must be"):
            make(9, rng)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ring(SIZE // 2 + 1, rng=0), f"n must be at most {SIZE // 2:g};"),
        (lambda: parity(SIZE // 3 + 1, 3, rng=0), f"n must be at most {SIZE // 3:g};"),
        (lambda: parity(2, SIZE // 2 + 1, rng=0), f"d must be at most {SIZE // 2:g};"),
        (
            lambda: collinear(SIZE // 6 + 1, 3, noise=0.0, rng=0),
            f"n must be at most {SIZE // 6:g};",
        ),
        (
            lambda: collinear(2, SIZE // 4 + 1, noise=0.0, rng=0),
            f"pairs must be at most {SIZE // 4:g};",
        ),
    ],
)
def test_more_numbers_than_fit_into_memory_are_refused_before_any_is_drawn(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


def test_features_are_counted_from_one():
    assert parity(2, 3, rng=0).features == tuple(f"x{j} (no unit)" for j in (1, 2, 3))


class TestSeparable:
    def test_the_hyperplane_is_anywhere(self):
        planes = [separable(2, 2, margin=0.1, rng=seed) for seed in range(40)]
        biases = [plane.b_star for plane in planes]
        assert -1 <= min(biases) < -0.7 and 0.7 < max(biases) <= 1
        assert {tuple(np.sign(plane.w_star)) for plane in planes} >= {(1, 1), (-1, 1)}

    @repeatable
    @given(
        n=st.integers(2, 40),
        d=st.integers(1, 6),
        margin=st.sampled_from([1e-3, 0.1, 2.0, 1e3]),
        seed=seeds,
    )
    def test_the_margin_is_kept_and_reached_by_both_classes(self, n, d, margin, seed):
        data = separable(n, d, margin=margin, rng=seed)
        assert np.linalg.norm(data.w_star) == pytest.approx(1, rel=1e-14)
        distances = data.y * (data.X @ data.w_star + data.b_star)
        for side in -1, 1:
            least = distances[data.y == side].min()
            assert least == pytest.approx(data.margin, rel=1e-11) == margin

    @pytest.mark.parametrize("seed", range(5))
    def test_no_hyperplane_has_a_larger_one(self, seed):
        """Half the distance of the convex hulls, by quadratic programming."""
        data = separable(12, 2, margin=0.3, rng=seed)
        plus, minus = data.X[data.y > 0], data.X[data.y < 0]
        p = len(plus)

        def squared(a):
            gap = a[:p] @ plus - a[p:] @ minus
            return gap @ gap

        weights = {"type": "eq", "fun": lambda a: [a[:p].sum() - 1, a[p:].sum() - 1]}
        start = np.append(np.full(p, 1 / p), np.full(12 - p, 1 / (12 - p)))
        best = minimize(squared, start, bounds=[(0, 1)] * 12, constraints=weights)
        assert np.sqrt(best.fun) / 2 == pytest.approx(0.3, rel=1e-4)

    @pytest.mark.parametrize("margin", [0, 1e-4, 1001, np.nan, "1", None])
    def test_bad_margin(self, margin):
        with pytest.raises(ValueError, match="margin must be"):
            separable(9, 2, margin=margin, rng=0)


class TestOverlapping:
    @pytest.mark.parametrize(("d", "separation"), [(1, 3.0), (4, 2.0), (9, 0.0)])
    def test_two_normal_clouds(self, d, separation):
        data = overlapping(40_000, d, separation=separation, rng=d)
        plus, minus = data.X[data.y > 0], data.X[data.y < 0]
        gap = plus.mean(axis=0) - minus.mean(axis=0)
        np.testing.assert_allclose(gap, separation / np.sqrt(d), atol=0.05)
        for cloud in plus, minus:
            np.testing.assert_allclose(np.cov(cloud.T), np.eye(d), atol=0.05)

    def test_the_least_error(self):
        data = overlapping(100_000, 5, separation=2.0, rng=0)
        errors = np.mean(data.X.sum(axis=1) * data.y <= 0)
        assert errors == pytest.approx(NormalDist().cdf(-1.0), abs=0.004)  # 3 sigma

    @pytest.mark.parametrize("separation", [-1.0, 1001, np.inf, None])
    def test_bad_separation(self, separation):
        with pytest.raises(ValueError, match="separation must be"):
            overlapping(9, 2, separation=separation, rng=0)


class TestRing:
    def test_radii(self):
        data = ring(20_000, rng=0)
        radius = np.hypot(*data.X.T)
        disc, outer = radius[data.y > 0], radius[data.y < 0]
        assert 0.99 < disc.max() <= 1 < 1.5 <= outer.min() < outer.max() <= 2.5
        assert np.mean(disc < 0.5) == pytest.approx(1 / 4, abs=0.015)  # uniform
        assert np.mean(outer < 2) == pytest.approx(1.75 / 4, abs=0.015)
        assert np.abs(data.X.mean(axis=0)).max() < 0.03

    def test_no_line_separates_it(self):
        data = ring(100, rng=0)
        assert not separable_by_a_line(data.X, data.y)
        assert separable_by_a_line(data.X**2, data.y)


class TestParity:
    def test_the_label_is_the_product_of_the_signs(self):
        for d in 1, 2, 5:
            data = parity(400, d, rng=d)
            assert np.array_equal(np.prod(np.sign(data.X), axis=1), data.y)
            assert 0 < np.abs(data.X).min() < 0.02 < 0.98 < np.abs(data.X).max() <= 1
        assert parity(9, rng=0).X.shape == (9, 2)

    def test_fewer_features_say_nothing(self):
        data = parity(40_000, 3, rng=0)
        for rest in np.delete(data.X, 0, 1), np.delete(data.X, 1, 1), data.X[:, :2]:
            for signs in np.sign(rest).T, [np.prod(np.sign(rest), axis=1)]:
                for sign in signs:
                    assert abs(np.mean(sign * data.y)) < 0.02

    @pytest.mark.parametrize("d", [0, -1, 2.0, None, 10**18])
    def test_bad_d(self, d):
        with pytest.raises(ValueError, match="d must be"):
            parity(9, d, rng=0)


class TestCollinear:
    def test_every_second_feature_nearly_repeats_the_one_before(self):
        data = collinear(10_000, 3, noise=0.01, rng=0)
        assert data.X.shape == (10_000, 6)
        added = data.X[:, 1::2] - data.X[:, ::2]
        np.testing.assert_allclose(np.cov(added.T), 1e-4 * np.eye(3), atol=1e-5)
        between = np.corrcoef(data.X[data.y > 0].T)
        assert between[0, 1] > 0.999
        assert abs(between[0, 2]) < 0.05

    def test_the_first_of_each_pair_are_two_clouds(self):
        clouds = overlapping(30, 3, separation=2.0, rng=5)
        data = collinear(30, 3, noise=0.0, rng=5)
        assert np.array_equal(data.X, np.repeat(clouds.X, 2, axis=1))
        assert np.array_equal(data.y, clouds.y)

    def test_one_pair(self):
        assert collinear(2, 1, noise=0.1, rng=0).X.shape == (2, 2)

    @pytest.mark.parametrize("noise", [-1.0, 1001, np.nan, None])
    def test_bad_noise(self, noise):
        with pytest.raises(ValueError, match="noise must be"):
            collinear(9, 2, noise=noise, rng=0)

    @pytest.mark.parametrize("pairs", [0, 1.0, 10**20, None])
    def test_bad_pairs(self, pairs):
        with pytest.raises(ValueError, match="pairs must be"):
            collinear(9, pairs, noise=0.1, rng=0)


class TestMicroarray:
    def test_only_the_informative_features_differ(self):
        data = microarray(10_000, 50, informative=7, shift=0.5, rng=0)
        plus, minus = data.X[data.y > 0], data.X[data.y < 0]
        gap = plus.mean(axis=0) - minus.mean(axis=0)
        expected = np.zeros(50)
        expected[list(data.informative)] = 0.5
        assert len(set(data.informative)) == 7
        np.testing.assert_allclose(gap, expected, atol=0.09)  # 4.5 sigma
        np.testing.assert_allclose(plus.std(axis=0), 1, atol=0.05)
        np.testing.assert_allclose(plus.mean(axis=0), expected / 2, atol=0.07)

    def test_they_are_anywhere_in_rising_order(self):
        firsts = set()
        for seed in range(20):
            places = microarray(2, 9, informative=2, shift=1.0, rng=seed).informative
            assert 0 <= places[0] < places[1] < 9
            firsts.add(places[0])
        assert len(firsts) > 3
        assert microarray(2, 3, informative=0, shift=1.0, rng=0).informative == ()
        assert microarray(2, 3, informative=3, shift=1.0, rng=0).informative == (0, 1, 2)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"informative": 6}, "informative must be at most 5; got 6"),
            ({"informative": -1}, "informative must be at least 0; got -1"),
            ({"informative": 1.0}, "informative must be an integer"),
            ({"shift": -1.0}, "shift must be at least 0; got -1.0"),
            ({"shift": None}, "shift must be a finite number"),
        ],
    )
    def test_bad_options(self, options, message):
        with pytest.raises(ValueError, match=message):
            microarray(9, 5, **{"informative": 2, "shift": 1.0, "rng": 0} | options)
