"""The support vector machine with the penalty |w|_1, which makes weights exactly 0.

Chapter: sparsity
"""

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks
from mlcore.arrays import Labels, centered
from mlcore.linear import CertifiedRule
from mlcore.solvers.linear_programs import solve_l1_svm_dual

LARGEST_C = 1e9  # for X of size 1; HiGHS treats larger bounds as infinite


def l1_svm(X: ArrayLike, y: Labels, *, C: float = 1.0) -> CertifiedRule:
    """Minimize |w|_1 + C sum_i max(0, 1 - y_i (w @ x_i + b)), as a linear program.

    X, y  (n, d) features, whose units matter; (n,) labels, -1 or +1
    C     weight of the loss, above 0, in the unit of 1 / X; 1 / lambda if |w|_1 has the
          factor lambda and the losses have the factor 1

    Returns w (d,) with at most n nonzero weights, b, the objective and its duality gap.
    Check `.converged` first: True if the relative gap is below 1e-6.  100,000
    examples of 10 features take about 10 seconds; the time grows faster than n.
    Raises ValueError for wrong shapes, nan, other labels; and unless C times the largest
    deviation of X from its mean is in (0, 1e9].
    Source: Bradley and Mangasarian (1998); Zhu and others (2004), equation (4).

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
    found = solve_l1_svm_dual(A, y, bound)
    a = found.a / max(1.0, np.abs(A.T @ found.a).max())  # feasible; its value is sum(a)
    losses = np.maximum(0.0, 1 - A @ found.w - y * found.b)
    value = float(np.abs(found.w).sum() + bound * losses.sum())
    gap = max(value - float(a.sum()), 0.0)
    w = found.w / size + 0.0  # 0 instead of -0
    return CertifiedRule(
        w=w,
        b=float(found.b - w @ mean),
        value=value / size,  # |w|_1 in the unit of 1 / X
        duality_gap=gap / size,
        converged=gap < 1e-6 * value or value == 0,
    )
