"""Checkers answer in a sentence, whatever the reader hands them."""

import importlib
import pkgutil

import numpy as np
import pytest

from mlcore.book import exercises
from mlcore.book.exercises import NotYet, Verdict, call, checker, compare, expect

MODULES = [module.name for module in pkgutil.iter_modules(exercises.__path__)]


def checkers():
    for name in MODULES:
        module = importlib.import_module(f"{exercises.__name__}.{name}")
        for function in vars(module).values():
            if hasattr(function, "__wrapped__"):
                yield pytest.param(function, id=f"{name}.{function.__name__}")


def breaks(*args, **kwargs):
    raise RuntimeError("on purpose")


def ruins(*args, **kwargs):
    for a in args:
        if isinstance(a, np.ndarray):
            a[...] = 0
    return "words"


JUNK = [
    None,
    ...,
    (..., ...),
    "words",
    -1.5,
    float("nan"),
    [],
    [[1, 2], [3]],
    {"a": 1},
    np.zeros((3, 2)),
    np.full(4, np.nan),
    np.full(2, np.nan),
    (np.nan, np.inf),
    ("a", "b"),
    (None, None),
    object(),
    int,
    breaks,
    ruins,
    lambda *args, **kwargs: None,
    lambda *args, **kwargs: np.nan,
    lambda *args, **kwargs: np.zeros(2),
    lambda *args, **kwargs: {"a": 1},
    lambda: 1,
]


@pytest.mark.parametrize("check", list(checkers()))
def test_no_junk_is_right_and_none_shows_a_stack_trace(check):
    for junk in JUNK:
        verdict = check(junk)
        assert isinstance(verdict, Verdict), junk
        assert not verdict.right, f"{junk!r} passed: {verdict}"
        assert 20 < len(repr(verdict)) < 500, repr(verdict)
        assert "Traceback" not in repr(verdict)


@checker
def double(answer):
    expect(answer, (np.array([1.0, 2.0]),), [2.0, 4.0], "What is twice a number?")
    return "Twice is twice."


def test_a_right_answer_is_praised_and_a_wrong_one_gets_the_hint():
    assert repr(double(lambda v: 2 * v)) == "Right. Twice is twice."
    said = repr(double(lambda v: 3 * v))
    assert said.startswith("Not yet. ") and said.endswith("What is twice a number?")
    assert "([1.0, 2.0])" in said and "[3.0, 6.0]" in said


def test_a_failing_function_is_quoted_with_what_was_tried():
    said = repr(double(breaks))
    assert "breaks([1.0, 2.0]) stopped with RuntimeError: on purpose" in said


def test_a_wrong_shape_is_told_apart_from_wrong_numbers():
    assert "shape should be (2,)" in repr(double(lambda v: 2.0))


def test_the_reader_cannot_spoil_the_question():
    question = np.array([1.0, 2.0])
    call(ruins, question)
    assert np.array_equal(question, [1.0, 2.0])


def test_nan_is_never_right():
    with pytest.raises(NotYet):
        compare([np.nan], [1.0], "It", "Hint.")
