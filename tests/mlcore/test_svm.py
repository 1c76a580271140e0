"""Support vector machines: duality, certificates, subgradient steps; conversion of C."""

import numpy as np
import pytest

from mlcore.data import overlapping
from mlcore.scalings import FORMS, constant_of, lambda_of
from mlcore.svm import hard_margin, objective, pegasos, soft_margin, subgradient_descent
from tests.helpers.assertions import EPS, assert_claims, equals, score_error, score_scale
from tests.helpers.optimality_cases import WEIGHTS_AND_BIAS, Case, drop_zero_weight


def hinge_objective(w, b, X, y, lambda_, s=1.0):
    loss = np.average(np.maximum(0, 1 - y * (X @ w + b)), weights=s * np.ones(len(y)))
    return loss + lambda_ / 2 * w @ w


def soft_margin_claims(fit, X, y, lambda_=0.01, bias=True, sample_weight=None):
    """Recompute the duality gap from w, b and a alone."""
    counted = np.ones(len(y), bool) if sample_weight is None else sample_weight > 0
    yield "a of examples without weight is 0", fit.a[~counted], 0
    a, (X, y, s) = fit.a[counted], drop_zero_weight(X, y, sample_weight)
    w, upper = fit.w, s / (lambda_ * s.sum())
    value = hinge_objective(w, fit.b, X, y, lambda_, s)
    error = score_error(X, w, fit.b).max() + 1e-12 * value
    yield "value is J", abs(fit.value - value), error
    yield "C", abs(fit.C - 1 / (lambda_ * len(s))), 1e-12 * fit.C
    yield "0 <= a <= C", np.maximum(-a, a - (1 + 1e-9) * upper), 0
    origin = s @ X / s.sum() * bool(bias)
    v = (a * y) @ (X - origin)
    dual = lambda_ * a.sum() - lambda_ / 2 * v @ v
    if bias:
        error += lambda_ * abs(a @ y) * abs(fit.b + w @ origin)
        yield "sum of a_i y_i", abs(a @ y), 1e-9 * a.sum()
    # rounding each a moves v by at most this
    shift = 16 * EPS * a @ np.linalg.norm(X - origin, axis=1)
    error += lambda_ * (np.linalg.norm(v) + shift) * shift
    yield "duality gap", value - dual, 1.01 * fit.duality_gap + 2 * error
    # J is strongly convex: w and v are within this of the minimizer
    distance = 2 * np.sqrt(2 * (fit.duality_gap + 2 * error) / lambda_)
    yield "w is the sum of a_i y_i x_i", np.linalg.norm(w - v), distance
    yield "relative gap", abs(fit.relative_gap - fit.duality_gap / fit.value), EPS
    not_rounding = abs(fit.relative_gap - 1e-8) > 1e-15
    yield "converged", not_rounding and fit.converged != (fit.relative_gap <= 1e-8), 0


def hard_margin_claims(fit, X, y, bias=True):
    """Check the bound by the dual variables or, if not separable, the certificate."""
    origin = X.mean(axis=0) * bool(bias)
    error = 1e-12 * np.abs(X).max() * len(origin)
    weights = fit.a * fit.margin**2 if fit.separable else fit.certificate
    yield "convex weights >= 0", -weights, 0
    yield "sum of the convex weights", abs(weights.sum() - 1), 2e-12
    yield "sum of y_i times convex weight", bool(bias) * abs(weights @ y), 1e-12
    bound = np.linalg.norm((weights * y) @ (X - origin))  # no margin is wider
    if not fit.separable:
        yield "w, b, a and margin are 0", np.abs([*fit.w, fit.b, *fit.a, fit.margin]), 0
        yield "certificate", bound, 4 * error
        return
    w, u = fit.w, fit.unit_w
    yield "|unit_w| is 1", abs(np.linalg.norm(u) - 1), 1e-12
    z = y * (X @ u + fit.unit_b)
    yield "margin is the smallest", abs(z.min() - fit.margin), error
    yield "no margin is wider", bound - fit.margin, error + 1e-9 * fit.margin
    tolerance = 1e-9 * np.linalg.norm(w) + 99 * EPS * fit.a @ np.linalg.norm(X, axis=1)
    error = np.linalg.norm(fit.a * y @ (X - origin) - w)
    yield "w is the sum of a_i y_i x_i", error, tolerance
    yield "no bias", not bias and fit.b != 0, 0


def subgradient_claims(fit, X, y, lambda_, steps, bias):
    """Check that J at w, b is the smallest value."""
    J = hinge_objective(fit.w, fit.b, X, y, lambda_)
    error = score_error(X, fit.w, fit.b).max() + 1e-9 * J
    yield "the smallest value", abs(J - fit.values.min()), error
    yield "number of values", len(fit.values) != steps + 1, 0
    yield "no bias", not bias and fit.b != 0, 0


