"""Noise as of another processor, in the last bit of the numbers that come into mlcore.

A test that it turns red demands what rounding decides.
"""

from functools import wraps

import numpy as np

from mlcore import checks


def put_in(seed: int) -> None:
    """Before other modules import them, change the checks through which data come in."""

    def noisy(check):
        @wraps(check)
        def checked(*values, **named):
            array = check(*values, **named)
            return perturbed(array, seed) if isinstance(array, np.ndarray) else array

        return checked

    checks.check_matrix = noisy(checks.check_matrix)
    checks.check_vector = noisy(checks.check_vector)


def perturbed(array: np.ndarray, seed: int) -> np.ndarray:
    """The same numbers, some of them times 1 +- 2^-52, or the same array if all stay.

    Whole numbers stay, and others that float32 holds: their sums are exact everywhere.
    The last bit of a number is drawn by the seed and the bits before it.  So equal numbers
    stay equal, none overtakes another, and a change of sign or by a power of 2 commutes.
    """
    odd = 1 + 2 * np.random.default_rng(seed).integers(2**62, dtype=np.uint64)
    one = np.uint64(1)
    bits = np.array(array, order="K").view(np.uint64)
    drawn = (bits >> one << np.uint64(13)) * odd >> np.uint64(63)
    short = (array == np.rint(array)) | (bits & np.uint64(2**29 - 1) == 0)
    moves = ~short & (np.abs(array) >= np.finfo(float).tiny)
    changed = np.where(moves, bits & ~one | drawn, bits)
    return array if (changed == bits).all() else changed.view(np.float64)
