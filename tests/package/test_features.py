"""The basis functions: counted, ordered, orthonormal, and as scikit-learn has them."""

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.features import (
    fourier,
    haar,
    polynomial,
    quadratic,
    rbf,
    rectified,
    standardize,
)

repeatable = settings(derandomize=True, deadline=None)
seeds = st.integers(0, 10**6)


def normal(seed, n, d):
    return np.random.default_rng(seed).normal(size=(n, d))


def with_constant(phi):
    return np.column_stack([np.ones(len(phi)), phi])


class TestPolynomial:
    def test_by_hand(self):
        phi = polynomial([[2.0, 3.0, 5.0]], degree=3)
        assert phi.tolist() == [
            [2, 3, 5, 4, 6, 10, 9, 15, 25, 8, 12, 20, 18, 30, 50, 27, 45, 75, 125]
        ]
        assert polynomial([[2.0], [-3.0]], degree=3).tolist() == [
            [2, 4, 8],
            [-3, 9, -27],
        ]

    @repeatable
    @given(d=st.integers(1, 5), degree=st.integers(1, 5), seed=seeds)
    def test_each_monomial_once_and_in_order(self, d, degree, seed):
        X = normal(seed, 3, d)
        words = [
            word
            for k in range(1, degree + 1)
            for word in combinations_with_replacement(range(d), k)
        ]
        expected = [X[:, list(word)].prod(axis=1) for word in words]
        phi = polynomial(X, degree=degree)
        assert phi.shape == (3, comb(d + degree, degree) - 1)
        np.testing.assert_allclose(phi, np.transpose(expected), rtol=1e-14)

    @repeatable
    @given(d=st.integers(1, 5), k=st.integers(2, 5))
    def test_how_many_have_degree_k(self, d, k):
        X = np.ones((1, d))
        more = polynomial(X, degree=k).shape[1] - polynomial(X, degree=k - 1).shape[1]
        assert more == comb(d + k - 1, k)

    @pytest.mark.parametrize("degree", [1, 2, 3, 4])
    def test_scikit_learn_has_the_same_columns(self, degree):
        from sklearn.preprocessing import PolynomialFeatures

        X = normal(0, 20, 4)
        peer = PolynomialFeatures(degree, include_bias=False).fit_transform(X)
        np.testing.assert_allclose(polynomial(X, degree=degree), peer, rtol=1e-14)

    def test_the_limits(self):
        assert polynomial([[1e75, -1e75]], degree=2)[0, 3] == pytest.approx(-1e150)
        for x in 1.001e75, -1.001e75:
            with pytest.raises(ValueError, match=r"max .X. must be at most 1e\+75; got"):
                polynomial([[0.0, x]], degree=2)
        tiny = polynomial([[1e-150]], degree=3)
        np.testing.assert_allclose(tiny, [[1e-150, 1e-300, 0]], rtol=1e-14)
        with pytest.raises(ValueError, match="degree must give at most 100000 columns"):
            polynomial(np.ones((2, 50)), degree=4)
        with pytest.raises(ValueError, match="degree must be at most 100000; got 10000"):
            polynomial([[1.0]], degree=10**18)

    @pytest.mark.parametrize("degree", [0, -1, 2.0, True, "2", None])
    def test_bad_degree(self, degree):
        with pytest.raises(ValueError, match="degree must be"):
            polynomial([[1.0]], degree=degree)


