"""Greedy selection of features by cross-validation.

`LeastSquaresCV` and `RefitCV` compute the same error E(S) of a set S of features: for least
squares from sums of products, for any other fit by fitting it again.
"""

from collections.abc import Callable, Generator, Iterator
from functools import cached_property, partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from mlcore.arrays import Matrix, Vector, centered, ratio
from mlcore.solvers.normal_equations import min_norm_least_squares
from mlcore.validation import cross_validate

SINGULAR_TOL = 1e-8  # a feature is dependent if the others explain all but this fraction
CONSTANT_TOL = 1e-12  # a feature is constant if its variation / sum of squares is below
TIE_TOL = 1e-10  # errors closer than this fraction of E of the empty set count as equal
BATCH_SIZE = 64  # sets that are evaluated together: each needs its products for each split

# yields, for each step, E of all candidates and whether it is exact; receives the choice
StepErrors = Generator[tuple[Vector, Any], int | None, None]


def argmin_with_ties(errors: Vector, scale: float) -> int:
    """Return the index of the smallest error; of errors equal up to rounding, the first.

    Equal columns have equal errors, but floating point sums differ between processors.
    """
    return int(np.argmax(errors <= errors.min() + TIE_TOL * scale))


class LeastSquaresCV:
    """E(S) for least squares with a bias: the mean over splits of the mean squared error.

    train, test  the Gram matrices of the d features and y on F training and test sets,
                 (F, d + 1, d + 1), normalized
    refit        computes E if features are nearly dependent or constant on a training set,
                 with weights of minimum norm; None: treat them as dependent or constant
    """

    def __init__(self, train, test, refit: "RefitCV | None" = None, constant=None):
        """Normalize products (F, d + 2, d + 2) of d features, y and a column of ones.

        constant  (F, d) True for a feature that is exactly constant on a training set
        """
        self.max_rank, self.refit = train[:, -1, -1].min() - 1, refit
        self.train, self.test = _normalize(train, test, constant)
        self.d = self.train.shape[1] - 1

    def errors(self, sets) -> Vector:
        """Compute E of each set of features; the sets must have the same size."""
        sets = np.array([list(features) for features in sets], dtype=int)
        if self.refit and sets.shape[1] > self.max_rank:
            return self.refit.errors(sets)
        batches = [sets[i : i + BATCH_SIZE] for i in range(0, len(sets), BATCH_SIZE)]
        return np.concatenate([self._errors(batch) for batch in batches])

    def _errors(self, sets: np.ndarray) -> Vector:
        """Solve the normal equations of all splits for B sets (B, k)."""
        rows, columns = sets[:, :, None], sets[:, None, :]
        P, singular = _pseudo_inverses(self.train[:, rows, columns])
        w = np.einsum("fbij,fbj->fbi", P, self.train[:, sets, -1])
        g = np.einsum("fbij,fbj->fbi", self.test[:, rows, columns], w)
        explained = np.sum(w * (2 * self.test[:, sets, -1] - g), axis=-1)
        errors = _mean_over_splits(self.test[:, -1, -1, None] - explained)
        if self.refit and singular.any():
            errors[singular] = self.refit.errors(sets[singular])
        return errors

    def path(self, adding: bool) -> Iterator[tuple[int, float]]:
        """Yield the best feature to add or remove, and its E, at each step."""
        steps = _additions(self) if adding else _removals(self)
        return _path(steps, self.refit, self.d, adding=adding, scale=self.errors([()])[0])


def least_squares_cv(X: Matrix, y: Vector, splits: list) -> LeastSquaresCV:
    """Compute the products of all splits."""
    Z, _ = centered(np.column_stack([X, y]))
    A = np.column_stack([Z, np.ones(len(Z))])
    products = [[B.T @ B for B in (A[train], A[test])] for train, test in splits]
    train, test = np.stack(products, axis=1)
    constant = np.array([np.ptp(X[rows], axis=0) == 0 for rows, _ in splits])
    return LeastSquaresCV(train, test, least_squares_refits(X, y, splits), constant)


def _mean_over_splits(squares: np.ndarray) -> Vector:
    """Average mean squares (F, B) over the splits."""
    return np.maximum(squares, 0.0).mean(axis=0)


def _normalize(train, test, constant) -> tuple[np.ndarray, ...]:
    """Center by the training means, scale features to length 1, average test products.

    A feature that is constant on a training set gets a row and column of the identity in
    `train`, so its weight is 0.  A feature that varies too little to exclude rounding error
    gets zeros, so all sets with it are singular and refitted.
    """
    mean = train[:, -1, :-1] / train[:, -1, -1, None]
    grams = []
    for G in train, test:
        cross = _outer(mean, G[:, -1, :-1] - mean * G[:, -1, -1, None] / 2)
        grams.append(G[:, :-1, :-1] - cross - np.swapaxes(cross, 1, 2))
    square, total = _diagonals(grams[0]), _diagonals(train + test)[:, :-1]
    varies = square > (CONSTANT_TOL if constant is None else SINGULAR_TOL) * total
    factor = ratio(1.0, np.sqrt(np.maximum(square, 0.0)), where=varies)
    factor[:, -1] = 1.0  # y keeps its unit
    grams[1] /= test[:, -1:, -1:]
    train, test = (gram * _outer(factor, factor) for gram in grams)
    f, j = np.nonzero(factor[:, :-1] == 0 if constant is None else constant)
    train[f, j, j] = 1.0
    return train, test


def _outer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a[:, :, None] * b[:, None, :]


