"""The direction of a Newton step, where the Hessian is no help, too."""

import numpy as np
import pytest

from mlcore.solvers.descent import newton_direction


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
