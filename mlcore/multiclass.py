"""Classify into more than two classes with rules for two classes.

`fit` is any function fit(X, y) for y of -1 and +1 that returns an object with a method
decision_function(X), for example `perceptron` or a lambda that sets its options.

Chapter: multiclass
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore import checks
from mlcore.arrays import Matrix, Vector
from mlcore.linear import LinearRule, LinearScores


@dataclass(frozen=True, eq=False)
class OneVsRestFit:
    """K classes from rules that separate one class from the rest.

    classes  (K,) the labels, sorted
    rules    K or K - 1 rules; rule k has positive scores for class k, negative for others
    """

    classes: np.ndarray
    rules: tuple

    def scores(self, X: ArrayLike) -> Matrix:
        """Compute g_k(x) for each row of X (n, d), as (n, K); g_k is 0 without a rule."""
        X = checks.matrix("X", X)
        scores = [_scores(rule, X) for rule in self.rules]
        if len(scores) < len(self.classes):
            scores.append(np.zeros_like(X[:, 0]))
        return np.stack(scores, axis=1)

    def claims(self, X: ArrayLike) -> NDArray[np.bool_]:
        """Predict with each rule: True if rule k says +1, as (n, number of rules).

        A row accepted by several rules is ambiguous.  A row accepted by none is ambiguous
        with K rules, and belongs to the last class with K - 1 rules.
        """
        return self.scores(X)[:, : len(self.rules)] >= 0

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the class with the largest score, the first in a tie, as (n,)."""
        return self.classes[self.scores(X).argmax(axis=1)]


def one_vs_rest(
    fit: Callable, X: ArrayLike, labels: ArrayLike, *, form: str = "K"
) -> OneVsRestFit:
    """Learn a rule for each class against all other classes.

    fit        fit(X, y) for labels y, -1 or +1; see the start of this module
    X, labels  (n, d) features, in any units; (n,) labels of any kind, at least two classes
    form       "K": a rule for each class; "K-1": no rule for the last class, whose score
               is 0

    Returns the rules, which predict the class with the largest score.
    Raises ValueError for wrong shapes, nan, one class; and the exceptions of fit.
    Source: Duda and Hart (1973), section 5.2.2; Bishop (2006), section 4.1.2.

    >>> from mlcore.least_squares import least_squares
    >>> X = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
    >>> one_vs_rest(least_squares, X, ["a", "b", "c"]).predict(X)
    array(['a', 'b', 'c'], dtype='<U1')
    """
    checks.function("fit", fit)
    X, classes, index = checks.classes(X, labels, 2)
    form = checks.choice("form", form, ("K", "K-1"))
    with_rule = range(len(classes) if form == "K" else len(classes) - 1)
    rules = [fit(X, np.where(index == k, 1.0, -1.0)) for k in with_rule]
    rules = tuple(checks.fitted(rule, "decision_function") for rule in rules)
    return OneVsRestFit(classes=classes, rules=rules)


