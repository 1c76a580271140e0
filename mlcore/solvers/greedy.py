"""Greedy selection of features by cross-validation.

`LeastSquaresCV` and `RefitCV` compute the same error E(S) of a set S of features: for least
squares from sums of products, for any other fit by fitting it again.
"""

from collections.abc import Callable, Generator, Iterator
from functools import cached_property, partial
from itertools import chain
from types import SimpleNamespace

import numpy as np

from mlcore.arrays import EPS, Matrix, Vector, centered, ratio, sum_over_rows
from mlcore.solvers.normal_equations import SIMILAR, min_norm_least_squares
from mlcore.validation import cross_validate

SINGULAR = 1e-8  # a feature with less than this fraction of its variance is dependent
CONSTANT = 1e-12  # a feature with less than this fraction of its squares is constant
ROUNDING = 1e-10  # errors closer than this fraction of E of no feature count as equal
BATCH = 64  # sets that are evaluated together: each needs its products for each split

Walk = Generator[tuple[Vector, np.ndarray], int | None, None]


def argmin_with_ties(errors: Vector, scale: float) -> int:
    """Return the index of the smallest error; of errors equal up to rounding, the first.

    Equal columns have equal errors, but floating point sums differ between processors.
    """
    return int(np.argmax(errors <= errors.min() + ROUNDING * scale))


class LeastSquaresCV:
    """E(S) for least squares with a bias: the mean over the splits of the mean square.

    Features that depend linearly on others on a training set do not change its minimal
    error.  With n features and at most n training examples, the weights have minimum
    norm.
    """

    def __init__(self, train, test, refit: "RefitCV | None" = None, max_rank=np.inf):
        """Normalize the products of all splits.

        train, test  (F, d + 2, d + 2) products of d features, y and a column of ones
        refit        refits sets that are larger than max_rank, (F,), or too ill-conditioned
                     for the products; None: nearly dependent features count as dependent
        """
        self.train, self.test, self.length = _normalize(train, test)
        self.d = self.train.shape[1] - 1
        self.refit, self.max_rank = refit, max_rank

    def errors(self, sets) -> Vector:
        """Compute E of each set of features; the sets must have the same size."""
        sets = np.array([list(features) for features in sets], dtype=int)
        if self.refit is not None and sets.shape[1] > np.min(self.max_rank):
            return self.refit.errors(sets)
        batches = [sets[i : i + BATCH] for i in range(0, len(sets), BATCH)]
        return np.concatenate([self._errors(batch) for batch in batches])

    def _errors(self, sets: np.ndarray) -> Vector:
        """Solve the normal equations of all splits for B sets (B, k)."""
        rows, columns = sets[:, :, None], sets[:, None, :]
        P, null = _pseudo_inverses(self.train[:, rows, columns])
        w = np.einsum("fbij,fbj->fbi", P, self.train[:, sets, -1])
        g = np.einsum("fbij,fbj->fbi", self.test[:, rows, columns], w)
        explained = np.sum(w * (2 * self.test[:, sets, -1] - g), axis=-1)
        errors = _mean_over_splits(self.test[:, -1, -1, None] - explained)
        if self.refit is not None and null is not None:
            for b, ranks in enumerate(_ranks(null).T):
                if not self.is_exact(sets[b], ranks):
                    errors[b] = self.refit.errors(sets[b : b + 1])[0]
        return errors

    def is_exact(self, features, ranks: Vector) -> bool:
        """Check that small eigenvalues of the products are rounding errors of 0.

        ranks  (F,) the numbers of larger eigenvalues
        """
        if self.refit is None or (ranks == len(features)).all():
            return True
        A, _ = centered(self.refit.X[:, features])
        length = np.linalg.norm(A, axis=0)
        sizes = np.linalg.svd(ratio(A, length, where=length > 0), compute_uv=False)
        large, zero = sizes > 1e-4 * sizes[0], sizes <= EPS * max(A.shape) * sizes[0]
        expected = np.minimum(large.sum(), self.max_rank)
        return bool((large | zero).all() and (ranks == expected).all())

    def path(self, adding: bool) -> Iterator[tuple[int, float]]:
        """Yield the best feature to add or remove, and then E, at each step."""
        walk = _additions(self) if adding else _removals(self)
        return _path(walk, self.refit, self.d, adding=adding, scale=self.errors([()])[0])


def least_squares_cv(X: Matrix, y: Vector, splits: list) -> LeastSquaresCV:
    """Compute the products of all splits."""
    Z, mask = np.column_stack([X, y]), fold_mask(splits, len(X))
    first = Z[0]  # relative to the first row, a constant column is exactly 0
    (sums,) = sum_over_rows(lambda Z: [np.sum(Z - first, axis=0)], Z)
    products = sum_over_rows(partial(split_products, shift=first + sums / len(Z)), Z, mask)
    return LeastSquaresCV(
        train=np.stack(products[0::2]),
        test=np.stack(products[1::2]),
        refit=least_squares_refits(X, y, splits),
        max_rank=np.array([len(train) - 1 for train, _ in splits]),
    )


