"""The objective of the L1-SVM with squared hinge is quadratic in pieces."""

import numpy as np
import pytest

from mlcore.solvers import l1_newton
from mlcore.solvers.l1_newton import _newton, lowest, minimize


def value(A, v, C):
    return abs(v[:-1]).sum() + C * (np.maximum(0, 1 - A @ v) ** 2).sum()


def overlapping(seed, n=30, d=6):
    """Rows y (x, 1) of two classes that overlap."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, d))
    y = np.where(X[:, 0] + X[:, 1] + rng.normal(size=n) > 0, 1.0, -1.0)
    return np.column_stack([X, np.ones(n)]) * y[:, None]


@pytest.fixture
def steps(monkeypatch):
    """The weights after each step."""
    found, step = [], l1_newton._step

    def recorded(*arguments):
        found.append(step(*arguments)[0])
        return step(*arguments)

    monkeypatch.setattr(l1_newton, "_step", recorded)
    return found


def test_by_hand():
    """|w| + 2 C (1 - w)**2 has its minimum at 1 - 1 / (4 C), or at 0."""
    A = np.array([[1.0, 1.0], [1.0, -1.0]])
    for C in 0.1, 0.25, 0.5, 1.0, 10.0:
        v, violation = minimize(A, np.zeros(2), C, 1, 1e-8)
        np.testing.assert_allclose(v, [max(0, 1 - 1 / (4 * C)), 0], atol=1e-9)
        assert violation <= 1e-8


def test_a_weight_that_would_change_its_sign_stops_at_zero(steps):
    """From -1, with the sign of -1, -w + 2 (1 - w)**2 has its minimum at 1.25."""
    A = np.array([[1.0, 1.0], [1.0, -1.0]])
    minimize(A, np.array([-1.0, 0.0]), 1.0, 9, 1e-8)
    np.testing.assert_allclose(steps, [[0, 0], [0.75, 0]], atol=1e-9)


@pytest.mark.parametrize("start", [5.0, 5.0004, 6.0])
def test_a_step_that_hardly_leads_down_gives_way_to_the_lowest_point(steps, start):
    """From 5 a row of -1 draws the bias to -1, where nine rows of +1 lose as much."""
    A = np.column_stack([np.zeros(10), np.append(-1.0, np.ones(9))])
    v, violation = minimize(A, np.array([0.0, start]), 1.0, 9, 1e-8)
    first = -1.0 if start == 6 else 0.8  # 1 + b = 9 (1 - b)
    np.testing.assert_allclose(steps[0], [0, first], atol=1e-9)
    np.testing.assert_allclose(v, [0, 0.8], atol=1e-9)
    assert violation <= 1e-8


def test_the_lowest_point_of_a_line_may_have_a_zero_and_it_is_exact(steps):
    """The first feature is 0 for all rows; the bias keeps the step from being whole."""
    A = np.zeros((11, 2))
    A[:, 1] = np.append(-1.0, np.ones(10))
    for start in np.random.default_rng(0).uniform(0.1, 1.0, size=20):
        steps.clear()
        minimize(A, np.array([start, 5.0]), 1.0, 1, 1e-8)
        assert steps[0][0] == 0.0
        assert steps[0][1] == pytest.approx(5.0, abs=1e-6)


@pytest.mark.parametrize("C", [1e-12, 0.5, 1e12])
def test_a_zero_that_would_take_the_other_sign_is_left_out(C):
    """2 C B.T @ B is 2 C times [[1, 0.8, 0], [0.8, 1, 0], [0, 0, 1]]."""
    B = np.array([[1.0, 0.8, 0.0], [0.0, 0.6, 0.0], [0.0, 0.0, 1.0]])
    slope = 2 * C * np.array([1.0, 0.5, 2.0])
    both = [0.6 / 0.36, -0.3 / 0.36, 2.0]
    for zeros, expected in [
        ([0.0, 0.0, 0.0], both),
        ([1.0, -1.0, 0.0], both),
        ([0.0, 1.0, 1.0], [1.0, 0.0, 2.0]),
        ([0.0, 1.0, -1.0], [1.0, 0.0, 0.0]),
    ]:
        np.testing.assert_allclose(
            _newton(B, C, slope, np.array(zeros)), expected, rtol=1e-8
        )


@pytest.mark.parametrize("C", [1e-12, 0.5, 1e12])
@pytest.mark.parametrize("B", [[[1.0, 1.0]], [[1.0, -1.0]], np.zeros((0, 2))])
def test_where_a_piece_is_flat_the_step_goes_down(B, C):
    B = np.array(B)
    for slope in np.array([1.001, 1.0]), np.array([1.0, 1.001]), np.array([1.0, -1.0]):
        change = _newton(B, C, 2 * C * slope, np.zeros(2))
        assert slope @ change > 0
        far = B @ change - (slope @ B.T / 2 if len(B) else 0)
        assert abs(far).max(initial=0) < 1e-5  # its minimum in the direction that bends


def test_the_violation_is_the_steepest_way_down_along_an_axis():
    for seed in range(20):
        A, C = overlapping(seed), 0.2
        v = np.random.default_rng(seed).normal(size=7) * (np.arange(7) % 3 != seed % 3)
        steps = 1e-7 * np.vstack([np.eye(7), -np.eye(7)])
        falls = [(value(A, v, C) - value(A, v + step, C)) / 1e-7 for step in steps]
        found, violation = minimize(A, v, C, 0, 1e-9)
        assert found.tolist() == v.tolist()
        assert violation == pytest.approx(max(falls), abs=1e-4)


def test_a_step_within_the_piece_of_the_minimum_ends_there():
    for seed in range(20):
        A, rng = overlapping(seed), np.random.default_rng(seed)
        least, violation = minimize(A, np.zeros(7), 1.0, 100, 1e-9)
        assert violation <= 1e-9
        start = least * (1 + 1e-4 * rng.normal(size=7))
        if ((A @ start < 1) == (A @ least < 1)).all():
            v, violation = minimize(A, start, 1.0, 1, 1e-7)
            assert violation <= 1e-7
            np.testing.assert_allclose(v, least, atol=1e-7)


def test_no_step_leads_uphill_and_those_from_zero_are_few(steps):
    for seed in range(12):
        A, C = overlapping(seed, n=60, d=12), 10.0 ** (seed % 3)
        far = np.random.default_rng(seed).normal(size=13)
        for start, most in (np.zeros(13), 30), (far, 1000):
            steps[:] = [start]
            assert minimize(A, start, C, most, 1e-6)[1] <= 1e-6
            values = [value(A, v, C) for v in steps]
            assert (np.diff(values) <= 1e-12 * values[0]).all()


def test_at_most_sixteen_features_join_in_the_first_step(steps):
    """Those whose gradient beats the penalty by most."""
    rng = np.random.default_rng(0)
    y = np.repeat([-1.0, 1.0], 50)
    A = np.column_stack([rng.uniform(-1, 1, size=(100, 60)), np.ones(100)]) * y[:, None]
    slopes = 2 * abs(A.sum(axis=0))[:-1]
    assert (slopes > 1).sum() > 40
    minimize(A, np.zeros(61), 1.0, 2, 1e-9)
    used = np.flatnonzero(steps[0][:-1])
    assert 12 < len(used) <= 16
    assert set(used) <= set(np.argsort(-slopes)[:16])
    assert 16 < np.count_nonzero(steps[1][:-1]) <= 32


def test_it_ends_where_rounding_has_the_upper_hand(steps):
    for seed in range(10):
        steps.clear()
        assert minimize(overlapping(seed), np.zeros(7), 1.0, 1000, 1e-300)[1] < 1e-12
        assert len(steps) < 15


def test_a_violation_of_tol_will_do():
    A = overlapping(0)
    v, violation = minimize(A, np.zeros(7), 1.0, 2, 1e-9)
    again, same = minimize(A, np.zeros(7), 1.0, 9, violation)
    assert violation > 1e-9
    assert (again.tolist(), same) == (v.tolist(), violation)


def test_the_lowest_point_of_a_line_is_no_higher_than_any_other():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        A = rng.normal(size=(rng.integers(1, 30), 5))
        v, change = rng.normal(size=(2, 5)) * 10.0 ** rng.integers(-2, 3, size=(2, 1))
        C = 10.0 ** rng.integers(-2, 3)

        def at(t, A=A, v=v, change=change, C=C):
            return value(A, v + t * change, C)

        t = lowest(v, change, A @ v, A @ change, C)
        others = np.concatenate(
            [[0.0], t * np.linspace(0, 2, 101), np.logspace(-6, 6, 101)]
        )
        least = min(map(at, others))
        assert at(t) <= least + 1e-12 * (at(0.0) + least)


def test_lines_without_kinks_and_flat_ones_by_hand():
    up = np.array([1.0, 0.0])
    assert lowest(up, up, np.array([2.0]), np.array([1.0]), 1.0) == 0.0
    level = np.array([1.0, -1.0, 0.0])  # |1 + t| + |2 - t| is 3 until 2
    assert lowest(np.array([1.0, 2.0, 0.0]), level, np.array([3.0]), np.zeros(1), 1.0) == 0
    # |t - 1| beside a loss that stays, and with one that is 0 from t = 3 on
    down, z = np.array([-1.0, 0.0]), np.array([0.5])
    assert lowest(down, up, z, np.zeros(1), 1.0) == 1.0
    assert lowest(down, up, np.zeros(1), np.ones(1) / 3, 1.0) == 1.0
    assert lowest(down, up, np.zeros(1), np.ones(1) / 3, 9.0) == pytest.approx(2.5)
