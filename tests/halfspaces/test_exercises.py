"""Checkers reply with a sentence to every answer."""

import io
import re
from contextlib import suppress
from functools import partial
from itertools import count

import numpy as np
import pytest
import sympy as sp

from halfspaces import exercises
from halfspaces.exercises import checker, features, geometry, perceptron, require_close
from halfspaces.exercises.define import Exercise, Function, Number, TrueFalse, exercise
from halfspaces.exercises.sparsity import two_answers
from halfspaces.formatting import format_value
from mlcore.features import standardize
from tests.halfspaces import bad_answers
from tests.halfspaces.bad_answers import CHECKERS, Broken, check_reply, exercise_id


def fails(v):
    raise RuntimeError("on purpose")


def changes_arguments(parts, v):
    parts.clear()
    v[...] = 0


def test_values_of_a_function_need_nine_digits():
    require_close([3 + 1e-9], [3.0], "It", "")
    with pytest.raises(exercises.WrongAnswer, match="to about eight digits; nine are"):
        require_close([3 + 1e-8], [3.0], "It", "")


@pytest.mark.parametrize("check", CHECKERS, ids=exercise_id)
def test_bad_answers_are_wrong_and_get_a_sentence(check):
    for bad in (*bad_answers.bad_values(), fails, *bad_answers.bad_functions()):
        log = ["spoiled"]  # what `spoil` would have recorded
        check_reply(check, [bad] * len(check.answer_names()), log)


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKERS, ids=exercise_id)
def test_answer_with_a_bad_part_gets_a_sentence(check, monkeypatch):
    monkeypatch.setattr(exercises, "STEPS", 20_000)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    rng = np.random.default_rng(0)
    for right in bad_answers.right_answers(check):
        for k in range(12):
            part, log, answers = k % len(right), [], list(right)
            bad = int(rng.integers(len(bad_answers.bad_values())))
            answers[part] = bad_answers.spoil(right[part], bad, k, log)
            check_reply(check, answers, log)
    monkeypatch.undo()
    if not hasattr(check, "sample"):  # the solution of a case is a function, and slow
        for answers in bad_answers.right_answers(check):
            assert check(*answers).right  # no call has changed the solution


@checker
def double(answer):
    got = exercises.call(answer, np.array([1.0, 2.0]))
    require_close(got, [2.0, 4.0], "For ([1, 2]) it", "What is twice a number?")
    return "Twice is twice."


def test_right_answer_gets_praise_and_wrong_answer_the_hint():
    assert repr(double(lambda v: 2 * v)) == "Right. Twice is twice."
    reply = repr(double(lambda v: 3 * v))
    assert reply.startswith("Not yet. ") and reply.endswith("What is twice a number?")
    assert "([1, 2])" in reply and "[3, 6]" in reply
    assert "shape should be (2,)" in repr(double(lambda v: 2.0))


def test_reply_quotes_the_failing_line_and_the_arguments():
    reply = repr(double(fails))
    assert "fails([1, 2]) stopped with RuntimeError: on purpose, in your line " in reply
    assert reply.endswith(': raise RuntimeError("on purpose").')
    assert "on purpose, in your line " in repr(double(partial(fails)))


def test_line_of_a_library_is_not_called_your_line():
    assert "X must be a matrix" in repr(double(standardize))
    assert "your line" not in repr(double(standardize))


@pytest.mark.parametrize("check", CHECKERS, ids=exercise_id)
def test_exercise_has_two_different_hints_with_complete_formulas(check):
    first, second = repr(check.hint(1)), repr(check.hint(2))
    assert first != second and first == repr(check.hint())
    for text in first, second:
        assert len(text) > 40, "a hint should have more than 40 characters"
        assert text.count("$") % 2 == text.count("`") % 2 == 0
    assert "`" not in check.hint(2)._repr_html_()
    assert repr(check.hint(3)) == "There are two hints, `hint(1)` and `hint(2)`."


@exercise(low=range(-3, 2), high=(4, 6, 8))
def halfway(low=1, high=4):
    """Which number is halfway between {low} and {high}?  Also give the smaller number."""
    if low == 0:
        return None
    sums = {low + high: "{} is the sum."}
    middle = Number((low + high) / 2, sums, lambda _: exercises.fail_if(True, "Halve."))
    low = Number(low, explain=lambda _: exercises.fail_if(True, "No."))
    return Exercise("It is in the middle.", middle=middle, low=low)


def test_misconceptions_are_listed_and_numbers_can_be_given_in_a_tuple():
    assert [*halfway.build().mistakes()] == [((5.0, 1.0), "{} is the sum.")]
    assert halfway((2.5, 1)).right
    text = repr(halfway(2.51, 1))
    assert text == "Not yet. Your 2.51 is near; three digits after the point must be right."
    assert repr(halfway((2.5, 1, 1))).endswith("asks for middle, low; you gave three.")
    assert repr(halfway(1)) == "Not yet. The exercise asks for middle, low; you gave one."
    assert repr(halfway(1, ...)) == "Not yet. Replace the three dots with your answer."
    assert repr(halfway("a", 1)) == "Not yet. Give one number for “middle”; this is 'a'."


