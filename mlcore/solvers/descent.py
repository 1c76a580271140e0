"""The result of every descent, the checks of the functions given to it, Newton's steps."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlcore.arrays import LARGEST, Matrix, Vector
from mlcore.checks import check_array


@dataclass(frozen=True, eq=False)
class Descent:
    """Where a descent ended, and its way there.

    w          (d,) the last point; (runs, d) for runs in lockstep
    path       (T + 1, d) the start, then w after each step (of `sgd`: after each
               epoch); (T + 1, runs, d) in lockstep
    values     (T + 1,) the objective at each point of the path; (T + 1, runs)
    converged  whether w passed the test of the algorithm
    """

    w: Vector
    path: Matrix
    values: Vector
    converged: bool


def check_functions(**functions) -> None:
    for name, function in functions.items():
        if not callable(function):
            raise ValueError(f"{name} must be a function; got {function!r}")


def check_shape(name: str, value, *shapes) -> None:
    if check_array(name, value).shape not in shapes:
        expected = " or ".join(map(str, shapes))
        raise ValueError(f"{name} must have shape {expected}; got {np.shape(value)}")


def newton_steps(
    f: Callable,
    gradient: Callable,
    hessian: Callable,
    w: Vector,
    *,
    tol: float,
    max_steps: int,
    keep: float = 0.0,
    near: Callable = lambda H, p: True,
) -> Descent:
    """The steps of `mlcore.optim.newton`, which says what the arguments are.

    near  near(H, p) is whether a small gap is believed, for the next step -p
    """
    path, values, converged = [w], [f(w)], False
    H, gap = np.eye(len(w)), 0.0
    with np.errstate(all="ignore"):
        while True:
            g = gradient(w)
            again = keep > 0
            if again:
                p = newton_direction(H, g)
                again = g @ p / 2 <= keep * gap
            if not again:
                H = hessian(w)
                p = newton_direction(H, g)
            gap = g @ p / 2  # of the quadratic model; f falls along -p by 2 gap
            if gap <= tol or len(path) > max_steps:
                converged = bool(gap <= tol and near(H, p))
                break
            w, value = halved(f, w, p, 2 * gap, values[-1])
            if not tame(value, w):
                break
            path.append(w)
            values.append(value)
    return descent(path, values, converged)


def halved(f: Callable, w: Vector, p: Vector, slope: float, value: float):
    """The first of w - p, w - p/2, w - p/4, ... where f is lower, and f there."""
    rounding = 4 * np.finfo(float).eps * abs(value)
    size = 1.0
    while size > 1e-12:
        new = w - size * p
        lower = f(new)
        if lower <= value - 1e-4 * size * slope + rounding:
            return new, lower
        size /= 2
    return w, np.nan


def tame(value: float, w: Vector) -> bool:
    return bool(abs(value) <= LARGEST and np.abs(w).max() <= LARGEST)


def descent(path: list, values: list, converged: bool) -> Descent:
    return Descent(path[-1], np.array(path), np.array(values, float), converged)


def newton_direction(H: Matrix, g: Vector) -> Vector:
    """Solve H p = g for a Hessian H (d, d) and a gradient g (d,); returns p (d,).

    If H is not positive definite, p is the least solution for the matrix |H| that has
    the absolute values of the eigenvalues of H: -p never points uphill.  A number that
    is not finite makes p nan.
    """
    unit = np.sqrt(np.abs(np.diagonal(H)))
    unit = 1 / np.where(unit > 0, unit, 1.0)  # variables in which the diagonal is 1
    A, c = unit[:, None] * H * unit, unit * g
    if not (np.isfinite(A).all() and np.isfinite(c).all()):
        return np.full(len(g), np.nan)
    try:
        np.linalg.cholesky(A)  # fails unless A is positive definite
        return unit * np.linalg.solve(A, c)
    except np.linalg.LinAlgError:
        eigenvalues, U = np.linalg.eigh(A)
        size = np.abs(eigenvalues)
        keep = size > len(g) * np.finfo(float).eps * size.max()
        return unit * (U[:, keep] @ (c @ U[:, keep] / size[keep]))
