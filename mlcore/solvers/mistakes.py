"""Scan examples for the mistakes of a rule that changes at each of them."""

from collections.abc import Iterator
from math import sqrt
from sys import float_info

import numpy as np

from mlcore.arrays import Matrix, Vector


def mistaken_rows(rows: Matrix, v: Vector, doubt: float) -> Iterator[Vector]:
    """Each row, first to last, with row @ v <= 0 for v as it is by then.

    The caller changes v between two rows.  One product scores a block of
    rows; those after its first mistake are scored again.  The block that
    follows one without mistake is twice as long: rare mistakes cost few
    products, frequent ones small products.
    A product may round a score otherwise than its row alone does.  So within
    doubt of 0 the row decides, as in the loop over single rows.
    """
    short = 1 + 4096 // rows.shape[1]  # 32 kB of numbers
    first, length = 0, short
    while first < len(rows):
        scores = rows[first : first + length].dot(v)
        suspect = scores <= doubt
        k = int(suspect.argmax())  # the first suspect, 0 if there is none
        if not suspect[k]:
            first, length = first + length, 2 * length
            continue
        row = rows[first + k]
        first, length = first + k + 1, short
        if scores[k] < -doubt or row[:-1].dot(v[:-1]) + row[-1] * v[-1] <= 0:
            yield row


def score_doubt(v: Vector, n: int, longest: float) -> float:
    """How far two ways to sum row @ v may differ within n updates from v.

    Each is off by at most len(v) times half an eps times |row| |v|, in
    whatever order it adds up (Higham 2002, section 3.1); the factor 2 is
    room to spare, and so is the last term, for sums that underflow.
    """
    largest = float(np.linalg.norm(v)) + n * longest  # |v| after n updates
    return 2 * len(v) * float_info.epsilon * longest * largest + float_info.min


def length_bound(rows: Matrix) -> float:
    """A length that no row exceeds."""
    return sqrt(rows.shape[1]) * float(max(rows.max(), -rows.min()))
