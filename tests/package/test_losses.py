"""The losses: by hand, against exact arithmetic and by differences."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from mlcore.losses import (
    exponential,
    hinge,
    logistic,
    perceptron,
    squared,
    squared_hinge,
    zero_one,
)

ALL = [zero_one, perceptron, hinge, squared_hinge, logistic, exponential, squared]
Z = [-2, -0.5, 0, 0.25, 1, 3]
MARGINS = np.append(np.random.default_rng(0).uniform(-30, 30, 60), Z)


def each(chosen):
    return pytest.mark.parametrize("loss", chosen, ids=lambda loss: loss.name)


class TestByHand:
    def test_values(self):
        assert zero_one.value(Z).tolist() == [1, 1, 1, 0, 0, 0]
        assert perceptron.value(Z).tolist() == [2, 0.5, 0, 0, 0, 0]
        assert hinge.value(Z).tolist() == [3, 1.5, 1, 0.75, 0, 0]
        assert squared_hinge.value(Z).tolist() == [9, 2.25, 1, 0.5625, 0, 0]
        assert squared.value(Z).tolist() == [9, 2.25, 1, 0.5625, 0, 4]
        np.testing.assert_allclose(exponential.value(Z), np.exp(-np.array(Z)))
        assert logistic.value([0.0, 3.0]) == pytest.approx([np.log(2), np.log1p(np.e**-3)])

    def test_slopes_and_the_choice_at_each_kink(self):
        assert perceptron.slope(Z).tolist() == [-1, -1, -1, 0, 0, 0]
        assert hinge.slope(Z).tolist() == [-1, -1, -1, -1, 0, 0]
        assert squared_hinge.slope(Z).tolist() == [-6, -3, -2, -1.5, 0, 0]
        assert squared.slope(Z).tolist() == [-6, -3, -2, -1.5, 0, 4]
        assert logistic.slope(0.0) == -0.5
        assert exponential.slope(0.0) == -1.0

    def test_curvatures(self):
        assert squared_hinge.curvature(Z).tolist() == [2, 2, 2, 2, 0, 0]
        assert squared.curvature(Z).tolist() == [2] * 6
        assert exponential.curvature(0.0) == 1.0
        assert logistic.curvature(0.0) == 0.25

    @each([zero_one, perceptron, hinge])
    def test_what_is_undefined_is_refused(self, loss):
        with pytest.raises(ValueError, match=f"the {loss.name} loss has no curvature"):
            loss.curvature(2.0)
        with pytest.raises(ValueError, match="the zero_one loss has no slope"):
            zero_one.slope(2.0)


class TestBounds:
    @each(ALL)
    def test_an_upper_bound_bounds_and_the_others_do_not(self, loss):
        z = np.append(MARGINS, [1e-300, -1e-300, -600, 600])
        assert (loss.value(z) >= zero_one.value(z)).all() == loss.bounds_zero_one


class TestCalculus:
    @each([squared_hinge, logistic, exponential, squared])
    def test_derivatives_are_limits_of_differences(self, loss):
        z, h = np.array([-3.3, -0.4, 0.6, 1.7, 4.0]), 1e-5  # away from kinks
        for order, found in enumerate([loss.slope(z), loss.curvature(z)]):
            method = loss.slope if order else loss.value
            differences = (method(z + h) - method(z - h)) / (2 * h)
            np.testing.assert_allclose(found, differences, rtol=1e-8, atol=1e-9)

    @pytest.mark.parametrize("z", [-800, -40, -1e-20, 0.3, 36, 709, 800])
    def test_logistic_is_right_to_the_last_digits(self, z):
        with localcontext(prec=1000):
            e = Decimal(z).exp()
            value, share = (1 + 1 / e).ln(), 1 / (1 + e)
            exact = [float(t) for t in (value, -share, share * (1 - share))]
        found = logistic.value(z), logistic.slope(z), logistic.curvature(z)
        assert found == pytest.approx(exact, rel=2e-15, abs=5e-324)

    def test_where_the_exponential_leaves_the_floating_point_numbers(self):
        edge = -709.782712893384
        for method in exponential.value, exponential.slope, exponential.curvature:
            assert abs(method(edge)) > 1.7e308
            with pytest.raises(ValueError, match=r"z must be at least -709.783; got"):
                method([0.0, np.nextafter(edge, -np.inf)])
        assert exponential.value(800.0) == 0.0


@each(ALL)
@pytest.mark.parametrize("shape", [(), (1,), (2, 3)], ids=str)
def test_any_shape_comes_back(loss, shape):
    z = np.linspace(-1, 2, int(np.prod(shape))).reshape(shape)
    for method in [loss.value, loss.slope, loss.curvature][: len(loss.derivatives)]:
        result = method(z)
        assert np.shape(result) == shape
        assert isinstance(result, np.ndarray if shape else float)
        assert np.ravel(result) == pytest.approx([method(float(t)) for t in z.flat])
