"""The geometry of a hyperplane against hands and theorems."""

import numpy as np
import pytest

from mlcore.geometry import (
    augment,
    foot_of_origin,
    functional_margin,
    signed_distance,
)

W, B = np.array([3.0, 4.0]), -10.0  # |W| = 5
X = np.array([[0.0, 0.0], [2.0, 1.0], [4.0, 7.0]])
Y = np.array([1.0, -1.0, 1.0])


def test_augmenting_keeps_the_score_and_changes_the_distance():
    Z = augment(X, constant=2.5)
    assert Z.tolist() == [[0, 0, 2.5], [2, 1, 2.5], [4, 7, 2.5]]
    assert augment(X)[:, -1].tolist() == [1, 1, 1]
    v = np.append(W, B / 2.5)
    z = functional_margin(Z, Y, v, 0.0)
    assert z == pytest.approx(functional_margin(X, Y, W, B), abs=1e-13)
    assert signed_distance(Z, v, 0.0)[2] == pytest.approx(30 / np.sqrt(25 + 16))


def test_a_hyperplane_beyond_all_numbers_is_refused():
    with pytest.raises(ValueError, match=r"b / \|w\| must be a finite number; got"):
        foot_of_origin([1e-160], -1e149)
