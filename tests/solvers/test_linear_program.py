"""What the linear program of halfspaces returns, and in which form."""

from types import SimpleNamespace

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


def test_zeros_have_no_sign(monkeypatch):
    duals = SimpleNamespace(marginals=np.array([-1.0, -1.0]))
    answer = SimpleNamespace(status=0, x=np.array([-0.0, 0.0, 0.0]), ineqlin=duals)
    monkeypatch.setattr("scipy.optimize.linprog", lambda *args, **options: answer)
    v, _ = highest_least(np.eye(2))
    assert not np.signbit(v).any()
