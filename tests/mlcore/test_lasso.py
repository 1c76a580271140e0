"""The lasso: its path, cross-validation, and proximal gradient steps."""

import numpy as np
import pytest

from mlcore.lasso import LassoFit, fista, ista, lasso, lasso_cv, lasso_path
from mlcore.least_squares import least_squares
from mlcore.validation import k_folds
from tests.helpers.assertions import EPS, TINY, assert_claims
from tests.helpers.optimality_cases import Case, center, standardize

PENALTY = {"lambda_": 3.0}


def lasso_objective(w, Z, t, lambda_):
    return np.sum((t - Z @ w) ** 2) + lambda_ * np.abs(w).sum()


def lasso_claims(fit, X, y, lambda_, gap=None):
    """Check |slope| <= lambda, with equality where w is not 0, up to the duality gap.

    If the objective at w exceeds its minimum by e, a step along v decreases it by
    (excess slope)**2 / |2 Z v|**2, so the excess slope is at most 2 |Z v| e**0.5.
    """
    Z, t, mean, y_mean = center(X, y, np.ones(len(y)), True)
    w, total = fit.w, t @ t
    gap = fit.duality_gap / max(total, TINY) if gap is None else gap
    if isinstance(fit, LassoFit):
        yield "converged", fit.converged != (fit.duality_gap <= 1e-6 * total), 0
    r, norms = t - Z @ w, np.linalg.norm(Z, axis=0)
    error = 99 * EPS * np.linalg.norm(X, axis=0) * (np.linalg.norm(y) + norms @ np.abs(w))
    excess = 2 * np.sqrt((gap + 4 * EPS) * total)
    slopes = 2 * r @ Z
    yield "slopes", np.abs(slopes) - lambda_, excess * norms + error + TINY
    tolerance = excess * np.linalg.norm(Z @ w) + error @ abs(w) + TINY
    yield "slopes along w", abs(lambda_ * np.abs(w).sum() - slopes @ w), tolerance
    tolerance = 1e-12 * (np.abs(mean) @ np.abs(w) + np.abs(y).max()) + TINY
    yield "b", abs(fit.b - (y_mean - mean @ w)), tolerance
    used = w != 0  # `best` has the smallest value for these signs
    best, A = w.copy(), Z[:, used] / norms[used]
    shift = np.linalg.lstsq(A.T @ A, np.sign(w[used]) / norms[used], rcond=1e-13)[0]
    best[used] = (np.linalg.lstsq(A, t)[0] - lambda_ / 2 * shift) / norms[used]
    value, smallest = (lasso_objective(v, Z, t, lambda_) for v in (w, best))
    recorded = getattr(fit, "value", value)  # a point of a path has none
    tolerance = 1e-11 * (value + total) + (99 * EPS) ** 2 * (y @ y) + TINY
    yield "value", abs(recorded - value), tolerance
    yield "gap", value - smallest, gap * total + 1e-11 * (value + total) + TINY


def proximal_claims(fit, X, y, lambda_, max_steps=1000, tol=1e-8):
    yield from lasso_claims(fit, X, y, lambda_)
    yield "converged", fit.converged != (fit.duality_gap <= tol * fit.values[0]), 0
    yield "value", fit.value != fit.values[-1], 0
    yield "max_steps or converged", not fit.converged and len(fit.values) <= max_steps, 0
    Z, t, *_ = center(X, y, np.ones(len(y)), True)
    rounding = np.linalg.norm(X, axis=0).max() * np.linalg.norm(y) * EPS
    if lambda_ > 1e6 * rounding:  # otherwise it decides whether the dual bound is useful
        r = t - Z @ fit.w
        u = r * min(1.0, lambda_ / max(2 * np.abs(r @ Z).max(), TINY))
        gap = lasso_objective(fit.w, Z, t, lambda_) - 2 * u @ t + u @ u
        yield "dual bound of the residual", gap - fit.duality_gap, 1e-9 * t @ t + TINY
    yield "no weight is -0", np.signbit(fit.path[fit.path == 0]), 0
    yield "path", np.abs(fit.path[[0, -1]] - [0 * fit.w, fit.w]), 0


