"""Sums over examples: against the plain formulas, in memory and of Dask."""

import dask
import dask.array as da
import numpy as np
import pytest

from mlcore.solvers.moments import centered, fold_moments, largest, measured
from mlcore.validation import k_folds, monte_carlo

A = np.array([[1.0, -5.0, 7.0], [4.0, 2.0, 7.0], [-3.0, 0.0, 7.0]])


@pytest.fixture(autouse=True)
def one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def test_the_largest_absolute_values():
    assert largest(A).tolist() == [4, 5, 7]
    assert largest(-A).tolist() == [4, 5, 7]


def test_columns_minus_their_means():
    Z, means = centered(A)
    np.testing.assert_allclose(means, [2 / 3, -1, 7], rtol=1e-14)
    np.testing.assert_allclose(Z, A - means, atol=1e-13)


def test_a_constant_column_becomes_exactly_zero():
    X = np.full((7, 1), 0.1)
    for Z, means in centered(X), measured(X)[0][:2]:
        assert not Z.any()
        assert means == 0.1


def blocks(array):
    return da.from_array(array, chunks=(2,) + (-1,) * (array.ndim - 1))


@pytest.mark.parametrize("make", [np.array, blocks])
def test_means_and_largest_values_with_weights_and_without(make):
    weights = np.array([1.0, 0.0, 3.0])
    y = np.array([[2.0], [0.0], [1.0]])
    for given, mean in (None, A.mean(axis=0)), (weights, [-2.0, -1.25, 7.0]):
        (Z, means, size), (r, level, spread) = measured(
            make(A), make(y), weights=None if given is None else make(given)
        )
        np.testing.assert_allclose(means, mean, rtol=1e-14)
        np.testing.assert_allclose(Z, A - mean, atol=1e-13)
        np.testing.assert_allclose(size, np.abs(A - mean).max(axis=0), atol=1e-13)
        np.testing.assert_allclose(r, y - level, atol=1e-13)
        np.testing.assert_allclose(level, np.average(y, axis=0, weights=given))
        np.testing.assert_allclose(spread, np.abs(y - level).max())


def test_measured_from_the_origin():
    ((Z, means, size),) = measured(A, center=False)
    assert np.array_equal(Z, A)
    assert (means.tolist(), size.tolist()) == ([0, 0, 0], [4, 5, 7])


def splits_of(kind, n):
    y = np.zeros(n)
    if kind == "folds":
        return k_folds(y, folds=3, stratified=False, rng=0)
    drawn = monte_carlo(y, repeats=4, test_share=0.3, stratified=False, rng=0)
    return drawn if kind == "drawn" else [(train[2:], test) for train, test in drawn]


def test_one_row_is_its_own_mean():
    for Z, means in centered(A[:1]), measured(A[:1])[0][:2]:
        assert not Z.any()
        assert np.array_equal(means, A[0])


@pytest.mark.parametrize("kind", ["folds", "drawn", "part"])
def test_products_are_those_about_the_training_means(kind):
    Z = np.random.default_rng(0).normal([1, 2, 3], size=(20, 3))
    splits = splits_of(kind, 20)
    moments = fold_moments(Z, splits)
    np.testing.assert_allclose(moments.square, (Z**2).sum(axis=0), rtol=1e-14)
    (grams, column, squares) = moments.grams(), moments.column(1), moments.squares()
    for f, pair in enumerate(splits):
        for part, rows in enumerate(pair):
            about = Z[rows] - Z[pair[0]].mean(axis=0)
            products = about.T @ about
            assert moments.sizes[part][f] == len(rows)
            np.testing.assert_allclose(moments.sums[part][f], Z[rows].sum(axis=0))
            np.testing.assert_allclose(grams[part][f], products, atol=1e-13)
            np.testing.assert_allclose(column[part][f], products[:, 1], atol=1e-13)
            np.testing.assert_allclose(squares[part][f], np.diag(products), atol=1e-13)


@pytest.mark.parametrize("kind", ["folds", "drawn", "part"])
def test_lazy_rows_have_the_same_products_and_are_read_once(kind):
    Z, reads = np.random.default_rng(0).normal([1, 2, 3], size=(20, 3)), []

    def read(block):
        reads.append(len(block))
        return block

    masks = []
    for train, test in splits_of(kind, 20):
        both = [np.isin(np.arange(20), rows) for rows in (train, test)]
        whole = da.from_array(both[0], chunks=6) if kind == "part" else None
        masks.append((whole, da.from_array(both[1], chunks=6)))
    rows = da.from_array(Z, chunks=(6, -1)).map_blocks(read, meta=np.array([]))
    lazy, held = fold_moments(rows, masks), fold_moments(Z, splits_of(kind, 20))
    for found, known in zip(lazy.grams(), held.grams(), strict=True):
        np.testing.assert_allclose(found, known, atol=1e-13)
    np.testing.assert_allclose(lazy.sums, held.sums, rtol=1e-13)
    np.testing.assert_allclose(lazy.square, held.square, rtol=1e-14)
    assert sorted(reads) == [2, 6, 6, 6]


def test_a_single_column():
    moments = fold_moments(A[:, :1], [([0, 1], [2]), ([1, 2], [0])])
    assert moments.sizes.tolist() == [[2, 2], [1, 1]]
    assert moments.sums[..., 0].tolist() == [[5, 1], [-3, 1]]
