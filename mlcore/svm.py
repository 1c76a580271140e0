"""The support vector machine: a wide margin, bought with as little hinge loss as possible.

The objective of the book is J(w, b) = mean hinge(y (w @ x + b)) + lambda_ / 2 |w|**2, with
b free of charge; `mlcore.scalings` translates lambda_ to the constants of others.

`soft_margin` proves by a duality gap how near its minimum it is.  `subgradient_descent` and
`pegasos` only come near: their steps are cheap, and pegasos looks at a few examples in
each, which pays off when n is large.  `hard_margin` allows no mistake at all.

A score of these rules is no probability.  `mlcore.logistic.logistic` gives probabilities;
so does scikit-learn's CalibratedClassifierCV around `mlcore.estimators.SoftMargin`.

Chapter: svm
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore import checks
from mlcore.arrays import Labels, Matrix, Seed, Signs, Vector
from mlcore.linear import CertifiedRule, LinearRule
from mlcore.solvers.hard_margin import widest_hyperplane
from mlcore.solvers.soft_margin import solve_soft_margin


def objective(
    X: ArrayLike, y: ArrayLike, w: ArrayLike, b: float, *, lambda_: float
) -> float:
    """Find J(w, b) = mean of max(0, 1 - y (w @ x + b)), plus lambda_ / 2 |w|**2.

    X (n, d), y (n,) of -1 and +1, w (d,), b; lambda_ above 0.
    Raises ValueError for wrong shapes, nan, other labels, lambda_ <= 0.

    >>> X, y = np.array([[1.0], [3.0]]), np.array([-1, 1])
    >>> objective(X, y, np.array([1.0]), -2.0, lambda_=0.5)
    0.25
    """
    X, y = checks.data(X, y)
    w = checks.vector("w", w, length=X.shape[1])
    b, lambda_ = checks.number("b", b), checks.number("lambda_", lambda_, above=0.0)
    return _value(y * (X @ w + b), w, lambda_)


@dataclass(frozen=True, eq=False)
class SupportVectors(LinearRule):
    """A hyperplane with w = sum_i a_i y_i x_i.

    a  (n,) the dual variables, above 0 only for support vectors
    """

    a: Vector

    @property
    def support(self) -> NDArray[np.intp]:
        """The indices of the support vectors."""
        return np.flatnonzero(self.a > 0)


@dataclass(frozen=True, eq=False)
class SoftMarginFit(SupportVectors, CertifiedRule):
    """The minimizer of J, with the lower bound of J that the dual variables a prove.

    C      the upper bound of the dual variables, 1 / (n lambda_), where examples of weight
           0 do not count in n; with weights s_i it is C s_i / mean(s).  An example whose
           a_i is at its bound has y g <= 1
    steps  Newton steps, each with one or two systems of equations
    """

    C: float
    steps: int


def soft_margin(
    X: ArrayLike,
    y: Labels,
    *,
    lambda_: float = 0.01,
    bias: bool = True,
    sample_weight: ArrayLike | None = None,
) -> SoftMarginFit:
    """Find the least J(w, b), up to rounding, and the proof that it is the least.

    X, y           (n, d) features, in which units matters; (n,) labels, -1 or +1, both if
                   there is a bias
    lambda_        above 0, the price of |w|**2 / 2, in mean loss
    bias           whether b is learned; if False it is 0
    sample_weight  (n,) how often each example counts in the mean, at least 0, not all 0;
                   None: once

    Returns w, b, the dual variables a, J and the duality gap.  Look at `.converged` first,
    then at `.support`: the search may stop above the minimum, most often where examples or
    features are 1e6 times as long as others.  The minimizing w is unique; of several b it
    is the middle.
    Raises ValueError for wrong shapes, nan, other labels, one class with bias, values out
    of range.
    Source: Cortes and Vapnik (1995), the end of their appendix, where the price of the sum
    of the slacks is that sum itself, F(u) = u; the interior point method is that of
    `mlcore.solvers.soft_margin`.

    >>> fit = soft_margin(np.array([[1.0], [3.0], [6.0]]), [-1, 1, 1], lambda_=0.01)
    >>> fit.converged, fit.w.round(4), round(fit.b, 4)
    (True, array([1.]), -2.0)
    """
    X, y, lambda_ = _check_problem(X, y, lambda_)
    bias = checks.flag("bias", bias)
    s, _ = checks.sample_weight("sample_weight", sample_weight, length=len(y))
    kept = slice(None) if s.all() else s > 0
    if bias:
        checks.require_two_classes(y[kept], " with a bias")
    upper = s[kept] / (len(y) * lambda_)
    found = solve_soft_margin(X[kept], y[kept], upper, bias)
    a = np.zeros(len(y))
    a[kept] = found.a
    gap = max(found.primal - found.dual, 0.0)
    return SoftMarginFit(
        w=found.w,
        b=found.b,
        a=a,
        value=lambda_ * found.primal,
        duality_gap=lambda_ * gap,
        converged=gap <= 1e-8 * found.primal,
        C=1 / (len(upper) * lambda_),
        steps=found.steps,
    )


@dataclass(frozen=True, eq=False)
class HardMarginFit(SupportVectors):
    """The separating hyperplane with the smallest |w| for y_i (w @ x_i + b) >= 1.

    margin       1 / |w|, the distance to the nearest examples, in the unit of X; 0 if no
                 hyperplane separates by 1e-12 of the size of the data: then w = 0, a = 0
    certificate  None if separable; else the proof that no hyperplane separates: (n,)
                 numbers a_i >= 0 with sum 1 and sum_i a_i y_i (x_i, 1) = 0, where the last
                 equation, sum_i a_i y_i = 0, is left out without a bias
    """

    margin: float
    certificate: Vector | None

    @property
    def separable(self) -> bool:
        """True if a hyperplane separates the classes."""
        return self.certificate is None

    @property
    def unit_w(self) -> Vector:
        """w / |w|: the same hyperplane as unit_w @ x + unit_b = 0; 0 if not separable."""
        return self.margin * self.w

    @property
    def unit_b(self) -> float:
        """b / |w|, so that the scores unit_w @ x + unit_b are distances."""
        return self.margin * self.b


def hard_margin(X: ArrayLike, y: Labels, *, bias: bool = True) -> HardMarginFit:
    """Find the separating hyperplane with the largest margin, exactly, and its duals.

    X, y  (n, d) examples, in any unit; (n,) labels, -1 or +1, both if there is a bias
    bias  whether the hyperplane may miss the origin

    Returns w, b scaled to y_i (w @ x_i + b) = 1 at the support vectors, the dual variables
    a, whose sum is |w|**2, and the margin.  Look at `.separable` first.
    All come from nearest points: of the convex hull of the y_i x_i to the origin, or, with
    a bias, of the hulls of the two classes to each other.
    Raises ValueError for wrong shapes, nan, other labels, one class with bias.
    Source: Vapnik (1982); Wolfe (1976), the algorithm; Bennett and Bredensteiner (2000),
    the hulls.

    >>> fit = hard_margin(np.array([[1.0], [3.0], [6.0]]), [-1, 1, 1])
    >>> fit.w.round(6), round(fit.b, 6), round(fit.margin, 6)
    (array([1.]), -2.0, 1.0)
    """
    X, y = checks.data(X, y)
    bias = checks.flag("bias", bias)
    if bias:
        checks.require_two_classes(y, " with a bias")
    found = widest_hyperplane(X, y, bias)
    shares = found.weights / found.weights.sum()
    if found.margin == 0:
        zero = np.zeros(len(y))
        return HardMarginFit(w=found.w, b=0.0, a=zero, margin=0.0, certificate=shares)
    return HardMarginFit(
        w=found.w / found.margin,
        b=found.b / found.margin,
        # With a bias, the weighted means of the classes are 2 margin w / |w| apart and
        # their weights have the sum 2; without, the weighted mean is margin w / |w|.
        a=shares / found.margin**2,
        margin=found.margin,
        certificate=None,
    )


@dataclass(frozen=True, eq=False)
class SubgradientFit(LinearRule):
    """The answer of a subgradient method.

    values   the objective J at the points that the method documents
    state    (d + 1,) w and b after the last step
    n_steps  the number of steps taken
    """

    values: Vector
    state: Vector
    n_steps: int


def subgradient_descent(
    X: ArrayLike,
    y: ArrayLike,
    *,
    lambda_: float = 0.01,
    steps: int = 1000,
    bias: bool = True,
) -> SubgradientFit:
    """Lower J from w = 0, b = 0 by steps of size 1 / (lambda_ t) over all examples.

    X, y     as for `soft_margin`, best of size about 1; the labels may be all the same
    lambda_  above 0, the price of |w|**2 / 2, in mean loss
    steps    number of steps, at least 1
    bias     whether b is learned; if False it stays 0

    Returns the best w and b met, and J at the start and after each step, (steps + 1,).
    Steps go up as well as down: look at the least value.
    Raises ValueError for wrong shapes, nan, other labels, values out of range.
    Source: Shor (1985); the step sizes: Shalev-Shwartz et al. (2011).

    >>> X, y = np.array([[1.0], [3.0], [6.0]]), np.array([-1, 1, 1])
    >>> fit = subgradient_descent(X, y, lambda_=0.1, steps=2000)
    >>> fit.predict(X)
    array([-1.,  1.,  1.])
    """
    X, y, lambda_ = _check_problem(X, y, lambda_)
    steps, bias = checks.integer("steps", steps, at_least=1), checks.flag("bias", bias)
    rows = _signed(X, y, bias)
    v, z = np.zeros(rows.shape[1]), np.zeros(len(rows))
    best, least, values = v.copy(), 1.0, [1.0]  # the hinge loss of the score 0
    for t in range(1, steps + 1):
        _step(v, rows, z, t, lambda_)
        z = rows @ v
        values.append(_value(z, v[:-1], lambda_))
        if values[-1] < least:
            best, least = v.copy(), values[-1]
    return SubgradientFit(
        w=best[:-1],
        b=float(best[-1]),
        values=np.array(values),
        state=v,
        n_steps=steps,
    )


def pegasos(
    X: ArrayLike,
    y: ArrayLike,
    *,
    lambda_: float = 0.01,
    epochs: int = 20,
    rng: Seed = 0,
    batch: int = 1,
    bias: bool = True,
    average: bool = True,
) -> SubgradientFit:
    """Lower J from w = 0, b = 0 by steps of size 1 / (lambda_ t) over a few examples.

    X, y     as for `soft_margin`, best of size about 1; the labels may be all the same
    lambda_  above 0, the price of |w|**2 / 2, in mean loss
    epochs   passes over the data, at least 1; the first steps are long, and it takes some
             1 / lambda_ of them to forget these
    rng      seed or Generator: deals the examples to batches, once, and draws their order
             in each epoch
    batch    examples a step at most, 1 to n; the numbers differ by at most one
    bias     whether b is learned, by steps of the same size; or stays 0
    average  whether to return the mean of w, b over the steps in the last half of the
             epochs (the middle one included), not the last

    Returns w and b, and for each epoch J at the mean of its w and b, or at its last if
    average is False, (epochs,).
    Raises ValueError for wrong shapes, nan, other labels, values out of range.
    Source: Shalev-Shwartz, Singer, Srebro and Cotter (2011), figure 2, without the optional
    projection; the mean over the last half: Rakhlin, Shamir and Sridharan (2012).
    """
    rng = checks.rng("rng", rng)
    return _pegasos(X, y, lambda_, epochs, rng, batch, bias, average, start=None)


def _pegasos(X, y, lambda_, epochs, rng, batch, bias, average, start):
    """`pegasos`; it may go on from a fit, by steps that count on.  No rng: in order."""
    X, y, lambda_ = _check_problem(X, y, lambda_)
    (n, d), epochs = X.shape, checks.integer("epochs", epochs, at_least=1)
    batch = checks.integer("batch", batch, at_least=1, at_most=n)
    bias, average = checks.flag("bias", bias), checks.flag("average", average)
    v, t, values = np.zeros(d + 1), 0, []  # v: (w, b) after t steps
    if start is not None:
        v, t, values = start.state.copy(), start.n_steps, start.values.tolist()
    rows = _signed(X, y, bias)
    rows = rows if rng is None else rows[rng.permutation(n)]
    batches = rows if batch == 1 else np.array_split(rows, -(-n // batch))
    ends = []  # of each epoch
    for _ in range(epochs):
        order = np.arange(len(batches)) if rng is None else rng.permutation(len(batches))
        total = _walk(v, batches, order.tolist(), t, lambda_)
        t += len(batches)
        ends.append(total / len(batches) if average else v.copy())
        values.append(_value(rows @ ends[-1], ends[-1][:-1], lambda_))
    mean = np.mean(ends[epochs // 2 :] if average else ends[-1:], axis=0)
    return SubgradientFit(
        w=mean[:-1],
        b=float(mean[-1]),
        values=np.array(values),
        state=v,
        n_steps=t,
    )


def _walk(v: Vector, batches, order: list, done: int, lambda_: float) -> Vector:
    """Take a step for each batch, after those done; returns the sum of all points.

    SciPy's BLAS begins with a single row in a third of the time that NumPy takes.
    """
    from scipy.linalg.blas import daxpy, ddot, dscal

    total, w, length = np.zeros(len(v)), v[:-1], len(v)
    for t, k in enumerate(order, start=done + 1):
        rows = batches[k]
        if rows.ndim > 1:
            _step(v, rows, rows.dot(v), t, lambda_)
        else:
            hit = ddot(rows, v) < 1.0
            dscal(1.0 - 1.0 / t, w)
            if hit:
                daxpy(rows, v, length, 1.0 / (lambda_ * t))
        daxpy(v, total)
    return total


def _step(v: Vector, rows: Matrix, z: Vector, t: int, lambda_: float) -> None:
    """Change v = (w, b) by the t-th step, against the subgradient of J over these rows."""
    hit = (z < 1.0).astype(float)
    v[:-1] *= 1 - 1 / t  # 1 / t is lambda_ times the size of the step
    v += hit.dot(rows) / (lambda_ * t * len(rows))


def _signed(X: Matrix, y: Signs, bias: bool) -> Matrix:
    """The rows y_i (x_i, 1), or y_i (x_i, 0) without bias."""
    rows = np.column_stack([X, np.full(len(X), float(bias))])
    rows *= y[:, None]
    return rows


def _value(z: Vector, w: Vector, lambda_: float) -> float:
    """J where the margins are z = y (X @ w + b)."""
    return float(np.maximum(0.0, 1.0 - z).mean() + lambda_ * w.dot(w) / 2)


def _check_problem(X, y, lambda_) -> tuple[Matrix, Signs, float]:
    """The data and lambda_."""
    X, y = checks.data(X, y)
    lambda_ = checks.number("lambda_", lambda_, above=0.0)
    return np.ascontiguousarray(X), y, lambda_  # one rounding for every memory layout
