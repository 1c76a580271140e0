"""Refuse bad data by name: which argument broke which rule, and with what value.

Every check takes the argument's name and its value, and returns the value in the form
that the algorithms compute with: float64 arrays.  Nothing is changed in place.  What is
no data, the numbers and flags that steer an algorithm, is checked by `mlcore.options`.
"""

from numbers import Real

import numpy as np
from numpy.typing import NDArray

from mlcore.arrays import LARGEST, Matrix, Signs, Vector
from mlcore.options import check_flag


def check_data(X, y) -> tuple[Matrix, Signs]:
    """Examples and their labels: X (n, d) with n, d >= 1, y (n,) of -1 and +1."""
    X = check_matrix("X", X)
    return X, check_signs("y", y, length=len(X))


def check_two_classes(X, y, bias) -> tuple[Matrix, Signs, bool]:
    """Data for a hyperplane: if it may miss the origin, both labels must occur."""
    X, y = check_data(X, y)
    bias = check_flag("bias", bias)
    if bias:
        check_both(y, " with a bias")
    return X, y, bias


def check_both(y: Signs, where: str = "") -> None:
    """Labels -1 and +1, both of which occur."""
    if abs(y.sum()) == len(y):
        raise ValueError(f"y must hold both -1 and +1{where}; got only {y[0]:g}")


def check_numbered(X, y) -> tuple[Matrix, Vector]:
    """Examples and a number for each: X (n, d) with n, d >= 1, y (n,)."""
    X = check_matrix("X", X)
    return X, check_vector("y", y, length=len(X))


def check_classes(X, labels, least: int = 1) -> tuple[Matrix, np.ndarray, NDArray[np.intp]]:
    """Examples X (n, d), their classes (K,), sorted, K >= least, and the class of each."""
    X = check_matrix("X", X)
    labels = check_labels("labels", labels, length=len(X))
    classes, index = np.unique(labels, return_inverse=True)
    if len(classes) < least:
        raise ValueError(f"labels must hold {least} classes or more; got {classes}")
    return X, classes, index


def check_matrix(name: str, value, *, columns: int | None = None) -> Matrix:
    """A matrix (n, d) of finite numbers with at least one row and one column."""
    array = _numbers(name, value)
    if array.ndim != 2 or array.size == 0:
        raise ValueError(
            f"{name} must be a matrix (n, d) with n, d >= 1, one example a row; "
            f"got shape {array.shape}"
        )
    if columns is not None and array.shape[1] != columns:
        raise ValueError(f"{name} must have {columns} columns; got shape {array.shape}")
    return array


def check_vector(name: str, value, *, length: int | None = None) -> Vector:
    """A vector of finite numbers with at least one entry."""
    return _vector(name, _numbers(name, value), length)


def check_signs(name: str, value, *, length: int | None = None) -> Signs:
    """A vector of labels, each -1 or +1."""
    signs = check_vector(name, value, length=length)
    wrong = signs[np.abs(signs) != 1.0]
    if wrong.size:
        raise ValueError(f"{name} must hold only -1 and +1; got the label {wrong[0]:g}")
    return signs


def check_array(name: str, value, *, at_least: float = -np.inf) -> np.ndarray:
    """Finite numbers in an array of any shape, or a single one."""
    array = _numbers(name, value)
    if at_least > -np.inf and (low := array[array < at_least]).size:
        raise ValueError(f"{name} must be at least {at_least:g}; got {low[0]:g}")
    return array


def check_labels(name: str, value, *, length: int | None = None) -> np.ndarray:
    """A vector of labels, numbers or text, in the type in which they came."""
    labels = _array(name, value)
    if labels.dtype == object:
        text = all(isinstance(label, str) for label in labels.flat)
        labels = labels.astype(str) if text else _unboxed(name, labels, None)
    if labels.dtype.kind != "U":
        _numbers(name, labels)
    return _vector(name, labels, length)


def check_weights(name: str, value, *, length: int | None = None) -> Vector:
    """The normal vector of a hyperplane: a vector that is not zero."""
    w = check_vector(name, value, length=length)
    if not w.any():
        raise ValueError(
            f"{name} must not be zero, a hyperplane needs a direction; got {w}"
        )
    return w


def check_sample_weight(name: str, value, *, length: int) -> list[Matrix]:
    """How often each example counts: [] for None, else a column (n, 1), at most 1."""
    if value is None:
        return []
    weights = check_array(name, check_vector(name, value, length=length), at_least=0.0)
    if not weights.any():
        raise ValueError(f"{name} must not be zero for all examples; got {weights}")
    return [(weights / weights.max())[:, None]]


def check_unmasked(name: str, value):
    """The value as it is; a masked array of NumPy must not hide any entry."""
    hidden = np.ma.count_masked(value) if isinstance(value, np.ma.MaskedArray) else 0
    if hidden:
        raise ValueError(f"{name} must be without masked entries; got {hidden} masked")
    return value


def _array(name: str, value) -> np.ndarray:
    """The value as an array, of whatever it holds."""
    check_unmasked(name, value)
    try:
        return np.asarray(value)
    except (ValueError, TypeError) as error:  # rows of unequal length
        raise ValueError(
            f"{name} must be an array of numbers; got {type(value).__name__}"
        ) from error


def _vector(name: str, array: np.ndarray, length: int | None) -> np.ndarray:
    """The array, if it is a vector with an entry or more, or with so many."""
    if array.ndim != 1 or array.size == 0:
        raise ValueError(
            f"{name} must be a vector with at least one entry; got shape {array.shape}"
        )
    if length is not None and len(array) != length:
        raise ValueError(f"{name} must have {length} entries; got {len(array)}")
    return array


def _numbers(name: str, value) -> np.ndarray:
    """The value as a float64 array of finite numbers; not copied if it is one already."""
    raw = _array(name, value)
    if raw.dtype == object:
        raw = _unboxed(name, raw, np.float64)
    if raw.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be an array of real numbers; got dtype {raw.dtype}")
    with np.errstate(over="ignore", invalid="ignore"):  # a long double may become inf
        array = raw.astype(np.float64, copy=False)
        flat = array.ravel(order="K")
        square = flat.dot(flat)  # small for nearly all arrays that are fine
    if not square <= LARGEST and (wrong := array[~(np.abs(array) <= LARGEST)]).size:
        value = wrong[0]
        raise ValueError(f"{name} must be finite, at most {LARGEST:g} in size; got {value}")
    return array


def _unboxed(name: str, array: np.ndarray, dtype) -> np.ndarray:
    """Numbers that came as objects, as pandas' nullable columns do; None: any type."""
    other = [entry for entry in array.flat if not isinstance(entry, (Real, np.bool_))]
    if other:
        raise ValueError(
            f"{name} must be an array of real numbers; got dtype object, "
            f"which holds a {type(other[0]).__name__}"
        )
    try:
        return np.array(array.tolist(), dtype)
    except OverflowError:
        raise ValueError(
            f"{name} must be finite, at most {LARGEST:g} in size; got a larger integer"
        ) from None
