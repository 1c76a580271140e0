"""Gradient descent, Newton's method and stochastic gradient descent.

Chapters: logistic, sgd
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import LARGEST, Labels, Matrix, Seed, Vector
from mlcore.losses import Loss
from mlcore.solvers.descent import Descent, is_finite, newton_steps

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
    """Minimize f by gradient descent, w <- w - eta gradient(w), with a fixed step size.

    f, gradient  f(w) is the objective, a number; gradient(w) is its gradient, (d,)
    w0           (d,) initial w
    eta          step size, above 0: 1 / L if the gradient has the Lipschitz constant L;
                 f may increase if eta >= 2 / L
    max_steps    maximum number of steps, at least 1; the last w is not tested
    tol          stop if the norm of the gradient is at most tol, at least 0

    Returns w, the path and the values.  Check `.converged` first.  If a step overflows, the
    path ends at the last w where f and w are below 1e150.
    Raises ValueError for nan, wrong shapes, a number out of range.
    Source: Cauchy (1847).

    >>> run = gradient_descent(lambda w: w @ w, lambda w: 2 * w, np.array([3.0]), eta=0.25)
    >>> run.converged, len(run.path) - 1, round(float(run.path[1][0]), 6)
    (True, 30, 1.5)
    """
    eta = checks.number("eta", eta, above=0.0)
    max_steps = checks.integer("max_steps", max_steps, at_least=1)
    tol = checks.number("tol", tol, at_least=0.0)
    w, value = _check_start(w0, f=f, gradient=gradient)
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
    return Descent(path[-1], np.array(path), np.array(values, float), converged)


def newton(
    f: Callable,
    gradient: Callable,
    hessian: Callable,
    w0: ArrayLike,
    *,
    tol: float = 1e-10,
    max_steps: int = 100,
) -> Descent:
    """Minimize a convex f by Newton's method; halve each step until f decreases.

    f, gradient  as for `gradient_descent`.  f should have a minimum and a positive definite
                 Hessian; for any other f, `.converged` only means that the next step would
                 change f by at most tol
    hessian      hessian(w) is the matrix of second derivatives, (d, d)
    w0           (d,) initial w
    tol          stop if f(w) - min f is at most tol by the quadratic model of f at w; at
                 least 0
    max_steps    maximum number of steps, at least 1

    Returns w, the path and the values.  Check `.converged` first: it is False after
    max_steps and if no step decreases f by more than rounding error.
    Raises ValueError for nan, wrong shapes, a number out of range.
    Source: Boyd and Vandenberghe (2004), algorithm 9.5.

    >>> two = np.array([[2.0]])
    >>> run = newton(lambda w: w @ w, lambda w: 2 * w, lambda w: two, np.array([3.0]))
    >>> run.converged, run.w
    (True, array([0.]))
    """
    tol = checks.number("tol", tol, at_least=0.0)
    max_steps = checks.integer("max_steps", max_steps, at_least=1)
    w, _ = _check_start(w0, f=f, gradient=gradient, hessian=hessian)

    def oracle(w):
        return f(w), lambda: gradient(w), lambda: hessian(w)

    return newton_steps(oracle, w, tol=tol, max_steps=max_steps)


@dataclass(frozen=True, eq=False)
class StepSize:
    """The step size eta / t**p as a function of the step number t = 1, 2, ...

    eta  above 0, a number or a vector (runs,) with a step size for each run
    p    at least 0
    """

    eta: float | Vector
    p: float

    def __call__(self, t: int) -> float | Vector:
        return self.eta / t**self.p


def constant(eta) -> StepSize:
    """Use the step size eta for all t; eta above 0, a number or (runs,)."""
    return StepSize(_number_or_vector("eta", eta), 0.0)


def inverse_t(alpha) -> StepSize:
    """Use the step size 1 / (alpha t); alpha at least 1e-150, a number or (runs,).

    For an objective with the term lambda / 2 |w|**2, alpha = lambda is the usual choice.
    """
    return StepSize(1 / _number_or_vector("alpha", alpha, 1 / LARGEST), 1.0)


def power(eta, p: float) -> StepSize:
    """Use the step size eta / t**p; eta above 0, a number or (runs,), p from 0 to 10.

    With 1/2 < p <= 1 it meets the conditions of Robbins and Monro (1951): the step sizes
    have an infinite sum, their squares a finite one.

    >>> power(1.0, 0.5)(1), power(1.0, 0.5)(4)
    (1.0, 0.5)
    """
    p = checks.number("p", p, at_least=0.0, at_most=10.0)
    return StepSize(_number_or_vector("eta", eta), p)


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
    """Minimize a mean over n examples by stochastic gradient descent.

    Step t is w <- w - steps(t) gradient(w, i), where i are the next examples.

    gradient  gradient(w, i) is the mean gradient (d,) of the examples i; i is an int or, if
              batch > 1, a vector (batch,) of indices, shorter in the last step of an epoch.
              With runs, w is (runs, d), i is (runs,) or (runs, batch), and the gradient is
              (runs, d).  `loss_gradient` returns such a function
    n, w0     number of examples, at least 1; (d,) initial w
    steps     steps(t) is the size of step t = 1, 2, ..., above 0, for example
              `constant(0.1)`; with runs it may also be a vector (runs,)
    epochs    number of passes over the examples, at least 1
    batch     number of examples in each step, from 1 to n
    average   whether to return the mean of w over all steps so far, excluding w0
    runs      number of independent runs to compute at once; None: a single run, w is (d,)
    rng       seed or Generator that reshuffles each epoch, separately for each run; None:
              the given order

    Returns w and the path, one w for each epoch.  `.converged` is False, since noisy
    gradients allow no test of convergence.  A run that overflows keeps the w of the
    previous epoch.
    Raises ValueError for nan, wrong shapes, a number out of range.
    Source: Robbins and Monro (1951); Polyak and Juditsky (1992), the mean.

    >>> x = np.array([1.0, 3.0])  # the mean of (w - x_i)**2 / 2 has its minimum at 2
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
        w = np.tile(w, (checks.integer("runs", runs, at_least=1, at_most=10**6), 1))
    rng = None if rng is None else checks.rng("rng", rng)
    _check_callbacks(gradient, steps, w, n, batch)
    rngs = [rng] if rng is None or runs is None else rng.spawn(runs)
    path, w_sum, t = [w.copy()], np.zeros(w.shape), 0
    bounded = np.ones((*w.shape[:-1], 1), dtype=bool)
    with np.errstate(all="ignore"):
        for _ in range(epochs):
            for i in _batches(rngs, n, w, batch):
                t += 1
                eta = steps(t)
                g = np.asarray(gradient(w, i))
                w -= (eta if runs is None else np.reshape(eta, (-1, 1))) * g
                if average:
                    w_sum += w
            estimate = w_sum / t if average else w
            bounded &= np.abs(estimate).max(axis=-1, keepdims=True) <= LARGEST
            path.append(np.where(bounded, estimate, path[-1]))
            w = np.where(bounded, w, path[-1])
    return Descent(path[-1], np.array(path), np.empty(0), False)


