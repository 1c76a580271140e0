"""Logistic and softmax regression by maximum likelihood.

Chapters: logistic, multiclass
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks, losses
from mlcore.arrays import Matrix, Vector, to_row_space, typical_row
from mlcore.linear import LinearRule, LinearScores
from mlcore.solvers.likelihood import MeanSoftmax, fit_likelihood, newton_fit, softmax


def sigmoid(z):
    """Compute the probability 1 / (1 + exp(-z)) of scores z of any shape, without overflow.

    Raises ValueError for nan and for |z| above 1e150.

    >>> sigmoid(np.array([-1000.0, 0.0, 1000.0]))
    array([0. , 0.5, 1. ])
    """
    return -losses.logistic.slope(-checks.array("z", z))


def logit(p):
    """Compute the log-odds ln(p / (1 - p)) of probabilities p of any shape.

    Raises ValueError unless 0 < p < 1.

    >>> float(logit(0.5)), round(float(logit(0.75)), 4)  # the odds are 3
    (0.0, 1.0986)
    """
    p = checks.array("p", p)
    wrong = p[(p <= 0) | (p >= 1)]
    if wrong.size:
        raise checks.error("p", "be above 0 and below 1", wrong[0])
    return np.log(p) - np.log1p(-p)


@dataclass(frozen=True, eq=False)
class LogisticFit(LinearRule):
    """The maximum likelihood rule; its score w @ x + b is the log-odds of +1.

    values     (T + 1,) the objective at the start and after each step
    norms      (T + 1,) |w| at the start and after each step
    converged  True if the stopping test of the method is met, False if it gave up
    """

    values: Vector
    norms: Vector
    converged: bool

    def probability(self, X: ArrayLike) -> Vector:
        """Compute the probability of +1 for each row of X (n, d), as (n,)."""
        return sigmoid(self.decision_function(X))


def logistic(
    X: ArrayLike,
    y: ArrayLike,
    *,
    lambda_: float = 0.0,
    bias: bool = True,
    tol: float = 1e-12,
    max_steps: int = 50,
    sample_weight: ArrayLike | None = None,
) -> LogisticFit:
    """Minimize the mean log loss + lambda_ / 2 |w|**2.

    X              (n, d) features, whose units matter with a penalty
    y              (n,) labels in {-1, +1} or {0, 1}
    lambda_        penalty parameter, at least 0; b has no penalty
    bias           if False, b stays 0
    tol            stop when the objective is this close to its minimum, in nats per
                   example; at least 0 (0 is almost never reached)
    max_steps      Newton steps before giving up, at least 1
    sample_weight  (n,) weight of each example, at least 0, not all 0; None: 1

    Returns w (d,), b, and the objective and |w| after each step.  Check `.converged`
    first: False for separable data with lambda_ = 0, where |w| diverges, and for one class
    with a bias, where b diverges; possibly also if some examples are 1e9 times as long as
    others.  Large data with a penalty are fitted by L-BFGS, if it provably converges.
    Raises ValueError for wrong shapes, nan, other labels, a number out of range.
    Source: Cox (1958); Hastie, Tibshirani and Friedman (2009), section 4.4.1, the Newton
    steps; Albert and Anderson (1984), the existence of a minimum.

    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([-1, 1, -1, 1])
    >>> fit = logistic(X, y)
    >>> fit.converged, fit.probability(X).round(2)
    (True, array([0.2 , 0.39, 0.61, 0.8 ]))
    """
    X = checks.features("X", X)
    y = checks.binary("y", y, length=len(X))
    lambda_ = checks.number("lambda_", lambda_, at_least=0.0)
    bias = checks.flag("bias", bias)
    tol = checks.number("tol", tol, at_least=0.0)
    max_steps = checks.integer("max_steps", max_steps, at_least=1)
    s, _, kept = checks.sample_weight("sample_weight", sample_weight, length=len(y))
    options = {"tol": tol, "max_steps": max_steps}
    found = fit_likelihood(X[kept], y[kept], s, lambda_=lambda_, bias=bias, **options)
    return LogisticFit(**found)


@dataclass(frozen=True, eq=False)
class SoftmaxFit(LinearScores):
    """The maximum likelihood scores; the sums of W and b over the classes are 0.

    values     (T + 1,) the objective at the start and after each step
    converged  True if the stopping test of the method is met, False if it gave up
    """

    values: Vector
    converged: bool

    def probability(self, X: ArrayLike) -> Matrix:
        """Compute the probability of each class for each row of X (n, d), as (n, K)."""
        return softmax(self.decision_function(X))[0]


def softmax_regression(
    X: ArrayLike,
    labels: ArrayLike,
    *,
    lambda_: float = 0.0,
    tol: float = 1e-12,
    max_steps: int = 50,
    sample_weight: ArrayLike | None = None,
) -> SoftmaxFit:
    """Minimize the mean of -ln p(label), plus lambda_ / 2 |W|**2.

    X, labels  (n, d) features, as for `logistic`; (n,) labels of any kind, at least two
               classes with a weight above 0

    The other arguments are those of `logistic`.
    Returns W (K, d), b (K,), the classes with a weight above 0, and the objective after
    each step.  Check `.converged` first: False if no minimum exists.  The Hessian has
    (K (d + 1))**2 entries, or with a penalty (K (min(n, d) + 1))**2.  Large data with a
    penalty are fitted by L-BFGS, then by Newton steps.
    Raises ValueError for wrong shapes, nan, one class, a number out of range.
    Source: Bishop (2006), section 4.3.4.

    >>> X = np.array([[0.0], [1.0], [5.0], [6.0]])
    >>> fit = softmax_regression(X, ["a", "a", "b", "b"], lambda_=0.1)
    >>> fit.predict(np.array([[2.0], [4.0]]))
    array(['a', 'b'], dtype='<U1')
    """
    X, y = checks.features("X", X), checks.labels("labels", labels, length=len(X))
    s, _, kept = checks.sample_weight("sample_weight", sample_weight, length=len(X))
    X, classes, index = checks.classes(X[kept], y[kept], 2)
    lambda_ = checks.number("lambda_", lambda_, at_least=0.0)
    tol = checks.number("tol", tol, at_least=0.0)
    max_steps = checks.integer("max_steps", max_steps, at_least=1)
    Y = np.where(index[:, None] == np.arange(len(classes)), 1.0, 0.0)
    center = typical_row(X)  # another origin changes only b
    X, lift = to_row_space(X - center) if lambda_ > 0 else (X - center, lambda u: u)
    loss = partial(MeanSoftmax, Y=Y, s=s)
    options = {"lambda_": lambda_, "tol": tol, "max_steps": max_steps}
    run = newton_fit(loss, X, s, bias=True, K=len(classes), **options)
    V = run.w.reshape(len(classes), -1)
    V = V - V.mean(axis=0)  # the same probabilities, with the W of minimum norm
    W, b = lift(V[:, :-1].T).T, V[:, -1]
    return SoftmaxFit(classes, W, b - W @ center, run.values, run.converged)
