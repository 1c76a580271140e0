"""AdaBoost (Freund and Schapire 1997): a weighted vote of weak classifiers.

Chapter: boosting
"""

from dataclasses import dataclass
from math import log, log1p

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import Labels, Matrix, Signs, Vector
from mlcore.linear import sgn
from mlcore.solvers.stumps import Stump, StumpSearch

__all__ = ["AdaBoostFit", "Stump", "adaboost", "best_stump", "vote_weight"]


@dataclass(frozen=True, eq=False)
class AdaBoostFit:
    """The vote F(x) = sum_t alpha_t h_t(x) of T stumps, and the history of its rounds.

    stumps   the T stumps h_t, in order
    alpha    (T,) the weight of each stump in the vote, above 0
    epsilon  (T,) the weighted error of each stump in its round, below 1/2
    Z        (T,) the normalizer of the example weights in each round, below 1
    stopped  the reason for stopping: "rounds" all rounds were used; "perfect" the only
             stump makes no mistake; "no edge" the next stump would have error 1/2
    weights  (T + 1, n) the example weights before each round and at the end; or None
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
        """The bound Z_1 ... Z_t on the training error after each round, as (T,).

        With the balanced start it bounds the mean of the error rates of the two classes.
        """
        return np.cumprod(self.Z, dtype=float)

    def decision_function(self, X: ArrayLike) -> Vector:
        """Return the score F(x) of each row of X (n, d), as (n,)."""
        return self._votes(X).sum(axis=0)

    def predict(self, X: ArrayLike) -> Signs:
        """Predict the label of each row of X (n, d), as (n,): +1 where F(x) >= 0."""
        return sgn(self.decision_function(X))

    def staged_scores(self, X: ArrayLike) -> Matrix:
        """Return the scores after each round, as (T, n): row t - 1 sums t votes."""
        return np.cumsum(self._votes(X), axis=0)

    def _votes(self, X: ArrayLike) -> Matrix:
        X = checks.matrix("X", X, columns=self.d)
        votes = [a * h._predict(X) for a, h in zip(self.alpha, self.stumps, strict=True)]
        return np.reshape(votes, (-1, len(X)))

    def staged_margins(self, X: ArrayLike, y: Labels) -> Matrix:
        """Return the margins y F(x) / sum alpha after each round, as (T, n), in [-1, 1].

        A margin is the fraction of the vote for y minus the fraction against y.
        """
        scores = self.staged_scores(X)
        y = checks.signs("y", y, length=scores.shape[1])
        return y * scores / np.cumsum(self.alpha)[:, None]


def vote_weight(epsilon: float) -> float:
    """Find the alpha that minimizes (1 - epsilon) exp(-alpha) + epsilon exp(alpha).

    epsilon  the weighted error of a classifier, above 0 and below 1

    Returns ln((1 - epsilon) / epsilon) / 2, above 0 if epsilon < 1/2.
    Raises ValueError for a number outside this range.
    Source: Freund and Schapire (1997), figure 2, whose ln(1 / beta_t) is twice this.

    >>> round(vote_weight(0.2), 4)  # ln(4) / 2
    0.6931
    """
    epsilon = checks.number("epsilon", epsilon, above=0.0, below=1.0)
    return (log1p(-epsilon) - log(epsilon)) / 2


def best_stump(X: ArrayLike, y: ArrayLike, weights: ArrayLike) -> Stump:
    """Find the stump with the smallest weighted error.

    X, y     (n, d) features, in any units; (n,) labels, -1 or +1
    weights  (n,) example weights, at least 0, not all 0; only their ratios matter

    Returns the stump, whose error is at most 1/2.  The candidates are all thresholds
    halfway between two neighboring values of a feature, and the two constant classifiers.
    In a tie, any of the best stumps may be returned.
    Raises ValueError for wrong shapes, nan, other labels, weights below 0.
    Source: Iba and Langley (1992), decision stumps.

    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([-1.0, 1.0, 1.0])
    >>> best_stump(X, y, np.full(3, 1 / 3))
    Stump(feature=0, threshold=1.5, sign=1.0, error=0.0)
    """
    X, y = checks.data(X, y)
    D = checks.vector("weights", weights, length=len(y), at_least=0.0)
    if not D.any():
        raise checks.error("weights", "not all be 0", D)
    return StumpSearch(X)(y, D / D.sum())


def adaboost(
    X: ArrayLike,
    y: Labels,
    *,
    rounds: int = 50,
    start: str = "uniform",
    keep_weights: bool = False,
) -> AdaBoostFit:
    """Fit a weighted vote of stumps by AdaBoost.

    Each round adds the stump h_t with the smallest weighted error epsilon_t, with the
    weight alpha_t = ln((1 - epsilon_t) / epsilon_t) / 2, and multiplies the example weights
    by exp(-alpha_t y_i h_t(x_i)) / Z_t.  This decreases the exponential loss
    sum_i D_i exp(-y_i F(x_i)), where D are the initial example weights.

    X, y          (n, d) features, in any units; (n,) labels, -1 or +1
    rounds        maximum number of stumps, at least 1
    start         initial example weights: "uniform", 1/n each; "balanced", 1/2 in total
                  for each class, and both classes must occur
    keep_weights  whether to return the weights of all rounds, (rounds + 1) n numbers

    Returns the stumps and alpha, epsilon, Z of each round.  Check `.stopped` first.  A
    stump without a mistake (epsilon = 0, only possible in round 1) is used alone with
    alpha = 1, since its alpha would be infinite.  A stump with epsilon = 1/2 (up to 1e-12)
    would have alpha = 0 and is left out; if it is the first, T = 0 and F = 0.
    No stump has epsilon > 1/2, since its negation has a smaller error.
    Raises ValueError for wrong shapes, nan, other labels, an unknown start, rounds < 1.
    Source: Freund and Schapire (1997), figure 2, in the form of Schapire and Singer (1999),
    with F in the exponent and a normalizer Z; balanced start: Viola and Jones (2001).

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
    search, weights, stopped = StumpSearch(X), [D], "rounds"
    stumps: list[Stump] = []
    history: list[tuple] = []  # alpha, epsilon, Z of each round
    while len(stumps) < rounds and stopped != "perfect":
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
        history.append((alpha, h.error, Z))
        if keep_weights:
            weights.append(D)
    alphas, epsilons, Z = np.reshape(history, (-1, 3)).T
    kept = np.array(weights) if keep_weights else None
    return AdaBoostFit(tuple(stumps), alphas, epsilons, Z, stopped, kept, X.shape[1])
