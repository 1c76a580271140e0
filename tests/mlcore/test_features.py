"""The basis functions at their limits."""

import numpy as np
import pytest

from mlcore.features import polynomial, rbf, rectified, standardize


class TestPolynomial:
    def test_too_much_is_refused(self):
        for x in 1.001e75, -1.001e75:
            with pytest.raises(ValueError, match=r"max .X. must be at most 1e\+75; got"):
                polynomial([[0.0, x]], degree=2)
        with pytest.raises(
            ValueError, match="columns that degree gives must be at most 100000"
        ):
            polynomial(np.ones((2, 50)), degree=4)


class TestRbf:
    def test_a_distant_center_has_no_influence(self):
        phi = rbf([[1e150], [0.0]], [[-1e150], [1e-150]], width=1.0)
        assert phi.tolist() == [[0, 0], [0, 1]]


class TestRectified:
    def test_scores_beyond_the_largest_are_refused(self):
        with pytest.raises(ValueError, match=r"X @ directions.T \+ offsets must be"):
            rectified([[1e80]], [[1e80]], [0.0])


def test_a_deviation_too_small_for_its_square_counts_as_none():
    assert standardize([[0.0, 1.0], [1e-170, 3.0]]).tolist() == [[0.0, -1.0], [0.0, 1.0]]
