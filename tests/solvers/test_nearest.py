"""The search for the nearest, block by block, in float32 where that is enough."""

import numpy as np

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


def test_float32_is_off_by_less_than_the_doubt():
    rng = np.random.default_rng(0)
    for d in 1, 10, 300:
        X, queries = rng.normal(size=(200, d)) + 3, rng.normal(size=(50, d))
        examples = nearest._Examples(X, queries, 3)
        Q = examples._small(queries)
        D = np.column_stack([Q, np.ones(50, dtype=np.float32)]) @ examples.columns
        Z, Q64 = ((A - examples.center) / examples.size for A in (X, queries))
        exact = (Z**2).sum(axis=1) - 2 * Q64 @ Z.T
        off = np.abs(D[:, :200] - exact).max(axis=1)
        assert np.all(off <= examples._doubt(Q) / 2)
        assert np.all(examples._doubt(Q) < 1e-4 * (d + 6))