def test_variant_shows_its_numbers_and_replies_with_its_seed():
    question = halfway.another(7)
    pattern = r"Seed 7\. Which number is halfway between (\S+) and (\d)\? Also give .*\."
    low, high = re.fullmatch(pattern, question.text).groups()
    assert low in ("−3", "−2", "−1", "1") and high in ("4", "6", "8")
    assert halfway.another(7).text == question.text == repr(question)
    assert question(...) is question and question.text in question._repr_html_()
    solutions = {halfway.build(seed).solution for seed in range(1, 99)}
    assert len(solutions) == 11, "4 x 3 pairs except the printed one; low is never 0"


def test_consecutive_seeds_draw_different_numbers():
    for check in (geometry.acute, geometry.loglog, features.xor, perceptron.by_hand):
        assert len({str(check.build(seed).numbers) for seed in range(21)}) == 21


CLAIMS = [
    {"Water is wet.": "It is.", "Water burns.": "Put it on a fire."},
    {"Snow is hot.": "It melts.", "Snow is cold.": "It is frozen."},
]
REASONS_FOR_TRUE = {"It is.", "It is frozen."}


@exercise(claims=[*map(tuple, CLAIMS)], rows=[[(-1, 0.5)] * 2] * 2, y=[(-1, 1)] * 3)
def quiz(claims, rows=((1, 2), (3, -4)), y=(1, -1, 1)):
    """The points {rows} have the labels {y:+}.

    What is true?  {claims}
    """
    reasons = {f"number {k + 1}": CLAIMS[k][claim] for k, claim in enumerate(claims)}
    pairs = [item for pair in CLAIMS for item in pair.items()]
    statements = {
        reason: (reason in REASONS_FOR_TRUE, f"“{claim}”") for claim, reason in pairs
    }
    return Exercise("So it is.", claims=TrueFalse(reasons, statements, "Touch it."))


def test_question_contains_rows_labels_and_claims():
    assert repr(quiz.another(0)) == (
        "Seed 0. The points (1, 2), (3, −4) have the labels +1, −1, +1. What is true? "
        "\n1. Water is wet.\n2. Snow is hot."
    )
    question = next(q for q in map(quiz.another, range(9)) if "1. Water burns." in q.text)
    assert "<br>1. Water burns.<br>2. Snow" in question._repr_html_()


def test_truth_values_need_the_reason_for_one_statement():
    reply = repr(quiz(True, False))
    options = dict(re.findall(r"([abc])\) (.*?\.)", reply))
    assert reply.startswith("Not yet. Which reason decides number 1? a) ")
    # the reason for another true statement is not offered: it might also prove number 1
    assert {*options.values()} == {"It melts.", "Put it on a fire.", "It is."}
    letter = {why: x for x, why in options.items()}
    right, melts, fire = map(letter.get, ("It is.", "It melts.", "Put it on a fire."))
    assert quiz(True, False, right).right and quiz([True, False], right.upper()).right
    assert repr(quiz(False, False)) == repr(quiz(True, False, "d")) == reply
    other = f"Not yet. {melts}) decides another statement: “Snow is hot.” Touch it."
    assert repr(quiz(True, False, melts)) == repr(quiz(False, True, melts)) == other
    absent = f"{fire}) decides another statement, not asked here: “Water burns.” Touch it."
    assert absent in repr(quiz(True, False, fire))
    one_wrong, two_wrong = quiz(True, True, right), quiz((False, True), right)
    start = f"Not yet. {right}) is the reason, but"
    assert repr(one_wrong) == f"{start} one of the two values is wrong. Touch it."
    assert repr(two_wrong) == f"{start} two of the two values are wrong. Touch it."
    assert repr(quiz(True, right)).startswith("Not yet. Give two values")
    other_reason, no_reason = quiz(True, False, melts), quiz(True, False)
    scores = [v.score for v in (one_wrong, other_reason, no_reason, two_wrong)]
    assert scores == pytest.approx([2 / 3, 2 / 3, 2 / 3, 1 / 3])


def test_exercise_without_variants_asks_its_printed_question():
    question = two_answers.another(7)
    reply = "This exercise has no other numbers: answer the printed question."
    assert repr(question) == f"Seed 7. {reply}" and question(...) is question
    assert question(*two_answers.build().solution).right


def test_seed_0_is_the_printed_question_and_other_seeds_must_be_integers():
    assert "between 1 and 4?" in halfway.another(0).text
    for seed in -1, 1.5, "7", True:
        with pytest.raises(ValueError, match=r"seed must be .*; got"):
            halfway.another(seed)


def w_and_b(x, y, bug=""):
    """Return w and b of the line through two points; None if it is vertical."""
    if x[0] == x[1]:
        return None
    w = 0.0 if bug else (y[1] - y[0]) / (x[1] - x[0])
    return w, y[0] - w * x[0]


