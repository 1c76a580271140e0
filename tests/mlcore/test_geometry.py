"""The geometry of a hyperplane: a default, and a limit."""

import pytest

from mlcore.geometry import augment, foot_of_origin


def test_the_constant_feature_is_one():
    assert augment([[5.0], [7.0]]).tolist() == [[5, 1], [7, 1]]


def test_a_hyperplane_beyond_all_numbers_is_refused():
    with pytest.raises(ValueError, match=r"b / \|w\| must be a finite number; got"):
        foot_of_origin([1e-160], -1e149)