@dataclass(frozen=True, eq=False)
class LossGradient:
    """The gradient of loss(y_i w @ x_i) + lambda_ / 2 |w|**2 for each example i.

    rows  (n, d) with y_i x_i in row i
    """

    rows: Matrix
    loss: Loss
    lambda_: float

    def __call__(self, w, i):
        """Return the mean gradient at w over the examples i; shapes as for `sgd`."""
        rows = self.rows[np.expand_dims(i, -1) if np.ndim(i) < w.ndim else i]
        slope = self.loss.derivatives[1]((rows @ w[..., None])[..., 0])
        mean = (slope[..., None, :] @ rows)[..., 0, :] / rows.shape[-2]
        return mean + self.lambda_ * w


def loss_gradient(
    X: ArrayLike, y: Labels, loss: Loss, *, lambda_: float = 0.0
) -> LossGradient:
    """Return the gradient of J_i(w) = loss(y_i w @ x_i) + lambda_ / 2 |w|**2, for `sgd`.

    X, y     (n, d) features, with a column of ones for a bias; (n,) labels, -1 or +1
    loss     a loss of `mlcore.losses` that has a slope
    lambda_  penalty parameter, at least 0

    Returns a function gradient(w, i).
    Raises ValueError for wrong shapes, nan, other labels, a loss without a slope,
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
    """Draw the order of the examples in an epoch, and cut it into batches."""
    order = np.array([np.arange(n) if rng is None else rng.permutation(n) for rng in rngs])
    order = np.broadcast_to(order if w.ndim > 1 else order[0], (*w.shape[:-1], n))
    if batch == 1:
        return order.tolist() if w.ndim == 1 else list(order.T)
    return [order[..., k : k + batch] for k in range(0, n, batch)]


def _number_or_vector(name: str, value, at_least: float = 5e-324):
    array = checks.array(name, value, at_least=at_least)
    if array.ndim > 1 or array.size == 0:
        raise checks.error(name, "be a number or a vector", repr(value))
    return array if array.ndim else float(array)


def _check_callbacks(gradient, steps, w, n: int, batch: int) -> None:
    """Call each function of `sgd` once, and check the shape of its result."""
    if isinstance(gradient, LossGradient):
        checks.vector("w0", np.atleast_2d(w)[0], length=gradient.rows.shape[1])
        checks.integer("n", n, at_most=len(gradient.rows))
    _check_call("steps(1)", steps, (1,), (), w.shape[:-1], at_least=5e-324)
    i = _batches([None], n, w, batch)[0]
    _check_call("gradient(w0, i)", gradient, (w.copy(), i), w.shape)


def _check_start(w0, f, **derivatives):
    """Check all functions at w0; return a copy of w0, and f(w0)."""
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
