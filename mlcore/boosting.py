"""AdaBoost (Freund and Schapire 1997): many poor rules, weighted, make a good one.

Chapter: boosting
"""

from dataclasses import dataclass
from math import log, log1p

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import Labels, Matrix, Signs, Vector
from mlcore.linear import sgn
from mlcore.solvers.stumps import Search, Stump

__all__ = ["AdaBoostFit", "Stump", "adaboost", "best_stump", "vote_weight"]


@dataclass(frozen=True, eq=False)
class AdaBoostFit:
    """The score F(x) = sum_t alpha_t h_t(x), and how it came about, in T rounds.

    stumps   the T rules h_t, in order
    alpha    (T,) their weights in the vote, above 0
    epsilon  (T,) their weighted errors in their rounds, below 1/2
    Z        (T,) the sum of the weights before each is divided by it, below 1
    stopped  why it ended: "rounds" all were used; "perfect" the only stump makes no
             mistake; "no edge" the next best stump would be as bad as chance
    weights  (T + 1, n) those of the examples before each round and at the end, or None
    d        the number of features
    """

    stumps: tuple[Stump, ...]
    alpha: Vector
    epsilon: Vector
    Z: Vector
    stopped: str
    weights: Matrix | None
    d: int

    @property
    def bound(self) -> Vector:
        """(T,): after each round the training error is at most Z_1 ... Z_t.

        With the balanced start it is the mean of the two classes' errors that is.
        """
        return np.cumprod(self.Z, dtype=float)

    def decision_function(self, X: ArrayLike) -> Vector:
        """The scores F(x) of the rows of X (n, d), as (n,)."""
        return self._votes(X).sum(axis=0)

    def predict(self, X: ArrayLike) -> Signs:
        """The side of each row of X (n, d), as (n,): +1 where F(x) >= 0, else -1."""
        return sgn(self.decision_function(X))

    def staged_scores(self, X: ArrayLike) -> Matrix:
        """The scores after each round, as (T, n): row t - 1 sums the first t stumps."""
        return np.cumsum(self._votes(X), axis=0)

    def _votes(self, X: ArrayLike) -> Matrix:
        X = checks.matrix("X", X, columns=self.d)
        votes = [a * h._predict(X) for a, h in zip(self.alpha, self.stumps, strict=True)]
        return np.reshape(votes, (-1, len(X)))

    def staged_margins(self, X: ArrayLike, y: Labels) -> Matrix:
        """y F(x) / sum alpha after each round, (T, n), from -1 to +1: the vote for y less
        that against.
        """
        scores = self.staged_scores(X)
        y = checks.signs("y", y, length=scores.shape[1])
        return y * scores / np.cumsum(self.alpha)[:, None]


def vote_weight(epsilon: float) -> float:
    """The alpha with the least (1 - epsilon) exp(-alpha) + epsilon exp(alpha).

    epsilon  the share of the weight on which a rule errs, above 0 and below 1

    Returns ln((1 - epsilon) / epsilon) / 2, above 0 if epsilon < 1/2.
    Raises ValueError for a number outside this range.
    Source: Freund and Schapire (1997), figure 2.

    >>> round(vote_weight(0.2), 4)  # half the logarithm of the odds 4
    0.6931
    """
    epsilon = checks.number("epsilon", epsilon, above=0.0, below=1.0)
    return (log1p(-epsilon) - log(epsilon)) / 2


def best_stump(X: ArrayLike, y: ArrayLike, weights: ArrayLike) -> Stump:
    """Find the stump with the smallest weighted error.

    X, y     (n, d) features, in any units; (n,) labels, -1 or +1
    weights  (n,) at least 0, not all 0; only their ratios matter

    Returns the stump; its error is at most 1/2.  All thresholds halfway between two values
    of a feature are tried, and the two constant rules.  Of equal stumps it is any.
    Raises ValueError for wrong shapes, nan, other labels, weights below 0.
    Source: Iba and Langley (1992), decision stumps.

    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([-1.0, 1.0, 1.0])
    >>> best_stump(X, y, np.full(3, 1 / 3))
    Stump(feature=0, threshold=1.5, sign=1.0, error=0.0)
    """
    X, y = checks.data(X, y)
    D = checks.vector("weights", weights, length=len(y))
    if not checks.array("weights", D, at_least=0.0).any():
        raise checks.error("weights", "not all be 0", D)
    return Search(X)(y, D / D.sum())


def adaboost(
    X: ArrayLike,
    y: Labels,
    *,
    rounds: int = 50,
    start: str = "uniform",
    keep_weights: bool = False,
) -> AdaBoostFit:
    """Lower the exponential loss sum_i D_i exp(-y_i F(x_i)), one stump a round.

    X, y          (n, d) features, in any units; (n,) labels, -1 or +1, both if balanced
    rounds        the most stumps to use, at least 1
    start         first weights: "uniform", 1/n each, or "balanced", each class has 1/2
    keep_weights  whether to return all weights, (rounds + 1) n numbers

    Returns the stumps and alpha, epsilon, Z of each round.  Look at `.stopped` first.  A
    stump without mistake (epsilon = 0, in round 1 if ever) is used alone with alpha = 1:
    its own alpha would be infinite.  One with epsilon = 1/2 (up to 1e-12), whose alpha
    would be 0, is left out, so there may be no stump at all, and then F = 0.  None has
    epsilon > 1/2: turned around, it is better.
    Raises ValueError for wrong shapes, nan, other labels, another start, rounds < 1.
    Source: Freund and Schapire (1997), figure 2, as Schapire and Singer (1999) have it,
    with F in the exponent, and Z; the balanced start: Viola and Jones (2001).

    >>> X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), [1, -1, -1, 1]
    >>> fit = adaboost(X, y, rounds=3)
    >>> fit.predict(X), fit.bound.round(4)
    (array([ 1., -1., -1.,  1.]), array([0.866 , 0.6455, 0.5164]))
    """
    X, y = checks.data(X, y)
    rounds = checks.integer("rounds", rounds, at_least=1)
    keep_weights = checks.flag("keep_weights", keep_weights)
    D = np.full(len(y), 1 / len(y))
    if checks.choice("start", start, ("uniform", "balanced")) == "balanced":
        checks.require_two_classes(y, " for the balanced start")
        D = 0.5 / np.where(y == 1, np.sum(y == 1), np.sum(y == -1))
    search, history, stopped = Search(X), [D], "rounds"
    stumps: list[Stump] = []
    numbers: list[tuple] = []  # alpha, epsilon, Z of each round
    while len(stumps) < rounds and stopped == "rounds":
        h = search(y, D)
        if h.error > 0.5 - 1e-12:
            stopped = "no edge"
            break
        if h.error == 0:
            alpha, Z, stopped = 1.0, 0.0, "perfect"
        else:
            alpha = vote_weight(h.error)
            D = D * np.exp(-alpha * y * h._predict(X))
            Z = D.sum()
            D = D / Z
        stumps.append(h)
        numbers.append((alpha, h.error, Z))
        if keep_weights:
            history.append(D)
    alphas, epsilon, sums = np.reshape(numbers, (-1, 3)).T
    weights = np.array(history) if keep_weights else None
    return AdaBoostFit(tuple(stumps), alphas, epsilon, sums, stopped, weights, X.shape[1])
