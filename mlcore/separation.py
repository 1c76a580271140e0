"""Find a hyperplane that separates two classes, or prove that there is none.

Chapters: perceptron, svm, features
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import EPS, Labels, Vector
from mlcore.linear import LinearRule
from mlcore.solvers.linear_programs import max_min_lp

PROOF = 1e-9  # how far a certificate may be off, in features of size 1


@dataclass(frozen=True, eq=False)
class Halfspace(LinearRule):
    """A separating hyperplane, or the proof that there is none.

    certificate  None if y_i (w @ x_i + b) >= 1, but for rounding, for all i; else w and
                 b are 0, and this is (n,) a >= 0 with sum 1 and
                 sum_i a_i y_i (x_i, 1) = 0
    """

    certificate: Vector | None

    @property
    def separable(self) -> bool:
        return self.certificate is None


def separating_halfspace(X: ArrayLike, y: Labels, *, bias: bool = True) -> Halfspace:
    """Decide by linear programming whether a hyperplane separates the classes.

    X, y  (n, d) examples, each feature in any unit; (n,) labels, -1 or +1, maybe all the
          same
    bias  whether the hyperplane may miss the origin; if False, b is 0 and the last equation
          of the certificate, sum_i a_i y_i = 0, is not asked for

    Returns w, b with y_i (w @ x_i + b) >= 1, or the certificate.  Look at `.separable`.
    Either has been checked by arithmetic: the inequalities beyond rounding, the equations
    to 1e-9 of the range of a feature, so classes nearer to each other may count as not
    separable.
    Raises ValueError for wrong shapes, nan or other labels; ArithmeticError if neither
    passes, as where features vary in their last digits only: subtract their means.
    Source: Gordan (1873): exactly one of the two exists.

    >>> X = np.array([[1.0], [2.0], [4.0]])
    >>> [separating_halfspace(X, y).separable for y in ([-1, 1, 1], [1, -1, 1])]
    [True, False]
    """
    X, y = checks.data(X, y)
    d, bias = X.shape[1], checks.flag("bias", bias)
    if bias and abs(y.sum()) == len(y):
        return Halfspace(np.zeros(d), float(y[0]), None)
    center = X.min(axis=0) / 2 + X.max(axis=0) / 2 if bias else np.zeros(d)
    spread = np.abs(X - center).max(axis=0)
    unit = np.where(spread > 0, spread, np.inf)
    Z = (X - center) / unit
    rows = y[:, None] * (np.column_stack([Z, np.ones(len(Z))]) if bias else Z)
    v, a = max_min_lp(rows)
    w = v[:d] / unit
    b = float(v[d] - w @ center) if bias else 0.0
    z = y * (X @ w + b)
    rounding = (d + 2) * EPS * (np.abs(X) @ np.abs(w) + abs(b))
    if (z > rounding).all():
        return Halfspace(w / z.min(), b / float(z.min()), None)
    if np.abs(a @ rows).max() > PROOF:
        raise ArithmeticError(
            "the solver found neither a hyperplane nor a proof; from a feature that varies "
            "in its last digits only, subtract its mean"
        )
    return Halfspace(np.zeros(d), 0.0, a)


def shatters(X: ArrayLike) -> bool:
    """Decide whether halfspaces give the points X (n, d), n at most 12, every labeling.

    Points nearer to a common hyperplane than 1e-9 of the range of a feature may count as on
    it.
    Raises ValueError for a wrong shape, nan, or more than 12 points; ArithmeticError as
    `separating_halfspace` does.
    Source: Vapnik and Chervonenkis (1971), the definition.

    >>> shatters(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    True
    >>> shatters(np.array([[0.0], [1.0], [2.0]]))
    False
    """
    X = checks.matrix("X", X)
    if len(X) > 12:
        raise checks.error("X", "have at most 12 rows, 2**n are tried", len(X))
    rest = product((-1.0, 1.0), repeat=len(X) - 1)  # y and -y separate alike
    return all(separating_halfspace(X, [1.0, *signs]).separable for signs in rest)
