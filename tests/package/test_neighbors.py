"""The nearest neighbors: by hand and by brute force."""

import numpy as np
import pytest

from mlcore.neighbors import knn


def brute_force(X, labels, queries, k):
    """One query at a time: sort by distance, count, break ties by who is nearest."""
    predicted, chosen = [], []
    for q in queries:
        far = [sum((a - b) ** 2 for a, b in zip(x, q, strict=True)) for x in X]
        near = sorted(range(len(X)), key=lambda i: (far[i], i))[:k]
        votes = [labels[i] for i in near]
        most = max(votes.count(v) for v in votes)
        predicted.append(next(v for v in votes if votes.count(v) == most))
        chosen.append(near)
    return predicted, chosen


def test_by_hand():
    X = [[0.0], [2.0], [2.0], [5.0], [6.0]]
    labels = ["p", "q", "r", "r", "q"]
    found = knn(X, labels, [[1.0], [4.0], [9.0]], k=2)
    assert found.indices.tolist() == [[0, 1], [3, 1], [4, 3]]
    assert found.distances.tolist() == [[1, 1], [1, 2], [3, 4]]
    assert found.predicted.tolist() == ["p", "r", "q"]  # one vote each: the nearest
    more = knn(X, labels, [[1.0], [4.0], [9.0]], k=4)
    assert more.indices.tolist() == [[0, 1, 2, 3], [3, 1, 2, 4], [4, 3, 1, 2]]
    assert more.predicted.tolist() == ["r", "r", "q"]
    assert knn(X, labels, [[4.0]]).indices.shape == (1, 5)


@pytest.mark.parametrize("far", [0, 1e9])
@pytest.mark.parametrize("k", [1, 2, 5, 12])
def test_brute_force_finds_the_same_whatever_is_tied(k, far):
    """In whole numbers, also far from the origin, so that nothing is rounded."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X = rng.integers(-2, 3, size=(rng.integers(k, 60), 2)) + far
        labels = rng.integers(0, 3, size=len(X))
        queries = rng.integers(-3, 4, size=(9, 2)) + far
        predicted, chosen = brute_force(X, labels, queries, k)
        found = knn(X, labels, queries, k=k)
        assert found.indices.tolist() == chosen
        assert found.predicted.tolist() == predicted


def test_a_query_far_from_all_has_the_first_as_neighbors():
    X = np.random.default_rng(0).normal(size=(60, 3))
    found = knn(X, np.arange(60), [[1e30, 0.0, 0.0], X[7]], k=2)
    assert found.indices[0].tolist() == [0, 1]  # the differences are rounded away
    assert found.indices[1, 0] == 7
