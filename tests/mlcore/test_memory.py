"""An algorithm uses at most three times the memory of X."""

import tracemalloc

import numpy as np
import pytest

from mlcore.boosting import adaboost
from mlcore.generative import lda
from mlcore.lasso import fista
from mlcore.logistic import logistic, softmax_regression
from mlcore.neighbors import knn
from mlcore.svm import hard_margin, soft_margin

FITS = {
    "soft_margin": lambda X, y: soft_margin(X, y, lambda_=1e-3),
    "hard_margin": hard_margin,
    "lda": lda,
    "knn": lambda X, y: knn(X, y, X[:1000]),
    "adaboost": lambda X, y: adaboost(X, y, rounds=2),
    "logistic": lambda X, y: logistic(X.T, X[0] > 0, lambda_=1.0),
    "softmax": lambda X, y: softmax_regression(X.T, X[0] > 0, lambda_=1.0),
    "fista": lambda X, y: fista(X.T, X[0], lambda_=1.0, max_steps=3),
}


@pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
def test_memory_is_at_most_three_copies_of_X(fit):
    X = np.random.default_rng(0).normal(size=(10_000, 50))
    y = np.where(X[:, 0] + X[:, 1] > 0, 1.0, -1.0)
    X += 0.5 * y[:, None]
    fit(X[:100], y[:100])  # do not count imports
    tracemalloc.start()
    fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 3.1 * X.nbytes
