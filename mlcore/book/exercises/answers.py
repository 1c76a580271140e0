"""How a checker reads an answer, compares it, and says it in plain words."""

import warnings

import numpy as np

SMALL = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
SMALL += ["ten", "eleven", "twelve"]


class NotYet(Exception):
    """A sentence for the reader: what was tried, what came out, what to think about."""


def numbers(answer, shape: tuple[int, ...], what: str) -> np.ndarray:
    """The reader's answer as finite numbers of the given shape, else NotYet."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a masked entry becomes nan
            array = np.asarray(_unmasked(answer))
            if array.dtype.kind == "O" and not any(isinstance(a, str) for a in array.flat):
                array = array.astype(float)  # fractions, numbers of SymPy
    except (ValueError, TypeError):  # rows of unequal length, a letter
        raise NotYet(f"Give {what}; this is {short(answer)}.") from None
    if array.dtype.kind not in "biuf":
        raise NotYet(f"Give {what}; this is {short(answer)}.")
    if array.shape != shape:
        told = not shape or "of shape" in what
        wanted = "" if told else f", which is an array of shape {shape}"
        raise NotYet(f"Give {what}{wanted}; this is {short(answer)}.")
    if not np.isfinite(array).all():
        rule = "all of them finite" if shape else "and finite"
        raise NotYet(f"Give {what}, {rule}; this is {short(answer)}.")
    return array.astype(float)


def _unmasked(answer):
    """A masked array with nan, or a TypeError, for what it hides; else the same."""
    return answer.filled(np.nan) if np.ma.is_masked(answer) else answer


def truths(answer, count: int, of: str = "") -> list[bool]:
    """The reader's answer as so many of True and False, else NotYet.

    of  what they are said of, where an exercise asks for several such lists
    """
    words = SMALL[count]
    answer = answer.tolist() if isinstance(answer, np.ndarray) else answer
    if not isinstance(answer, (tuple, list)) or len(answer) != count:
        begin = f"For {of}, {words}" if of else words.capitalize()
        raise NotYet(f"{begin} values are wanted, True or False; this is {short(answer)}.")
    if not all(isinstance(value, (bool, np.bool_)) for value in answer):
        these = f"for {of} they are" if of else "these are"
        raise NotYet(
            f"Each of the {words} values is True or False; {these} {short(answer)}."
        )
    return [bool(value) for value in answer]


def compare(got, want, tried: str, hint: str, rtol: float = 1e-9):
    """NotYet unless the numbers `got` have the shape and the values of `want`."""
    want = np.asarray(want, float)
    try:
        numbers = np.asarray(_unmasked(got), float)
    except (TypeError, ValueError):
        raise NotYet(f"{tried} gave {short(got)}, which is not numbers. {hint}") from None
    if numbers.shape != want.shape:
        came = short(got)
        came += "" if "of shape" in came else f", of shape {numbers.shape}"
        raise NotYet(f"{tried} gave {came}; the shape should be {want.shape}. {hint}")
    scale = np.abs(want).max(initial=1e-300)
    if not np.allclose(numbers, want, rtol=rtol, atol=rtol * scale):
        raise NotYet(f"{tried} gave {short(got)}, which is not right. {hint}")


def short(value) -> str:
    """A value in plain words, on one line of at most about 60 characters."""
    try:
        return _short(value)
    except (Exception, SystemExit):  # its own repr fails, or it holds itself
        return f"a value of type {type(value).__name__}"


def told(error: BaseException) -> str:
    """The type of an error and what it says, on one line."""
    try:
        words = " ".join(str(error).split())
    except (Exception, SystemExit):
        words = ""
    text = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return text if len(text) <= 200 else text[:197] + "..."


def _short(value) -> str:
    if isinstance(value, np.ndarray) and value.size > 8:
        return f"an array of shape {value.shape}"
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        value = np.round(value, 4)
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, float):
        text = f"{value:.6g}"
    elif isinstance(value, (tuple, list)):
        inside = _listed([short(entry) for entry in value[:30]])  # of which 18 fit
        text = f"({inside})" if isinstance(value, tuple) else f"[{inside}]"
    elif callable(value) and hasattr(value, "__name__"):
        text = f"the function {value.__name__}"
    else:
        text = " ".join(repr(value).split())
        text = f"a value of type {type(value).__name__}" if " at 0x" in text else text
    return text if len(text) <= 60 else text[:57] + "..."


def _listed(entries: list[str]) -> str:
    """The entries that fit on the line, whole."""
    lengths = np.cumsum([len(entry) + 2 for entry in entries])
    if len(entries) == 0 or lengths[-1] <= 58:
        return ", ".join(entries)
    return ", ".join([*entries[: int(np.searchsorted(lengths, 53))], "..."])


def tidy(value: float) -> str:
    """A computed number without its rounding noise: six digits, and 0 below 1e-9."""
    return f"{0.0 if abs(value) < 1e-9 else float(value):.6g}"
