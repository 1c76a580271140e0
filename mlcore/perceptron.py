"""The perceptron (Rosenblatt 1958): add each misclassified example to the weights.

Chapter: perceptron
"""

from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore import checks
from mlcore.arrays import EPS, Labels, Matrix, Seed, Vector
from mlcore.linear import LinearRule

BLOCK_ROWS = 64  # rows per matrix product


@dataclass(frozen=True, eq=False)
class PerceptronFit(LinearRule):
    """The final rule of the perceptron, and its mistakes.

    mistakes  the number of updates in each epoch
    """

    mistakes: tuple[int, ...]

    @property
    def converged(self) -> bool:
        """Whether the last epoch made no mistakes: each example is classified correctly."""
        return self.mistakes[-1] == 0

    @property
    def updates(self) -> int:
        """The number of updates in all epochs, which Novikoff's theorem bounds."""
        return sum(self.mistakes)


def perceptron(
    X: ArrayLike,
    y: Labels,
    *,
    bias: bool = True,
    start: ArrayLike | None = None,
    max_epochs: int = 100,
    rng: Seed = None,
) -> PerceptronFit:
    """Fit a separating hyperplane by Rosenblatt's perceptron.

    Go through the examples in order.  If y_i (w @ x_i + b) <= 0, update w <- w + y_i x_i
    and b <- b + y_i.  Stop after an epoch without an update.

    X, y        (n, d) features, whose units matter; (n,) labels, -1 or +1
    bias        whether to learn b; if False, b stays 0
    start       (d,) initial weights; None: 0
    max_epochs  maximum number of passes over the data, at least 1
    rng         seed or Generator that reshuffles each epoch; None: the given order

    Returns w (d,), b and the mistakes of each epoch.  Check `.converged` first: if no
    hyperplane separates the data, all max_epochs are used and the last w is not the best w.
    Raises ValueError for wrong shapes, nan, other labels, max_epochs < 1.
    Source: Rosenblatt (1958), the rule; Novikoff (1962), its convergence: `mistake_bound`.

    >>> fit = perceptron(np.array([[1.0], [2.0]]), [-1, 1])
    >>> fit.converged, fit.w, fit.b, fit.mistakes
    (True, array([2.]), -3.0, (2, 2, 1, 2, 2, 1, 2, 1, 0))
    """
    X, y = checks.data(X, y)
    max_epochs = checks.integer("max_epochs", max_epochs, at_least=1)
    rng = None if rng is None else checks.rng("rng", rng)
    v = np.append(_initial_weights(start, X), 0.0)  # (w, b)
    rows = np.column_stack([X, np.full(len(X), float(checks.flag("bias", bias)))])
    rows *= y[:, None]  # y_i (x_i, bias)
    max_norm, mistakes = float(np.sqrt(np.sum(rows**2, axis=1).max())), []
    for _ in range(max_epochs):
        epoch = rows if rng is None else rows[rng.permutation(len(rows))]
        mistakes.append(_run_epoch(epoch, v, max_norm))
        if mistakes[-1] == 0:
            break
    return PerceptronFit(v[:-1], float(v[-1]), tuple(mistakes))


def _run_epoch(rows: Matrix, v: Vector, max_norm: float) -> int:
    """Add each row with row @ v <= 0 to v in place, in order; return the number added.

    One product scores a block of rows; the rows after the first mistake are scored again.
    Blocks and single rows may round differently (Higham 2002, section 3.1), so the product
    of the single row decides if the score is within rounding error of 0.
    """
    unit_error = 4 * len(v) * EPS * max_norm  # rounding error of a score if |v| = 1
    first, mistakes = 0, 0
    while first < len(rows):
        scores = rows[first : first + BLOCK_ROWS].dot(v)
        error = unit_error * sqrt(v.dot(v))
        k = (scores <= error).tobytes().find(True)  # first True; faster than argmax
        if k < 0:
            first += BLOCK_ROWS
            continue
        row = rows[first + k]
        first += k + 1
        if scores[k] < -error or row[:-1].dot(v[:-1]) + row[-1] * v[-1] <= 0:
            v += row  # w <- w + y_i x_i, b <- b + y_i
            mistakes += 1
    return mistakes


