"""Wolfe's nearest point: what heals itself would hide a slip, so each part is tested."""

import numpy as np
import pytest
from time_limit import time_limit

from mlcore.separation import max_margin
from mlcore.solvers import nearest_point


def independent(seed):
    """A corral of independent vertices, entered and left in a random order."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(2, 9))
    corral = nearest_point.Corral(d)
    for i in range(int(rng.integers(2, d + 1))):
        corral.add((i,), rng.normal(size=d) + 1)
    return corral, rng


def check_basis(corral, orthogonal, inverse):
    gram, identity = corral.Q.T @ corral.Q, np.eye(len(corral.V))
    assert gram == pytest.approx(identity, abs=orthogonal)
    product = corral.S @ corral.Q.T @ corral.V.T
    assert product == pytest.approx(identity, abs=inverse)


def affine_minimizer(V):
    """The same point from the equations of Lagrange: V V' u = c, sum u = 1."""
    k = len(V)
    K = np.block([[V @ V.T, np.ones((k, 1))], [np.ones((1, k)), np.zeros((1, 1))]])
    return np.linalg.solve(K, np.append(np.zeros(k), 1.0))[:k]


@pytest.mark.parametrize("seed", range(20))
def test_the_basis_follows_every_change_of_the_corral(seed):
    corral, rng = independent(seed)
    for step in range(8):
        k = len(corral.names)
        if k > 1 and step % 2 == 0:
            out = int(rng.integers(k))
            expected = np.delete(corral.V, out, axis=0)
            corral.drop(out)
        else:
            expected = np.vstack([corral.V, rng.normal(size=corral.V.shape[1])])
            corral.add((step,), expected[-1])
            assert corral.a[-1] == 0
        k = len(expected)
        assert np.array_equal(corral.V, expected)
        check_basis(corral, 1e-12, 1e-9)
        assert len(corral.names) == len(corral.a) == k


