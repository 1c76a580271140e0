"""Mean log loss and mean softmax loss with their derivatives; maximum likelihood fits.

For margins z_i = y_i (w @ x_i + b), weights s_i of mean 1 and v = (w, b):

J(v)         mean of s_i ln(1 + exp(-z_i)), plus penalty @ w**2 / 2
gradient     penalty * w - mean of s_i y_i p_i (x_i, 1),  p_i = 1 / (1 + exp(z_i))
Hessian      diag(penalty) + mean of s_i p_i (1 - p_i) (x_i, 1) (x_i, 1).T
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from mlcore import arrays
from mlcore.arrays import Matrix, Signs, Vector, sum_over_rows, to_row_space, typical_row
from mlcore.solvers.descent import Descent, newton_steps
from mlcore.solvers.normal_equations import min_norm_least_squares

MAX_HESSIAN_PRODUCTS = 2e7  # products in a Hessian above which L-BFGS is tried first


class MeanLoss:
    """J(v) and its derivatives, for v = (w, b); without a bias v = w.

    X, y     (n, d) examples and their labels (n,), -1 or +1
    penalty  (d,) the penalty parameter of each weight; b has none
    s        (n,) weight of each example, with mean 1; None: all 1
    """

    def __init__(self, X: Matrix, y: Signs, penalty: Vector, s: Vector | None = None):
        self.rows = X, y, np.ones(len(X)) if s is None else s
        self.n, self.penalty = len(X), np.asarray(penalty)

    def sums(self, v: Vector):
        """Sum the loss and its negative gradient over rows; return a function for H."""
        loss, neg_gradient = sum_over_rows(partial(loss_sums, v=v), *self.rows)
        hessian = partial(sum_over_rows, partial(hessian_sum, v=v), *self.rows)
        return loss, neg_gradient, lambda: hessian()[0]

    def __call__(self, v: Vector):
        """Compute J(v), and functions for the gradient and the Hessian there."""
        loss, neg_gradient, H = self.sums(v)
        penalty = np.append(self.penalty, np.zeros(len(v) - len(self.penalty)))
        return (
            float(loss / self.n + (penalty * v) @ v / 2),
            lambda: penalty * v - neg_gradient / self.n,
            lambda: H() / self.n + np.diag(penalty),
        )

    def value(self, v: Vector) -> float:
        return self(v)[0]

    def gradient(self, v: Vector) -> Vector:
        return self(v)[1]()

    def hessian(self, v: Vector) -> Matrix:
        return self(v)[2]()


def _margins(X: Matrix, y: Signs, v: Vector) -> Vector:
    d = X.shape[1]
    return y * (X @ v[:d] + v[d:].sum())


def loss_sums(X: Matrix, y: Signs, s: Vector, v: Vector) -> list[np.ndarray]:
    """Sum s ln(1 + exp(-z)) and its negative gradient with respect to v over rows."""
    z = _margins(X, y, v)
    exp_neg = np.exp(-np.abs(z))  # does not overflow
    loss, residual = np.log1p(exp_neg) - np.minimum(z, 0.0), y / (1 + exp_neg)
    residual *= np.where(z > 0, exp_neg, 1.0)
    loss *= s
    residual *= s
    neg_gradient = np.empty(len(v))
    d = X.shape[1]
    neg_gradient[:d], neg_gradient[d:] = residual @ X, residual.sum()
    return [loss.sum(), neg_gradient]


def _root_curvatures(X: Matrix, y: Signs, s: Vector, v: Vector) -> Vector:
    """Compute the square root of s p (1 - p) for each row."""
    exp_neg = np.exp(-np.abs(_margins(X, y, v)))
    return np.sqrt(exp_neg * s) / (1 + exp_neg)


def hessian_sum(X: Matrix, y: Signs, s: Vector, v: Vector) -> list[np.ndarray]:
    """Sum the Hessian of the loss with respect to v over rows."""
    root = _root_curvatures(X, y, s, v)
    R = X * root[:, None]
    H = np.empty((len(v), len(v)))
    d = X.shape[1]
    H[:d, :d], H[d:, :d], H[d:, d:] = R.T @ R, root @ R, root @ root
    H[:d, d:] = H[d:, :d].T
    return [H]


def fields_of_fit(run: Descent, d: int, center: Vector, lift=lambda u: u) -> dict[str, Any]:
    """Convert a run to the fields of a `LogisticFit`.

    run   points v = (u, b), with u (d,), for examples shifted by center
    lift  maps the coordinates of w in the span of the rows to w
    """
    u = run.path[:, :d]
    w = lift(u[-1])
    return {
        "w": w,
        "b": float(run.path[-1, d:].sum() - w @ center),
        "values": run.values,
        "norms": np.linalg.norm(u, axis=1),
        "converged": run.converged,
    }


def fit_likelihood(
    X: Matrix, y: Signs, s: Vector, *, lambda_: float, bias: bool, **options
) -> dict[str, Any]:
    """Minimize the mean log loss + lambda_ / 2 |w|**2; return the fields of a fit.

    options  tol and max_steps

    Newton's method; for large data L-BFGS, if a bound proves that it reached the minimum.
    With a bias the origin is moved to the data, which changes only b.
    """
    center = typical_row(X) if bias else np.zeros(X.shape[1])
    X, lift = to_row_space(X - center) if lambda_ > 0 else (X - center, lambda u: u)
    d, run = X.shape[1], None
    if lambda_ > 0 and X.size * d > MAX_HESSIAN_PRODUCTS:
        J = MeanLoss(X, y, np.full(d, lambda_), s)
        # a Newton step takes longer than ten iterations of L-BFGS
        iterations = 10 * options["max_steps"]
        run = _lbfgs(J, np.zeros(d + bias), lambda_, options["tol"], iterations)
    if run is None or not _gap(J, run.w) <= options["tol"]:
        loss = partial(MeanLoss, y=y, s=s)
        run = newton_fit(loss, X, s, lambda_=lambda_, bias=bias, **options)
    return fields_of_fit(run, d, center, lift)


def newton_fit(
    loss: Callable, X: Matrix, s: Vector, *, lambda_: float, bias: bool, K=1, **options
) -> Descent:
    """Minimize a loss of K scores plus the penalty; v concatenates the rows (w_k, b_k).

    loss     loss(A, penalty=) is the oracle for the columns A, with a penalty on each
    options  tol and max_steps

    For large data, K > 1 and a penalty, Newton's method continues from where L-BFGS ends.
    Without a penalty, dependent features are replaced by orthogonal ones for the fit, and
    the last point has minimum norm.
    """
    n, d = X.shape
    A, T = np.column_stack([X, np.ones((n, int(bias)))]), None
    penalty = np.append(np.full(d, lambda_), np.zeros(int(bias)))
    if lambda_ == 0 and (d >= n or not are_independent(np.sqrt(s)[:, None] * A)):
        A, T = independent_columns(A)
        penalty = np.zeros(A.shape[1])
    J, start = loss(A, penalty=penalty), np.zeros(K * A.shape[1])
    has_minimum, first = partial(has_finite_minimizer, A, K=K), None
    if K > 1 and lambda_ > 0 and n * len(start) ** 2 > MAX_HESSIAN_PRODUCTS:
        iterations = len(start) // 4  # at most the time of two Newton steps
        first = _lbfgs(J, start, lambda_, options["tol"], iterations)
        start = first.w
    run = newton_steps(J, start, has_minimum=has_minimum, **options)
    if first:
        run = replace(run, values=np.append(first.values, run.values[1:]))
    if T is None:
        return run
    V = run.path.reshape(len(run.path), K, -1)
    found = min_norm_least_squares(X, A @ V[-1].T, np.ones(n), lambda_=0.0, bias=bias)
    path = V @ T.T
    path[-1] = np.column_stack([found.W.T, found.b])[:, : len(T)]
    path = path.reshape(len(path), -1)
    return replace(run, w=path[-1], path=path)


def independent_columns(A: Matrix) -> tuple[Matrix, Matrix]:
    """Find Z = A @ T (n, r) whose orthogonal columns span the column space of A (n, d).

    A Hessian squares the condition number, so rounding could make nearly dependent columns
    of A dependent; the columns of Z stay independent.
    """
    length = np.linalg.norm(A, axis=0)
    unit = np.where(length > 0, length, 1.0)
    U, sigma, Vt = np.linalg.svd(A / unit, full_matrices=False)
    kept = sigma > 10 * arrays.EPS * max(A.shape) * sigma[0]
    root = np.sqrt(len(A))
    return root * U[:, kept], root * (Vt[kept] / sigma[kept, None] / unit).T


def _lbfgs(J: Callable, v: Vector, lambda_: float, tol: float, iterations: int) -> Descent:
    """Run L-BFGS, which needs no Hessians; whether it converged has to be checked.

    Source: Nocedal and Wright (2006), algorithm 7.5.
    """
    from scipy.optimize import minimize

    path, values = [v], [J(v)[0]]

    def value_and_gradient(v):
        value, gradient, _ = J(v)
        return value, gradient()

    def record(intermediate_result):
        path.append(intermediate_result.x.copy())
        values.append(intermediate_result.fun)

    gtol = np.sqrt(2 * tol * lambda_ / len(v))  # for each derivative; usually enough
    options = {"gtol": gtol, "ftol": 0.0, "maxiter": iterations}
    minimize(
        value_and_gradient, v, jac=True, method="L-BFGS-B", callback=record, options=options
    )
    return Descent(path[-1], np.array(path), np.array(values), True)


def _gap(J: MeanLoss, v: Vector) -> float:
    """Bound J(v) minus the minimum of J, using a lower bound on the Hessian.

    With curvatures h_i = s_i p_i (1 - p_i) / n, their sum h and the weighted mean m of x,
    the Hessian is at least that of lambda |w|**2 / 2 + h (b + m @ w)**2 / 2.
    """
    (X, y, s), d, g = J.rows, len(J.penalty), J.gradient(v)
    h = _root_curvatures(X, y, s, v) ** 2 / len(X)
    slope_b = g[d:].sum()
    if abs(slope_b) > h.sum() / 4:  # b may diverge, see has_finite_minimizer
        return np.inf
    rest = g[:d] - slope_b * (h @ X) / h.sum()
    return float((rest @ rest / J.penalty[0] + slope_b**2 / h.sum()) / 2)


def are_independent(A: Matrix) -> bool:
    """Check that no column depends on the others, up to rounding."""
    H = A.T @ A
    size = np.sqrt(np.diagonal(H))
    if not size.min() > 0:
        return False
    return bool(np.linalg.eigvalsh(H / np.outer(size, size))[0] > 1e-10)


class MeanSoftmax:
    """The mean softmax loss + the penalty; v concatenates the K rows of weights.

    A, Y     (n, p) examples, with a column of ones for a bias; (n, K) with a 1 in the
             column of each label
    penalty  (p,) the penalty parameter of each weight
    s        (n,) weight of each example, with mean 1
    """

    def __init__(self, A: Matrix, Y: Matrix, penalty: Vector, s: Vector):
        self.A, self.Y, self.s = A, Y, s[:, None]
        self.penalty = np.tile(penalty, Y.shape[1])

    def __call__(self, v: Vector):
        """Compute the value at v, and functions for the gradient and the Hessian there."""
        S = self.A @ v.reshape(self.Y.shape[1], -1).T
        P, log_sums = softmax(S)
        loss = np.mean((log_sums - (S * self.Y).sum(axis=1)) * self.s[:, 0])

        def gradient():
            G = (self.s * (P - self.Y)).T @ self.A / len(S)
            return G.ravel() + self.penalty * v

        return float(loss + self.penalty @ v**2 / 2), gradient, partial(self.hessian, P)

    def hessian(self, P: Matrix) -> Matrix:
        """Compute the Hessian from the probabilities P, made nonsingular.

        Adding the same vector to all rows of weights does not change the loss.  A positive
        curvature in these directions, to which gradients are orthogonal, makes H
        nonsingular and changes no Newton step: here the sum of the curvatures of the K
        scores, which has the right units.
        """
        (n, K), p = self.Y.shape, self.A.shape[1]
        (sums,) = sum_over_rows(_products, np.sqrt(self.s) * self.A, P)
        products = ((sums + sums.T) / n).reshape(K, p, K, p)
        H = -products
        for k in range(K):  # p_k (1 - p_k) is the sum of p_k p_l over l != k
            H[k, :, k] = products[k].sum(axis=1)
        H = H.reshape(K * p, K * p)
        curvature = np.diagonal(H).reshape(K, p).sum(axis=0)
        H += np.kron(np.full((K, K), 1 / K**2), np.diag(curvature))
        return H + np.diag(self.penalty)


def _products(A: Matrix, P: Matrix) -> list[Matrix]:
    """Sum the products of p_k x_i and p_l x_j over rows for k < l, (K p, K p)."""
    p = A.shape[1]
    B = (P.T[:, None] * A.T).reshape(-1, len(A))
    H = np.zeros((len(B), len(B)))
    for end in range(p, len(B), p):
        H[end - p : end, end:] = B[end - p : end] @ B[end:].T
    return [H]


def softmax(S: Matrix) -> tuple[Matrix, Vector]:
    """Compute exp(S) divided by its row sums, and the logarithms of the sums."""
    largest = S.max(axis=1)
    P = np.exp(S - largest[:, None])
    sums = P.sum(axis=1)
    return P / sums[:, None], largest + np.log(sums)


def has_finite_minimizer(X: Matrix, v: Vector, H: Matrix, p: Vector, K: int = 1) -> bool:
    """Check that the Newton step -p from v leads to a finite minimizer, for K scores.

    If the minimizer is at infinity, each Newton step adds about 1 to the margins, however
    small the gap.  A change below a millionth of the score is ignored: far from the origin
    it may be rounding error.
    """
    d, U = X.shape[1], np.vstack([p.reshape(K, -1), v.reshape(K, -1)])
    sizes = np.abs(X @ U[:, :d].T + U[:, d:].sum(axis=1))
    change = sizes[:, :K] - 1e-6 * sizes[:, K:]
    return bool(change.max() <= 0.25 and np.isfinite(H).all())
