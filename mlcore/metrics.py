"""Errors of predicted labels.

Chapters: geometry, multiclass
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mlcore import checks


def zero_one_error(y, predicted) -> float:
    """Compute the fraction of wrong predictions, from 0 to 1.

    y, predicted  (n,) true and predicted labels of any kind, both numbers or both text

    Raises ValueError for different lengths, nan, text compared with numbers, and integers
    above 2**53 compared with floats.

    >>> zero_one_error([1, -1, 1, 1], [1, 1, 1, 1])
    0.25
    """
    y, predicted = _check_labels(y, predicted)
    return float(np.mean(predicted != y))


@dataclass(frozen=True, eq=False)
class Confusion:
    """A confusion matrix.

    counts   (K, K): counts[k, l] is the number of examples of class k predicted as class l
    classes  (K,) all true and predicted labels, sorted
    """

    counts: NDArray[np.intp]
    classes: np.ndarray


def confusion(y, predicted) -> Confusion:
    """Count the examples of each class (rows) by their predicted class (columns).

    y, predicted  (n,) as for `zero_one_error`, at most 1000 classes

    Returns the counts and the classes.  Correct predictions are on the diagonal.
    Raises ValueError as `zero_one_error` does, and for more classes.

    >>> confusion(["a", "a", "b"], ["a", "b", "b"]).counts
    array([[1, 1],
           [0, 1]])
    """
    y, predicted = _check_labels(y, predicted)
    classes = np.union1d(y, predicted)
    K = len(classes)
    checks.integer("the number of classes in y and predicted", K, at_most=1000)
    cells = K * np.searchsorted(classes, y) + np.searchsorted(classes, predicted)
    return Confusion(np.bincount(cells, minlength=K * K).reshape(K, K), classes)


def _check_labels(y, predicted) -> tuple[np.ndarray, np.ndarray]:
    y = checks.labels("y", y)
    predicted = checks.labels("predicted", predicted, length=len(y))
    if (y.dtype.kind == "U") != (predicted.dtype.kind == "U"):
        rule = "be of the same kind as y, both text or both numbers"
        raise checks.error("predicted", rule, f"{predicted.dtype} for {y.dtype}")
    if np.result_type(y, predicted).kind == "f":
        for name, given in ("y", y), ("predicted", predicted):
            if given.dtype.kind not in "iu":
                continue
            too_large = given[(given < -(2**53)) | (given > 2**53)]
            if too_large.size:
                rule = "be at most 2**53 in absolute value when compared as floats"
                raise checks.error(f"integers in {name}", rule, too_large[0])
    return y, predicted
