"""Cross-validation errors of sets of features, and the best one to add or to remove.

`Moments` and `Refits` answer the same questions about the error E(S) of a set S of
features: for least squares from sums, for any other fit by fitting it again.
"""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import chain
from types import SimpleNamespace

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
        Z, members = np.hstack([X, Y]), _membership(splits, X)
        first = np.asarray(Z[0])  # measured from here, a constant column is exactly 0
        (sums,) = total(lambda Z: [np.sum(Z - first, axis=0)], Z)
        parts = total(partial(_of_splits, about=first + sums / len(Z)), Z, members)
        self.train, self.test = _unit_grams(*(np.stack(parts[i::2]) for i in (0, 1)))

    def errors(self, sets) -> Vector:
        """E of each set of features; the sets must have the same size."""
        sets = np.array([list(s) for s in sets], dtype=int)
        if sets.shape[1] >= self.fewest:
            return refits(*self.rows).errors(sets)
        parts = [sets[i : i + TOGETHER] for i in range(0, len(sets), TOGETHER)]
        return np.concatenate([self._errors(part) for part in parts])

    def _errors(self, sets: np.ndarray) -> Vector:
        """E of B sets (B, k), from the weights that solve the equations of each split."""
        rows, columns = sets[:, :, None], sets[:, None, :]
        P, _ = _inverses(self.train[:, rows, columns])
        w = np.einsum("fbij,fbj->fbi", P, self.train[:, sets, -1])
        g = np.einsum("fbij,fbj->fbi", self.test[:, rows, columns], w)
        fitted = np.sum(w * (2 * self.test[:, sets, -1] - g), axis=-1)
        return _mean(self.test[:, -1, -1, None] - fitted)

    def path(self, adding: bool) -> Iterator[tuple[int, float]]:
        """The feature to add, or to remove, for the least E, and this E, one at a time."""
        walk = _additions if adding else _removals
        return walk(self.train, self.test, size=self.errors([()])[0])


def _mean(squares: np.ndarray) -> Vector:
    """The mean over the splits, for mean squares (F, B)."""
    return np.maximum(squares, 0.0).mean(axis=0)


def _membership(splits, X: Matrix) -> Matrix:
    """A column of 0 and 1 for the training, then for the test examples of each split."""
    if lazy(X):
        fold = check_beside("splits", splits, X)
        numbers = range(int(np.asarray(fold.max())) + 1)
        return np.hstack([part for f in numbers for part in (fold != f, fold == f)])
    members = np.zeros((len(X), 2 * len(splits)), dtype=bool)
    for column, rows in zip(members.T, chain(*splits), strict=True):
        column[rows] = True
    return members


def _of_splits(Z: Matrix, members: Matrix, about: Vector) -> list[Matrix]:
    """The products of all columns, and of a column of ones, over the rows of each part."""
    A = np.column_stack([Z - about, np.ones(len(Z))])
    parts = [A[column > 0] for column in members.T]
    return [B.T @ B for B in parts]


def _unit_grams(train: np.ndarray, test: np.ndarray) -> list[np.ndarray]:
    """The products about the training mean (F, p, p), on the test set their means.

    Features have training length 1; one that is constant on a training set is 0 there.
    """
    mean = train[:, -1, :-1] / train[:, -1, -1, None]
    grams = []
    for G in train, test:
        cross = _outer(mean, G[:, -1, :-1] - mean * G[:, -1, -1, None] / 2)
        grams.append(G[:, :-1, :-1] - cross - np.swapaxes(cross, 1, 2))
    square, whole = _diagonals(grams[0]), _diagonals(train + test)[:, :-1]
    varies = square > CONSTANT * whole
    factor = ratio(1.0, np.sqrt(np.maximum(square, 0.0)), where=varies)
    factor[:, -1] = 1.0  # y keeps its own
    grams[1] /= test[:, -1:, -1:]
    return [gram * _outer(factor, factor) for gram in grams]


def _outer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, :, None] * b[:, None, :]


def _diagonals(A: np.ndarray) -> np.ndarray:
    return np.diagonal(A, axis1=1, axis2=2)


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


