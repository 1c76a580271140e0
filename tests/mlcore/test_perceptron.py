"""The perceptron against a plain loop, and Novikoff's bound."""

from fractions import Fraction

import numpy as np
import pytest

from mlcore.perceptron import mistake_bound, perceptron, perceptron_trace
from mlcore.svm import hard_margin
from tests.helpers.claims import judge
from tests.helpers.oracles_searches import of_perceptron


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("whole", [True, False])  # integers give scores of exactly 0
@pytest.mark.parametrize("shape", [(2, 1), (60, 5), (300, 40)], ids=str)
def test_perceptron_matches_plain_loop(shape, whole, bias):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, start = rng.normal(size=shape), rng.normal(size=shape[1])
        X, start = (np.rint(2 * X) / 2, np.rint(start)) if whole else (X, start)
        noise = 10 * (seed % 3) * rng.normal(size=len(X))
        y = np.where(X.sum(axis=1) + noise >= 0, 1.0, -1.0)
        for w, order in (None, None), (start, None), (start, seed):
            given = {"X": X, "y": y, "bias": bias, "start": w}
            fit = perceptron(**given, rng=order, max_epochs=4)
            judge(of_perceptron, fit, {**given, "rng": order, "max_epochs": 4})
            assert fit.updates == sum(fit.mistakes)
            if order is None:
                run = perceptron_trace(**given, max_updates=fit.updates + fit.converged)
                assert (run.w[-1].tolist(), run.b[-1]) == (fit.w.tolist(), fit.b)
                assert (run.epochs, run.converged) == (len(fit.mistakes), fit.converged)


class TestMistakeBound:
    def test_bound_is_the_larger_root(self):
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

    @pytest.mark.parametrize(
        ("radius", "norm", "score", "bound"),
        [(1, 3, 3, 0), (1, 0.1, 0.1, 0.8), (2, 2, 2, 0), (1, 3, -3, 7)],
    )
    def test_start_parallel_to_w_star(self, radius, norm, score, bound):
        found = mistake_bound(radius, 1.0, start_norm=norm, start_score=score)
        assert found == pytest.approx(bound, rel=1e-15)
        rounded = score * (1 + 1e-15)  # larger than |w| by rounding error
        found = mistake_bound(radius, 1.0, start_norm=norm, start_score=rounded)
        assert found == pytest.approx(bound, rel=1e-12)

    @pytest.mark.parametrize(("score", "rule"), [(1.1, "at most 1"), (-1.1, "at least -1")])
    def test_start_score_above_norm_raises(self, score, rule):
        with pytest.raises(ValueError, match=f"start_score must be {rule}; got {score}"):
            mistake_bound(1.0, 1.0, start_norm=1.0, start_score=score)


@pytest.mark.parametrize("seed", range(40))
def test_updates_are_within_novikoff_bound(seed):
    """Start at 0 with the largest margin, and at any w with the margin of another w."""
    rng = np.random.default_rng(seed)
    d, scale = rng.integers(1, 5), 10 ** rng.uniform(-1.5, 1.5)
    w = rng.normal(size=d)
    w /= np.linalg.norm(w)
    X = scale * rng.normal(size=(rng.integers(4, 30), d))
    X = X[abs(X @ w) > 0.05 * scale]
    y, radius = np.where(X @ w > 0, 1.0, -1.0), np.linalg.norm(X, axis=1).max()
    options = {"bias": False, "max_epochs": 10_000}
    fit = perceptron(X, y, rng=seed, **options)
    largest = hard_margin(X, y, bias=False).margin
    assert fit.converged and fit.updates <= mistake_bound(radius, largest)
    start = radius * rng.choice([1, 10, 50]) * rng.normal(size=d)
    initial = {"start_norm": np.linalg.norm(start), "start_score": start @ w}
    bound = mistake_bound(radius, (y * (X @ w)).min(), **initial)
    fit = perceptron(X, y, start=start, **options)
    assert fit.converged and fit.updates <= bound


def test_bound_overflow_raises():
    with pytest.raises(ValueError, match="radius / margin must be at most"):
        mistake_bound(1e150, 1e-10)
