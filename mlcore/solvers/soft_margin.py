"""The soft margin by an interior point method, then by equations of the support vectors.

primal  minimize |w|**2 / 2 + upper @ xi  with  y_i (w @ x_i + b) >= 1 - xi_i,  xi >= 0
dual    maximize sum(a) - |w|**2 / 2  with  0 <= a <= upper,  y @ a = 0 (only with a bias),
        w = sum_i a_i y_i x_i

Below, v is (w, b), or w without a bias; the rows of A are y_i (x_i, 1), and z = A @ v.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mlcore.arrays import Matrix, Signs, Vector, to_row_space, typical_row

GAP_TOL = 1e-11  # relative duality gap at which to stop
CROSSOVER_GAP = 1e-3  # relative gap below which to try the support vectors' equations
MAX_STEPS = 100
PATIENCE = 15  # steps without a smaller gap before giving up
INTERIOR_TOL = 1e-6  # distance of an interior dual to its bounds, as a fraction of upper
SIGNS = np.array([[1.0], [-1.0]])  # da changes a by da and upper - a by -da


class SoftMargin(NamedTuple):
    """The best primal and dual variables found, and the values of both problems."""

    w: Vector
    b: float
    a: Vector
    primal: float
    dual: float
    steps: int


@dataclass(frozen=True, eq=False)
class Pair:
    """A feasible pair of primal and dual points.

    v, primal  the primal variables and their value
    a, dual    the dual variables (n,) and their value, a lower bound on all primal values
    steps      Newton steps taken
    """

    v: Vector
    a: Vector
    primal: float
    dual: float
    steps: int

    @property
    def gap(self) -> float:
        return self.primal - self.dual


@dataclass(frozen=True, eq=False)
class Iterate:
    """An interior point.

    v, z      the primal variables, and A @ v
    duals     (2, n) a, and upper - a
    slacks    (2, n) of z - 1 + xi >= 0 and xi >= 0: their products with duals go to 0
    residual  (n,) z - 1 + xi minus its slack
    """

    v: Vector
    z: Vector
    duals: Matrix
    slacks: Matrix
    residual: Vector


def solve_soft_margin(X: Matrix, y: Signs, upper: Vector, bias: bool) -> SoftMargin:
    """Solve both problems, after centering the data and scaling them to size about 1.

    X, y   (n, d) examples and (n,) labels; with a bias both labels occur
    upper  (n,) the upper bounds of the dual variables, above 0
    """
    n, d = X.shape
    center = typical_row(X) if bias else np.zeros(d)
    A = np.ones((n, d + bias))
    Z = np.subtract(X, center, out=A[:, :d])
    largest = float(max(Z.max(), -Z.min())) or 1.0
    Z /= largest
    lengths = np.sqrt(np.einsum("ij,ij->i", Z, Z))
    median = float(np.median(lengths[lengths > 0])) if lengths.any() else 1.0
    Z /= median
    U, lift = to_row_space(Z)
    if U is not Z:
        A = np.column_stack([U, np.ones((n, int(bias)))])
    A *= y[:, None]
    # For Z = X / size the primal problem has w * size, a * size**2 and upper * size**2
    size = largest * median
    scaled_upper = size * size * upper
    pair = interior_point(A, scaled_upper, int(bias))
    v, b = pair.v[: A.shape[1] - bias], pair.v[A.shape[1] - bias :].sum()
    w = lift(v) / size
    return SoftMargin(
        w=w,
        b=float(b - w @ center),
        a=upper * (pair.a / scaled_upper),  # exactly upper at the upper bound
        primal=pair.primal / size / size,
        dual=pair.dual / size / size,
        steps=pair.steps,
    )


def interior_point(A: Matrix, upper: Vector, bias: int) -> Pair:
    """Run Mehrotra's predictor-corrector method, with crossover to the support vectors.

    Each step solves the linearized optimality conditions, with dual * slack = mu -> 0.
    Once it is clear which examples are on the margin, their equations give the minimum.
    Source: Mehrotra (1992), predictor, corrector; Ferris and Munson (2002), this problem.
    """
    steps, candidate = 0, None
    with np.errstate(all="ignore"):  # a failed step is not used: the best pair is kept
        point = best_point = _start(A, upper, bias)
        best = make_feasible(A, upper, bias, point.v, point.duals[0], 0)
        while best.gap > GAP_TOL * best.primal and (
            steps < min(MAX_STEPS, best.steps + PATIENCE)
        ):
            try:
                next_point = _step(A, upper, bias, point)
            except np.linalg.LinAlgError:
                break
            if next_point is None:  # rounding error dominates
                break
            point, steps = next_point, steps + 1
            pair = make_feasible(A, upper, bias, point.v, point.duals[0], steps)
            if pair.gap < CROSSOVER_GAP * pair.primal:
                candidate = _solve_for_support(A, upper, bias, point, steps) or candidate
                if candidate and candidate.gap <= GAP_TOL * candidate.primal:
                    return candidate
            if pair.gap < best.gap:
                best, best_point = pair, point
        end = _snap_to_bounds(A, upper, bias, best, best_point)
        return candidate if candidate and candidate.gap < end.gap else end


def make_feasible(A: Matrix, upper: Vector, bias: int, v: Vector, a: Vector, steps: int):
    """Make the dual variables feasible, and compute the primal and the dual value.

    The dual value is -inf if y @ a = 0 cannot be reached by moving duals in (0, upper).
    """
    a, feasible = np.clip(a, 0.0, upper), True
    if bias:
        y = np.sign(A[:, -1])
        distance = np.minimum(a, upper - a)  # to the nearest bound
        a = np.clip(a - y * distance * (y @ a) / max(distance.sum(), 1e-300), 0.0, upper)
        feasible = bool(abs(y @ a) <= 1e-12 * a.sum())
    d = len(v) - bias
    w, sum_ayx = v[:d], a @ A[:, :d]
    primal = w @ w / 2 + upper @ np.maximum(0.0, 1 - A @ v)
    dual = a.sum() - sum_ayx @ sum_ayx / 2 if feasible else -np.inf
    return Pair(v=v, a=a, primal=float(primal), dual=float(dual), steps=steps)


def _start(A: Matrix, upper: Vector, bias: int) -> Iterate:
    """Start at the least squares fit of A v = 1, with duals to match; y @ a = 0."""
    M = _normal_matrix(A, upper / 2, bias)
    v = np.asarray(np.linalg.solve(M, (upper / 2) @ A), float)
    z = A @ v
    a = np.clip(1 - z, 0.04, 1.96) / 2 * upper  # well inside the bounds
    if bias:
        plus = A[:, -1] > 0
        sums = a[plus].sum(), a[~plus].sum()
        a *= np.where(plus, min(1.0, sums[1] / sums[0]), min(1.0, sums[0] / sums[1]))
    slack, xi = np.maximum(z - 1, 0.0) + 1.0, np.clip(1 - z, 0.0, 1.0) + 1.0
    duals, slacks = np.stack([a, upper - a]), np.stack([slack, xi])
    return Iterate(v, z, duals, slacks, residual=z - 1 + xi - slack)


def _normal_matrix(A: Matrix, theta: Vector, bias: int) -> Matrix:
    """Compute I (0 for b) + A.T @ diag(theta) @ A, with a tiny increase of its diagonal."""
    M = A.T @ (A * theta[:, None])
    M.flat[:: len(M) + 1] *= 1 + 1e-14
    M.flat[: (len(M) - bias) * len(M) : len(M) + 1] += 1.0
    return M


def _step(A: Matrix, upper: Vector, bias: int, point: Iterate) -> Iterate | None:
    """Take one Newton step: predict with mu = 0, then center and correct."""
    duals, slacks, n = point.duals, point.slacks, len(point.z)
    ratio = slacks / duals
    theta = 1 / (ratio[0] + ratio[1])
    M = _normal_matrix(A, theta, bias)
    gradient = np.append(point.v[: len(point.v) - bias], [0.0] * bias)  # of |w|**2 / 2

    def direction(q):
        """Solve A dv + da / theta = q and the equation for w; return dv and A @ dv."""
        dv = np.linalg.solve(M, (duals[0] + theta * q) @ A - gradient)
        return dv, A @ dv

    q = 1 - point.z
    fraction = SIGNS * (theta * (q - direction(q)[1])) / duals
    t = 1 / max(1.0, -fraction.min(), 1 + fraction.max())
    products = duals * slacks
    second = products * fraction * (1 + fraction)  # error of the linearized products
    total = products.sum()
    affine = (1 - t) * total - t * t * second.sum()  # sum of products after the predictor
    mu = affine * (affine / total) ** 2 / (2 * n) * (upper / upper.mean())
    change = (second - products + mu) / duals
    q = change[0] - change[1] - point.residual
    dv, dz = direction(q)
    d_duals = SIGNS * (theta * (q - dz))
    d_slacks = change - ratio * d_duals
    t = 0.995 / max(0.995, -(d_duals / duals).min(), -(d_slacks / slacks).min())
    if not (np.isfinite(t) and np.isfinite(dv).all()):
        return None
    v, z = point.v + t * dv, point.z + t * dz
    duals, slacks = duals + t * d_duals, slacks + t * d_slacks
    return Iterate(v, z, duals, slacks, residual=(1 - t) * point.residual)


def _active_set(upper: Vector, point: Iterate) -> tuple[Vector, NDArray[np.intp]]:
    """Set converged duals to 0 or upper; also return the indices of the free duals.

    At the solution, a_i = 0 if z_i > 1, and a_i = upper_i if z_i < 1.  So a_i is set to 0
    if a_i / max(a) < z_i - 1, and to upper_i if (upper_i - a_i) / max(a) < 1 - z_i.
    """
    a, to_upper = point.duals / point.duals[0].max()
    zero, full = a < point.z - 1, to_upper < 1 - point.z
    a = np.where(full, upper, np.where(zero, 0.0, point.duals[0]))
    return a, np.flatnonzero(~(zero | full))


def _solve_for_support(A, upper, bias, point: Iterate, steps: int) -> Pair | None:
    """Solve for the minimum, if the free duals belong to the examples on the margin.

    These duals and b solve z_i = 1, with w = sum_i a_i y_i x_i, and y @ a = 0.
    If all duals are 0 or upper, b is not unique: then the interior point steps continue,
    toward the middle of the optimal b.
    """
    a, free = _active_set(upper, point)
    k, d = len(free), A.shape[1] - bias
    if not 0 < k <= A.shape[1]:
        return None
    a[free] = 0.0
    r, F, E = a @ A, A[free, :d], A[free, d:]
    K = np.block([[F @ F.T, E], [E.T, np.zeros((bias, bias))]])
    rhs = np.append(1 - F @ r[:d], -r[d:])
    try:
        u = np.linalg.solve(K, rhs)
        u += np.linalg.solve(K, rhs - K @ u)  # iterative refinement
    except np.linalg.LinAlgError:
        return None
    a[free] = u[:k]
    v = np.append(a @ A[:, :d], u[k:])
    scale = np.minimum(upper[free], a.max())
    inside = np.minimum(a[free], upper[free] - a[free]) > INTERIOR_TOL * scale
    return make_feasible(A, upper, bias, v, a, steps) if inside.any() else None


def _snap_to_bounds(A, upper, bias, best: Pair, point: Iterate) -> Pair:
    """Set converged duals to exactly 0 or upper, if the gap stays small."""
    a, _ = _active_set(upper, point)
    snapped = make_feasible(A, upper, bias, best.v, a, best.steps)
    if snapped.gap > 1e-9 * snapped.primal:
        return best
    if bias and ((snapped.a == 0) | (snapped.a == upper)).all():
        v = _center_bias(A, snapped.v, snapped.a)
        return make_feasible(A, upper, bias, v, snapped.a, best.steps)
    return snapped


def _center_bias(A: Matrix, v: Vector, a: Vector) -> Vector:
    """Move b to the middle of the interval of optimal b, if all a_i are 0 or upper.

    The interval: z_i >= 1 where a_i = 0, and z_i <= 1 where a_i is at its upper bound.
    """
    y = A[:, -1]
    change, is_lower = (1 - A @ v) / y, (y > 0) == (a > 0)
    middle = (change[is_lower].min() + change[~is_lower].max()) / 2
    return np.append(v[:-1], v[-1] + middle)