def _additions(train: np.ndarray, test: np.ndarray, size: float) -> Iterator:
    """The best addition and E after it, one at a time.

    G and H are the products, on the training and on the test sets, of what the features
    and y are beside the features chosen: the remainders of their fits on training.
    """
    G, H, rest = train, test, np.arange(len(train[0])) < len(train[0]) - 1
    while rest.any():
        D = _diagonals(G)
        slope = ratio(G[:, :, -1], D, where=D > SINGULAR)
        fitted = slope * (2 * H[:, :, -1] - slope * _diagonals(H))
        errors = np.where(rest, _mean(H[:, -1:, -1] - fitted), np.inf)
        j = first_least(errors, size)
        rest[j] = False
        yield j, float(errors[j])
        m = ratio(G[:, j], D[:, j, None], where=D[:, j, None] > SINGULAR)
        half = _outer(m, H[:, j] - m * H[:, j, j, None] / 2)
        G, H = G - _outer(m, G[:, j]), H - half - np.swapaxes(half, 1, 2)


def _removals(train: np.ndarray, test: np.ndarray, size: float) -> Iterator:
    """The best removal and E after it, one at a time.

    Without feature j the weights are w - w_j R[:, j] / R[j, j].  R is the inverse of
    the training products; where j depends on others, the projector on the null space.
    """
    rest, P = np.arange(len(train[0])), None
    while len(rest) > 1:  # y is the last
        block = np.ix_(np.arange(len(train)), rest, rest)
        G = train[block]
        if P is None:
            P, null = _inverses(G[:, :-1, :-1])
        A = np.zeros_like(G)  # remainders as combinations of columns, as in additions
        A[:, :-1, :-1] = P
        if null is not None:
            np.copyto(A[:, :-1, :-1], null, where=(_diagonals(null) > 1e-8)[:, None])
        A[:, :-1, -1:], A[:, -1, -1] = -P @ G[:, :-1, -1:], 1.0
        V = A[:, :, -1:] - A * (A[:, :, -1] / _diagonals(A))[:, None]  # of y, without j
        errors = _mean(np.sum(V * (test[block] @ V), axis=1))[:-1]
        j = first_least(errors, size)
        yield int(rest[j]), float(errors[j])
        left = np.arange(len(rest) - 1) != j
        rest = np.delete(rest, j)
        if null is None:  # the inverse without row and column j
            P = (P - _outer(P[:, j], P[:, j] / P[:, j, j, None]))[:, left][:, :, left]
        else:
            P = None


class Refits:
    """E(S) for any fit: the mean error of refits to the columns in S."""

    def __init__(self, fit: Callable, X: Matrix, y, splits: list, error: Callable):
        self.X, self.y, self.d = X, y, X.shape[1]
        self.score = partial(cross_validate, fit, splits=splits, error=error)

    def errors(self, sets) -> Vector:
        """E of each set of features."""
        return np.array([self._error(list(s)) for s in sets])

    def _error(self, features: list) -> float:
        return self.score(self.X[:, features], self.y).mean if features else self.of_none

    @cached_property
    def of_none(self) -> float:
        """E of no feature, with which a search compares: of a fit to a column of zeros."""
        return self.score(np.zeros((len(self.X), 1)), self.y).mean

    def path(self, adding: bool) -> Iterator[tuple[int, float]]:
        """The feature to add, or to remove, for the least E, and this E, one at a time."""
        taken: list[int] = []
        rest = list(range(self.d))
        while rest:
            others = [[k for k in rest if k != j] for j in rest]
            errors = self.errors([[*taken, j] for j in rest] if adding else others)
            best = first_least(errors, self.of_none)
            taken.append(rest.pop(best))
            yield taken[-1], float(errors[best])


def refits(X: Matrix, Y: Matrix, splits) -> Refits:
    """What `Moments` computes, for more features than it is made for."""
    return Refits(_shortest, X, Y[:, 0], splits, _mean_square)


def _shortest(X: Matrix, y: Vector) -> SimpleNamespace:
    """Least squares with a bias, predicting numbers; of several w the shortest."""
    W, b, _ = smallest_squares(X, y[:, None], 0.0, True)
    return SimpleNamespace(predict=lambda X: X @ W[:, 0] + b[0])


def _mean_square(y: Vector, predicted: Vector) -> float:
    return float(np.mean((y - predicted) ** 2))
