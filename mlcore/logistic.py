"""Logistic regression: how sure a hyperplane is, fitted by maximum likelihood.

Chapters: logistic, multiclass
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from mlcore import checks, losses
from mlcore.arrays import Matrix, Vector
from mlcore.linear import LinearRule, LinearScores
from mlcore.solvers.descent import newton_steps
from mlcore.solvers.likelihood import (
    MeanSoftmax,
    fit_likelihood,
    has_finite_minimizer,
    softmax,
)


def sigmoid(z):
    """The probability 1 / (1 + exp(-z)) of a score z, of any shape, without overflow.

    Raises ValueError for nan, or a size above 1e150.

    >>> sigmoid(np.array([-1000.0, 0.0, 1000.0]))
    array([0. , 0.5, 1. ])
    """
    return -losses.logistic.slope(-checks.array("z", z))


def logit(p):
    """The log-odds ln(p / (1 - p)) of a probability p, of any shape.

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
    """The most likely rule, whose score w @ x + b is the log-odds of +1.

    values     (T + 1,) the objective at the start and after each step
    norms      (T + 1,) |w|, likewise
    converged  whether w, b is a minimum.  With lambda_ = 0 there is none for separable
               data: |w| grows without end, maybe not in the first steps; nor with a bias
               for one class, where b grows
    """

    values: Vector
    norms: Vector
    converged: bool

    def probability(self, X: ArrayLike) -> Vector:
        """The probability of +1 for each row of X (n, d), as (n,)."""
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
    """Find w, b with the least mean log loss + lambda_ / 2 |w|**2.

    X              (n, d) features, whose units matter with a penalty
    y              (n,) labels, -1 and +1, or 0 and 1
    lambda_        weight of the penalty, at least 0; b is free of it
    bias           whether b is learned; if False it stays 0
    tol            how far the objective may be from its minimum, at least 0 (0 is hardly
                   ever met), in nats for each example
    max_steps      Newton steps before giving up, at least 1
    sample_weight  (n,) how often each example counts, at least 0, not all 0; None: once

    Returns w (d,), b, and the objective and |w| at each step.  Look at `.converged` first.
    Large data with a penalty get quasi-Newton steps, if these provably end at the minimum.
    Raises ValueError for wrong shapes, nan, other labels, a number out of range.
    Source: Cox (1958); Hastie, Tibshirani and Friedman (2009), section 4.4.1, the Newton
    steps; Albert and Anderson (1984), when there is a minimum.

    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([-1, 1, -1, 1])
    >>> fit = logistic(X, y)
    >>> fit.converged, fit.probability(X).round(2)
    (True, array([0.2 , 0.39, 0.61, 0.8 ]))
    """
    X = checks.matrix("X", X)
    y = checks.binary("y", y, length=len(X))
    lambda_ = checks.number("lambda_", lambda_, at_least=0.0)
    bias = checks.flag("bias", bias)
    tol = checks.number("tol", tol, at_least=0.0)
    max_steps = checks.integer("max_steps", max_steps, at_least=1)
    s, _ = checks.sample_weight("sample_weight", sample_weight, length=len(y))
    found = fit_likelihood(
        X, y, s, lambda_=lambda_, bias=bias, tol=tol, max_steps=max_steps
    )
    return LogisticFit(**found._asdict())


@dataclass(frozen=True, eq=False)
class SoftmaxFit(LinearScores):
    """The most likely scores; over the classes W and b sum to 0.

    values     (T + 1,) the objective at the start and after each step
    converged  whether it is a minimum; False if lambda_ = 0 and there is none
    """

    values: Vector
    converged: bool

    def probability(self, X: ArrayLike) -> Matrix:
        """The probability of each class for each row of X, (n, K); rows sum to 1."""
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
    """Find W, b with the least mean -ln p(label) + lambda_ / 2 sum of W**2.

    X, labels  (n, d) features, as for `logistic`; (n,) labels of any kind, two classes or
               more

    The other arguments are those of `logistic`.
    Returns W (K, d), b (K,), the classes, and the objective at each step.  Look at
    `.converged` first.  The Hessian has (K (d + 1))**2 entries.
    Raises ValueError for wrong shapes, nan, one class, a number out of range.
    Source: Bishop (2006), section 4.3.4.

    >>> X = np.array([[0.0], [1.0], [5.0], [6.0]])
    >>> fit = softmax_regression(X, ["a", "a", "b", "b"], lambda_=0.1)
    >>> fit.predict(np.array([[2.0], [4.0]]))
    array(['a', 'b'], dtype='<U1')
    """
    X, classes, index = checks.classes(X, labels, 2)
    lambda_ = checks.number("lambda_", lambda_, at_least=0.0)
    tol = checks.number("tol", tol, at_least=0.0)
    max_steps = checks.integer("max_steps", max_steps, at_least=1)
    Y = np.where(index[:, None] == np.arange(len(classes)), 1.0, 0.0)
    s, _ = checks.sample_weight("sample_weight", sample_weight, length=len(X))
    J = MeanSoftmax(X, Y, lambda_, s)
    start = np.zeros(len(classes) * (X.shape[1] + 1))
    accept_step = partial(has_finite_minimizer, X, K=len(classes))
    run = newton_steps(J, start, tol=tol, max_steps=max_steps, accept_step=accept_step)
    V = run.w.reshape(len(classes), -1)
    V = V - V.mean(axis=0)  # the same probabilities, with the W of minimum norm
    return SoftmaxFit(
        classes=classes,
        W=V[:, :-1],
        b=V[:, -1],
        values=run.values,
        converged=run.converged,
    )
