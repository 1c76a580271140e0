"""Cross-validation errors of least squares on subsets of the features, from moments.

`Moments` answers, as `mlcore.solvers.refits.Refits` does, questions about the error
E(S) of a set S of features: E of some sets, and the best feature to add or to remove,
again and again.
"""

from collections.abc import Iterator

import numpy as np

from mlcore.arrays import Matrix, Vector, ratio, side_by_side
from mlcore.options import check_number
from mlcore.solvers.moments import FoldMoments, fold_moments, measured

SINGULAR = 1e-10  # a feature keeps this part of its variance, or counts as dependent
CONSTANT = 1e-12  # on a training set it has this part of its squares, or is constant
ROUNDING = 1e-10  # errors that differ by less of E of no feature count as equal
TOGETHER = 64  # sets that are scored at a time: each takes its products for each split


def first_least(errors: Vector, size: float) -> int:
    """The index of the least error; of those that rounding may tell apart, the first.

    Equal columns have equal errors, but in floating point the order of the sums
    decides which of these is less, and it differs between processors.
    """
    return int(np.argmax(errors <= errors.min() + ROUNDING * size))


class Moments:
    """E(S) for least squares with a bias: the mean over the splits of the mean square.

    A feature that is on a training set a combination of others shares their weight,
    or gets none: the training error is the least there is, all the same.
    """

    def __init__(self, X: Matrix, y: Vector, splits: list):
        ((Z, _, unit),) = measured(side_by_side(X, y[:, None]))
        Z /= np.where(unit > 0, unit, 1.0)
        self.unit = unit
        with np.errstate(over="ignore"):
            self.scale = check_number("the square of y", float(unit[-1] ** 2))
        self.d = X.shape[1]
        self.folds = fold_moments(Z, splits)
        self.tested = self.folds.sizes[1]
        self.grams = None if self.d > len(X) else _unit_grams(self.folds)

    def _mean(self, squares) -> Vector:
        """The mean error for sums of squares (F, ...) over the test examples."""
        tested = self.tested.reshape((-1,) + (1,) * (squares.ndim - 1))
        return self.scale * np.mean(np.maximum(squares, 0.0) / tested, axis=0)

    def errors(self, sets) -> Vector:
        """E of each set of features; the sets must have the same size."""
        sets = np.array([list(s) for s in sets], dtype=int)
        if sets.shape[1] == 0:
            _, test = self.grams or self.folds.column(-1)
            return np.full(len(sets), self._mean(test[(...,) + (-1,) * (test.ndim - 1)]))
        if self.grams is None:
            squares = [_row_space(self.folds, s, self.unit[s]) for s in sets]
            return np.array([self._mean(square) for square in squares])
        parts = [sets[i : i + TOGETHER] for i in range(0, len(sets), TOGETHER)]
        return np.concatenate([self._mean(_squares(*self.grams, s)) for s in parts])

    def additions(self) -> Iterator[tuple[int, float]]:
        """The feature whose addition gives the least E, and this E, one at a time."""
        for feature, squares in _additions(self.folds, self.grams, self._mean):
            yield feature, float(self._mean(squares))

    def removals(self) -> Iterator[tuple[int, float]]:
        """The feature whose removal gives the least E, and this E, one at a time."""
        return _removals(*(self.grams or _unit_grams(self.folds)), self._mean)


def _unit_grams(folds: FoldMoments) -> tuple[np.ndarray, np.ndarray]:
    """The products over training and test, with features of training length 1.

    A feature that is constant on a training set is 0 there.
    """
    train, test = folds.grams()
    length = np.sqrt(np.maximum(np.diagonal(train, axis1=1, axis2=2), 0.0))
    factor = _factors(length, folds.square)
    factor[:, -1] = 1.0  # y keeps its own
    both = factor[:, :, None] * factor[:, None, :]
    return train * both, test * both


