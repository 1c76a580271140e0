"""The perceptron against a plain loop, and Novikoff's bound."""

from fractions import Fraction

import numpy as np
import pytest

from mlcore.perceptron import mistake_bound, perceptron, perceptron_trace
from tests.helpers.assertions import EPS, assert_claims, score_error


def perceptron_claims(fit, X, y, bias, start, max_epochs, rng):
    """Repeat the loop over rows, with the same rounding."""
    rng = None if rng is None else np.random.default_rng(rng)
    X, w, b = np.ascontiguousarray(X), np.zeros(X.shape[1]) if start is None else start, 0.0
    mistakes = []
    while len(mistakes) < max_epochs and 0 not in mistakes:
        mistakes.append(0)
        for i in range(len(y)) if rng is None else rng.permutation(len(y)):
            if y[i] * (X[i].dot(w) + b) <= 0:
                w, b, mistakes[-1] = w + y[i] * X[i], b + bias * y[i], mistakes[-1] + 1
    yield "mistakes", fit.mistakes != tuple(mistakes), 0
    yield "updates", fit.updates != sum(mistakes), 0
    yield "w, b", [*np.abs(fit.w - w), abs(fit.b - b)], 0
    yield "converged", fit.converged != (mistakes[-1] == 0), 0


def perceptron_trace_claims(run, X, y, bias, start, eta, max_updates):
    """Check that every update skips correct rows and adds the first wrong one."""
    i, n = 0, len(y)
    updates = zip(run.w, run.b, run.w[1:], run.b[1:], run.chosen, strict=False)
    for w, b, w2, b2, chosen in updates:
        rows = np.arange(i, i + 1 + (chosen - i) % n) % n
        z, error = y[rows] * (X[rows] @ w + b), score_error(X[rows], w, b)
        yield "skipped rows are correct", -z[:-1], error[:-1]
        yield "the chosen row is a mistake", z[-1], error[-1]
        step = eta * y[chosen] * X[chosen]
        yield "w", np.abs(w2 - w - step), 4 * EPS * (np.abs(w) + np.abs(step))
        yield "b", abs(b2 - b - bias * eta * y[chosen]), 4 * EPS * (abs(b) + eta)
        i = chosen + 1
    yield "max_updates or converged", not run.converged and run.updates < max_updates, 0
    wrong = run.converged * -(y * (X @ run.w[-1] + run.b[-1]))
    yield "all rows are correct", wrong, score_error(X, run.w[-1], run.b[-1])


ORACLES = {perceptron: perceptron_claims, perceptron_trace: perceptron_trace_claims}
ERRORS = {"radius / margin must be at most": lambda: mistake_bound(1e150, 1e-10)}


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("rounded", [True, False])  # rounding gives scores of exactly 0
@pytest.mark.parametrize("shape", [(2, 1), (60, 5), (300, 40)], ids=str)
def test_perceptron_equals_plain_loop_and_trace(shape, rounded, bias):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X, start = rng.normal(size=shape), rng.normal(size=shape[1])
        X, start = (np.rint(2 * X) / 2, np.rint(start)) if rounded else (X, start)
        noise = 10 * seed * rng.normal(size=len(X))
        y = np.where(X.sum(axis=1) + noise >= 0, 1.0, -1.0)
        for w, order in (None, None), (start, None), (start, seed):
            given = {"X": X, "y": y, "bias": bias, "start": w}
            options = {"rng": order, "max_epochs": 4}
            fit = perceptron(**given, **options)
            assert_claims(perceptron_claims, fit, given | options)
            if order is None:
                run = perceptron_trace(**given, max_updates=fit.updates + fit.converged)
                assert (run.w[-1].tolist(), run.b[-1]) == (fit.w.tolist(), fit.b)
                assert (run.epochs, run.converged) == (len(fit.mistakes), fit.converged)


def test_mistake_bound_is_the_larger_root():
    """In exact fractions, (a + k gamma)**2 - n0**2 - k R**2 changes sign at k."""
    rng = np.random.default_rng(0)
    for _ in range(100):
        R, gamma = 10 ** rng.uniform(-3, 3, size=2)
        n0 = 10 ** rng.uniform(-3, 6)
        a = n0 * rng.choice([1, -1]) * (1 - 10 ** rng.uniform(-9, 0))
        k = mistake_bound(R, gamma, start_norm=n0, start_score=a)
        R, gamma, n0, a = (Fraction(float(t)) for t in (R, gamma, n0, a))
        below, above = (
            (a + t * gamma) ** 2 - n0**2 - t * R**2
            for t in (Fraction(k * (1 - 1e-12)), Fraction(k * (1 + 1e-12)))
        )
        assert below < 0 < above


def test_mistake_bound_of_start_parallel_to_w_star():
    for R, norm, score, bound in (1, 3, 3, 0), (1, 0.1, 0.1, 0.8), (1, 3, -3, 7):
        for a in score, score * (1 + 1e-15):  # |a| exceeds norm by a rounding error
            found = mistake_bound(R, 1.0, start_norm=norm, start_score=a)
            assert found == pytest.approx(bound, rel=1e-12)
