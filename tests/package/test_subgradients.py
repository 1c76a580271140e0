"""Subgradient methods at ties and near overflow."""

import numpy as np
import pytest

from mlcore.svm import objective, pegasos, subgradient_descent


def test_where_steps_only_go_up_the_start_is_returned():
    # x = 1 (-), 2 (+): w = 1 after the step, and J = 1 + 1/4
    fit = subgradient_descent([[1.0], [2.0]], [-1, 1], lambda_=0.5, steps=1)
    assert fit.values.tolist() == [1, 1.25]
    assert (fit.w.tolist(), fit.b) == ([0], 0)


def test_of_points_that_are_as_good_the_first_is_returned():
    # w = 1 after the step, z = 2, and J = |w|**2
    fit = subgradient_descent([[2.0]], [1], lambda_=2.0, steps=1, bias=False)
    assert fit.values.tolist() == [1, 1]
    assert fit.w.tolist() == [0]


def test_pegasos_draws_from_seed_0_if_none_is_given():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 2)), np.resize([1.0, -1.0], 20)
    assert np.array_equal(pegasos(X, y).w, pegasos(X, y, rng=0).w)


@pytest.mark.parametrize("X", [[[1e100]], [[1e100], [0.0]]])
def test_scores_that_may_overflow_are_refused(X):
    with pytest.raises(ValueError, match=r"max \|X\| \* sum \|w\| must be at most 1e\+150"):
        objective(X, np.ones(len(X)), [1e60], 0.0, lambda_=1e-100)


def test_steps_that_may_overflow_are_refused():
    with pytest.raises(ValueError, match=r"lambda_ must be at most 1e\+150; got 1e\+152"):
        pegasos([[10.0]], [1], lambda_=1e-150)
