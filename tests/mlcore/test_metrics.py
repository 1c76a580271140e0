"""Errors and confusion matrices: counts, and invalid labels."""

from collections import Counter

import numpy as np

from mlcore.metrics import confusion, zero_one_error
from tests.helpers.assertions import equals


def confusion_claims(found, y, predicted):
    pairs = Counter(zip(y.tolist(), predicted.tolist(), strict=True))
    counts = [[pairs[i, k] for k in found.classes.tolist()] for i in found.classes]
    yield "counts", found.counts != counts, 0
    yield "number of examples", found.counts.sum() != len(y), 0


ORACLES = {
    zero_one_error: equals(lambda y, predicted: np.mean(y != predicted)),
    confusion: confusion_claims,
}
ERRORS = {
    "predicted must be of the same kind as y": lambda: zero_one_error([1, 2], ["1", "2"]),
    "integers in y must be at most 2**53": lambda: zero_one_error([2**53 + 1], [2.0**53]),
    "integers in predicted must be at most": lambda: confusion([1, 2**63], [1, 2**62]),
    "predicted must be at most 1000; got 1001": lambda: confusion(range(1001), [0] * 1001),
}


def test_large_integers_are_compared_exactly():
    assert zero_one_error([2**60, 2**60], [2**60, 2**60 + 1]) == 0.5
    assert zero_one_error([2**53, 1], [2.0**53, 1.0]) == 0
    assert zero_one_error(np.float16([1, 2]), [1, 2]) == 0
    assert np.array_equal(confusion([2**60], [2**60 + 1]).counts, [[0, 1], [0, 0]])


def test_confusion_of_1000_classes():
    assert np.array_equal(confusion(range(1000), range(1000)).counts, np.eye(1000))
