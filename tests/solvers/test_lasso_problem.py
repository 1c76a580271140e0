"""The numerics of the lasso: any unit, two ways to an error, limits that hold."""

import tracemalloc

import numpy as np
import pytest

from mlcore.solvers.lasso_problem import LassoProblem
from mlcore.validation import k_folds


def data(n=12, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.arange(1, d + 1) - 1
    return X, X @ np.where(np.arange(d) % 2, 1.0, -0.5) + rng.normal(size=n) + 5


def violation(X, y, w, b, lambda_):
    """How far the slopes are from those of a minimum, over the largest at w = 0."""
    Z, r = X - X.mean(axis=0), y - X @ w - b
    slopes = 2 * r @ Z
    off = np.where(
        w, abs(slopes - lambda_ * np.sign(w)), np.maximum(abs(slopes) - lambda_, 0)
    )
    return off.max() / abs(2 * (y - y.mean()) @ Z).max() + abs(r.mean()) / abs(y).max()


@pytest.mark.parametrize("size", [1e-60, 1e-20, 1.0, 1e20, 1e60])
@pytest.mark.parametrize("unit", [1e-80, 1.0, 1e80])
def test_minima_in_any_unit(size, unit):
    X, y = data()
    problem = LassoProblem(X * size, y * unit)
    slopes = 2 * abs((X - X.mean(axis=0)).T @ (y - y.mean()))
    assert problem.first == pytest.approx(slopes.max() * size * unit)
    for lambda_ in 1e-12, 0.1, 20.0:
        w, b, same, gap = problem.fit(lambda_ * size * unit)
        w, b = w / unit * size, b / unit
        assert violation(X, y, w, b, lambda_) < 1e-9
        assert (same, gap < 1e-9) == (lambda_ * size * unit, True)
        worse = problem.gap(w * 1.1 * unit / size, lambda_ * size * unit)
        Z, t = X - X.mean(axis=0), y - y.mean()
        values = [np.sum((t - Z @ v) ** 2) + lambda_ * abs(v).sum() for v in (w, w * 1.1)]
        assert worse * (t @ t) >= (values[1] - values[0]) * (1 - 1e-9)
        assert worse < 1


@pytest.mark.parametrize("size", [1e-50, 2e-50, 5e49, 1e50])
def test_only_what_squares_cannot_hold_is_divided(size):
    x = np.array([[1.0, 0.0], [-1.0, 0.0]]) * size
    problem = LassoProblem(x, [1.0, -1.0])
    assert problem.size == (1.0 if 1e-50 < size < 1e50 else size)
    assert problem.Z[0, 0] == (size if 1e-50 < size < 1e50 else 1.0)


def test_a_path_that_ends_above_its_first_knot_is_that_knot():
    X, y = data()
    problem = LassoProblem(X, y)
    for until in problem.first, 2 * problem.first, 1e150:
        lambdas, W, b, complete = problem.path(until)
        assert (lambdas.tolist(), complete) == ([problem.first], True)
        assert (W.any(), b[0]) == (False, pytest.approx(y.mean()))
    lambdas, *_ = problem.path(0.03 * problem.first)
    assert len(lambdas) > 3
    assert (np.diff(lambdas) < 0).all()
    assert (lambdas[0], lambdas[-1]) == (problem.first, 0.03 * problem.first)


def test_nothing_to_fit():
    assert LassoProblem([[1.0], [2.0]], [3.0, 3.0]).fit(1.0)[1:] == (3.0, 1.0, 0.0)
    assert LassoProblem([[1.0], [1.0]], [3.0, 5.0]).fit(1.0)[1:] == (4.0, 1.0, 0.0)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_sums_and_rows_give_the_same_errors(monkeypatch, unit):
    """The sums cost the same for any number of examples, but may drown in rounding."""
    rows = []

    def recorded(self, split, ts):
        rows.append(split)
        return direct(self, split, ts)

    direct = LassoProblem._direct_fold
    monkeypatch.setattr(LassoProblem, "_direct_fold", recorded)
    for n, d, flat, expected in (12, 4, 0, 0), (12, 4, 1, 1), (8, 8, 0, 0), (6, 9, 0, 3):
        X, y = data(n, d)
        splits = k_folds(y, folds=3, stratified=False, rng=0)
        if flat:
            X[splits[0][0][1:], 0] = X[splits[0][0][0], 0] + 1e-9
        problem = LassoProblem(X * unit, y * unit)
        lambdas = problem.first * np.array([0.8, 0.2, 0.05, 0.01])
        rows.clear()
        errors = problem.cross_validate(splits, lambdas)
        assert len(rows) == expected
        for f, (train, test) in enumerate(splits):
            alone = LassoProblem(X[train] * unit, y[train] * unit)
            for k, lambda_ in enumerate(lambdas):
                w, b, *_ = alone.fit(lambda_ * len(train) / n)
                error = np.mean((y[test] * unit - X[test] * unit @ w - b) ** 2)
                assert errors[f, k] == pytest.approx(error, rel=1e-6)


def test_as_many_steps_as_features_need():
    X, y = data(n=200, d=150)
    lambdas, W, _, complete = LassoProblem(X, y).path(0.0)
    assert complete
    assert len(lambdas) > 130
    assert W[-1].all()


def test_no_square_of_the_number_of_features_is_kept():
    X, y = data(n=5, d=3000)
    tracemalloc.start()
    LassoProblem(X, y).fit(1.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 * X.nbytes < 8 * 3000**2
