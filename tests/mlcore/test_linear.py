"""A linear rule as a value, and the largest score."""

import numpy as np
import pytest

from mlcore.linear import LinearRule, LinearScores

RULE = LinearRule(np.array([2.0, -1.0]), 0.5)


def test_the_rule_cannot_be_changed_and_is_equal_to_itself_alone():
    with pytest.raises(AttributeError):
        RULE.b = 1.0
    assert LinearRule(RULE.w, RULE.b) != RULE  # arrays in it do not make this raise
    assert RULE in {RULE}


@pytest.mark.parametrize(
    "rule", [RULE, LinearScores(np.arange(2), 2 * np.eye(2), np.ones(2))]
)
def test_scores_beyond_the_largest_number_are_refused(rule):
    with pytest.raises(ValueError, match=r"X @ .* \+ b must be finite"):
        rule.predict([[1e150, -1e150]])