def lasso_path_claims(path, X, y, lambda_min):
    yield "the first w is 0", np.abs(path.W[0]).max(), 0
    yield "decreasing", np.diff(path.lambdas), 0
    yield "complete", path.lambdas[-1] > lambda_min, 0
    Z, t, *_ = center(X, y, np.ones(len(y)), True)
    first = 2 * np.abs(t @ Z).max()
    error = 99 * EPS * np.linalg.norm(X, axis=0).max() * np.linalg.norm(y)
    yield "the first knot", abs(path.lambdas[0] - first), 1e-9 * first + error + TINY
    middle = (path.lambdas[:-1] + path.lambdas[1:]) / 2
    for lambda_ in [*path.lambdas[:-1], *middle][:: 1 + len(middle) // 9]:
        yield from lasso_claims(path.at(lambda_), X, y, lambda_, gap=1e-9)


def lasso_cv_claims(found, X, y, splits, lambdas):
    """Compare the errors with the errors of refits."""
    yield from lasso_claims(found, X, y, found.lambda_)
    means = found.errors.mean(axis=0)
    yield "smallest error", min(means[found.lambdas == found.lambda_]) - min(means), 0
    yield "decreasing", np.diff(found.lambdas), 0
    given = found.lambdas if lambdas is None else np.sort(lambdas)[::-1]
    yield "the given lambdas", np.abs(given - found.lambdas), EPS * np.abs(given)
    for (train, test), errors in zip(splits, found.errors, strict=True):
        if standardize(X, train) is None:
            continue
        scale = np.mean((y[test] - y[train].mean()) ** 2) + EPS * np.abs(y).max() ** 2
        for k in range(0, len(errors), 1 + len(errors) // 4):
            lambda_ = found.lambdas[k] * len(train) / len(y)
            rule = lasso(X[train], y[train], lambda_=lambda_)
            E = np.mean((y[test] - rule.decision_function(X[test])) ** 2)
            yield "error", abs(errors[k] - E), 1e-6 * (scale + E)


ORACLES = {
    lasso: lasso_claims,
    lasso_path: lasso_path_claims,
    lasso_cv: lasso_cv_claims,
    ista: proximal_claims,
    fista: proximal_claims,
}
CASES = [
    Case(lasso, "numbers", PENALTY),
    Case(lasso_path, "numbers", {"lambda_min": 3.0}),
    Case(fista, "numbers", PENALTY | {"max_steps": 10**4}),
    Case(ista, "numbers", PENALTY | {"max_steps": 10**5}),
]


@pytest.mark.parametrize("power", [-80, -15, 15, 80])
@pytest.mark.parametrize("d", [3, 90])
def test_lasso_keeps_features_of_any_unit(d, power):
    rng = np.random.default_rng(0)
    X, units = rng.normal(size=(200, d)), 10.0 ** (power * (np.arange(d) % 2))
    y = 10.0 ** (power // 2) * (X.sum(axis=1) + rng.normal(size=200))
    w, fit = least_squares(X, y).w, lasso(X * units, y, lambda_=0.0)
    assert fit.converged
    np.testing.assert_allclose(fit.w * units, w, rtol=1e-6)
    np.testing.assert_allclose(lasso_path(X * units, y).W[-1] * units, w, rtol=1e-6)


@pytest.mark.parametrize("count", [30, 90])
@pytest.mark.parametrize("kind", ["random walk", "dependent", "duplicated", "units"])
def test_duality_gap_is_small_for_ill_conditioned_features(kind, count):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, count))
    if kind == "random walk":
        X = X.cumsum(axis=1)
    if kind == "dependent":
        X = X[:, : count // 2] @ rng.normal(size=(count // 2, count))
    if kind == "duplicated":
        X[:, count // 2 :] = X[:, : count - count // 2]
    if kind == "units":
        X *= 10.0 ** rng.integers(-6, 7, size=count)
    y = X @ (rng.normal(size=count) / np.abs(X).max(axis=0)) + rng.normal(size=120)
    lambda_max = lasso_path(X, y).lambdas[0]
    for fraction in 1.0, 0.3, 0.01, 1e-4:
        fit = lasso(X, y, lambda_=fraction * lambda_max)
        assert fit.converged
        assert_claims(lasso_claims, fit, {"X": X, "y": y, "lambda_": fit.lambda_})


def test_lasso_cv_tries_100_lambdas_by_default():
    rng = np.random.default_rng(13)
    X, y = rng.normal(size=(20, 8)) + 2, rng.normal(size=20)
    fit = lasso_cv(X, y, splits=k_folds(y, folds=3, stratified=False))
    grid = lasso_path(X, y).lambdas[0] * np.logspace(0, -3, 100)
    np.testing.assert_allclose(fit.lambdas, grid, rtol=1e-9)


def test_three_proximal_steps_by_hand():
    """A step of 1 / L finds the first weight, and covers 1/4 of the way to the second.

    The momentum is (t - 1) / t' with t'**2 - t' = t**2, from t = 1: 0 at first, and
    then 0.618 / 2.194.
    """
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.5], [0.0, -0.5]])
    golden = (1 + np.sqrt(5)) / 2
    t = max(np.roots([1.0, -1.0, -(golden**2)]))
    extrapolated = 9 / 16 - (golden - 1) / t * (3 / 4 - 9 / 16)
    for method, last in (ista, 9 / 16), (fista, extrapolated):
        fit = method(X, X @ [3.0, 1.0], lambda_=0.0, max_steps=3)
        np.testing.assert_allclose(fit.path[:, 0], [0.0, 3.0, 3.0, 3.0])
        rest = [1.0, 3 / 4, 9 / 16, last * 3 / 4]
        np.testing.assert_allclose(1 - fit.path[:, 1], rest)
        values = (fit.path - [3, 1]) ** 2 @ [2, 0.5]
        np.testing.assert_allclose(fit.values, values, atol=1e-14)
        assert not fit.converged and fit.duality_gap > 1e-8


@pytest.mark.parametrize("method", [ista, fista])
def test_minimum_at_start_takes_no_proximal_step(method):
    for X, y, lambda_ in [
        ([[1.0], [-1.0]], [1.0, -1.0], 5.0),  # w = 0 if lambda >= 4
        ([[1.0], [-1.0]], [2.0, 2.0], 0.0),
        ([[1.0], [1.0]], [1.0, -1.0], 0.0),
    ]:
        fit = method(X, y, lambda_=lambda_, tol=0.0)
        assert (fit.path.tolist(), fit.duality_gap) == ([[0.0]], 0.0) and fit.converged
