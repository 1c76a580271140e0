"""Errors and confusions: by hand and against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore.metrics import confusion, zero_one_error

repeatable = settings(derandomize=True, deadline=None)
pairs = st.lists(st.tuples(st.integers(-3, 9), st.integers(-3, 9)), min_size=1, max_size=30)


class TestByHand:
    def test_zero_one_error(self):
        assert zero_one_error([-1, 1, 1, -1, 1], [-1, -1, 1, 1, -1]) == 0.6
        assert zero_one_error(["a", "b"], ["a", "b"]) == 0.0
        assert zero_one_error([1.0], [-1]) == 1.0
        assert type(zero_one_error([1.0], [-1])) is float

    def test_confusion(self):
        found = confusion([3, 8, 8, 3, 8, 5], [3, 3, 8, 8, 3, 9])
        assert found.classes.tolist() == [3, 5, 8, 9]
        assert found.counts.tolist() == [
            [1, 0, 1, 0],
            [0, 0, 0, 1],
            [2, 0, 1, 0],
            [0, 0, 0, 0],
        ]

    def test_text(self):
        y = np.array(["rose", "iris", "rose"], dtype=object)
        found = confusion(y, ["iris", "iris", "rose"])
        assert found.classes.tolist() == ["iris", "rose"]
        assert found.counts.tolist() == [[1, 0], [1, 1]]
        assert zero_one_error(y, ["iris", "iris", "rose"]) == pytest.approx(1 / 3)


class TestScikitLearn:
    @repeatable
    @given(pairs=pairs)
    def test_same_answers(self, pairs):
        from sklearn.metrics import accuracy_score, confusion_matrix

        y, predicted = np.transpose([*pairs, (0, 1)])  # two classes, or it warns
        found = confusion(y, predicted)
        assert np.array_equal(found.counts, confusion_matrix(y, predicted))
        assert np.array_equal(found.classes, np.unique([y, predicted]))
        error = zero_one_error(y, predicted)
        assert error == pytest.approx(1 - accuracy_score(y, predicted), abs=1e-15)
        assert error == pytest.approx(1 - np.trace(found.counts) / len(y), abs=1e-15)


class TestContract:
    @pytest.mark.parametrize("function", [zero_one_error, confusion])
    @pytest.mark.parametrize(
        ("y", "predicted", "message"),
        [
            ([1, 2], [1], "predicted must have 2 entries; got 1"),
            (["a", "b"], ["a"], "predicted must have 2 labels; got 1"),
            ([1, 2], ["1", "2"], "predicted must be of the same kind as y"),
            (["a"], [1], "predicted must be of the same kind as y"),
            ([], [], "y must be a vector"),
            ([[1]], [1], "y must be a vector"),
            ([np.nan], [1], "y must be finite"),
            ([1], [None], "predicted must be an array of real numbers"),
            ("a", ["a"], "y must be a vector with at least one label"),
            ([[1], [1, 2]], [1], "y must be an array of numbers; got list"),
        ],
    )
    def test_bad_input(self, function, y, predicted, message):
        with pytest.raises(ValueError, match=message):
            function(y, predicted)

    def test_too_many_classes(self):
        y = np.arange(1000.0)
        assert np.array_equal(confusion(y, y).counts, np.eye(1000))
        with pytest.raises(ValueError, match="at most 1000 classes; got 2000"):
            confusion(y, y + 0.5)
