"""What an answer must satisfy, whatever found it: an oracle for each public function.

An oracle gets the answer and the arguments, and yields claims (words, off, allowed): by
how much the claim fails, and how much of that is rounding.  Where a sum may overflow or
cancel it is computed in fractions, so without rounding.  `judge` looks at every claim.
"""

from fractions import Fraction

import numpy as np

from mlcore.arrays import EPS

__all__ = ["EPS", "exact", "judge", "length", "plain", "rounding"]


def exact(values) -> np.ndarray:
    """The same numbers as fractions, in an array of objects."""
    values = np.asarray(values, float)
    return np.array([Fraction(v) for v in values.flat], object).reshape(values.shape)


def rounding(X, w, b=0) -> np.ndarray:
    """How far the scores X @ w + b may be off after any summation, in fractions."""
    return Fraction(4 * (len(w) + 2) * EPS) * (abs(X) @ abs(w) + abs(b))


def length(v) -> Fraction:
    """|v| of fractions of any size, to about 12 digits."""
    largest = max(abs(v), default=Fraction(0))
    if largest == 0:
        return Fraction(0)
    return largest * Fraction(float(np.linalg.norm((v / largest).astype(float))))


def plain(value):
    """Arguments as arrays and floats of NumPy; flags, functions and names as they are."""
    if isinstance(value, list) and not isinstance(value[0], tuple):  # of splits
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind == "U" else value.astype(float)
    if isinstance(value, (np.longdouble, np.float32, Fraction)):
        return float(value)
    return value


def judge(oracle, answer, arguments) -> float:
    """The worst claim as a part of what is allowed; AssertionError where that is over 1."""
    worst = 0.0
    for words, off, allowed in oracle(answer, **arguments):
        for o, a in np.broadcast(np.asarray(off, object), np.asarray(allowed, object)):
            assert o <= a, f"{words}: off by {float(o):.3g}, allowed is {float(a):.3g}"
            worst = max(worst, float(Fraction(o) / Fraction(a)) if 0 < o < np.inf else 0.0)
    return worst
