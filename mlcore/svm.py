"""The support vector machine with a hard or a soft margin.

The soft margin minimizes J(w, b) = mean hinge(y (w @ x + b)) + lambda_ / 2 |w|**2, without
a penalty on b; `mlcore.scalings` converts lambda_ to the constants of scikit-learn.

`soft_margin` finds the minimum, and bounds its error by a duality gap.
`subgradient_descent` and `pegasos` approximate it by cheap steps; a step of pegasos uses
only a few examples, which pays off for large n.  `hard_margin` allows no misclassification.

The scores are not probabilities.  To get probabilities, use `mlcore.logistic.logistic`
or scikit-learn's CalibratedClassifierCV with `mlcore.estimators.SoftMargin`.

Chapter: svm
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mlcore import checks
from mlcore.arrays import LARGEST, Labels, Matrix, Seed, Signs, Vector
from mlcore.linear import CertifiedRule, LinearRule
from mlcore.solvers.hard_margin import max_margin_hyperplane
from mlcore.solvers.soft_margin import solve_soft_margin


def objective(
    X: ArrayLike, y: ArrayLike, w: ArrayLike, b: float, *, lambda_: float
) -> float:
    """Compute J(w, b) = mean of max(0, 1 - y (w @ x + b)), plus lambda_ / 2 |w|**2.

    X (n, d), y (n,) of -1 and +1, w (d,), b; lambda_ above 0.
    Raises ValueError for wrong shapes, nan, other labels, lambda_ <= 0.

    >>> X, y = np.array([[1.0], [3.0]]), np.array([-1, 1])
    >>> objective(X, y, np.array([1.0]), -2.0, lambda_=0.5)
    0.25
    """
    X, y = checks.data(X, y)
    w = checks.vector("w", w, length=X.shape[1])
    b = checks.number("b", b)
    lambda_ = checks.number("lambda_", lambda_, at_least=1 / LARGEST)
    return _value(y * (X @ w + b), w, lambda_)


@dataclass(frozen=True, eq=False)
class SupportVectorRule(LinearRule):
    """A hyperplane with w = sum_i a_i y_i x_i.

    a  (n,) the dual variables, above 0 only for support vectors
    """

    a: Vector

    @property
    def support(self) -> NDArray[np.intp]:
        """Return the indices of the support vectors."""
        return np.flatnonzero(self.a > 0)


@dataclass(frozen=True, eq=False)
class SoftMarginFit(SupportVectorRule, CertifiedRule):
    """The minimizer of J, with a lower bound on J from the dual variables a.

    C      the upper bound of the dual variables, 1 / (n lambda_), where n counts examples
           with a weight above 0; with weights s_i the bound on a_i is C s_i / mean(s).  An
           example whose a_i is at its bound has a functional margin of at most 1
    steps  Newton steps, each with one or two linear systems
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
    """Minimize J(w, b), up to rounding, and compute a lower bound on the minimum.

    X, y           (n, d) features, whose units matter; (n,) labels, -1 or +1; with a bias
                   both must occur
    lambda_        penalty parameter of |w|**2 / 2, above 0
    bias           if False, b is 0
    sample_weight  (n,) weight of each example in the mean, at least 0, not all 0;
                   None: 1

    Returns w, b, the dual variables a, J and the duality gap.  Check `.converged` first:
    True if the relative gap is at most 1e-8.  It may be False where some examples or
    features are 1e6 times as large as others.  The minimizing w is unique;
    if b is not, it is the middle of the interval of optimal b.
    Raises ValueError for wrong shapes, nan, other labels, one class with bias, values out
    of range.
    Source: Cortes and Vapnik (1995), the end of their appendix, with F(u) = u; the interior
    point method is that of `mlcore.solvers.soft_margin`.

    >>> fit = soft_margin(np.array([[1.0], [3.0], [6.0]]), [-1, 1, 1], lambda_=0.01)
    >>> fit.converged, fit.w.round(4), round(fit.b, 4)
    (True, array([1.]), -2.0)
    """
    X, y = checks.data(X, y)
    s, _, kept = checks.sample_weight("sample_weight", sample_weight, length=len(y))
    a = np.zeros(len(y))
    X, y, lambda_ = _check_problem(X[kept], y[kept], lambda_)
    bias = checks.flag("bias", bias)
    if bias:
        checks.require_two_classes(y, " with a bias")
    # with smaller weights the solver underflows
    upper = np.maximum(s, 1e-200) / (len(s) * lambda_)
    found = solve_soft_margin(X, y, upper, bias)
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
class HardMarginFit(SupportVectorRule):
    """The separating hyperplane with the smallest |w| for y_i (w @ x_i + b) >= 1.

    margin       1 / |w|, the distance to the nearest examples, in the unit of X; 0 if no
                 hyperplane separates by 1e-12 of the size of the data: then w = 0, a = 0
    certificate  None if separable; otherwise the proof that no hyperplane separates: (n,)
                 numbers c_i >= 0 with sum 1 and sum_i c_i y_i (x_i, 1) = 0; without a bias
                 sum_i c_i y_i x_i = 0
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
    """Find the maximum margin hyperplane and its dual variables, exactly.

    X, y  (n, d) examples, in any unit; (n,) labels, -1 or +1, both if there is a bias
    bias  if False, the hyperplane contains the origin

    Returns w, b with y_i (w @ x_i + b) = 1 at the support vectors, the dual variables a,
    whose sum is |w|**2, and the margin.  Check `.separable` first.
    Computed from the nearest points of the convex hulls of the classes or, without a bias,
    of the hull of the y_i x_i and the origin.
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
    found = max_margin_hyperplane(X, y, bias)
    convex_weights = found.weights / found.weights.sum()
    if found.margin == 0:
        zero = np.zeros(len(y))
        return HardMarginFit(
            w=found.w, b=0.0, a=zero, margin=0.0, certificate=convex_weights
        )
    return HardMarginFit(
        w=found.w / found.margin,
        b=found.b / found.margin,
        # With a bias, the weighted means of the classes are 2 margin w / |w| apart, and
        # the weights sum to 2; without a bias, the weighted mean is margin w / |w|.
        a=convex_weights / found.margin**2,
        margin=found.margin,
        certificate=None,
    )


