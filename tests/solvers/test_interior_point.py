"""The interior point method: each of its short cuts, which the others would make good."""

import numpy as np
import pytest

from mlcore.solvers import interior_point
from mlcore.solvers.interior_point import solve_soft_margin
from mlcore.solvers.soft_margin_problem import Iterate, Problem


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


def newton(problem, now, products):
    """Newton's direction to the given products of duals and slacks: all equations at once.

    They are w = sum_i a_i y_i x_i with y @ a = 0, slack = A v - 1 + xi, and the products,
    linearized in v, a, slack and xi.
    """
    A, (a, room), (slack, xi) = problem.A, now.duals, now.slacks
    (n, p), one = A.shape, np.eye(len(A))
    none, square = np.zeros((p, n)), np.zeros((n, n))
    rows = [
        [np.diag(problem.penalty), -A.T, none, none],
        [A, square, -one, one],
        [none.T, np.diag(slack), np.diag(a), square],
        [none.T, -np.diag(xi), square, np.diag(room)],
    ]
    off = [a @ A - problem.penalty * now.v, 1 - A @ now.v + slack - xi]
    off += list(products - now.duals * now.slacks)
    dv, da, gives = np.split(np.linalg.solve(np.block(rows), np.hstack(off)), [p, p + n])
    return dv, np.stack([da, -da]), gives.reshape(2, n)


def longest(now, moves, gives):
    """How much of such a step leaves no dual and no slack below 0."""
    return 1 / max((-moves / now.duals).max(), (-gives / now.slacks).max())


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("price", [1e-2, 1.0, 1e4])
def test_a_step_is_predicted_centered_and_corrected(price, bias):
    """Mehrotra's: mu is the mean product after the predictor, times its part squared."""
    A, s = overlapping(1, 14, 2, bias), np.random.default_rng(1).uniform(0.1, 2, size=14)
    A[3, :2] *= 100
    problem = Problem(A, price * s, bias)
    now = interior_point._start(problem)
    for _ in range(6):
        _, moves, gives = newton(problem, now, 0.0)
        t, products = min(1.0, longest(now, moves, gives)), now.duals * now.slacks
        left = ((now.duals + t * moves) * (now.slacks + t * gives)).sum()
        mu = left / 28 * (left / products.sum()) ** 2
        dv, moves, gives = newton(problem, now, mu * problem.share - moves * gives)
        t = min(1.0, 0.995 * longest(now, moves, gives))
        after = interior_point._step(problem, now)
        np.testing.assert_allclose(after.v, now.v + t * dv, rtol=1e-5)
        np.testing.assert_allclose(after.duals, now.duals + t * moves, rtol=1e-5)
        np.testing.assert_allclose(after.slacks, now.slacks + t * gives, rtol=1e-5)
        assert (after.duals > 0).all() and (after.slacks > 0).all()
        now = after


@pytest.mark.parametrize("bias", [True, False])
def test_the_start_is_stationary(bias):
    """Where no dual of it leaves its bounds, w is the sum of all a_i y_i x_i."""
    A, top = overlapping(3, 40, 2, bias), np.random.default_rng(0).uniform(1, 2, size=40)
    A[[4, 9], :2] *= 30
    problem = Problem(A, top / 20, bias)
    start = interior_point._start(problem)
    assert abs(start.z / problem.reach).max() < 0.95
    assert problem.reach[4] > 10
    np.testing.assert_allclose(start.duals[0] @ A, start.v * problem.penalty, atol=1e-7)


def test_the_slacks_of_the_start_by_hand():
    """For z = 4/3, 2/3, 1/2 and -1/2: what is left, but of a loss at most 1, and 1."""
    half, high = 1 / 2, np.sqrt(3) / 2
    A = np.zeros((7, 3))
    A[:3, :2] = [1, 0], [half, high], [half, -high]
    A[3:, 2] = 1, 1, 1, -1
    start = interior_point._start(Problem(A, np.full(7, 1e12), False))
    np.testing.assert_allclose(start.z, np.array([8, 4, 4, 3, 3, 3, -3]) / 6)
    np.testing.assert_allclose(start.slacks[0], np.array([8, 6, 6, 6, 6, 6, 6]) / 6)
    np.testing.assert_allclose(start.slacks[1], np.array([6, 8, 8, 9, 9, 9, 12]) / 6)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_start_is_balanced_where_a_class_is_rare(sign):
    x = np.random.default_rng(0).normal(size=50)
    y = sign * np.where(np.arange(50) < 3, 1.0, -1.0)
    A = np.column_stack([y * x, y])
    start = interior_point._start(Problem(A, np.full(50, 7.0), True))
    assert abs(A[:, -1] @ start.duals[0]) < 1e-12 * start.duals[0].sum()


