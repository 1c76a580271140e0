"""Validate arguments: each error names the argument, the rule and the value.

Most checks take the name and the value of an argument, and return the value in the form
that the algorithms compute with: float64 arrays, Python ints and floats.  Nothing is
changed in place.  Public functions check each argument once; solvers trust their input.
"""

from contextlib import suppress
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlcore.arrays import LARGEST, SMALLEST, Matrix, Signs, Vector


def error(name: str, rule: str, got) -> ValueError:
    """Build the ValueError of a check: argument, rule and value."""
    return ValueError(f"{name} must {rule}; got {got}")


# Data sets


def data(X, y) -> tuple[Matrix, Signs]:
    """Check examples X (n, d), n, d >= 1, and their labels y (n,), each -1 or +1."""
    X = features("X", X)
    return X, signs("y", y, length=len(X))


def require_two_classes(y: Signs, where: str = "") -> None:
    """Raise unless the labels -1 and +1 both occur."""
    if abs(y.sum()) == len(y):
        raise error("y", f"contain both -1 and +1{where}", f"only {y[0]:g}")


def regression_data(X, y) -> tuple[Matrix, Vector]:
    """Check examples X (n, d), n, d >= 1, and a number for each, y (n,)."""
    X = features("X", X)
    return X, targets("y", y, length=len(X))


def classes(X, y, at_least: int = 1) -> tuple[Matrix, np.ndarray, NDArray[np.intp]]:
    """Check examples X (n, d) and labels; also return the classes and their indices.

    at_least  the smallest number of classes allowed

    Returns X, the K distinct labels, sorted, and the class index (n,) of each example.
    """
    X = features("X", X)
    y = labels("labels", y, length=len(X))
    found, index = np.unique(y, return_inverse=True)
    if len(found) < at_least:
        raise error("labels", f"contain {at_least} classes or more", found)
    return X, found, index


def sample_weight(name: str, value, *, length: int) -> tuple[Vector, float, Any]:
    """Check the example weights: s (n,) at least 0, not all 0; None: 1 each.

    Returns the weights above 0, scaled to mean 1, the factor that restores the weights
    given, and an index (slice or mask) of the rows with a weight above 0.
    """
    if value is None:
        return np.ones(length), 1.0, slice(None)
    s = vector(name, value, length=length, at_least=0.0)
    largest = float(s.max())
    if largest == 0:
        raise error(name, "not be zero for all examples", s)
    _check_not_tiny(name, s)
    s = s / largest  # so that no sum overflows and no mean underflows
    kept = slice(None) if s.all() else s > 0
    s = s[kept]
    mean = float(s.mean())
    return s / mean, largest * mean, kept


# Arrays


def matrix(name: str, value, *, columns: int | None = None) -> Matrix:
    """Check a matrix (n, d) of finite numbers, n, d >= 1."""
    A = array(name, value)
    if A.ndim != 2 or A.size == 0:
        rule = "be a matrix (n, d) with n, d >= 1, one example a row"
        raise error(name, rule, f"shape {A.shape}")
    if columns is not None and A.shape[1] != columns:
        raise error(name, f"have {columns} columns", f"shape {A.shape}")
    return A


def features(name: str, value, *, columns: int | None = None) -> Matrix:
    """Check a matrix of finite numbers, and that no column is too small to be squared."""
    return _check_not_tiny(name, matrix(name, value, columns=columns))


def vector(
    name: str, value, *, length: int | None = None, at_least: float = -np.inf
) -> Vector:
    """Check a vector of finite numbers with at least one entry."""
    return _vector(name, array(name, value, at_least=at_least), length)


def targets(name: str, value, *, length: int | None = None) -> Vector:
    """Check a vector of finite numbers, not all too small to be squared."""
    return _check_not_tiny(name, vector(name, value, length=length))


def signs(name: str, value, *, length: int | None = None) -> Signs:
    """Check a vector of labels, each -1 or +1."""
    y = vector(name, value, length=length)
    if (wrong := y[np.abs(y) != 1.0]).size:
        raise error(name, "contain only -1 and +1", f"the label {wrong[0]:g}")
    return y


