"""Answers to the exercises, right ones and slips, and what the checkers say to them.

An exercise knows its right answer and its slips; submissions.py lists other answers.
"""

import re
from importlib import import_module
from itertools import product
from pathlib import Path
from string import Formatter

import numpy as np
import pytest

from halfspaces import exercises
from halfspaces.exercises import kit
from halfspaces.exercises.kit import Function, Number
from halfspaces.exercises.words import written
from tests.halfspaces.junk import CHECKERS, right_answers
from tests.halfspaces.submissions import SLIPS, WRONG

LISTS = [check for check in CHECKERS if check.drawn == {"claims"}]  # of statements
VARIED = [check for check in CHECKERS if check.varied]
# A second or so for each seed
LONG = {"memory", "pulls_hardest", "certify", "leave_one_out", "last_mistake"}
LONG |= {"steady", "how_many", "strangers"}
NO_PLAIN_WORDS = re.compile(r" at 0x|np\.|\?\.|<function|\{\}")


def name(value):
    """What a test is called by: the exercise that it tries."""
    chapter = getattr(value, "__module__", "").rpartition(".")[2]
    return f"{chapter}.{value.__name__}" if callable(value) else ""


@pytest.fixture(autouse=True)
def fewer_steps(monkeypatch):
    """An endless loop is answered sooner; the right answers need far fewer steps."""
    monkeypatch.setattr(exercises, "STEPS", 400_000)
    monkeypatch.setattr(exercises, "SECONDS", 3)


def assert_said(words, verdict):
    assert not verdict.right, verdict
    assert all(part in repr(verdict) for part in words.split("{}")), (words, verdict)
    assert not NO_PLAIN_WORDS.search(repr(verdict)), verdict


@pytest.mark.parametrize("check", CHECKERS, ids=name)
def test_right_answers_are_right_however_they_are_spelled(check):
    for answers in right_answers(check):
        assert check(*answers).right, check(*answers)


def slips(check, seed=0) -> list:
    """(answers of which one is a slip, words of what is said of it) of an exercise."""
    made = check.made(seed)
    own = [(slip(*made.right), said) for other, slip, said in SLIPS if other is check]
    return [*made.tries(), *own]


@pytest.mark.parametrize("check", CHECKERS, ids=name)
def test_each_slip_of_an_exercise_gets_its_sentence(check):
    for answers, said in slips(check):
        assert_said(said, check(*answers))


@pytest.mark.parametrize("chapter", sorted({check.__module__ for check in CHECKERS}))
def test_what_is_filled_in_a_sentence_has_a_name_in_the_code(chapter):
    modules = chapter, Number.__module__, kit.__name__
    files = [Path(import_module(module).__file__) for module in modules]
    names = {w for file in files for w in re.findall(r"\w+", file.read_text("utf-8"))}
    for line in files[0].with_suffix(".toml").read_text("utf-8").splitlines():
        if not line.startswith("    "):  # a hint, with TeX
            assert names.issuperset(re.findall(r"\{([a-zA-Z]\w*)", line)), line


def moved(value):
    """A value beside the right one, of the same form."""
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, (tuple, list)):
        return type(value)(map(moved, value))
    return value if value is None else 1.3 * value + 1.7


def wrong_part(part):
    """For a number to give, or a function, what is neither right nor one of the slips."""
    if isinstance(part, Function):
        return lambda *case: moved(part.right(*case))
    known, other = [part.right, *part.slips] if part.among else [], moved(part.right)
    return next((v for v in part.among or () if v not in known), other)


@pytest.mark.parametrize("check", CHECKERS, ids=name)
def test_any_other_answer_is_wrong_and_gets_the_hint(check):
    made = check.made()
    for k, part in enumerate(getattr(made, "asked", {}).values()):
        if isinstance(part, (Function, Number)):
            answers = *made.right[:k], wrong_part(part), *made.right[k + 1 :]
            hint = part.hint if isinstance(part.hint, str) else ""
            assert_said("" if getattr(part, "fault", None) else hint, check(*answers))


def assert_other_numbers_are_sound(check, seeds):
    """The right answer is accepted, and each slip is refused with its own sentence."""
    count = len(slips(check))
    for seed in seeds:
        question, made = check.another(seed), check.made(seed)
        assert f"Seed {seed}. " in question.text and "np." not in question.text
        verdict = question(*made.right)
        assert verdict.right and f"(Seed {seed}.)" in repr(verdict), (question, verdict)
        tried = slips(check, seed)
        assert len(tried) == count, question
        for answers, said in tried:
            assert_said(said, question(*answers))


@pytest.mark.parametrize("check", LISTS, ids=name)
def test_no_values_of_a_list_of_statements_are_right_without_a_reason(check):
    *right, letter = check.made().right[0]
    said = {repr(check(values)) for values in product([True, False], repeat=len(right))}
    assert len(said) == 1 and "Which reason decides number" in said.pop()
    verdict = check(right, letter)
    assert verdict.right and "Number " in repr(verdict)


@pytest.mark.parametrize("check", LISTS, ids=name)
def test_no_reason_stands_at_two_statements_of_a_list(check):
    of = written(check.__module__.rpartition(".")[2])[check.__name__]
    entries = [entry for place in of["places"] for entry in place.values()]
    reasons = [{str(e) for e in (entry if "fits" in of else [entry])} for entry in entries]
    assert len(set.union(*reasons)) == sum(map(len, reasons))


@pytest.mark.parametrize("check", VARIED, ids=name)
def test_a_question_with_other_numbers_is_whole(check):
    """It names all that is drawn, and leaves nothing to be filled in."""
    fields = [field for _, field, _, _ in Formatter().parse(check.__doc__) if field]
    assert {re.match(r"\w+", field)[0] for field in fields} == check.drawn
    assert not set("{}") & set(check.another(1).text)


@pytest.mark.parametrize("check", VARIED, ids=name)
def test_other_numbers_make_a_sound_question(check):
    takes_long = check.__name__ in LONG or any(map(callable, check.made().right))
    assert_other_numbers_are_sound(check, range(1, 4 if takes_long else 31))


@pytest.mark.slow
@pytest.mark.parametrize("check", VARIED, ids=name)
def test_many_other_numbers_make_a_sound_question(check):
    assert_other_numbers_are_sound(check, range(1, 101))


@pytest.mark.parametrize(("check", "answers", "said"), WRONG, ids=name)
def test_other_wrong_answers_get_a_sentence_of_their_own(check, answers, said):
    assert_said(said, check(*answers))
