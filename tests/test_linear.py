"""A linear rule as a value: its score, and the side it calls +1."""

import numpy as np
import pytest

from mlcore.linear import LinearRule, sgn


def test_sgn_is_plus_one_at_zero_and_never_zero():
    assert np.array_equal(sgn([-2.0, -0.0, 0.0, 1e-300, -1e-300]), [-1, 1, 1, 1, -1])
    assert sgn(np.zeros((2, 3))).shape == (2, 3)


def test_by_hand():
    rule = LinearRule(np.array([2.0, -1.0]), 0.5)
    X = np.array([[1.0, 1.0], [0.0, 0.5], [0.0, 3.0]])
    assert np.array_equal(rule.decision_function(X), [1.5, 0.0, -2.5])
    assert np.array_equal(rule.predict(X), [1.0, 1.0, -1.0])


def test_the_rule_cannot_be_changed():
    with pytest.raises(AttributeError):
        LinearRule(np.ones(1), 0.0).b = 1.0


@pytest.mark.parametrize("X", [[[1.0]], [1.0, 2.0], [[np.nan, 0.0]]])
def test_bad_input_is_refused_by_name(X):
    with pytest.raises(ValueError, match="X must"):
        LinearRule(np.ones(2), 0.0).predict(X)
