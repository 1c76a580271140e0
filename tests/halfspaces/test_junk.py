"""Checkers answer in a sentence where a part of a right answer is made junk."""

import io

import numpy as np
import pytest

from halfspaces import exercises
from tests.halfspaces.junk import CHECKERS, right_answers, said, spoiled, values


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKERS, ids=lambda check: check.__name__)
def test_a_part_that_is_junk_is_answered_in_a_sentence(check, monkeypatch):
    monkeypatch.setattr(exercises, "STEPS", 20_000)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    rng = np.random.default_rng(0)
    for right in right_answers(check):
        for place in range(12):
            k, log, answers = place % len(right), [], list(right)
            answers[k] = spoiled(right[k], int(rng.integers(len(values()))), place, log)
            said(check, answers, log)
    monkeypatch.undo()
    for answers in right_answers(check):
        assert check(*answers).right  # none has changed what it compares with
