"""Checkers answer in a sentence, whatever the reader hands them."""

import re
import sys
from contextlib import suppress
from itertools import count

import numpy as np
import pytest
import sympy as sp

from halfspaces import exercises
from halfspaces.exercises import NotYet, call, checker, compare
from halfspaces.exercises.kit import Exercise, Function, Number, Truths, exercise
from halfspaces.exercises.sparsity import two_answers
from halfspaces.formatting import format_value
from tests.halfspaces.junk import CHECKERS, Broken, gives, said, values


def breaks(v):
    raise RuntimeError("on purpose")


def ruins(parts, v):
    parts.clear()
    v[...] = 0


def named(check) -> str:
    return f"{check.__module__.rpartition('.')[2]}.{check.__name__}"


@pytest.mark.parametrize("check", CHECKERS, ids=named)
def test_no_junk_is_right_and_none_shows_a_stack_trace(check):
    for junk in (*values(), breaks, *map(gives, range(0, len(values()), 8))):
        said(check, [junk] * len(check.asks()), ["spoiled"])


@checker
def double(answer):
    got = call(answer, np.array([1.0, 2.0]))
    compare(got, [2.0, 4.0], "Of ([1, 2]) it", "What is twice a number?")
    return "Twice is twice."


def test_a_right_answer_is_praised_and_a_wrong_one_gets_the_hint():
    assert repr(double(lambda v: 2 * v)) == "Right. Twice is twice."
    said = repr(double(lambda v: 3 * v))
    assert said.startswith("Not yet. ") and said.endswith("What is twice a number?")
    assert "([1, 2])" in said and "[3, 6]" in said
    assert "shape should be (2,)" in repr(double(lambda v: 2.0))


def test_a_failing_function_is_quoted_with_what_was_tried():
    said = repr(double(breaks))
    assert "breaks([1, 2]) stopped with RuntimeError: on purpose, in your line " in said
    assert said.endswith(': raise RuntimeError("on purpose").')


@pytest.mark.parametrize("check", CHECKERS, ids=named)
def test_an_exercise_has_two_hints_with_whole_formulas(check):
    first, second = repr(check.hint(1)), repr(check.hint(2))
    assert first != second and first == repr(check.hint())
    for text in first, second:
        assert len(text) > 40 and text.count("$") % 2 == text.count("`") % 2 == 0
    assert "`" not in check.hint(2)._repr_html_()
    assert repr(check.hint(3)) == "There are two hints, `hint(1)` and `hint(2)`."


@exercise(low=range(-3, 2), high=(4, 6, 8))
def halfway(low=1, high=4):
    """Which number is in the middle between {low} and {high}?  Give the lower one, too."""
    if low == 0:
        return None
    slips = {low + high: "{} is the sum."}
    middle = Number((low + high) / 2, slips, "Add them up, then halve.")
    return Exercise("It is in the middle.", middle=middle, low=Number(low, hint="No."))


def test_slips_are_known_and_several_numbers_may_be_given_in_a_tuple():
    assert [*halfway.made().tries()] == [((5.0, 1.0), "{} is the sum.")]
    assert halfway((2.5, 1)).right
    near = repr(halfway(2.51, 1))
    assert near == "Not yet. Your 2.51 is near; three digits after the point must be right."
    assert repr(halfway((2.5, 1, 1))).endswith("asks for middle, low; you gave three.")
    assert repr(halfway(1)) == "Not yet. The exercise asks for middle, low; you gave one."
    assert repr(halfway(1, ...)) == "Not yet. Replace the three dots with your answer."
    assert repr(halfway("a", 1)) == "Not yet. Give one number for “middle”; this is 'a'."


def test_other_numbers_are_shown_and_judged_with_their_seed():
    question = halfway.another(7)
    asked = (
        r"Seed 7\. Which number is in the middle between (\S+) and (\d)\? Give .*, too\."
    )
    low, high = re.fullmatch(asked, question.text).groups()
    assert low in ("−3", "−2", "−1", "1") and high in ("4", "6", "8")
    assert halfway.another(7).text == question.text == repr(question)
    assert question(...) is question and question.text in question._repr_html_()
    drawn = {halfway.made(seed).right for seed in range(1, 99)}
    assert len(drawn) == 11, "4 times 3, without the printed one; low = 0 is drawn again"


