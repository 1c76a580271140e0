"""What the linear program of halfspaces returns, and in which form."""

import numpy as np
import pytest

from mlcore.solvers.linear_program import highest_least


def test_the_highest_least_product_by_hand():
    # with |v_1|, |v_2| <= 1 no v does better than (1, 1), and none of the rows can go
    v, a = highest_least(np.array([[1.0, 0.0], [0.0, 1.0]]))
    assert v.tolist() == [1, 1]
    assert a.sum() == pytest.approx(1)
    v, _ = highest_least(np.array([[-1.0, 0.0], [0.0, -1.0]]))
    assert v.tolist() == [-1, -1]


def test_zeros_have_no_sign():
    for rows in (
        np.eye(2),
        -np.eye(2),
        np.zeros((2, 2)),
        np.array([[1.0, 0.0], [-1.0, 0.0]]),
    ):
        v, _ = highest_least(rows)
        assert not np.signbit(v[v == 0]).any()
