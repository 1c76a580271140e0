"""The 1-norm machine: at its limits, and its path."""

import numpy as np
import pytest

from mlcore.l1_svm import l1_svm


class TestL1Svm:
    @pytest.mark.parametrize("sign", [1, -1])
    def test_one_class_needs_only_the_bias(self, sign):
        fit = l1_svm(np.arange(300.0)[:, None], np.full(300, sign), C=1.0)
        assert fit.converged
        assert fit.w.tolist() == [0.0]
        assert sign * fit.b >= 1

    def test_constant_features_weigh_nothing(self):
        X, y = [[3.0], [3.0], [3.0]], [1, -1, 1]
        fit = l1_svm(X, y, C=0.5)
        assert (fit.w.tolist(), np.signbit(fit.w[0])) == ([0.0], False)
        assert fit.b == pytest.approx(1.0)

    def test_a_loss_that_is_too_heavy_is_refused(self):
        X, y = [[1.0, 0.0], [0.0, 3.0], [2.0, 2.0]], [1.0, -1.0, 1.0]
        for C in 1e10, 7e8:
            with pytest.raises(ValueError, match=r"C . max .X - mean. must be at most"):
                l1_svm(X, y, C=C)
