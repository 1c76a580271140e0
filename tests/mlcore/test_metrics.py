"""Errors and confusion matrices: counts, and invalid labels."""

from collections import Counter

import numpy as np

from mlcore.metrics import confusion, zero_one_error
from tests.helpers.assertions import equals


def confusion_claims(found, y, predicted):
    pairs = Counter(zip(y.tolist(), predicted.tolist(), strict=True))
    counts = [[pairs[true, k] for k in found.classes.tolist()] for true in found.classes]
    yield "counts", found.counts != counts, 0
    yield "all examples", found.counts.sum() != len(y), 0


ORACLES = {
    zero_one_error: equals(lambda y, predicted: np.mean(y != predicted)),
    confusion: confusion_claims,
}
ERRORS = {
    "predicted must be of the same kind as y": lambda: zero_one_error([1, 2], ["1", "2"]),
    "predicted must have 2 entries; got 1": lambda: confusion([1, 2], [1]),
    "predicted must be at most 1000; got 1001": lambda: confusion(range(1001), [0] * 1001),
}


def test_confusion_of_1000_classes():
    assert np.array_equal(confusion(range(1000), range(1000)).counts, np.eye(1000))
