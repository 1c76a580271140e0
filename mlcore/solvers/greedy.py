"""Cross-validation errors of sets of features, and the best one to add or to remove.

`Moments` and `Refits` answer the same questions about the error E(S) of a set S of
features: for least squares from sums, for any other fit by fitting it again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from mlcore.arrays import Matrix, Vector, ratio
from mlcore.blocks import check_beside, lazy, total
from mlcore.solvers.normal_equations import smallest_squares
from mlcore.validation import cross_validate

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
    or gets none: the training error is the least there is, all the same.  For as many
    features as training examples the weights are those of least norm.
    """

    def __init__(self, X: Matrix, Y: Matrix, splits):
        """X (n, d) and Y (n, 1); for lazy ones, splits are the numbers (n,) of folds."""
        self.d, self.rows = X.shape[1], (X, Y, splits)
        self.fewest = X.shape[0] if lazy(X) else min(len(train) for train, _ in splits)
        Z, members = np.hstack([X, Y]), membership(splits, X)
        first = np.asarray(Z[0])  # measured from here, a constant column is exactly 0
        mean, square = total(lambda Z: [_sums(Z - first), np.sum((Z - first) ** 2, 0)], Z)
        n, mean = mean[0], mean[1:] / mean[0]
        length = np.sqrt(np.maximum(square / n - mean**2, 0.0))
        unit = np.where(length > 0, length, 1.0)
        self.scale = float(unit[-1] ** 2)
        parts = total(partial(_of_splits, about=first + mean, unit=unit), Z, members)
        self.grams, self.tested = _unit_grams(
            np.stack(parts).reshape(-1, 2, *parts[0].shape)
        )

    def _mean(self, squares) -> Vector:
        """The mean error for sums of squares (F, ...) over the test examples."""
        tested = self.tested.reshape((-1,) + (1,) * (squares.ndim - 1))
        return self.scale * np.mean(np.maximum(squares, 0.0) / tested, axis=0)

    def errors(self, sets) -> Vector:
        """E of each set of features; the sets must have the same size."""
        sets = np.array([list(s) for s in sets], dtype=int)
        if sets.shape[1] >= self.fewest:
            X, Y, splits = self.rows
            return Refits(shortest, X, Y[:, 0], splits, mean_square).errors(sets)
        parts = [sets[i : i + TOGETHER] for i in range(0, len(sets), TOGETHER)]
        return np.concatenate([self._mean(_squares(*self.grams, s)) for s in parts])

    def additions(self) -> Iterator[tuple[int, float]]:
        """The feature whose addition gives the least E, and this E, one at a time."""
        for feature, squares in _additions(*self.grams, self._mean):
            yield feature, float(self._mean(squares))

    def removals(self) -> Iterator[tuple[int, float]]:
        """The feature whose removal gives the least E, and this E, one at a time."""
        return _removals(*self.grams, self._mean)


def membership(splits, X: Matrix) -> Matrix:
    """A column of 0 and 1 for the training, then for the test examples of each split."""
    if lazy(X):
        fold = check_beside("splits", splits, X)
        numbers = range(int(np.asarray(fold.max())) + 1)
        return np.hstack([part for f in numbers for part in (fold != f, fold == f)])
    members = np.zeros((len(X), 2 * len(splits)), dtype=bool)
    for f, parts in enumerate(splits):
        for side, rows in enumerate(parts):
            members[rows, 2 * f + side] = True
    return members


def _sums(Z: Matrix) -> Vector:
    """How many rows, and the sum of each column."""
    return np.append(len(Z), Z.sum(axis=0))


def _of_splits(Z: Matrix, members: Matrix, about: Vector, unit: Vector) -> list[Matrix]:
    """The products of all columns, and of a column of ones, over the rows of each part."""
    A = np.column_stack([(Z - about) / unit, np.ones(len(Z))])
    parts = [A[column > 0] for column in members.T]
    return [B.T @ B for B in parts]


