"""The geometry of a hyperplane: defaults and limits."""

import pytest

from mlcore.geometry import augment, closest_point_to_origin


def test_augment_appends_one():
    assert augment([[5.0], [7.0]]).tolist() == [[5, 1], [7, 1]]


def test_normal_form_overflow_raises():
    with pytest.raises(ValueError, match=r"b / \|w\| must be a finite number; got"):
        closest_point_to_origin([1e-160], -1e149)
