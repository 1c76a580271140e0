"""Invalid labels for errors and confusion matrices."""

import numpy as np
import pytest

from mlcore.metrics import confusion, zero_one_error


@pytest.mark.parametrize("function", [zero_one_error, confusion])
def test_incomparable_labels_raise(function):
    with pytest.raises(ValueError, match="predicted must be of the same kind as y"):
        function([1, 2], ["1", "2"])
    with pytest.raises(ValueError, match="predicted must have 2 entries; got 1"):
        function([1, 2], [1])


def test_confusion_of_more_than_1000_classes_raises():
    y = np.arange(1000.0)
    assert np.array_equal(confusion(y, y).counts, np.eye(1000))
    with pytest.raises(ValueError, match="classes in y and predicted must be at most 1000"):
        confusion(y, y + 0.5)
