"""Logistic regression: how sure a hyperplane is, fitted by maximum likelihood."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlcore import losses
from mlcore.arrays import Matrix, Vector
from mlcore.checks import (
    check_array,
    check_flag,
    check_integer,
    check_labels,
    check_matrix,
    check_number,
    check_signs,
    check_vector,
)
from mlcore.linear import LinearRule
from mlcore.optim import newton, newton_direction

TINY = 1e-150  # a feature that varies less than this counts as constant


def sigmoid(z):
    """The probability 1 / (1 + exp(-z)) of a score z, of any shape, without overflow.

    Raises ValueError for nan.
    """
    return -losses.logistic.slope(-check_array("z", z))


def logit(p):
    """The log-odds ln(p / (1 - p)) of a probability p, of any shape.

    Raises ValueError unless 0 < p < 1.
    """
    p = check_array("p", p)
    wrong = p[(p <= 0) | (p >= 1)]
    if wrong.size:
        raise ValueError(f"p must be above 0 and below 1; got {wrong[0]!r}")
    middle = np.clip(p, 0.25, 0.75)  # there 2 p - 1 is exact, and ln would cancel
    return np.where(
        p == middle, 2 * np.arctanh(2 * middle - 1), np.log(p) - np.log1p(-p)
    )[()]


@dataclass(frozen=True, eq=False)
class LogisticFit(LinearRule):
    """The most likely rule, whose score w @ x + b is the log-odds of +1.

    values     (T + 1,) the objective at the start and after each step
    norms      (T + 1,) |w|, likewise
    converged  whether w, b is a minimum.  False for separable data with
               lambda_ = 0: there is none, and |w| grows from step to step
    """

    values: Vector
    norms: Vector
    converged: bool

    def probability(self, X: Matrix) -> Vector:
        """The probability of +1 for each row of X (n, d), as (n,)."""
        return sigmoid(self.decision_function(X))


def logistic(
    X: Matrix,
    y: Vector,
    *,
    lambda_: float = 0.0,
    bias: bool = True,
    tol: float = 1e-10,
    max_steps: int = 50,
) -> LogisticFit:
    """Find w, b with the least mean log loss + lambda_ / 2 |w|**2.

    X          (n, d) features, one example a row, in any units
    y          (n,) labels, -1 and +1, or 0 and 1
    lambda_    weight of the penalty, at least 0; b is free of it
    bias       whether b is learned; if False it stays 0
    tol        how far the objective may be from its minimum, at least 0,
               in nats for each example
    max_steps  Newton steps before giving up, at least 1

    Returns w (d,), b, and the objective and |w| at each step.  Look at
    `.converged` first.  Of several minima it is the one with the least |w|.
    With n >= 100 d the start is the fit to every tenth example, else 0.
    Raises ValueError for wrong shapes, nan, other labels, a number out of
    range.
    Source: Cox (1958); Hastie, Tibshirani and Friedman (2009), section
    4.4.1, the Newton steps as weighted least squares; Albert and Anderson
    (1984), when there is a minimum.
    """
    X = check_matrix("X", X)
    y = _signs(y, len(X))
    lambda_ = check_number("lambda_", lambda_, at_least=0.0)
    bias = check_flag("bias", bias)
    tol = check_number("tol", tol, at_least=0.0)
    max_steps = check_integer("max_steps", max_steps, at_least=1)
    space = _space(X, lambda_, bias)
    Z, penalty = space.Z, lambda_ / space.unit**2
    v = np.zeros(Z.shape[1] + bias)
    if _abundant(X):
        few = _mean_loss(Z[::10], y[::10], penalty)
        v = newton(*_parts(few), v, tol=1e-3, max_steps=10).w
    J = _parts(_mean_loss(Z, y, penalty))
    found = newton(*J, v, tol=tol, max_steps=max_steps)
    w, b = space.rule(found.w)
    norms = np.linalg.norm(found.path[:, : Z.shape[1]] / space.unit, axis=1)
    converged = found.converged and _settled(Z, found.w, *J[1:])
    return LogisticFit(w, b, found.values, norms, converged)


def _signs(y, n: int) -> Vector:
    """Labels of either coding as -1 and +1.  All 1 means +1 in both."""
    y = check_vector("y", y, length=n)
    if not (y == 0).any():
        return check_signs("y", y)
    wrong = y[(y != 0) & (y != 1)]
    if wrong.size:
        raise ValueError(
            f"y must hold only -1 and +1, or only 0 and 1; got 0 and {wrong[0]:g}"
        )
    return 2 * y - 1


def _mean_loss(Z: Matrix, y: Vector, penalty: Vector) -> Callable:
    """J(v) with its gradient and Hessian, all from one pass over the rows of Z."""
    n, r = Z.shape

    def J(v):
        total = sum(_sums(Z[rows], y[rows], v) for rows in _blocks(Z)) / n
        H = np.empty((len(v), len(v)))
        H[:r, :r] = total[: r * r].reshape(r, r)
        border, g, ends = np.split(total[r * r :], [r, 2 * r])
        if len(v) > r:
            H[r, :r], H[:r, r], H[r, r] = border, border, ends[1]
            g = np.append(g, ends[2])
        H.flat[: r * len(v) : len(v) + 1] += penalty
        g[:r] += penalty * v[:r]
        return float(ends[0] + penalty @ v[:r] ** 2 / 2), g, H

    return J


def _sums(Z: Matrix, y: Vector, v: Vector) -> Vector:
    """The sums over examples that J, gradient and Hessian are made of, end to end."""
    r = Z.shape[1]
    z = y * (Z @ v[:r] + v[r:].sum())  # margins
    tail = np.exp(-np.abs(z))
    loss = np.log1p(tail) + np.maximum(-z, 0.0)  # ln(1 + exp(-z))
    slope = -y * np.where(z > 0, tail, 1.0) / (1 + tail)  # by the score
    root = np.exp(-np.abs(z) / 2) / (1 + tail)  # squared: the curvature
    R = Z * root[:, None]
    ends = np.stack([loss.sum(), (root * root).sum(), slope.sum()])
    parts = (R.T @ R).ravel(), root @ R, slope @ Z, ends
    return np.asarray(np.concatenate(parts))


def _blocks(Z: Matrix) -> list[slice]:
    """Rows that fit into the cache.  An array that is not NumPy's has its own blocks."""
    n, r = Z.shape
    size = 64 + 2**15 // r if isinstance(Z, np.ndarray) else n
    return [slice(k, k + size) for k in range(0, n, size)]