def test_copied_features_at_a_price_that_hides_the_penalty_are_no_error():
    A = np.repeat(np.vstack([np.eye(3), 2 * np.eye(3)]), 2, axis=1)
    found = solve_soft_margin(A, 2.0**70, False)
    assert np.isfinite(found.v).all() and found.steps > 0


def test_all_examples_count_once_where_nothing_is_said():
    A = overlapping(0, 30, 2, True)
    found = solve_soft_margin(A, 2.0, True)
    same = solve_soft_margin(A, 2.0, True, np.ones(30))
    np.testing.assert_array_equal(found.v, same.v)
    assert found.a.max() == 2.0


def follow(monkeypatch, script, A=None):
    """Solve a problem with the steps of a script; the answer, and how many were taken."""
    A, taken = overlapping(0, 30, 2, True) if A is None else A, []

    def step(problem, now):
        taken.append(script(problem, now))
        return taken[-1]

    with monkeypatch.context() as patch:
        patch.setattr(interior_point, "_step", step)
        found = solve_soft_margin(A, 2.0, True)
    assert found.steps == len(taken)
    return found, found.steps


def nowhere(problem, now):
    nan = np.nan * now.z
    return Iterate(np.nan * now.v, nan, now.duals, now.slacks, nan)


def test_the_steps_end_where_they_lead_nowhere(monkeypatch):
    patience, sound = interior_point.PATIENCE, interior_point._step
    assert follow(monkeypatch, sound)[0].gap <= 1e-9
    for script, steps in (
        (lambda *given: None, 1),
        (lambda problem, now: now, 1 + patience + 1),  # the first is better than nothing
        (nowhere, patience + 1),
    ):
        found, taken = follow(monkeypatch, script)
        assert taken == steps
        assert 0 < found.gap < np.inf  # that of the start
    monkeypatch.setattr(interior_point, "MOST_STEPS", 3)
    assert follow(monkeypatch, sound)[1] == 3


@pytest.mark.parametrize(("w", "least"), [(1.2, 1.2), (1.46, 1.0)])
def test_an_unbalanced_pair_proves_less_the_longer_its_bias_is(monkeypatch, w, least):
    """x = 2 (-) and 4 (+), a = 1/3 and 1/6: both values are 1/2, y @ a (1 + |b|) is 2/3.

    The balanced pair before it has a gap of 0.4, or of 0.75.
    """
    pairs = [([w, -3 * w], [0.2, 0.2]), ([1.0, -3.0], [1 / 3, 1 / 6])]
    monkeypatch.setattr(interior_point, "from_support", lambda *given: None)

    def script(problem, now):
        if not pairs:
            return None
        v, a = map(np.array, pairs.pop(0))
        return Iterate(v, problem.A @ v, np.stack([a, 2 - a]), now.slacks, now.missing)

    found, _ = follow(monkeypatch, script, np.array([[-2.0, -1.0], [4.0, 1.0]]))
    assert found.v.tolist() == [least, -3 * least]


@pytest.mark.parametrize("entry", [0, -1])
def test_a_step_that_is_not_finite_is_none(monkeypatch, entry):
    problem = Problem(overlapping(0, 30, 2, True), np.ones(30), True)
    start, solve = interior_point._start(problem), np.linalg.solve
    factor = iter([1.0, np.nan])  # of the predictor, and of the step itself

    def spoiled(*given):
        v = solve(*given)
        v[entry] *= next(factor)
        return v

    assert interior_point._step(problem, start) is not None
    monkeypatch.setattr(np.linalg, "solve", spoiled)
    assert interior_point._step(problem, start) is None