class TestQuadratic:
    @repeatable
    @given(d=st.integers(1, 6), seed=seeds)
    def test_rank(self, d, seed):
        """No feature is a combination of the others: (d + 1)(d + 2) / 2 with 1."""
        phi = with_constant(quadratic(normal(seed, 60, d)))
        assert phi.shape[1] == np.linalg.matrix_rank(phi) == comb(d + 2, 2)

    @pytest.mark.parametrize(("d", "printed", "least"), [(2, 7, 6), (5, 31, 21)])
    def test_the_printed_double_sum_counts_products_twice(self, d, printed, least):
        X = normal(d, 60, d)
        products = np.einsum("ni,nj->nij", X, X).reshape(60, -1)  # k = d (i - 1) + j
        doubled = with_constant(np.column_stack([products, X]))
        assert doubled.shape[1] == printed
        assert np.linalg.matrix_rank(doubled) == least
        assert quadratic(X).shape[1] + 1 == least

    @repeatable
    @given(d=st.integers(1, 4), seed=seeds)
    def test_every_quadratic_form_is_linear_in_it(self, d, seed):
        rng = np.random.default_rng(seed)
        X, W, w = rng.normal(size=(40, d)), rng.normal(size=(d, d)), rng.normal(size=d)
        g = np.einsum("ni,ij,nj->n", X, W, X) + X @ w + 1.5
        phi = with_constant(quadratic(X))
        c, *_ = np.linalg.lstsq(phi, g)
        np.testing.assert_allclose(phi @ c, g, atol=1e-11)


class TestRbf:
    def test_by_hand(self):
        phi = rbf([[0.0, 0.0], [3.0, 4.0]], [[0.0, 0.0], [0.0, 4.0]], width=2.0)
        assert phi.tolist() == [
            [1.0, np.exp(-2.0)],
            [np.exp(-25 / 8), np.exp(-9 / 8)],
        ]

    @pytest.mark.parametrize("width", [0.3, 1.0, 7.0])
    def test_scikit_learn(self, width):
        from sklearn.metrics.pairwise import rbf_kernel

        X, centers = normal(0, 30, 3), normal(1, 7, 3)
        peer = rbf_kernel(X, centers, gamma=1 / (2 * width**2))
        np.testing.assert_allclose(rbf(X, centers, width=width), peer, rtol=1e-11)

    @repeatable
    @given(d=st.integers(1, 4), seed=seeds)
    def test_only_the_distance_counts(self, d, seed):
        """A shift and a rotation of both change nothing."""
        X, centers, shift = (
            normal(seed, 9, d),
            normal(seed + 1, 4, d),
            normal(seed, 1, d),
        )
        Q, _ = np.linalg.qr(normal(seed + 2, d, d))
        moved = rbf((X + shift) @ Q, (centers + shift) @ Q, width=1.3)
        np.testing.assert_allclose(rbf(X, centers, width=1.3), moved, rtol=1e-12)

    def test_extremes(self):
        phi = rbf([[1e150, 0.0], [0.0, 0.0]], [[-1e150, 0.0], [0.0, 1e-150]], width=1.0)
        assert phi.tolist() == [[0, 0], [0, 1]]
        assert rbf([[1.0], [0.0]], [[0.0]], width=1e-300).tolist() == [[0], [1]]

    def test_bad_input(self):
        with pytest.raises(ValueError, match="width must be greater than 0; got 0"):
            rbf([[1.0]], [[1.0]], width=0.0)
        with pytest.raises(ValueError, match="centers must have 1 columns; got shape"):
            rbf([[1.0]], [[1.0, 2.0]], width=1.0)


class TestRectified:
    def test_by_hand(self):
        X, A = [[1.0, 2.0], [-3.0, 1.0]], [[1.0, 0.0], [0.0, -1.0], [1.0, 1.0]]
        phi = rectified(X, A, [0.5, 1.5, -2.0])
        assert phi.tolist() == [[1.5, 0, 1], [0, 0.5, 0]]

    @repeatable
    @given(d=st.integers(1, 4), seed=seeds)
    def test_two_halves_make_a_line(self, d, seed):
        """max(0, t) - max(0, -t) = t and max(0, t) + max(0, -t) = |t|."""
        X, A, c = normal(seed, 9, d), normal(seed + 1, 5, d), normal(seed, 1, 5)[0]
        plus, minus = rectified(X, A, c), rectified(X, -A, -c)
        scores = np.einsum("nj,pj->np", X, A) + c
        np.testing.assert_allclose(plus - minus, scores, rtol=1e-12, atol=1e-13)
        assert np.all(np.minimum(plus, minus) == 0)

    def test_bad_input(self):
        with pytest.raises(ValueError, match="offsets must have 1 entries; got 2"):
            rectified([[1.0]], [[1.0]], [1.0, 2.0])
        with pytest.raises(ValueError, match="directions must have 1 columns; got"):
            rectified([[1.0]], [[1.0, 1.0]], [1.0])
        with pytest.raises(ValueError, match=r"X @ directions.T \+ offsets must be"):
            rectified([[1e80]], [[1e80]], [0.0])


