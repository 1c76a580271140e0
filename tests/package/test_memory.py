"""Beside X an algorithm takes at most three copies of it, and Ctrl-C ends it soon."""

import signal
import time
import tracemalloc

import numpy as np
import pytest

from mlcore.boosting import adaboost
from mlcore.generative import lda
from mlcore.l1_svm import l1_svm
from mlcore.lasso import fista, lasso_path
from mlcore.neighbors import knn
from mlcore.perceptron import perceptron
from mlcore.separation import max_margin
from mlcore.svm import pegasos, soft_margin

FITS = {
    "soft_margin": lambda X, y: soft_margin(X, y, lambda_=1e-3),
    "max_margin": max_margin,
    "lda": lda,
    "knn": lambda X, y: knn(X, y, X[:1000]),
    "adaboost": lambda X, y: adaboost(X, y, rounds=2),
    "fista": lambda X, y: fista(X.T, X[0], lambda_=1.0, max_steps=3),
}
SOON = 20  # seconds: a linear program of l1_svm is not interrupted
LONG = {  # each takes seconds to hours
    "adaboost": lambda X, y: adaboost(X, y, rounds=10**6),
    "knn": lambda X, y: knn(X[:50_000], y[:50_000], X, k=50),
    "l1_svm": l1_svm,
    "lasso_path": lambda X, y: lasso_path(X.reshape(2000, 3000), y[:2000]),
    "pegasos": lambda X, y: pegasos(X, y, lambda_=1e-3, epochs=10**6),
    "perceptron": lambda X, y: perceptron(X, y, max_epochs=10**6),
    "soft_margin": lambda X, y: soft_margin(X, y, lambda_=1e-6),
}


@pytest.mark.parametrize("fit", FITS.values(), ids=FITS)
def test_at_most_three_copies(fit):
    X = np.random.default_rng(0).normal(size=(20_000, 50))
    y = np.where(X[:, 0] + X[:, 1] > 0, 1.0, -1.0)
    X += 0.5 * y[:, None]
    fit(X[:100], y[:100])  # what is imported on the first call is not counted
    tracemalloc.start()
    fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 3.1 * X.nbytes


class Interrupted(BaseException):
    """What Ctrl-C raises, under a name that pytest does not take for its own."""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such alarm here")
@pytest.mark.parametrize("fit", LONG.values(), ids=LONG)
def test_it_stops_when_asked(fit):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300_000, 20)), rng.choice([-1.0, 1.0], 300_000)

    def stop(*_):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, stop)
    begin = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(Interrupted):
            fit(X, y)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - begin < SOON
