"""Steps along subgradients of the hinge loss, against their plain loop."""

import numpy as np
import pytest

from mlcore.solvers.hinge_steps import dealt, mean_hinge, walk


def plain_walk(v, batches, done, lambda_):
    """The points (w, b) after each batch."""
    points = []
    for t, rows in enumerate(batches, start=done + 1):
        hit = rows[[row @ v < 1 for row in rows]]
        price = np.append(lambda_ * v[:-1], 0.0)
        v = v - (price - hit.sum(axis=0) / len(rows)) / (lambda_ * t)
        points.append(v)
    return np.array(points)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("n", [5, 9000])
def test_signed_rows_in_the_order_dealt(n, bias):
    rng = np.random.default_rng(0)
    X, y, deal = rng.normal(size=(n, 3)), rng.choice([-1.0, 1.0], n), rng.permutation(n)
    rows = dealt(X, y, bias, deal)
    assert np.array_equal(rows, (y[:, None] * np.column_stack([X, np.full(n, bias)]))[deal])


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("parts", [11, 5, 4, 1])
@pytest.mark.parametrize("done", [0, 3])
def test_a_walk_is_its_plain_loop(seed, parts, done):
    """Batches of one row, of two or three as even as can be, and of all."""
    rng = np.random.default_rng(seed)
    rows, v, lambda_ = rng.normal(size=(11, 4)), rng.normal(size=4), 0.5 + rng.random()
    order = rng.permutation(parts)
    batches = np.array_split(rows, parts)
    points = plain_walk(v, [batches[k] for k in order], done, lambda_)
    total = np.ones(4)
    walk(v, rows, order.tolist(), done, lambda_, total)
    np.testing.assert_allclose(v, points[-1], rtol=1e-10)
    np.testing.assert_allclose(total, 1 + points.sum(axis=0), rtol=1e-10)


@pytest.mark.parametrize("batch", [1, 3])
def test_an_example_at_the_margin_is_no_hit(batch):
    # x = 1 (+), lambda = 1: the first step leads to w = 1, where z = 1; then w / 2
    v, total = np.zeros(2), np.zeros(2)
    walk(v, np.tile([1.0, 0.0], (2 * batch, 1)), [0, 1], 0, 1.0, total)
    assert v.tolist() == [0.5, 0]


def test_the_mean_hinge_loss_by_hand():
    # z = 3, 0 and -1; b has no price
    rows = np.array([[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]])
    assert mean_hinge(rows, np.array([3.0, 1.0, -1.0]), 0.5) == (0 + 1 + 2) / 3 + 2.5
