"""Checkers answer junk in a sentence; `make fuzz` draws more of it."""

import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from junk import answered, right_answers

from mlcore.book import exercises

RIGHT = right_answers()


@pytest.mark.slow
@pytest.mark.parametrize("check", RIGHT, ids=lambda check: check.__name__)
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
        answered(check, RIGHT[check], data)

    examine()
    monkeypatch.undo()
    assert check(*RIGHT[check][0]).right  # none has changed what it compares with
