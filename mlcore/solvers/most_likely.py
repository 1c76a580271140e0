"""The minimum of the mean log loss: Newton's steps, or cheaper ones for many rows."""

from collections.abc import Callable
from contextlib import suppress

import numpy as np

from mlcore.arrays import Matrix, Vector
from mlcore.blocks import lazy
from mlcore.losses import logistic
from mlcore.solvers.descent import Descent, descent, newton_steps
from mlcore.solvers.likelihood import MeanLoss, settled


def most_likely(
    X: Matrix, Y: Matrix, lambda_: float, bias: bool, *s: Matrix, tol: float, max_steps: int
) -> tuple[Vector, float, Vector, Vector, bool]:
    """w, b, the objective and |w| at each step, and whether w, b is a minimum.

    With more features than examples w is sought in the span of the rows.
    """
    Q = None
    if X.shape[1] > len(X) and not lazy(X):
        Q, R = np.linalg.qr(X.T)
        X = R.T
    d = X.shape[1]
    J, found = MeanLoss(X, Y, np.full(d, lambda_), *s), None
    if not lazy(X) and X.size * d > 2e7 and (lambda_ > 0 or len(X) >= 100 * d):
        with suppress(np.linalg.LinAlgError):
            found = _by_gradients(J, *_known(J, lambda_, bias), tol, max_steps)
    if found is None:
        found = newton_steps(
            J.value,
            J.gradient,
            J.hessian,
            np.zeros(d + bias),
            tol=tol,
            max_steps=max_steps,
            near=lambda H, p: settled(X, H, p),
        )
    w, b = found.w[:d], float(found.w[d:].sum())
    if lambda_ == 0 and not lazy(X) and not regular(J.hessian(found.w)):
        w, b = _shortest(X, w, b, bias)
    norms = np.append(np.linalg.norm(found.path[:-1, :d], axis=1), np.linalg.norm(w))
    return w if Q is None else Q @ w, b, found.values, norms, found.converged


def regular(H: Matrix) -> bool:
    """Whether no variable depends on others, by so much that rounding does not count."""
    size = np.sqrt(np.diagonal(H))
    if not size.min() > 0:
        return False
    return bool(np.linalg.eigvalsh(H / np.outer(size, size))[0] > 1e-10)


def _shortest(X: Matrix, w: Vector, b: float, bias: bool) -> tuple[Vector, float]:
    """The least |w| of all w, b that have the same scores."""
    mean = X.mean(axis=0) if bias else np.zeros(len(w))
    _, sizes, V = np.linalg.svd(X - mean, full_matrices=False)
    V = V[sizes > 1e-12 * sizes[0]]
    short = V.T @ (V @ w)
    return short, b + float(mean @ (w - short))


def _known(J: MeanLoss, lambda_: float, bias: bool) -> tuple[Callable, Vector, Matrix]:
    """A bound of the gap from less than the Hessian, a place to start, axes for the steps.

    The examples that a sample leaves out add curvature and take none away.  Where a
    sample tells too little: for h the sum of the curvatures, and the mean of x with
    these as weights, the Hessian is at least that of lambda |w|**2 / 2 +
    h (b + mean @ w)**2 / 2.
    """
    (X, Y, *s), d = J.rows, J.rows[0].shape[1]
    start = np.zeros(d + bias)
    if len(X) < 100 * d:

        def simple(v, g):
            h = logistic.curvature(X @ v[:d] + v[d:].sum())
            h = h * (s[0][:, 0] if s else 1.0) / J.count
            end = g[d:].sum()
            rest = g[:d] - end * (h @ X) / h.sum()
            return (rest @ rest / lambda_ + end**2 / h.sum()) / 2

        return simple, start, np.eye(len(start))
    few = MeanLoss(X[::10], Y[::10], J.penalty, *(part[::10] for part in s))
    sums = few.value, few.gradient, few.hessian
    start = newton_steps(*sums, start, tol=0.01, max_steps=10).w

    def sampled(v, g):
        H = few.count / J.count * few.hessian(v)
        p = np.linalg.solve(H, g)
        return g @ p / 2 if settled(X, H, p) else np.inf

    return sampled, start, np.linalg.inv(np.linalg.cholesky(few.hessian(start))).T


def _by_gradients(
    J: MeanLoss, bound: Callable, v: Vector, axes: Matrix, tol: float, max_steps: int
) -> Descent | None:
    """Quasi-Newton steps along the axes; None if the bound does not prove their end.

    Source: Nocedal and Wright (2006), algorithm 7.5.
    """
    from scipy.optimize import minimize

    path, values, seen = [v], [J.value(v)], {}

    def function(u):
        seen[u.tobytes()] = J.value(v + axes @ u)
        return seen[u.tobytes()], J.gradient(v + axes @ u) @ axes

    def at_step(u):
        path.append(v + axes @ u)
        values.append(seen[u.tobytes()])

    minimize(
        function,
        np.zeros(len(v)),
        jac=True,
        method="L-BFGS-B",
        callback=at_step,
        options={"gtol": np.sqrt(tol / len(v)), "ftol": 0.0, "maxiter": max_steps},
    )
    proven = bound(path[-1], J.gradient(path[-1])) <= tol
    return descent(path, values, True) if proven else None
