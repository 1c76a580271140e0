"""What an answer must satisfy, whatever found it, and how much of it may be rounding.

An oracle gets the answer and the arguments, and yields claims (words, off, allowed): by
how much the claim fails, and how much of that is rounding.  `judge` looks at every claim.
"""

from fractions import Fraction

import numpy as np

EPS = float(np.finfo(float).eps)
TINY = 1e-300


def judge(oracle, answer, arguments) -> None:
    """AssertionError where a claim fails by more than is allowed."""
    for words, off, allowed in oracle(answer, **arguments):
        off, allowed = np.broadcast_arrays(np.asarray(off, float), allowed)
        if not np.all(off <= allowed):
            k = np.argmax(~(off <= allowed))
            found, most = np.ravel(off)[k], np.ravel(allowed)[k]
            raise AssertionError(f"{words}: off by {found:.3g}, allowed is {most:.3g}")


def doubt(X, w, b=0.0):
    """How far the scores X @ w + b may be off after any summation."""
    return 4 * (np.shape(w)[0] + 2) * EPS * (np.abs(X) @ np.abs(w) + np.abs(b)) + TINY


def equals(reference, *, near=1e-12, size=None):
    """The oracle of a formula: the answer is what `reference` gives, up to rounding.

    near  allowed in each number, as a part of its size
    size  size(**arguments); None: the largest number of the reference
    """

    def oracle(found, **arguments):
        wanted = np.asarray(reference(**arguments))
        yield "size", np.size(found) != wanted.size, 0
        wanted = wanted.reshape(np.shape(found))
        if wanted.dtype.kind in "fiu":
            largest = size(**arguments) if size else np.abs(wanted).max(initial=0)
            if np.size(largest) == wanted.size:
                largest = np.reshape(largest, wanted.shape)
            yield "formula", np.abs(found - wanted), near * largest + TINY
        else:
            yield "formula", np.asarray(found) != wanted, 0

    return oracle


def plain(value):
    """Arguments as arrays and floats of NumPy; flags, functions and names as they are."""
    if isinstance(value, list) and not isinstance(value[0], tuple):  # of splits
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind == "U" else value.astype(float)
    if isinstance(value, (np.longdouble, np.float32, Fraction)):
        return float(value)
    return value