CLAIMS = [
    {"Water is wet.": "It is.", "Water burns.": "Put it on a fire."},
    {"Snow is hot.": "It melts.", "Snow is cold.": "It is frozen."},
]
PROOFS = {"It is.", "It is frozen."}


@exercise(claims=[*map(tuple, CLAIMS)], rows=[[(-1, 0.5)] * 2] * 2, y=[(-1, 1)] * 3)
def listed(claims, rows=((1, 2), (3, -4)), y=(1, -1, 1)):
    """The points {rows} have the labels {y:+}.

    What is true?  {claims}
    """
    facts = {f"number {q}": CLAIMS[q - 1][said] for q, said in enumerate(claims, start=1)}
    about = {
        w: (w in PROOFS, f"“{claim}”") for place in CLAIMS for claim, w in place.items()
    }
    return Exercise("So it is.", claims=Truths(facts, about, "Touch it."))


def test_rows_labels_and_claims_are_put_into_a_question():
    assert repr(listed.another(0)) == (
        "Seed 0. The points (1, 2), (3, −4) have the labels +1, −1, +1. What is true? "
        "\n1. Water is wet.\n2. Snow is hot."
    )
    dry = next(q for q in map(listed.another, range(9)) if "1. Water burns." in q.text)
    assert "<br>1. Water burns.<br>2. Snow" in dry._repr_html_()


def test_statements_are_judged_together_with_the_reason_for_one_of_them():
    asked = repr(listed(True, False))
    options = dict(re.findall(r"([abc])\) (.*?\.)", asked))
    assert asked.startswith("Not yet. Which reason decides number 1? a) ")
    # not the reason of another true statement, which may be one of this, too
    assert {*options.values()} == {"It melts.", "Put it on a fire.", "It is."}
    letter = {why: x for x, why in options.items()}
    right, melts, fire = map(letter.get, ("It is.", "It melts.", "Put it on a fire."))
    assert listed(True, False, right).right and listed([True, False], right.upper()).right
    assert repr(listed(False, False)) == repr(listed(True, False, "d")) == asked
    other = f"Not yet. {melts}) decides another statement: “Snow is hot.” Touch it."
    assert repr(listed(True, False, melts)) == repr(listed(False, True, melts)) == other
    unasked = f"{fire}) decides another statement, not asked here: “Water burns.” Touch it."
    assert unasked in repr(listed(True, False, fire))
    one, two = listed(True, True, right), listed((False, True), right)
    told = f"Not yet. {right}) is the reason, but"
    assert repr(one) == f"{told} one of the two values is wrong. Touch it."
    assert repr(two) == f"{told} two of the two values are wrong. Touch it."
    assert repr(listed(True, right)).startswith("Not yet. Two values are wanted")


def test_an_exercise_without_other_numbers_says_so_and_judges_as_printed():
    question = two_answers.another(7)
    said = "The question as it is printed: it has no other numbers."
    assert repr(question) == f"Seed 7. {said}" and question(...) is question
    assert question(*two_answers.made().right).right


def test_seed_0_has_the_printed_numbers_and_any_seed_is_a_whole_number():
    assert "between 1 and 4?" in halfway.another(0).text
    for seed in -1, 1.5, "7", True:
        with pytest.raises(ValueError, match=r"seed must be .*; got"):
            halfway.another(seed)


@exercise
def line():
    """The line through two points, or None if there is none."""

    def right(x, y):
        w = (y[1] - y[0]) / (x[1] - x[0]) if x[0] != x[1] else None
        return w if w is None else (w, y[0] - w * x[0])

    def upright(*answer_and_points):
        x = answer_and_points[-2]
        return "No function goes through both: return None." if x[0] == x[1] else ""

    function = Function(
        right,
        lambda: iter([((0, 1), (1, 3)), ((1, 1), (0, 1))]),
        {lambda x, y: (0.0, y[0]): "Is it level?"},
        "Put both points in.",
        lambda x, y: f"For x = {x}",
        ("your w", "your b"),
        fault=upright,
    )
    return Exercise("A line.", function=function)