def _mean_over_splits(squares: np.ndarray) -> Vector:
    """Average mean squares (F, B) over the splits."""
    return np.maximum(squares, 0.0).mean(axis=0)


def fold_mask(splits: list, n: int) -> np.ndarray:
    """Mark the rows of the training set and of the test set of each split, (n, 2 F)."""
    mask = np.zeros((n, 2 * len(splits)), dtype=bool)
    for column, rows in zip(mask.T, chain(*splits), strict=True):
        column[rows] = True
    return mask


def split_products(Z: Matrix, mask: np.ndarray, shift: Vector) -> list[Matrix]:
    """Multiply the columns of [Z - shift, 1] over the rows of each part."""
    A = np.column_stack([Z - shift, np.ones(len(Z))])
    parts = [A[column > 0] for column in mask.T]
    return [B.T @ B for B in parts]


def _normalize(train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, ...]:
    """Center by the training means, scale features to training length 1, average the test.

    Returns the products, (F, d + 1, d + 1) each, and the training lengths (F, d + 1), for y
    1.  A feature that is constant on a training set becomes 0 there.
    """
    mean = train[:, -1, :-1] / train[:, -1, -1, None]
    grams = []
    for G in train, test:
        cross = _outer(mean, G[:, -1, :-1] - mean * G[:, -1, -1, None] / 2)
        grams.append(G[:, :-1, :-1] - cross - np.swapaxes(cross, 1, 2))
    square, total = _diagonals(grams[0]), _diagonals(train + test)[:, :-1]
    varies = square > CONSTANT * total
    factor = ratio(1.0, np.sqrt(np.maximum(square, 0.0)), where=varies)
    factor[:, -1] = 1.0  # y keeps its unit
    grams[1] /= test[:, -1:, -1:]
    train, test = (gram * _outer(factor, factor) for gram in grams)
    return train, test, ratio(1.0, factor, where=factor > 0)


def _outer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, :, None] * b[:, None, :]


def _diagonals(A: np.ndarray) -> np.ndarray:
    return np.diagonal(A, axis1=1, axis2=2)


