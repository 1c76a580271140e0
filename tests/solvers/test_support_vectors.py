"""The ending from the support vectors, and what it leaves to the steps."""

import numpy as np
import pytest

from mlcore.solvers.interior_point import _start, solve_soft_margin
from mlcore.solvers.soft_margin_problem import Iterate, Problem
from mlcore.solvers.support_vectors import _sides, best_found, from_support

FIVE = np.array([0.0, 1.5, 3.0, -1.0, 7.0]), np.array([1.0, -1.0, 1.0, -1.0, 1.0])
MINIMUM = np.array([0.5, -0.5]), np.array([1 / 4, 1 / 4, 7 / 32, 7 / 32, 0])


def line(x, y, top, *, bias=True):
    """The problem of examples with one feature."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    A = y[:, None] * np.column_stack([x, np.ones(len(x))][: 1 + bias])
    return Problem(A, np.broadcast_to(np.asarray(top, float), len(x)), bias)


def near(problem, v, a, off):
    """An iterate that is off by such a part in v and a, inside all bounds."""
    v = np.asarray(v, float) * (1 + off)
    a = np.clip(a, off * problem.top, (1 - off) * problem.top)
    z = problem.A @ v
    return Iterate(v, z, np.stack([a, problem.top - a]), np.ones((2, len(z))), z)


def overlapping(seed, n, d, bias):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) / np.sqrt(d)
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    return y[:, None] * (np.column_stack([X, np.ones(n)]) if bias else X)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_the_support_vectors_give_the_minimum_by_hand(unit):
    """x = 0 and 1.5 are on the wrong side, 3 and -1 on the margin, 7 beyond it."""
    x, y = FIVE
    problem = line(unit * x, y, 1 / 4 / unit**2)
    problem.A[:, 1] *= unit  # b in the unit of x
    problem = Problem(problem.A, problem.top, True)
    v, a = MINIMUM[0] / unit, MINIMUM[1] / unit**2
    found = from_support(problem, near(problem, v, a, 1e-3), 9)
    assert found.v * unit == pytest.approx([0.5, -0.5], rel=1e-12)
    assert found.a * unit**2 == pytest.approx(MINIMUM[1], rel=1e-12)
    assert found.a[[0, 1, 4]].tolist() == [*problem.top[:2], 0.0]
    assert found.steps == 9
    assert 0 <= found.gap <= 1e-13 * found.primal


def test_without_a_bias_by_hand():
    """x = 1 and 2 (+): the first alone is on the margin, at w = 1, or below at its top."""
    problem = line([1, 2], [1, 1], [3.0, 3.0], bias=False)
    found = from_support(problem, near(problem, [1.0], [1.0, 0.0], 1e-3), 0)
    assert found.v == pytest.approx([1.0], rel=1e-12)
    assert found.a == pytest.approx([1.0, 0.0], rel=1e-12)
    low = line([1, 2], [1, 1], [0.6, 0.6], bias=False)
    assert from_support(low, near(low, [0.6], [0.6, 0.0], 1e-3), 0) is None  # nobody is on


def test_long_examples_stay_above_the_margin():
    """1 is lost in the rounding of their scores, and below it may cost more than all."""
    for power in 3, 6, 9, 12:
        x = np.array([1.0, 0.2, 1.0, 0.1, 10.0**power])
        problem = line(x, [-1, -1, 1, -1, 1], 1.0, bias=False)
        w, a = 1 / x[4], np.ones(5)
        a[4] = (w - a[:4] @ problem.A[:4, 0]) / x[4]
        found = from_support(problem, near(problem, [w], a, 0.0), 0)
        assert found.v @ problem.A[4] >= 1
        assert found.gap <= 1e-11 * found.primal


@pytest.mark.parametrize("long", [1e3, 1e6, 1e9])
def test_long_examples_are_above_the_margin_by_rounding_only(long):
    problem = Problem(np.diag([1.0, 1.0, long]), np.full(3, 9.0), False)
    v, a = np.array([1.0, 1.0, 1 / long]), np.array([1.0, 1.0, 1 / long**2])
    found = from_support(problem, near(problem, v, a, 0.0), 0)
    assert 1 < found.v[2] * long <= 1 + 1e-14 * long


def test_rows_that_nearly_agree_are_refined_to_the_margin():
    """Their equations lose what is asked for to rounding; a second solution has it."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        A = np.array([[1.0, 0.0], [-1.0, 1e-5]]) + 1e-6 * rng.normal(size=(2, 2))
        problem = Problem(A, np.full(2, 1e19), False)
        v = np.linalg.solve(A, np.ones(2))
        a = np.linalg.solve(A.T, v)
        if (a <= 0).any():
            continue
        found = from_support(problem, near(problem, v, a, 0.0), 0)
        assert (A @ found.v >= 1).all()
        assert found.gap <= 1e-4 * found.primal


