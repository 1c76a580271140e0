"""Scan examples for the mistakes of a rule that changes at each of them."""

from collections.abc import Iterator
from math import sqrt
from sys import float_info

import numpy as np

from mlcore.arrays import Matrix, Vector

MANY, NEAR = 1000, 12  # importing SciPy takes 0.2 s, once


def mistaken_rows(rows: Matrix, v: Vector, doubt: float) -> Iterator[Vector]:
    """Each row, first to last, with row @ v <= 0 for v as it is by then.

    The caller changes v between two rows.  One product scores a block of
    rows; those after its first mistake are scored again.  The block that
    follows one without mistake is twice as long: rare mistakes cost few
    products, frequent ones small products.  Where a thousand mistakes came
    near each other, the other rows are scored one by one.
    A product may round a score otherwise than its row alone does.  So within
    doubt of 0 the row decides, as in the loop over single rows.
    """
    short = 1 + 4096 // rows.shape[1]  # 32 kB of numbers
    first, length, found = 0, short, 0
    limit = np.array(doubt)  # a float would be made an array in each comparison
    while first < len(rows):
        if found == MANY and first <= NEAR * MANY:
            yield from _one_by_one(rows[first:], v, doubt)
            return
        scores = rows[first : first + length].dot(v)
        # the first suspect, -1 if there is none: sooner than by argmax
        k = (scores <= limit).tobytes().find(True)
        if k < 0:
            first, length = first + length, 2 * length
            continue
        row = rows[first + k]
        first, length, found = first + k + 1, short, found + 1
        if scores[k] < -doubt or _alone(row, v) <= 0:
            yield row


def _one_by_one(rows: Matrix, v: Vector, doubt: float) -> Iterator[Vector]:
    """The same, by a product for each row that SciPy begins sooner than NumPy."""
    from scipy.linalg.blas import ddot

    for row in rows:
        score = ddot(row, v)
        if score <= doubt and (score < -doubt or _alone(row, v) <= 0):
            yield row


def _alone(row: Vector, v: Vector) -> float:
    """row @ v, rounded as x @ w + b."""
    return row[:-1].dot(v[:-1]) + row[-1] * v[-1]


def score_doubt(v: Vector, n: int, longest: float) -> float:
    """How far two ways to sum row @ v may differ within n updates from v.

    Each is off by at most len(v) times half an eps times |row| |v|, in
    whatever order it adds up (Higham 2002, section 3.1); the factor 2 is
    room to spare, and so is the last term, for sums that underflow.
    """
    largest = sqrt(v.dot(v)) + n * longest  # |v| after n updates
    return 2 * len(v) * float_info.epsilon * longest * largest + float_info.min


def length_bound(rows: Matrix) -> float:
    """A length that no row exceeds."""
    return sqrt(rows.shape[1]) * float(max(rows.max(), -rows.min()))
