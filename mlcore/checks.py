"""Refuse bad input by name: which argument broke which rule, and with what value.

Every check takes the argument's name and its value, and returns the value in the form
that the algorithms compute with: float64 arrays, plain ints and floats.  Nothing is
changed in place.

With `lazily`, an array of Dask stays one.  Its shape and type are checked at once, its
numbers block by block whenever a block is computed: no pass over the data is spent on
them, and the error reaches the one who asked, in the same words.
"""

from contextlib import suppress
from functools import partial
from numbers import Integral, Real

import numpy as np

from mlcore.arrays import Matrix, Signs, Vector, lazy

LARGEST = 1e150  # a sum of squares of such numbers is still finite


def check_data(X, y) -> tuple[Matrix, Signs]:
    """Examples and their labels: X (n, d) with n, d >= 1, y (n,) of -1 and +1."""
    X = check_matrix("X", X)
    return X, check_signs("y", y, length=len(X))


def check_matrix(
    name: str, value, *, columns: int | None = None, lazily: bool = False
) -> Matrix:
    """A matrix (n, d) of finite numbers with at least one row and one column."""
    array = _numbers(name, value, lazily)
    if array.ndim != 2 or array.size == 0:
        raise ValueError(
            f"{name} must be a matrix (n, d) with n, d >= 1, one example a row; "
            f"got shape {array.shape}"
        )
    if columns is not None and array.shape[1] != columns:
        raise ValueError(f"{name} must have {columns} columns; got shape {array.shape}")
    return array


def check_vector(
    name: str, value, *, length: int | None = None, lazily: bool = False
) -> Vector:
    """A vector of finite numbers with at least one entry."""
    array = _numbers(name, value, lazily)
    if array.ndim != 1 or array.size == 0:
        raise ValueError(
            f"{name} must be a vector with at least one entry; got shape {array.shape}"
        )
    if length is not None and len(array) != length:
        raise ValueError(f"{name} must have {length} entries; got {len(array)}")
    return array


def check_rows(name: str, value) -> Matrix:
    """A matrix (n, d) that may be lazy, for what needs sums over its rows only."""
    array = check_matrix(name, value, lazily=True)
    n, d = array.shape
    # n <= d: no larger than the products of the columns, which are held anyway
    return np.asarray(array) if lazy(array) and n <= d else array


def check_beside(name: str, value, *, X: Matrix) -> Vector:
    """A vector with a number for each row of X, lazy where X is."""
    array = check_vector(name, value, length=len(X), lazily=lazy(X))
    return np.asarray(array, like=X) if lazy(X) else array


def check_signs(name: str, value, *, length: int | None = None) -> Signs:
    """A vector of labels, each -1 or +1."""
    signs = check_vector(name, value, length=length)
    wrong = signs[np.abs(signs) != 1.0]
    if wrong.size:
        raise ValueError(f"{name} must hold only -1 and +1; got the label {wrong[0]:g}")
    return signs


def check_array(
    name: str, value, *, at_least: float = -np.inf, lazily: bool = False
) -> np.ndarray:
    """Finite numbers in an array of any shape, or a single one."""
    array = _numbers(name, value, lazily)
    if lazy(array):
        block_check = partial(check_array, name, at_least=at_least)
        return array.map_blocks(block_check, meta=np.empty((0,) * array.ndim))
    if at_least > -np.inf and (low := array[array < at_least]).size:
        raise ValueError(f"{name} must be at least {at_least:g}; got {low[0]:g}")
    return array


def check_labels(name: str, value, *, length: int | None = None) -> np.ndarray:
    """A vector of labels, numbers or text, in the type in which they came."""
    labels = _array(name, value)
    if labels.dtype == object and all(isinstance(label, str) for label in labels.flat):
        labels = labels.astype(str)
    if labels.dtype.kind != "U":
        check_vector(name, labels, length=length)
    elif labels.ndim != 1 or labels.size == 0:
        raise ValueError(
            f"{name} must be a vector with at least one label; got shape {labels.shape}"
        )
    elif length not in (None, len(labels)):
        raise ValueError(f"{name} must have {length} labels; got {len(labels)}")
    return labels


def check_weights(name: str, value, *, length: int | None = None) -> Vector:
    """The normal vector of a hyperplane: a vector that is not zero."""
    w = check_vector(name, value, length=length)
    if not w.any():
        raise ValueError(
            f"{name} must not be zero, a hyperplane needs a direction; got {w}"
        )
    return w


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


def _array(name: str, value) -> np.ndarray:
    """The value as an array, of whatever it holds."""
    try:
        return np.asarray(value)
    except (ValueError, TypeError) as error:  # rows of unequal length
        raise ValueError(
            f"{name} must be an array of numbers; got {type(value).__name__}"
        ) from error


def _numbers(name: str, value, lazily: bool = False) -> np.ndarray:
    """The value as a float64 array of finite numbers; not copied if it is one already."""
    raw = value if lazily and lazy(value) else _array(name, value)
    if raw.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be an array of real numbers; got dtype {raw.dtype}")
    if lazy(raw):
        if np.isnan(raw.shape).any():
            raise ValueError(
                f"{name} must have blocks of known size, see Dask's compute_chunk_sizes; "
                f"got shape {raw.shape}"
            )
        return raw.map_blocks(partial(_numbers, name), meta=np.empty((0,) * raw.ndim))
    with np.errstate(over="ignore", invalid="ignore"):  # a long double may become inf
        array = raw.astype(np.float64, copy=False)
        flat = array.ravel(order="K")
        square = flat.dot(flat)  # small for nearly all arrays that are fine
    if not square <= LARGEST and not _within_range(array):
        wrong = array[~(np.abs(array) <= LARGEST)][0]
        raise ValueError(f"{name} must be finite, at most {LARGEST:g} in size; got {wrong}")
    return array


def _within_range(array: np.ndarray) -> bool:
    return bool(max(array.max(), -array.min()) <= LARGEST)  # false for nan, too