@pytest.mark.parametrize("unit", [1.0, 1e3])
def test_one_solution_is_enough_where_rounding_leaves_nothing(monkeypatch, unit):
    solve, solved = np.linalg.solve, []
    x, y = FIVE
    problem = line(unit * x, y, 1 / 4 / unit**2)
    now = near(problem, MINIMUM[0] / [unit, 1], MINIMUM[1] / unit**2, 1e-3)
    counted = lambda K, left: solved.append(K) or solve(K, left)  # noqa: E731
    monkeypatch.setattr(np.linalg, "solve", counted)
    assert from_support(problem, now, 0) is not None
    assert problem.reach[2] > 1  # x = 3, on the margin
    assert len(solved) == 1


@pytest.mark.parametrize("bias", [True, False])
def test_from_near_the_minimum_it_is_found_at_prices_that_leave_rounding(bias):
    """What the later solutions correct stays balanced."""
    for seed in range(30):
        A, top = overlapping(seed, 40, 4, bias), np.full(40, 1e4)
        problem, least = Problem(A, top, bias), solve_soft_margin(A, 1e4, bias)
        found = from_support(problem, near(problem, least.v, least.a, 1e-9), 0)
        assert found.gap <= 1e-11 * found.primal


def test_another_example_on_the_margin_is_no_end():
    """x = 1 is there twice, the second time without a dual; or there is a long one."""
    for x, first in (([-1.0, 1.0, 3.0], True), ([-1.0, 1.0, 1.0], False)):
        problem = line(x, [-1, 1, 1], 2.0)
        now = near(problem, [1.0, 0.0], [0.5, 0.5, 0.0], 1e-7)
        now.duals[0, 2] = 1e-15
        assert _sides(problem, now)[1].tolist() == [0, 1]
        assert (from_support(problem, now, 0) is not None) == first
    for off, first in ((1e-2, True), (1e-4, False)):  # as a part of its length 1e-7
        A = np.array([[1.0, 0.0], [5.0, 0.0], [1 + off, 1e3]])
        problem = Problem(A, np.full(3, 2.0), False)
        found = from_support(problem, near(problem, [1.0, 0.0], [1.0, 0.0, 0.0], 1e-12), 0)
        assert (found is not None) == first


def test_sides_know_that_the_duals_of_long_examples_are_small():
    A = np.array([[1.0], [1.0], [1.0], [1.0], [1e3]])
    problem = Problem(A, np.full(5, 2.0), False)
    a = np.array([1.0, 1e-3, 1.999, 1e-9, 5e-6])
    z = 1 + np.array([0.0, 5e-4, -5e-4, 1e-3, 1e-2])
    now = Iterate(np.ones(1), z, np.stack([a, 2 - a]), np.ones((2, 5)), z)
    sides, on = _sides(problem, now)
    assert on.tolist() == [0, 1, 2, 4]
    assert sides.tolist() == [1.0, 1e-3, 1.999, 0.0, 5e-6]
    now.duals[0, 4] = 1e-2  # ten times the first, for its length
    assert _sides(problem, now)[1].tolist() == [0, 4]
    assert _sides(problem, now)[0].tolist() == [1.0, 0.0, 2.0, 0.0, 1e-2]


def test_where_both_go_to_zero_alike_an_example_is_on_the_margin():
    problem = Problem(np.ones((3, 1)), np.array([2.0, 2.0, 1.0]), False)
    a, z = np.array([1.0, 0.25, 0.75]), np.array([1.0, 1.25, 0.75])
    now = Iterate(np.ones(1), z, np.stack([a, problem.top - a]), np.ones((2, 3)), z)
    assert _sides(problem, now)[1].tolist() == [0, 1, 2]


