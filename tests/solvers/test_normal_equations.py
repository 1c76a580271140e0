"""Least squares by products of columns or of rows, and where these are not trusted."""

import numpy as np
import pytest

from mlcore.solvers import normal_equations
from mlcore.solvers.factors import lower_inverse
from mlcore.solvers.normal_equations import smallest_squares


@pytest.mark.parametrize("d", [1, 48, 49, 50, 131])
def test_the_inverse_of_a_triangle(d):
    rng = np.random.default_rng(d)
    L = np.tril(rng.normal(size=(d, d)) / d) + np.eye(d)
    M = lower_inverse(L)
    np.testing.assert_allclose(M @ L, np.eye(d), atol=1e-12)
    assert np.array_equal(M, np.tril(M))


def problem(n, d, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.5, 2, size=d) + rng.normal(size=d)
    return X, rng.normal(size=(n, 2)) + X[:, :1] + 5, rng.uniform(0.1, 3, size=n)


def solved(X, Y, root, bias, weights):
    """For a single root, as W, mean, level, rank."""
    ((W, rank),), mean, level = smallest_squares(X, Y, [root], bias, weights)
    return W, mean, level, rank


@pytest.fixture
def careful(monkeypatch):
    """The same without the quick ways."""

    def call(*given):
        with monkeypatch.context() as patch:
            for way in "_by_columns", "_by_rows":
                patch.setattr(normal_equations, way, lambda *data: None)
            return solved(*given)

    return call


def assert_same(found, known, rtol):
    W, _, level, rank = known
    np.testing.assert_allclose(found[0], W, rtol=rtol, atol=rtol * np.abs(W).max())
    b, known_b = (level - mean @ W for W, mean, level, _ in (found, known))
    np.testing.assert_allclose(b, known_b, rtol=rtol, atol=rtol * np.abs(level).max())
    assert found[3] == rank


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("root", [0.0, 3.0])
@pytest.mark.parametrize("shape", [(400, 30), (9000, 20), (60, 90), (40, 5)])
def test_the_quick_ways(shape, root, bias, weighted, careful, monkeypatch):
    X, Y, s = problem(*shape)
    given = X, Y, root, bias, s if weighted else None
    known = careful(*given)
    if root:  # then the rank is nobody's question
        known = (*known[:3], min(shape[0] - bias, shape[1]))
    monkeypatch.setattr(normal_equations, "measured", None)  # what the others begin with
    assert_same(solved(*given), known, 1e-11)


@pytest.mark.parametrize("shape", [(40, 6), (6, 40)])
@pytest.mark.parametrize("far", [1e7, 4e11, 1e12])
def test_far_from_the_origin(shape, far):
    X, Y, _ = problem(*shape)
    X = np.round(X * 1024) / 1024  # so that X + far is exact, or at least known
    shifted = X + far
    one = solved(shifted - far, Y, 0.0, True, None)
    found = solved(shifted, Y, 0.0, True, None)
    np.testing.assert_allclose(found[0], one[0], rtol=1e-9, atol=1e-9)
    assert found[3] == one[3]


