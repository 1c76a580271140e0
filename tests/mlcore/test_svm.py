"""Support vector machines: by hand and by duality."""

import numpy as np
import pytest

from mlcore.data import overlapping
from mlcore.scalings import FORMS, constant_of
from mlcore.svm import pegasos, soft_margin, subgradient_descent

FIVE = np.array([[0.0], [1.5], [3.0], [-1.0], [7.0]]), np.array([1, -1, 1, -1, 1])


class TestByHand:
    def test_subgradient_descent(self):
        # x = 1 (-), 2 (+); after step 1 the second has z = 1 and is no hit
        fit = subgradient_descent([[1.0], [2.0]], [-1, 1], lambda_=1.0, steps=3)
        np.testing.assert_allclose(fit.values, [1, 7 / 8, 1, 67 / 72], rtol=1e-12)
        assert (fit.w.tolist(), fit.b) == ([0.5], 0.0)

    def test_constants_of_others(self):
        values = [constant_of(form, lambda_=0.1, n=20) for form in FORMS]
        assert values == pytest.approx([0.5, 0.5, 0.1])
        assert constant_of("SVC", lambda_=0.1, n=10**9) == pytest.approx(1e-8)
        with pytest.raises(ValueError, match="n must be at most"):
            constant_of("SVC", lambda_=0.1, n=2**53 + 1)


class TestSoftMargin:
    @pytest.mark.parametrize("seed", range(20))
    def test_the_duals_are_zero_or_c_off_the_margin(self, seed):
        data, unit = overlapping(50, 3, separation=1.0, rng=seed), 10.0 ** (seed % 5 - 2)
        X, y, lambda_ = unit * (data.X + 3), data.y, 10.0 ** (seed % 4 - 3) * unit**2
        for bias in True, False:
            fit = soft_margin(X, y, lambda_=lambda_, bias=bias)
            z = y * fit.decision_function(X)
            assert np.all(fit.a[z > 1 + 1e-4] == 0)
            assert np.all(fit.a[z < 1 - 1e-4] == fit.C)

    def test_of_many_biases_it_is_the_middle(self):
        """w = 0.5; z <= 1 at -1 and 1 gives |b| <= 0.5, and z >= 1 at 2.4 b >= -0.2."""
        fit = soft_margin([[-1.0], [1.0], [2.4]], [-1, 1, 1], lambda_=4 / 3)
        np.testing.assert_allclose(fit.a, [0.25, 0.25, 0])
        assert fit.w == pytest.approx([0.5])
        assert fit.b == pytest.approx(0.15, abs=1e-9)


class TestSubgradients:
    def test_of_points_that_are_as_good_the_first_is_returned(self):
        # x = 1 (-), 2 (+): w = 1 after the step, and J = 1 + 1/4
        fit = subgradient_descent([[1.0], [2.0]], [-1, 1], lambda_=0.5, steps=1)
        assert (fit.values.tolist(), fit.w.tolist(), fit.b) == ([1, 1.25], [0], 0)
        # w = 1 after the step, z = 2, and J = |w|**2
        fit = subgradient_descent([[2.0]], [1], lambda_=2.0, steps=1, bias=False)
        assert (fit.values.tolist(), fit.w.tolist()) == ([1, 1], [0])

    def test_an_example_at_the_margin_is_no_hit(self):
        # x = 1 (+) twice, lambda = 1: w = 1 after a step, where z = 1; then w / 2
        fit = pegasos(
            [[1.0], [1.0]], [1, 1], lambda_=1.0, epochs=1, bias=False, average=False
        )
        assert fit.w.tolist() == [0.5]

    def test_pegasos_draws_from_seed_0_if_none_is_given(self):
        assert np.array_equal(pegasos(*FIVE).w, pegasos(*FIVE, rng=0).w)
