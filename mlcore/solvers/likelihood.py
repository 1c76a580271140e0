"""The mean losses of logistic and softmax regression, with what Newton's method needs."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mlcore.arrays import Matrix, Vector, asked, lazy, side_by_side
from mlcore.checks import NUMBERS
from mlcore.solvers.moments import blocks


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

    In the mean each example counts s times, s a number above 0 or a vector of them, of
    which only the ratios matter.
    An array that is not NumPy's, which is computed when asked, is asked once for all.
    """

    def __init__(self, Z: Matrix, y: Vector, penalty: Vector, s: Vector | float = 1.0):
        self.Z, self.y, self.penalty = Z, y, penalty
        self.s = s / np.mean(s) / len(Z)  # the mean is a sum with these weights
        self.pull = self.s * y

    def first(self, v):
        r = len(self.penalty)
        w, bend = v[:r], self.penalty * v[:r]
        z = self.y * (self.Z @ w + v[r:].sum())  # margins
        low = np.minimum(z, 0.0)
        self.tail = np.exp(low + low - z)  # exp(-|z|)
        self.share = 1 / (1 + self.tail)
        total = (self.s * (np.log1p(self.tail) - low)).sum()  # of ln(1 + exp(-z))
        slope = self.pull * np.exp(low - z) * self.share  # down, by the score
        fall, end = slope @ self.Z, slope.sum()
        if lazy(self.Z):
            total, fall, end, *self.sums = asked(total, fall, end, *self.curvatures())
        g = np.empty(len(v))
        g[:r], g[r:] = bend - fall, -end
        return float(total + bend @ w / 2), g

    def second(self, v):
        r, m = len(self.penalty), len(v)
        G, edge, corner = self.sums if lazy(self.Z) else self.curvatures()
        H = np.empty((m, m))
        H[:r, :r], H[r:, :r], H[:r, r:], H[r:, r:] = G, edge, edge[:, None], corner
        H.flat[: r * m : m + 1] += self.penalty
        return H

    def bends(self):
        """The second derivative of each example's part of the sum, by its score."""
        return self.s * self.tail * self.share**2

    def curvatures(self):
        """The sums that the Hessian is made of."""
        h = self.bends()
        return _gram(self.Z, np.sqrt(h)), h @ self.Z, h.sum()


class MeanSoftmax(Sums):
    """The mean softmax loss; v holds the K rows (w_k, b_k) end to end; s as above."""

    def __init__(self, Z: Matrix, Y: Matrix, penalty: Vector, s: Vector | float):
        self.A, self.Y = np.column_stack([Z, np.ones(len(Z))]), Y
        self.squares = np.mean(self.A**2, axis=0)
        self.s = np.broadcast_to(s / np.mean(s), len(Z))[:, None]
        self.bend = np.tile(np.append(penalty, 0.0), Y.shape[1])

    def first(self, v):
        S = self.A @ v.reshape(self.Y.shape[1], -1).T
        self.P, log_total = softmax(S)
        loss = np.mean(self.s[:, 0] * (log_total - (self.Y * S).sum(axis=1)))
        g = (self.s * (self.P - self.Y)).T @ self.A / len(S)
        return float(loss + self.bend @ v**2 / 2), g.ravel() + self.bend * v

    def second(self, v):
        """Equal changes of all w_k leave the loss as it is, and gradients hold none.

        So any curvature given to such changes makes H regular and changes no step: here
        that of the squares of the columns, which have their units.
        """
        (n, r), K = self.A.shape, self.Y.shape[1]
        H = np.kron(np.full((K, K), n / K**2), np.diag(self.squares))
        size = 64 + 2**17 // (K * r)  # rows that fit the cache
        for k in range(0, n, size):
            rows = slice(k, k + size)
            A, P = np.sqrt(self.s[rows]) * self.A[rows], self.P[rows]
            B = (P[:, :, None] * A[:, None, :]).reshape(len(A), -1)
            H -= B.T @ B
            for start in range(0, K * r, r):
                one = slice(start, start + r)
                H[one, one] += A.T @ B[:, one]
        return H / n + np.diag(self.bend)


class LazyMeanSoftmax(Sums):
    """The same of lazy examples: each block gives way to its share of all sums at once."""

    def __init__(self, Z: Matrix, Y: Matrix, penalty: Vector, s: Vector | float):
        share = np.ones_like(Z[:, 0]) * (s / np.mean(s) / len(Z))
        self.rows: Any = side_by_side(side_by_side(Z, Y), share[:, None])
        self.K, self.bend = Y.shape[1], np.tile(np.append(penalty, 0.0), Y.shape[1])

    def first(self, v):
        m = len(v)
        shares = self.rows.map_blocks(
            partial(_softmax_sums, v=v, K=self.K),
            chunks=(1, m * (m + 1) + 1),
            meta=NUMBERS,
        )
        (sums,) = asked(shares.sum(axis=0))
        self.curved = sums[1 + m :].reshape(m, m) + np.diag(self.bend)
        return float(sums[0] + self.bend @ v**2 / 2), sums[1 : 1 + m] + self.bend * v

    def second(self, v):
        return self.curved


def _softmax_sums(rows: Matrix, v: Vector, K: int) -> Matrix:
    """The share of a block in the value, the gradient and the Hessian, side by side."""
    Z, Y, share = np.split(rows, [-K - 1, -1], axis=1)
    J = MeanSoftmax(Z, Y, np.zeros(Z.shape[1]), share[:, 0])
    parts = [J.value(v)], J.gradient(v), J.hessian(v).ravel()
    return share.sum() * np.concatenate(parts)[None]


def _gram(Z: Matrix, root: Vector) -> Matrix:
    """The sum of root**2 x x.T over the rows x of Z, from blocks that fit the cache.

    An array that is not NumPy's is one block: it has blocks of its own.
    """
    parts = [slice(None)] if lazy(Z) else blocks(*Z.shape)
    if len(parts) == 1:
        R = Z * root[:, None]
        return R.T @ R
    work, G = np.empty(Z[parts[0]].shape), np.zeros(2 * Z.shape[1:])
    for rows in parts:
        R = np.multiply(Z[rows], root[rows, None], out=work[: len(Z[rows])])
        G += R.T @ R
    return G


def softmax(S: Matrix) -> tuple[Matrix, Vector]:
    """exp(S) divided by its row sums, and the logarithm of these sums."""
    top = S.max(axis=1)
    P = np.exp(S - top[:, None])
    total = P.sum(axis=1)
    return P / total[:, None], top + np.log(total)
