"""The minimum of the mean log loss, by the steps that cost least for the shape of X."""

import numpy as np

from mlcore.arrays import Matrix, Vector, lazy
from mlcore.solvers.coordinates import independent, least_pivot, themselves
from mlcore.solvers.descent import Descent, newton_direction, newton_steps
from mlcore.solvers.factors import lower_inverse
from mlcore.solvers.likelihood import MeanLoss
from mlcore.solvers.quasi_newton import quasi_newton


def most_likely(
    X: Matrix, y: Vector, lambda_: float, bias: bool, s, *, tol: float, max_steps: int
) -> tuple[Vector, float, Vector, Vector, bool]:
    """w, b, the objective and |w| at each step, and whether w, b is a minimum."""
    n, d = X.shape
    space, v = themselves(X, lambda_), np.zeros(d + bias)
    J = MeanLoss(X, y, space.penalty, s)
    found = _in_few_passes(J, v, lambda_, tol, max_steps)
    if found is None:
        if d > n or not _regular(J.hessian(v)):
            space = independent(X, lambda_, bias)
            J = MeanLoss(space.Z, y, space.penalty, s)
            v = np.zeros(len(space.unit) + bias)
        found = newton_steps(
            J.value,
            J.gradient,
            J.hessian,
            v,
            tol=tol,
            max_steps=max_steps,
            near=lambda H, p: settled(space.Z, H, p),
        )
    w, b = space.rule(found.w)
    norms = np.linalg.norm(found.path[:, : len(space.unit)] / space.unit, axis=1)
    return w, b, found.values, norms, found.converged


def _in_few_passes(
    J: MeanLoss, v: Vector, lambda_: float, tol: float, max_steps: int
) -> Descent | None:
    """The minimum without the Hessian of all examples, where that saves time."""
    k, found = stride(J.Z), None
    if k > 1:
        found = _by_sample(J, v, k, tol, max_steps)
    elif wide(J.Z) and lambda_ > 0 and abs(J.y.sum()) < len(J.y):
        found = _by_gradients(J, v, lambda_, tol, max_steps)
    return found if found and found.converged else None


def stride(X: Matrix) -> int:
    """k, if every k-th row tells enough of all and saves much work, else at most 1."""
    n, d = X.shape
    if lazy(X):
        return 1
    if n >= 100 * d and n * d >= 100_000:
        return 10
    return n // (10 * d) if n * d * d >= 1e7 else 1


def wide(X: Matrix) -> bool:
    """Whether a Hessian costs more than many gradients, and a sample would not help."""
    return not lazy(X) and min(X.shape) >= 150


def _by_gradients(J: MeanLoss, v: Vector, lambda_: float, tol, max_steps) -> Descent:
    """Steps that know no scatter of the examples, only where they lie: their mean.

    For h the sum of the curvatures, and the mean of X with these as weights, the
    Hessian is at least that of lambda_ |w|**2 / 2 + h (b + mean @ w)**2 / 2.
    """
    d, bias = len(J.penalty), len(v) > len(J.penalty)

    def center(v):
        J.value(v)
        bends = J.bends()
        h = bends.sum()
        return h, bends @ J.Z / h * bias

    def bound(v, g):
        h, mean = center(v)
        end = g[d:].sum()
        rest = g[:d] - end * mean
        return (rest @ rest / lambda_ + end**2 / h) / 2

    h, mean = center(v)
    g = J.gradient(v)
    rest = g[:d] - g[d:].sum() * mean
    along = J.Z @ rest - mean @ rest
    curvature = J.bends() @ along**2 + lambda_ * (rest @ rest)
    size = rest @ rest / curvature if curvature > 0 else 1.0  # the best along rest

    def solve(g):
        p, end = size * g, g[d:].sum()
        p[:d] -= size * end * mean
        p[d:] = end / h - mean @ p[:d]
        return p

    return quasi_newton(
        J.value, J.gradient, v, solve, bound, tol=tol, aim=tol, max_steps=max_steps
    )


def _by_sample(
    J: MeanLoss, v: Vector, k: int, tol: float, max_steps: int
) -> Descent | None:
    """Steps with the Hessian of every k-th example.

    The others add curvature and take none away.  So the sample bounds the gap of all,
    and where it has a minimum, all have one.
    """
    s = np.broadcast_to(J.s, J.y.shape)
    few = MeanLoss(J.Z[::k].copy(), J.y[::k], J.penalty, s[::k])
    share = s[::k].sum()
    if k >= 10:  # so few that their fit costs less than the steps it saves
        start = newton_steps(
            few.value, few.gradient, few.hessian, v, tol=0.01, max_steps=10
        )
        v = start.w
    H = few.hessian(v)
    if not _regular(H):
        return None
    unit = 1 / np.sqrt(np.diagonal(H))
    M = lower_inverse(np.linalg.cholesky(unit[:, None] * H * unit)) * unit

    def solve(g):
        return M.T @ (M @ g)

    def bound(v, g):
        H = share * few.hessian(v)
        p = newton_direction(H, g)
        return g @ p / 2 if settled(J.Z, H, p) else np.inf

    steps = min(max_steps, 25)  # Newton's would be done by then
    aim = share * tol / 2
    return quasi_newton(
        J.value, J.gradient, v, solve, bound, tol=tol, aim=aim, max_steps=steps
    )


def _regular(H: Matrix) -> bool:
    """Whether the variables are independent, by so much that rounding does not count."""
    return least_pivot(H) > 1e-10


def settled(Z: Matrix, H: Matrix, p: Vector, K: int = 1) -> bool:
    """Whether the Newton step -p is one to a minimum, not down a way without an end.

    On such a way, however small the gap, each Newton step adds about 1 to margins.
    """
    w, b = np.split(p.reshape(K, -1), [Z.shape[1]], axis=1)
    moved = np.max(np.abs(Z @ w.T + b.sum(axis=1)))
    return bool(moved <= 0.25) and least_pivot(H) > 1e-14
