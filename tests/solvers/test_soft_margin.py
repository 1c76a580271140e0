"""Wide data: a few pivots find the soft margin, or leave it to the interior point."""

import numpy as np
import pytest

from mlcore.solvers import soft_margin as solver
from mlcore.svm import soft_margin


def wide(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 40))
    X = rng.normal(size=(n, n + int(rng.integers(1, 30)))) + rng.normal(size=1)
    y = np.where(rng.random(n) < 0.4, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    return X, y, rng.exponential(size=n)


def watched(monkeypatch):
    """What the pivots return, call by call."""
    found, sound = [], solver._by_pivots

    def recorded(*given):
        found.append(sound(*given))
        return found[-1]

    monkeypatch.setattr(solver, "_by_pivots", recorded)
    return found


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("lambda_", [1e-6, 1e-2, 1.0, 30.0])
def test_pivots_find_what_the_interior_point_finds(monkeypatch, lambda_, bias):
    found = watched(monkeypatch)
    data = [wide(seed) for seed in range(25)]
    options = {"lambda_": lambda_, "bias": bias}
    fits = [soft_margin(X, y, sample_weight=s, **options) for X, y, s in data]
    monkeypatch.setattr(solver, "_by_pivots", lambda *given: None)
    for (X, y, s), fit, answer in zip(data, fits, found, strict=True):
        if answer is None:
            continue
        slow = soft_margin(X, y, sample_weight=s, **options)
        assert fit.converged
        assert fit.value == pytest.approx(slow.value, rel=1e-10)
        assert fit.w == pytest.approx(slow.w, abs=2e-5 * abs(slow.w).max())
        assert fit.b == pytest.approx(slow.b, abs=1e-6)
        assert fit.a == pytest.approx(slow.a, abs=2e-4 * slow.a.max())
        assert fit.gap <= 1e-11 * fit.value
    assert sum(answer is None for answer in found) <= (8 if bias else 3)


def test_pivots_refuse_what_is_a_little_off(monkeypatch):
    found = watched(monkeypatch)
    X, y, _ = wide(0)
    soft_margin(X, y)
    solve, rng = np.linalg.solve, np.random.default_rng(0)
    noise = lambda A, B: solve(A, B) * rng.uniform(1, 1 + 1e-6, B.shape)  # noqa: E731
    with monkeypatch.context() as patch:
        patch.setattr(np.linalg, "solve", noise)
        soft_margin(X, y)
    soft_margin(X[[*range(len(X)), 0]][:, : len(X) + 2], [*y, y[0]])  # a copied row
    assert [answer is None for answer in found] == [False, True, True]


@pytest.mark.parametrize("pivots", [1, 2, 3])
def test_pivots_that_have_not_ended_are_no_answer(monkeypatch, pivots):
    monkeypatch.setattr(solver, "PIVOTS", pivots)
    found = watched(monkeypatch)
    for seed in range(30):
        X, y, _ = wide(seed)
        assert soft_margin(X, y, lambda_=0.3).converged
    ends = [answer[2].gap <= 1e-11 * answer[2].primal for answer in found if answer]
    assert len(ends) < 30
    assert all(ends)


def test_where_the_bias_is_not_unique_pivots_give_no_answer(monkeypatch):
    found = watched(monkeypatch)
    X = np.array([[1.0, 2.0, 0.0], [-1.0, 1.0, 0.5]])
    low = soft_margin(X, [1, -1], lambda_=100.0)
    assert found == [None]
    assert low.converged
    soft_margin(X, [1, -1], lambda_=100.0, bias=False)
    assert found[1] is not None
