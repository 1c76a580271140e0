"""Pegasos on a stream, before its first example and after it."""

import numpy as np

from mlcore.solvers.stream import begin, go_on


def test_a_stream_begins_with_scores_of_0():
    start = begin(3)
    assert start.decision_function(np.ones((2, 3))).tolist() == [0, 0]
    assert (start.values.size, start.done) == (0, 0)


def test_a_stream_by_hand():
    # one example thrice, z = 2 w_1 + b: w_1 = 4, b = 2, then w shrinks to 2 and 4/3
    options = {"lambda_": 0.5, "batch": 1, "bias": True}
    X, y = np.array([[2.0, 0.0]]), np.ones(1)
    found = begin(2)
    for expected in 4, 2, 4 / 3:
        found = go_on(found, X, y, average=False, **options)
        np.testing.assert_allclose([*found.w, found.b], [expected, 0, 2], rtol=1e-14)
    np.testing.assert_allclose(found.values, [4, 1, 4 / 9], rtol=1e-14)
    mean = go_on(begin(2), np.tile(X, (3, 1)), np.ones(3), average=True, **options)
    np.testing.assert_allclose([*mean.w, mean.b], [22 / 9, 0, 2], rtol=1e-14)
    np.testing.assert_allclose(mean.last, [4 / 3, 0, 2], rtol=1e-14)
    assert mean.done == 3


def test_pieces_lead_where_the_whole_leads():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 2)), np.resize([1.0, -1.0, -1.0], 12)
    options = {"lambda_": 0.5, "batch": 3, "bias": True, "average": False}
    whole, pieces = go_on(begin(2), X, y, **options), begin(2)
    for rows in np.split(np.arange(12), [3, 9]):
        pieces = go_on(pieces, X[rows], y[rows], **options)
    np.testing.assert_allclose(np.append(pieces.w, pieces.b), np.append(whole.w, whole.b))
    assert (len(pieces.values), pieces.done) == (3, 4)
