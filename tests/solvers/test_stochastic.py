"""Stochastic descent: runs in lockstep, runs that overflow, what is refused."""

import numpy as np
import pytest

from mlcore import losses
from mlcore.optim import constant, loss_gradient, sgd


@pytest.mark.parametrize("batch", [1, 2])
def test_runs_in_lockstep_are_each_the_one_alone(batch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(9, 2)), np.resize([1.0, -1.0, -1.0], 9)
    gradient = loss_gradient(X, y, losses.logistic, lambda_=0.1)
    sizes = np.array([0.1, 0.5])
    options = {"epochs": 2, "batch": batch}
    both = sgd(gradient, 9, np.ones(2), steps=constant(sizes), runs=2, **options)
    for r, eta in enumerate(sizes):
        alone = sgd(gradient, 9, np.ones(2), steps=constant(eta), **options)
        plain = sgd(
            lambda w, i: gradient(w, i), 9, np.ones(2), steps=constant(eta), **options
        )
        np.testing.assert_allclose(both.path[:, r], alone.path, rtol=1e-12)
        np.testing.assert_allclose(alone.path, plain.path, rtol=1e-12)


@pytest.mark.parametrize(("size", "ends"), [(1.0, 1e150), (1.01, 0.0)])
def test_a_point_overflows_beyond_the_largest_number(size, ends):
    fit = sgd(lambda w, i: np.full(1, -1e150), 1, [0.0], steps=constant(size))
    assert fit.w.tolist() == [ends]


def test_a_point_overflows_with_its_first_coordinate():
    fit = sgd(lambda w, i: np.array([1e100, 1.0]), 1, [5.0, 6.0], steps=constant(1e60))
    assert fit.w.tolist() == [5, 6]


def test_a_matrix_of_sizes_is_refused():
    with pytest.raises(
        ValueError, match=r"eta must be a number or a vector; got \[\[1\]\]"
    ):
        constant([[1]])


def test_the_first_size_counts():
    with pytest.raises(ValueError, match=r"steps\(1\) must be at least"):
        sgd(lambda w, i: w, 3, [1.0], steps=lambda t: t - 1.0)


def test_an_objective_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match=r"f\(w0\) must be a finite number"):
        sgd(lambda w, i: w, 3, [1.0], steps=constant(0.1), f=lambda w: w)