def _parts(J: Callable) -> list[Callable]:
    """The three results of J as functions; at the point last seen they cost nothing."""
    last = [None, None]

    def part(k):
        def at(v):
            if last[0] is not v:
                last[:] = v, J(v)
            return last[1][k]

        return at

    return [part(0), part(1), part(2)]


def _settled(Z: Matrix, v: Vector, gradient: Callable, hessian: Callable) -> bool:
    """Whether v is near a minimum, not on a way along which the loss falls forever.

    On such a way, with a gap however small, each Newton step adds 1 to margins.
    """
    p, r = newton_direction(hessian(v), gradient(v)), Z.shape[1]
    moved = np.max(np.abs(Z @ p[:r] + p[r:].sum()))
    return bool(moved <= 0.1) and _least_pivot(hessian(v)) > 1e-14


def _least_pivot(H: Matrix) -> float:
    """The least squared pivot of H scaled to the diagonal 1; 0 if it is singular."""
    size = np.diagonal(H)
    if not (size.min() > 1e-200 and size.max() < 1e200):
        return 0.0
    unit = 1 / np.sqrt(size)
    try:
        pivots = np.diagonal(np.linalg.cholesky(unit[:, None] * H * unit))
    except np.linalg.LinAlgError:
        return 0.0
    return float(pivots.min() ** 2)


@dataclass(frozen=True, eq=False)
class _Space:
    """Coordinates for the scores: w @ x + b = v @ z + c, with independent columns z.

    Z       (n, r) the examples: (X - center) @ basis * unit**-1
    center  (d,) what was subtracted from the rows of X
    unit    (r,) the size of a column before the division
    lift    from v / unit to w, an isometry: |w| = |v / unit|
    """

    Z: Matrix
    center: Vector
    unit: Vector
    lift: Callable

    def rule(self, v: Vector) -> tuple[Vector, float]:
        """w, b of the coordinates v, the last of which is the bias if there is one."""
        w = self.lift(v[: len(self.unit)] / self.unit)
        return w, float(v[len(self.unit) :].sum() - self.center @ w)


def _abundant(X: Matrix) -> bool:
    """Whether a tenth of the rows is enough for a first fit."""
    return len(X) >= 100 * X.shape[1]


def _space(X: Matrix, lambda_: float, bias: bool) -> _Space:
    """X itself if its columns are independent, else coordinates that are."""
    n, d = X.shape
    if d <= n:
        some = X[::10] if _abundant(X) else X
        G = np.full((d + bias, d + bias), 1.0)
        with np.errstate(all="ignore"):
            G[:d, :d] = np.asarray(some.T @ some) / len(some) + 4 * lambda_ * np.eye(d)
        if bias:
            G[d, :d] = G[:d, d] = np.asarray(some.mean(axis=0))
        if _least_pivot(G) > 1e-10:
            return _Space(X, np.zeros(d), np.ones(d), lambda w: w)
    center = np.zeros(d)
    C = X
    if bias:
        C = X - X[0]  # measured from here, a constant column is exactly 0
        shift = C.mean(axis=0)
        center, C = X[0] + shift, C - shift
    return (_by_rows if d > n else _by_columns)(C, center, lambda_)


