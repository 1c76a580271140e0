"""Basis functions at their limits."""

import numpy as np
import pytest

from mlcore.features import polynomial, rbf, rectified, standardize


class TestPolynomial:
    def test_overflow_and_too_many_columns_raise(self):
        for x in 1.001e75, -1.001e75:
            with pytest.raises(ValueError, match=r"max .X. must be at most 1e\+75; got"):
                polynomial([[0.0, x]], degree=2)
        with pytest.raises(ValueError, match="columns for degree must be at most 100000"):
            polynomial(np.ones((2, 50)), degree=4)


class TestRbf:
    def test_distant_center_gives_zero(self):
        phi = rbf([[1e150], [0.0]], [[-1e150], [1e-150]], width=1.0)
        assert phi.tolist() == [[0, 0], [0, 1]]


class TestRectified:
    def test_score_overflow_raises(self):
        with pytest.raises(ValueError, match=r"X @ directions.T \+ offsets must be"):
            rectified([[1e80]], [[1e80]], [0.0])


def test_standardize_refuses_underflowing_variance():
    with pytest.raises(ValueError, match="X must be 0 or reach 1e-100 in size"):
        standardize([[0.0, 1.0], [1e-170, 3.0]])
