"""The objective of the support vector machine, and its descent along subgradients.

The objective is J(w, b) = mean hinge(y (w @ x + b)) + lambda_ / 2 |w|**2, b free.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from mlcore.arrays import LARGEST, Matrix, Seed, Signs, Vector
from mlcore.checks import check_data, check_vector
from mlcore.linear import LinearRule
from mlcore.options import check_flag, check_integer, check_number, check_rng
from mlcore.solvers.hinge_steps import dealt, mean_hinge, walk


def objective(
    X: ArrayLike, y: ArrayLike, w: ArrayLike, b: float, *, lambda_: float
) -> float:
    """Find J(w, b) = mean of max(0, 1 - y (w @ x + b)), plus lambda_ / 2 |w|**2.

    X (n, d), y (n,) of -1 and +1, w (d,), b; lambda_ above 0.
    Raises ValueError for wrong input, or if a score or sqrt(lambda_) |w| is above 1e150.

    >>> X, y = np.array([[1.0], [3.0]]), np.array([-1, 1])
    >>> objective(X, y, np.array([1.0]), -2.0, lambda_=0.5)
    0.25
    """
    X, y = check_data(X, y)
    w = check_vector("w", w, length=X.shape[1])
    b, lambda_ = check_number("b", b), check_number("lambda_", lambda_, above=0.0)
    check_number("max |X| * sum |w|", np.abs(X).max() * np.abs(w).sum())
    check_number("sqrt(lambda_) * sum |w|", sqrt(lambda_) * np.abs(w).sum())
    return _objective(X, y, w, b, lambda_)


@dataclass(frozen=True, eq=False)
class Descent(LinearRule):
    """The answer of a subgradient method.

    values  the objective J along the way
    """

    values: Vector


def subgradient_descent(
    X: ArrayLike,
    y: ArrayLike,
    *,
    lambda_: float = 0.01,
    steps: int = 1000,
    bias: bool = True,
) -> Descent:
    """Lower J from w = 0, b = 0 by steps of size 1 / (lambda_ t) over all examples.

    X        (n, d) features, one example a row, best of size about 1
    y        (n,) labels, -1 or +1
    lambda_  above 0, the price of |w|**2 / 2, in mean loss
    steps    number of steps, at least 1
    bias     whether b is learned; if False it stays 0

    Returns the best w and b met, and J at the start and after each step,
    (steps + 1,).  Steps go up as well as down: look at the least value.
    Raises ValueError for wrong shapes, nan, other labels, values out of
    range, max |X|**2 / lambda_ above 1e150.
    Source: Shor (1985), the method; the step sizes: Shalev-Shwartz et al.
    (2011), with all examples in each step.

    >>> X, y = np.array([[1.0], [3.0], [6.0]]), np.array([-1, 1, 1])
    >>> fit = subgradient_descent(X, y, lambda_=0.1, steps=2000)
    >>> fit.predict(X)
    array([-1.,  1.,  1.])
    """
    X, y, lambda_ = check_problem(X, y, lambda_)
    steps, bias = check_integer("steps", steps, at_least=1), check_flag("bias", bias)
    n, d = X.shape
    w, b = np.zeros(d), 0.0
    best, least, values = (w, b), 1.0, [1.0]  # the hinge loss of the score 0
    for t in range(1, steps + 1):
        eta = 1 / (lambda_ * t)
        hit = y * (y * (X @ w + b) < 1)  # y_i where the loss is not 0, or 0
        w = (1 - 1 / t) * w + eta / n * (hit @ X)  # 1 / t = eta * lambda_
        b = b + bias * eta / n * hit.sum()
        values.append(_objective(X, y, w, b, lambda_))
        if values[-1] < least:
            best, least = (w, b), values[-1]
    return Descent(best[0], float(best[1]), np.array(values))


def pegasos(
    X: ArrayLike,
    y: ArrayLike,
    *,
    lambda_: float = 0.01,
    epochs: int = 20,
    rng: Seed = 0,
    batch: int = 1,
    bias: bool = True,
    average: bool = True,
) -> Descent:
    """Lower J from w = 0, b = 0 by steps of size 1 / (lambda_ t) over a few examples.

    It comes near the minimum that `mlcore.svm.soft_margin` finds up to rounding, by
    steps that cost the same for any n.

    X        (n, d) features, one example a row, best of size about 1
    y        (n,) labels, -1 or +1
    lambda_  above 0, the price of |w|**2 / 2, in mean loss
    epochs   passes over the data, at least 1; some 1 / lambda_ steps are
             needed before the first ones, which are long, are forgotten
    rng      seed or Generator: deals the examples to batches, once, and
             draws their order in each epoch
    batch    examples a step, 1 to n; the last ones are evened out
    bias     whether b is learned, by steps of the same size; or stays 0
    average  whether to return the mean of w, b over the steps in the last
             half of the epochs (in the last, middle included), not the last

    Returns w and b, and for each epoch J at the mean of its w and b, or at
    its last if average is False, (epochs,).
    Raises ValueError for wrong shapes, nan, other labels, values out of
    range, max |X|**2 / lambda_ above 1e150.
    Source: Shalev-Shwartz, Singer, Srebro and Cotter (2011), figure 2,
    without the optional projection; the mean over the last half: Rakhlin,
    Shamir and Sridharan (2012).

    >>> X, y = np.array([[1.0], [3.0], [6.0]]), np.array([-1, 1, 1])
    >>> pegasos(X, y, lambda_=0.1, epochs=500, rng=0).predict(X)
    array([-1.,  1.,  1.])
    """
    X, y, lambda_ = check_problem(X, y, lambda_)
    (n, d), epochs = X.shape, check_integer("epochs", epochs, at_least=1)
    batch = check_integer("batch", batch, at_least=1, at_most=n)
    bias, average = check_flag("bias", bias), check_flag("average", average)
    rng = check_rng("rng", rng)
    rows = dealt(X, y, bias, rng.permutation(n))
    parts = -(-n // batch)
    v, t = np.zeros(d + 1), 0  # (w, b), and the steps that led to it
    ends: list[Vector] = []  # of each epoch
    values: list[float] = []  # J there
    for _ in range(epochs):
        total = np.zeros(d + 1)
        order = rng.permutation(parts).tolist()
        walk(v, rows, order, t, lambda_, total)
        t += parts
        ends.append(total / parts if average else v.copy())
        values.append(mean_hinge(rows, ends[-1], lambda_))
    v = np.mean(ends[epochs // 2 :] if average else ends[-1:], axis=0)
    return Descent(v[:-1], float(v[-1]), np.array(values))


def _objective(X, y, w, b, lambda_) -> float:
    loss = np.maximum(0.0, 1 - y * (X @ w + b)).mean()
    return float(loss + lambda_ * (w @ w) / 2)


def check_problem(X, y, lambda_) -> tuple[Matrix, Signs, float]:
    """The data and lambda_, once they are known to fit together."""
    X, y = check_data(X, y)
    lambda_ = check_number("lambda_", lambda_, at_least=1 / LARGEST)
    size = float(np.abs(X).max())
    check_number("max |X|**2 / lambda_", size * size / lambda_)
    return np.ascontiguousarray(X), y, lambda_  # one rounding for every memory layout
