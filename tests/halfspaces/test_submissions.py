"""Replies to solutions, to misconceptions and to other answers.

An exercise defines its solution and misconceptions; submissions.py lists other answers.
"""

import re
from importlib import import_module
from string import Formatter

import numpy as np
import pytest

from halfspaces import exercises
from halfspaces.exercises import WrongAnswer, logistic, question_types
from halfspaces.exercises.define import FreeForm, Function, Number
from halfspaces.exercises.texts import fill_message, load_texts
from tests.halfspaces.bad_answers import CHECKERS, exercise_id, right_answers
from tests.halfspaces.submissions import MISCONCEPTIONS, SLOW_WRONG, WRONG

TRUE_FALSE = [check for check in CHECKERS if check.parameters == {"claims"}]
CASES = [check for check in CHECKERS if hasattr(check, "sample")]  # see test_cases.py
NOT_CASES = [check for check in CHECKERS if check not in CASES]
WITH_VARIANTS = [check for check in NOT_CASES if check.has_variants]
# Exercises that take about a second for each seed
LONG = {"memory", "pulls_hardest", "certify", "leave_one_out", "last_mistake", "steady"}
LONG |= {"how_many", "strangers"}
NOT_PLAIN_TEXT = re.compile(r" at 0x|np\.|\?\.|<function|\{\}")


@pytest.fixture(autouse=True)
def fewer_steps(monkeypatch):
    """Stop endless loops early; the solutions need far fewer steps."""
    monkeypatch.setattr(exercises, "STEPS", 400_000)
    monkeypatch.setattr(exercises, "CALL_SECONDS", 3)


def assert_reply(text, verdict):
    assert not verdict.right and verdict.sentence[-1] in ".?)", verdict
    assert all(part in repr(verdict) for part in text.split("{}")), (text, verdict)
    assert not NOT_PLAIN_TEXT.search(repr(verdict)), verdict


# The notebooks check right answers to the cases.
@pytest.mark.parametrize("check", NOT_CASES, ids=exercise_id)
def test_right_answers_are_accepted_in_any_form(check):
    for answers in right_answers(check):
        assert check(*answers).right, check(*answers)


def misconceptions(check, seed=0) -> list:
    """Return (answers with a misconception, part of the reply) of an exercise."""
    built, more = check.build(seed), [row for row in MISCONCEPTIONS if row[0] is check]
    return [*built.mistakes(), *((f(*built.solution), text) for _, f, text in more)]


@pytest.mark.parametrize("check", NOT_CASES, ids=exercise_id)
def test_misconception_gets_its_reply(check):
    for answers, text in misconceptions(check):
        assert_reply(text, check(*answers))


def calls_with_solution(question):
    """Yield (check or explain, arguments from the solution) of a question."""
    args = question.solution if isinstance(question, FreeForm) else (question.solution,)
    check_args = explain_args = args
    if isinstance(question, Number):
        explain_args = (np.array(question.solution, float)[()],)
    if isinstance(question, Function):
        case = next(iter(question.cases() if callable(question.cases) else question.cases))
        right = question.solution(*case)
        check_args = right, *case
        parts = right if len(question.parts) > 1 else (right,)
        explain_args = *parts, *case
    for name, arguments in (("check", check_args), ("explain", explain_args)):
        if function := getattr(question, name, None):
            yield function, arguments


@pytest.mark.parametrize("check", NOT_CASES, ids=exercise_id)
def test_each_reply_key_has_a_text_and_all_of_its_values(check, monkeypatch):
    """Every `fail_if` is called, since the solution fails no condition."""
    replies, built = [], check.build()
    for module in (import_module(check.__module__), question_types):
        record = lambda condition, key, /, **values: replies.append((key, values))  # noqa: E731
        monkeypatch.setattr(module, "fail_if", record)
    for question in built.parts.values() or [built]:
        replies.clear()
        for function, args in calls_with_solution(question):
            try:
                values = function(*args) or {}
                default = "praise" if question is built else "hint"
                replies.append((values.get("key", default), values))
            except WrongAnswer as error:
                replies.append((str(error), error.values))
        texts = {"hint": "", **getattr(question, "texts", {})}
        for key, values in replies:
            assert key in texts or " " in key, key
            fill_message(texts.get(key, ""), question.values | values)