class TestFourier:
    def test_by_hand(self):
        phi = fourier([[0.0, np.pi / 2], [np.pi / 3, np.pi]], order=2)
        half, root = 0.5, np.sqrt(3) / 2
        expected = [
            [1, 0, 1, 0, 0, 1, -1, 0],
            [half, root, -half, root, -1, 0, 1, 0],
        ]
        np.testing.assert_allclose(phi, expected, atol=1e-14)

    @repeatable
    @given(order=st.integers(1, 6), period=st.sampled_from([0.5, 2.0, 8.0]))
    def test_orthogonal_over_a_period(self, order, period):
        """With 1: mean squares 1, 1/2, ..., 1/2 over equally spaced points, else 0."""
        x = period * np.arange(64)[:, None] / 64 - 3.0
        phi = with_constant(fourier(x, order=order, period=period))
        halves = np.diag([1] + [0.5] * 2 * order)
        np.testing.assert_allclose(phi.T @ phi / 64, halves, atol=1e-12)

    def test_the_complex_exponential(self):
        X = normal(0, 10, 2)
        phi = fourier(X, order=3, period=1.7).reshape(10, 2, 3, 2)
        z = np.exp(2j * np.pi * X / 1.7)
        for k in range(3):
            np.testing.assert_allclose(phi[:, :, k, 0], (z ** (k + 1)).real, atol=1e-12)
            np.testing.assert_allclose(phi[:, :, k, 1], (z ** (k + 1)).imag, atol=1e-12)

    def test_periodic_for_large_numbers_too(self):
        near = fourier([[1.0], [3.0]], order=3, period=4.0)
        far = fourier([[2.0**52 + 1], [-(2.0**52) - 1]], order=3, period=4.0)
        assert np.array_equal(near[0], far[0])
        np.testing.assert_allclose(near[1], far[1], atol=1e-14)
        huge = fourier([[1e150, -1e150, 1e-150]], order=2, period=1e-150)
        assert np.abs(huge).max() <= 1

    def test_bad_input(self):
        for order in 0, 1.0, None:
            with pytest.raises(ValueError, match="order must be"):
                fourier([[1.0]], order=order)
        for period in 0, -1.0, np.inf, "1":
            with pytest.raises(ValueError, match="period must be"):
                fourier([[1.0]], order=1, period=period)
        with pytest.raises(ValueError, match="order must give at most 100000 columns"):
            fourier(np.ones((1, 10)), order=10_000)


