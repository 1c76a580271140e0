"""Independent coordinates: the same scores, the same penalty, nothing lost, no copies."""

import tracemalloc

import numpy as np
import pytest

from mlcore.solvers.coordinates import TINY, independent, least_pivot


def cases():
    """Matrices whose columns depend on each other, by name."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 4)) + 1
    one, none = np.ones((12, 1)), np.zeros((12, 1))
    yield "a sum", np.column_stack([X, X[:, 0] + X[:, 1]])
    yield "copies", np.column_stack([X[:, :2], X[:, 2], X[:, 2], X[:, 2]])
    yield "constant", np.column_stack([X, 0.1 * one, X[:, 1] - 7])
    yield "no row differs", np.column_stack([one, 3 * one])
    yield "zeros first", np.column_stack([none, X, X[:, 0]])
    yield "zeros alone", none
    many = rng.normal(size=(2000, 3))
    yield "many rows", np.column_stack([many, many @ [1.0, 2.0, 3.0]])
    yield "units", np.column_stack([X[:, 0] * 1e6, X[:, 0], X[:, 1] * 1e-6, X[:, 2]])
    wide = rng.normal(size=(6, 15)) + 1
    yield "wide", wide
    yield "wide copies of rows", wide[[0, 1, 2, 3, 0, 1]]
    yield "wide and far away", np.column_stack([wide * 1e6 + 1e13, np.ones(6)])
    yield "wide and large", np.column_stack([abs(wide) * 1e149, np.zeros(6)])
    yield "wide, a row large", wide * np.array([[1e149], [1], [1], [1], [1], [1]])
    yield "wide and small", wide * 1e-140
    yield "wide zeros", 0 * wide
    yield "wide, none differs", wide[[0, 0, 0]]
    yield "a row", wide[:1]


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(("name", "X"), list(cases()))
def test_scores_and_penalty_are_the_same_and_nothing_is_lost(name, X, bias):
    about = X - X.mean(axis=0) if bias else X
    unit = np.maximum(abs(about).max(axis=0), 1e-9 * abs(X).max(axis=0))
    known = about / np.where(unit > 0, unit, 1.0)
    rank = np.linalg.matrix_rank(known, tol=1e-6 if bias else 1e-9)
    rng = np.random.default_rng(1)
    for lambda_ in 0.0, min(float(unit.max()) / 100, 1e140) ** 2:
        space = independent(X, lambda_, bias)
        if space.Z is X:
            assert lambda_ > 0
            continue
        n, r = space.Z.shape
        assert r == max(rank, 1)
        if rank == 0:
            assert not space.Z.any()
            assert (space.penalty > 0).all()  # so that the weight is 0
            continue
        columns = space.Z / abs(space.Z).max(axis=0)
        assert np.linalg.svd(columns - bias * columns.mean(axis=0))[1][-1] > 1e-4
        assert abs(space.Z).max() <= 1 + 1e-12
        if lambda_ == 0:
            assert (abs(space.Z).max(axis=0) >= 0.99 / np.sqrt(n)).all()
        v = rng.normal(size=r + bias)
        w, b = space.rule(v)
        scores = space.Z @ v[:r] + v[r:].sum()
        np.testing.assert_allclose(X @ w + b, scores, atol=1e-12 + 1e-9 * ("far" in name))
        assert lambda_ * (w @ w) == pytest.approx(space.penalty @ v[:r] ** 2)
        if abs(X).max() < 1e9:  # of all w with these scores the shortest
            inside = np.linalg.lstsq(about, about @ w)[0]
            np.testing.assert_allclose(w, inside, atol=1e-6 * abs(w).max())
        missing = known - space.Z @ np.linalg.lstsq(space.Z, known)[0]
        assert abs(missing).max() < 1e-6


@pytest.mark.parametrize("bias", [True, False])
def test_independent_columns_stay_as_they_are(bias):
    rng = np.random.default_rng(0)
    tall, square = rng.normal(size=(12, 4)) + 1, rng.normal(size=(5, 5))
    copies = np.column_stack([tall, tall, tall])
    for X, lambda_, same in [
        (tall, 0.0, True),
        (square, 0.0, not bias),  # a bias is one column too many
        (copies, 0.0, False),
        (copies, 1.0, True),  # the penalty tells them apart
        (copies * 1e6, 1.0, False),
    ]:
        space = independent(X, lambda_, bias)
        assert (space.Z is X) == same
    space, v = independent(tall, 3.0, bias), np.arange(4.0 + bias)
    assert (space.penalty.tolist(), space.rule(v)[0].tolist()) == ([3.0] * 4, [0, 1, 2, 3])
    assert space.rule(v)[1] == 4 * bias


@pytest.mark.parametrize(("d", "size"), [(1, 1.0), (5, 0.5)])
def test_what_varies_by_no_more_than_tiny_is_constant(d, size):
    x = np.zeros((3, d))
    x[:, 0] = size, -size, 0.0
    space = independent(x * TINY, 0.0, False)
    assert (space.penalty.tolist(), space.unit.tolist()) == ([1.0], [1.0])
    beside = np.column_stack([x[::-1, 0], x * TINY])
    assert len(independent(beside, 0.0, False).unit) == 1
    space = independent(x * 4 * TINY, 0.0, False)
    assert space.penalty.tolist() == [0.0]
    assert abs(space.Z).max() == pytest.approx(1, rel=0.5)


def test_a_wide_matrix_is_not_copied():
    X = np.random.default_rng(0).normal(size=(10, 50_000))
    tracemalloc.start()
    independent(X, 1.0, True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes / 2


def test_the_least_pivot():
    H = np.array([[2.0, 1.0], [1.0, 2.0]])
    assert least_pivot(H) == pytest.approx(3 / 4)
    unit = np.array([1e-40, 1e45])
    assert least_pivot(unit[:, None] * H * unit) == pytest.approx(3 / 4)
    for size in 1.0, 1e-99, 1e99:
        assert least_pivot(np.eye(2) * size) == pytest.approx(1.0)
    for sizes in [1.0, 0.0], [1.0, 1e-100], [1.0, 1e100], [1.0, -1.0], [1.0, np.nan]:
        assert least_pivot(np.diag(sizes)) == 0.0
    assert least_pivot(np.array([[1.0, 2.0], [2.0, 1.0]])) == 0.0
