"""The soft-margin problem: its values, its curvature, and duals within their bounds."""

import tracemalloc

import numpy as np
import pytest

from mlcore.solvers.soft_margin_problem import ROWS, Problem, usual


def overlapping(seed, n, d, bias):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) / np.sqrt(d)
    y = np.where(X[:, 0] + rng.normal(size=n) > 0, 1.0, -1.0)
    return y[:, None] * (np.column_stack([X, np.ones(n)]) if bias else X)


def test_the_values_by_hand():
    """x = 1 (-), 3 (+), w = 2: at b = -3 the slacks are 0, at b = -2 they are 1 and 0."""
    A = np.array([[-1.0, -1.0], [3.0, 1.0]])
    problem = Problem(A, np.array([5.0, 7.0]), True)
    for b, loss in ((-3.0, 0.0), (-2.0, 5.0)):
        v, a = np.array([2.0, b]), np.array([1.0, 4.0])
        assert problem.values(v, A @ v, a) == (2 + loss, 5 - 11**2 / 2, 3.0)
    free = Problem(A, np.array([5.0, 7.0]), False)
    v = np.array([2.0, 1.0])
    assert free.values(v, A @ v, np.ones(2)) == (2.5 + 5 * 4, 2 - 4 / 2, 0.0)


def test_what_stays_the_same():
    A = np.array([[0.0, 1.0], [3.0, -1.0], [3.0, 1.0], [300.0, -1.0]])
    problem = Problem(A, np.array([1.0, 1.0, 2.0, 4.0]), True)
    assert problem.norms.tolist() == [1.0, 10.0, 10.0, 90001.0]
    np.testing.assert_allclose(problem.reach, [1, 1, 1, np.sqrt(9000.1)])
    assert problem.share.tolist() == [0.5, 0.5, 1.0, 2.0]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("n", [5, 700, 5000])
def test_the_curvature_in_blocks(n, bias):
    A = overlapping(0, n, 20, bias)
    theta = np.random.default_rng(1).exponential(size=n)
    problem = Problem(A, np.ones(n), bias)
    penalty = np.diag([1.0] * 20 + [0.0] * bias)
    every = penalty + A.T @ (theta[:, None] * A)
    np.testing.assert_allclose(problem.curvature(theta), every, atol=1e-9)
    rows = np.arange(0, n, 3)
    some = penalty + A[rows].T @ (theta[rows, None] * A[rows])
    np.testing.assert_allclose(problem.curvature(theta, rows), some, atol=1e-9)


class Counted(np.ndarray):
    """A vector that counts how often a part of it is taken."""

    taken = 0

    def __getitem__(self, part):
        Counted.taken += 1
        return np.asarray(self)[part]


def test_the_curvature_in_a_few_blocks_of_little_room():
    A = overlapping(0, 20_000, 40, False)
    problem, theta = Problem(A, np.ones(20_000), False), np.ones(20_000).view(Counted)
    tracemalloc.start()
    problem.curvature(theta)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < A.nbytes / 3
    assert 3 < Counted.taken < 30


def test_heavy_rows_make_up_the_curvature_but_for_little():
    A = overlapping(0, 2000, 5, True)
    problem = Problem(A, np.ones(2000), True)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        theta = 10 ** rng.uniform(0, 8, size=2000)
        rows = problem.heavy(theta)
        parts = theta * problem.norms
        assert 6 * ROWS <= len(rows) < 0.6 * 2000
        assert parts[rows].sum() >= 0.7 * parts.sum()
        assert np.delete(parts, rows).max() < parts[rows].min()


def test_light_rows_are_left_out_if_they_are_little_together():
    A = overlapping(0, 2000, 5, True)
    problem, heavy = Problem(A, np.ones(2000), True), 6 * ROWS
    for together, taken in (0.2, heavy), (0.4, 2000):
        parts = np.full(2000, together * heavy / 2000)
        parts[100 : 100 + heavy] = 1.0
        rows = problem.heavy(parts / problem.norms)
        assert (2000 if rows is None else len(rows)) == taken


def test_a_few_huge_rows_do_not_span_the_space():
    """ROWS times the columns are always there."""
    A = overlapping(0, 2000, 5, True)
    parts = 10.0 ** -np.arange(2000) + 1e-30
    rows = Problem(A, np.ones(2000), True).heavy(parts / np.einsum("ij,ij->i", A, A))
    assert 6 * ROWS <= len(rows) < 7 * ROWS


def test_all_rows_are_taken_where_that_is_as_cheap():
    A = overlapping(0, 2000, 5, True)
    theta = 10 ** np.random.default_rng(0).uniform(0, 8, size=2000)
    problem = Problem(A, np.ones(2000), True)
    assert problem.heavy(theta) is not None
    assert problem.heavy(1 / problem.norms) is None  # all have the same part
    for n in 2 * ROWS * 6, 2 * ROWS * 6 + 1:
        few = Problem(A[:n], np.ones(n), True)
        assert (few.heavy(10.0 ** -np.arange(n)) is None) == (n == 2 * ROWS * 6)
    for many in 1199, 1200:
        parts = np.where(np.arange(2000) < many, 1.0, 1e-9) / problem.norms
        assert (problem.heavy(parts) is None) == (many == 1200)
    problem.whole = True
    assert problem.heavy(theta) is None


@pytest.mark.parametrize("bias", [True, False])
def test_judged_duals_are_within_their_bounds_and_balanced(bias):
    """Those inside make up for y @ a, as far as they have room."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        A, top = overlapping(seed, 30, 3, bias), rng.uniform(1, 2, size=30)
        problem = Problem(A, top, bias)
        given = top * rng.normal(0.5, 0.4, size=30)
        inside, v = np.clip(given, 0, top), rng.normal(size=A.shape[1])
        found = problem.judged(v, given, 7)
        assert ((found.a >= 0) & (found.a <= top)).all()
        assert found.v is v and found.steps == 7
        if not bias:
            np.testing.assert_array_equal(found.a, inside)
            continue
        room = np.minimum(inside, top - inside)
        np.testing.assert_array_equal(found.a[room == 0], inside[room == 0])
        enough = abs(A[:, -1] @ inside) <= room.sum()
        assert (found.dual > -np.inf) == enough
        assert (abs(A[:, -1] @ found.a) <= 1e-13 * found.a.sum()) == enough


def test_judged_values_by_hand():
    A = np.array([[-1.0, -1.0], [3.0, 1.0]])
    problem = Problem(A, np.array([2.0, 2.0]), True)
    both = problem.judged(np.array([1.0, -2.0]), np.array([3.0, 3.0]), 0)  # z = 1, 1
    assert both.a.tolist() == [2.0, 2.0]
    assert (both.primal, both.dual, both.gap) == (0.5, 4 - 4**2 / 2, 4.5)
    assert problem.judged(np.zeros(2), np.array([2.0, 0.0]), 0).dual == -np.inf
    assert problem.judged(np.zeros(2), np.zeros(2), 0).gap == 4.0
    problem.A[:, 0] = 0.0  # a feature says nothing about the balance
    assert problem.judged(np.zeros(2), np.array([2.0, 2.0]), 0).dual == 4.0


def test_the_usual_length():
    assert usual(np.array([0.0, 4.0, 1e30, 5.0])) == 5.0
    assert usual(np.array([0.0, 0.25, 0.5])) == 0.375
    assert usual(np.zeros(3)) == 1.0
