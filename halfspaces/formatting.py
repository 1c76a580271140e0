"""Format numbers and other values for figures, verdicts and the text of a page.

Imports only NumPy, since a page loads this module before Matplotlib and SymPy.
"""

import math

import numpy as np


def format_number(value: float, style: str = "figure") -> str:
    """Format a real number.

    style  "figure"  three digits, with a true minus sign
           "plain"   six digits, as a notebook prints floats
           "tidy"    six digits, and 0 for rounding error below 1e-9
    """
    if style == "figure":
        return _three_digits(value).replace("-", "−")
    tiny = style == "tidy" and abs(value) < 1e-9
    return f"{0.0 if tiny else float(value):.6g}"


def _three_digits(value: float) -> str:
    if isinstance(value, int | np.integer):
        return str(value)
    value = float(f"{value:.12g}") + 0.0  # ties round alike on all machines; no -0
    if math.isinf(value):
        return "-∞" if value < 0 else "∞"
    return f"{value:.0f}" if 1000 <= abs(value) < 1e6 else f"{value:.3g}"


def format_array(values) -> str:
    """Format numbers, rounded to 1e-4 of the largest one, to hide rounding errors."""
    values = np.asarray(values, float).ravel()
    size = max(np.abs(values).max(initial=0.0), 1e-300)
    return f"[{' '.join(f'{round(v / size, 4) * size + 0.0:.4g}' for v in values)}]"


def format_value(value, style: str = "plain") -> str:
    """Format any Python value on one line of at most about 60 characters.

    style  "plain"; "tidy" formats a single number as `format_number` does
    """
    is_number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if is_number and style == "tidy":
        return format_number(value, "tidy")
    try:
        text = _one_line(value)
    except (Exception, SystemExit):  # a failing repr, a list that contains itself
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def _one_line(value) -> str:
    if isinstance(value, np.ndarray) and max(value.size, *value.shape, 0) > 8:
        return f"an array of shape {value.shape}"
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        value = np.round(value, 4)
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, float):
        return format_number(value + 0.0, "plain")  # no -0
    if isinstance(value, (tuple, list)):
        return _format_entries(value)
    if callable(value) and hasattr(value, "__name__"):
        return f"the function {value.__name__}"
    text = " ".join(repr(value).split())
    return f"a value of type {type(value).__name__}" if " at 0x" in text else text


def _format_entries(values: tuple | list) -> str:
    entries = [*map(format_value, values[:30])]  # at most 18 of them fit
    if len(", ".join(entries)) > 56:
        while len(", ".join(entries)) > 50:
            entries.pop()
        entries.append("...")
    inside = ", ".join(entries)
    inside += "," if len(values) == 1 and isinstance(values, tuple) else ""
    return f"({inside})" if isinstance(values, tuple) else f"[{inside}]"
