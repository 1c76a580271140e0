"""Newton's steps, and their direction where the Hessian is no help, too."""

import numpy as np
import pytest

from mlcore.solvers.descent import (
    check_functions,
    check_shape,
    newton_direction,
    newton_steps,
)


def test_what_is_no_function_or_has_another_shape_is_refused():
    check_functions(f=abs)
    check_shape("g", np.ones(2), (3,), (2,))
    with pytest.raises(ValueError, match="f must be a function; got 3"):
        check_functions(f=3)
    with pytest.raises(ValueError, match=r"g must have shape \(3,\) or \(1,\)"):
        check_shape("g", np.ones(2), (3,), (1,))


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
    np.testing.assert_allclose(p, [0.5, 0.5], rtol=1e-12)
    p = newton_direction(np.diag([-1e-20, 4.0]), np.array([1e-10, 2.0]))  # other units
    np.testing.assert_allclose(p, [1e10, 0.5], rtol=1e-12)
    assert newton_direction(np.zeros((2, 2)), g).tolist() == [0, 0]
    assert np.isnan(newton_direction(np.diag([np.nan, 1.0]), g)).all()


def test_the_absolute_values_of_the_eigenvalues_by_hand():
    H = np.array([[0.0, 1.0], [1.0, 1.0]])  # |H| = (H**2 + 1) / sqrt(5)
    p = newton_direction(H, np.array([1.0, 2.0]))
    np.testing.assert_allclose(p, np.array([1.0, 3.0]) / np.sqrt(5), rtol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_number_that_is_not_finite_makes_the_direction_nan(bad):
    for H, g in (np.diag([bad, 1.0]), np.ones(2)), (np.eye(2), np.array([bad, 1.0])):
        with np.errstate(invalid="ignore"):
            assert np.isnan(newton_direction(H, g)).all()
