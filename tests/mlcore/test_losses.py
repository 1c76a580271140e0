"""Losses against values computed by hand, the 0-1 loss, and high precision."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from mlcore import losses

Z = np.array([-2, -0.5, 0, 0.25, 1, 3])
E = np.exp(-Z)
ONES, HINGE = np.ones(6), np.array([3, 1.5, 1, 0.75, 0, 0])
BY_HAND = {  # values, slopes and curvatures at Z
    losses.zero_one: ([1, 1, 1, 0, 0, 0],),
    losses.perceptron: ([2, 0.5, 0, 0, 0, 0], [-1, -1, -1, 0, 0, 0]),
    losses.hinge: (HINGE, [-1, -1, -1, -1, 0, 0]),
    losses.squared_hinge: (HINGE**2, -2 * HINGE, 2 * (Z < 1)),
    losses.squared: ((1 - Z) ** 2, 2 * (Z - 1), 2 * ONES),
    losses.exponential: (E, -E, E),
    losses.logistic: (np.log(1 + E), -E / (1 + E), E / (1 + E) ** 2),
}
every_loss = pytest.mark.parametrize("loss", BY_HAND, ids=lambda loss: loss.name)


@every_loss
def test_value_slope_curvature_by_hand(loss):
    methods = loss.value, loss.slope, loss.curvature
    for method, expected in zip(methods, BY_HAND[loss], strict=False):
        np.testing.assert_allclose(method(Z.reshape(2, 3)), np.reshape(expected, (2, 3)))
        number = method(0.25)
        assert isinstance(number, float) and number == pytest.approx(expected[3])
    for name in ("slope", "curvature")[len(BY_HAND[loss]) - 1 :]:
        with pytest.raises(ValueError, match=f"the {loss.name} loss has no {name}"):
            getattr(loss, name)(2.0)


@every_loss
def test_bounds_zero_one_is_correct(loss):
    z = np.append(np.linspace(-30, 30, 99), [*Z, 1e-300, -1e-300, -600, 600])
    assert (loss.value(z) >= losses.zero_one.value(z)).all() == loss.bounds_zero_one


@pytest.mark.parametrize("z", [-800, -40, -1e-20, 0.3, 36, 709, 800])
def test_logistic_is_accurate_to_last_digits(z):
    with localcontext(prec=1000):
        e = Decimal(z).exp()
        value, p = (1 + 1 / e).ln(), 1 / (1 + e)
        exact = [float(t) for t in (value, -p, p * (1 - p))]
    loss = losses.logistic
    found = loss.value(z), loss.slope(z), loss.curvature(z)
    assert found == pytest.approx(exact, rel=2e-15, abs=5e-324)


def test_exponential_raises_where_it_would_overflow():
    lowest, loss = -709.782712893384, losses.exponential
    for method in loss.value, loss.slope, loss.curvature:
        assert abs(method(lowest)) > 1.7e308
        with pytest.raises(ValueError, match=r"z must be at least -709.783; got"):
            method([0.0, np.nextafter(lowest, -np.inf)])
    assert loss.value(800.0) == 0.0
