"""The support vector machine with |w|_1 as penalty: it leaves features out.

Chapter: sparsity
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import Labels, centered
from mlcore.linear import LinearRule
from mlcore.solvers.linear_programs import least_l1_machine

LARGEST_C = 1e9  # for X of size 1; beyond, the solver takes a bound for none


@dataclass(frozen=True, eq=False)
class L1SvmFit(LinearRule):
    """The L1-SVM for one C.

    gap  how far the objective may be above its minimum, as a part of itself
    """

    gap: float

    @property
    def converged(self) -> bool:
        """Whether the gap is below 1e-6."""
        return self.gap < 1e-6


def l1_svm(X: ArrayLike, y: Labels, *, C: float = 1.0) -> L1SvmFit:
    """Minimize |w|_1 + C sum_i max(0, 1 - y_i (w @ x_i + b)), as a linear program.

    X, y  (n, d) features, in which units matters; (n,) labels, -1 or +1
    C     weight of the loss, above 0, in the unit of 1 / X; 1 / lambda for lambda |w|_1

    Returns w (d,) with at most n weights that are not 0, b and the gap.  Look at
    `.converged` first.  Thousands of examples take seconds.
    Raises ValueError for wrong shapes, nan, other labels, or C times the largest deviation
    of X out of (0, 1e9].
    Source: Bradley and Mangasarian (1998); Zhu, Rosset, Hastie and Tibshirani (2004), (4).

    >>> X = np.array([[0.0, 1.0], [0.0, 3.0], [4.0, 1.0], [4.0, 3.0]])
    >>> l1_svm(X, [-1, -1, 1, 1], C=10.0).w.round(6)
    array([0.5, 0. ])
    """
    X, y = checks.data(X, y)
    C = checks.number("C", C, above=0.0)
    Z, mean = centered(X)
    size = np.abs(Z).max() or 1.0
    bound = checks.number("C * max |X - mean|", C * size, above=0.0, at_most=LARGEST_C)
    A = Z / size * y[:, None]
    v, b, a = least_l1_machine(A, y, bound)
    a = a / max(1.0, np.abs(A.T @ a).max())  # feasible in the dual, whose value is sum a
    objective = np.abs(v).sum() + bound * np.maximum(0.0, 1 - A @ v - y * b).sum()
    gap = max(objective - a.sum(), 0.0) / max(objective, 1e-300)
    w = v / size + 0.0  # 0 instead of -0
    return L1SvmFit(w, float(b - w @ mean), float(gap))
