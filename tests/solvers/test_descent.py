"""Newton's steps, and their direction where the Hessian is no help, too."""

import numpy as np
import pytest

from mlcore.arrays import LARGEST
from mlcore.solvers.descent import (
    check_functions,
    check_shape,
    halved,
    newton_direction,
    newton_steps,
    tame,
)


def test_what_is_no_function_or_has_another_shape_is_refused():
    check_functions(f=abs)
    check_shape("g", np.ones(2), (3,), (2,))
    with pytest.raises(ValueError, match="f must be a function; got 3"):
        check_functions(f=3)
    with pytest.raises(ValueError, match=r"g must have shape \(3,\) or \(1,\)"):
        check_shape("g", np.ones(2), (3,), (1,))


def halving(unit=1.0, **options):
    """w**2 from 4 units with twice its Hessian: w halves at each step, the gap is w**2 / 2.

    Returns the descent and at which w a Hessian was asked for.
    """
    asked = []

    def hessian(w):
        asked.append(w[0])
        return np.array([[4.0]])

    options = {"tol": 0.5 * unit**2, "max_steps": 9} | options
    start = np.array([4.0 * unit])
    return newton_steps(lambda w: w @ w, lambda w: 2 * w, hessian, start, **options), asked


def test_a_gap_of_tol_will_do():
    found, asked = halving()
    assert found.path.tolist() == [[4.0], [2.0], [1.0]]
    assert found.values.tolist() == [16.0, 4.0, 1.0]
    assert found.converged
    assert asked == [4.0, 2.0, 1.0]  # a new Hessian each step
    assert not halving(near=lambda H, p: False)[0].converged
    found = halving(max_steps=1)[0]
    assert (found.path.tolist(), found.converged) == ([[4.0], [2.0]], False)


def test_a_hessian_serves_again_while_it_leaves_at_most_this_share_of_the_gap():
    # The last one is that of the end, which judges it.
    for keep, expected in (0.25, [4.0, 1.0]), (0.24, [4.0, 2.0, 1.0]):
        for unit in 1.0, 2.0**-20:
            found, asked = halving(unit, keep=keep)
            assert (found.path / unit).tolist() == [[4.0], [2.0], [1.0]]
            assert [w / unit for w in asked] == expected


def test_where_no_step_leads_down_nothing_has_converged():
    found = newton_steps(
        lambda w: w @ w,
        lambda w: -2 * w,  # the wrong sign
        lambda w: np.eye(1),
        np.ones(1),
        tol=1e-9,
        max_steps=9,
    )
    assert (found.path.tolist(), found.values.tolist()) == ([[1.0]], [1.0])
    assert not found.converged


def test_a_step_is_halved_until_f_is_lower_but_for_rounding():
    w, p, eps = np.array([3.0]), np.array([2.0]), np.finfo(float).eps
    for value, lower, accepted in [
        (0.0, 0.0, True),
        (1e10, 1e10 * (1 + 3 * eps), True),
        (1e10, 1e10 * (1 + 9 * eps), False),
        (1e-10, 1e-10 * (1 + 9 * eps), False),
    ]:
        new, found = halved(lambda w, lower=lower: lower, w, p, 0.0, value)
        assert (new.tolist(), found == lower) == ([1.0] if accepted else [3.0], accepted)
    for rise in 1e-5, -1e-5:  # the slope promises 1, and a ten-thousandth of it will do
        assert np.isnan(halved(lambda w, rise=rise: 5 + rise, w, p, 1.0, 5.0)[1]) == (
            rise > 0
        )
    assert halved(lambda w: (w[0] - 2.5) ** 2, w, p, 1.0, 0.25)[0].tolist() == [2.5]


def test_numbers_up_to_the_largest_are_tame():
    w = np.array([-LARGEST, 0.0])
    assert tame(-LARGEST, w)
    assert not tame(2 * LARGEST, w)
    assert not tame(0.0, 2 * w)
    assert not tame(np.nan, w)


@pytest.mark.parametrize("seed", range(20))
def test_the_direction_whatever_the_units(seed):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(5, 5))
    unit = 10 ** rng.uniform(-60, 60, size=5)
    H, p = A @ A.T + np.eye(5), rng.normal(size=5)
    found = newton_direction(unit[:, None] * H * unit, unit * (H @ p))
    np.testing.assert_allclose(found, p / unit, rtol=1e-10)


def test_the_direction_never_points_uphill():
    g = np.array([1.0, 2.0])
    p = newton_direction(np.diag([-2.0, 4.0]), g)
    np.testing.assert_allclose(p, [0.5, 0.5], rtol=1e-14)
    p = newton_direction(np.diag([-1e-20, 4.0]), np.array([1e-10, 2.0]))  # other units
    np.testing.assert_allclose(p, [1e10, 0.5], rtol=1e-14)
    assert newton_direction(np.zeros((2, 2)), g).tolist() == [0, 0]
    assert np.isnan(newton_direction(np.diag([np.nan, 1.0]), g)).all()


def test_the_absolute_values_of_the_eigenvalues_by_hand():
    H = np.array([[0.0, 1.0], [1.0, 1.0]])  # |H| = (H**2 + 1) / sqrt(5)
    p = newton_direction(H, np.array([1.0, 2.0]))
    np.testing.assert_allclose(p, np.array([1.0, 3.0]) / np.sqrt(5), rtol=1e-14)


def test_an_eigenvalue_that_may_be_rounding_counts_as_zero():
    """One is 50, the others t: 50 sums of numbers up to 50 are rounded."""
    limit = 50 * 50 * np.finfo(float).eps
    for t, counts in (limit / 5, False), (5 * limit, True):
        H = -(1 - t) * np.ones((50, 50)) - t * np.eye(50)
        p = newton_direction(H, np.eye(50)[0])
        assert (np.abs(p).max() > 1) == counts


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_number_that_is_not_finite_makes_the_direction_nan(bad):
    for H, g in (np.diag([bad, 1.0]), np.ones(2)), (np.eye(2), np.array([bad, 1.0])):
        with np.errstate(invalid="ignore"):
            assert np.isnan(newton_direction(H, g)).all()
