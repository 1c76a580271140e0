"""Assert the claims of an oracle about a result, each with a tolerance for rounding.

An oracle `<algorithm>_claims(result, **arguments)` yields (claim, error, tolerance): the
claim holds if the error, a number, a Boolean or an array, is at most the tolerance.
"""

from fractions import Fraction

import numpy as np
from scipy.special import expit, softmax

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


def equals(formula, *, rtol=1e-12, size=None):
    """Return the oracle of a function that computes a formula.

    rtol  relative tolerance
    size  size(**arguments) is the magnitude of the summands; None: the largest magnitude
          in the result
    """

    def oracle(result, **arguments):
        expected = np.asarray(formula(**arguments))
        yield "number of results", np.size(result) != expected.size, 0
        expected = expected.reshape(np.shape(result))
        if expected.dtype.kind in "fiu":
            scale = size(**arguments) if size else np.abs(expected).max(initial=0)
            if np.size(scale) == expected.size:
                scale = np.reshape(scale, expected.shape)
            yield "formula", np.abs(result - expected), rtol * scale + TINY
        else:
            yield "formula", np.asarray(result) != expected, 0

    return oracle


def score_size(X, w, b, **_):
    return 99 * (np.abs(X) @ np.abs(w) + np.abs(b))


def scores_oracle(W, b):
    """Return the oracle of the scores X @ W.T + b, (n, K)."""
    return equals(lambda X: X @ W.T + b, size=lambda X: score_size(X, W.T, b))


def prediction_oracle(W, b, classes):
    """Return the oracle of the class with the largest score; ties go to the first class."""

    def oracle(predicted, X):
        g, error = X @ W.T + b, 2 * score_error(X, W.T, b).max(axis=1)
        k = np.array([classes.index(label) for label in predicted.tolist()])
        chosen, earlier = g[np.arange(len(g)), k], np.arange(len(classes)) < k[:, None]
        yield "largest score", (g - chosen[:, None]).max(axis=1), error
        yield "first class in a tie", (g >= (chosen + error)[:, None]) & earlier, 0

    return oracle


def probability_oracle(W, b):
    """Return the oracle of the softmax of the scores; for one row of W, the sigmoid."""

    def probabilities(X):
        g = X @ W.T + b
        return softmax(g, axis=1) if len(W) > 1 else expit(g[:, 0])

    size = lambda X: 99 * (1 + np.abs(X).max() * np.abs(W).sum())  # noqa: E731
    return equals(probabilities, size=size, rtol=EPS)


def as_float64(value):
    """Convert arrays to float64 and numbers to float; return other values unchanged."""
    if isinstance(value, list) and not isinstance(value[0], tuple):  # but not splits
        value = np.asarray(value)
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind == "U" else value.astype(float)
    if isinstance(value, (np.longdouble, np.float32, Fraction)):
        return float(value)
    return value
