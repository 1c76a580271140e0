"""Checkers answer junk in a sentence; `make fuzz` draws more of it."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from junk import CHECKERS, answered, right_answers

from mlcore.book import exercises


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKERS, ids=lambda check: check.__name__)
def test_junk_is_answered_in_a_sentence(check, monkeypatch):
    monkeypatch.setattr(exercises, "STEPS", 20_000)
    monkeypatch.setattr("sys.stdin", io.StringIO())

    @settings(
        derandomize=True,
        deadline=None,
        max_examples=20,
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def examine(data):
        answered(check, data)

    examine()
    monkeypatch.undo()
    for answers in right_answers(check):
        assert check(*answers).right  # none has changed what it compares with
