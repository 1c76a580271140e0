"""The penalty |w|_1: its step by hand, and bounds that are exact by hand."""

import numpy as np
import pytest

from mlcore.solvers.l1_penalty import duality_gap, projected_gap, soft_threshold


def test_each_number_moves_towards_zero():
    v = np.array([-3.0, -1.0, -0.5, 0.0, 0.5, 2.0])
    assert soft_threshold(v, 1.0).tolist() == [-2, 0, 0, 0, 0, 1]
    assert soft_threshold(v, np.arange(6.0)).tolist() == [-3, 0, 0, 0, 0, 0]


def gap_of(Z, y, v, lambda_):
    r = y - Z @ v
    return duality_gap(y, r, Z.T @ r, (lambda_, np.abs(v).sum()))


@pytest.mark.parametrize("unit", [1.0, 1e-20, 1e20])
def test_the_gap_of_one_feature_is_the_distance_to_the_minimum(unit):
    """(3 - w)**2 + 2 |w| has its minimum 5 at 2; another feature is 0 there."""
    Z, y = np.eye(2), np.array([3.0, 0.0])
    for w in 0.0, 0.5, 1.0, 2.0:
        above = (3 - w) ** 2 + 2 * w - 5
        found = gap_of(Z, y * unit, np.array([w, 0.0]) * unit, 2 * unit)
        assert found == pytest.approx(above / 9, abs=1e-13)
    # beyond 2 the residual is feasible as it is: a bound, 2 * 2.5 - 2 * 0.5 * 2.5
    assert gap_of(Z, y, np.array([2.5, 0.0]), 2.0) == pytest.approx(2.5 / 9)


def test_nothing_to_fit_leaves_no_gap():
    assert gap_of(np.eye(2), np.zeros(2), np.zeros(2), 0.0) == 0.0


def projected(Z, y, v, lambda_):
    return projected_gap(Z, y, y - Z @ v, v, lambda_)


def test_the_other_gap_is_exact_with_the_signs_of_the_minimum():
    """At right angles each weight falls short by lambda / 2 over its square."""
    Z = np.diag([2.0, 4.0, 1.0, 0.0])
    y, lambda_ = np.array([3.0, -5.0, 0.1, 7.0]), 0.4
    least = np.array([(6 - 0.2) / 4, -(20 - 0.2) / 16, 0.0, 0.0])
    assert projected(Z, y, least, lambda_) == pytest.approx(0.0, abs=1e-13)
    off = np.array([0.01, -0.02, 0.0, 0.0])
    above = 4 * 0.01**2 + 16 * 0.02**2
    assert projected(Z, y, least + off, lambda_) == pytest.approx(above / (y @ y))


def test_copies_with_opposite_signs_are_charged_in_full():
    """No product is lambda / 2 and its opposite; 0 is nearest to both, with e = 0.0025."""
    x, y, lambda_ = np.array([1.0, -1.0, 1.0, -1.0]), np.array([1.0, -2.0, 3.0, -4.0]), 0.01
    Z, best = np.column_stack([x, x]), (10 - lambda_ / 2) / 4
    for w in np.array([best + 0.5, -0.5]), np.array([-0.5, best + 0.5]):
        above = lambda_ * (best + 1) + 0.0025**2
        assert projected(Z, y, w, lambda_) == pytest.approx(above / (y @ y))
    assert projected(Z, y, np.array([best, 0.0]), lambda_) == pytest.approx(0, abs=1e-13)


def test_a_feature_left_out_is_no_proof():
    Z, y = np.eye(2), np.array([3.0, -3.0])
    assert projected(Z, y, np.array([3.0, 0.0]), 1e-12) == np.inf
