"""Checkers for the exercises: one module a chapter, one function an exercise.

A chapter says `from mlcore.book.exercises import geometry as check`, and a reader calls
`check.signed_distance(signed_distance)` on an own function, or `check.foot_point((1, 2))`
on an own number.  The reply is one sentence.  It starts with "Right" or with "Not yet";
the latter says what was tried, what came out, and what to think about.
"""

import html
from collections.abc import Callable
from functools import wraps

import numpy as np


class NotYet(Exception):
    """A sentence for the reader: what was tried, what came out, what to think about."""


class Verdict:
    """The reply of a checker; displays itself in a notebook."""

    def __init__(self, right: bool, sentence: str):
        self.right = right
        self.sentence = f"{'Right.' if right else 'Not yet.'} {sentence}"

    def __repr__(self) -> str:
        return self.sentence

    def _repr_html_(self) -> str:
        style = "hs-verdict" if self.right else "hs-verdict hs-wrong"
        return f'<p class="{style}">{html.escape(self.sentence)}</p>'


def checker(examine: Callable) -> Callable:
    """Turn examine(answer), which returns praise or raises NotYet, into a checker.

    Whatever the reader's code does, the reply is a Verdict and never a stack trace.
    """

    @wraps(examine)
    def check(answer) -> Verdict:
        if answer is ...:
            return Verdict(False, "Replace the three dots with your answer.")
        try:
            return Verdict(True, examine(answer))
        except NotYet as sentence:
            return Verdict(False, str(sentence))
        except Exception as error:  # an answer of a kind that examine did not expect
            return Verdict(
                False,
                f"{short(answer)} could not be read ({type(error).__name__}: {error}). "
                "Which kind of answer does the exercise ask for?",
            )

    return check


def call(function: Callable, *args, **kwargs):
    """The answer of the reader's function; NotYet if it fails or is not written yet."""
    if not callable(function):
        raise NotYet(f"A function is wanted here; this is {short(function)}.")
    tried = f"{getattr(function, '__name__', 'your function')}({_listed(args, kwargs)})"
    copies = [np.array(a) if isinstance(a, np.ndarray) else a for a in args]
    try:
        answer = function(*copies, **kwargs)
    except Exception as error:
        name = type(error).__name__
        raise NotYet(f"{tried} stopped with {name}: {error}.") from None
    if answer is None or answer is ...:
        raise NotYet(f"{tried} returned nothing: write its body, and return the answer.")
    return answer


def expect(function: Callable, args: tuple, want, hint: str, rtol: float = 1e-9):
    """Call the reader's function; NotYet, with the hint, if it does not return `want`."""
    got = call(function, *args)
    name = getattr(function, "__name__", "your function")
    compare(got, want, f"{name}({_listed(args, {})})", hint, rtol)


def numbers(answer, shape: tuple[int, ...], what: str) -> np.ndarray:
    """The reader's answer as finite numbers of the given shape, else NotYet."""
    if any(part is ... for part in np.atleast_1d(np.asarray(answer, object)).flat):
        raise NotYet(f"Replace the dots with {what}.")
    try:
        array = np.asarray(answer, float)
    except (TypeError, ValueError):
        raise NotYet(f"Give {what}; this is {short(answer)}.") from None
    if array.shape != shape or not np.isfinite(array).all():
        raise NotYet(f"Give {what}, as shape {shape}; this is {short(answer)}.")
    return array


def compare(got, want, tried: str, hint: str, rtol: float = 1e-9):
    """NotYet unless the numbers `got` have the shape and the values of `want`."""
    want = np.asarray(want, float)
    try:
        numbers = np.asarray(got, float)
    except (TypeError, ValueError):
        raise NotYet(f"{tried} gave {short(got)}, which is not numbers. {hint}") from None
    if numbers.shape != want.shape:
        raise NotYet(
            f"{tried} gave {short(got)}, of shape {numbers.shape}; the shape should be "
            f"{want.shape}. {hint}"
        )
    scale = np.abs(want).max(initial=1e-300)
    if not np.allclose(numbers, want, rtol=rtol, atol=rtol * scale):
        raise NotYet(f"{tried} gave {short(got)}, which is not right. {hint}")


def short(value) -> str:
    """A value on one line of at most about 60 characters."""
    if isinstance(value, np.ndarray) and value.size > 8:
        return f"an array of shape {value.shape}"
    if isinstance(value, np.ndarray):
        value = (np.round(value, 4) if value.dtype.kind in "fc" else value).tolist()
    if isinstance(value, np.generic):
        value = value.item()
    text = " ".join(
        f"{value:.6g}".split() if isinstance(value, float) else repr(value).split()
    )
    return text if len(text) <= 60 else text[:57] + "..."


def _listed(args, kwargs) -> str:
    return ", ".join([*map(short, args), *(f"{k}={short(v)}" for k, v in kwargs.items())])
