"""Decide whether a hyperplane separates two classes.

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

CERTIFICATE_TOL = 1e-9  # largest residual of a certificate's equations, for scaled features


@dataclass(frozen=True, eq=False)
class Halfspace(LinearRule):
    """A separating hyperplane or a proof that none exists.

    certificate  None if y_i (w @ x_i + b) >= 1 for all i, up to rounding.  Otherwise (n,)
                 a >= 0 with sum 1 and sum_i a_i y_i (x_i, 1) = 0; then w and b are 0.
    """

    certificate: Vector | None

    @property
    def separable(self) -> bool:
        """True if a hyperplane separates the classes."""
        return self.certificate is None


def separating_halfspace(X: ArrayLike, y: Labels, *, bias: bool = True) -> Halfspace:
    """Decide by linear programming whether a hyperplane separates the classes.

    X, y  (n, d) examples, each feature in any unit; (n,) labels, -1 or +1, of one or two
          classes
    bias  if False, b is 0 and the certificate need not satisfy sum_i a_i y_i = 0

    Returns w, b with y_i (w @ x_i + b) >= 1 or the certificate.  Check `.separable` first.
    Both are verified: the inequalities with a bound on the rounding error, the equations to
    1e-9 of the range of each feature.  Classes closer than this may count as not separable.
    Raises ValueError for wrong shapes, nan or other labels; ArithmeticError if neither can
    be verified, for example if a feature varies only in its last digits.
    Source: Gordan (1873): exactly one of the two exists.

    >>> X = np.array([[1.0], [2.0], [4.0]])
    >>> [separating_halfspace(X, y).separable for y in ([-1, 1, 1], [1, -1, 1])]
    [True, False]
    """
    X, y = checks.data(X, y)
    d, bias = X.shape[1], checks.flag("bias", bias)
    if bias and abs(y.sum()) == len(y):
        return Halfspace(w=np.zeros(d), b=float(y[0]), certificate=None)
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
        return Halfspace(w=w / z.min(), b=b / float(z.min()), certificate=None)
    if np.abs(a @ rows).max() > CERTIFICATE_TOL:
        raise ArithmeticError(
            "the solver found neither a hyperplane nor a certificate; subtract the mean of "
            "each feature that varies only in its last digits"
        )
    return Halfspace(w=np.zeros(d), b=0.0, certificate=a)


def shatters(X: ArrayLike) -> bool:
    """Decide whether halfspaces shatter the points X (n, d), with n at most 12.

    Points closer to a common hyperplane than 1e-9 of the range of a feature may count as
    lying on it.
    Raises ValueError for a wrong shape, nan, more than 12 points; ArithmeticError as
    `separating_halfspace` does.
    Source: Vapnik and Chervonenkis (1971), the definition.

    >>> shatters(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    True
    >>> shatters(np.array([[0.0], [1.0], [2.0]]))
    False
    """
    X = checks.matrix("X", X)
    if len(X) > 12:
        raise checks.error("X", "have at most 12 rows, to try all labelings", len(X))
    rest = product((-1.0, 1.0), repeat=len(X) - 1)  # y is separable if -y is
    return all(separating_halfspace(X, [1.0, *signs]).separable for signs in rest)
