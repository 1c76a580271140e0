"""The exercises: one module a chapter, one function an exercise, made by kit.py.

A chapter says `from halfspaces.exercises import geometry as check`, and a reader calls
`check.signed_distance(signed_distance)` on an own function, or `check.foot_point((1, 2))`
on an own number.  The reply is one sentence.  It starts with "Right" or with "Not yet";
the latter says what was tried, what came out, and what to think about.  Before an answer
there are two hints, `check.foot_point.hint(1)` and `hint(2)`.
"""

import os
import sys
from collections.abc import Callable
from contextlib import contextmanager
from copy import deepcopy
from functools import cache, wraps
from inspect import signature
from time import monotonic
from traceback import extract_tb, walk_stack

import numpy as np

from halfspaces.exercises import answers
from halfspaces.exercises.answers import *  # noqa: F403  for the chapters
from halfspaces.exercises.answers import NotYet, listed
from halfspaces.exercises.hints import Words, hint
from halfspaces.exercises.words import SMALL, told
from halfspaces.formatting import format_value

__all__ = ["Nothing", "Stopped", "call", "checker", "unfilled", *answers.__all__]

# What the reader's own code may take in one call.  Of the right answers in the tests the
# longest has 150,000 steps, and takes 0.4 s in a page, on a slow telephone maybe ten times
# as long.  A browser has no room for 300 calls within calls if they come from `map`.
STEPS, SECONDS, CALLS = 2_000_000, 10, 200

LOOP = "Is there a loop that never ends? "
LOOP += "What should change in each round, and in which direction?"
DEEP = "called itself without end. When should it answer at once? Does each call come "
DEEP += "nearer to that?"


class Nothing(NotYet):
    """The reader's function returned nothing, which some exercises ask for."""


class Stopped(NotYet):
    """The reader's function took too many steps, too long, or too many calls in calls."""


class Endless(BaseException):
    """Why the reader's code was stopped; no `except Exception` holds this up."""


class Verdict(Words):
    """The reply of a checker; displays itself in a notebook.

    right     whether all of the answer is right
    sentence  what the reader is told
    slip      what is said of the mistake, without the answer's numbers; "" if it is right
    score     the share of the exercise's parts that are right, from 0 to 1
    """

    def __init__(self, right: bool, said: str, slip: str = "", score: float = 0.0):
        self.right, self.said = right, said
        self.sentence = f"{'Right.' if right else 'Not yet.'} {said}"
        super().__init__(self.sentence, "hs-verdict" if right else "hs-verdict hs-wrong")
        self.slip, self.score = ("", 1.0) if right else (slip or said, score)


def checker(examine: Callable, asks: Callable | None = None) -> Callable:
    """Turn examine(...), which returns praise or raises NotYet, into a checker.

    Whatever the reader's code does, the reply is a Verdict and never a stack trace.

    asks  gives the names of what is asked for; None for those of the parameters
    """

    @wraps(examine)
    def check(*given) -> Verdict:
        if any(map(unfilled, given)):
            return Verdict(False, "Replace the three dots with your answer.")
        wanted = check.asks()
        if len(wanted) == 1 < len(given) and not callable(given[0]):
            given = (given,)  # the parts of one answer, without parentheses
        elif len(given) == 1 < len(wanted) == len(listed(given[0]) or ()):
            given = tuple(listed(given[0]))  # or with some, where there are several
        if len(given) != len(wanted):
            own = listed(given[0]) if len(given) == 1 else None
            few = f"; you gave {SMALL[min(len(given if own is None else own), 12)]}."
            return Verdict(False, f"The exercise asks for {', '.join(wanted)}{few}")
        try:
            return Verdict(True, examine(*given))
        except NotYet as wrong:
            return Verdict(False, str(wrong), wrong.slip, wrong.score)
        except (Exception, SystemExit) as error:  # an answer that examine did not expect
            why = f"this is not what the exercise asks for ({told(error)})."
            return Verdict(False, f"{', '.join(map(format_value, given))}: {why}")

    def hint_of(stage: int = 1):
        return hint(check.__module__.rpartition(".")[2], check.__name__, stage)

    check.asks, check.hint = asks or (lambda: list(signature(examine).parameters)), hint_of
    return check


def unfilled(answer, depth: int = 9) -> bool:
    """Whether the three dots of the stub still stand in the answer."""
    parts = answer if isinstance(answer, (tuple, list)) and depth else ()
    return answer is ... or any(unfilled(part, depth - 1) for part in parts)


def call(function: Callable, *args):
    """The answer of the reader's function.

    NotYet if it fails, runs too long, changes an array that it was given, or returns
    nothing.
    """
    if not callable(function):
        raise NotYet(f"A function is wanted here; this is {format_value(function)}.")
    name = getattr(function, "__name__", "your function")
    tried = f"{name}({', '.join(map(format_value, args))})"
    copies = deepcopy(args)
    fault, kind, answer = "", NotYet, None
    try:
        with step_limit(function):
            answer = function(*copies)
    except Endless as reason:
        fault, kind = f"{tried} {reason}", Stopped
    except (Exception, SystemExit) as error:
        line = _own_line(error, function)
        fault = f"{tried} stopped with {told(error)}{line and f', in your {line}'}."
    for place, (copy, argument) in enumerate(zip(copies, args, strict=True), start=1):
        if isinstance(argument, np.ndarray) and not np.array_equal(copy, argument):
            fault = (  # said first: it may be why the rest went wrong
                f"{tried} changed its argument number {place}: the caller's array is "
                "different now. Work on a copy, or write a = a + ... instead of a += ..."
            )
    if fault:
        raise kind(fault)
    if answer is None or answer is ...:
        raise Nothing(f"{tried} returned nothing: write its body, and return the answer.")
    return answer


def _own_line(error: BaseException, function: Callable) -> str:
    """The last line of the reader's own code on the way to an error, if there is one."""
    own = getattr(getattr(function, "__code__", None), "co_filename", None)
    lines = [f for f in extract_tb(error.__traceback__) if f.filename == own]
    return f"line {lines[-1].lineno}: {lines[-1].line}" if lines else ""


@contextmanager
def step_limit(function: Callable):
    """Raise Endless in the reader's own code after STEPS steps, after SECONDS, or in more
    than CALLS calls within calls.

    The steps answer most loops sooner; the clock is for rounds that take long.
    """
    own = getattr(getattr(function, "__code__", None), "co_filename", None)
    steps = look = 0
    end = monotonic() + SECONDS
    deep = CALLS + sum(1 for _ in walk_stack(None))

    def at_step(frame, event, value):
        nonlocal steps, look
        steps += 1
        if steps > look:
            look = steps + 16
            if steps > STEPS or monotonic() > end:
                limits = f"{STEPS:,} steps or {SECONDS} seconds"
                raise Endless(f"was stopped after {limits}. {LOOP}")
        return at_step

    def at_call(frame, event, value):
        name = frame.f_code.co_filename
        if name != own and not _is_cell(name):
            return None
        if _has_frames(deep):
            raise Endless(DEEP)
        if sys.version_info < (3, 12):  # it takes `while True: pass` for one step
            frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return at_step

    before = sys.gettrace()
    sys.settrace(at_call)
    try:
        yield
    finally:
        sys.settrace(before)


def _has_frames(count: int) -> bool:
    """Whether so many calls are under way."""
    try:
        return sys._getframe(count) is not None
    except ValueError:
        return False


@cache
def _is_cell(filename: str) -> bool:
    """Whether code was typed in a notebook, and is in no file."""
    return not filename.startswith("<frozen") and not os.path.isfile(filename)
