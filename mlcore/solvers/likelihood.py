"""The mean losses of logistic and softmax regression, with what Newton's method needs."""

from collections.abc import Callable
from functools import partial

import numpy as np

from mlcore.arrays import Matrix, Vector
from mlcore.blocks import lazy, total


class Sums:
    """A function with its derivatives; what is known at v is not computed again.

    Both v and the answers are copied, so that either may be changed in place.
    """

    first: Callable[[Vector], tuple[float, Vector]]
    second: Callable[[Vector], Matrix]
    seen: bytes = b""  # the v of the value and gradient: bytes are cheap to compare
    bent: bytes = b""  # the v of the Hessian

    def value(self, v: Vector) -> float:
        key = v.tobytes()
        if key != self.seen:
            self.seen = b""  # nothing is half known if this is interrupted
            self.J, self.g = self.first(v)
            self.seen = key
        return self.J

    def gradient(self, v: Vector) -> Vector:
        self.value(v)
        return self.g.copy()

    def hessian(self, v: Vector) -> Matrix:
        self.value(v)
        if self.bent != self.seen:
            self.H = self.second(v)
            self.bent = self.seen
        return self.H.copy()


class MeanLoss(Sums):
    """The mean log loss + penalty @ w**2 / 2, for v = (w, b) or w alone.

    X, y     (n, d) examples and their labels -1 and +1, (n,) or (n, 1); in memory or lazy
    penalty  (d,) the price of each weight; b is free
    s        (n, 1) how often each example counts in the mean, if not once

    Lazy rows are read once for each v, for all sums.
    """

    def __init__(self, X: Matrix, y: Vector, penalty: Vector, *s: Matrix):
        self.rows = (X, y if y.ndim == 2 else y[:, None], *s)
        self.count = float(np.asarray(s[0].sum())) if s else len(X)
        self.penalty = np.asarray(penalty)

    def bend(self, v):
        """The penalty of each entry of v."""
        return np.append(self.penalty, np.zeros(len(v) - len(self.penalty)))

    def first(self, v):
        parts = [_loss, _curvature] if lazy(self.rows[0]) else [_loss]
        J, fall, *self.sums = total(partial(_each, parts=parts, v=v), *self.rows)
        pull = self.bend(v) * v
        return float(J / self.count + pull @ v / 2), pull - fall / self.count

    def second(self, v):
        (H,) = self.sums or total(partial(_curvature, v=v), *self.rows)
        return H / self.count + np.diag(self.bend(v))


def _each(*rows: Matrix, parts: list[Callable], v: Vector) -> list[np.ndarray]:
    return [sums for part in parts for sums in part(*rows, v=v)]


def _margins(X: Matrix, Y: Matrix, v: Vector) -> Vector:
    d = X.shape[1]
    return Y[:, 0] * (X @ v[:d] + v[d:].sum())


def _loss(X: Matrix, Y: Matrix, *s: Matrix, v: Vector) -> list[np.ndarray]:
    """The sum of ln(1 + exp(-z)), and of minus its derivatives by v."""
    z = _margins(X, Y, v)
    tail = np.exp(-np.abs(z))
    loss, pull = np.log1p(tail) - np.minimum(z, 0.0), Y[:, 0] / (1 + tail)
    pull *= np.where(z > 0, tail, 1.0)
    if s:
        loss, pull = loss * s[0][:, 0], pull * s[0][:, 0]
    return [loss.sum(), np.append(pull @ X, [pull.sum()] * (len(v) - X.shape[1]))]


def _curvature(X: Matrix, Y: Matrix, *s: Matrix, v: Vector) -> list[np.ndarray]:
    """The sum of the second derivatives by v."""
    tail = np.exp(-np.abs(_margins(X, Y, v)))
    root = np.sqrt(tail * s[0][:, 0] if s else tail) / (1 + tail)
    R = X * root[:, None]
    H = np.empty((len(v), len(v)))
    d = X.shape[1]
    H[:d, :d], H[d:, :d], H[d:, d:] = R.T @ R, root @ R, root @ root
    H[:d, d:] = H[d:, :d].T
    return [H]


class MeanSoftmax(Sums):
    """The mean softmax loss + lambda_ / 2 |W|**2, where v holds the K rows (w_k, b_k).

    X, Y  (n, d) examples, and (n, K) with a 1 in the column of each label
    """

    def __init__(self, X: Matrix, Y: Matrix, lambda_: float, *s: Matrix):
        self.A, self.Y = np.column_stack([X, np.ones(len(X))]), Y
        self.s = s[0] / s[0].mean() if s else np.ones((len(X), 1))
        penalty = np.append(np.full(X.shape[1], lambda_), 0.0)
        self.bend = np.tile(penalty, Y.shape[1])

    def first(self, v):
        n, K = self.Y.shape
        S = self.A @ v.reshape(K, -1).T
        self.P, logs = softmax(S)
        loss = np.mean((logs - (S * self.Y).sum(axis=1)) * self.s[:, 0])
        G = (self.s * (self.P - self.Y)).T @ self.A / n
        return float(loss + self.bend @ v**2 / 2), G.ravel() + self.bend * v

    def second(self, v):
        """Equal changes of all w_k leave the loss as it is, and gradients hold none.

        So any curvature given to such changes makes H regular and changes no step: here
        that of the squares of the columns, which have their units.
        """
        (n, K), r = self.Y.shape, self.A.shape[1]
        A = np.sqrt(self.s) * self.A
        B = (self.P[:, :, None] * A[:, None, :]).reshape(n, -1)
        H = np.kron(np.full((K, K), 1 / K**2), np.diag(np.sum(self.A**2, axis=0))) - B.T @ B
        for k in range(0, K * r, r):
            H[k : k + r, k : k + r] += A.T @ B[:, k : k + r]
        return H / n + np.diag(self.bend)


def softmax(S: Matrix) -> tuple[Matrix, Vector]:
    """exp(S) divided by its row sums, and the logarithm of these sums."""
    top = S.max(axis=1)
    P = np.exp(S - top[:, None])
    sums = P.sum(axis=1)
    return P / sums[:, None], top + np.log(sums)


def settled(X: Matrix, H: Matrix, p: Vector, K: int = 1) -> bool:
    """Whether the Newton step -p is one to a minimum, not down a way without an end.

    On such a way, however small the gap, each Newton step adds about 1 to margins.
    """
    d, steps = X.shape[1], p.reshape(K, -1)
    size = np.abs(X @ steps[:, :d].T + steps[:, d:].sum(axis=1))
    return bool(np.asarray(size.max()) <= 0.25 and np.isfinite(H).all())
