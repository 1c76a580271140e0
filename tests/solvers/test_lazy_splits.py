"""Splits of lazy rows: masks and indices say the same, and are refused by name."""

import re

import dask
import dask.array as da
import numpy as np
import pytest

from mlcore.arrays import lazy
from mlcore.solvers.lazy_splits import check_masks

X = da.zeros((6, 2), chunks=(2, 2))


@pytest.fixture(autouse=True)
def one_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def mask(text, dtype=bool):
    return da.from_array(np.array([letter == "x" for letter in text], dtype), chunks=2)


def masks(*pairs):
    return [tuple(map(mask, pair)) for pair in pairs]


def read(folds):
    """The folds as index lists; None stays."""
    return [
        tuple(None if m is None else np.flatnonzero(m.compute()).tolist() for m in fold)
        for fold in folds
    ]


@pytest.mark.parametrize(
    "value",
    [
        masks(("xxxx..", "....xx"), ("..x...", "xx....")),
        [([0, 1, 2, 3], [4, 5]), ([2], [0, 1])],
        [(np.array([3, 2, 1, 0]), [5, 4]), ((2,), (1, 0))],
    ],
    ids=["masks", "indices", "unsorted"],
)
def test_training_on_all_but_the_test_is_none(value):
    folds = check_masks("splits", value, X)
    assert read(folds) == [(None, [4, 5]), ([2], [0, 1])]
    assert all(m is None or lazy(m) for fold in folds for m in fold)


def test_masks_are_read_once():
    reads = []

    def look(block):
        reads.append(len(block))
        return block

    pairs = [
        tuple(m.map_blocks(look, dtype=bool, meta=np.array([], bool)) for m in pair)
        for pair in masks(("xxx...", "...xxx"), ("xx....", "..xxx."))
    ]
    check_masks("splits", pairs, X)
    assert len(reads) == 2 * 2 * 3  # two pairs of masks, of three blocks each


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3, "splits must be pairs (train, test); got 3"),
        ([[0], [1]], "splits must be pairs (train, test); got [[0], [1]]"),
        (
            [(mask("xxx...", int), mask("...xxx"))] * 2,
            "splits must hold lazy masks with 6 entries; got dask.array",
        ),
        (
            [(mask("xxx..."), mask("...xx"))] * 2,
            "splits must hold lazy masks with 6 entries; got dask.array",
        ),
        (masks(("xxx...", "...xxx")), "splits must be at least 2; got 1"),
        (
            masks(("xxx...", "...xxx"), ("xxx...", "..xxxx")),
            "got 3 to train on, 4 to test on, 1 of them in both",
        ),
        (
            masks(("......", "...xxx"), ("xxx...", "...xxx")),
            "got 0 to train on, 3 to test on, 0 of them in both",
        ),
        (
            masks(("xxx...", "...xxx"), ("xxx...", "......")),
            "got 3 to train on, 0 to test on, 0 of them in both",
        ),
        (
            [([0, 1], [2]), ([0], [2, 2])],
            "splits must hold each index once where X is lazy",
        ),
        (
            [([0, 1], mask("..xx.."))] * 2,
            "splits must hold vectors of indices from 0 to 5; got [False False",
        ),
        ([([0, 1], [6])] * 2, "splits must hold vectors of indices from 0 to 5; got [6]"),
        ([([0, 1], [1])] * 2, "splits must not test on training data; got [1] twice"),
    ],
)
def test_bad_splits_are_refused_by_name(value, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        check_masks("splits", value, X)
