"""The exercises of the book: a module for each chapter, a function for each exercise.

After `from halfspaces.exercises import geometry as check` a reader checks a function with
`check.signed_distance(signed_distance)`, numbers with `check.acute((0, 1), -2, (5, 1))`.
The reply is a `Verdict`: "Right." and praise, or "Not yet." with the case, the result and
advice.  `check.acute.hint(1)` and `hint(2)` are hints.  The decorator in define.py turns an
exercise into its checker.
"""

import os
import sys
from collections.abc import Callable
from contextlib import contextmanager, suppress
from copy import deepcopy
from functools import cache, wraps
from inspect import signature
from time import monotonic
from traceback import extract_tb, walk_stack

import numpy as np

import mlcore
from halfspaces.exercises import answers
from halfspaces.exercises.answers import *  # noqa: F403  for the chapters
from halfspaces.exercises.answers import WrongAnswer, to_list
from halfspaces.exercises.texts import NUMBER_WORDS, Paragraph, describe_error, hint
from halfspaces.formatting import format_value

__all__ = ["ReturnedNone", "Verdict", "call", "checker", "is_unfilled", *answers.__all__]

# Limits of one call of the reader's function.  The slowest solution in the tests takes
# 150,000 steps and 0.4 s in a page, on a slow phone perhaps 4 s.  A browser's stack
# overflows at 300 nested calls through `map`.
STEPS, CALL_SECONDS, CALLS = 2_000_000, 10, 200

# Folders of Python, NumPy, and the book: the reader's own code is elsewhere.
_PATHS = os.__file__, np.__path__[0], mlcore.__file__, os.path.dirname(__file__)
LIBRARIES = "<frozen", *(os.path.dirname(path) + os.sep for path in _PATHS)

LOOP_HINT = "Is there a loop that never ends? "
LOOP_HINT += "What should change in each round, and in which direction?"
RECURSION_HINT = "called itself without end. When should it return without another call? "
RECURSION_HINT += "Does each call get closer to that case?"


class ReturnedNone(WrongAnswer):
    """The reader's function returned nothing; in some cases that is the right answer."""


class LimitExceeded(BaseException):
    """The reader's code ran into a limit; their `except Exception` must not catch it."""


class Verdict(Paragraph):
    """The reply of a checker; displays itself in a notebook.

    right          True if the whole answer is right
    sentence       the reply, with "Right." or "Not yet."
    misconception  the reply without the answer's numbers; "" for a right answer
    score          the fraction of the exercise's points that is earned, from 0 to 1
    """

    def __init__(
        self, right: bool, message: str, misconception: str = "", score: float = 0.0
    ):
        self.right, self.message = right, message
        self.sentence = f"{'Right.' if right else 'Not yet.'} {message}"
        super().__init__(self.sentence, "hs-verdict" if right else "hs-verdict hs-wrong")
        self.misconception = "" if right else misconception or message
        self.score = 1.0 if right else score


def checker(evaluate: Callable, answer_names: Callable | None = None) -> Callable:
    """Turn evaluate(...), which returns praise or raises WrongAnswer, into a checker.

    The checker always returns a Verdict, even if the reader's code raises an error.

    answer_names  returns the names of the answers; None: the names of the parameters
    """

    @wraps(evaluate)
    def check(*args) -> Verdict:
        if any(map(is_unfilled, args)):
            return Verdict(False, "Replace the three dots with your answer.")
        names = check.answer_names()
        entries = to_list(args[0]) if len(args) == 1 and len(names) > 1 else None
        if len(names) == 1 and len(args) > 1 and not callable(args[0]):
            args = (args,)  # the entries of one answer, without parentheses
        elif entries is not None and len(entries) == len(names):
            args = tuple(entries)  # several answers in parentheses
        if len(args) != len(names):
            count = min(len(args if entries is None else entries), 12)
            got = f"you gave {NUMBER_WORDS[count]}"
            return Verdict(False, f"The exercise asks for {', '.join(names)}; {got}.")
        try:
            return Verdict(True, evaluate(*args))
        except WrongAnswer as error:
            return Verdict(False, str(error), error.misconception, error.score)
        except (Exception, SystemExit) as error:  # an answer that evaluate did not expect
            reason = f"this is not what the exercise asks for ({describe_error(error)})."
            return Verdict(False, f"{', '.join(map(format_value, args))}: {reason}")

    def show_hint(stage: int = 1):
        return hint(check.__module__.rpartition(".")[2], check.__name__, stage)

    check.answer_names = answer_names or (lambda: list(signature(evaluate).parameters))
    check.hint = show_hint
    del check.__wrapped__  # it leads to the solution
    return check


