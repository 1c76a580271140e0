"""The linear program of the L1-SVM: proved by duality, whatever part of it was solved."""

import numpy as np
import pytest

from mlcore.solvers import l1_machine
from mlcore.solvers.l1_machine import duality_gap, hinge, solve_dual


def two_classes(seed, n=40, d=4):
    """Rows y x, features of size at most 1, with ties and copies in every third."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, d))
    if seed % 3 == 0:
        X = np.round(2 * X[: n // 2]) / 2
        X = np.vstack([X, X])
    y = np.where(X[:, 0] + 0.3 + rng.normal(size=n) * (seed % 4) / 2 > 0, 1.0, -1.0)
    y[:2] = -1.0, 1.0
    return X * y[:, None], y


def proved(A, y, C):
    """The solution, whose two objectives must be the same, and what they are."""
    v, b, a = solve_dual(A, y, C)
    assert (a >= -1e-9).all()
    assert (a <= C * (1 + 1e-9)).all()
    assert abs(y @ a) <= 1e-7 * max(1.0, a.sum())
    assert abs(A.T @ a).max() <= 1 + 1e-7
    primal = abs(v).sum() + C * np.maximum(0, 1 - A @ v - y * b).sum()
    assert a.sum() == pytest.approx(primal, rel=1e-7, abs=1e-9)
    return v, primal


@pytest.fixture
def programs(monkeypatch):
    """Of each linear program the numbers of examples and features, and C."""
    found, program = [], l1_machine._program

    def recorded(A, y, C, *rest):
        found.append((*A.shape, C))
        return program(A, y, C, *rest)

    monkeypatch.setattr(l1_machine, "_program", recorded)
    return found


def test_by_hand():
    """|w| + C (2 - 2 w): the penalty wins for C < 1/2."""
    A, y = np.array([[1.0], [1.0]]), np.array([1.0, -1.0])
    for C, w in (0.3, 0.0), (3.0, 1.0):
        v, _, a = solve_dual(A, y, C)
        np.testing.assert_allclose(v, [w], atol=1e-12)
        np.testing.assert_allclose(a, [min(C, 0.5)] * 2)
        expected = [max(0.75 - w, 0), 1.25 - w]
        np.testing.assert_allclose(hinge(A, y, v, 0.25), expected, atol=1e-12)


def test_the_gap_by_hand():
    """The products must be at most 1: a is made smaller for that, and never larger."""
    A = np.array([[1.0, 0.0], [1.0, 0.0]])
    assert duality_gap(A, np.array([1.0, 1.0]), 1.5) == pytest.approx(0.5 / 1.5)
    assert duality_gap(A, np.array([0.2, 0.3]), 1.5) == pytest.approx(1.0 / 1.5)
    assert duality_gap(A, np.array([0.2, 0.3]), 0.5 - 1e-12) == 0.0  # but for rounding
    assert duality_gap(A, np.zeros(2), 0.0) == 0.0


@pytest.mark.parametrize("near", [0.1, 3.0])
def test_a_part_of_the_examples_gives_the_minimum_of_all(monkeypatch, near):
    for seed in range(12):
        A, y = two_classes(seed, n=60, d=4 + 80 * (seed % 2))
        C = 10.0 ** (seed % 4 - 1)
        monkeypatch.setattr(l1_machine, "MANY", 60)
        _, whole = proved(A, y, C)
        monkeypatch.setattr(l1_machine, "MANY", 9)
        monkeypatch.setattr(l1_machine, "NEAR", near)
        _, found = proved(A, y, C)
        assert found == pytest.approx(whole, rel=1e-7, abs=1e-9)


def test_the_examples_near_the_margin_are_few(monkeypatch, programs):
    """3 sqrt(n (d + 1)); rarely twice as many, and what comes out on the other side."""
    monkeypatch.setattr(l1_machine, "MANY", 100)
    for seed in 1, 2, 5:
        programs.clear()
        A, y = two_classes(seed, n=3000, d=3)
        proved(A, y, 1.0)
        sizes, near = [n for n, _, _ in programs], 3 * np.sqrt(3000 * 4)
        first = next(n for n, _, C in programs if C == 1.0)
        assert near < first <= near + 1
        assert {C for _, _, C in programs} == {1.0, 4.0, 16.0, 64.0}  # of a quarter each
        assert max(sizes) < 2.2 * near
        assert len(sizes) < 12


def test_the_features_that_differ_most_between_the_classes_come_first(programs):
    """With 30 examples 60 of 1000 features do, if they are the right ones."""
    A, y = two_classes(1, n=30, d=1000)
    A[:, ::10] *= 1e-3
    A[:, 500] = 1.0 - 0.1 * np.arange(30) / 30  # it alone tells the classes apart
    v, _ = proved(A, y, 0.1)
    assert v[500] > 0
    assert [k for _, k, _ in programs] == [60]


def test_as_many_as_fit_are_one_program(monkeypatch, programs):
    A, y = two_classes(1, n=60)
    monkeypatch.setattr(l1_machine, "MANY", 60)
    proved(A, y, 1.0)
    assert programs == [(60, 4, 1.0)]


def test_one_class_needs_no_weights():
    v, b, a = solve_dual(np.array([[0.5]]), np.array([-1.0]), 1.0)
    assert (v.tolist(), b, a.tolist()) == ([0.0], -1.0, [0.0])


def test_features_join_until_no_product_is_above_1(monkeypatch, programs):
    monkeypatch.setattr(l1_machine, "MANY", 40)
    monkeypatch.setattr(l1_machine, "NEAR", 0.1)
    for n in 30, 120:
        A, y = two_classes(1, n=n, d=500)
        for C in 1.0, 10.0:
            proved(A, y, C)
    assert max(k for _, k, _ in programs) < 500
