"""Descent: gradient steps, Newton steps, and steps along the gradient of a few examples.

Chapters: logistic, sgd
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from mlcore.arrays import Labels
from mlcore.checks import check_data, check_vector
from mlcore.losses import Loss
from mlcore.options import check_flag, check_integer, check_number
from mlcore.solvers.descent import (
    Descent,
    check_functions,
    check_shape,
    descent,
    newton_steps,
    tame,
)
from mlcore.solvers.loss_gradient import LossGradient
from mlcore.solvers.stochastic import StepSize, constant, inverse_t, power, sgd

__all__ = [
    "Descent",
    "StepSize",
    "constant",
    "gradient_descent",
    "inverse_t",
    "loss_gradient",
    "newton",
    "power",
    "sgd",
]


def gradient_descent(
    f: Callable,
    gradient: Callable,
    w0: ArrayLike,
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
    max_steps    steps before giving up, at least 1; the point after the last one is
                 not tested
    tol          the norm of the gradient at which to stop, at least 0

    Returns w, the path, the values.  Look at `.converged` first.  What
    overflows stops at the last point with f and w below 1e150.
    Raises ValueError for nan, wrong shapes, a number out of range.
    Source: Cauchy (1847); Nesterov (1983), the momentum; O'Donoghue and
    Candes (2015), section 3.2, the restart.

    >>> run = gradient_descent(lambda w: w @ w, lambda w: 2 * w, np.array([3.0]), eta=0.25)
    >>> run.converged, len(run.path) - 1, round(float(run.path[1][0]), 6)
    (True, 30, 1.5)
    """
    eta = check_number("eta", eta, above=0.0)
    accelerated = check_flag("accelerated", accelerated)
    max_steps = check_integer("max_steps", max_steps, at_least=1)
    tol = check_number("tol", tol, at_least=0.0)
    w, value = _start(w0, f=f, gradient=gradient)
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
            if not tame(value, new):
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
    return descent(path, values, converged)


def newton(
    f: Callable,
    gradient: Callable,
    hessian: Callable,
    w0: ArrayLike,
    *,
    tol: float = 1e-10,
    max_steps: int = 100,
    keep: float = 0.0,
) -> Descent:
    """Seek the minimum of f by Newton steps, halved until f decreases.

    f          f(w) is the objective, a number; convex, with a minimum and a
               positive definite Hessian: of others `.converged` says only that a
               Newton step would change f by no more than tol
    gradient   gradient(w) is its gradient, (d,)
    hessian    hessian(w) is its matrix of second derivatives, (d, d)
    w0         (d,) the start
    tol        the gap f(w) - min f at which to stop, as the quadratic model
               of f at w estimates it, at least 0
    max_steps  steps before giving up, at least 1
    keep       from 0 to 1: the Hessian serves again after a step that leaves
               at most this share of the gap, but does not judge the end; 0: a
               new one each step

    Returns w, the path, the values.  Look at `.converged` first: False after
    max_steps, or where no step decreases f by more than rounding.
    Raises ValueError for nan, wrong shapes, a number out of range.
    Source: Boyd and Vandenberghe (2004), algorithm 9.5; Shamanskii (1967),
    the Hessian that serves again.

    >>> two = np.array([[2.0]])
    >>> run = newton(lambda w: w @ w, lambda w: 2 * w, lambda w: two, np.array([3.0]))
    >>> run.converged, run.w
    (True, array([0.]))
    """
    tol = check_number("tol", tol, at_least=0.0)
    max_steps = check_integer("max_steps", max_steps, at_least=1)
    keep = check_number("keep", keep, at_least=0.0, at_most=1.0)
    w, _ = _start(w0, f=f, gradient=gradient, hessian=hessian)
    return newton_steps(f, gradient, hessian, w, tol=tol, max_steps=max_steps, keep=keep)


def loss_gradient(
    X: ArrayLike, y: Labels, loss: Loss, *, lambda_: float = 0.0
) -> LossGradient:
    """The gradients of J_i(w) = loss(y_i w @ x_i) + lambda_ / 2 |w|**2, for `sgd`.

    X        (n, d) features, one example a row; a bias is the weight of a column of ones
    y        (n,) labels, -1 or +1
    loss     one of `mlcore.losses` that has a slope
    lambda_  at least 0, the price of |w|**2 / 2

    Returns a function of w and i, as `sgd` asks for.  Given this one, `sgd` need not
    call it: a step is several times faster than with a function of one's own.
    Raises ValueError for wrong shapes, nan, other labels, a loss without slope,
    lambda_ < 0.

    >>> from mlcore import losses
    >>> gradient = loss_gradient([[1.0, 0.0], [0.0, 2.0]], [1, -1], losses.hinge)
    >>> gradient(np.zeros(2), 1)
    array([0., 2.])
    """
    X, y = check_data(X, y)
    if not isinstance(loss, Loss) or len(loss.derivatives) < 2:
        raise ValueError(f"loss must be one of mlcore.losses with a slope; got {loss!r}")
    lambda_ = check_number("lambda_", lambda_, at_least=0.0)
    rows = np.einsum("ij,i->ij", X, y, order="C")
    return LossGradient(rows, loss, lambda_)


def _start(w0, **functions):
    """A copy of w0, and f there, once all functions have been seen to fit."""
    w = check_vector("w0", w0).copy()
    check_functions(**functions)
    value = check_number("f(w0)", functions.pop("f")(w))
    for axes, name in enumerate(functions, start=1):
        check_shape(f"{name}(w0)", functions[name](w), axes * w.shape)
    return w, value