def test_duals_at_their_bounds_are_no_end():
    """At top = 1/2 the two on the margin are at their bounds: b is not unique there."""
    for top, ends in (1.0, False), (0.5, True), (0.5 + 1e-8, True):
        problem = line([-1.0, 1.0], [-1, 1], top)
        now = near(problem, [1.0, 0.0], [0.5, 0.5], 0.0)
        now.duals[:] = 0.5, 0.5  # as if they were inside
        assert (from_support(problem, now, 0) is None) == ends


@pytest.mark.parametrize(("long", "top", "ends"), [(1e5, 1.0, True), (2.0, 1.0, False)])
def test_one_dual_inside_its_bounds_is_enough(long, top, ends):
    """For (1, 0) and (0, long) it is 1 and 1 / long**2: the first is at its top."""
    problem = Problem(np.diag([1.0, long]), np.full(2, top), False)
    a = np.array([1.0, 1 / long**2])
    now = near(problem, [1.0, 1 / long], a, 0.0)
    now.duals[1] = 0.5  # as if there were room
    assert (from_support(problem, now, 0) is None) == ends


def test_the_balance_counts_those_at_their_top():
    """x = 0 (-) at its top, 0.1, leaves 0.1 less for -2 (-) than for 2 (+)."""
    problem = line([-2.0, 2.0, 0.0], [-1, 1, -1], [1.0, 1.0, 0.1])
    v, a = [0.5, 0.0], [0.075, 0.175, 0.1]
    found = from_support(problem, near(problem, v, a, 1e-9), 0)
    assert found.v == pytest.approx([0.5, 0.0], abs=1e-12)
    assert found.a == pytest.approx(a, rel=1e-12)


def test_a_price_far_above_what_is_paid_is_no_bound():
    """a = 1/2 is inside (0, top) for a top of 1e12, too."""
    problem = line([-1.0, 1.0, 4.0], [-1, 1, 1], 1e12)
    now = near(problem, [1.0, 0.0], [0.5, 0.5, 0.0], 0.0)
    found = from_support(problem, now, 0)
    assert found.v == pytest.approx([1.0, 0.0], abs=1e-12)
    assert found.a == pytest.approx([0.5, 0.5, 0.0])


@pytest.mark.parametrize("bias", [True, False])
def test_a_wrong_guess_of_the_support_is_no_end(bias):
    """The start knows nothing yet: what follows from it has a gap, or is nothing."""
    for seed in range(10):
        A = overlapping(seed, 60, 3, bias)
        problem = Problem(A, np.ones(60), bias)
        guess = from_support(problem, _start(problem), 0)
        assert guess is None or guess.gap > 1e-6 * guess.primal


@pytest.mark.parametrize("unit", [1.0, 1e6])
def test_the_best_pair_has_duals_at_their_ends_if_that_is_as_good(unit):
    x, y = FIVE
    problem = line(unit * x, y, 1 / 4 / unit**2)
    pair = MINIMUM[0] / [unit, 1], MINIMUM[1] / unit**2
    now = near(problem, *pair, 1e-10)
    ended = best_found(problem, now, 8)
    assert ended.a[[0, 1, 4]].tolist() == [*problem.top[:2], 0.0]
    np.testing.assert_array_equal(ended.v, now.v)  # b is unique
    assert ended.gap <= 1e-9 * ended.primal
    assert ended.steps == 8
    now = near(problem, *pair, 1e-2)
    raw = problem.judged(now.v, now.duals[0], 8)
    early = best_found(problem, now, 8)
    np.testing.assert_array_equal(early.a, raw.a)
    assert early.gap > 1e-9 * early.primal


def test_the_middle_of_the_biases_by_hand():
    """w = 0.5; z <= 1 at -1 and 1 gives |b| <= 0.5, and z >= 1 at 2.4 b >= -0.2."""
    x, y, a = [-1.0, 1.0, 2.4], [-1, 1, 1], np.array([0.25, 0.25, 0.0])
    A = np.insert(line(x, y, 0.25).A, 1, 0.0, axis=1)  # with a feature that is always 0
    problem = Problem(A, np.full(3, 0.25), True)
    for b in -0.1, 0.0, 0.4:
        ended = best_found(problem, near(problem, [0.5, 0.0, b], a, 1e-12), 0)
        assert ended.v == pytest.approx([0.5, 0.0, 0.15], abs=1e-10)
        assert ended.a.tolist() == a.tolist()
    free = line([1, 2], [1, 1], [0.6, 0.6], bias=False)
    now = near(free, [0.6], [0.6, 0.0], 1e-12)
    assert best_found(free, now, 0).v == now.v
