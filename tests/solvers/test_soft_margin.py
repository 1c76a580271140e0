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
        soft_margin(X, y, lambda_=1e9)
    soft_margin(X[[*range(len(X)), 0]][:, : len(X) + 2], [*y, y[0]])  # a copied row
    assert [answer is None for answer in found] == [False, True, True, True]


def test_an_example_far_away_moves_the_center_to_the_crowd():
    """Nothing is lost, wherever the others are."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    y = np.where(X[:, 0] + rng.normal(size=50) > 0, 1.0, -1.0)
    X[7] *= 1e9
    here = soft_margin(X, y)
    X[7] += 1e5  # as for the others, but for rounding
    X[np.arange(50) != 7] += 1e5
    there = soft_margin(X, y)
    assert here.converged and there.converged
    assert there.w == pytest.approx(here.w, rel=1e-6)


@pytest.mark.parametrize("unit", [1e-74, 1e74])
def test_examples_that_are_not_negative_in_any_unit(unit):
    X = np.array([[0.0, 4.0], [2.0, 3.0], [5.0, 1.0], [4.0, 4.0]])
    y = np.array([1.0, 1.0, -1.0, -1.0])
    fit = soft_margin(X, y, lambda_=0.01, bias=False)
    same = soft_margin(unit * X, y, lambda_=0.01 * unit**2, bias=False)
    assert same.w * unit == pytest.approx(fit.w, rel=1e-9)


@pytest.mark.parametrize("bias", [True, False])
def test_the_row_space_where_pivots_give_up(monkeypatch, bias):
    """Copied rows, of other lengths, in features of other units."""
    monkeypatch.setattr(solver, "_by_pivots", lambda *given: None)
    for seed in range(20):
        X, y, s = wide(seed)
        X *= 10.0 ** np.random.default_rng(seed).integers(-2, 2, size=X.shape[1])
        X[1] *= 1e4
        X[2] = X[3]
        fit = soft_margin(X, y, sample_weight=s, bias=bias)
        assert fit.converged
        C = s / s.sum() / 0.01
        r = (fit.a * y) @ X
        z = y * fit.decision_function(X)
        value = np.average(np.maximum(0, 1 - z), weights=s) + 0.005 * fit.w @ fit.w
        assert (fit.a <= C * (1 + 1e-12)).all()
        assert value == pytest.approx(fit.value, rel=1e-9)
        assert 0.01 * (fit.a.sum() - r @ r / 2) == pytest.approx(value, rel=1e-8)
        assert fit.gap <= 1e-9 * fit.value


def test_just_below_the_margin_is_made_good_where_it_costs_more():
    Z, y, top = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, -1.0]), np.full(2, 1e12)
    w = np.array([1 - 1e-9, -1.0])
    longer, _, found = solver._measured(Z, y, w, 0.0, np.ones(2), top, 3)
    assert (y * (Z @ longer)).min() == pytest.approx(1, abs=1e-15)
    assert found.primal == pytest.approx(longer @ longer / 2, rel=1e-12)
    assert (found.dual, found.steps) == (1.0, 3)
    cheap = solver._measured(Z, y, w, 0.0, np.ones(2), np.full(2, 0.1), 3)
    np.testing.assert_array_equal(cheap[0], w)
    assert cheap[2].primal == pytest.approx(w @ w / 2 + 1e-10, rel=1e-12)
    low, b, found = solver._measured(Z, y, 0.5 * w, 0.25, np.ones(2), top, 3)
    assert (low.tolist(), b) == ((0.5 * w).tolist(), 0.25)  # these are no rounding
    assert found.v.tolist() == [*low, b]
    far, _, _ = solver._measured(Z, y, 4 * w, 0.0, np.ones(2), top, 3)
    assert far.tolist() == (4 * w).tolist()


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


@pytest.mark.parametrize("unit", [1e-60, 1.0, 1e60])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_copies_of_the_center_have_no_length_in_any_unit(unit, sign):
    """The others keep theirs, however near they are; the largest entry has the size 1."""
    point, off = unit * np.array([0.0, 1 / 3, 5.0]), np.zeros((6, 3))
    off[4, 1], off[5, 2] = 1e-10 * unit, 100 * sign * unit
    Z = np.empty((6, 3))
    size, squares = solver._scaled(point + off, point * (1 + 1e-15), Z)
    assert size == pytest.approx(100 * unit)
    assert abs(Z).max() == 1.0
    assert squares[:4].tolist() == [0.0] * 4
    assert squares[4:] == pytest.approx([1e-24, 1.0], rel=1e-3, abs=0)
    assert solver._scaled(np.ones((2, 3)), np.ones(3), np.empty((2, 3)))[0] == 1.0


@pytest.mark.parametrize("unit", [1e-5, 1.0, 1e5])
def test_pivots_in_any_unit(unit):
    for seed in range(5):
        X, y, _ = wide(seed)
        Z, top = unit * (X - X.mean(axis=0)), np.full(len(y), 1 / unit**2)
        w, b, _ = solver._by_pivots(Z, y, True, top)
        same, c, _ = solver._by_pivots(Z / unit, y, True, np.ones(len(y)))
        assert unit * w == pytest.approx(same, abs=1e-10)
        assert b == pytest.approx(c, abs=1e-10)


def test_as_many_pivots_as_are_counted(monkeypatch):
    solve, solved = np.linalg.solve, []
    counted = lambda K, sides: solved.append(K) or solve(K, sides)  # noqa: E731
    monkeypatch.setattr(np.linalg, "solve", counted)
    X, y, _ = wide(0)
    given = X - X.mean(axis=0), y, True, np.full(len(y), 0.02)
    steps = solver._by_pivots(*given)[2].steps
    assert steps == len(solved) > 2
    monkeypatch.setattr(solver, "PIVOTS", steps)
    assert solver._by_pivots(*given)[2].steps == steps
    monkeypatch.setattr(solver, "PIVOTS", steps - 1)
    assert solver._by_pivots(*given) is None


def test_a_dual_at_its_end_with_a_score_of_1_may_stay_there(monkeypatch):
    """For (1, 0) and (1, 2) w = (1, 0), and the second has a = 0; at its top the first.

    All of it is exact: the gap is 0.
    """
    monkeypatch.setattr(solver, "ENOUGH", 0.0)
    Z, y = np.array([[1.0, 0.0, 0.0], [1.0, 2.0, 0.0]]), np.ones(2)
    for rows, top, a in (Z, 9.0, [1.0, 0.0]), (Z[:1], 1.0, [1.0]):
        w, _, found = solver._by_pivots(rows, y[: len(a)], False, np.full(len(a), top))
        assert (w.tolist(), found.a.tolist(), found.steps) == ([1.0, 0.0, 0.0], a, 2)


def test_a_square_matrix_is_not_wide(monkeypatch):
    found = watched(monkeypatch)
    X, y, _ = wide(1)
    assert soft_margin(X[:, : len(y)], y).converged
    assert not found


def test_features_that_are_0_in_one_example_keep_their_order(monkeypatch):
    """In the row space the largest come first, by their largest entry."""
    monkeypatch.setattr(solver, "_by_pivots", lambda *given: None)
    for seed in range(30):
        rng = np.random.default_rng(seed)
        n = rng.integers(2, 8)
        units = 10.0 ** rng.integers(-9, 9, size=n + rng.integers(1, 4))
        X = units * (99 + rng.normal(size=(n, len(units))))
        X[rng.integers(0, n), units > 1] = 0.0
        fit = soft_margin(X, np.resize([1.0, -1.0], n), bias=False)
        assert fit.gap <= 1e-7 * fit.value