def is_unfilled(answer, depth: int = 9) -> bool:
    """Return True if an answer contains the three dots of the stub."""
    entries = answer if isinstance(answer, (tuple, list)) and depth else ()
    return answer is ... or any(is_unfilled(entry, depth - 1) for entry in entries)


def call(function: Callable, *args, too_slow: str = ""):
    """Call the reader's function with these arguments.

    too_slow  added to the reply if the function exceeds a limit

    Raises WrongAnswer if the function fails, exceeds a limit or changes an array, and
    ReturnedNone if it returns nothing.
    """
    if not callable(function):
        raise WrongAnswer(f"Give a function; this is {format_value(function)}.")
    name = getattr(function, "__name__", "your function")
    call_text = f"{name}({', '.join(map(format_value, args))})"
    copies, message, answer = deepcopy(args), "", None
    try:
        with step_limit(function):
            answer = function(*copies)
    except LimitExceeded as error:
        message = f"{call_text} {error} {too_slow}".strip()
    except (Exception, SystemExit) as error:
        line = _failing_line(error)
        message = f"{call_text} stopped with {describe_error(error)}{line}."
    for number, (copy, argument) in enumerate(zip(copies, args, strict=True), start=1):
        if isinstance(argument, np.ndarray) and not np.array_equal(copy, argument):
            message = (  # takes precedence, since it may have caused the error
                f"{call_text} changed its argument number {number}: the caller's array is "
                "different now. Work on a copy, or write a = a + ... instead of a += ..."
            )
    if message:
        raise WrongAnswer(message)
    if answer is None or answer is ...:
        advice = "write its body, and return the answer."
        raise ReturnedNone(f"{call_text} returned nothing: {advice}")
    return answer


def _failing_line(error: BaseException) -> str:
    """Format the last line of the reader's code in a traceback; "" if it has none."""
    frames = extract_tb(error.__traceback__)
    lines = [f for f in frames if not f.filename.startswith(LIBRARIES)]
    return f", in your line {lines[-1].lineno}: {lines[-1].line}" if lines else ""


@contextmanager
def step_limit(function: Callable):
    """Raise LimitExceeded in the reader's code after STEPS steps or CALL_SECONDS, and if
    more than CALLS calls are nested.

    The number of steps ends most loops first; the clock ends loops with slow steps.
    """
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    steps = next_check = 0
    deadline = monotonic() + CALL_SECONDS
    max_depth = CALLS + sum(1 for _ in walk_stack(None))

    def trace_step(frame, event, value):
        nonlocal steps, next_check
        steps += 1
        if steps > next_check:
            next_check = steps + 16
            if steps > STEPS or monotonic() > deadline:
                limits = f"{STEPS:,} steps or {CALL_SECONDS} seconds"
                raise LimitExceeded(f"was stopped after {limits}. {LOOP_HINT}")
        return trace_step

    def trace_call(frame, event, value):
        name = frame.f_code.co_filename
        if name != file and not _is_cell(name):
            return None
        with suppress(ValueError):  # the stack has fewer frames
            sys._getframe(max_depth - 1)
            raise LimitExceeded(RECURSION_HINT)
        if sys.version_info < (3, 12):  # one line event for all of `while True: pass`
            frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return trace_step

    old_trace = sys.gettrace()
    sys.settrace(trace_call)
    try:
        yield
    finally:
        sys.settrace(old_trace)


@cache
def _is_cell(filename: str) -> bool:
    """Return True if the code is from a notebook cell: then there is no such file."""
    return not filename.startswith("<frozen") and not os.path.isfile(filename)