def test_rows_whose_mean_is_rounded_by_a_tenth():
    X, Y, _ = problem(6, 40)
    X = np.round(X * 8) / 8
    one, found = solved(X, Y, 0.0, True, None), solved(X + 1e14, Y, 0.0, True, None)
    np.testing.assert_allclose(found[0], one[0], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("shape", [(40, 6), (6, 40)])
def test_targets_far_from_the_origin(shape):
    X, Y, _ = problem(*shape)
    Y = np.round(Y * 1024) / 1024
    one, found = solved(X, Y, 0.0, True, None), solved(X, Y + 1e12, 0.0, True, None)
    np.testing.assert_allclose(found[0], one[0], rtol=1e-9, atol=1e-9)


def test_a_mean_counts_by_its_part_of_the_squares():
    """A million times the deviation is as far as it may be."""
    for n in 1, 1000:
        for deviation, sure in (1.1, True), (0.9, False), (0.0, False):
            mean = np.array([-1e6, 0.0, 3e5])
            squares = n * np.array([deviation**2, 1.0, 1.0])
            assert normal_equations._measured(squares, n * mean**2) == sure
    assert not normal_equations._measured(np.zeros(1), np.zeros(1))


@pytest.mark.parametrize("size", [1e-170, 1e-160, 1e-60, 1e60, 1e140])
@pytest.mark.parametrize("shape", [(50, 8), (8, 50)])
def test_units_beyond_all_measure(shape, size):
    """Products of the smallest numbers vanish, or keep a few digits."""
    X, Y, _ = problem(*shape)
    unit = np.full(shape[1], size)
    if shape[0] > shape[1]:  # else the shortest w depends on the units
        unit[1:] = 1.0
    one, found = (solved(Z, Y, 0.0, True, None) for Z in (X, X * unit))
    W = found[0] * unit[:, None]
    np.testing.assert_allclose(W, one[0], rtol=1e-9, atol=1e-9 * np.abs(one[0]).max())
    assert found[3] == one[3]


def test_few_rows_with_numbers_of_all_sizes():
    """Two rows are the same; the tiny column has next to no part in the shortest w."""
    X, Y, _ = problem(8, 50)
    X[3], Y[3] = X[1], Y[1]
    without = np.delete(X, 7, axis=1)
    known = solved(without, Y, 0.0, True, None)[0]
    W = solved(X * np.where(np.arange(50) == 7, 1e-200, 1e120), Y, 0.0, True, None)[0]
    found = np.delete(W, 7, axis=0) * 1e120
    np.testing.assert_allclose(found, known, rtol=1e-9, atol=1e-9 * np.abs(known).max())
    assert np.abs(W[7]).max() < 1e-300


@pytest.mark.parametrize("size", [1e-6, 1e6])
def test_the_quick_way_by_rows_is_that_of_any_unit(size, monkeypatch):
    X, Y, s = problem(60, 90)
    X = X + 1e4
    known = solved(X, Y, 0.0, True, s)
    monkeypatch.setattr(normal_equations, "measured", None)
    found = solved(size * X, Y, 0.0, True, s)
    np.testing.assert_allclose(size * found[0], known[0], rtol=1e-9, atol=1e-9)
    found = solved(X, Y, 0.0, True, size**2 * s)
    np.testing.assert_allclose(found[0], known[0], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("shape", [(50, 8), (8, 50)])
@pytest.mark.parametrize("bias", [False, True])
def test_dependent_columns_or_rows(shape, bias, careful):
    X, Y, _ = problem(*shape)
    if shape[0] > shape[1]:
        X[:, 3] = X[:, 1] - 2 * X[:, 2]
    else:
        X[3], Y[3] = X[1], Y[1]
    given = X, Y, 0.0, bias, None
    assert_same(solved(*given), careful(*given), 1e-11)
    assert solved(*given)[3] == 7 - (bias and shape[0] < shape[1])


def nearly_dependent(units):
    """Six columns in these units, two of them the same but for 1e-9, and a constant."""
    X, Y, _ = problem(50, 6)
    X[:, 1] = X[:, 0] + 1e-9 * X[:, 1]
    return np.column_stack([X * units, np.full(50, 0.1)]), Y + 1e9 * (X[:, 1:2] - X[:, :1])


def stacked(X, Y, root):
    """Ridge as least squares with a row for each penalty, in columns of length 1."""
    A, T = (Z - Z.mean(axis=0) for Z in (X[:, :-1], Y))
    A = np.vstack([A, root * np.eye(6)])
    length = np.linalg.norm(A, axis=0)
    T = np.vstack([T, np.zeros((6, 2))])
    return np.linalg.lstsq(A / length, T, rcond=1e-14)[0] / length[:, None]


@pytest.mark.parametrize("root", [0.0, 1e-11, 1e-6, 1e-3, 1.0])
@pytest.mark.parametrize("decades", [0, 4, 60])
def test_nearly_dependent_columns_in_any_units(decades, root):
    units = np.array([1.0, 1.0, 10.0**-decades, 10.0**decades, 1.0, 3.0])
    X, Y = nearly_dependent(units)
    W, *_, rank = solved(X, Y, root, True, None)
    known = stacked(X, Y, root)
    size = np.maximum(units, root)[:, None]  # what is larger holds the weight
    near = 1e-6 * np.abs(size * known).max()
    np.testing.assert_allclose(size * W[:-1], size * known, rtol=1e-6, atol=near)
    assert W[-1].tolist() == [0, 0]
    assert rank == (7 if root > 0 else 6)


@pytest.mark.parametrize("decades", [0, 3])
def test_the_shortest_of_several(decades):
    """In the units that are given, with a constant column and without."""
    X, Y, _ = problem(50, 6)
    X *= np.logspace(0, decades, 6)
    X[:, 3] = X[:, 1] - 2 * X[:, 2]
    known = np.linalg.pinv(X - X.mean(axis=0), rcond=1e-12) @ (Y - Y.mean(axis=0))
    for Z in X, np.column_stack([X, np.full(50, 0.1)]):
        W, *_, rank = solved(Z, Y, 0.0, True, None)
        np.testing.assert_allclose(W[:6], known, rtol=1e-7, atol=1e-9 * np.abs(known).max())
        assert not W[6:].any()
        assert rank == 5


def test_a_lazy_column_in_a_tiny_unit_is_read_as_often_as_others():
    da = pytest.importorskip("dask.array")
    X, Y, _ = problem(50, 4)
    A, T = (np.vstack([Z - Z.mean(axis=0), np.zeros(Z.shape[1])]) for Z in (X, Y))
    A[-1, 1] = 3.0  # the penalty of that column; the others have next to none
    known = np.linalg.lstsq(A, T, rcond=None)[0]
    X[:, 1] *= 1e-60
    read = []
    rows = da.from_array(X, chunks=(50, -1)).map_blocks(
        lambda block: read.append(len(block)) or block, meta=X[:0]
    )
    W, *_ = solved(rows, da.from_array(Y), 3e-60, True, None)
    np.testing.assert_allclose(W * [[1], [1e-60], [1], [1]], known, rtol=1e-9)
    assert len(read) == 3  # its first rows, its means, its products


def test_a_constant_column(careful):
    X, Y, _ = problem(50, 4)
    X[:, 2] = 0.1
    W, *_, rank = solved(X, Y, 0.0, True, None)
    assert W[2].tolist() == [0, 0]
    assert rank == 3


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("shape", [(50, 8), (8, 50)])
def test_many_roots_at_once(shape, bias, weighted):
    """Among them 0, for which the dependent columns are not trusted."""
    X, Y, s = problem(*shape)
    X[:, 3] = X[:, 1] - 2 * X[:, 2]
    X[:, 4] = 0.1
    X *= np.logspace(8, -8, shape[1])
    roots, s = [2.0, 0.0, 1e-6, 1e5], s if weighted else None
    fits, *_ = smallest_squares(X, Y, roots, bias, s)
    for root, (W, _) in zip(roots, fits, strict=True):
        known, *_ = solved(X, Y, root, bias, s)
        np.testing.assert_allclose(W, known, rtol=1e-7, atol=1e-9 * np.abs(known).max())