def explain_none(*answer_and_points):
    x = answer_and_points[-2]
    exercises.fail_if(x[0] == x[1], "No function goes through both: return None.")


POINTS = [((0, 1), (1, 3)), ((1, 1), (0, 1))]
FUNCTION = Function(w_and_b, lambda: iter(POINTS), explain=explain_none)
LINE = Exercise("A line.", function=FUNCTION)
TEXTS = {"hint": "Put both points in.", "parts": ["your w", "your b"]}
LINE.set_texts(TEXTS | {"case": "For x = {x}", "bugs": {"level": "Is it level?"}}, {})
line = checker(LINE.evaluate, LINE.names)


def test_function_is_compared_with_the_solution():
    assert line(w_and_b).right
    reply = repr(line(lambda x, y: [0, 1]))
    assert reply.endswith("For x = (0, 1) it gave [0, 1]. Is it level?")
    assert "your b gave 7, which is not right. Put both" in repr(line(lambda x, y: (2, 7)))
    assert "For x = (0, 1) it gave 2; return (w, b)." in repr(line(lambda x, y: 2))
    assert "For x = (1, 1) No function goes" in repr(line(lambda x, y: (2, 1)))
    assert "returned nothing" in repr(line(lambda x, y: None))


def test_changed_argument_is_reported_and_the_original_is_kept():
    vector, parts = np.array([1.0, 2.0]), [1, 2]
    changed = r"changes_arguments.* changed its argument number 2: the"
    with pytest.raises(exercises.WrongAnswer, match=changed):
        exercises.call(changes_arguments, parts, vector)
    assert np.array_equal(vector, [1.0, 2.0]) and parts == [1, 2]


def never_ends(v):
    while True:
        with suppress(Exception):
            v = v + 1


LOOPS = [
    lambda v: never_ends(v),
    lambda v: [0 for _ in count() if not v.size],
    lambda v: sum(map(lambda k: k, count())),
]


@pytest.mark.parametrize("endless", LOOPS)
def test_endless_loop_gets_a_reply(endless, monkeypatch):
    monkeypatch.setattr(exercises, "STEPS", 10_000)
    reply = repr(double(endless))
    assert "stopped after 10,000 steps or 10 seconds. Is there a loop that nev" in reply


def test_endless_loop_with_slow_iterations_gets_a_reply(monkeypatch):
    monkeypatch.setattr(exercises, "CALL_SECONDS", 0.3)

    def never_converges(v):
        while True:
            np.sort(np.ones((1000, 1000)))

    assert "Is there a loop that never ends?" in repr(double(never_converges))


def calls_itself(v):
    return calls_itself(v + 1)


def calls_itself_and_catches_errors(v):
    with suppress(Exception):
        calls_itself_and_catches_errors(v)
    return calls_itself_and_catches_errors(v)


@pytest.mark.parametrize("recurse", [calls_itself, calls_itself_and_catches_errors])
def test_endless_recursion_gets_a_reply(recurse):
    assert f"{recurse.__name__}([1, 2]) called itself without end." in repr(double(recurse))


def test_steps_in_a_library_are_not_counted(monkeypatch):
    monkeypatch.setattr(exercises, "STEPS", 200)
    assert double(lambda v: np.asarray([float(sp.Integer(2) * int(x)) for x in v])).right


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.float64(1.5), "1.5"),
        ((np.float64(1.0), np.arange(2)), "(1, [0, 1])"),
        (np.array([0.123456, 1.0]), "[0.1235, 1]"),
        (never_ends, "the function never_ends"),
        (object(), "a value of type object"),
        (np.zeros((3, 4)), "an array of shape (3, 4)"),
        ([(np.zeros(20), [1, 2])] * 2, "[(an array of shape (20,), [1, 2]), ...]"),
    ],
)
def test_values_are_formatted_on_one_short_line(value, text):
    assert format_value(value) == text


def test_value_without_a_repr_is_described_by_its_type():
    broken = Broken(SystemExit("no repr"))
    assert format_value(broken) == format_value([broken])[1:-1] == "a value of type Broken"


def test_long_error_message_is_shortened_and_missing_one_is_replaced_by_the_type():
    def fails(v):
        raise ValueError(1000 * "long\n")

    def exits(v):
        raise SystemExit(Broken(RuntimeError("no")))

    assert len(repr(double(fails))) < 300
    assert "exits([1, 2]) stopped with SystemExit, in your line " in repr(double(exits))


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        (np.nan, "your w gave nan, which is not finite. Put both points in."),
        (None, "your w gave None, which is not numeric. Put both points in."),
        ([1, 2], "your w gave [1, 2], of shape (2,); the shape should be (). Put both"),
    ],
)
def test_part_that_is_not_a_number_is_reported(answer, reply):
    assert f"For x = (0, 1) {reply}" in repr(line(lambda x, y: (answer, 1)))