def test_a_function_is_tried_beside_the_right_one():
    assert line(line.made().right[0]).right
    assert repr(line(lambda x, y: [0, 1])).endswith(
        "For x = (0, 1) it gave [0, 1]. Is it level?"
    )
    assert "your b gave 7, which is not right. Put both" in repr(line(lambda x, y: (2, 7)))
    assert "For x = (0, 1) it gave 2; return (w, b)." in repr(line(lambda x, y: 2))
    assert "For x = (1, 1) No function goes" in repr(line(lambda x, y: (2, 1)))
    assert "returned nothing" in repr(line(lambda x, y: None))


def test_a_changed_argument_is_noticed_and_the_question_is_not_spoilt():
    question, parts = np.array([1.0, 2.0]), [1, 2]
    with pytest.raises(NotYet, match=r"ruins.* changed its argument number 2: the"):
        call(ruins, parts, question)
    assert np.array_equal(question, [1.0, 2.0]) and parts == [1, 2]


def never_ends(v):
    while True:
        with suppress(Exception):
            v = v + 1


LOOPS = [
    never_ends,
    lambda v: never_ends(v),
    lambda v: [0 for _ in count() if not v.size],
    lambda v: sum(1 for _ in count()),
    lambda v: sum(map(lambda k: k, count())),
]


@pytest.mark.parametrize("endless", LOOPS)
def test_a_function_that_never_ends_is_answered(endless, monkeypatch):
    monkeypatch.setattr(exercises, "STEPS", 10_000)
    said = repr(double(endless))
    assert "stopped after 10,000 steps or 10 seconds. Is there a loop that nev" in said
    assert sys.gettrace() is None


def test_few_long_rounds_that_never_end_are_answered(monkeypatch):
    monkeypatch.setattr(exercises, "SECONDS", 0.3)

    def never_converges(v):
        while True:
            np.sort(np.ones((1000, 1000)))

    assert "Is there a loop that never ends?" in repr(double(never_converges))


def calls_itself(v):
    return calls_itself(v + 1)


def calls_itself_whatever_happens(v):
    with suppress(Exception):
        calls_itself_whatever_happens(v)
    return calls_itself_whatever_happens(v)


@pytest.mark.parametrize("deep", [calls_itself, calls_itself_whatever_happens])
def test_a_function_that_calls_itself_without_end_is_answered(deep):
    assert f"{deep.__name__}([1, 2]) called itself without end." in repr(double(deep))
    assert sys.gettrace() is None


def test_steps_of_a_library_do_not_count(monkeypatch):
    monkeypatch.setattr(exercises, "STEPS", 200)
    assert double(lambda v: np.asarray([float(sp.Integer(2) * int(q)) for q in v])).right


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.float64(1.5), "1.5"),
        ((5,), "(5,)"),
        ((np.float64(1.0), np.arange(2)), "(1, [0, 1])"),
        (np.array([0.123456, 1.0]), "[0.1235, 1]"),
        (never_ends, "the function never_ends"),
        (object(), "a value of type object"),
        (np.zeros((3, 4)), "an array of shape (3, 4)"),
        ([(np.zeros(20), [1, 2])] * 2, "[(an array of shape (20,), [1, 2]), ...]"),
    ],
)
def test_a_value_is_said_in_plain_words(value, text):
    assert format_value(value) == text


def test_a_value_that_cannot_be_said_is_said_by_its_type():
    knot = []
    knot.append(knot)
    mute = Broken(SystemExit("no words"))
    assert format_value(mute) == format_value([mute])[1:-1] == "a value of type Broken"
    for junk in mute, knot:
        said = repr(double(junk))
        assert said.startswith("Not yet. A function is wanted here; this is ")


def test_a_long_error_is_cut_and_one_without_words_named():
    def fails(v):
        raise ValueError(1000 * "long\n")

    def exits(v):
        raise SystemExit(Broken(RuntimeError("no")))

    assert len(repr(double(fails))) < 300
    assert "exits([1, 2]) stopped with SystemExit, in your line " in repr(double(exits))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (np.nan, "your w gave nan, which is not finite. Put both points in."),
        (-np.inf, "your w gave -inf, which is not finite. Put both points in."),
        (None, "your w gave None, which is not numbers. Put both points in."),
        ("1", "your w gave '1', which is not numbers. Put both points in."),
        ([1, 2], "your w gave [1, 2], of shape (2,); the shape should be (). Put both"),
    ],
)
def test_what_is_no_number_is_named_whatever_else_is_wrong(answer, said):
    assert f"For x = (0, 1) {said}" in repr(line(lambda x, y: (answer, 1)))