def test_a_vertex_that_hardly_adds_a_direction_keeps_the_basis_orthogonal():
    rng = np.random.default_rng(0)
    corral = nearest_point.Corral(5)
    first = rng.normal(size=5)
    corral.add((0,), first)
    corral.add((1,), first + 1e-9 * rng.normal(size=5))
    check_basis(corral, 1e-15, 1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_point_of_the_affine_hull(seed):
    corral, _ = independent(seed)
    u, w = corral.nearest(1e-12)
    expected = affine_minimizer(corral.V)
    assert u == pytest.approx(expected, abs=1e-8)
    p = expected @ corral.V
    assert w == pytest.approx(p / (p @ p), rel=1e-7)
    assert corral.V @ w == pytest.approx(1, abs=1e-11)


@pytest.mark.parametrize("seed", range(5))
def test_drift_is_refined_away_or_cured(monkeypatch, seed):
    corral, rng = independent(seed)
    u, w = corral.nearest(1e-12)
    sound, calls = np.linalg.qr, []
    monkeypatch.setattr(np.linalg, "qr", lambda A: calls.append(A) or sound(A))
    noise = rng.normal(size=corral.S.shape)
    corral.S = corral.S + 1e-7 * corral.S @ noise  # a little: one step of refinement
    again = corral.nearest(1e-9)
    assert calls == []
    assert again[0] == pytest.approx(u, abs=1e-10)
    assert again[1] == pytest.approx(w, rel=1e-10)
    corral.S = noise  # beyond repair: a new basis
    again = corral.nearest(1e-9)
    assert len(calls) == 1
    assert again[0] == pytest.approx(u, abs=1e-10)
    assert again[1] == pytest.approx(w, rel=1e-10)


def test_drift_of_one_vertex_is_cured():
    corral = nearest_point.Corral(3)
    for i, v in enumerate(np.eye(3)):
        corral.add((i,), v)
    corral.S[2, 2] = 1.5
    u, w = corral.nearest(1e-9)
    assert u == pytest.approx(1 / 3)
    assert w == pytest.approx(1)


@pytest.mark.parametrize("seed", range(30))
def test_settling_walks_to_the_border_and_drops_what_it_meets(monkeypatch, seed):
    corral, rng = independent(seed)
    V, a = corral.V, rng.dirichlet(np.ones(len(corral.V)))
    corral.a, names = a, list(corral.names)
    while (u := affine_minimizer(V)).min() <= 0:  # the same, naively
        t, out = min((a[i] / (a[i] - u[i]), i) for i in range(len(a)) if u[i] <= 0)
        a = np.delete((1 - t) * a + t * u, out)
        V, names = np.delete(V, out, axis=0), names[:out] + names[out + 1 :]
    drop = corral.drop

    def watched(out):  # still convex weights, and 0 at the vertex to be dropped
        assert corral.a.sum() == pytest.approx(1, abs=1e-12)
        assert corral.a.min() > -1e-12
        assert corral.a[out] == pytest.approx(0, abs=1e-12)
        drop(out)

    monkeypatch.setattr(corral, "drop", watched)
    w = corral.settle(1e-12)
    assert corral.names == names
    assert corral.a == pytest.approx(u, abs=1e-8)
    assert corral.a.min() > 0
    assert V @ w == pytest.approx(1, abs=1e-11)


def test_a_vertex_of_weight_0_is_dropped():
    corral = nearest_point.Corral(2)
    corral.add((0,), np.array([1.0, 0.0]))
    corral.add((1,), np.array([1.0, 1.0]))
    corral.a = np.array([0.5, 0.5])
    assert corral.settle(1e-12).tolist() == [1, 0]
    assert corral.names == [(0,)]
    assert corral.a.tolist() == [1]


def test_points_that_are_added_count_as_one():
    """Also where their distance is hardly more than what counts as 0."""
    for size in 1.0, 1e-12, 2e-13:
        half = size * np.array([[3.0, 4.0]]) / 10
        one, _ = nearest_point.nearest_to_origin([2 * half])
        two, _ = nearest_point.nearest_to_origin([half, half])
        assert two == pytest.approx(one, rel=1e-12)


def test_a_corral_that_comes_back_ends_the_search(monkeypatch):
    """Rounding may undo each step: here the newest vertex is the only one that stays."""

    def forgetful(corral, slack):
        while len(corral.names) > 1:
            corral.drop(0)
        corral.a = np.ones(1)
        return np.zeros(len(corral.V.T))

    monkeypatch.setattr(nearest_point.Corral, "settle", forgetful)
    lowest = nearest_point._lowest_vertex
    turns = []

    def in_turn(crowd, w):
        turns.append(len(turns) % 2)
        return lowest([(rows[turns[-1:]], H[turns[-1:]]) for rows, H in crowd], w)

    monkeypatch.setattr(nearest_point, "_lowest_vertex", in_turn)
    with time_limit("nearest_to_origin"):
        nearest_point.nearest_to_origin([np.array([[1.0, 0.0], [0.0, 1.0]])])
    assert len(turns) == 3


def test_the_crowd_is_the_lowest_of_each_hull():
    rng = np.random.default_rng(0)
    w, crowd = rng.normal(size=20), 21 * nearest_point.CROWD
    hulls = [rng.normal(size=(size, 20)) for size in (crowd, crowd + 1, 20 * crowd)]
    found = nearest_point._lowest_rows(hulls, 0.5, w)
    for H, (rows, points) in zip(hulls, found, strict=True):
        assert np.array_equal(points[:, :-1], H[rows])
        assert (points[:, -1] == 0.5).all()
        assert sorted(rows) == sorted(np.argsort(H @ w)[:crowd])


@pytest.mark.parametrize("bias", [True, False])
def test_few_looks_at_all_rows_and_no_new_basis(monkeypatch, bias):
    """What makes it fast: 4000 rows are looked at less than once per corral."""
    rng = np.random.default_rng(0)
    X, looks, bases = rng.normal(size=(4000, 4)), [], []
    y = np.where(X @ [1.0, -2.0, 0.5, 0.0] >= 0, 1.0, -1.0)
    X[:, 3] += 0.1 * y
    look, qr = nearest_point._lowest_rows, np.linalg.qr
    watched = lambda *a: looks.append(1) or look(*a)  # noqa: E731
    monkeypatch.setattr(nearest_point, "_lowest_rows", watched)
    monkeypatch.setattr(np.linalg, "qr", lambda A: bases.append(1) or qr(A))
    assert max_margin(X, y, bias=bias).separable
    assert 2 <= len(looks) <= 4
    assert len(bases) == 0


def test_a_margin_of_a_ten_millionth_needs_no_new_basis(monkeypatch):
    """As |w| grows, so does what rounding leaves of V @ w = 1: that is no drift."""
    bases, qr = [], np.linalg.qr
    monkeypatch.setattr(np.linalg, "qr", lambda A: bases.append(1) or qr(A))
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = np.column_stack([1e-7 * (1 + rng.random(240)), rng.normal(size=(240, 59))])
        nearest_point.nearest_to_origin([X @ qr(rng.normal(size=(60, 60)))[0] / 4])
    assert len(bases) <= 2


def wide(seed, hulls):
    """Rows, some far longer than others, of which some have weights above 0."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    rows = rng.normal(size=(n, n + int(rng.integers(1, 9)))) * rng.exponential(size=(n, 1))
    return rows / abs(rows).max(), [int(rng.integers(1, n))] if hulls == 2 else []


@pytest.mark.parametrize("hulls", [1, 2])
def test_pivots_find_what_the_corral_finds(hulls):
    failed = []
    for seed in range(60):
        rows, cuts = wide(seed, hulls)
        expected, weights = nearest_point.nearest_to_origin(np.split(rows, cuts))
        found = nearest_point.nearest_by_pivots(rows, cuts)
        if found is None:
            failed.append(seed)
            continue
        assert found[0] == pytest.approx(expected, rel=1e-7, abs=1e-7 * abs(expected).max())
        for u, part in zip(found[1], weights, strict=True):
            assert u == pytest.approx(part, abs=1e-8)
            assert u.sum() == pytest.approx(1, abs=1e-12)
            assert u.min() >= 0
    assert len(failed) <= 6  # these went round in a circle


@pytest.mark.parametrize("pivots", [1, 2, 3])
def test_pivots_that_have_not_ended_are_no_answer(monkeypatch, pivots):
    monkeypatch.setattr(nearest_point, "PIVOTS", pivots)
    ends = []
    for seed in range(40):
        rows, cuts = wide(seed, 2)
        found = nearest_point.nearest_by_pivots(rows, cuts)
        ends.append(found is not None)
        if found is not None:
            w, parts = found
            assert sum((H @ w).min() for H in np.split(rows, cuts)) >= 1 - 1e-11
            assert np.concatenate(parts).min() >= 0
    assert 0 < sum(ends) < 40


def test_pivots_refuse_what_is_a_little_off(monkeypatch):
    rows, cuts = wide(1, 1)
    assert nearest_point.nearest_by_pivots(rows, cuts) is not None
    solve, rng = np.linalg.solve, np.random.default_rng(0)
    noise = lambda A, B: solve(A, B) * rng.uniform(1, 1 + 1e-6, B.shape)  # noqa: E731
    monkeypatch.setattr(np.linalg, "solve", noise)
    assert nearest_point.nearest_by_pivots(rows, cuts) is None


def test_pivots_refuse_the_origin_though_no_solver_objects(monkeypatch):
    monkeypatch.setattr(np.linalg, "solve", lambda A, B: np.ones(B.shape))
    rows = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    assert nearest_point.nearest_by_pivots(rows, []) is None


@pytest.mark.parametrize("seed", range(10))
def test_rows_on_the_margin_that_have_no_weight(seed):
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(20, 20)))[0]
    u = rng.dirichlet(np.ones(6))
    rows = Q[0] + np.append(Q[1:7] - u @ Q[1:7], Q[8:18], axis=0)
    found = nearest_point.nearest_by_pivots(rows, [])
    assert found is not None
    assert found[0] == pytest.approx(Q[0], abs=1e-12)
    assert found[1][0] == pytest.approx([*u, *np.zeros(10)], abs=1e-12)


def test_pivots_refuse_what_is_singular_or_the_origin():
    rows = np.array([[1.0, 0.0, 0.0, 0.5], [0.5, 0.5, 0.0, 0.0]])
    assert nearest_point.nearest_by_pivots(rows, []) is not None
    assert nearest_point.nearest_by_pivots(rows[[0, 0, 1]], []) is None
    assert nearest_point.nearest_by_pivots(np.stack([rows[0], -rows[0]]), []) is None
    assert nearest_point.nearest_by_pivots(np.zeros((1, 2)), []) is None
