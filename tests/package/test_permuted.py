"""The order of examples and of features is nobody's choice: it changes no answer."""

from functools import partial

import numpy as np
import pytest

from mlcore.generative import lda
from mlcore.l1_svm import l1_svm
from mlcore.lasso import lasso
from mlcore.least_squares import least_squares, ridge
from mlcore.logistic import logistic
from mlcore.separation import max_margin
from mlcore.svm import hard_margin, soft_margin

# Each has one best hyperplane on data without ties.
FITS = [
    least_squares,
    ridge,
    lasso,
    lda,
    partial(logistic, lambda_=0.1),
    soft_margin,
    l1_svm,
]
APART = [max_margin, hard_margin]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("fit", FITS + APART, ids=lambda f: getattr(f, "func", f).__name__)
def test_examples_and_features_in_another_order_have_the_same_scores(fit, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 5)), rng.choice([-1.0, 1.0], size=40)
    if fit in APART:
        X[:, 0] += 6 * y
    rows, columns = rng.permutation(40), rng.permutation(5)
    again = fit(X[rows][:, columns], y[rows]).decision_function(X[:, columns])
    # an objective that is 1e-12 above its minimum has scores that are 1e-6 off
    np.testing.assert_allclose(again, fit(X, y).decision_function(X), atol=1e-5)
