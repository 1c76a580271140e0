"""Read a reader's answer, and compare it with the solution and with known mistakes."""

from functools import partial

import numpy as np

from halfspaces.exercises.texts import NUMBER_WORDS
from halfspaces.formatting import format_value

__all__ = ["WrongAnswer", "fail_if", "format_tidy", "is_close", "passes", "read_bool"]
__all__ += ["read_bools", "read_number", "read_numbers", "require_close", "shape_of"]
__all__ += ["to_floats", "to_list"]

LARGEST = 1e60  # absolute value of an answer: products of five numbers do not overflow
format_tidy = partial(format_value, style="tidy")


class WrongAnswer(Exception):
    """A wrong answer.

    reply          the reply to the reader, or its key in the chapter's TOML file
    misconception  the reply without the numbers of the answer
    score          the fraction of the points earned, from 0 to 1
    values         values to fill into the reply as {name}
    """

    def __init__(self, reply: str, misconception: str = "", score=0.0, /, **values):
        super().__init__(reply)
        self.misconception, self.score = misconception or reply, score
        self.values = values


def fail_if(condition, reply: str, /, **values):
    """Raise WrongAnswer if the condition holds."""
    if condition:
        raise WrongAnswer(reply, **values)


def passes(check, *args) -> bool:
    """Return True if check(*args) raises no WrongAnswer."""
    try:
        check(*args)
    except WrongAnswer:
        return False
    return True


def read_numbers(answer, shape: tuple[int, ...], description: str) -> np.ndarray:
    """Return an answer as floats up to LARGEST; else raise WrongAnswer.

    Accepts this shape, and a shape with further axes of length 1.
    """
    rule = ""
    try:
        array = to_floats(answer)
        if np.squeeze(array).shape == shape:
            array = np.squeeze(array)
        if array.shape == shape and (np.abs(array) <= LARGEST).all():
            return array
        if array.shape == shape and np.isfinite(array).all():
            rule = f", at most {LARGEST:g} in absolute value"
        elif array.shape == shape:
            rule = ", all of them finite" if shape else ", and finite"
        elif shape and "of shape" not in description:
            rule = f", of shape {shape}"
    except (TypeError, ValueError, OverflowError):
        pass
    raise WrongAnswer(f"Give {description}{rule}; this is {format_value(answer)}.")


def read_number(answer, description: str) -> float:
    """Return an answer as a float up to LARGEST; else raise WrongAnswer."""
    return float(read_numbers(answer, (), description))


def read_bools(answer, count: int) -> list[bool]:
    """Return an answer as a list of `count` bools (or 0 and 1); else raise WrongAnswer."""
    values = to_list(answer) or []
    are_bools = (isinstance(v, (bool, np.bool_, int)) and v in (0, 1) for v in values)
    if len(values) != count or not all(are_bools):
        several = len(values) > 1 and len(values) != count
        types = ", ".join(sorted({type(v).__name__ for v in values})) or "no values"
        this = f"this is {format_value(answer)}, of type {types}"
        got = f"you gave {len(values)}" if several else this
        rule = f"Give {NUMBER_WORDS[count]} values, True or False"
        raise WrongAnswer(f"{rule}; {got}.")
    return [bool(value) for value in values]


def read_bool(answer, case: str) -> bool:
    """Return the bool that a function returned for a case; else raise WrongAnswer."""
    value = answer[()] if isinstance(answer, np.ndarray) else answer  # of shape ()
    if not isinstance(value, (bool, np.bool_)):
        got = f"{format_value(answer)}, of type {type(answer).__name__}"
        raise WrongAnswer(f"Return True or False; for {case} it returned {got}.")
    return bool(value)


def to_floats(answer) -> np.ndarray:
    """Return an answer as an array of floats; else raise TypeError or ValueError."""
    array = np.asarray(answer)
    is_object = array.dtype.kind == "O"  # fractions and SymPy's numbers, but not "1"
    non_numbers = str, bytes, type(None)
    has_other = is_object and any(isinstance(entry, non_numbers) for entry in array.flat)
    if has_other or array.dtype.kind not in "biufO":
        raise TypeError(f"not real numbers: {array.dtype}")
    return array.astype(float)


def to_list(answer) -> list | None:
    """Return the entries of a tuple, a list or an array; None for anything else."""
    is_array = isinstance(answer, np.ndarray) and answer.ndim > 0
    return list(answer) if is_array or isinstance(answer, (tuple, list)) else None


def shape_of(answer) -> tuple[int, ...] | None:
    """Return the shape of an answer; None for rows of unequal length."""
    try:
        return np.shape(answer)
    except ValueError:
        return None


def is_close(got, want, *, rtol: float = 0.0, atol: float = 0.0) -> bool:
    """Return True if an answer has the shape and values of `want`; nan equals nan.

    rtol  relative to the largest finite number in `want`, or to 1 if all are 0
    """
    try:
        got = to_floats(got)
    except (TypeError, ValueError, OverflowError):
        return False
    want = np.asarray(want, float)
    scale = np.abs(want[np.isfinite(want)]).max(initial=0.0) or 1.0
    tolerances = {"rtol": rtol, "atol": max(atol, rtol * scale)}
    return got.shape == want.shape and np.allclose(got, want, equal_nan=True, **tolerances)


def require_close(
    got, want, case: str, hint: str, rtol=1e-9, imprecise="Is it float32, or rounded?"
):
    """Raise WrongAnswer unless the numbers `got` have the shape and the values of `want`.

    hint       reply to wrong numbers
    imprecise  reply, in place of the hint, if too few digits are correct
    """
    want, reply = np.asarray(want, float), f"{case} gave {format_value(got)}"
    numbers = require_finite(got, case, hint)
    if numbers.shape != want.shape:
        if is_close(numbers.ravel(), want.ravel(), rtol=rtol):
            hint = "The numbers are right."
        reply += "" if "of shape" in reply else f", of shape {numbers.shape}"
        raise WrongAnswer(f"{reply}; the shape should be {want.shape}. {hint}")
    if is_close(numbers, want, rtol=rtol):
        return
    precision = _describe_precision(numbers, want, rtol)
    fail_if(precision, f"{reply}. {precision} {imprecise}")
    raise WrongAnswer(f"{reply}, which is not right. {hint}")


def require_finite(got, case: str, hint: str, not_finite: str = "") -> np.ndarray:
    """Return an answer as finite floats; else raise WrongAnswer.

    not_finite  reply, in place of the hint, to nan and infinity
    """
    reply = f"{case} gave {format_value(got)}"
    try:
        numbers = to_floats(got)
    except (TypeError, ValueError, OverflowError):
        raise WrongAnswer(f"{reply}, which is not numeric. {hint}") from None
    if not np.isfinite(numbers).all():
        raise WrongAnswer(f"{reply}, which is not finite. {not_finite or hint}")
    return numbers


def _describe_precision(got, want, rtol: float) -> str:
    """Report the number of correct digits if it is at least four but too small; else ""."""
    error, scale = (np.abs(v).max(initial=0.0) for v in (got - want, want))
    if not rtol * scale < error < 1e-4 * scale:
        return ""
    correct = NUMBER_WORDS[int(-np.log10(error / scale))]
    needed = NUMBER_WORDS[round(-np.log10(rtol))]
    return f"It is right to about {correct} digits; {needed} are required."