@dataclass(frozen=True, eq=False)
class PerceptronTrace:
    """All T updates of a perceptron.

    chosen     (T,) the index of the misclassified example of each update
    w          (T + 1, d) the initial w, then w after each update
    b          (T + 1,) the initial b, then b after each update
    epochs     the number of passes over the data; max_updates may cut the last one short
    converged  whether the last pass made no mistakes
    """

    chosen: NDArray[np.intp]
    w: Matrix
    b: Vector
    epochs: int
    converged: bool

    @property
    def updates(self) -> int:
        """The number of updates, T."""
        return len(self.chosen)


def perceptron_trace(
    X: ArrayLike,
    y: Labels,
    *,
    bias: bool = True,
    start: ArrayLike | None = None,
    eta: float = 1.0,
    max_updates: int = 10_000,
) -> PerceptronTrace:
    """Run the perceptron in the given order and record every update.

    eta          step size, above 0.  Without a start it only scales w and b (without
                 rounding if it is a power of 2); other step sizes may round a score of 0 to
                 either side and so change which examples are chosen
    max_updates  maximum number of updates, at least 1

    The other arguments are the same as for `perceptron`.
    Returns the chosen examples, all w and b, and the number of epochs.  Check
    `.converged` first.  With eta = 1 the final w and b are those of `perceptron`.
    Raises ValueError for wrong shapes, nan, other labels, eta <= 0, max_updates < 1.
    Source: Rosenblatt (1958).

    >>> run = perceptron_trace(np.array([[1.0], [2.0]]), [-1, 1])
    >>> run.chosen[:3], run.w[:3, 0], run.updates
    (array([0, 1, 0]), array([ 0., -1.,  1.]), 13)
    """
    X, y = checks.data(X, y)
    X = np.ascontiguousarray(X)  # the same rounding for every memory layout
    bias, w, b = checks.flag("bias", bias), _initial_weights(start, X), 0.0
    eta = checks.number("eta", eta, above=0.0)
    max_updates = checks.integer("max_updates", max_updates, at_least=1)
    chosen: list[int] = []
    ws, bs = [w], [b]
    epochs, converged = 0, False
    while not converged and len(chosen) < max_updates:
        epochs, before = epochs + 1, len(chosen)
        for i in range(len(X)):
            # a point on the hyperplane counts as a mistake
            if y[i] * (X[i].dot(ws[-1]) + bs[-1]) <= 0 and len(chosen) < max_updates:
                ws.append(ws[-1] + eta * y[i] * X[i])
                bs.append(bs[-1] + eta * y[i] * bias)
                chosen.append(i)
        converged = len(chosen) == before
    order = np.array(chosen, dtype=np.intp)
    return PerceptronTrace(order, np.array(ws), np.array(bs), epochs, converged)


def mistake_bound(
    radius: float, margin: float, *, start_norm: float = 0.0, start_score: float = 0.0
) -> float:
    """Bound the number of updates of a perceptron without a bias.

    radius       R, at least the norm of every example, above 0
    margin       gamma, at most y_i w_star @ x_i for every i, above 0, where |w_star| = 1
    start_norm   norm of the initial w, at least 0
    start_score  initial w @ w_star, at most start_norm in absolute value

    Returns (R / gamma)**2 if the initial w is 0.  A bias is the weight of one more feature,
    the constant 1 (or R): include this feature in R and gamma.
    Raises ValueError for a value outside its range.
    Source: Novikoff (1962).  With an initial w, k updates satisfy (start_score + k
    gamma)**2 <= start_norm**2 + k R**2; the bound is the larger root k.

    >>> mistake_bound(2.0, 0.5)
    16.0
    """
    gamma = checks.number("margin", margin, above=0.0)
    radius = checks.number("radius", radius, above=0.0)
    n0 = checks.number("start_norm", start_norm, at_least=0.0)
    largest = n0 * (1 + 1e-9)  # |w @ w_star| <= |w| up to rounding
    a = checks.number("start_score", start_score, at_least=-largest, at_most=largest)
    # the larger root of k**2 - p k - q**2 / 4, without cancellation
    p = checks.number("radius / margin", radius / gamma, at_most=1e75) ** 2 - 2 * a / gamma
    q = 2 * sqrt(max(n0 - a, 0.0) * max(n0 + a, 0.0)) / gamma
    total = hypot(p, q) + abs(p)
    return total / 2 if p >= 0 else q * (q / total) / 2


def _initial_weights(start: ArrayLike | None, X: Matrix) -> Vector:
    """Return a copy of start; None: zeros."""
    start = np.zeros(X.shape[1]) if start is None else start
    return checks.vector("start", start, length=X.shape[1]).copy()
