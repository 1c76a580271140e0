"""Features ranked: each by itself, or by the weights of fits that shed the least one."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.arrays import Matrix, Vector, ratio
from mlcore.checks import check_data, check_labels, check_matrix, check_vector
from mlcore.options import check_choice, check_integer, check_number
from mlcore.solvers.moments import centered, largest


@dataclass(frozen=True, eq=False)
class Ranking:
    """The features in the order of their scores.

    order   (d,) the indices, the best first
    scores  (d,) the score of each feature
    """

    order: NDArray[np.intp]
    scores: Vector


def univariate(X: ArrayLike, y: ArrayLike, *, score: str = "correlation") -> Ranking:
    """Rank the features by what each one alone says about y.

    X      (n, d) features, one example a row, in any units
    y      (n,) numbers, or labels -1 and +1
    score  "correlation" with y, from -1 to 1; or "signal_to_noise" for
           labels: (m1 - m0) / (s1 + s0) with the means and the standard
           deviations of the two classes

    Returns the order of falling |score|, of equals the first, and the scores.
    A feature that is constant (signal_to_noise: in each class) has score 0.
    Raises ValueError for wrong shapes, nan, labels of one class.
    Source: Guyon and Elisseeff (2003), section 2.2; Golub and others (1999),
    note 16, the signal-to-noise.

    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> univariate(X, np.array([-1, -1, 1, 1])).order
    array([0, 1])
    """
    score = check_choice("score", score, ["correlation", "signal_to_noise"])
    X = check_matrix("X", X)
    y = check_vector("y", y, length=len(X))
    measure = _correlation if score == "correlation" else _signal_to_noise
    scores = measure(X, y)
    return Ranking(np.argsort(-np.abs(scores), kind="stable"), scores)


@dataclass(frozen=True, eq=False)
class Elimination:
    """What recursive elimination kept.

    features  the indices kept, sorted
    removed   the indices removed, the first one first
    sizes     how many features were left for each fit
    """

    features: tuple[int, ...]
    removed: tuple[int, ...]
    sizes: tuple[int, ...]


def recursive_elimination(
    X: ArrayLike, y: ArrayLike, *, fit: Callable, count: int, share: float = 0.0
) -> Elimination:
    """Fit, remove the features of least |w_j|, and fit again.

    X      (n, d) features, one example a row, in comparable units
    y      (n,) labels of any kind, or numbers
    fit    fit(X, y) returns an object with weights w (d,)
    count  how many features to keep, from 1 to d
    share  the part of the features to remove after each fit, at least 0 and
           below 1, rounded down, but at least one feature

    Returns the features kept and the order of the removals.
    Raises ValueError for wrong shapes, nan, an option out of range, or a fit
    whose w has another length.
    Source: Guyon, Weston, Barnhill and Vapnik (2002), section 2.4.

    >>> from mlcore.least_squares import least_squares
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> y = np.array([-1, -1, 1, 1])
    >>> recursive_elimination(X, y, fit=least_squares, count=1).features
    (0,)
    """
    X = check_matrix("X", X)
    y = check_labels("y", y, length=len(X))
    if not callable(fit):
        raise ValueError(f"fit must be a function; got {fit!r}")
    count = check_integer("count", count, at_least=1, at_most=X.shape[1])
    share = check_number("share", share, at_least=0.0, below=1.0)
    kept, removed, sizes = np.arange(X.shape[1]), [], []
    while len(kept) > count:
        w = check_vector("w of fit", fit(X[:, kept], y).w, length=len(kept))
        sizes.append(len(kept))
        drop = min(max(1, int(share * len(kept))), len(kept) - count)
        out = np.argsort(np.abs(w), kind="stable")[:drop]
        removed += kept[out].tolist()
        kept = np.delete(kept, out)
    return Elimination(tuple(kept.tolist()), tuple(removed), tuple(sizes))


def mutual_information(X: ArrayLike, y, *, bins: int | None = None) -> Vector:
    """Find how much each feature says about the label, in nats.

    X     (n, d) features, one example a row, in any units
    y     (n,) labels of any kind
    bins  number of intervals with about as many examples each, at least 2,
          that replace the values of a feature; None: each value for itself

    Returns (d,): the sum of p(u, v) ln(p(u, v) / (p(u) p(v))) over the values
    u and labels v, with the shares in the data for p.  It is at least 0, and
    too high by about (values - 1) (labels - 1) / (2 n).
    Raises ValueError for wrong shapes, nan, bins < 2.
    Source: Cover and Thomas (2006), equation (2.28); Miller (1955), the
    excess.

    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> mutual_information(X, [-1, -1, 1, 1]).round(4)  # ln 2 nats, and nothing
    array([0.6931, 0.    ])
    """
    X = check_matrix("X", X)
    y = check_labels("y", y, length=len(X))
    if bins is not None:
        bins = check_integer("bins", bins, at_least=2, at_most=10**6)
    _, label = np.unique(y, return_inverse=True)
    return np.array([_information(_values(x, bins), label) for x in X.T])


def _values(x: Vector, bins: int | None) -> NDArray[np.intp]:
    """The number of the value, or of the interval, of each example."""
    _, value = np.unique(x, return_inverse=True)
    if bins is None:
        return value
    below = np.cumsum(np.bincount(value)) - np.bincount(value)  # equal values together
    return (below * bins // len(x))[value]


def _information(u, v) -> float:
    n = len(u)
    cells, counts = np.unique(u * (v.max() + 1) + v, return_counts=True)
    first, second = np.bincount(u), np.bincount(v)
    row, column = np.divmod(cells, v.max() + 1)
    expected = first[row] * (second[column] / n)
    return max(0.0, float(np.sum(counts * np.log(counts / expected)) / n))


def _correlation(X: Matrix, y: Vector) -> Vector:
    (Z, _), (r, _) = centered(X), centered(y[:, None])
    unit, size = largest(Z), largest(r)
    Z, r = ratio(Z, unit, where=unit > 0), ratio(r, size, where=size > 0)[:, 0]
    length = np.linalg.norm(Z, axis=0) * np.linalg.norm(r)
    return np.clip(ratio(Z.T @ r, length, where=length > 0), -1.0, 1.0)


def _signal_to_noise(X: Matrix, y: Vector) -> Vector:
    X, y = check_data(X, y)
    if abs(y.sum()) == len(y):
        raise ValueError(f"y must hold both -1 and +1; got only {y[0]:g}")
    Z, _ = centered(X)
    unit = largest(Z)
    Z = ratio(Z, unit, where=unit > 0)
    (A, m1), (B, m0) = centered(Z[y == 1]), centered(Z[y == -1])
    noise = np.sqrt(np.mean(A * A, axis=0)) + np.sqrt(np.mean(B * B, axis=0))
    with np.errstate(over="ignore"):
        scores = ratio(m1 - m0, noise, where=noise > 0)
    return check_vector("signal_to_noise of X", scores)
