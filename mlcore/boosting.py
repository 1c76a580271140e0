"""AdaBoost (Freund and Schapire 1997): many poor rules, weighted, make a good one."""

from dataclasses import dataclass
from math import log, log1p

import numpy as np
from numpy.typing import NDArray

from mlcore.arrays import Matrix, Signs, Vector
from mlcore.checks import (
    LARGEST,
    check_array,
    check_choice,
    check_data,
    check_flag,
    check_integer,
    check_matrix,
    check_number,
    check_signs,
    check_vector,
)
from mlcore.linear import sgn


@dataclass(frozen=True)
class Stump:
    """The rule x -> sign * sgn(x[feature] - threshold), which looks at one feature.

    feature    its index, from 0
    threshold  in the unit of the feature; -1e150, which no number that an X may hold
               is below: the rule always says sign
    sign       +1 or -1, what it says at the threshold and above
    error      the share of the weight on which it was wrong, from 0 to 1
    """

    feature: int
    threshold: float
    sign: float
    error: float

    def predict(self, X: Matrix) -> Signs:
        """What it says of each row of X (n, d), as (n,) of -1 and +1.

        Raises ValueError for a wrong shape or nan.
        """
        X = check_matrix("X", X)
        check_integer("the number of columns of X", X.shape[1], at_least=self.feature + 1)
        return self._predict(X)

    def _predict(self, X: Matrix) -> Signs:
        return np.where(X[:, self.feature] >= self.threshold, self.sign, -self.sign)


