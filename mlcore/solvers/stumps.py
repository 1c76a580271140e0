"""Decision stumps: rules that look at one feature, and the search for the best one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.arrays import LARGEST, Matrix, Signs, Vector
from mlcore.checks import check_array, check_data, check_matrix, check_vector
from mlcore.options import check_integer

CACHE = 2**16  # numbers that are worked on at a time


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

    def predict(self, X: ArrayLike) -> Signs:
        """What it says of each row of X (n, d), as (n,) of -1 and +1.

        Raises ValueError for a wrong shape or nan.
        """
        X = check_matrix("X", X)
        check_integer("the number of columns of X", X.shape[1], at_least=self.feature + 1)
        return self._predict(X)

    def _predict(self, X: Matrix) -> Signs:
        return np.where(X[:, self.feature] >= self.threshold, self.sign, -self.sign)


def best_stump(X: ArrayLike, y: ArrayLike, weights: ArrayLike) -> Stump:
    """Find the stump with the smallest weighted error.

    X        (n, d) features, one example a row, in any units
    y        (n,) labels, -1 or +1
    weights  (n,) at least 0, not all 0; only their ratios matter

    Returns the stump; its error is at most 1/2.  All thresholds halfway
    between two values of a feature are tried, and the two constant rules.
    Of stumps that are equal up to rounding it is any.
    Raises ValueError for wrong shapes, nan, other labels, weights below 0.
    Source: Iba and Langley (1992), decision stumps.

    >>> X, y = np.array([[1.0], [2.0], [3.0]]), np.array([-1.0, 1.0, 1.0])
    >>> best_stump(X, y, np.full(3, 1 / 3))
    Stump(feature=0, threshold=1.5, sign=1.0, error=0.0)
    """
    X, y = check_data(X, y)
    D = check_vector("weights", weights, length=len(y))
    check_array("weights", D, at_least=0.0)
    if not D.any():
        raise ValueError(f"weights must not all be 0; got {D}")
    D = D / D.max()  # so that tiny ones keep their digits
    return Search(X)(y, D / D.sum())


class Search:
    """The features of X (n, d), sorted once, for many searches of the best stump.

    A few features at a time, so that what is done with them stays in the cache.
    """

    def __init__(self, X: Matrix):
        self.X = X
        n, d = X.shape
        size = 1 + CACHE // n
        self.order: NDArray[np.intp] = np.empty((d, n), dtype=np.intp)
        # whether no threshold fits behind the example: no larger value is next
        self.ties: NDArray[np.bool_] = np.ones((d, n), dtype=bool)
        self.blocks = [slice(j, j + size) for j in range(0, d, size)]
        for block in self.blocks:
            columns = np.ascontiguousarray(X[:, block].T)
            self.order[block] = np.argsort(columns, axis=1)
            ranked = np.take_along_axis(columns, self.order[block], axis=1)
            np.equal(ranked[:, :-1], ranked[:, 1:], out=self.ties[block, :-1])
        self.sums: Matrix = np.empty((min(size, d), n))

    def __call__(self, y: Signs, D: Vector) -> Stump:
        """The stump with the smallest error, for weights D with sum 1.

        A stump of sign +1 starts as the rule that always says +1, and errs on all of
        -1.  Its threshold then passes one example after the other: an example of +1
        adds its weight to the error, one of -1 takes it away.  So the error is the
        weight of -1 plus a running sum of D * y, and the least sum is wanted; for
        sign -1 the greatest.
        """
        least, low = np.inf, (0, 0)
        greatest, high = -np.inf, (0, 0)
        n, signed = len(y), D * y
        for block in self.blocks:
            order = self.order[block]
            sums = np.take(signed, order, out=self.sums[: len(order)], mode="clip")
            np.cumsum(sums, axis=1, out=sums)
            np.copyto(sums, 0.0, where=self.ties[block])  # the sum of the constant rule
            first, last = int(sums.argmin()), int(sums.argmax())
            if sums.flat[first] < least:
                least, low = sums.flat[first], (block.start + first // n, first % n)
            if sums.flat[last] > greatest:
                greatest, high = sums.flat[last], (block.start + last // n, last % n)
        plus, minus = D[y < 0].sum() + least, D[y > 0].sum() - greatest
        (j, i), sign = (low, 1.0) if plus <= minus else (high, -1.0)
        if self.ties[j, i]:
            return self._stump(0, -LARGEST, sign, y, D)
        below, above = self.X[self.order[j, i : i + 2], j]
        middle = below / 2 + above / 2
        return self._stump(j, middle if middle > below else above, sign, y, D)

    def _stump(self, j: int, threshold: float, sign: float, y, D) -> Stump:
        """The stump with its error summed anew: exactly 0 if it makes no mistake."""
        wrong = Stump(j, threshold, sign, 0.0)._predict(self.X) != y
        return Stump(j, float(threshold), sign, float(D[wrong].sum()))
