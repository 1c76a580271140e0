"""The losses: by hand, against exact arithmetic, SymPy and scikit-learn."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from mlcore import losses
from mlcore.losses import (
    Loss,
    exponential,
    hinge,
    logistic,
    perceptron,
    squared,
    squared_hinge,
    zero_one,
)

ALL = [zero_one, perceptron, hinge, squared_hinge, logistic, exponential, squared]
CONVEX = ALL[1:]
CURVED = [squared_hinge, logistic, exponential, squared]
by_name = pytest.mark.parametrize("loss", ALL, ids=lambda loss: loss.name)
margins = st.floats(-600, 600)
repeatable = settings(derandomize=True, deadline=None)


class TestByHand:
    @pytest.mark.parametrize(
        ("loss", "values"),
        [
            (zero_one, [1, 1, 1, 0, 0, 0]),
            (perceptron, [2, 0.5, 0, 0, 0, 0]),
            (hinge, [3, 1.5, 1, 0.75, 0, 0]),
            (squared_hinge, [9, 2.25, 1, 0.5625, 0, 0]),
            (squared, [9, 2.25, 1, 0.5625, 0, 4]),
        ],
        ids=lambda value: getattr(value, "name", ""),
    )
    def test_values(self, loss, values):
        assert loss.value([-2, -0.5, 0, 0.25, 1, 3]).tolist() == values

    @pytest.mark.parametrize(
        ("loss", "slopes"),
        [
            (perceptron, [-1, -1, -1, 0, 0, 0]),
            (hinge, [-1, -1, -1, -1, 0, 0]),
            (squared_hinge, [-6, -3, -2, -1.5, 0, 0]),
            (squared, [-6, -3, -2, -1.5, 0, 4]),
        ],
        ids=lambda value: getattr(value, "name", ""),
    )
    def test_slopes_and_the_choice_at_each_kink(self, loss, slopes):
        assert loss.slope([-2, -0.5, 0, 0.25, 1, 3]).tolist() == slopes

    def test_logistic_near_the_boundary(self):
        values = logistic.value([0.0, 0.5, 1.0, 3.0])
        assert values.round(3).tolist() == [0.693, 0.474, 0.313, 0.049]
        assert logistic.slope(0.0) == -0.5
        assert logistic.curvature(0.0) == 0.25

    def test_curvatures(self):
        assert squared_hinge.curvature([-2, 0.5, 1, 3]).tolist() == [2, 2, 0, 0]
        assert squared.curvature([-2, 0.5, 1, 3]).tolist() == [2, 2, 2, 2]
        assert exponential.curvature(0.0) == 1.0

    def test_names_are_those_of_the_module(self):
        found = {k for k, v in vars(losses).items() if isinstance(v, Loss)}
        assert found == {loss.name for loss in ALL}
        assert all(getattr(losses, loss.name) is loss for loss in ALL)

    def test_it_shows_what_it_is_and_no_functions(self):
        assert repr(hinge) == "Loss(name='hinge', bounds_zero_one=True, lowest=-inf)"

    @pytest.mark.parametrize("loss", [zero_one, perceptron, hinge])
    def test_what_is_undefined_is_refused(self, loss):
        with pytest.raises(ValueError, match=f"the {loss.name} loss has no curvature"):
            loss.curvature(2.0)
        with pytest.raises(ValueError, match="the zero_one loss has no slope"):
            zero_one.slope(2.0)


class TestBounds:
    def test_which_ones_bound(self):
        others = {loss.name for loss in ALL if not loss.bounds_zero_one}
        assert others == {"perceptron", "logistic"}

    @by_name
    @repeatable
    @given(z=st.one_of(margins, st.sampled_from([0.0, -0.0, 1e-300, -1e-300])))
    def test_an_upper_bound_bounds(self, loss, z):
        if loss.bounds_zero_one:
            assert loss.value(z) >= zero_one.value(z)

    @pytest.mark.parametrize(("loss", "z"), [(perceptron, 0.0), (logistic, -0.5)])
    def test_the_others_do_not(self, loss, z):
        assert not loss.bounds_zero_one
        assert loss.value(z) < zero_one.value(z)

    def test_where_the_logistic_loss_is_below_one(self):
        edge = -np.log(np.e - 1)
        assert logistic.value(edge) == pytest.approx(1.0, rel=1e-14)
        assert logistic.value(edge + 1e-6) < 1 < logistic.value(edge - 1e-6)

    @repeatable
    @given(z=margins)
    def test_to_base_two_it_is_a_bound(self, z):
        assert logistic.value(z) / np.log(2) >= zero_one.value(z)


class TestCalculus:
    @pytest.mark.parametrize("loss", CONVEX, ids=lambda loss: loss.name)
    @repeatable
    @given(z=st.floats(-30, 30), u=st.floats(-30, 30))
    def test_the_slope_is_a_subgradient(self, loss, z, u):
        line = loss.value(z) + loss.slope(z) * (u - z)
        assert loss.value(u) >= line - 1e-13 * (1 + abs(line) + loss.value(z))

    @pytest.mark.parametrize("loss", CURVED, ids=lambda loss: loss.name)
    def test_derivatives_in_sympy(self, loss):
        """SymPy differentiates the printed formula, right of and left of a kink."""
        z = sp.Symbol("z", real=True)
        formula = {
            "squared_hinge": sp.Piecewise(((1 - z) ** 2, z < 1), (0, True)),
            "logistic": sp.log(1 + sp.exp(-z)),
            "exponential": sp.exp(-z),
            "squared": (1 - z) ** 2,
        }[loss.name]
        for at in [-20.0, -1.5, 0.0, 0.75, 1.25, 20.0]:
            for order, method in enumerate([loss.value, loss.slope, loss.curvature]):
                exact = sp.diff(formula, z, order).subs(z, sp.Rational(at)).evalf(30)
                assert method(at) == pytest.approx(float(exact), rel=2e-15, abs=0)

    @pytest.mark.parametrize("loss", CONVEX, ids=lambda loss: loss.name)
    def test_slopes_by_differences_away_from_kinks(self, loss):
        z = np.array([-3.3, -0.4, 0.6, 1.7, 4.0])
        differences = (loss.value(z + 1e-5) - loss.value(z - 1e-5)) / 2e-5
        np.testing.assert_allclose(loss.slope(z), differences, rtol=1e-8, atol=1e-10)


class TestExtremes:
    @pytest.mark.parametrize("z", [-800, -745, -709.5, -40, -1e-20, 0.3, 36, 709, 800])
    def test_logistic_to_the_last_digits(self, z):
        with localcontext(prec=1000):
            e = Decimal(z).exp()
            value, share = (1 + 1 / e).ln(), 1 / (1 + e)
            exact = [float(t) for t in (value, -share, share * (1 - share))]
        found = logistic.value(z), logistic.slope(z), logistic.curvature(z)
        assert found == pytest.approx(exact, rel=2e-15, abs=5e-324)

    @by_name
    def test_large_margins(self, loss):
        z = np.array([800.0, 1e150, -709.0, -709.0])
        if loss is not exponential:
            z[2:] = -800.0, -1e150
        for method in [loss.value, loss.slope, loss.curvature][: len(loss.derivatives)]:
            assert np.isfinite(method(z)).all()

    def test_where_the_exponential_leaves_the_floating_point_numbers(self):
        edge = -709.782712893384
        for method in exponential.value, exponential.slope, exponential.curvature:
            assert np.isfinite(method(edge))
            assert abs(method(edge)) > 1.7e308
            with pytest.raises(ValueError, match=r"z must be at least -709.783; got"):
                method([0.0, np.nextafter(edge, -np.inf)])
        assert exponential.value(800.0) == 0.0


class TestScikitLearn:
    """Its loss functions take a score; for y = +1 the score is the margin."""

    @pytest.mark.parametrize("z", [-12.0, -0.3, 0.0, 0.5, 3.0])
    def test_same_values(self, z):
        from sklearn.metrics import hinge_loss, log_loss

        y, score = [1, -1], np.array([z, -z])
        assert hinge.value(z) == pytest.approx(hinge_loss(y, score), rel=1e-14)
        p = 1 / (1 + np.exp(-score))
        assert logistic.value(z) == pytest.approx(log_loss(y, p), rel=1e-9)


class TestShapes:
    @by_name
    @pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (2, 1, 3)], ids=str)
    def test_any_shape(self, loss, shape):
        z = np.linspace(-1, 2, int(np.prod(shape))).reshape(shape)
        before = z.copy()
        for method in [loss.value, loss.slope, loss.curvature][: len(loss.derivatives)]:
            result = method(z)
            assert np.shape(result) == shape
            assert isinstance(result, np.ndarray if shape else float)
            assert result.dtype == np.float64
            alone = [method(float(t)) for t in z.flat]
            assert np.ravel(result).tolist() == alone
        assert np.array_equal(z, before)

    @by_name
    @pytest.mark.parametrize("z", [np.nan, [0, np.inf], "1", [None], [1j]], ids=str)
    def test_bad_input(self, loss, z):
        with pytest.raises(ValueError, match="z must be"):
            loss.value(z)
