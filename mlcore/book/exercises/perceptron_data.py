"""The data on which the checkers of the perceptron chapter try an answer."""

from functools import cache
from itertools import combinations

import numpy as np

from mlcore.data import digits
from mlcore.geometry import augment
from mlcore.perceptron import perceptron, perceptron_trace
from mlcore.separation import max_margin

CHANGES = (
    lambda X, y: (10 * X, y),
    lambda X, y: (X * [10.0, 1.0], y),
    lambda X, y: (X, -y),
    lambda X, y: (np.repeat(X, 2, axis=0), np.repeat(y, 2)),
    lambda X, y: (X + 0.5, y),
    lambda X, y: (X @ [[0.0, 1.0], [-1.0, 0.0]], y),  # exactly, by a right angle
)


@cache
def counts_of(change):
    """Updates before and after, on the first data set where they differ; else None."""
    rng = np.random.default_rng(4)
    for _ in range(40):
        X = rng.integers(-3, 4, size=(8, 2)) + 0.5 * rng.integers(-1, 2, size=(8, 2))
        y = np.where(X @ [2.0, 1.0] + 1e-3 > 0, 1.0, -1.0)
        changed = change(X, y)
        if all(max_margin(*data, bias=False).separable for data in ((X, y), changed)):
            made = [
                perceptron(*data, bias=False, max_epochs=10**4).updates
                for data in ((X, y), changed)
            ]
            if made[0] != made[1]:
                return made
    return None


@cache
def runs_to_stop() -> list:
    """Data where the last example is used, and numbers of updates at which to stop.

    In turn, the last update finds the only best w, and one update more would find it.
    """
    found, rng = [], np.random.default_rng(2)
    while len(found) < 12:
        X = rng.integers(-3, 4, size=(8, 2)).astype(float)
        y = np.where(X @ [1.0, 0.5] + rng.normal(size=8) > 0, 1.0, -1.0)
        run = perceptron_trace(X, y, bias=False, max_updates=40)
        mistakes = (y * (run.w @ X.T) <= 0).sum(axis=1)
        best = [t for t in range(2, run.updates) if mistakes[t] < mistakes[:t].min()]
        if not run.converged and best and len(y) - 1 in run.chosen[: best[-1] - 1]:
            found.append((X, y, best[-1] - len(found) % 2))
    return found


@cache
def updates_of_pairs() -> dict:
    counts = {}
    for low, high in combinations(range(10), 2):
        two = digits(negative=low, positive=high)
        fit = perceptron(augment(two.X), two.y, bias=False, max_epochs=1000)
        counts[low, high] = fit.updates
    return counts
