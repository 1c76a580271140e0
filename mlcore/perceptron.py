"""The perceptron (Rosenblatt 1958): where it errs, add the example it erred on.

Chapter: perceptron
"""

from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore import checks
from mlcore.arrays import EPS, Labels, Matrix, Seed, Vector
from mlcore.linear import LinearRule

BLOCK = 64  # rows that are scored at a time


@dataclass(frozen=True, eq=False)
class PerceptronFit(LinearRule):
    """The last rule of the perceptron.

    mistakes  the number of updates in each epoch
    """

    mistakes: tuple[int, ...]

    @property
    def converged(self) -> bool:
        """Whether the last epoch was free of mistakes: all examples are right."""
        return self.mistakes[-1] == 0

    @property
    def updates(self) -> int:
        """The updates in all epochs, whose number Novikoff's theorem bounds."""
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
    """Seek w, b with y_i (w @ x_i + b) > 0 for every example i.

    X, y        (n, d) features, in which units matters; (n,) labels, -1 or +1
    bias        whether b is learned; if False it stays 0
    start       (d,) first w, in score per unit of a feature; None: 0
    max_epochs  passes over the data before giving up, at least 1
    rng         seed or Generator that reshuffles each epoch; None: the given order

    Returns w (d,), b and the mistakes of each epoch.  Look at `.converged` first: data that
    no hyperplane separates run to max_epochs, and the last w is then not the best one.
    Raises ValueError for wrong shapes, nan, other labels, max_epochs < 1.
    Source: Rosenblatt (1958), the rule; Novikoff (1962), that it ends: `mistake_bound`.

    >>> fit = perceptron(np.array([[1.0], [2.0]]), [-1, 1])
    >>> fit.converged, fit.w, fit.b, fit.mistakes
    (True, array([2.]), -3.0, (2, 2, 1, 2, 2, 1, 2, 1, 0))
    """
    X, y = checks.data(X, y)
    max_epochs = checks.integer("max_epochs", max_epochs, at_least=1)
    rng = None if rng is None else checks.rng("rng", rng)
    v = np.append(_start(start, X), 0.0)  # (w, b)
    rows = np.column_stack([X, np.full(len(X), float(checks.flag("bias", bias)))])
    rows *= y[:, None]  # y_i (x_i, 1), or y_i (x_i, 0) without bias
    longest, mistakes = float(np.sqrt(np.sum(rows**2, axis=1).max())), []
    for _ in range(max_epochs):
        epoch = rows if rng is None else rows[rng.permutation(len(rows))]
        mistakes.append(_pass(epoch, v, longest))
        if mistakes[-1] == 0:
            break
    return PerceptronFit(v[:-1], float(v[-1]), tuple(mistakes))


def _pass(rows: Matrix, v: Vector, longest: float) -> int:
    """Add to v each row, first to last, with row @ v <= 0 for v as it is by then.

    One product scores a block of rows; those after its first mistake are scored again.
    As it may round otherwise than a row alone (Higham 2002, section 3.1), within this
    doubt of 0 the row decides.
    """
    unsure = 4 * len(v) * EPS * longest
    first, wrong = 0, 0
    while first < len(rows):
        scores = rows[first : first + BLOCK].dot(v)
        doubt = unsure * sqrt(v.dot(v))
        k = (scores <= doubt).tobytes().find(True)  # sooner than by argmax
        if k < 0:
            first += BLOCK
            continue
        row = rows[first + k]
        first += k + 1
        if scores[k] < -doubt or row[:-1].dot(v[:-1]) + row[-1] * v[-1] <= 0:
            v += row  # w <- w + y_i x_i, b <- b + y_i
            wrong += 1
    return wrong


@dataclass(frozen=True, eq=False)
class PerceptronTrace:
    """Every step of the perceptron, of T updates.

    chosen     (T,) the index of each example that was added
    w          (T + 1, d) the first w, then w after each update
    b          (T + 1,) the first b, then b after each update
    epochs     passes over the data, the last one perhaps cut short
    converged  whether the last pass was free of mistakes
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
    """Run the perceptron in the given order and keep every step.

    eta          step size, above 0; without a start it scales w and b only, if it is a
                 power of 2: others may round a score of 0, and then other examples are
                 chosen
    max_updates  updates before giving up, at least 1

    The other arguments are those of `perceptron`.
    Returns the examples chosen, all w and b, and the number of epochs.  Look at
    `.converged` first.  With eta = 1 it ends as `perceptron` does.
    Raises ValueError for wrong shapes, nan, other labels, eta <= 0, max_updates < 1.
    Source: Rosenblatt (1958).

    >>> run = perceptron_trace(np.array([[1.0], [2.0]]), [-1, 1])
    >>> run.chosen[:3], run.w[:3, 0], run.updates
    (array([0, 1, 0]), array([ 0., -1.,  1.]), 13)
    """
    X, y = checks.data(X, y)
    X = np.ascontiguousarray(X)  # the same rounding for every memory layout
    bias, w, b = checks.flag("bias", bias), _start(start, X), 0.0
    eta = checks.number("eta", eta, above=0.0)
    max_updates = checks.integer("max_updates", max_updates, at_least=1)
    chosen: list[int] = []
    ws, bs = [w], [b]
    epochs, converged = 0, False
    while not converged and len(chosen) < max_updates:
        epochs, before = epochs + 1, len(chosen)
        for i in range(len(X)):
            # a mistake is on the wrong side, or on the hyperplane
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
    """The number of updates that the perceptron without bias never exceeds.

    radius       R, at least the norm of every example, above 0
    margin       gamma, at most y_i w_star @ x_i for every i, above 0, where |w_star| = 1
    start_norm   norm of the first w, at least 0
    start_score  first w @ w_star, at most start_norm in size

    Returns (R / gamma)**2 for the start 0.  A bias counts as one more feature, the constant
    1 (or R): measure R and gamma with it.
    Raises ValueError for a value outside its range.
    Source: Novikoff (1962).  With a start, k updates satisfy (start_score + k
    gamma)**2 <= start_norm**2 + k R**2; the bound is the larger root k.

    >>> mistake_bound(2.0, 0.5)
    16.0
    """
    gamma = checks.number("margin", margin, above=0.0)
    radius = checks.number("radius", radius, above=0.0)
    n0 = checks.number("start_norm", start_norm, at_least=0.0)
    top = n0 * (1 + 1e-9)  # |w @ w_star| <= |w| up to rounding
    a = checks.number("start_score", start_score, at_least=-top, at_most=top)
    p = checks.number("radius / margin", radius / gamma, at_most=1e75) ** 2 - 2 * a / gamma
    q = 2 * sqrt(max(n0 - a, 0.0) * max(n0 + a, 0.0)) / gamma
    size = hypot(p, q) + abs(p)  # no difference of nearly equal numbers
    return size / 2 if p >= 0 else q * (q / size) / 2


def _start(start: ArrayLike | None, X: Matrix) -> Vector:
    """A copy of the first w: 0 if none is given."""
    start = np.zeros(X.shape[1]) if start is None else start
    return checks.vector("start", start, length=X.shape[1]).copy()
