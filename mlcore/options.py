"""Refuse bad options by name: numbers, flags, choices, seeds and splits.

Every check takes the argument's name and its value, and returns the value in the form
that the algorithms compute with: plain ints and floats.
"""

from contextlib import suppress
from numbers import Integral, Real

import numpy as np

from mlcore.arrays import LARGEST


def check_number(
    name: str,
    value,
    *,
    above: float = -np.inf,
    at_least: float = -np.inf,
    at_most: float = LARGEST,
    below: float = np.inf,
) -> float:
    """A finite real number in a range."""
    number = np.nan
    if isinstance(value, Real) and not isinstance(value, (bool, np.bool_)):
        # beyond the floating point numbers: an integer or a long double
        with suppress(OverflowError), np.errstate(over="ignore"):
            number = float(value)
    if not np.isfinite(number):
        raise ValueError(f"{name} must be a finite number; got {value!r}")
    _check_range(name, number, above, max(at_least, -LARGEST), at_most)
    if not number < below:
        raise ValueError(f"{name} must be less than {below:g}; got {value!r}")
    return number


def check_integer(name: str, value, *, at_least: int = 0, at_most: float = np.inf) -> int:
    """An integer in a range."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        raise ValueError(f"{name} must be an integer; got {value!r}")
    _check_range(name, value, -np.inf, at_least, at_most)
    return int(value)


def check_flag(name: str, value) -> bool:
    """True or False, no number that may stand for them."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False; got {value!r}")
    return bool(value)


def check_choice(name: str, value, choices) -> str:
    """One of a few names."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(
            f"{name} must be one of {', '.join(map(repr, choices))}; got {value!r}"
        )
    return value


def check_function(name: str, value) -> None:
    """Something that can be called."""
    if not callable(value):
        raise ValueError(f"{name} must be a function; got {value!r}")


def check_rng(name: str, value) -> np.random.Generator:
    """A seed or a Generator, as a Generator.  A seed always gives the same numbers."""
    if isinstance(value, np.random.Generator):
        return value
    return np.random.default_rng(check_integer(name, value))


def check_splits(name: str, value, *, n: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """At least two pairs (train, test) of indices below n, each without a common one."""
    try:
        pairs = [(np.asarray(train), np.asarray(test)) for train, test in value]
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{name} must be pairs (train, test) of index arrays; got {value!r}"
        ) from error
    for train, test in pairs:
        for part in train, test:
            if not _are_indices(part, n):
                raise ValueError(
                    f"{name} must hold vectors of indices from 0 to {n - 1}; got {part}"
                )
        trained = np.zeros(n, bool)
        trained[train] = True
        if trained[test].any():
            both = np.unique(test[trained[test]])
            raise ValueError(f"{name} must not test on training data; got {both} twice")
    if len(pairs) < 2:
        raise ValueError(f"{name} must be at least 2; got {len(pairs)}")
    return pairs


def _check_range(name, value, above, at_least, at_most) -> None:
    if not value > above:
        raise ValueError(f"{name} must be greater than {above:g}; got {value!r}")
    if not value >= at_least:
        raise ValueError(f"{name} must be at least {at_least:g}; got {value!r}")
    if not value <= at_most:
        raise ValueError(f"{name} must be at most {at_most:g}; got {value!r}")


def _are_indices(part: np.ndarray, n: int) -> bool:
    vector = part.dtype.kind in "iu" and part.ndim == 1 and part.size > 0
    return vector and part.min() >= 0 and part.max() < n
