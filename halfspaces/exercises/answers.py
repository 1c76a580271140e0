"""How a checker reads an answer, and compares it with the right one and with slips."""

import numpy as np

from halfspaces.exercises.words import SMALL, Said
from halfspaces.formatting import format_value

__all__ = ["NotYet", "Said", "compare", "first", "floats", "number", "numbers", "refuse"]
__all__ += ["shape_of", "truth", "truths"]


class NotYet(Exception):
    """A sentence for the reader: what was tried, what came out, what to think about.

    slip   the sentence before the numbers of the answer are put in, if they are
    score  the share of what is asked that is right all the same
    """

    def __init__(self, said: str, slip: str = "", score: float = 0.0):
        super().__init__(said)
        self.said, self.slip, self.score = said, slip or said, score


def first(*faults: tuple[bool, str], **values) -> str:
    """The sentence, or its name, of the first fault that holds; none if none does.

    values  what is filled in, if it stands in the chapter's file: most often **locals()
    """
    return Said(next((said for holds, said in faults if holds), ""), **values)


def refuse(*faults: tuple[bool, str], **values):
    """NotYet with the sentence of the first fault that holds."""
    said = first(*faults, **values)
    if said:
        raise NotYet(said)


def numbers(answer, shape: tuple[int, ...], what: str) -> np.ndarray:
    """The reader's answer as finite numbers of the given shape, else NotYet."""
    wanted = ""
    try:
        array = floats(answer)
        if array.shape == shape and np.isfinite(array).all():
            return array
        if array.shape == shape:
            wanted = ", all of them finite" if shape else ", and finite"
        elif shape and "of shape" not in what:
            wanted = f", of shape {shape}"
    except (TypeError, ValueError):
        pass
    raise NotYet(f"Give {what}{wanted}; this is {format_value(answer)}.")


def floats(answer) -> np.ndarray:
    """The answer as an array of floats; TypeError or ValueError unless it is of numbers."""
    array = np.asarray(answer)
    mixed = array.dtype.kind == "O"  # fractions, numbers of SymPy; but "1" is a word
    other = str, bytes, type(None)
    words = mixed and any(isinstance(entry, other) for entry in array.flat)
    if words or array.dtype.kind not in "biufO":
        raise TypeError(f"not real numbers: {array.dtype}")
    return array.astype(float)


def number(answer, what: str) -> float:
    """The reader's answer as one finite number, else NotYet."""
    return float(numbers(answer, (), what))


def truths(answer, count: int) -> list[bool]:
    """The reader's answer as so many of True and False, else NotYet."""
    values = listed(answer) or []
    if len(values) != count or not all(isinstance(v, (bool, np.bool_)) for v in values):
        many = len(values) > 1 and len(values) != count
        told = f"you gave {len(values)}" if many else f"this is {format_value(answer)}"
        words = f"{SMALL[count].capitalize()} values are wanted"
        raise NotYet(f"{words}, True or False; {told}.")
    return [bool(value) for value in values]


def truth(answer, of: str) -> bool:
    """What the reader's function returned for `of`, which is True or False, else NotYet."""
    if not isinstance(answer, (bool, np.bool_)):
        raise NotYet(f"Return True or False; for {of} it returned {format_value(answer)}.")
    return bool(answer)


def compare(
    got, want, tried: str, hint: str, rtol=1e-9, nearly="Is it float32, or rounded?"
):
    """NotYet unless the numbers `got` have the shape and the values of `want`.

    hint    what is said of wrong numbers
    nearly  what is said, in place of the hint, of numbers with too few right digits
    """
    want, came = np.asarray(want, float), f"{tried} gave {format_value(got)}"
    numbers = check_numbers(got, tried, hint)
    if numbers.shape != want.shape:
        came += "" if "of shape" in came else f", of shape {numbers.shape}"
        raise NotYet(f"{came}; the shape should be {want.shape}. {hint}")
    if not close(numbers, want, rtol):
        few = few_digits(numbers, want, rtol)
        raise NotYet(
            f"{came}. {few} {nearly}" if few else f"{came}, which is not right. {hint}"
        )


def check_numbers(got, tried: str, hint: str, finite: str = "") -> np.ndarray:
    """What the reader's function returned, as floats; NotYet unless all are finite.

    finite  what is said if some are not; else the hint
    """
    try:
        numbers = floats(got)
    except (TypeError, ValueError):
        raise NotYet(
            f"{tried} gave {format_value(got)}, which is not numbers. {hint}"
        ) from None
    if not np.isfinite(numbers).all():
        said = f"{tried} gave {format_value(got)}, which is not finite. {finite or hint}"
        raise NotYet(said)
    return numbers


def listed(answer) -> list | None:
    """The parts of a tuple, a list or an array; None for anything else."""
    array = isinstance(answer, np.ndarray) and answer.ndim > 0
    return list(answer) if array or isinstance(answer, (tuple, list)) else None


def alike(these, those, rtol: float) -> bool:
    """Whether the same numbers come twice, up to this share of the largest of each part."""
    return len(these) == len(those) and all(
        shape_of(got) == np.shape(want) and close(got, want, rtol)
        for got, want in zip(these, those, strict=True)
    )


def close(got, want, rtol: float) -> bool:
    """Whether numbers differ by at most this share of the largest one, or by it from 0."""
    try:
        got = floats(got)
    except (TypeError, ValueError):
        return False
    want = np.asarray(want, float)
    scale = np.abs(want[np.isfinite(want)]).max(initial=0.0) or 1.0
    return np.allclose(got, want, rtol=rtol, atol=rtol * scale, equal_nan=True)


def few_digits(got, want, rtol: float) -> str | None:
    """What is said of an answer with four right digits or more, but too few; else None."""
    off, scale = (np.abs(v).max(initial=0.0) for v in (got - want, want))
    if not rtol * scale < off < 1e-4 * scale:
        return None
    right, compared = int(-np.log10(off / scale)), round(-np.log10(rtol))
    return f"It is right to about {SMALL[right]} digits; {SMALL[compared]} are compared."


def near(got, want, digits: int = 3) -> bool:
    """Whether numbers are right to so many decimals, up to half a unit of the last one."""
    return bool(np.all(np.abs(np.asarray(got) - want) <= 0.5001 * 10.0**-digits))


def shape_of(answer) -> tuple[int, ...] | None:
    """The shape of the reader's answer; None for rows of unequal length."""
    try:
        return np.shape(answer)
    except ValueError:
        return None
