"""What all modules ask of arrays, in memory and of Dask."""

import dask
import dask.array as da
import numpy as np

from mlcore.arrays import asked, by_block, highest, lazy

X = np.array([[1.0, 5.0], [2.0, 2.0], [4.0, -3.0]])
BLOCKS = da.from_array(X, chunks=(2, 2))


def test_parts_are_asked_for_together_whatever_is_in_memory():
    for parts in (BLOCKS, X), (X, BLOCKS.sum(axis=0)), (X, X[0]):
        for found, part in zip(asked(*parts), parts, strict=True):
            assert type(found) is np.ndarray
            np.testing.assert_array_equal(found, np.asarray(part))


def test_the_class_of_the_largest_score_of_equals_the_first():
    for scores in X, BLOCKS:
        best = highest(scores, np.array(["a", "b"]))
        assert lazy(best) == lazy(scores)
        assert np.asarray(best).tolist() == ["b", "a", "a"]


def test_each_block_gives_way_to_all_its_parts_at_once():
    def parts(rows, weights):
        return rows.T @ rows, (weights * rows).sum(axis=0), weights.sum()

    weights = np.array([[1.0], [2.0], [3.0]])
    for rows, beside in (BLOCKS, weights), (X, da.from_array(weights, chunks=(2, 1))):
        found = by_block(parts, rows, beside)
        assert all(map(lazy, found))
        with dask.config.set(scheduler="synchronous"):
            found = dask.compute(*found)
        for piece, part in zip(found, parts(X, weights), strict=True):
            np.testing.assert_array_equal(piece.sum(axis=0), part)
    whole = by_block(parts, X, weights)
    assert [part.shape for part in whole] == [(1, 2, 2), (1, 2), (1,)]