def _pseudo_inverses(G: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Compute the pseudo-inverses of G (..., k, k), and the projectors on the null spaces.

    The projectors are None if no matrix is singular.
    """
    values, U = np.linalg.eigh(G)
    kept = values > SINGULAR * values[..., -1:]
    inverse = np.reciprocal(np.where(kept, values, np.inf))
    P = (U * inverse[..., None, :]) @ np.swapaxes(U, -1, -2)
    if kept.all():
        return P, None
    return P, (U * ~kept[..., None, :]) @ np.swapaxes(U, -1, -2)


def _ranks(null: np.ndarray) -> np.ndarray:
    """Compute the ranks of matrices from the projectors on their null spaces."""
    return null.shape[-1] - np.rint(np.trace(null, axis1=-2, axis2=-1))


def _additions(cv: LeastSquaresCV) -> Walk:
    """Yield E after each addition, and whether it is exact; receive the chosen feature.

    G and H are the products, on the training and on the test sets, of the residuals of the
    features and of y, after a fit of the chosen features to the training set.  `rounding`
    bounds, times 1e8, the errors of the diagonal of G.
    """
    G, H, rest = cv.train, cv.test, np.arange(cv.d + 1) < cv.d
    rounding, constant = np.full(G.shape[:2], SINGULAR), _diagonals(G) == 0
    while True:
        D = _diagonals(G)
        known = rounding < D
        slope = ratio(G[:, :, -1], D, where=known)
        explained = slope * (2 * H[:, :, -1] - slope * _diagonals(H))
        errors = np.where(rest, _mean_over_splits(H[:, -1:, -1] - explained), np.inf)
        j = yield errors, (known | constant).all(axis=0)
        rest[j] = False
        m = ratio(G[:, j], D[:, j, None], where=known[:, j, None])
        half = _outer(m, H[:, j] - m * H[:, j, j, None] / 2)
        G, H = G - _outer(m, G[:, j]), H - half - np.swapaxes(half, 1, 2)
        rounding = rounding + m**2 * rounding[:, j, None]


def _removals(cv: LeastSquaresCV) -> Walk:
    """Yield E after each removal, and whether it is exact; receive the chosen feature.

    Without feature j the weights are w - w_j R[:, j] / R[j, j], where R is the inverse of
    the training products; if j depends on others, it is the projector on the null space.
    """
    rest, P, exact = np.arange(cv.d + 1), None, True  # y is the last column
    while True:
        block = np.ix_(np.arange(len(cv.train)), rest, rest)
        G, H = cv.train[block], cv.test[block]
        if P is None:
            unit = np.ones_like(cv.length[:, rest])
            if len(rest) - 1 > np.min(cv.max_rank):  # the minimum norm depends on units
                unit = cv.length[:, rest]
            G, H = G * _outer(unit, unit), H * _outer(unit, unit)
            P, null = _pseudo_inverses(G[:, :-1, :-1])
            exact = null is None or cv.is_exact(rest[:-1], _ranks(null))
            unit = unit[:, :-1][unit[:, :-1] > 0]
            exact = exact and unit.max(initial=1) < SIMILAR * unit.min(initial=1)
            if null is not None:  # a feature depends on others, or its share is 0
                share = _diagonals(null)
                exact = exact and bool(((share > 1e-8) | (share < 1e-13)).all())
        A = np.zeros_like(G)  # residuals as combinations of columns, as in _additions
        A[:, :-1, :-1] = P
        if null is not None:
            np.copyto(A[:, :-1, :-1], null, where=(_diagonals(null) > 1e-8)[:, None])
        A[:, :-1, -1:], A[:, -1, -1] = -P @ G[:, :-1, -1:], 1.0
        # column j of V: the residual of y without feature j
        V = A[:, :, -1:] - A * (A[:, :, -1] / _diagonals(A))[:, None]
        errors = np.full(cv.d + 1, np.inf)
        errors[rest] = _mean_over_splits(np.sum(V * (H @ V), axis=1))
        errors[-1] = np.inf
        chosen = yield errors, np.full(len(errors), exact)
        kept = rest[:-1] != chosen
        j = int(np.argmin(kept))
        rest = np.delete(rest, j)
        if null is None:  # update the inverse for G without row and column j
            P = (P - _outer(P[:, j], P[:, j] / P[:, j, j, None]))[:, kept][:, :, kept]
        else:
            P = None


def _refits(d: int) -> Walk:
    """Leave the errors of all d features to refits."""
    while True:
        yield np.full(d, np.inf), np.zeros(d, dtype=bool)


def _path(walk: Walk, refit: "RefitCV | None", d: int, *, adding: bool, scale: float):
    """Yield the best feature to add or remove, and then E; refit where E is not exact."""
    taken, rest, j = list[int](), list(range(d)), None
    while rest:
        errors, exact = walk.send(j)
        doubtful = [j for j in rest if not exact[j]]
        if refit and doubtful:
            sets = [
                [*taken, j] if adding else [k for k in rest if k != j] for j in doubtful
            ]
            errors[doubtful] = refit.errors(sets)
        j = argmin_with_ties(errors, scale)
        taken.append(j)
        rest.remove(j)
        yield j, float(errors[j])
        if refit and adding and not exact[j]:  # all later products are rounding errors
            walk, j = _refits(d), None


class RefitCV:
    """E(S) for any fit: the mean error of refits to the columns in S."""

    def __init__(self, fit: Callable, X: Matrix, y, splits: list, error: Callable):
        self.X, self.y, self.d = X, y, X.shape[1]
        self.score = partial(cross_validate, fit, splits=splits, error=error)

    def errors(self, sets) -> Vector:
        """Compute E of each set of features."""
        return np.array([self._error(list(features)) for features in sets])

    def _error(self, features: list) -> float:
        return self.score(self.X[:, features], self.y).mean if features else self.baseline

    @cached_property
    def baseline(self) -> float:
        """E of no feature: that of a fit to a column of zeros."""
        return self.score(np.zeros((len(self.X), 1)), self.y).mean

    def path(self, adding: bool) -> Iterator[tuple[int, float]]:
        """Yield the best feature to add or remove, and then E, at each step."""
        return _path(_refits(self.d), self, self.d, adding=adding, scale=self.baseline)


def least_squares_refits(X: Matrix, y: Vector, splits: list) -> RefitCV:
    """Compute the errors of `least_squares_cv` by refits, for many features."""
    return RefitCV(_fit_least_squares, X, y, splits, _mean_square)


def _fit_least_squares(X: Matrix, y: Vector) -> SimpleNamespace:
    """Fit least squares with a bias, of minimum norm, to predict numbers."""
    first = X[0]  # relative to it, predictions far from the origin do not lose digits
    X, Y, ones = X - first, y[:, None], np.ones(len(X))
    W, b, _ = min_norm_least_squares(X, Y, ones, lambda_=0.0, bias=True)
    return SimpleNamespace(predict=lambda X: (X - first) @ W[:, 0] + b[0])


def _mean_square(y: Vector, predicted: Vector) -> float:
    return float(np.mean((y - predicted) ** 2))