def pegasos_claims(fit, X, y, lambda_, epochs, rng, batch, bias, average):
    """Repeat every step, until rounding decides which rows are inside the margin."""
    rng, n = np.random.default_rng(rng), len(y)
    parts = np.array_split(rng.permutation(n), -(-n // int(batch)))
    rows = y[:, None] * np.column_stack([X, np.full(n, float(bias))])
    penalized, v, t, ends = np.append(np.ones(X.shape[1]), 0.0), 0.0 * rows[0], 0, []
    for value in fit.values:
        points = []
        for k in rng.permutation(len(parts)):
            part, t = rows[parts[k]], t + 1
            z = part @ v
            if (np.abs(z - 1) <= 1e3 * t * score_error(part, v)).any():
                return
            loss_gradient = -(part * (z < 1)[:, None]).mean(axis=0)
            v = v - (lambda_ * penalized * v + loss_gradient) / (lambda_ * t)
            points.append(v)
        ends.append(np.mean(points, axis=0) if average else v)
        J = hinge_objective(ends[-1][:-1], ends[-1][-1], X, y, lambda_)
        yield "values", abs(value - J), 1e-9 * (J + score_error(rows, ends[-1]).max() / EPS)
    yield "number of values", len(fit.values) != epochs, 0
    expected = np.mean(ends[epochs // 2 :] if average else ends[-1:], axis=0)
    size = np.abs(rows).max(axis=0) / lambda_ + np.abs(expected)
    yield "w, b", np.abs(np.append(fit.w, fit.b) - expected), 1e-10 * size


ORACLES = {
    objective: equals(
        hinge_objective, scale=lambda **a: 1 + hinge_objective(**a) + score_scale(**a).max()
    ),
    soft_margin: soft_margin_claims,
    hard_margin: hard_margin_claims,
    subgradient_descent: subgradient_claims,
    pegasos: pegasos_claims,
    constant_of: lambda found, form, lambda_, n: [
        ("inverse", abs(lambda_of(form, constant=found, n=n) / lambda_ - 1), 1e-12)
    ],
}
CASES = [
    Case(soft_margin, options={"lambda_": 0.05}, **WEIGHTS_AND_BIAS),
    Case(hard_margin, "separable", has_bias=True),
]
ERRORS = {
    "both -1 and +1 with a bias; got only -1": lambda: soft_margin(np.eye(3), -np.ones(3)),
    "n must be at most": lambda: constant_of("SVC", lambda_=0.1, n=2**53 + 1),
}


@pytest.mark.parametrize("seed", range(10))
def test_soft_margin_duals_off_the_margin_are_zero_or_C(seed):
    data, unit = overlapping(50, 3, separation=1.0, rng=seed), 10.0 ** (seed % 5 - 2)
    X, y, lambda_ = unit * (data.X + 3), data.y, 10.0 ** (seed % 4 - 3) * unit**2
    for bias in True, False:
        fit = soft_margin(X, y, lambda_=lambda_, bias=bias)
        z = y * fit.decision_function(X)
        assert np.all(fit.a[z > 1 + 1e-4] == 0)
        assert np.all(fit.a[z < 1 - 1e-4] == fit.C)


@pytest.mark.parametrize("lambda_", [1.0, 100.0])
def test_soft_margin_of_small_imbalanced_sample_meets_claims(lambda_):
    """With a large lambda all a_i are 0 or C, unless sum_i a_i y_i = 0 forbids it."""
    for seed in (*range(20), 155):  # 155: no a_i is between its bounds
        rng = np.random.default_rng(seed)
        X = np.round(rng.normal(size=(8, 3)), 1)
        y = np.where(rng.random(8) < 0.7, 1, -1)
        if abs(y.sum()) < 8:
            fit, given = soft_margin(X, y, lambda_=lambda_), {"X": X, "y": y}
            assert_claims(soft_margin_claims, fit, given | {"lambda_": lambda_})


def test_soft_margin_bias_is_the_middle_of_all_minimizing_biases():
    """w = 0.5; z <= 1 at x = -1, 1 gives |b| <= 0.5; z >= 1 at x = 2.4, b >= -0.2."""
    fit = soft_margin([[-1.0], [1.0], [2.4]], [-1, 1, 1], lambda_=4 / 3)
    np.testing.assert_allclose(fit.a, [0.25, 0.25, 0])
    assert fit.w == pytest.approx([0.5])
    assert fit.b == pytest.approx(0.15, abs=1e-9)


def test_hard_margin_of_many_points_at_nearly_equal_distance_meets_claims():
    """On circles of 9999 points the next points are farther by a factor 1 + 1e-7."""
    angles = np.linspace(0.1, 6.3, 9999)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    far = np.array([2.0, 1.0])
    X, y = np.vstack([circle + far, circle[::-1] - far]), np.repeat([1.0, -1.0], 9999)
    assert_claims(hard_margin_claims, hard_margin(X, y), {"X": X, "y": y})


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_hard_margin_below_1e_minus_12_of_the_size_counts_as_none(unit):
    for margin, separable in (1e-13, False), (1e-11, True):
        X = unit * np.array([[1.0, margin], [-1.0, margin]])
        assert hard_margin(X, [1, 1], bias=False).separable == separable


def test_subgradient_descent_by_hand():
    # x = 1 (-), 2 (+); after step 1 the second example has z = 1, outside the margin
    fit = subgradient_descent([[1.0], [2.0]], [-1, 1], lambda_=1.0, steps=3)
    np.testing.assert_allclose(fit.values, [1, 7 / 8, 1, 67 / 72], rtol=1e-12)
    assert (fit.w.tolist(), fit.b) == ([0.5], 0.0)


def test_pegasos_takes_no_step_for_an_example_on_the_margin():
    # x = 1 (+) twice, lambda = 1: w = 1 after a step, where z = 1; then w / 2
    options = {"lambda_": 1.0, "epochs": 1, "bias": False, "average": False}
    assert pegasos([[1.0], [1.0]], [1, 1], **options).w.tolist() == [0.5]


def test_constants_of_scikit_learn():
    values = [constant_of(form, lambda_=0.1, n=20) for form in FORMS]
    assert values == pytest.approx([0.5, 0.5, 0.1])
    assert constant_of("SVC", lambda_=0.1, n=10**9) == pytest.approx(1e-8)
