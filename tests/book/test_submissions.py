"""Answers to the exercises, right ones and slips, and what the checkers say to them.

They stand in submissions/<chapter>.py: RIGHT lists (checker, answers), WRONG also words
of the sentence that the slip must get.
"""

import importlib
import pkgutil
import re

import pytest
import submissions

from mlcore.book import exercises

CHAPTERS = [module.name for module in pkgutil.iter_modules(submissions.__path__)]
NO_PLAIN_WORDS = re.compile(r" at 0x|np\.|\?\.|<function")


def tried(kind):
    return [
        pytest.param(*case, id=f"{chapter}-{case[0].__name__}-{number}")
        for chapter in CHAPTERS
        for number, case in enumerate(
            getattr(importlib.import_module(f"submissions.{chapter}"), kind), start=1
        )
    ]


@pytest.fixture(autouse=True)
def fewer_steps(monkeypatch):
    """An endless loop is answered sooner; the right answers need far fewer steps."""
    monkeypatch.setattr(exercises, "STEPS", 400_000)


@pytest.mark.parametrize(("checker", "answers"), tried("RIGHT"))
def test_right_answers_are_right_however_they_are_spelled(checker, answers):
    assert checker(*answers).right, checker(*answers)


@pytest.mark.parametrize(("checker", "answers", "said"), tried("WRONG"))
def test_each_slip_gets_a_sentence_of_its_own(checker, answers, said):
    verdict = checker(*answers)
    assert not verdict.right, verdict
    assert said in repr(verdict), verdict
    assert not NO_PLAIN_WORDS.search(repr(verdict)), verdict


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_checker_of_a_chapter_is_tried(chapter):
    """Two right spellings and six wrong answers for each, as CONTRIBUTING.md asks."""
    checkers = importlib.import_module(f"{exercises.__name__}.{chapter}")
    made = {f for f in vars(checkers).values() if hasattr(f, "__wrapped__")}
    made = {f for f in made if not hasattr(f, "cache_info")}
    module = importlib.import_module(f"submissions.{chapter}")
    for checker in made:
        right = sum(case[0] is checker for case in module.RIGHT)
        wrong = sum(case[0] is checker for case in module.WRONG)
        assert right >= 2 and wrong >= 6, (checker.__name__, right, wrong)