class TestHaar:
    def test_by_hand(self):
        root = np.sqrt(2)
        phi = haar([[0.1], [0.25], [0.5], [0.875], [1.0], [-0.1]], levels=2)
        assert phi.tolist() == [
            [1, root, 0],
            [1, -root, 0],
            [-1, 0, root],
            [-1, 0, -root],
            [0, 0, 0],
            [0, 0, 0],
        ]

    @pytest.mark.parametrize("levels", [1, 2, 3, 5])
    def test_orthonormal_basis_of_the_step_functions(self, levels):
        n = 2**levels
        x = (np.arange(n)[:, None] + 0.3) / n  # one point in each of the n parts
        phi = with_constant(haar(x, levels=levels))
        assert phi.shape == (n, n)
        np.testing.assert_allclose(phi.T @ phi / n, np.eye(n), atol=1e-12)

    @repeatable
    @given(x=st.floats(0, 1, exclude_max=True), levels=st.integers(1, 9))
    def test_one_wavelet_a_level_is_on(self, x, levels):
        phi = haar([[x]], levels=levels)[0]
        parts = np.split(phi, [2**level - 1 for level in range(1, levels)])
        for level, part in enumerate(parts):
            (k,) = np.flatnonzero(part)
            assert k == int(x * 2**level)
            assert abs(part[k]) == 2 ** (level / 2)

    @repeatable
    @given(x=st.floats(allow_nan=False, min_value=-1e150, max_value=1e150))
    def test_off_outside(self, x):
        assert haar([[x]], levels=4).any() == (0 <= x < 1)

    def test_each_feature_in_turn(self):
        X = np.random.default_rng(0).random((9, 3))
        alone = [haar(X[:, [j]], levels=3) for j in range(3)]
        assert np.array_equal(haar(X, levels=3), np.hstack(alone))

    @pytest.mark.parametrize(("d", "levels"), [(100_000, 1), (1_587, 6)])
    def test_as_many_columns_as_allowed(self, d, levels):
        assert haar(np.ones((1, d)), levels=levels).shape[1] == d * (2**levels - 1)
        with pytest.raises(ValueError, match="levels must give at most 100000 columns"):
            haar(np.ones((1, d + 1)), levels=levels)

    @pytest.mark.parametrize("levels", [0, 17, 2.0, None, True])
    def test_bad_levels(self, levels):
        with pytest.raises(ValueError, match="levels must be"):
            haar([[0.5]], levels=levels)
        with pytest.raises(ValueError, match="levels must give at most 100000 columns"):
            haar(np.ones((1, 4)), levels=16)


class TestStandardize:
    def test_by_hand(self):
        Z = standardize([[1.0, 5.0, 0.1], [3.0, 5.0, 0.1], [5.0, 8.0, 0.1]])
        a, b = np.sqrt(1.5), np.sqrt(0.5)
        np.testing.assert_allclose(Z, [[-a, -b, 0], [0, -b, 0], [a, 2 * b, 0]], atol=1e-14)
        assert np.all(Z[:, 2] == 0)

    def test_new_data_like_the_old(self):
        train = [[0.0, 7.0], [2.0, 7.0]]
        Z = standardize([[5.0, 7.0], [1.0, 99.0]], like=train)
        assert Z.tolist() == [[4.0, 0.0], [0.0, 0.0]]

    @repeatable
    @given(
        seed=seeds,
        n=st.integers(2, 30),
        scale=st.sampled_from([1e-300, 1e-150, 1e-3, 1.0, 1e9, 1e143]),
        shift=st.sampled_from([0.0, 1.0, -1e6]),
    )
    def test_mean_zero_deviation_one(self, seed, n, scale, shift):
        X = scale * (normal(seed, n, 3) + shift)
        Z = standardize(X)
        np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-13 * n)
        np.testing.assert_allclose(Z.std(axis=0), 1, rtol=1e-13 * n)

    def test_scikit_learn(self):
        from sklearn.preprocessing import StandardScaler

        train, new = normal(0, 40, 5) * 10.0 ** np.arange(5), normal(1, 9, 5)
        scaler = StandardScaler().fit(train)
        np.testing.assert_allclose(standardize(train), scaler.transform(train), rtol=1e-12)
        peer = scaler.transform(new)
        np.testing.assert_allclose(standardize(new, like=train), peer, rtol=1e-12)

    def test_neighboring_numbers_are_told_apart(self):
        Z = standardize([[2.0**52], [2.0**52], [2.0**52 + 1]])
        np.testing.assert_allclose(Z.ravel(), [-(0.5**0.5), -(0.5**0.5), 2**0.5])
        assert standardize([[5e-324], [0.0]]).tolist() == [[1.0], [-1.0]]

    def test_bad_input(self):
        with pytest.raises(ValueError, match="like must have 1 columns; got shape"):
            standardize([[1.0]], like=[[1.0, 2.0]])
        with pytest.raises(ValueError, match=r".X - mean. / deviation must be finite"):
            standardize([[1e150]], like=[[0.0], [1e-150]])
