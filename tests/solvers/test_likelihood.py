"""What Newton's method gets, against finite differences and the losses."""

import numpy as np
import pytest

from mlcore import losses
from mlcore.solvers.likelihood import LazyMeanSoftmax, MeanLoss, MeanSoftmax


def examples(n, d=4):
    """Features of size about 1, and labels that they hint at."""
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, d))
    return X, np.where(rng.random(n) < 1 / (1 + np.exp(-X.sum(axis=1))), 1.0, -1.0)


def differences(f, v, h=1e-5):
    """The derivative of f by each entry of v, of fourth order."""
    return np.array(
        [
            (8 * (f(v + e) - f(v - e)) - (f(v + 2 * e) - f(v - 2 * e))) / (12 * h)
            for e in h * np.eye(len(v))
        ]
    )


def three(J, v):
    return J.value(v), J.gradient(v), J.hessian(v)


@pytest.mark.parametrize("bias", [True, False])
def test_logistic(bias):
    X, y = examples(300)
    v = np.random.default_rng(0).normal(size=4 + bias)
    penalty = np.array([0.5, 1.0, 0.0, 2.0])
    J = MeanLoss(X, y, penalty)
    value, g, H = three(J, v)
    z = y * (X @ v[:4] + bias * v[-1])
    direct = losses.logistic.value(z).mean() + penalty @ v[:4] ** 2 / 2
    np.testing.assert_allclose(value, direct, rtol=1e-13)
    np.testing.assert_allclose(g, differences(J.value, v), rtol=1e-8)
    np.testing.assert_allclose(H, differences(J.gradient, v), rtol=1e-8, atol=1e-11)


def test_softmax():
    rng = np.random.default_rng(1)
    Z, Y = rng.normal(size=(50, 2)), np.eye(3)[rng.integers(0, 3, size=50)]
    v = rng.normal(size=9)
    J = MeanSoftmax(Z, Y, np.array([0.5, 2.0]))
    value, g, H = three(J, v)
    S = Z @ v.reshape(3, 3)[:, :2].T + v.reshape(3, 3)[:, 2]
    P = np.exp(S) / np.exp(S).sum(axis=1, keepdims=True)
    W = v.reshape(3, 3)[:, :2]
    direct = -np.log((P * Y).sum(axis=1)).mean() + (W**2 @ [0.5, 2.0]).sum() / 2
    np.testing.assert_allclose(value, direct, rtol=1e-13)
    np.testing.assert_allclose(g, differences(J.value, v), rtol=1e-8)
    # the curvature along equal changes of all classes is added on purpose
    keep = np.eye(9) - np.kron(np.full((3, 3), 1 / 3), np.eye(3))
    found = differences(J.gradient, v) @ keep
    np.testing.assert_allclose(H @ keep, found, rtol=1e-7, atol=1e-10)
    assert np.linalg.eigvalsh(H)[0] > 1e-3


def test_far_out_nothing_overflows():
    J = MeanLoss(np.array([[800.0], [800.0]]), np.array([1.0, -1.0]), np.zeros(1))
    value, g, H = three(J, np.array([1.0]))
    assert value == 400
    assert g.tolist() == [400]
    assert H.tolist() == [[0]]


def some_loss():
    X, y = examples(30)
    return MeanLoss(X, y, np.full(4, 0.1))


def some_softmax():
    X, y = examples(30)
    return MeanSoftmax(X, np.column_stack([y < 0, y > 0, X[:, 0] > 1]) * 1.0, np.ones(4))


@pytest.mark.parametrize("make", [some_loss, some_softmax])
def test_a_point_that_is_changed_in_place_is_a_new_point(make):
    J, v = make(), np.zeros(15 if make is some_softmax else 5)
    three(J, v)
    v -= J.gradient(v)
    for found, fresh in zip(three(J, v), three(make(), v.copy()), strict=True):
        assert np.array_equal(found, fresh)


@pytest.mark.parametrize("make", [some_loss, some_softmax])
def test_an_answer_that_is_changed_in_place_is_still_known(make):
    J, v = make(), np.ones(15 if make is some_softmax else 5)
    _, g, H = three(J, v)
    kept = g.copy(), H.copy()
    g *= 2
    H *= 2
    assert np.array_equal(J.gradient(v), kept[0])
    assert np.array_equal(J.hessian(v), kept[1])


def test_what_is_known_is_not_computed_again(monkeypatch):
    J, v, computed = some_loss(), np.ones(5), []
    for name in "first", "second":
        sound = getattr(J, name)
        monkeypatch.setattr(
            J, name, lambda v, name=name, sound=sound: computed.append(name) or sound(v)
        )
    three(J, v)
    three(J, v.copy())
    assert computed == ["first", "second"]


def test_one_pass_a_step():
    da = pytest.importorskip("dask.array")
    X, y = examples(1000)
    read = []
    rows = da.from_array(X, chunks=(250, -1)).map_blocks(
        lambda block: read.append(len(block)) or block, meta=X[:0]
    )
    J = MeanLoss(rows, da.from_array((1 + y) / 2, chunks=250), np.zeros(4))
    three(J, np.ones(5))
    assert read == [250] * 4


def test_softmax_of_blocks():
    """Of different sizes, and of different weight; a step is a step in all of them."""
    da = pytest.importorskip("dask.array")
    rng = np.random.default_rng(2)
    Z, Y = rng.normal(size=(50, 2)), np.eye(3)[rng.integers(0, 3, size=50)]
    penalty, v, keep = np.array([0.5, 2.0]), rng.normal(size=9), np.full((3, 3), 1 / 3)
    for s in 1.0, rng.uniform(0.1, 3, size=50) ** 4:
        rows, labels = da.from_array(Z, chunks=(17, 1)), da.from_array(Y, chunks=(9, -1))
        value, g, H = three(LazyMeanSoftmax(rows, labels, penalty, s), v)
        known = three(MeanSoftmax(Z, Y, penalty, s), v)
        np.testing.assert_allclose(value, known[0], rtol=1e-13)
        np.testing.assert_allclose(g, known[1], rtol=1e-12, atol=1e-14)
        part = np.eye(9) - np.kron(keep, np.eye(3))
        np.testing.assert_allclose(H @ part, known[2] @ part, rtol=1e-12, atol=1e-14)
