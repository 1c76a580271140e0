"""The search for the nearest, block by block, in float32 where that is enough."""

import numpy as np
import pytest

from mlcore.neighbors import knn
from mlcore.solvers import nearest


def test_blocks_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(50, 3)), rng.integers(0, 3, size=50)
    queries = rng.normal(size=(40, 3))
    whole = knn(X, labels, queries, k=4)
    for size in 1, 7, 130, 600:
        monkeypatch.setattr(nearest, "BLOCK", size)
        parts = knn(X, labels, queries, k=4)
        np.testing.assert_array_equal(parts.indices, whole.indices)
        np.testing.assert_array_equal(parts.distances, whole.distances)
        np.testing.assert_array_equal(parts.predicted, whole.predicted)


def test_memory_is_bounded():
    import tracemalloc

    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(3000, 4)), rng.integers(0, 3, size=3000)
    queries = rng.normal(size=(6000, 4))  # all distances: 144 MB
    tracemalloc.start()
    knn(X, labels, queries, k=3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 15e6


def test_memory_beside_many_examples():
    import tracemalloc

    X = np.random.default_rng(0).normal(size=(20_000, 60))  # 9.6 MB
    tracemalloc.start()
    knn(X, np.zeros(len(X)), X[:300], k=5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * X.nbytes


@pytest.mark.parametrize("d", [1, 10, 300])
@pytest.mark.parametrize("aligned", [False, True], ids=["random", "aligned"])
def test_the_doubt_is_between_two_and_four_times_what_is_needed(d, aligned):
    """Each of two distances may be off by half an eps for each of d + 4 roundings.

    These are d products, d sums, one of the square and two of the factors, with one to
    spare.  Along one direction the sums only grow, and are rounded alike.
    """
    rng = np.random.default_rng(0)
    X, queries = rng.normal(size=(200, d)) + 3, rng.normal(size=(50, d))
    if aligned:
        X, queries = rng.normal(size=(200, 1)) * np.full(d, 0.7), queries[:, :1] * X[0]
    examples = nearest._Examples(X, queries, 3)
    Q = examples._small(queries)
    D = np.column_stack([Q, np.ones(50, dtype=np.float32)]) @ examples.columns
    Z, Q64 = ((A - examples.center) / examples.size for A in (X, queries))
    exact = (Z**2).sum(axis=1) - 2 * Q64 @ Z.T
    reach = np.linalg.norm(Z, axis=1).max() + np.linalg.norm(Q64, axis=1)
    off = (d + 4) * np.finfo(np.float32).eps / 2 * reach**2
    assert np.all(np.abs(D[:, :200] - exact).max(axis=1) <= off)
    needed = 2 * off
    assert np.all(2 * needed <= examples._doubt(Q))
    assert np.all(examples._doubt(Q) <= 4 * needed)


def test_few_rows_remain_however_far_from_the_origin():
    rng = np.random.default_rng(0)
    X, queries = rng.normal(size=(2000, 3)) + 1e5, rng.normal(size=(50, 3)) + 1e5
    pairs, _ = nearest._Examples(X, queries, 3).near(queries)
    assert 150 <= len(pairs) <= 300


def test_distances_whose_squares_are_no_numbers():
    X = np.array([[3e-200, 0.0], [3e-200, 4e-200], [1.0, 1.0]])
    indices, distances = nearest.nearest(X, np.zeros((1, 2)), 2)
    assert indices.tolist() == [[0, 1]]
    np.testing.assert_allclose(distances, [[3e-200, 5e-200]], rtol=1e-15)


def test_memory_is_bounded_for_many_features():
    import tracemalloc

    rng = np.random.default_rng(0)
    X, queries = rng.normal(size=(400, 400)), rng.normal(size=(3000, 400))
    tracemalloc.start()
    nearest.nearest(X, queries, 10)  # the differences of all neighbors: 96 MB
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 70e6
