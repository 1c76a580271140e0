"""The interior point method: each of its short cuts, which the others would make good."""

import numpy as np
import pytest

from mlcore.solvers import interior_point
from mlcore.solvers.interior_point import solve_soft_margin
from mlcore.solvers.soft_margin_problem import Problem


def overlapping(seed, n, d, bias):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) / np.sqrt(d)
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    return y[:, None] * (np.column_stack([X, np.ones(n)]) if bias else X)


@pytest.mark.parametrize("bias", [True, False])
def test_the_minimum_in_few_steps(bias):
    """For prices, weights and lengths that differ by powers of ten."""
    steps = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, d = rng.integers(8, 60), rng.integers(1, 6)
        A, s = overlapping(seed, n, d, bias), 10 ** rng.uniform(-2, 2, size=n)
        A[rng.integers(0, n), :d] *= 10 ** rng.uniform(0, 6)
        C, s = 10 ** rng.uniform(-3, 5), s / s.mean()
        found = solve_soft_margin(A, C, bias, s)
        r = found.a @ A
        w, loss = found.v[:d], np.maximum(0, 1 - A @ found.v) @ (C * s)
        assert ((found.a >= 0) & (found.a <= C * s)).all()
        assert not bias or abs(r[-1]) <= 1e-12 * found.a.sum()
        assert found.primal == pytest.approx(w @ w / 2 + loss, rel=1e-12)
        assert found.dual == pytest.approx(found.a.sum() - r[:d] @ r[:d] / 2, rel=1e-9)
        assert found.gap <= 1e-9 * found.primal
        steps.append(found.steps)
    assert np.mean(steps) < 9
    assert max(steps) < 25


def test_rows_are_left_out_and_the_answer_is_the_same(monkeypatch):
    A, used = overlapping(0, 3000, 8, True), []
    heavy = Problem.heavy
    everything = solve_with(monkeypatch, A, lambda self, theta: None)
    few = solve_with(
        monkeypatch,
        A,
        lambda self, theta: used.append(heavy(self, theta)) or used[-1],
    )
    sizes = [len(rows) for rows in used if rows is not None]
    assert len(sizes) >= len(used) / 2
    assert min(sizes) < 400
    assert few.steps <= everything.steps + 3
    np.testing.assert_allclose(few.v, everything.v, rtol=1e-8)
    assert few.gap <= interior_point.ENOUGH * few.primal


def solve_with(monkeypatch, A, heavy):
    monkeypatch.setattr(Problem, "heavy", heavy)
    return solve_soft_margin(A, 1.0, True)


def test_the_support_vectors_end_it(monkeypatch):
    steps = []
    for ending in interior_point.from_support, lambda *given: None:
        monkeypatch.setattr(interior_point, "from_support", ending)
        data = [overlapping(seed, 60, 3, True) for seed in range(9)]
        found = [solve_soft_margin(A, 1.0, True) for A in data]
        assert all(one.gap <= 1e-11 * one.primal for one in found)
        steps.append(sum(one.steps for one in found))
    assert steps[0] <= 0.7 * steps[1]


@pytest.mark.parametrize("bias", [True, False])
def test_the_start_is_inside_and_balanced(bias):
    A = overlapping(0, 50, 3, bias)
    A[7, :3] *= 1e6
    top = np.random.default_rng(0).uniform(1, 2, size=50)
    problem = Problem(A, top, bias)
    start = interior_point._start(problem)
    assert (start.duals > 0).all()
    assert (start.slacks > 0).all()
    np.testing.assert_allclose(start.duals.sum(axis=0), top)
    slack, xi = start.slacks
    np.testing.assert_allclose(start.missing, start.z - 1 + xi - slack)
    np.testing.assert_allclose(start.z, A @ start.v)
    assert problem.reach[7] > 1e5
    assert start.duals[0, 7] * 1e5 < start.duals[0].mean()
    if bias:
        assert abs(A[:, -1] @ start.duals[0]) < 1e-9 * start.duals[0].sum()