def _diagonals(A: np.ndarray) -> np.ndarray:
    return np.diagonal(A, axis1=1, axis2=2)


def _pseudo_inverses(G: np.ndarray) -> tuple[np.ndarray, Any]:
    """Invert G (F, ..., k, k) without tiny eigenvalues; also return which sets had any."""
    values, U = np.linalg.eigh(G)
    kept = values > SINGULAR_TOL * values[..., -1:]
    inverse = np.reciprocal(np.where(kept, values, np.inf))
    P = (U * inverse[..., None, :]) @ np.swapaxes(U, -1, -2)
    return P, ~kept.all(axis=(0, -1))


def _additions(cv: LeastSquaresCV) -> StepErrors:
    """Yield E after each addition, and whether it is exact; receive the chosen feature.

    G and H are the Gram matrices, on the training and on the test sets, of the residuals of
    the features and y after regression on the chosen features (on the training set).
    `rounding` is 1e8 times a bound on the errors of the diagonal of G.
    """
    G, H, rest = cv.train, cv.test, np.arange(cv.d + 1) < cv.d
    rounding = np.full(G.shape[:2], SINGULAR_TOL)
    while True:
        D = _diagonals(G)
        known = rounding < D
        slope = ratio(G[:, :, -1], D, where=known)
        explained = slope * (2 * H[:, :, -1] - slope * _diagonals(H))
        errors = np.where(rest, _mean_over_splits(H[:, -1:, -1] - explained), np.inf)
        j = yield errors, known.all(axis=0)
        rest[j] = False
        m = ratio(G[:, j], D[:, j, None], where=known[:, j, None])
        half = _outer(m, H[:, j] - m * H[:, j, j, None] / 2)
        G, H = G - _outer(m, G[:, j]), H - half - np.swapaxes(half, 1, 2)
        rounding = rounding + m**2 * rounding[:, j, None]


def _removals(cv: LeastSquaresCV) -> StepErrors:
    """Yield E after each removal, and whether it is exact; receive the chosen feature.

    Without feature j, w becomes w - w_j P[:, j] / P[j, j]; P inverts the training products.
    """
    rest, P = np.arange(cv.d + 1), None  # y is the last column
    while True:
        block = np.ix_(np.arange(len(cv.train)), rest, rest)
        G, H = cv.train[block], cv.test[block]
        exact, errors = P is not None, np.full(cv.d + 1, np.inf)
        if P is None:
            P, singular = _pseudo_inverses(G[:, :-1, :-1])
            exact = not singular
        if exact:
            A = np.zeros_like(G)  # residuals as combinations of columns, as in _additions
            A[:, :-1, :-1] = P
            A[:, :-1, -1:], A[:, -1, -1] = -P @ G[:, :-1, -1:], 1.0
            # column j of V: the residual of y without feature j
            V = A[:, :, -1:] - A * (A[:, :, -1] / _diagonals(A))[:, None]
            errors[rest[:-1]] = _mean_over_splits(np.sum(V * (H @ V), axis=1))[:-1]
        chosen = yield errors, np.full(len(errors), exact)
        kept = rest[:-1] != chosen
        j = int(np.argmin(kept))
        rest = np.delete(rest, j)
        if exact:  # update the inverse for G without row and column j
            P = (P - _outer(P[:, j], P[:, j] / P[:, j, j, None]))[:, kept][:, :, kept]
        else:
            P = None


def _refits(d: int) -> StepErrors:
    """Yield no exact errors, so that each of the d features is refitted."""
    while True:
        yield np.full(d, np.inf), np.zeros(d, dtype=bool)


def _path(
    steps: StepErrors, refit: "RefitCV | None", d: int, *, adding: bool, scale: float
):
    """Yield the best feature to add or remove, and its E; refit where E is not exact."""
    taken: list[int] = []
    rest, j = list(range(d)), None
    while rest:
        errors, exact = steps.send(j)
        inexact = [j for j in rest if not exact[j]]
        if refit and inexact:
            if adding:
                sets = [[*taken, j] for j in inexact]
            else:
                sets = [[k for k in rest if k != j] for j in inexact]
            errors[inexact] = refit.errors(sets)
        j = argmin_with_ties(errors, scale)
        taken.append(j)
        rest.remove(j)
        yield j, float(errors[j])
        if refit and adding and not exact[j]:  # all later products are rounding errors
            steps, j = _refits(d), None


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
        """E of the empty set, from a fit to a column of zeros."""
        return self.score(np.zeros((len(self.X), 1)), self.y).mean

    def path(self, adding: bool) -> Iterator[tuple[int, float]]:
        """Yield the best feature to add or remove, and its E, at each step."""
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


def search(cv, *, tol: float, n_features: int | None, adding: bool) -> dict[str, Any]:
    """Add or remove one feature at a time; return the fields of a `Selection`.

    cv  a `LeastSquaresCV` or a `RefitCV`
    """
    steps = n_features if n_features is None or adding else cv.d - n_features
    (empty,), (full,) = cv.errors([()]), cv.errors([range(cv.d)])
    order: list[int] = []
    errors = [float(empty if adding else full)]
    path = cv.path(adding) if steps != 0 else ()
    for feature, error in path:
        if steps is None and not error < errors[-1] - tol * empty:
            break
        order.append(feature)
        errors.append(error)
        if len(order) == steps:
            break
    features = order if adding else sorted(set(range(cv.d)) - set(order))
    found = {"features": tuple(features), "order": tuple(order), "errors": np.array(errors)}
    return found | {"empty": float(empty), "all": float(full)}