def _by_columns(C: Matrix, center: Vector, lambda_: float) -> _Space:
    """Leave out the directions in which no row of C differs from 0."""
    size = np.abs(C).max(axis=0)
    kept = np.flatnonzero(size > TINY)
    if not kept.size:
        kept, C, size = np.array([0]), np.zeros(C.shape), np.ones(len(size))
    basis = np.eye(len(size))[:, kept]
    D = C[:, kept] / size[kept]
    null = _null_vectors(D) / size[kept, None]
    if null.size:
        null = null / np.abs(null).max(axis=0)
        Q = np.linalg.qr(null, mode="complete")[0]
        basis = basis @ Q[:, null.shape[1] :]
    Z = C @ basis
    unit = np.maximum(np.abs(Z).max(axis=0), np.sqrt(lambda_))
    unit = np.where(unit > 0, unit, 1.0)
    return _Space(Z / unit, center, unit, lambda v: basis @ v)


def _by_rows(C: Matrix, center: Vector, lambda_: float) -> _Space:
    """The span of the n rows of C, by the eigenvectors of C @ C.T: r <= n columns."""
    size = np.abs(C).max()
    size = size if size > TINY else 1.0
    C = C / size
    eigenvalues, U = np.linalg.eigh(C @ C.T)
    keep = eigenvalues > 10 * len(C) * np.finfo(float).eps * eigenvalues[-1]
    keep[-1] = True
    root, U = np.sqrt(np.maximum(eigenvalues[keep], 0.0)), U[:, keep]
    unit = np.maximum(size * root, np.sqrt(lambda_))
    unit = np.where(unit > 0, unit, 1.0)
    root_ = np.where(root > 0, root, 1.0)
    Z = U * (size * root / unit)
    return _Space(Z, center, unit, lambda v: C.T @ (U @ (v / root_)))


def _null_vectors(D: Matrix) -> Matrix:
    eigenvalues, U = np.linalg.eigh(D.T @ D)
    return U[:, eigenvalues <= 10 * len(U) * np.finfo(float).eps * eigenvalues[-1]]


@dataclass(frozen=True, eq=False)
class SoftmaxFit:
    """K scores w_k @ x + b_k, and the probabilities that are made of them.

    classes    (K,) the labels, sorted
    W          (K, d) the weights of each class, which sum to 0 over the classes
    b          (K,) the biases, which also do
    values     (T + 1,) the objective at the start and after each step
    converged  whether it is a minimum; False if lambda_ = 0 and there is none
    """

    classes: np.ndarray
    W: Matrix
    b: Vector
    values: Vector
    converged: bool

    def decision_function(self, X: Matrix) -> Matrix:
        """The scores of the rows of X (n, d), as (n, K)."""
        return check_matrix("X", X, columns=self.W.shape[1]) @ self.W.T + self.b

    def probability(self, X: Matrix) -> Matrix:
        """The probability of each class for each row of X, (n, K); rows sum to 1."""
        return _softmax(self.decision_function(X))[0]

    def predict(self, X: Matrix) -> np.ndarray:
        """The class with the highest score, of equals the first, as (n,)."""
        return self.classes[self.decision_function(X).argmax(axis=1)]


def softmax_regression(
    X: Matrix, labels, *, lambda_: float = 0.0, tol: float = 1e-10, max_steps: int = 50
) -> SoftmaxFit:
    """Find W, b with the least mean -ln p(label) + lambda_ / 2 sum of W**2.

    X          (n, d) features, one example a row, in any units
    labels     (n,) labels of any kind, at least two classes
    lambda_    weight of the penalty, at least 0; b is free of it
    tol        how far the objective may be from its minimum, at least 0,
               in nats for each example
    max_steps  Newton steps before giving up, at least 1

    Returns W (K, d), b (K,), the classes, and the objective at each step.
    Look at `.converged` first.  The Hessian has (K (d + 1))**2 entries.
    Raises ValueError for wrong shapes, nan, one class, a number out of
    range.
    Source: Bishop (2006), section 4.3.4.
    """
    X = check_matrix("X", X)
    labels = check_labels("labels", labels, length=len(X))
    lambda_ = check_number("lambda_", lambda_, at_least=0.0)
    tol = check_number("tol", tol, at_least=0.0)
    max_steps = check_integer("max_steps", max_steps, at_least=1)
    classes, index = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"labels must hold two classes or more; got {classes}")
    space = _space(X, lambda_, True)
    Y = np.eye(len(classes))[index]
    J = _parts(_mean_softmax(space.Z, Y, lambda_ / space.unit**2))
    v = np.zeros(len(classes) * (space.Z.shape[1] + 1))
    found = newton(*J, v, tol=tol, max_steps=max_steps)
    rules = [space.rule(v) for v in found.w.reshape(len(classes), -1)]
    W, b = (np.array(part) for part in zip(*rules, strict=True))
    converged = found.converged and _settled_softmax(space.Z, found.w, *J[1:])
    return SoftmaxFit(classes, W, b, found.values, converged)
