"""Stochastic gradient descent: steps along the gradient of a few examples."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import ArrayLike

from mlcore.arrays import LARGEST, Seed, Vector
from mlcore.checks import check_array, check_vector
from mlcore.options import check_flag, check_integer, check_number, check_rng
from mlcore.solvers.descent import Descent, check_functions, check_shape
from mlcore.solvers.loss_gradient import LossGradient


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

    def _along(self, times: range) -> Iterator:
        """The sizes at these times, for less than a call for each."""
        eta, p = self.eta, self.p
        return repeat(eta, len(times)) if p == 0 else (eta / t**p for t in times)


def constant(eta) -> StepSize:
    """The step size eta, above 0: a number, or one for each run, (runs,).

    >>> constant(0.5)(1), constant(0.5)(100)
    (0.5, 0.5)
    """
    return StepSize(_positive("eta", eta), 0.0)


def inverse_t(alpha) -> StepSize:
    """The step sizes 1 / (alpha t); alpha at least 1e-150, a number or (runs,).

    For an objective with lambda / 2 |w|**2, alpha = lambda is the natural choice.

    >>> inverse_t(2.0)(1), inverse_t(2.0)(10)
    (0.5, 0.05)
    """
    return StepSize(1 / _positive("alpha", alpha, at_least=1 / LARGEST), 1.0)


def power(eta, p: float) -> StepSize:
    """The step sizes eta / t**p; eta above 0, a number or (runs,), p from 0 to 10.

    With 1/2 < p <= 1 they meet the conditions of Robbins and Monro (1951): their sum
    is infinite, the sum of their squares is not.

    >>> power(1.0, 0.5)(1), power(1.0, 0.5)(4)
    (1.0, 0.5)
    """
    p = check_number("p", p, at_least=0.0, at_most=10.0)
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
    f: Callable | None = None,
    rng: Seed = None,
) -> Descent:
    """Seek the minimum of a mean over n examples by the gradients of a few.

    gradient  gradient(w, i) is the mean gradient (d,) of the examples i: an
              int, or indices (batch,) if batch > 1; in lockstep it gets w
              (runs, d) and i (runs,) or (runs, batch), returns (runs, d).
              `mlcore.optim.loss_gradient` makes one that is fast
    n         number of examples, at least 1
    w0        (d,) the start
    steps     steps(t) is the size of step t = 1, 2, ..., above 0, such as
              `constant(0.1)`; in lockstep also one for each run, (runs,)
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

    >>> x = np.array([1.0, 3.0])  # the mean of (w - x_i)**2 / 2 is least at 2
    >>> run = sgd(lambda w, i: w - x[i], 2, np.zeros(1), steps=inverse_t(1.0), epochs=3)
    >>> run.w.round(6)
    array([2.])
    """
    w = check_vector("w0", w0).copy()
    n = check_integer("n", n, at_least=1)
    epochs = check_integer("epochs", epochs, at_least=1)
    batch = check_integer("batch", batch, at_least=1, at_most=n)
    average = check_flag("average", average)
    if runs is not None:
        w = np.tile(w, (check_integer("runs", runs, at_least=1), 1))
    rng = None if rng is None else check_rng("rng", rng)
    _check_parts(gradient, steps, f, w, n, batch)
    path, total, t = [w.copy()], np.zeros(w.shape), 0
    sane = np.ones((*w.shape[:-1], 1), dtype=bool)
    orders = _orders(n, runs, rng)
    with np.errstate(all="ignore"):
        for _ in range(epochs):
            times = range(t + 1, t + 1 - -n // batch)
            t += len(times)
            sizes = _sizes(steps, times, runs)
            if isinstance(gradient, LossGradient) and runs is None:
                gradient.go(w, next(orders), sizes, batch, total if average else None)
            else:
                for i, eta in zip(_batches(next(orders), batch), sizes, strict=True):
                    w -= eta * gradient(w, i)
                    if average:
                        total += w
            found = total / t if average else w
            sane &= np.abs(found).max(axis=-1, keepdims=True) <= LARGEST
            path.append(np.where(sane, found, path[-1]))
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


def _sizes(steps: Callable, times: range, runs: int | None) -> Iterator:
    """The step size of each time: a number, or (runs, 1)."""
    sizes = steps._along(times) if isinstance(steps, StepSize) else map(steps, times)
    return sizes if runs is None else (np.reshape(eta, (-1, 1)) for eta in sizes)


def _values(f: Callable, points):
    values = np.array([f(w) for w in np.atleast_2d(points)], dtype=float)
    return np.fmin(values, LARGEST)[() if points.ndim > 1 else 0]


def _positive(name: str, value, *, at_least: float = 5e-324):
    array = check_array(name, value, at_least=at_least)
    if array.ndim > 1 or array.size == 0:
        raise ValueError(f"{name} must be a number or a vector; got {value!r}")
    return array if array.ndim else float(array)


def _check_parts(gradient, steps, f, w, n: int, batch: int) -> None:
    """What `sgd` is given fits together: each function is tried once."""
    check_functions(gradient=gradient, steps=steps, f=print if f is None else f)
    if isinstance(gradient, LossGradient):
        check_vector("w0", np.atleast_2d(w)[0], length=gradient.rows.shape[1])
        check_integer("n", n, at_most=len(gradient.rows))
    check_shape("steps(1)", _positive("steps(1)", steps(1)), (), w.shape[:-1])
    i = _batches(np.tile(np.arange(n), (*w.shape[:-1], 1)), batch)[0]
    check_shape("gradient(w0, i)", gradient(w.copy(), i), w.shape)
    if f is not None:
        check_number("f(w0)", f(np.atleast_2d(w)[0]))
