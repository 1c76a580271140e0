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
