"""Separating hyperplanes by hand, and at their limits."""

import numpy as np
import pytest

from mlcore.separation import separating_halfspace, shatters
from mlcore.svm import hard_margin
from tests.helpers.certificates import of_hard_margin, of_separating_halfspace
from tests.helpers.claims import judge
from tests.helpers.fits import hard


def test_of_many_points_about_as_near_the_nearest_decide():
    """On two discs of 9999 points each the next ones are 1e-7 of the distance farther."""
    turns = np.linspace(0.1, 6.3, 9999)
    disc, far = np.column_stack([np.cos(turns), np.sin(turns)]), np.array([2.0, 1.0])
    X, y = np.vstack([disc + far, disc[::-1] - far]), np.repeat([1.0, -1.0], 9999)
    judge(of_hard_margin, hard_margin(X, y), {"X": X, "y": y})


class TestNoMargin:
    @pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
    def test_a_margin_below_a_trillionth_of_the_size(self, unit):
        for margin, separable in (1e-13, False), (1e-11, True):
            X = unit * np.array([[1.0, margin], [-1.0, margin]])
            assert hard_margin(X, [1, 1], bias=False).separable == separable

    @pytest.mark.parametrize("sign", [1, -1])
    def test_one_class_is_refused_with_a_bias(self, sign):
        message = rf"y must hold both -1 and \+1 with a bias; got only {sign}"
        with pytest.raises(ValueError, match=message):
            hard_margin(np.eye(3), np.full(3, sign))
        alone = hard_margin([[3.0, 4.0]], [-1], bias=False)
        np.testing.assert_allclose([*alone.unit_w, alone.margin], [-0.6, -0.8, 5])
        assert not hard_margin([[0.0, 0.0]], [1], bias=False).separable


class TestSeparatingHalfspace:
    @pytest.mark.parametrize("bias", [True, False])
    @pytest.mark.parametrize("seed", range(20))
    def test_exactly_one_of_the_two_exists(self, seed, bias):
        X, y = hard("signs", seed)
        found = separating_halfspace(X, y, bias=bias)
        judge(of_separating_halfspace, found, {"X": X, "y": y, "bias": bias})
        assert hard_margin(X, y, bias=bias).separable == found.separable

    def test_what_rounding_may_have_done_does_not_separate(self):
        X = np.array([[1e8], [1e8 + 1e-7]])  # w @ x and b of 2e15 must differ by 1
        with pytest.raises(ArithmeticError, match="subtract the mean of each feature that"):
            separating_halfspace(X, [-1, 1])
        assert separating_halfspace(X - X.mean(), [-1, 1]).separable
        assert separating_halfspace([[1e8], [1e8 + 1e-6]], [-1, 1]).separable

    @pytest.mark.parametrize("sign", [1, -1])
    def test_for_one_class_the_bias_decides(self, sign):
        X = 1e8 + np.array([[0.0, -2e-8], [6e-8, 1e-8]])
        found = separating_halfspace(X, [sign, sign])
        assert found.separable
        assert not found.w.any() and found.b == sign


class TestShatters:
    def test_twelve_points_are_the_limit(self):
        assert not shatters(np.arange(12.0)[:, None])
        message = r"X must have at most 12 rows, 2\*\*n are tried; got 13"
        with pytest.raises(ValueError, match=message):
            shatters(np.arange(13.0)[:, None])