@dataclass(frozen=True, eq=False)
class SubgradientFit(LinearRule):
    """The hyperplane found by a subgradient method.

    values   J at the points documented by the method
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
    """Decrease J by subgradient steps of size 1 / (lambda_ t) over all examples.

    X, y, lambda_  as for `soft_margin`, X preferably with entries of about 1; one class is
                   allowed
    steps          number of steps, at least 1
    bias           if False, b stays 0

    Returns the best point (w, b), and the values of J, (steps + 1,): at the start w = 0,
    b = 0 and after each step.  J may also increase in a step.
    Raises ValueError for wrong shapes, nan, other labels, values out of range.
    Source: Shor (1985); the step sizes: Shalev-Shwartz et al. (2011).

    >>> X, y = np.array([[1.0], [3.0], [6.0]]), np.array([-1, 1, 1])
    >>> fit = subgradient_descent(X, y, lambda_=0.1, steps=2000)
    >>> fit.predict(X)
    array([-1.,  1.,  1.])
    """
    X, y, lambda_ = _check_problem(X, y, lambda_)
    steps, bias = checks.integer("steps", steps, at_least=1), checks.flag("bias", bias)
    rows = _signed_rows(X, y, bias)
    v, z = np.zeros(rows.shape[1]), np.zeros(len(rows))
    best, lowest, values = v.copy(), 1.0, [1.0]  # the hinge loss of the score 0
    for t in range(1, steps + 1):
        _step(v, rows, z, t, lambda_)
        z = rows @ v
        values.append(_value(z, v[:-1], lambda_))
        if values[-1] < lowest:
            best, lowest = v.copy(), values[-1]
    return _subgradient_fit(best, values, state=v, n_steps=steps)


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
    """Decrease J by stochastic subgradient steps of size 1 / (lambda_ t).

    X, y     as for `soft_margin`, preferably of size about 1; one class is allowed
    lambda_  penalty parameter of |w|**2 / 2, above 0
    epochs   passes over the data, at least 1; the first steps are long, and their effect
             vanishes after about 1 / lambda_ steps
    rng      seed or Generator that divides the examples into batches, once, and shuffles
             the batches in each epoch
    batch    largest number of examples in a step, 1 to n; batch sizes differ by at most 1
    bias     if True, b is learned with the same steps; if False, it stays 0
    average  if True, return the mean of w, b over the steps in the last half of the epochs
             (including the middle one); if False, w, b after the last step

    Starts at w = 0, b = 0.  Returns w and b, and J after each epoch, (epochs,): at the mean
    of w, b over the epoch (at the last w, b if average=False).
    Raises ValueError for wrong shapes, nan, other labels, values out of range.
    Source: Shalev-Shwartz, Singer, Srebro and Cotter (2011), figure 2, without the optional
    projection; the mean over the last half: Rakhlin, Shamir and Sridharan (2012).
    """
    rng = checks.rng("rng", rng)
    return _pegasos(X, y, lambda_, epochs, rng, batch, bias, average, start=None)


def _pegasos(X, y, lambda_, epochs, rng, batch, bias, average, start):
    """Run `pegasos` from 0 or from the fit `start`.  Without rng, keep the given order."""
    X, y, lambda_ = _check_problem(X, y, lambda_)
    (n, d), epochs = X.shape, checks.integer("epochs", epochs, at_least=1)
    batch = checks.integer("batch", batch, at_least=1, at_most=n)
    bias, average = checks.flag("bias", bias), checks.flag("average", average)
    v, t, values = np.zeros(d + 1), 0, []  # v: (w, b) after t steps
    if start is not None:
        v, t, values = start.state.copy(), start.n_steps, start.values.tolist()
    rows = _signed_rows(X, y, bias)
    rows = rows if rng is None else rows[rng.permutation(n)]
    batches = rows if batch == 1 else np.array_split(rows, -(-n // batch))
    estimates = []  # w, b for each epoch
    for _ in range(epochs):
        order = np.arange(len(batches)) if rng is None else rng.permutation(len(batches))
        total = _run_steps(v, batches, order.tolist(), t, lambda_)
        t += len(batches)
        estimates.append(total / len(batches) if average else v.copy())
        values.append(_value(rows @ estimates[-1], estimates[-1][:-1], lambda_))
    mean = np.mean(estimates[epochs // 2 :] if average else estimates[-1:], axis=0)
    return _subgradient_fit(mean, values, state=v, n_steps=t)


def _subgradient_fit(v: Vector, values: list, **state) -> SubgradientFit:
    return SubgradientFit(w=v[:-1], b=float(v[-1]), values=np.array(values), **state)


def _run_steps(v: Vector, batches, order: list, n_steps: int, lambda_: float) -> Vector:
    """Take a step for each batch, after n_steps earlier steps; return the sum of all v.

    For a single row, SciPy's BLAS has a third of the overhead of NumPy.
    """
    from scipy.linalg.blas import daxpy, ddot, dscal

    total, w, length = np.zeros(len(v)), v[:-1], len(v)
    for t, k in enumerate(order, start=n_steps + 1):
        rows = batches[k]
        if rows.ndim > 1:
            _step(v, rows, rows.dot(v), t, lambda_)
        else:
            in_margin = ddot(rows, v) < 1.0
            dscal(1.0 - 1.0 / t, w)
            if in_margin:
                daxpy(rows, v, length, 1.0 / (lambda_ * t))
        daxpy(v, total)
    return total


def _step(v: Vector, rows: Matrix, z: Vector, t: int, lambda_: float) -> None:
    """Take the t-th step in place, against the subgradient of J over the rows."""
    in_margin = (z < 1.0).astype(float)
    v[:-1] *= 1 - 1 / t  # the step size times lambda_ is 1 / t
    v += in_margin.dot(rows) / (lambda_ * t * len(rows))


def _signed_rows(X: Matrix, y: Signs, bias: bool) -> Matrix:
    """Compute the rows y_i (x_i, 1); without a bias y_i (x_i, 0)."""
    rows = np.column_stack([X, np.full(len(X), float(bias))])
    rows *= y[:, None]
    return rows


def _value(z: Vector, w: Vector, lambda_: float) -> float:
    """Compute J from the margins z = y (X @ w + b)."""
    return float(np.maximum(0.0, 1.0 - z).mean() + lambda_ * w.dot(w) / 2)


def _check_problem(X, y, lambda_) -> tuple[Matrix, Signs, float]:
    """Check the data and lambda_."""
    X, y = checks.data(X, y)
    lambda_ = checks.number("lambda_", lambda_, at_least=1 / LARGEST)
    checks.number("max |X| / lambda_", float(max(X.max(), -X.min())) / lambda_)
    return np.ascontiguousarray(X), y, lambda_  # same rounding for every memory layout
