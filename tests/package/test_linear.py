"""A linear rule as a value: its score, and the side it calls +1."""

import numpy as np
import pytest

from mlcore.linear import LinearRule, sgn

RULE = LinearRule(np.array([2.0, -1.0]), 0.5)
X = np.array([[1.0, 1.0], [0.0, 0.5], [0.0, 3.0]])


def test_sgn_is_plus_one_at_zero_and_never_zero():
    assert sgn([-2.0, -0.0, 0.0, 1e-300, -1e-300]).tolist() == [-1, 1, 1, 1, -1]
    assert sgn(np.zeros((2, 3))).shape == (2, 3)
    assert sgn(-3) == -1
    assert sgn(0).dtype == np.float64


def test_the_rule_cannot_be_changed_and_is_equal_to_itself_alone():
    with pytest.raises(AttributeError):
        RULE.b = 1.0
    assert LinearRule(RULE.w, RULE.b) != RULE  # arrays in it do not make this raise
    assert RULE in {RULE}
