"""Splits of the rows of a lazy array, as masks that are True where a row belongs.

A mask is cut into the blocks of the array, so each block picks its own rows.  Rows that
are gathered by index would have to move from block to block.
"""

import numpy as np

from mlcore.arrays import Matrix, asked, lazy
from mlcore.options import check_splits


def check_masks(name: str, value, X: Matrix) -> list:
    """At least two pairs (train, test) of lazy masks; train is None if all but test.

    The value may be pairs of index arrays, which take memory for each row of X, or
    pairs of lazy masks, which take none and are read once by this check.
    """
    try:
        pairs = [(train, test) for train, test in value]
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be pairs (train, test); got {value!r}") from error
    if not all(lazy(part) for pair in pairs for part in pair):
        return _masks_of_indices(name, check_splits(name, pairs, n=len(X)), X)
    for part in (part for pair in pairs for part in pair):
        if part.dtype != bool or part.shape != (len(X),):
            raise ValueError(
                f"{name} must hold lazy masks with {len(X)} entries; got {part}"
            )
    if len(pairs) < 2:
        raise ValueError(f"{name} must be at least 2; got {len(pairs)}")
    counts = [
        count
        for train, test in pairs
        for count in (train.sum(), test.sum(), (train & test).sum())
    ]
    folds = []
    counts = np.reshape(asked(*counts), (-1, 3)).astype(int)
    for (train, test), (trained, tested, both) in zip(pairs, counts, strict=True):
        if both or not (trained and tested):
            raise ValueError(
                f"{name} must train and test on some rows each, and on none twice; got "
                f"{trained} to train on, {tested} to test on, {both} of them in both"
            )
        folds.append((None if trained + tested == len(X) else train, test))
    return folds


def _masks_of_indices(name: str, splits: list, X: Matrix) -> list:
    folds = []
    for pair in splits:
        masks = []
        for part in pair:
            mask = np.zeros(len(X), dtype=bool)
            mask[part] = True
            if mask.sum() < len(part):
                raise ValueError(
                    f"{name} must hold each index once where X is lazy; got {part}"
                )
            masks.append(np.asarray(mask, like=X))
        whole = sum(map(len, pair)) == len(X)
        folds.append((None if whole else masks[0], masks[1]))
    return folds
