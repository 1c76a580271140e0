"""Descent: gradient steps, Newton steps, and steps along the gradient of a few examples.

Chapters: logistic, sgd
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import LARGEST, Labels, Matrix, Seed, Vector
from mlcore.losses import Loss
from mlcore.solvers.descent import Descent, descent, is_finite, newton_steps

__all__ = ["Descent", "LossGradient", "StepSize", "constant", "gradient_descent"]
__all__ += ["inverse_t", "loss_gradient", "newton", "power", "sgd"]


def gradient_descent(
    f: Callable,
    gradient: Callable,
    w0: ArrayLike,
    *,
    eta: float,
    max_steps: int = 1000,
    tol: float = 1e-8,
) -> Descent:
    """Seek the minimum of f by steps of fixed size against the gradient.

    f, gradient  f(w) is the objective, a number; gradient(w) is its gradient, (d,)
    w0           (d,) the start
    eta          step size, above 0: 1 / L if the gradient has the Lipschitz constant L;
                 from 2 / L on it need not descend
    max_steps    steps before giving up, at least 1; the last point is not tested
    tol          the norm of the gradient at which to stop, at least 0

    Returns w, the path, the values.  Look at `.converged` first.  What overflows stops at
    the last point with f and w below 1e150.
    Raises ValueError for nan, wrong shapes, a number out of range.
    Source: Cauchy (1847).

    >>> run = gradient_descent(lambda w: w @ w, lambda w: 2 * w, np.array([3.0]), eta=0.25)
    >>> run.converged, len(run.path) - 1, round(float(run.path[1][0]), 6)
    (True, 30, 1.5)
    """
    eta = checks.number("eta", eta, above=0.0)
    max_steps = checks.integer("max_steps", max_steps, at_least=1)
    tol = checks.number("tol", tol, at_least=0.0)
    w, value = _start(w0, f=f, gradient=gradient)
    path, values, converged = [w], [value], False
    with np.errstate(all="ignore"):
        for _ in range(max_steps):
            g = np.asarray(gradient(w))
            converged = bool(np.linalg.norm(g) <= tol)
            w = w - eta * g
            if converged or not is_finite(value := f(w), w):
                break
            path.append(w)
            values.append(value)
    return descent(path, values, converged)


def newton(
    f: Callable,
    gradient: Callable,
    hessian: Callable,
    w0: ArrayLike,
    *,
    tol: float = 1e-10,
    max_steps: int = 100,
) -> Descent:
    """Seek the minimum of f by Newton steps, halved until f decreases.

    f, gradient  as for `gradient_descent`, f convex, with a minimum and a positive definite
                 Hessian: of others `.converged` says that a step would change f by at most
                 tol
    hessian      hessian(w) is the matrix of second derivatives, (d, d)
    w0           (d,) the start
    tol          the gap f(w) - min f at which to stop, as the quadratic model of f at w
                 estimates it, at least 0
    max_steps    steps before giving up, at least 1

    Returns w, the path, the values.  Look at `.converged` first: False after max_steps, or
    where no step decreases f by more than rounding.
    Raises ValueError for nan, wrong shapes, a number out of range.
    Source: Boyd and Vandenberghe (2004), algorithm 9.5.

    >>> two = np.array([[2.0]])
    >>> run = newton(lambda w: w @ w, lambda w: 2 * w, lambda w: two, np.array([3.0]))
    >>> run.converged, run.w
    (True, array([0.]))
    """
    tol = checks.number("tol", tol, at_least=0.0)
    max_steps = checks.integer("max_steps", max_steps, at_least=1)
    w, _ = _start(w0, f=f, gradient=gradient, hessian=hessian)

    def oracle(w):
        return f(w), lambda: gradient(w), lambda: hessian(w)

    return newton_steps(oracle, w, tol=tol, max_steps=max_steps)


@dataclass(frozen=True, eq=False)
class StepSize:
    """The step sizes eta / t**p of the steps t = 1, 2, ...

    eta  above 0: a number, or one for each run, (runs,)
    p    at least 0
    """

    eta: float | Vector
    p: float

    def __call__(self, t: int) -> float | Vector:
        return self.eta / t**self.p


def constant(eta) -> StepSize:
    """The step size eta, above 0: a number, or one for each run, (runs,)."""
    return StepSize(_positive("eta", eta), 0.0)


def inverse_t(alpha) -> StepSize:
    """The step sizes 1 / (alpha t); alpha at least 1e-150, a number or (runs,).

    For an objective with lambda / 2 |w|**2, alpha = lambda is the natural choice.
    """
    return StepSize(1 / _positive("alpha", alpha, 1 / LARGEST), 1.0)


def power(eta, p: float) -> StepSize:
    """The step sizes eta / t**p; eta above 0, a number or (runs,), p from 0 to 10.

    With 1/2 < p <= 1 they meet the conditions of Robbins and Monro (1951): their sum is
    infinite, the sum of their squares is not.

    >>> power(1.0, 0.5)(1), power(1.0, 0.5)(4)
    (1.0, 0.5)
    """
    p = checks.number("p", p, at_least=0.0, at_most=10.0)
    return StepSize(_positive("eta", eta), p)


def sgd(
    gradient: Callable,
    n: int,
    w0: ArrayLike,
    *,
    steps: Callable,
    epochs: int = 1,
    batch: int = 1,
    average: bool = False,
    runs: int | None = None,
    rng: Seed = None,
) -> Descent:
    """Seek the minimum of a mean over n examples by the gradients of a few.

    gradient  gradient(w, i) is the mean gradient (d,) of the examples i: an int, or if
              batch > 1 indices (batch,), at the end fewer; in lockstep it gets w (runs, d)
              and i (runs,) or (runs, batch), returns (runs, d).  `loss_gradient` makes one
    n, w0     number of examples, at least 1; (d,) the start
    steps     steps(t) is the size of step t = 1, 2, ..., above 0, such as `constant(0.1)`;
              in lockstep also one for each run, (runs,)
    epochs    passes over the examples, at least 1
    batch     examples a step, from 1 to n
    average   whether w is the mean of all points so far, the start left out
    runs      None: one run.  Else that many at once, as one computation
    rng       seed or Generator that reshuffles each epoch, each run its own way; None: the
              given order

    Returns w and the path.  `.converged` is False: no test can tell from noisy gradients.
    A run that overflows stays where it was after the epoch before.
    Raises ValueError for nan, wrong shapes, a number out of range.
    Source: Robbins and Monro (1951); Polyak and Juditsky (1992), the mean.

    >>> x = np.array([1.0, 3.0])  # the mean of (w - x_i)**2 / 2 is least at 2
    >>> run = sgd(lambda w, i: w - x[i], 2, np.zeros(1), steps=inverse_t(1.0), epochs=3)
    >>> run.w.round(6)
    array([2.])
    """
    w = checks.vector("w0", w0).copy()
    n = checks.integer("n", n, at_least=1)
    epochs = checks.integer("epochs", epochs, at_least=1)
    batch = checks.integer("batch", batch, at_least=1, at_most=n)
    average = checks.flag("average", average)
    if runs is not None:
        w = np.tile(w, (checks.integer("runs", runs, at_least=1), 1))
    rng = None if rng is None else checks.rng("rng", rng)
    _check_parts(gradient, steps, w, n, batch)
    rngs = [rng] if rng is None or runs is None else rng.spawn(runs)
    path, total, t = [w.copy()], np.zeros(w.shape), 0
    sane = np.ones((*w.shape[:-1], 1), dtype=bool)
    with np.errstate(all="ignore"):
        for _ in range(epochs):
            for i in _batches(rngs, n, w, batch):
                t += 1
                eta = steps(t)
                g = np.asarray(gradient(w, i))
                w -= (eta if runs is None else np.reshape(eta, (-1, 1))) * g
                if average:
                    total += w
            found = total / t if average else w
            sane &= np.abs(found).max(axis=-1, keepdims=True) <= LARGEST
            path.append(np.where(sane, found, path[-1]))
            w = np.where(sane, w, path[-1])
    return Descent(path[-1], np.array(path), np.empty(0), False)


@dataclass(frozen=True, eq=False)
class LossGradient:
    """The gradients of loss(w @ row) + lambda_ / 2 |w|**2, one for each row.

    rows  (n, d) the rows y_i x_i
    """

    rows: Matrix
    loss: Loss
    lambda_: float

    def __call__(self, w, i):
        """The mean gradient over the rows i, at w: see `sgd`."""
        rows = self.rows[np.expand_dims(i, -1) if np.ndim(i) < w.ndim else i]
        slope = self.loss.derivatives[1]((rows @ w[..., None])[..., 0])
        mean = (slope[..., None, :] @ rows)[..., 0, :] / rows.shape[-2]
        return mean + self.lambda_ * w


def loss_gradient(
    X: ArrayLike, y: Labels, loss: Loss, *, lambda_: float = 0.0
) -> LossGradient:
    """The gradients of J_i(w) = loss(y_i w @ x_i) + lambda_ / 2 |w|**2, for `sgd`.

    X, y     (n, d) features, for a bias with a column of ones; (n,) labels, -1 or +1
    loss     one of `mlcore.losses` that has a slope
    lambda_  at least 0, the price of |w|**2 / 2

    Returns a function of w and i, as `sgd` asks for.
    Raises ValueError for wrong shapes, nan, other labels, a loss without slope,
    lambda_ < 0.

    >>> from mlcore import losses
    >>> gradient = loss_gradient([[1.0, 0.0], [0.0, 2.0]], [1, -1], losses.hinge)
    >>> gradient(np.zeros(2), 1)
    array([0., 2.])
    """
    X, y = checks.data(X, y)
    if not isinstance(loss, Loss) or len(loss.derivatives) < 2:
        raise checks.error("loss", "be one of mlcore.losses with a slope", repr(loss))
    lambda_ = checks.number("lambda_", lambda_, at_least=0.0)
    return LossGradient(y[:, None] * np.ascontiguousarray(X), loss, lambda_)


def _batches(rngs: list, n: int, w, batch: int) -> list:
    """What `gradient` gets as i in an epoch: the examples in order, cut into steps."""
    order = np.array([np.arange(n) if rng is None else rng.permutation(n) for rng in rngs])
    order = np.broadcast_to(order if w.ndim > 1 else order[0], (*w.shape[:-1], n))
    if batch == 1:
        return order.tolist() if w.ndim == 1 else list(order.T)
    return [order[..., k : k + batch] for k in range(0, n, batch)]


def _positive(name: str, value, at_least: float = 5e-324):
    array = checks.array(name, value, at_least=at_least)
    if array.ndim > 1 or array.size == 0:
        raise checks.error(name, "be a number or a vector", repr(value))
    return array if array.ndim else float(array)


def _check_parts(gradient, steps, w, n: int, batch: int) -> None:
    """What `sgd` is given fits together: each function is tried once."""
    point = np.atleast_2d(w)[0]
    if isinstance(gradient, LossGradient):
        checks.vector("w0", point, length=gradient.rows.shape[1])
        checks.integer("n", n, at_most=len(gradient.rows))
    _check_call("steps(1)", steps, (1,), (), w.shape[:-1], at_least=5e-324)
    i = _batches([None], n, w, batch)[0]
    _check_call("gradient(w0, i)", gradient, (w.copy(), i), w.shape)


def _start(w0, f, **derivatives):
    """A copy of w0, and f there, once all functions have been seen to fit."""
    w = checks.vector("w0", w0).copy()
    checks.function("f", f)
    value = checks.number("f(w0)", f(w))
    for axes, (name, function) in enumerate(derivatives.items(), start=1):
        _check_call(f"{name}(w0)", function, (w,), axes * w.shape)
    return w, value


def _check_call(call: str, function, arguments, *shapes, at_least: float = -np.inf) -> None:
    checks.function(call.partition("(")[0], function)
    value = checks.array(call, function(*arguments), at_least=at_least)
    if value.shape not in shapes:
        expected = " or ".join(map(str, shapes))
        raise checks.error(call, f"have shape {expected}", value.shape)