def binary(name: str, value, *, length: int | None = None) -> Signs:
    """Check labels in {-1, +1} or {0, 1}; convert them to -1 and +1."""
    y = vector(name, value, length=length)
    if not (y == 0).any():
        return signs(name, y)
    if (wrong := y[(y != 0) & (y != 1)]).size:
        rule = "contain only -1 and +1, or only 0 and 1"
        raise error(name, rule, f"0 and {wrong[0]:g}")
    return 2 * y - 1


def labels(name: str, value, *, length: int | None = None) -> np.ndarray:
    """Check a vector of labels, all numbers or all text; keep their type."""
    y = _array(name, value)
    if y.dtype.kind in "fU" and not hasattr(value, "__array__"):
        y = np.array(value, dtype=object)  # NumPy would turn integers into text or floats
    if y.dtype.kind == "T":  # NumPy's StringDType
        y = y.astype(object)
    given = y
    if y.dtype == object and all(isinstance(label, str) for label in y.flat):
        text = [str.__str__(label) for label in y.flat]  # for an Enum, its value
        y = np.array(text, dtype=str).reshape(y.shape)
    elif y.dtype == object:
        y = _from_objects(name, y, None)
    if y.dtype.kind != "U":
        array(name, y)
    if given.dtype == object and (lost := given[y != given]).size:
        raise error(name, "not change when converted to a NumPy array", repr(lost[0]))
    return _vector(name, y, length)


def normal_vector(name: str, value, *, length: int | None = None) -> Vector:
    """Check the normal vector of a hyperplane: it is not zero."""
    w = vector(name, value, length=length)
    if not w.any():
        raise error(name, "be nonzero, to define a hyperplane", w)
    return w


def array(name: str, value, *, at_least: float = -np.inf) -> np.ndarray:
    """Check that an array or a number is real and finite; float64 is not copied."""
    raw = _array(name, value)
    if raw.dtype.kind in "OU":
        raw = _from_objects(name, raw.astype(object), np.float64)
    if raw.dtype.kind not in "biuf":
        raise error(name, "be an array of real numbers", f"dtype {raw.dtype}")
    values = raw
    if raw.dtype != np.float64:
        with np.errstate(over="ignore", invalid="ignore"):  # a long double may become inf
            values = raw.astype(np.float64)
    flat = values.ravel(order="K")
    square = np.vdot(flat, flat)  # accepts nearly all arrays; warns of nothing
    if not square <= LARGEST and (wrong := values[~(np.abs(values) <= LARGEST)]).size:
        rule = f"be finite, at most {LARGEST:g} in absolute value"
        raise error(name, rule, wrong[0])
    if at_least > -np.inf and (low := values[values < at_least]).size:
        raise error(name, f"be at least {at_least:g}", f"{low[0]:g}")
    return values


def unmasked(name: str, value):
    """Raise if a NumPy masked array has masked entries; return the value."""
    masked = np.ma.count_masked(value) if isinstance(value, np.ma.MaskedArray) else 0
    if masked:
        raise error(name, "have no masked entries", f"{masked} masked")
    return value


def _array(name: str, value) -> np.ndarray:
    """Convert to an array of any dtype."""
    unmasked(name, value)
    if hasattr(value, "toarray"):
        raise error(name, "be dense (call .toarray())", type(value).__name__)
    try:
        return np.asarray(value)
    except Exception as cause:  # rows of unequal length, or any error of __array__
        raise error(name, "be an array of numbers", type(value).__name__) from cause


def _vector(name: str, A: np.ndarray, length: int | None) -> np.ndarray:
    """Check that an array is a nonempty vector, with the given length if any."""
    if A.ndim != 1 or A.size == 0:
        got = f"shape {A.shape}" if A.ndim else repr(A.item())
        raise error(name, "be a vector with at least one entry", got)
    if length is not None and len(A) != length:
        raise error(name, f"have {length} entries", len(A))
    return A


