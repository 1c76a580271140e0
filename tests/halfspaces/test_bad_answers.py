"""Checkers reply with a sentence to a right answer with a bad part."""

import io

import numpy as np
import pytest

from halfspaces import exercises
from tests.halfspaces.bad_answers import CHECKERS, check_reply, right_answers, spoil, values


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKERS, ids=lambda check: check.__name__)
def test_answer_with_a_bad_part_gets_a_sentence(check, monkeypatch):
    monkeypatch.setattr(exercises, "STEPS", 20_000)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    rng = np.random.default_rng(0)
    for right in right_answers(check):
        for place in range(12):
            k, log, answers = place % len(right), [], list(right)
            answers[k] = spoil(right[k], int(rng.integers(len(values()))), place, log)
            check_reply(check, answers, log)
    monkeypatch.undo()
    for answers in right_answers(check):
        assert check(*answers).right  # no call has changed the solution
