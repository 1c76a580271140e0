"""Nearest neighbors by brute force."""

import numpy as np
import pytest

from mlcore.neighbors import knn


@pytest.mark.parametrize("far", [0, 1e9])
@pytest.mark.parametrize("k", [1, 2, 5, 12])
def test_ties_are_sorted_by_index(k, far):
    """Integers avoid rounding errors, even far from the origin."""
    rng = np.random.default_rng(k)
    X, queries = rng.integers(-2, 3, size=(60, 2)) + far, rng.integers(-3, 4, (99, 2)) + far
    squares = np.sum((queries[:, None] - X) ** 2, axis=2)
    nearest = np.argsort(squares, axis=1, kind="stable")[:, :k]
    assert np.array_equal(knn(X, range(60), queries, k=k).indices, nearest)


def test_distant_query_takes_first_examples():
    X = np.random.default_rng(0).normal(size=(60, 3))
    found = knn(X, np.arange(60), [[1e30, 0.0, 0.0], X[7]], k=2)
    assert found.indices[0].tolist() == [0, 1]  # all distances round to the same number
    assert found.indices[1, 0] == 7
    assert knn(X, range(60), X[:3]).indices.shape == (3, 5)
