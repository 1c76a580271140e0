"""What Newton's method gets, against finite differences and the losses."""

import tracemalloc

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


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bias", [True, False])
def test_logistic(bias, weighted):
    X, y = examples(300)
    rng = np.random.default_rng(0)
    v, s = rng.normal(size=4 + bias), rng.uniform(1, 9, size=300) if weighted else 2.0
    penalty = np.array([0.5, 1.0, 0.0, 2.0])
    J = MeanLoss(X, y, penalty, s)
    value, g, H = three(J, v)
    z = y * (X @ v[:4] + bias * v[-1])
    mean = np.average(losses.logistic.value(z), weights=s * np.ones(300))
    direct = mean + penalty @ v[:4] ** 2 / 2
    np.testing.assert_allclose(value, direct, rtol=1e-13)
    np.testing.assert_allclose(g, differences(J.value, v), rtol=1e-8)
    np.testing.assert_allclose(H, differences(J.gradient, v), rtol=1e-8, atol=1e-11)


def test_softmax():
    rng = np.random.default_rng(1)
    Z, Y = rng.normal(size=(50, 2)), np.eye(3)[rng.integers(0, 3, size=50)]
    v = rng.normal(size=9)
    J = MeanSoftmax(Z, Y, np.array([0.5, 2.0]), 1.0)
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
    same = np.tile(np.eye(3), 3)
    square = [*(Z**2).mean(axis=0), 1] + 3 * np.array([0.5, 2.0, 0.0])
    np.testing.assert_allclose(same @ H @ same.T, np.diag(square), atol=1e-12)


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
    Y = np.column_stack([y < 0, y > 0, X[:, 0] > 1]) * 1.0
    return MeanSoftmax(X, Y, np.ones(4), 1.0)


@pytest.mark.parametrize("make", [some_loss, some_softmax])
def test_a_point_that_is_changed_in_place_is_a_new_point(make):
    J, v = make(), np.zeros(15 if make is some_softmax else 5)
    three(J, v)
    v -= J.gradient(v)
    for found, fresh in zip(three(J, v), three(make(), v.copy()), strict=True):
        assert np.array_equal(found, fresh)
    v += 1
    assert np.array_equal(J.hessian(v), make().hessian(v))  # asked first


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


@pytest.mark.parametrize("make", [some_loss, some_softmax])
def test_what_is_known_is_of_the_same_point(make, monkeypatch):
    """Also where the computation was interrupted."""
    J, v = make(), np.ones(15 if make is some_softmax else 5)
    J.value(v)
    with monkeypatch.context() as patch:
        patch.setattr(J, "first", lambda v: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            J.value(v + 1)
    assert J.value(v) == make().value(v)


@pytest.mark.parametrize("K", [2, 5])
def test_the_hessian_takes_no_copy_of_the_examples(K):
    """Its blocks fit the cache: one with all rows would take 8 MB for each class."""
    rng = np.random.default_rng(3)
    Z, k = rng.normal(size=(20_000, 50)), np.arange(20_000) % K
    if K == 2:
        J, v = MeanLoss(Z, 2.0 * k - 1, np.ones(50)), np.ones(51)
    else:
        J, v = MeanSoftmax(Z, np.eye(K)[k], np.ones(50), 1.0), np.ones(51 * K)
    J.gradient(v)
    tracemalloc.start()
    J.hessian(v)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.7 * Z.nbytes


@pytest.mark.parametrize("d", [1, 2])
def test_softmax_of_blocks(d):
    """Of different sizes, and of different weight; a step is a step in all of them."""
    da = pytest.importorskip("dask.array")
    rng = np.random.default_rng(2)
    Z, Y = rng.normal(size=(50, d)), np.eye(3)[rng.integers(0, 3, size=50)]
    penalty, v = np.array([0.5, 2.0])[:d], rng.normal(size=3 * (d + 1))
    keep = np.eye(len(v)) - np.kron(np.full((3, 3), 1 / 3), np.eye(d + 1))
    for s in 1.0, rng.uniform(0.1, 3, size=50) ** 4:
        rows, labels = da.from_array(Z, chunks=(17, 1)), da.from_array(Y, chunks=(9, -1))
        value, g, H = three(LazyMeanSoftmax(rows, labels, penalty, s), v)
        known = three(MeanSoftmax(Z, Y, penalty, s), v)
        np.testing.assert_allclose(value, known[0], rtol=1e-13)
        np.testing.assert_allclose(g, known[1], rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(H @ keep, known[2] @ keep, rtol=1e-12, atol=1e-14)
