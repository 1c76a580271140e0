"""The mean losses of logistic and softmax regression, and the minimum of the former."""

from collections.abc import Callable
from functools import partial

import numpy as np

from mlcore import losses
from mlcore.arrays import Matrix, Vector
from mlcore.blocks import lazy, total
from mlcore.solvers.descent import Descent, descent, newton_steps

LARGE = 2e7  # products that a Hessian takes: from here on cheaper steps are tried first


class MeanLoss:
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

    def __call__(self, v):
        """The value at v, and functions for the gradient and the Hessian there."""
        parts = [_loss, _curvature] if lazy(self.rows[0]) else [_loss]
        J, fall, *sums = total(partial(_each, parts=parts, v=v), *self.rows)
        pull = self.bend(v) * v

        def hessian():
            (H,) = sums or total(partial(_curvature, v=v), *self.rows)
            return H / self.count + np.diag(self.bend(v))

        value = float(J / self.count + pull @ v / 2)
        return value, lambda: pull - fall / self.count, hessian

    def value(self, v) -> float:
        return self(v)[0]

    def gradient(self, v) -> Vector:
        return self(v)[1]()

    def hessian(self, v) -> Matrix:
        return self(v)[2]()


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
    fall = np.empty(len(v))
    fall[: X.shape[1]], fall[X.shape[1] :] = pull @ X, pull.sum()
    return [loss.sum(), fall]


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


def fit_likelihood(
    X: Matrix, Y: Matrix, lambda_: float, bias: bool, *s: Matrix, tol: float, max_steps: int
) -> tuple[Vector, float, Vector, Vector, bool]:
    """Find the least mean log loss + lambda_ / 2 |w|**2, with the arguments of MeanLoss.

    Returns w, b, the objective and |w| at each step, and whether w, b is a minimum.
    Newton's steps, or cheaper ones for large data, if these prove that they end there.
    With more features than examples w is sought in the span of the rows.
    """
    Q = None
    if X.shape[1] > len(X) and not lazy(X):
        Q, R = np.linalg.qr(X.T)
        X = R.T
    d = X.shape[1]
    J, start, found = MeanLoss(X, Y, np.full(d, lambda_), *s), np.zeros(d + bias), None
    if lambda_ > 0 and X.size * d > LARGE and not lazy(X):
        found = _by_gradients(J, start, tol, max_steps)
    if found is None:
        near = partial(settled, X)
        found = newton_steps(J, start, tol=tol, max_steps=max_steps, near=near)
        if lambda_ == 0 and not lazy(X) and not regular(J.hessian(found.w)):
            found.path[-1] = _shortest(X, found.w)
    w, b = found.path[-1, :d], float(found.path[-1, d:].sum())
    norms = np.linalg.norm(found.path[:, :d], axis=1)
    return w if Q is None else Q @ w, b, found.values, norms, found.converged


def _by_gradients(J: MeanLoss, v: Vector, tol: float, max_steps: int) -> Descent | None:
    """Quasi-Newton steps, which need no Hessian; None if their end is not proven.

    Source: Nocedal and Wright (2006), algorithm 7.5.
    """
    from scipy.optimize import minimize

    path, values = [v], [J.value(v)]

    def both(v):
        value, gradient, _ = J(v)
        return value, gradient()

    def at_step(intermediate_result):
        path.append(intermediate_result.x.copy())
        values.append(intermediate_result.fun)

    flat = np.sqrt(2 * tol * J.penalty[0] / len(v))  # of each slope: mostly enough
    options = {"gtol": flat, "ftol": 0.0, "maxiter": max_steps}
    end = minimize(both, v, jac=True, method="L-BFGS-B", callback=at_step, options=options)
    return descent(path, values, True) if _gap(J, end.x, end.jac) <= tol else None


def _gap(J: MeanLoss, v: Vector, g: Vector) -> float:
    """How far the objective is above its minimum at most, from a part of the Hessian.

    That part is the penalty's and that of h (b + mean @ w)**2 / 2, where h is the sum of
    the curvatures, and mean that of x with these as weights: the rest takes none away.
    """
    (X, Y, *s), d = J.rows, len(J.penalty)
    h = losses.logistic.curvature(_margins(X, Y, v)) / J.count
    h = h * s[0][:, 0] if s else h
    end = g[d:].sum()
    if abs(end) > h.sum() / 4:  # b is on a way without an end, see `settled`
        return np.inf
    rest = g[:d] - end * (h @ X) / h.sum()
    return float((rest @ rest / J.penalty[0] + end**2 / h.sum()) / 2)


def regular(H: Matrix) -> bool:
    """Whether no variable depends on others, by so much that rounding does not count."""
    size = np.sqrt(np.diagonal(H))
    if not size.min() > 0:
        return False
    return bool(np.linalg.eigvalsh(H / np.outer(size, size))[0] > 1e-10)


def _shortest(X: Matrix, v: Vector) -> Vector:
    """The (w, b), or w, with the least |w| of all that have the same scores."""
    w, b = np.split(v, [X.shape[1]])
    mean = X.mean(axis=0) * len(b)  # without b, w alone makes the scores
    _, sizes, V = np.linalg.svd(X - mean, full_matrices=False)
    V = V[sizes > 1e-12 * sizes[0]]
    short = V.T @ (V @ w)
    return np.append(short, b + mean @ (w - short))


class MeanSoftmax:
    """The mean softmax loss + lambda_ / 2 |W|**2, where v holds the K rows (w_k, b_k).

    X, Y  (n, d) examples, and (n, K) with a 1 in the column of each label
    s     (n, 1) how often each example counts in the mean, if not once
    """

    def __init__(self, X: Matrix, Y: Matrix, lambda_: float, *s: Matrix):
        self.A, self.Y = np.column_stack([X, np.ones(len(X))]), Y
        self.s = s[0] / s[0].mean() if s else np.ones((len(X), 1))
        penalty = np.append(np.full(X.shape[1], lambda_), 0.0)
        self.bend = np.tile(penalty, Y.shape[1])

    def __call__(self, v):
        """The value at v, and functions for the gradient and the Hessian there."""
        S = self.A @ v.reshape(self.Y.shape[1], -1).T
        P, logs = softmax(S)
        loss = np.mean((logs - (S * self.Y).sum(axis=1)) * self.s[:, 0])

        def gradient():
            G = (self.s * (P - self.Y)).T @ self.A / len(S)
            return G.ravel() + self.bend * v

        return float(loss + self.bend @ v**2 / 2), gradient, partial(self.hessian, P)

    def hessian(self, P):
        """Equal changes of all w_k leave the loss as it is, and gradients hold none.

        So any curvature given to such changes makes H regular and changes no step: here
        that of the squares of the columns, which have their units.
        """
        (n, K), r = self.Y.shape, self.A.shape[1]
        A = np.sqrt(self.s) * self.A
        B = (P[:, :, None] * A[:, None, :]).reshape(n, -1)
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
