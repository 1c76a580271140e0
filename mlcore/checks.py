"""Refuse bad arguments by name: which one broke which rule, and with what value.

Every check takes the argument's name and its value, and returns the value in the form
that the algorithms compute with: float64 arrays, plain ints and floats.  Nothing is
changed in place.
"""

from contextlib import suppress
from numbers import Integral, Real

import numpy as np
from numpy.typing import NDArray

from mlcore.arrays import LARGEST, Matrix, Signs, Vector


def error(name: str, rule: str, got) -> ValueError:
    """What every check raises: the argument, the rule that it broke, its value."""
    return ValueError(f"{name} must {rule}; got {got}")


# Examples and what belongs to them


def data(X, y) -> tuple[Matrix, Signs]:
    """Examples and their labels: X (n, d) with n, d >= 1, y (n,) of -1 and +1."""
    X = matrix("X", X)
    return X, signs("y", y, length=len(X))


def two_classes(X, y, bias) -> tuple[Matrix, Signs, bool]:
    """Data for a hyperplane: if it may miss the origin, both labels must occur."""
    X, y = data(X, y)
    bias = flag("bias", bias)
    if bias:
        both(y, " with a bias")
    return X, y, bias


def both(y: Signs, where: str = "") -> None:
    """Labels -1 and +1, both of which occur."""
    if abs(y.sum()) == len(y):
        raise error("y", f"hold both -1 and +1{where}", f"only {y[0]:g}")


def numbered(X, y) -> tuple[Matrix, Vector]:
    """Examples and a number for each: X (n, d) with n, d >= 1, y (n,)."""
    X = matrix("X", X)
    return X, vector("y", y, length=len(X))


def classes(X, y, least: int = 1) -> tuple[Matrix, np.ndarray, NDArray[np.intp]]:
    """Examples X (n, d), their classes (K,), sorted, K >= least, and the class of each."""
    X = matrix("X", X)
    y = labels("labels", y, length=len(X))
    found, index = np.unique(y, return_inverse=True)
    if len(found) < least:
        raise error("labels", f"hold {least} classes or more", found)
    return X, found, index


# Arrays


def matrix(name: str, value, *, columns: int | None = None) -> Matrix:
    """A matrix (n, d) of finite numbers with at least one row and one column."""
    A = array(name, value)
    if A.ndim != 2 or A.size == 0:
        rule = "be a matrix (n, d) with n, d >= 1, one example a row"
        raise error(name, rule, f"shape {A.shape}")
    if columns is not None and A.shape[1] != columns:
        raise error(name, f"have {columns} columns", f"shape {A.shape}")
    return A


def vector(name: str, value, *, length: int | None = None) -> Vector:
    """A vector of finite numbers with at least one entry."""
    return _vector(name, array(name, value), length)


def signs(name: str, value, *, length: int | None = None) -> Signs:
    """A vector of labels, each -1 or +1."""
    y = vector(name, value, length=length)
    wrong = y[np.abs(y) != 1.0]
    if wrong.size:
        raise error(name, "hold only -1 and +1", f"the label {wrong[0]:g}")
    return y


def labels(name: str, value, *, length: int | None = None) -> np.ndarray:
    """A vector of labels, numbers or text, in the type in which they came."""
    y = _array(name, value)
    if y.dtype == object:
        text = all(isinstance(label, str) for label in y.flat)
        y = y.astype(str) if text else _unboxed(name, y, None)
    if y.dtype.kind != "U":
        array(name, y)
    return _vector(name, y, length)


def weights(name: str, value, *, length: int | None = None) -> Vector:
    """The normal vector of a hyperplane: a vector that is not zero."""
    w = vector(name, value, length=length)
    if not w.any():
        raise error(name, "not be zero, a hyperplane needs a direction", w)
    return w


def sample_weight(name: str, value, *, length: int) -> list[Matrix]:
    """How often each example counts: [] for None, else a column (n, 1), at most 1."""
    if value is None:
        return []
    s = array(name, vector(name, value, length=length), at_least=0.0)
    if not s.any():
        raise error(name, "not be zero for all examples", s)
    return [(s / s.max())[:, None]]


