"""The nearest neighbors: by hand, by brute force, and against scikit-learn."""

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


@pytest.mark.parametrize("k", [1, 2, 3, 7, 12])
def test_brute_force_with_ties(k):
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.integers(-2, 3, size=(rng.integers(k, 60), 2)) + 0.0
        labels = rng.integers(0, 3, size=len(X))
        queries = rng.integers(-3, 4, size=(9, 2)) + 0.0
        predicted, chosen = brute_force(X, labels, queries, k)
        found = knn(X, labels, queries, k=k)
        assert found.indices.tolist() == chosen
        assert found.predicted.tolist() == predicted


def test_near_ties_far_from_the_origin():
    """Differences that float32 does not see: 1e2 beside coordinates of 1e15."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        X = rng.choice([-1e15, 1e15], size=(100, 3))
        X += np.round(1e2 * rng.normal(size=(100, 3)))
        labels = rng.integers(0, 4, size=100)
        queries = rng.choice([-1e15, 1e15], size=(8, 3))
        predicted, chosen = brute_force(X, labels, queries, 5)
        found = knn(X, labels, queries, k=5)
        assert found.indices.tolist() == chosen
        assert found.predicted.tolist() == predicted


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("far", [1e30, -1e30, 1e150])
def test_a_query_far_from_all(far):
    X = np.random.default_rng(0).normal(size=(60, 3))
    found = knn(X, np.arange(60), [[far, 0.0, 0.0], X[7]], k=2)
    assert found.indices[0].tolist() == [0, 1]  # the others are rounded away
    assert found.indices[1, 0] == 7


def test_distances_of_any_size():
    for unit in 1e-100, 1.0, 1e100, 1e149:
        X = unit * np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
        found = knn(X, [0, 1, 2], X[:1], k=3)
        assert found.indices.tolist() == [[0, 1, 2]]
        np.testing.assert_allclose(found.distances, [[0, 5 * unit, 10 * unit]], rtol=1e-3)


@pytest.mark.slow
def test_scikit_learn():
    from sklearn.datasets import load_digits
    from sklearn.neighbors import KNeighborsClassifier

    X, labels = load_digits(return_X_y=True)
    X = X + 1e-3 * np.random.default_rng(0).normal(size=X.shape)  # no ties
    for k in 1, 5:
        model = KNeighborsClassifier(k, algorithm="brute").fit(X[::2], labels[::2])
        distances, indices = model.kneighbors(X[1::2])
        found = knn(X[::2], labels[::2], X[1::2], k=k)
        np.testing.assert_array_equal(found.indices, indices)
        np.testing.assert_allclose(found.distances, distances, rtol=1e-7)
        predicted = model.predict(X[1::2])
        votes = np.sort([np.bincount(v, minlength=10) for v in labels[::2][indices]])
        clear = votes[:, -1] > votes[:, -2]
        np.testing.assert_array_equal(found.predicted[clear], predicted[clear])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"k": 0}, "k must be at least 1; got 0"),
        ({"k": 4}, "k must be at most 3; got 4"),
        ({"k": 1.0}, "k must be an integer; got 1.0"),
        ({"queries": [[1.0]]}, "queries must have 2 columns"),
        ({"queries": [[1.0, np.inf]]}, "queries must be finite"),
        ({"labels": [1, 2]}, "labels must have 3 entries; got 2"),
    ],
    ids=str,
)
def test_bad_input_is_refused_by_name(change, message):
    good = {
        "X": [[0.0, 3.0], [3.0, 0.0], [-3.0, -3.0]],
        "labels": [0, 1, 2],
        "queries": [[1.0, 2.0]],
        "k": 1,
    }
    with pytest.raises(ValueError, match=message):
        knn(**(good | change))


def test_any_layout_and_type_and_nothing_changes():
    rng = np.random.default_rng(0)
    index, X = np.resize(np.arange(3), 90), rng.normal(size=(90, 2))
    X = X.astype(np.float32).astype(float)
    wide, before = np.repeat(X, 2, axis=1), X.copy()
    X.setflags(write=False)
    found = knn(X, index, X, k=3)
    for same in X.astype(np.float32), np.asfortranarray(X), wide[:, ::2], X.tolist():
        again = knn(same, list(index), same, k=3)
        np.testing.assert_array_equal(again.indices, found.indices)
    np.testing.assert_array_equal(X, before)
