"""The support vector machine with |w|_1 as penalty: it leaves features out.

Chapter: sparsity
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mlcore.arrays import Labels, Matrix, Vector, centered
from mlcore.checks import check_data, check_vector
from mlcore.linear import LinearRule
from mlcore.options import check_integer, check_number
from mlcore.solvers.l1_machine import duality_gap, hinge, solve_dual
from mlcore.solvers.l1_newton import minimize

LARGEST_C = 1e9  # for X of size 1; beyond, the solver takes a bound for none


@dataclass(frozen=True, eq=False)
class L1SvmFit(LinearRule):
    """The L1-SVM for one C.

    C          the weight of the loss
    objective  (|w|_1 + C sum of losses) times the largest deviation of X
    gap        how far it may be above the minimum, as a part of itself
    """

    C: float
    objective: float
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
    `.converged` first.  Thousands of examples take seconds; `l1_svm_path`, with its other
    loss, less.
    Raises ValueError for wrong shapes, nan, other labels, or C times the largest deviation
    of X out of (0, 1e9].
    Source: Bradley and Mangasarian (1998); Zhu, Rosset, Hastie and Tibshirani (2004), (4).

    >>> X = np.array([[0.0, 1.0], [0.0, 3.0], [4.0, 1.0], [4.0, 3.0]])
    >>> l1_svm(X, [-1, -1, 1, 1], C=10.0).w.round(6)
    array([0.5, 0. ])
    """
    X, y = check_data(X, y)
    C = check_number("C", C, above=0.0)
    Z, mean = centered(X)
    size = np.abs(Z).max() or 1.0
    bound = check_number("C * max |X|", C * size, at_most=LARGEST_C)
    A = Z / size * y[:, None]
    v, b, a = solve_dual(A, y, bound)
    objective = np.abs(v).sum() + bound * hinge(A, y, v, b).sum()
    gap = duality_gap(A, a, objective)
    w = v / size + 0.0  # 0 instead of -0
    return L1SvmFit(w, float(b - w @ mean), C, float(objective), gap)


@dataclass(frozen=True, eq=False)
class L1SvmPath:
    """The L1-SVM with squared hinge for several C.

    C          (L,) the weights of the loss, rising
    W          (L, d) the weights
    b          (L,) the biases
    violation  (L,) how far the gradient of the loss is from what the minimum needs,
               where the penalty's slope is 1
    converged  (L,) whether it is at most tol
    """

    C: Vector
    W: Matrix
    b: Vector
    violation: Vector
    converged: np.ndarray


def l1_svm_path(
    X: ArrayLike, y: Labels, *, C: ArrayLike, max_steps: int = 1000, tol: float = 1e-4
) -> L1SvmPath:
    """Minimize |w|_1 + C sum_i max(0, 1 - y_i (w @ x_i + b))**2 for several C.

    X, y       as for `l1_svm`
    C          (L,) weights of the loss, above 0; scikit-learn's LinearSVC with penalty l1
               has the same C, but penalizes b
    max_steps  Newton steps for each C, which starts where the last one ended, at least 1
    tol        the violation at which to stop, above 0

    Returns w and b for each C.  Look at `.converged` first.
    Raises ValueError as `l1_svm` does, and for an option out of range.
    Source: Lee, Battle, Raina and Ng (2007), for the square; `mlcore.solvers.l1_newton`.

    >>> X = np.array([[0.0, 1.0], [0.0, 3.0], [4.0, 1.0], [4.0, 3.0]])
    >>> l1_svm_path(X, [-1, -1, 1, 1], C=np.array([0.01, 10.0])).W.round(3)
    array([[0.   , 0.   ],
           [0.497, 0.   ]])
    """
    X, y = check_data(X, y)
    C = np.sort(check_vector("C", C))
    check_number("C", C[0], above=0.0)
    max_steps = check_integer("max_steps", max_steps, at_least=1)
    tol = check_number("tol", tol, above=0.0)
    Z, mean = centered(X)
    size = np.abs(Z).max() or 1.0
    check_number("C * max |X|", C[-1] * size, at_most=LARGEST_C)
    A = np.column_stack([Z / size, np.ones(len(Z))]) * y[:, None]
    v, weights, violations = np.zeros(A.shape[1]), [], []
    for c in C * size:
        v, violation = minimize(A, v, c, max_steps, tol)
        weights.append(v)
        violations.append(violation)
    V, violation = np.array(weights), np.array(violations)
    W = V[:, :-1] / size
    return L1SvmPath(C, W, V[:, -1] - W @ mean, violation, violation <= tol)