@dataclass(frozen=True, eq=False)
class AdaBoostFit:
    """The score F(x) = sum_t alpha_t h_t(x), and how it came about, in T rounds.

    stumps   the T rules h_t, in order
    alpha    (T,) their weights in the vote, above 0
    epsilon  (T,) their weighted errors in their rounds, below 1/2
    Z        (T,) the sum of the weights before each is divided by it, below 1
    stopped  why it ended: "rounds" all were used; "perfect" the only stump makes no
             mistake; "no edge" the next best stump would be as bad as chance
    weights  (T + 1, n) the weights of the examples before each round and after the
             last one, or None if they were not kept
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
        return np.cumprod(self.Z)

    def decision_function(self, X: Matrix) -> Vector:
        """The scores F(x) of the rows of X (n, d), as (n,).

        Raises ValueError for a wrong shape or nan.
        """
        X = check_matrix("X", X, columns=self.d)
        votes = zip(self.alpha, self.stumps, strict=True)
        return sum((alpha * h._predict(X) for alpha, h in votes), np.zeros(len(X)))

    def predict(self, X: Matrix) -> Signs:
        """The side of each row of X (n, d), as (n,): +1 where F(x) >= 0, else -1."""
        return sgn(self.decision_function(X))

    def staged_scores(self, X: Matrix) -> Matrix:
        """The scores after each round, as (T, n): row t - 1 sums the first t stumps."""
        X = check_matrix("X", X, columns=self.d)
        votes = np.empty((len(self.stumps), len(X)))
        for row, alpha, h in zip(votes, self.alpha, self.stumps, strict=True):
            row[:] = alpha * h._predict(X)
        return np.cumsum(votes, axis=0, out=votes)

    def staged_predictions(self, X: Matrix) -> Matrix:
        """The predicted sides after each round, as (T, n)."""
        return sgn(self.staged_scores(X))

    def staged_margins(self, X: Matrix, y: Signs) -> Matrix:
        """y F(x) / sum alpha after each round, as (T, n), from -1 to +1.

        It is the part of the vote for the label less the part against it.
        """
        scores = self.staged_scores(X)
        y = check_signs("y", y, length=scores.shape[1])
        return y * scores / np.cumsum(self.alpha)[:, None]


def best_stump(X: Matrix, y: Signs, weights: Vector) -> Stump:
    """Find the stump with the smallest weighted error.

    X        (n, d) features, one example a row, in any units
    y        (n,) labels, -1 or +1
    weights  (n,) at least 0, not all 0; only their ratios matter

    Returns the stump; its error is at most 1/2.  All thresholds halfway
    between two values of a feature are tried, and the two constant rules.
    Of stumps that are equal up to rounding it is any.
    Raises ValueError for wrong shapes, nan, other labels, weights below 0.
    Source: Iba and Langley (1992), decision stumps.
    """
    X, y = check_data(X, y)
    D = check_vector("weights", weights, length=len(y))
    check_array("weights", D, at_least=0.0)
    if not D.any():
        raise ValueError(f"weights must not all be 0; got {D}")
    D = D / D.max()  # so that tiny ones keep their digits
    return _Search(X).best(y, D / D.sum())


def vote_weight(epsilon: float) -> float:
    """The alpha with the least (1 - epsilon) exp(-alpha) + epsilon exp(alpha).

    epsilon  the share of the weight on which a rule errs, above 0 and below 1

    Returns ln((1 - epsilon) / epsilon) / 2: above 0 if epsilon < 1/2, and of
    epsilon and 1 - epsilon the same but for its sign.
    Raises ValueError for a number outside this range.
    Source: Freund and Schapire (1997), figure 2.
    """
    epsilon = check_number("epsilon", epsilon, above=0.0, below=1.0)
    return (log1p(-epsilon) - log(epsilon)) / 2


def adaboost(
    X: Matrix,
    y: Signs,
    *,
    rounds: int,
    start: str = "uniform",
    keep_weights: bool = False,
) -> AdaBoostFit:
    """Lower the exponential loss sum_i D_i exp(-y_i F(x_i)), one stump a round.

    X             (n, d) features, one example a row, in any units
    y             (n,) labels, -1 or +1; both must occur if balanced
    rounds        the most stumps to use, at least 1
    start         first weights: "uniform", 1/n each, or "balanced", each
                  class has 1/2
    keep_weights  whether to return all weights, (rounds + 1) n numbers

    Returns the stumps and alpha, epsilon, Z of each round.  Look at
    `.stopped` first.  A stump without mistake (epsilon = 0, in round 1 if
    ever) is used alone with alpha = 1: its own alpha would be infinite.
    If the best stump has epsilon = 1/2 (up to 1e-12), its alpha would be 0
    and the weights stay: it is left out, so there may be no stump at all,
    and then F = 0.  epsilon > 1/2, where alpha < 0 would turn a stump
    around, cannot be: the turned stump is the better one.
    Raises ValueError for wrong shapes, nan, other labels, rounds < 1,
    another start, one class with the balanced start.
    Source: Freund and Schapire (1997), figure 2, in the form of Schapire
    and Singer (1999), with the real score F in the exponent, and Z; the
    balanced start: Viola and Jones (2001).
    """
    X, y = check_data(X, y)
    rounds = check_integer("rounds", rounds, at_least=1)
    keep_weights = check_flag("keep_weights", keep_weights)
    D = _first_weights(y, check_choice("start", start, ("uniform", "balanced")))
    search = _Search(X)
    stumps, alphas, sums, history, stopped = [], [], [], [D], "rounds"
    for _ in range(rounds):
        h = search.best(y, D)
        if h.error > 0.5 - 1e-12:
            stopped = "no edge"
            break
        if h.error == 0:
            stumps, alphas, sums, stopped = [h], [1.0], [0.0], "perfect"
            history.append(D)
            break
        alpha = vote_weight(h.error)
        D = D * np.exp(-alpha * y * h._predict(X))
        Z = D.sum()
        D = D / Z
        stumps.append(h)
        alphas.append(alpha)
        sums.append(Z)
        history = [*history, D] if keep_weights else history
    epsilon = np.array([h.error for h in stumps])
    weights = np.array(history) if keep_weights else None
    alpha, Z = np.array(alphas), np.array(sums)
    return AdaBoostFit(tuple(stumps), alpha, epsilon, Z, stopped, weights, X.shape[1])


class _Search:
    """The features of X (n, d), sorted once, for many searches of the best stump."""

    def __init__(self, X: Matrix):
        self.X = X
        self.order = np.argsort(X.T, axis=1)  # (d, n)
        ranked = np.take_along_axis(X.T, self.order, axis=1)
        # whether no threshold fits behind the example: no larger value is next
        self.ties: NDArray[np.bool_] = np.ones(ranked.shape, dtype=bool)
        np.equal(ranked[:, :-1], ranked[:, 1:], out=self.ties[:, :-1])
        self.sums = np.empty(ranked.shape)

    def best(self, y: Signs, D: Vector) -> Stump:
        """The stump with the smallest error, for weights D with sum 1.

        A stump of sign +1 starts as the rule that always says +1, and errs on all of
        -1.  Its threshold then passes one example after the other: an example of +1
        adds its weight to the error, one of -1 takes it away.  So the error is the
        weight of -1 plus a running sum of D * y, and the least sum is wanted; for
        sign -1 the greatest.
        """
        sums = np.take(D * y, self.order, out=self.sums, mode="clip")
        np.cumsum(sums, axis=1, out=sums)
        np.copyto(sums, 0.0, where=self.ties)  # 0, the sum of the constant rule
        low, high = sums.argmin(), sums.argmax()
        plus = D[y < 0].sum() + sums.flat[low]
        minus = D[y > 0].sum() - sums.flat[high]
        place, sign = (low, 1.0) if plus <= minus else (high, -1.0)
        j, i = divmod(int(place), sums.shape[1])
        if self.ties[j, i]:
            return self._stump(0, -LARGEST, sign, y, D)
        below, above = self.X[self.order[j, i : i + 2], j]
        middle = below / 2 + above / 2
        return self._stump(j, middle if middle > below else above, sign, y, D)

    def _stump(self, j: int, threshold: float, sign: float, y, D) -> Stump:
        """The stump with its error summed anew: exactly 0 if it makes no mistake."""
        wrong = Stump(j, threshold, sign, 0.0)._predict(self.X) != y
        return Stump(j, float(threshold), sign, float(D[wrong].sum()))


def _first_weights(y: Signs, start: str) -> Vector:
    """Weights with sum 1: equal ones, or equal ones within each class of 1/2."""
    if start == "uniform":
        return np.full(len(y), 1 / len(y))
    positive = int((y > 0).sum())
    if positive in (0, len(y)):
        raise ValueError(
            f"y must hold both -1 and +1 for the balanced start; got only {y[0]:g}"
        )
    return np.where(y > 0, 0.5 / positive, 0.5 / (len(y) - positive))
