"""The mean losses of logistic and softmax regression, with what Newton's method needs."""

from collections.abc import Callable

import numpy as np

from mlcore.arrays import Matrix, Vector, lazy


class Sums:
    """A function with its derivatives; what is known at v is not computed again.

    Both v and the answers are copied, so that either may be changed in place.
    """

    first: Callable[[Vector], tuple[float, Vector]]
    second: Callable[[Vector], Matrix]
    seen: Vector = np.empty(0)  # the v of the value and gradient
    bent: Vector = np.empty(0)  # the v of the Hessian

    def value(self, v: Vector) -> float:
        if not np.array_equal(v, self.seen):
            self.seen = np.empty(0)  # nothing is half known if this is interrupted
            self.J, self.g = self.first(v)
            self.seen = np.array(v)
        return self.J

    def gradient(self, v: Vector) -> Vector:
        self.value(v)
        return self.g.copy()

    def hessian(self, v: Vector) -> Matrix:
        self.value(v)
        if not np.array_equal(v, self.bent):
            self.H = self.second(v)
            self.bent = self.seen
        return self.H.copy()


class MeanLoss(Sums):
    """The mean log loss + penalty @ w**2 / 2, for v = (w, b) or w alone.

    In the mean each example counts s times, s a number above 0 or a vector of them.
    An array that is not NumPy's, which is computed when asked, is asked once for all.
    """

    def __init__(self, Z: Matrix, y: Vector, penalty: Vector, s: Vector | float = 1.0):
        self.Z, self.y, self.penalty = Z, y, penalty
        self.s = s / np.mean(s)

    def first(self, v):
        w, b = np.split(v, [len(self.penalty)])
        z = self.y * (self.Z @ w + b.sum())  # margins
        tail = np.exp(-np.abs(z))
        share = 1 / (1 + tail)
        loss = self.s * (np.log1p(tail) + np.maximum(-z, 0.0))  # ln(1 + exp(-z))
        slope = -self.s * self.y * np.where(z > 0, tail, 1.0) * share  # by the score
        self.root = np.sqrt(self.s * tail) * share  # squared: the curvature
        sums = np.concatenate([slope @ self.Z, np.stack([slope.sum(), loss.sum()])])
        if lazy(self.Z):
            sums = np.asarray(np.concatenate([sums, self.curvatures()]))
            self.bends = sums[len(w) + 2 :]
        g, (end, total) = sums[: len(w)], sums[len(w) : len(w) + 2]
        g = np.append(g / len(z) + self.penalty * w, end / len(z))[: len(v)]
        return float(total / len(z) + self.penalty @ w**2 / 2), g

    def second(self, v):
        r = len(self.penalty)
        sums = (self.bends if lazy(self.Z) else self.curvatures()) / len(self.y)
        H = np.empty((r + 1, r + 1))
        H[:r, :r] = sums[: r * r].reshape(r, r)
        H[r, :] = H[:, r] = sums[r * r :]
        H.flat[: r * (r + 2) : r + 2] += self.penalty
        return H[: len(v), : len(v)]

    def curvatures(self):
        """The sums that the Hessian is made of, end to end."""
        h = self.root * self.root
        parts = _gram(self.Z, self.root).ravel(), h @ self.Z, np.stack([h.sum()])
        return np.concatenate(parts)


class MeanSoftmax(Sums):
    """The mean softmax loss; v holds the K rows (w_k, b_k) end to end; s as above."""

    def __init__(self, Z: Matrix, Y: Matrix, penalty: Vector, s: Vector | float = 1.0):
        self.A, self.Y = np.column_stack([Z, np.ones(len(Z))]), Y
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

        So any curvature given to such changes makes H regular and changes no step.
        """
        (n, r), K = self.A.shape, self.Y.shape[1]
        H = np.kron(np.full((K, K), n / K**2), np.diag(np.mean(self.A**2, axis=0)))
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


def _gram(Z: Matrix, root: Vector) -> Matrix:
    """The sum of root**2 x x.T over the rows x of Z, from blocks that fit the cache.

    An array that is not NumPy's is one block: it has blocks of its own.
    """
    if lazy(Z):
        R = Z * root[:, None]
        return R.T @ R
    n, r = Z.shape
    size = 64 + 2**16 // r
    work, G = np.empty((size, r)), np.zeros((r, r))
    for k in range(0, n, size):
        rows = Z[k : k + size]
        R = np.multiply(rows, root[k : k + size, None], out=work[: len(rows)])
        G += R.T @ R
    return G


def softmax(S: Matrix) -> tuple[Matrix, Vector]:
    """exp(S) divided by its row sums, and the logarithm of these sums."""
    top = S.max(axis=1)
    P = np.exp(S - top[:, None])
    total = P.sum(axis=1)
    return P / total[:, None], top + np.log(total)
