"""Descent: gradient steps, Newton steps, and steps along the gradient of a few examples."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mlcore.arrays import Matrix, Seed, Vector
from mlcore.checks import (
    LARGEST,
    check_array,
    check_flag,
    check_integer,
    check_number,
    check_rng,
    check_vector,
)


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


def gradient_descent(
    f: Callable,
    gradient: Callable,
    w0: Vector,
    *,
    eta: float,
    accelerated: bool = False,
    max_steps: int = 1000,
    tol: float = 1e-8,
) -> Descent:
    """Seek the minimum of f by steps of fixed size against the gradient.

    f            f(w) is the objective, a number
    gradient     gradient(w) is its gradient, (d,)
    w0           (d,) the start
    eta          step size, above 0: 1 / L if the gradient has the Lipschitz
                 constant L; from 2 / L on it need not descend
    accelerated  whether to add momentum, dropped when f would rise
    max_steps    steps before giving up, at least 1
    tol          the norm of the gradient at which to stop, at least 0

    Returns w, the path, the values.  Look at `.converged` first.  What
    overflows stops at the last point with f and w below 1e150.
    Raises ValueError for nan, wrong shapes, a number out of range.
    Source: Cauchy (1847); Nesterov (1983), the momentum; O'Donoghue and
    Candes (2015), section 3.2, the restart.
    """
    w, value = _start(f, w0)
    _check_gradient("gradient(w0)", gradient(w), w.shape)
    eta = check_number("eta", eta, above=0.0)
    accelerated = check_flag("accelerated", accelerated)
    max_steps = check_integer("max_steps", max_steps, at_least=1)
    tol = check_number("tol", tol, at_least=0.0)
    path, values, converged = [w], [value], False
    v, t = w, 0  # v: where the gradient is taken; t: steps since a restart
    with np.errstate(all="ignore"):
        for _ in range(max_steps):
            g = gradient(v)
            if np.linalg.norm(g) <= tol:
                converged = True
                break
            new = v - eta * g
            value = f(new)
            if accelerated and value > values[-1] and v is not w:
                v, t = w, 0  # restart: the momentum has led uphill
                continue
            if not _tame(value, new):
                break
            t += 1
            momentum = (t - 1) / (t + 2) if accelerated else 0.0
            v = new + momentum * (new - w) if momentum else new
            w = new
            path.append(w)
            values.append(value)
    if converged and v is not w:  # the gradient was small at v
        path.append(v)
        values.append(f(v))
    return _descent(path, values, converged)


def newton(
    f: Callable,
    gradient: Callable,
    hessian: Callable,
    w0: Vector,
    *,
    tol: float = 1e-10,
    max_steps: int = 100,
) -> Descent:
    """Seek the minimum of f by Newton steps, halved until f decreases.

    f          f(w) is the objective, a number
    gradient   gradient(w) is its gradient, (d,)
    hessian    hessian(w) is its matrix of second derivatives, (d, d)
    w0         (d,) the start
    tol        the gap f(w) - min f at which to stop, as the quadratic model
               of f at w estimates it, at least 0
    max_steps  steps before giving up, at least 1

    Returns w, the path, the values.  Look at `.converged` first: False after
    max_steps, or where no step decreases f by more than rounding.
    Raises ValueError for nan, wrong shapes, a number out of range.
    Source: Boyd and Vandenberghe (2004), algorithm 9.5.
    """
    w, value = _start(f, w0)
    _check_gradient("gradient(w0)", gradient(w), w.shape)
    _check_gradient("hessian(w0)", hessian(w), 2 * w.shape)
    tol = check_number("tol", tol, at_least=0.0)
    max_steps = check_integer("max_steps", max_steps, at_least=1)
    path, values, converged = [w], [value], False
    with np.errstate(all="ignore"):
        while True:
            g = gradient(w)
            p = newton_direction(hessian(w), g)
            slope = g @ p  # how fast f falls along -p, and twice the gap
            converged = bool(slope / 2 <= tol)
            if converged or len(path) > max_steps:
                break
            w, value = _halved(f, w, p, slope, values[-1])
            if not _tame(value, w):
                break
            path.append(w)
            values.append(value)
    return _descent(path, values, converged)


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


def _halved(f, w: Vector, p: Vector, slope: float, value: float):
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


def constant(eta) -> Callable:
    """The step size eta, above 0: a number, or one for each run (runs,)."""
    eta = _positive("eta", eta)
    return lambda t: eta


def inverse_t(alpha) -> Callable:
    """The step sizes 1 / (alpha t), t = 1, 2, ...; alpha > 0, a number or (runs,).

    For an objective with lambda / 2 |w|**2, alpha = lambda is the natural choice.
    """
    alpha = _positive("alpha", alpha)
    return lambda t: 1 / (alpha * t)


def power(eta, p: float) -> Callable:
    """The step sizes eta / t**p, t = 1, 2, ...; eta > 0, a number or (runs,).

    With 1/2 < p <= 1 they meet the conditions of Robbins and Monro (1951): their sum
    is infinite, the sum of their squares is not.  p from 0 to 10.
    """
    eta, p = _positive("eta", eta), check_number("p", p, at_least=0.0, at_most=10.0)
    return lambda t: eta / t**p


def sgd(
    gradient: Callable,
    n: int,
    w0: Vector,
    *,
    steps: Callable,
    epochs: int = 1,
    batch: int = 1,
    average: bool = False,
    runs: int | None = None,
    f: Callable | None = None,
    rng: Seed = None,
) -> Descent:
    """Seek the minimum of a mean over n examples by the gradients of a few.

    gradient  gradient(w, i) is the mean gradient (d,) of the examples i: an
              int, or indices (batch,) if batch > 1; in lockstep it gets w
              (runs, d) and i (runs,) or (runs, batch), returns (runs, d)
    n         number of examples, at least 1
    w0        (d,) the start
    steps     steps(t) is the step size of step t = 1, 2, ..., above 0, such
              as `constant(0.1)`; in lockstep also one for each run, (runs,)
    epochs    passes over the examples, at least 1
    batch     examples a step, from 1 to n
    average   whether w is the mean of all points so far, the start left out
    runs      None: one run.  Else that many at once, as one computation
    f         f(w) is the objective, a number, taken after each epoch
    rng       seed or Generator that reshuffles each epoch, each run its own
              way; None: the given order

    Returns w, the path, the values (none without f).  `.converged` is False:
    no test can tell from noisy gradients.  A run that overflows stays where
    it was after the epoch before; values end at 1e150.
    Raises ValueError for nan, wrong shapes, a number out of range.
    Source: Robbins and Monro (1951); Polyak and Juditsky (1992), the mean.
    """
    w = check_vector("w0", w0).copy()
    n = check_integer("n", n, at_least=1)
    epochs = check_integer("epochs", epochs, at_least=1)
    batch = check_integer("batch", batch, at_least=1, at_most=n)
    average = check_flag("average", average)
    if runs is not None:
        w = np.tile(w, (check_integer("runs", runs, at_least=1), 1))
    orders = _orders(n, runs, None if rng is None else check_rng("rng", rng))
    _check_steps(steps, runs)
    i = _batches(np.tile(np.arange(n), w.shape[:-1] + (1,)), batch)[0]
    _check_gradient("gradient(w0, i)", gradient(w.copy(), i), w.shape)
    path, total, t = [w.copy()], np.zeros(w.shape), 0
    sane = np.ones(w.shape[:-1] + (1,), dtype=bool)
    with np.errstate(all="ignore"):
        for _ in range(epochs):
            for i in _batches(next(orders), batch):
                t += 1
                eta = steps(t) if runs is None else np.reshape(steps(t), (-1, 1))
                w -= eta * gradient(w, i)
                if average:
                    total += w
            mean = total / t if average else w
            size = np.abs(mean).max(axis=-1, keepdims=True)
            sane &= size <= LARGEST  # nan is not
            path.append(np.where(sane, mean, path[-1]))
            w = np.where(sane, w, path[-1])
        values = [] if f is None else [_values(f, point) for point in path]
    return Descent(path[-1], np.array(path), np.array(values), False)


def _orders(n: int, runs: int | None, rng):
    """For each epoch the order of the examples, (n,) or (runs, n), without end."""
    given = np.arange(n)
    while rng is None:
        yield given if runs is None else np.tile(given, (runs, 1))
    rngs = [rng] if runs is None else rng.spawn(runs)
    while True:
        order = np.array([one.permutation(n) for one in rngs])
        yield order[0] if runs is None else order


def _batches(order, batch: int) -> list:
    """The order cut into steps: what `gradient` gets as i."""
    if batch == 1:
        return order.tolist() if order.ndim == 1 else list(order.T)
    return [order[..., k : k + batch] for k in range(0, order.shape[-1], batch)]


def _values(f, points):
    values = np.array([f(w) for w in np.atleast_2d(points)], dtype=float)
    return np.fmin(values, LARGEST)[() if points.ndim > 1 else 0]


def _start(f, w0):
    w = check_vector("w0", w0).copy()
    return w, check_number("f(w0)", f(w))


def _tame(value, w) -> bool:
    return bool(abs(value) <= LARGEST and np.abs(w).max() <= LARGEST)


def _descent(path, values, converged) -> Descent:
    return Descent(path[-1], np.array(path), np.array(values, float), converged)


def _positive(name: str, value):
    array = check_array(name, value)
    if array.ndim > 1 or array.size == 0 or not (array > 0).all():
        raise ValueError(f"{name} must be above 0, a number or a vector; got {value!r}")
    return array if array.ndim else float(array)


def _check_gradient(name: str, value, shape) -> None:
    if check_array(name, value).shape != shape:
        raise ValueError(f"{name} must have shape {shape}; got {np.shape(value)}")


def _check_steps(steps, runs: int | None) -> None:
    if not callable(steps):
        raise ValueError(f"steps must be a function of t; got {steps!r}")
    shape = np.shape(_positive("steps(1)", steps(1)))
    if shape not in [(), (runs,)]:
        raise ValueError(f"steps(1) must be a number or (runs,); got shape {shape}")