def _unit_grams(parts: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], Vector]:
    """The products about the training mean, over training and test (F, p, p); the sizes.

    Features have training length 1; one that is constant on a training set is 0 there.
    """
    (train, test), columns = np.moveaxis(parts, 1, 0), parts.shape[-1] - 1
    n, m = train[:, -1, -1], test[:, -1, -1]
    mean = train[:, -1, :columns] / n[:, None]
    off = test[:, -1, :columns] - m[:, None] * mean  # sums about the training mean
    square = np.diagonal(train, axis1=1, axis2=2)[:, :columns]
    train, test = train[:, :columns, :columns], test[:, :columns, :columns]

    def outer(a, b):
        return a[:, :, None] * b[:, None, :]

    train = train - outer(mean * n[:, None], mean)
    rest = test - outer(mean, off) - outer(off, mean) - outer(mean * m[:, None], mean)
    length = np.sqrt(np.maximum(np.diagonal(train, axis1=1, axis2=2), 0.0))
    varies = length > np.sqrt(CONSTANT * np.maximum(square, n[:, None]))
    factor = np.where(varies, 1 / np.where(varies, length, 1.0), 0.0)
    factor[:, -1] = 1.0  # y keeps its own
    return (train * outer(factor, factor), rest * outer(factor, factor)), m


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


def _additions(train, test, mean) -> Iterator[tuple[int, Vector]]:
    """The best addition and the test sums of squares (F,) after it, one at a time.

    Each feature x is kept orthogonal, on the training set, to those chosen.  Of these
    remainders only products are known: D = x @ x and c = x @ r on the training set,
    E = x @ x and e = x @ r on the test set, where r is the residual.
    """
    D, E = (np.diagonal(gram, axis1=1, axis2=2).copy() for gram in (train, test))
    c, e = train[:, :, -1], test[:, :, -1]
    square = E[:, -1]
    size = float(mean(square))
    # for each chosen p: p, D[p], its part m in each x, X.T @ x_p on test
    steps: list[tuple] = []
    rest = np.ones(D.shape[1], dtype=bool)
    rest[-1] = False  # y
    while rest.any():
        slope = ratio(c, D, where=D > SINGULAR)
        after = square[:, None] - 2 * slope * e + slope**2 * E
        p = first_least(np.where(rest, mean(after), np.inf), size)
        rest[p], square = False, after[:, p]
        yield p, square
        g, h = train[:, :, p].copy(), test[:, :, p].copy()
        for _, length, m, product in steps:
            g -= (length * m[:, p])[:, None] * m
            h -= m[:, p, None] * product
        product, h = h, h.copy()  # X.T @ x_p, next (remainders of X).T @ x_p
        for q, _, m, _ in steps:
            h -= m * h[:, q, None]
        m = ratio(g, D[:, p, None], where=(D > SINGULAR)[:, p, None])
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


class Refits:
    """E(S) for any fit: the mean error of refits to the columns in S."""

    def __init__(self, fit: Callable, X: Matrix, y, splits: list, error: Callable):
        self.fit, self.X, self.y = fit, X, y
        self.splits, self.error, self.d = splits, error, X.shape[1]

    def errors(self, sets) -> Vector:
        """E of each set of features; of none: a fit to a column of zeros."""
        return np.array([self._error(list(s)) for s in sets])

    def _error(self, features: list) -> float:
        return self._mean_error(self.X[:, features]) if features else self.of_none

    @cached_property
    def of_none(self) -> float:
        """E of no feature, with which a search compares."""
        return self._mean_error(np.zeros((len(self.X), 1)))

    def _mean_error(self, A: Matrix) -> float:
        return cross_validate(
            self.fit, A, self.y, splits=self.splits, error=self.error
        ).mean

    def additions(self) -> Iterator[tuple[int, float]]:
        """The feature whose addition gives the least E, and this E, one at a time."""
        chosen: list[int] = []
        rest = list(range(self.d))
        while rest:
            errors = self.errors([[*chosen, j] for j in rest])
            best = first_least(errors, self.of_none)
            chosen.append(rest.pop(best))
            yield chosen[-1], errors[best]

    def removals(self) -> Iterator[tuple[int, float]]:
        """The feature whose removal gives the least E, and this E, one at a time."""
        rest = list(range(self.d))
        while rest:
            errors = self.errors([[k for k in rest if k != j] for j in rest])
            best = first_least(errors, self.of_none)
            yield rest.pop(best), errors[best]


@dataclass(frozen=True)
class Scores:
    """A fit that predicts the fitted values themselves, not their signs."""

    predict: Callable


def shortest(X: Matrix, y: Vector) -> Scores:
    """Least squares with a bias; of several w the shortest."""
    ((W, b, _),) = smallest_squares(X, y[:, None], [0.0], True)
    return Scores(lambda X: X @ W[:, 0] + b[0])


def mean_square(y: Vector, predicted: Vector) -> float:
    return float(np.mean((y - predicted) ** 2))
