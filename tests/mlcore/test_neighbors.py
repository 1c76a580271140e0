"""Nearest neighbors by brute force, and their ties."""

from collections import Counter

import numpy as np
import pytest

from mlcore.neighbors import knn


def knn_claims(found, X, labels, queries, k):
    exact = np.linalg.norm(X - queries[:, None], axis=2)
    size = 1e-7 * (np.abs(X).max() + np.abs(queries).max())  # |x|**2 - 2 x @ q + |q|**2
    results = zip(exact, found.indices, found.distances, found.predicted, strict=True)
    for true, i, distances, predicted in results:
        yield "distances", np.abs(distances - true[i]), 1e-12 * true[i] + 1e-9 * size
        yield "different neighbors", len(set(i.tolist())) != k, 0
        others = np.delete(true, i)
        yield "nearest", true[i].max() - others.min(initial=np.inf), size
        votes = Counter(labels[i].tolist())
        tied = [v for v in labels[i].tolist() if votes[v] == max(votes.values())]
        yield "most votes, in a tie the nearest", predicted != tied[0], 0


ORACLES = {knn: knn_claims}


@pytest.mark.parametrize("far", [0, 1e9])
@pytest.mark.parametrize("k", [1, 2, 5, 12])
def test_ties_are_sorted_by_index(k, far):
    """Integers avoid rounding errors, even far from the origin."""
    rng = np.random.default_rng(k)
    X, queries = rng.integers(-2, 3, size=(60, 2)) + far, rng.integers(-3, 4, (99, 2)) + far
    squares = np.sum((queries[:, None] - X) ** 2, axis=2)
    nearest = np.argsort(squares, axis=1, kind="stable")[:, :k]
    assert np.array_equal(knn(X, range(60), queries, k=k).indices, nearest)
    assert knn(X, range(60), queries).indices.shape == (99, 5)  # the default
