"""The support vector machine: a wide margin, bought with as little hinge loss as possible.

The objective of the book is J(w, b) = mean hinge(y (w @ x + b)) + lambda_ / 2 |w|**2,
with b free of charge; `mlcore.scalings` translates lambda_ to the constants of others.

`soft_margin` seeks its minimum, and proves by a duality gap how near it is.
`subgradient_descent` and `pegasos` only come near: their steps are cheap, and pegasos
looks at a few examples in each, which pays off when n is large.  `hard_margin` allows no
mistake at all.

A score of these rules is no probability.  `mlcore.logistic.logistic` gives probabilities;
so does scikit-learn's CalibratedClassifierCV around `mlcore.estimators.SoftMargin`.

Chapter: svm
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore.arrays import LARGEST, Labels, Vector
from mlcore.checks import check_sample_weight, check_two_classes
from mlcore.linear import LinearRule
from mlcore.options import check_flag, check_number
from mlcore.solvers.soft_margin import least_soft_margin
from mlcore.solvers.subgradients import (
    check_problem,
    objective,
    pegasos,
    subgradient_descent,
)
from mlcore.solvers.widest_margin import widest_margin

__all__ = [
    "HardMargin",
    "SoftMargin",
    "hard_margin",
    "objective",
    "pegasos",
    "soft_margin",
    "subgradient_descent",
]


@dataclass(frozen=True, eq=False)
class SupportVectors(LinearRule):
    """A hyperplane as a sum over support vectors: w = sum_i a_i y_i x_i.

    a  (n,) the dual variables; 0 for all other examples
    """

    a: Vector

    @property
    def support(self) -> NDArray[np.intp]:
        """The indices of the support vectors."""
        return np.flatnonzero(self.a > 0)


@dataclass(frozen=True, eq=False)
class SoftMargin(SupportVectors):
    """The minimizer of J if `.converged`, with a proof of how far above the least J is.

    C      the most that an a_i may be, 1 / (n lambda_): such examples have y g <= 1.
           With weights it is C times the weight, as a part of the mean weight, and n
           counts the weights above 0
    value  J(w, b)
    gap    J(w, b) is at most this far above the minimum, as `a` proves
    steps  steps of the method, each with one or two systems of equations
    """

    C: float
    value: float
    gap: float
    steps: int

    @property
    def converged(self) -> bool:
        """Whether the gap is at most 1e-8 of J."""
        return self.gap <= 1e-8 * self.value


def soft_margin(
    X: ArrayLike,
    y: Labels,
    *,
    lambda_: float = 0.01,
    bias: bool = True,
    sample_weight: ArrayLike | None = None,
) -> SoftMargin:
    """Find the least J(w, b), up to rounding, and the proof that it is the least.

    X              (n, d) features, one example a row; in which units, matters
    y              (n,) labels, -1 or +1; both must occur if there is a bias
    lambda_        above 0, the price of |w|**2 / 2, in mean loss
    bias           whether b is learned; if False it is 0
    sample_weight  (n,) how often each example counts in the mean, at least 0,
                   not all 0; only their ratios matter.  None: once

    Returns w, b, the dual variables a, J and the duality gap.  Look at
    `.converged` first, then at `.support`: the search may stop above the minimum,
    most often where examples or features are 1e6 times as long as others.  The
    minimizing w is unique; where b is not, it is the middle of all that are as
    good.
    Raises ValueError for wrong shapes, nan, other labels, one class with
    bias, values out of range, max |X|**2 / lambda_ (X less its mean if
    there is a bias) below 1e-150 or above 1e150.
    Source: Cortes and Vapnik (1995), the problem and its dual; the method is
    the interior point method of `mlcore.solvers.soft_margin`.

    >>> fit = soft_margin(np.array([[1.0], [3.0], [6.0]]), [-1, 1, 1], lambda_=0.01)
    >>> fit.converged, fit.w.round(4), round(fit.b, 4)
    (True, array([1.]), -2.0)
    """
    X, y, lambda_ = check_problem(X, y, lambda_)
    a = np.zeros(len(y))
    kept, s = check_sample_weight("sample_weight", sample_weight, length=len(y))
    X, y, s = X[kept], y[kept], s / np.mean(s)
    n, bias = len(y), check_flag("bias", bias)
    if bias and abs(y.sum()) == n:
        raise ValueError(f"y must hold both -1 and +1 with a bias; got only {y[0]:g}")
    C = 1 / (n * lambda_)
    w, b, found, unit = least_soft_margin(X, y, lambda_, bias, s)
    a[kept] = C * (found.a / (unit / n))
    gap = max(found.gap, 0.0) / unit
    return SoftMargin(w, b, a, C, found.primal / unit, gap, found.steps)


@dataclass(frozen=True, eq=False)
class HardMargin(SupportVectors):
    """The separating hyperplane with the least |w| for y_i (w @ x_i + b) >= 1.

    margin  1 / |w|, in the unit of X; 0 if no hyperplane separates by 1e-12 of the size
            of the data: then w = 0, a = 0
    """

    margin: float

    @property
    def separable(self) -> bool:
        return self.margin > 0


def hard_margin(X: ArrayLike, y: Labels, *, bias: bool = True) -> HardMargin:
    """Find the separating hyperplane with the largest margin, exactly.

    X     (n, d) examples, one a row, in any unit
    y     (n,) labels, -1 or +1; both must occur if there is a bias
    bias  whether the hyperplane may miss the origin

    Returns w, b scaled to y_i (w @ x_i + b) = 1 at the support vectors, the
    dual variables a, whose sum is |w|**2, and the margin.  Look at
    `.separable` first.
    Raises ValueError for wrong shapes, nan, other labels, one class with
    bias, a margin below 1e-75.
    Source: Vapnik (1982); Bennett and Bredensteiner (2000): `widest_margin`.

    >>> fit = hard_margin(np.array([[1.0], [3.0], [6.0]]), [-1, 1, 1])
    >>> fit.w.round(6), round(fit.b, 6)
    (array([1.]), -2.0)
    """
    X, y, bias = check_two_classes(X, y, bias)
    w, b, margin, weights = widest_margin(X, y, bias)
    if margin == 0:
        return HardMargin(w, 0.0, np.zeros(len(y)), 0.0)
    check_number("the margin of X", margin, at_least=LARGEST**-0.5)
    # With a bias the weights of each class have the sum 1, and the means that they
    # make are 2 margins apart; without, the sum of all is 1, and the mean 1 margin.
    a = weights / weights.sum() / margin**2
    return HardMargin(w / margin, b / margin, a, margin)