@dataclass(frozen=True, eq=False)
class OneVsOneFit:
    """K classes from rules for two classes each.

    classes  (K,) the labels, sorted
    pairs    the K (K - 1) / 2 pairs (k, l), k < l
    rules    a rule for each pair, which predicts k if its score is at least 0, otherwise l
    """

    classes: np.ndarray
    pairs: tuple[tuple[int, int], ...]
    rules: tuple

    def votes(self, X: ArrayLike) -> NDArray[np.intp]:
        """Count the rules that predict each class, for each row of X (n, d), as (n, K)."""
        return self._tally(X)[0]

    def scores(self, X: ArrayLike) -> Matrix:
        """Compute the votes, plus a number below 1/3 that breaks ties, as (n, K).

        This number is s / (3 + 3 |s|), where s is the sum of the scores for the class minus
        the sum of the scores against it.
        """
        votes, sums = self._tally(X)
        return votes + sums / (3 + 3 * np.abs(sums))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the class with the most votes; the sums of scores break ties."""
        votes, sums = self._tally(X)
        tied = votes == votes.max(axis=1, keepdims=True)
        return self.classes[np.where(tied, sums, -np.inf).argmax(axis=1)]

    def _tally(self, X: ArrayLike) -> tuple[NDArray[np.intp], Matrix]:
        X = checks.matrix("X", X)
        scores = np.stack([_scores(rule, X) for rule in self.rules], axis=1)
        # one-hot encodings of the first and the second class of each pair
        first, second = np.eye(len(self.classes), dtype=int)[np.transpose(self.pairs)]
        votes = (scores >= 0) @ first + (scores < 0) @ second
        return votes, scores @ (first - second)


def one_vs_one(fit: Callable, X: ArrayLike, labels: ArrayLike) -> OneVsOneFit:
    """Learn a rule for each pair of classes; the first class of the pair is +1.

    Arguments and exceptions are those of `one_vs_rest`.  The rules vote for classes.
    Source: Knerr, Personnaz and Dreyfus (1990); Friedman (1996), the vote.
    """
    checks.function("fit", fit)
    X, classes, index = checks.classes(X, labels, 2)
    pairs = tuple(combinations(range(len(classes)), 2))
    rules = []
    for k, l in pairs:  # noqa: E741
        rows = (index == k) | (index == l)
        rule = fit(X[rows], np.where(index[rows] == k, 1.0, -1.0))
        rules.append(checks.fitted(rule, "decision_function"))
    return OneVsOneFit(classes=classes, pairs=pairs, rules=tuple(rules))


def linear_machine(fit: Callable, X: ArrayLike, labels: ArrayLike) -> LinearScores:
    """Learn the weights of all classes together (Kesler's construction).

    fit        fit(Z, signs) returns a LinearRule with b = 0, for example lambda Z, signs:
               perceptron(Z, signs, bias=False)
    X, labels  as for `one_vs_rest`

    An example of class k requires (w_k - w_l) @ x + b_k - b_l > 0 for all classes l != k:
    v @ z > 0 with the vector v of all weights.  So there are n (K - 1) examples z with
    K (d + 1) features: for each x, one per class l = k + 1, k + 2, ..., cyclically.
    Every second z is multiplied by -1 and gets the sign -1, which is the same requirement.
    Returns W, b.  The region of each class is convex.
    Raises ValueError for wrong shapes, nan, one class, a rule with a bias; and the
    exceptions of fit.
    Source: Nilsson (1965), chapter 5: Kesler's construction.

    >>> from mlcore.least_squares import least_squares
    >>> X = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]])
    >>> labels = ["a", "b", "c"]
    >>> machine = linear_machine(lambda X, y: least_squares(X, y, bias=False), X, labels)
    >>> machine.predict(X)
    array(['a', 'b', 'c'], dtype='<U1')
    """
    checks.function("fit", fit)
    X, classes, index = checks.classes(X, labels, 2)
    (n, d), K = X.shape, len(classes)
    rows = np.column_stack([X, np.ones(n)])
    Z = np.zeros((n, K - 1, K, d + 1))
    i = np.arange(n)
    Z[i, :, index] = rows[:, None]
    for step in range(1, K):  # class k against class k + step
        Z[i, step - 1, (index + step) % K] = -rows
    Z = Z.reshape(n * (K - 1), K * (d + 1))
    signs = np.resize([1.0, -1.0], len(Z))
    rule = fit(signs[:, None] * Z, signs)
    if not isinstance(rule, LinearRule) or rule.b != 0:
        raise checks.error("fit", "return a LinearRule without bias", repr(rule))
    v = rule.w.reshape(K, d + 1)
    return LinearScores(classes=classes, W=v[:, :-1], b=v[:, -1])


def _scores(rule, X: Matrix) -> Vector:
    scores = rule.decision_function(X)
    return checks.vector("the scores of a rule", scores, length=len(X))