def perturb(value):
    """Return another value of the same type and shape."""
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, (tuple, list)):
        return type(value)(map(perturb, value))
    return value if value is None else 1.3 * value + 1.7


def wrong_answer_to(part):
    """Return a wrong answer to a question, other than its misconceptions."""
    if isinstance(part, Function):
        return lambda *case: perturb(part.solution(*case))
    known = [part.solution, *part.misconceptions]
    return next((v for v in part.allowed or () if v not in known), perturb(part.solution))


@pytest.mark.parametrize("check", CHECKERS, ids=exercise_id)
def test_unforeseen_wrong_answer_gets_the_hint(check):
    right, parts = check.build().solution, check.build().parts.values()
    for k, part in enumerate(parts):
        if isinstance(part, (Function, Number)):
            answers = *right[:k], wrong_answer_to(part), *right[k + 1 :]
            hint = ""  # the explanation fills in values that this test does not know
            if not part.explain:
                hint = part.reply("hint") if isinstance(part, Number) else part.hint
            assert_reply(hint if isinstance(hint, str) else "", check(*answers))


@pytest.mark.parametrize("check", TRUE_FALSE, ids=exercise_id)
def test_reasons_differ_and_are_in_the_praise(check):
    assert "Number " in repr(check(*check.build().solution))
    texts = load_texts(check.__module__.rpartition(".")[2])[check.__name__]
    entries = [entry for pair in texts["statements"] for entry in pair.values()]
    groups = entries if "suffixes" in texts else [[entry] for entry in entries]
    reasons = [set(map(str, group)) for group in groups]
    assert len(set.union(*reasons)) == sum(map(len, reasons))


MORE = pytest.param(range(3, 13), marks=pytest.mark.slow)


@pytest.mark.parametrize("check", WITH_VARIANTS, ids=exercise_id)
@pytest.mark.parametrize("seeds", [(1, 2), MORE], ids=["few", "more"])
def test_variants_are_consistent_and_show_all_of_their_numbers(check, seeds):
    """The solution is right, and each misconception gets its reply."""
    fields = [field for _, field, _, _ in Formatter().parse(check.__doc__) if field]
    assert {re.match(r"\w+", field)[0] for field in fields} == check.parameters
    assert_consistent(check, seeds)


def assert_consistent(check, seeds):
    count = len(misconceptions(check))
    for seed in seeds:
        question, built = check.another(seed), check.build(seed)
        assert question.text.startswith(f"Seed {seed}. ")
        assert not re.search(r"[{}]|np\.", question.text)
        verdict = question(*built.solution)
        assert verdict.right and f"(Seed {seed}.)" in repr(verdict), (question, verdict)
        cases = misconceptions(check, seed)
        assert len(cases) == count, question
        for answers, text in cases:
            assert_reply(text, question(*answers))


CHEAP = [c for c in WITH_VARIANTS if c.__name__ not in LONG]
CHEAP = [c for c in CHEAP if not any(map(callable, c.build().solution))]


@pytest.mark.slow
@pytest.mark.parametrize("check", CHEAP, ids=exercise_id)
def test_many_variants_are_consistent(check):
    """A seed above the number of combinations repeats the numbers of another one."""
    assert_consistent(check, range(13, min(100, check.combinations) + 1))


def test_bound_in_the_praise_is_rounded_down():
    assert "below 0.5868." in repr(logistic.refutes(*logistic.refutes.build().solution))


ROWS = WRONG + [pytest.param(*row, marks=pytest.mark.slow) for row in SLOW_WRONG]


@pytest.mark.parametrize(("check", "answers", "text"), ROWS, ids=exercise_id)
def test_wrong_answer_gets_its_reply(check, answers, text):
    assert_reply(text, check(*answers))
