"""Assert the claims of an oracle about a result, each with a tolerance for rounding.

An oracle `<algorithm>_claims(result, **arguments)` yields (claim, error, tolerance): the
claim holds if the error, a number, a Boolean or an array, is at most the tolerance.
"""

from fractions import Fraction

import numpy as np

EPS = float(np.finfo(float).eps)
TINY = 1e-300


def assert_claims(oracle, result, arguments) -> None:
    """Raise AssertionError for the first claim with an error above its tolerance."""
    for claim, error, tolerance in oracle(result, **arguments):
        error, tolerance = np.broadcast_arrays(np.asarray(error, float), tolerance)
        failed = ~(error <= tolerance)
        message = f"{claim}: error {error[failed][:1]}, tolerance {tolerance[failed][:1]}"
        assert not failed.any(), message


def score_error(X, w, b=0.0):
    """Bound the rounding error of the scores X @ w + b for any order of summation."""
    return 4 * (np.shape(w)[0] + 2) * EPS * (np.abs(X) @ np.abs(w) + np.abs(b)) + TINY


def equals(formula, *, rtol=1e-12, scale=None):
    """Return an oracle that compares results with a formula.

    rtol   relative tolerance
    scale  scale(**arguments) is the magnitude of the summands; None: the largest value
           of the formula
    """

    def oracle(result, **arguments):
        expected = np.asarray(formula(**arguments))
        yield "number of values", np.size(result) != expected.size, 0
        expected = expected.reshape(np.shape(result))
        if expected.dtype.kind in "fiu":
            magnitude = scale(**arguments) if scale else np.abs(expected).max(initial=0)
            if np.size(magnitude) == expected.size:
                magnitude = np.reshape(magnitude, expected.shape)
            yield "formula", np.abs(result - expected), rtol * magnitude + TINY
        else:
            yield "formula", np.asarray(result) != expected, 0

    return oracle


def score_scale(X, w, b, **_):
    return 99 * (np.abs(X) @ np.abs(w) + np.abs(b))  # bounds the rounding if rtol is EPS


def scores_oracle(W, b):
    """Return an oracle for the scores X @ W.T + b, of shape (n, K)."""
    return equals(lambda X: X @ W.T + b, scale=lambda X: score_scale(X, W.T, b))


def as_float64(value):
    """Convert arrays to float64 and numbers to float; return other values unchanged."""
    if isinstance(value, list) and not isinstance(value[0], tuple):  # keep lists of splits
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind == "U" else value.astype(float)
    if isinstance(value, (np.longdouble, np.float32, Fraction)):
        return float(value)
    return value