def array(name: str, value, *, at_least: float = -np.inf) -> np.ndarray:
    """Finite numbers in an array of any shape, or a single one; not copied if float64."""
    raw = _array(name, value)
    if raw.dtype == object:
        raw = _unboxed(name, raw, np.float64)
    if raw.dtype.kind not in "biuf":
        raise error(name, "be an array of real numbers", f"dtype {raw.dtype}")
    with np.errstate(over="ignore", invalid="ignore"):  # a long double may become inf
        values = raw.astype(np.float64, copy=False)
        flat = values.ravel(order="K")
        square = flat.dot(flat)  # small for nearly all arrays that are fine
    if not square <= LARGEST and (wrong := values[~(np.abs(values) <= LARGEST)]).size:
        raise error(name, f"be finite, at most {LARGEST:g} in size", wrong[0])
    if at_least > -np.inf and (low := values[values < at_least]).size:
        raise error(name, f"be at least {at_least:g}", f"{low[0]:g}")
    return values


def unmasked(name: str, value):
    """The value as it is; a masked array of NumPy must not hide any entry."""
    hidden = np.ma.count_masked(value) if isinstance(value, np.ma.MaskedArray) else 0
    if hidden:
        raise error(name, "be without masked entries", f"{hidden} masked")
    return value


def _array(name: str, value) -> np.ndarray:
    """The value as an array, of whatever it holds."""
    unmasked(name, value)
    try:
        return np.asarray(value)
    except (ValueError, TypeError) as why:  # rows of unequal length
        raise error(name, "be an array of numbers", type(value).__name__) from why


def _vector(name: str, A: np.ndarray, length: int | None) -> np.ndarray:
    """The array, if it is a vector with an entry or more, or with so many."""
    if A.ndim != 1 or A.size == 0:
        raise error(name, "be a vector with at least one entry", f"shape {A.shape}")
    if length is not None and len(A) != length:
        raise error(name, f"have {length} entries", len(A))
    return A


def _unboxed(name: str, A: np.ndarray, dtype) -> np.ndarray:
    """Numbers that came as objects, as pandas' nullable columns do; None: any type."""
    other = [entry for entry in A.flat if not isinstance(entry, (Real, np.bool_))]
    if other:
        got = f"dtype object, which holds a {type(other[0]).__name__}"
        raise error(name, "be an array of real numbers", got)
    try:
        return np.array(A.tolist(), dtype)
    except OverflowError:
        rule = f"be finite, at most {LARGEST:g} in size"
        raise error(name, rule, "a larger integer") from None


# Numbers and choices


def number(
    name: str,
    value,
    *,
    above: float = -np.inf,
    at_least: float = -np.inf,
    at_most: float = LARGEST,
    below: float = np.inf,
) -> float:
    """A finite real number in a range."""
    x = np.nan
    if isinstance(value, Real) and not isinstance(value, (bool, np.bool_)):
        # beyond the floating point numbers: an integer or a long double
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


def integer(name: str, value, *, at_least: int = 0, at_most: float = np.inf) -> int:
    """An integer in a range."""
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
    """True or False, no number that may stand for them."""
    if not isinstance(value, (bool, np.bool_)):
        raise error(name, "be True or False", repr(value))
    return bool(value)


def choice(name: str, value, choices) -> str:
    """One of a few names."""
    if not isinstance(value, str) or value not in choices:
        raise error(name, f"be one of {', '.join(map(repr, choices))}", repr(value))
    return value


def function(name: str, value) -> None:
    """Something that can be called."""
    if not callable(value):
        raise error(name, "be a function", repr(value))


def rng(name: str, value) -> np.random.Generator:
    """A seed or a Generator, as a Generator.  A seed always gives the same numbers."""
    if isinstance(value, np.random.Generator):
        return value
    if not isinstance(value, Integral):
        raise error(name, "be an integer or a Generator", repr(value))
    return np.random.default_rng(integer(name, value))


def splits(name: str, value, *, n: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """At least two pairs (train, test) of indices below n, each without a common one."""
    try:
        pairs = [(np.asarray(train), np.asarray(test)) for train, test in value]
    except (TypeError, ValueError) as why:
        rule = "be pairs (train, test) of index arrays"
        raise error(name, rule, repr(value)) from why
    for train, test in pairs:
        for part in train, test:
            whole = part.dtype.kind in "iu" and part.ndim == 1 and part.size > 0
            if not whole or part.min() < 0 or part.max() >= n:
                raise error(name, f"hold vectors of indices from 0 to {n - 1}", part)
        common = np.intersect1d(train, test)
        if common.size:
            raise error(name, "not test on training data", f"{common} twice")
    if len(pairs) < 2:
        raise error(name, "hold at least 2 pairs", len(pairs))
    return pairs
