"""A linear rule as a value."""

import numpy as np
import pytest

from mlcore.linear import LinearRule

RULE = LinearRule(np.array([2.0, -1.0]), 0.5)


def test_the_rule_cannot_be_changed_and_is_equal_to_itself_alone():
    with pytest.raises(AttributeError):
        RULE.b = 1.0
    assert LinearRule(RULE.w, RULE.b) != RULE  # arrays in it do not make this raise
    assert RULE in {RULE}
