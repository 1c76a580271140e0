"""The exercises of the chapter on the perceptron."""

from functools import cache
from itertools import combinations, permutations

import numpy as np

from halfspaces.exercises import Said, first, kinds, kit, numbers, refuse
from halfspaces.exercises.kit import Exercise, Function, Number, Open, exercise
from halfspaces.exercises.words import SMALL
from mlcore.data import digits
from mlcore.geometry import augment
from mlcore.perceptron import mistake_bound, perceptron, perceptron_trace
from mlcore.svm import hard_margin


@exercise(x=[[range(-2, 3)] * 2] * 4, y=[(-1, 1)] * 4)
def by_hand(x=((1, 1), (-2, 1), (-1, 2), (2, -2)), y=(1, -1, 1, -1)):
    X, y = np.array(x, float), np.array(y, float)
    run = perceptron_trace(X, y, bias=False, max_updates=9)
    fair = run.converged and run.updates >= 4 and len({*x}) == 4 and X.any(axis=1).all()
    if not fair or len({*y}) < 2:
        return None

    def elsewhere(w):
        z = y * (X @ w)
        q = int(np.argmax(z <= 0))
        return Said("elsewhere" if z[q] > 0 else "hint", place=q + 1, margin=z[q])

    return Exercise(
        Said("praise", passes=SMALL[run.epochs]),
        final_w=Number(run.w[-1], hint=elsewhere),
        updates=Number(run.updates, {run.epochs: "passes"}),
    )


@exercise(x=[range(-3, 7)] * 4, y=[(-1, 1)] * 4)
def certificate(x=(-1, 0, 1, 5), y=(1, -1, -1, 1)):
    around = [(i, k, j) for i, k, j in permutations(range(4), 3)
        if y[i] != y[k] != y[j] and x[i] < x[k] < x[j]]  # fmt: skip
    if len({*x}) < 4 or not around:
        return None
    right, (i, k, j) = np.zeros(4), around[0]
    right[[i, k, j]] = x[j] - x[k], x[j] - x[i], x[k] - x[i]
    Z = np.column_stack([np.ones(4), x])
    return kinds.certificate(Z, y, right, "each example")


def end_of_run(X, y, slip=""):
    """The w of the perceptron without a constant feature."""
    w = perceptron(X, y, bias=False, max_epochs=10**5).w
    return -w if slip == "minus" else w


@exercise
def my_perceptron():
    # the second needs 3,200 passes; whole numbers, so that nobody's ties are rounded
    cases = [(np.array([[1.0, 2.0], [2.0, 1.0]]), np.ones(2))]
    cases += [(np.array([[2.0, 80.0], [1.0, 80.0]]), np.array([1.0, -1.0]))]
    for X in np.random.default_rng(1).normal(size=(20, 30, 3)):
        cases.append((X, np.where(X @ [1.0, -2.0, 0.5] > 0, 1.0, -1.0)))

    def fault(w, X, y):
        left = int((y * (X @ w) <= 0).sum())
        return first((left, "left"), **locals())

    return Function(end_of_run, cases, fault=fault)


@exercise
def with_constant():
    rng, cases = np.random.default_rng(5), []
    for c in (1.0, 0.25):
        X = rng.normal(size=(20, 2))
        cases.append((X, np.where(X @ [1.0, -1.0] + 0.7 > 0, 1.0, -1.0), c))
    # the last data need 3,200 passes
    cases.append((np.array([[2.0], [1.0]]), np.array([1.0, -1.0]), 80.0))

    def right(X, y, c, slip=""):
        *w, v = end_of_run(augment(X, constant=c), y)
        return np.array(w), {"v": v, "v / c": v / c, "sign": -c * v}.get(slip, c * v)

    return Function(right, cases)


@exercise
def keep_best():
    def mistakes(w, X, y):
        return (y * (w @ X.T) <= 0).sum(axis=-1)

    def path(X, y, updates):
        return perceptron_trace(X, y, bias=False, max_updates=updates).w

    def best(X, y, updates):
        seen = path(X, y, updates)
        return seen[mistakes(seen, X, y).argmin()]

    def judge(answer, X, y, updates):
        w, seen = numbers(answer, (2,), "back w, of shape (2,)"), path(X, y, updates)
        own, fewest = mistakes(w, X, y), mistakes(seen, X, y).min()
        refuse(
            (not w.any(), "zero"),
            (not np.isclose(seen, w).all(axis=1).any(), "never_there"),
            (own > fewest, "more"),
            **locals(),
        )

    return Function(best, runs_to_stop, judge=judge)


def runs_to_stop():
    """Data where the last example is used, and numbers of updates at which to stop.

    In turn, the last update finds the only best w, and one update more would find it.
    """
    found, rng = 0, np.random.default_rng(2)
    while found < 12:
        X = rng.integers(-3, 4, size=(8, 2)).astype(float)
        X[0] += not X[0].any()
        y = np.where(X @ [1.0, 0.5] + rng.normal(size=8) > 0, 1.0, -1.0)
        run = perceptron_trace(X, y, bias=False, max_updates=40)
        mistakes = (y * (run.w @ X.T) <= 0).sum(axis=1)
        best = [t for t in range(2, run.updates) if mistakes[t] < mistakes[:t].min()]
        if not run.converged and best and len(y) - 1 in run.chosen[: best[-1] - 1]:
            yield X, y, best[-1] - found % 2
            found += 1


same_count = kit.truths("perceptron", "same_count")


@cache
def updates_of(pair) -> int:
    two = digits(negative=pair[0], positive=pair[1])
    return perceptron(augment(two.X), two.y, bias=False, max_epochs=1000).updates


@exercise(among=tuple(combinations(range(10), 5)))
def hardest_pair(among=tuple(range(10))):
    counts = {pair: updates_of(pair) for pair in combinations(among, 2)}
    hardest = low, high = max(counts, key=counts.get)

    def easier(pair):
        needs = counts.get(tuple(pair))
        return Said("no_pair" if needs is None else "hint", pair=pair, needs=needs)

    return Exercise(
        Said("praise", low=low, high=high, updates=counts[hardest], counts=counts),
        pair=Number(hardest, hint=easier),
        updates=Number(counts[hardest]),
    )


@exercise(least=range(3, 10), label=(-1, 1))
def reaches_bound(least=3, label=1):
    def judge(rows):
        X = np.asarray(rows, object)
        matrix, fewest = X.ndim == 2 and X.size and least <= len(X) <= 100, SMALL[least]
        refuse((not matrix, "no_matrix"), **locals())
        X = numbers(rows, X.shape, "the rows of a matrix")
        refuse((not 1e-6 < np.abs(X).max() < 1e6, "size"))
        y = np.full(len(X), float(label))
        best = hard_margin(X, y, bias=False)
        refuse((not best.separable, "not_separable"))
        bound = mistake_bound(np.linalg.norm(X, axis=1).max(), best.margin)
        refuse((bound > 1000, "narrow"), **locals())
        updates = perceptron(X, y, bias=False, max_epochs=10**4).updates
        equal = np.isclose(updates, bound, rtol=1e-8)
        refuse((updates < least, "few"), (not equal, "unequal"), **locals())
        return Said("praise", **locals())

    return Open(judge, tuple(map(tuple, np.eye(least).tolist())))