def _inverses(G: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """The pseudo-inverses P of G (..., k, k), and the projectors on the null spaces.

    None for the projectors if no matrix is singular.
    """
    values, U = np.linalg.eigh(G)
    keep = values > SINGULAR * values[..., -1:]
    inverse = np.reciprocal(np.where(keep, values, np.inf))
    P = (U * inverse[..., None, :]) @ np.swapaxes(U, -1, -2)
    if keep.all():
        return P, None
    return P, (U * ~keep[..., None, :]) @ np.swapaxes(U, -1, -2)


def _squares(train, test, sets) -> np.ndarray:
    """The test sums of squares (F, B) of the fits to B sets (B, k) of features."""
    rows, columns = sets[:, :, None], sets[:, None, :]
    P, _ = _inverses(train[:, rows, columns])
    w = np.einsum("fbij,fbj->fbi", P, train[:, sets, -1])
    g = 2 * test[:, sets, -1] - np.einsum("fbij,fbj->fbi", test[:, rows, columns], w)
    return test[:, None, -1, -1] - np.sum(w * g, axis=-1)


def _row_space(folds: FoldMoments, features, unit: Vector) -> Vector:
    """The same (F,) for one set of features, from products of examples.

    Fewer features than training examples have length 1, as above, and more the units
    of X.
    """
    squares = []
    everything = np.arange(len(folds.Z))
    for train, test in folds.folds:
        train = np.setdiff1d(everything, test) if train is None else train
        A, T = folds.Z[train], folds.Z[test]
        mean = A.mean(axis=0)
        A, T = A - mean, T - mean
        factor = ratio(unit, unit.max(), where=unit > 0)
        if len(features) < len(A):
            length = np.linalg.norm(A[:, features], axis=0)
            factor = _factors(length, folds.square[features])
        factor = factor / (np.abs(A[:, features] * factor).max() or 1.0)
        B = A[:, features] * factor  # of size 1, so that no square vanishes
        P, _ = _inverses(B @ B.T)
        fitted = (T[:, features] * factor) @ (B.T @ (P @ A[:, -1]))
        squares.append(np.sum((T[:, -1] - fitted) ** 2))
    return np.array(squares)


def _factors(length: np.ndarray, square: Vector) -> np.ndarray:
    """What makes the training lengths 1, or 0 where a feature is constant."""
    varies = length > np.sqrt(CONSTANT * square)
    return np.reciprocal(np.where(varies, length, np.inf))


def _additions(folds: FoldMoments, grams, mean) -> Iterator[tuple[int, Vector]]:
    """The best addition and the test sums of squares (F,) after it, one at a time.

    Each feature x is kept orthogonal, on the training set, to those chosen.  Of these
    remainders only products are known: D = x @ x and c = x @ r on the training set,
    E = x @ x and e = x @ r on the test set, where r is the residual.
    """
    if grams is None:
        (D, E), column = folds.squares(), folds.column
        least = np.maximum(SINGULAR * D, CONSTANT * folds.square)
    else:
        D, E = (np.diagonal(gram, axis1=1, axis2=2).copy() for gram in grams)
        least = np.full_like(D, SINGULAR)
        column = lambda j: tuple(gram[:, :, j].copy() for gram in grams)  # noqa: E731
    c, e = column(-1)
    square = E[:, -1]
    size = float(mean(square))
    # for each chosen p: p, D[p], its part m in each x, X.T @ x_p on test
    steps: list[tuple] = []
    rest = np.ones(D.shape[1], dtype=bool)
    rest[-1] = False  # y
    while rest.any():
        slope = ratio(c, D, where=least < D)
        after = square[:, None] - 2 * slope * e + slope**2 * E
        p = first_least(np.where(rest, mean(after), np.inf), size)
        rest[p], square = False, after[:, p]
        yield p, square
        g, h = column(p)
        for _, length, m, product in steps:
            g -= (length * m[:, p])[:, None] * m
            h -= m[:, p, None] * product
        product, h = h, h.copy()  # X.T @ x_p, next (remainders of X).T @ x_p
        for q, _, m, _ in steps:
            h -= m * h[:, q, None]
        m = ratio(g, D[:, p, None], where=(least < D)[:, p, None])
        steps.append((p, D[:, p].copy(), m, product))
        b, length, own = slope[:, p, None], D[:, p, None].copy(), E[:, p, None].copy()
        e = e - b * h - m * (e[:, p, None] - b * own)
        E = E - 2 * m * h + m**2 * own
        c, D = c - m * c[:, p, None], D - m**2 * length


def _removals(train, test, mean) -> Iterator[tuple[int, float]]:
    """The best removal and the mean error after it, one at a time.

    Without feature j the weights are w - w_j R[:, j] / R[j, j].  R is the inverse of
    the training products; where j depends on others, the projector on the null space.
    """
    splits, columns, _ = train.shape
    rest, P = np.arange(columns - 1), None
    size = float(mean(test[:, -1, -1]))
    while len(rest):
        block = np.ix_(np.arange(splits), rest, rest)
        if P is None:
            P, null = _inverses(train[block])
            R = P
            if null is not None:
                dependent = np.diagonal(null, axis1=1, axis2=2) > 1e-8
                R = np.where(dependent[:, None, :], null, P)
            H = test[block] @ R
        w = np.einsum("fij,fj->fi", P, train[:, rest, -1])
        g = test[:, rest, -1] - np.einsum("fij,fj->fi", test[block], w)
        square = test[:, -1, -1] - np.sum(w * (test[:, rest, -1] + g), axis=1)
        step = w / np.diagonal(R, axis1=1, axis2=2)
        change = 2 * np.einsum("fij,fi->fj", R, g) + step * np.sum(R * H, axis=1)
        errors = mean(square[:, None] + step * change)
        j = first_least(errors, size)
        yield int(rest[j]), errors[j]
        rest, left = np.delete(rest, j), np.arange(len(rest)) != j
        if null is None:  # the inverse without row and column j
            factor = (P[:, j] / P[:, j, j, None])[:, None, :]
            H = (H - H[:, :, j, None] * factor)[:, left][:, :, left]
            R = P = (P - P[:, :, j, None] * factor)[:, left][:, :, left]
        else:
            P = None
