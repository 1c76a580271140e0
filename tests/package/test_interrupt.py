"""Ctrl-C ends a long computation soon: no solver stays deaf to it in compiled code."""

import signal
import time

import numpy as np
import pytest

from mlcore.boosting import adaboost
from mlcore.l1_svm import l1_svm
from mlcore.lasso import lasso_path
from mlcore.neighbors import knn
from mlcore.perceptron import perceptron
from mlcore.svm import pegasos, soft_margin

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such alarm here"),
]

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


class Interrupted(BaseException):
    """What Ctrl-C raises, under a name that pytest does not take for its own."""


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(0)
    return rng.normal(size=(300_000, 20)), rng.choice([-1.0, 1.0], 300_000)


@pytest.mark.parametrize("fit", LONG.values(), ids=LONG)
def test_it_stops_when_asked(fit, noise):
    def stop(*_):
        raise Interrupted

    before = signal.signal(signal.SIGALRM, stop)
    begin = time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(Interrupted):
            fit(*noise)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - begin < SOON