def _check_not_tiny(name: str, A: np.ndarray) -> np.ndarray:
    size = np.abs(A).max(axis=0, keepdims=True)
    tiny = size[size < SMALLEST]
    if tiny.any():
        rule = f"have a largest absolute value of 0 or at least {SMALLEST:g} in each column"
        raise error(name, rule, tiny[tiny > 0][0])
    return A


def _from_objects(name: str, A: np.ndarray, dtype) -> np.ndarray:
    """Convert an object array of numbers, as from pandas' nullable columns."""
    other = [entry for entry in A.flat if not isinstance(entry, (Real, np.bool_))]
    if other:
        rule = "be an array of real numbers" if dtype else "be all numbers or all text"
        raise error(name, rule, repr(other[0]))
    try:
        return np.array(A.tolist(), dtype)
    except OverflowError:
        rule = f"be finite, at most {LARGEST:g} in absolute value"
        raise error(name, rule, "a larger integer") from None


# Scalars and options


def number(
    name: str,
    value,
    *,
    above: float = -np.inf,
    at_least: float = -np.inf,
    at_most: float = LARGEST,
    below: float = np.inf,
) -> float:
    """Check a finite real number in a range."""
    x = np.nan
    if isinstance(value, Real) and not isinstance(value, (bool, np.bool_)):
        # an integer or a long double may be too large for a float
        with suppress(OverflowError), np.errstate(over="ignore"):
            x = float(value)
    if not np.isfinite(x):
        raise error(name, "be a finite number", repr(value))
    if not x > above:
        raise error(name, f"be greater than {above:g}", x)
    _in_range(name, x, max(at_least, -LARGEST), at_most)
    if not x < below:
        raise error(name, f"be less than {below:g}", x)
    return x


def integer(name: str, value, *, at_least: int = 0, at_most: float = 10**8) -> int:
    """Check an integer in a range; the default upper limit keeps a run feasible."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        raise error(name, "be an integer", repr(value))
    _in_range(name, value, at_least, at_most)
    return int(value)


def _in_range(name: str, value, at_least: float, at_most: float) -> None:
    if not value >= at_least:
        raise error(name, f"be at least {at_least:g}", value)
    if not value <= at_most:
        raise error(name, f"be at most {at_most:g}", value)


def flag(name: str, value) -> bool:
    """Check that the value is True or False; 0 and 1 are rejected."""
    if not isinstance(value, (bool, np.bool_)):
        raise error(name, "be True or False", repr(value))
    return bool(value)


def choice(name: str, value, choices) -> str:
    """Check that the value is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise error(name, f"be one of {', '.join(map(repr, choices))}", repr(value))
    return value


def function(name: str, value) -> None:
    """Raise unless the value is callable."""
    if not callable(value):
        raise error(name, "be a function", repr(value))


def fitted(rule, attribute: str):
    """Check the object that fit(X, y) returned; return it."""
    if not hasattr(rule, attribute):
        raise error("fit", f"return an object with {attribute}", repr(rule))
    return rule


def rng(name: str, value) -> np.random.Generator:
    """Convert a seed or a Generator to a Generator."""
    if isinstance(value, np.random.Generator):
        return value
    if not isinstance(value, Integral):
        raise error(name, "be an integer or a Generator", repr(value))
    return np.random.default_rng(integer(name, value, at_most=np.inf))


def splits(name: str, value, *, n: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Check at least two pairs (train, test) of disjoint vectors of indices below n."""
    try:
        pairs = [(np.asarray(train), np.asarray(test)) for train, test in value]
    except (TypeError, ValueError) as cause:
        rule = "be pairs (train, test) of index arrays"
        raise error(name, rule, repr(value)) from cause
    for train, test in pairs:
        for part in train, test:
            integers = part.dtype.kind in "iu" and part.ndim == 1 and part.size > 0
            if not integers or part.min() < 0 or part.max() >= n:
                raise error(name, f"contain vectors of indices from 0 to {n - 1}", part)
        common = np.intersect1d(train, test)
        if common.size:
            both = f"{'indices' if common.size > 1 else 'index'} {common} in both"
            raise error(name, "have disjoint train and test sets", both)
    if len(pairs) < 2:
        raise error(name, "contain at least 2 pairs", len(pairs))
    return pairs
