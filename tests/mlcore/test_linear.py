"""The scores, predictions and equality of linear rules."""

import numpy as np
import pytest

from mlcore.linear import LinearRule, LinearScores, sgn
from tests.helpers.assertions import equals, scores_oracle
from tests.helpers.signatures import RULE

ORACLES = {
    sgn: equals(lambda score: np.where(np.asarray(score) >= 0, 1.0, -1.0)),
    RULE.decision_function: scores_oracle(RULE.w[None], np.array([RULE.b])),
    RULE.predict: equals(lambda X: np.where(RULE.decision_function(X) >= 0, 1.0, -1.0)),
}
SCORES = LinearScores(np.arange(2), 2 * np.eye(2), np.ones(2))
ERRORS = {
    "X @ w + b must be finite": lambda: RULE.predict([[1e150, -1e150]]),
    "X @ W.T + b must be finite": lambda: SCORES.predict([[1e150, -1e150]]),
}


def test_rule_is_frozen_and_equal_only_to_itself():
    with pytest.raises(AttributeError):
        RULE.b = 1.0
    assert LinearRule(RULE.w, RULE.b) != RULE  # comparing arrays would raise
    assert RULE in {RULE}
