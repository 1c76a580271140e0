"""The exercises of the chapter on the perceptron."""

from functools import cache
from itertools import combinations, permutations

import numpy as np

from mlcore.book.exercises import kinds, kit, numbers, refuse
from mlcore.book.exercises.kit import Exercise, Function, Number, Open, exercise
from mlcore.book.exercises.words import SMALL, short, tidy
from mlcore.data import digits
from mlcore.geometry import augment
from mlcore.perceptron import mistake_bound, perceptron, perceptron_trace
from mlcore.separation import max_margin


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
        if z[q] > 0:
            return "It separates, but the rule ends elsewhere. Do you add y x, in order?"
        return (f"With w = {{}} example {q + 1} has the margin {tidy(z[q])}, which is a "
            "mistake: there must be another pass. (A margin of zero is a mistake, too.)"
                )  # fmt: skip

    return Exercise(
        f"The run needs {SMALL[run.epochs]} passes, and the last of them is clean.",
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
    return kinds.certificate(
        np.column_stack([np.ones(4), x]), y, right, "each example",
        "The second coordinate of the sum is {}, not 0. How much weight does each of the "
        "two classes get?", "The second coordinate of the sum is 0, but the first is {}. "
        "Where are the weighted means of the two classes?",
    )  # fmt: skip


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
        return left and (f"it returned w = {short(w)}, with {left} mistake"
            f"{'s' * (left > 1)} left. Is a margin of zero a mistake for you, and do you "
            "go on until a whole pass is clean?")  # fmt: skip

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
        tried = f"For {len(y)} overlapping examples and {updates} updates"
        refuse(
            (not w.any(), "It returned the zero vector, whose scores are all zero. A "
             "margin of zero is a mistake: does your count have <= 0?"),
            (not np.isclose(seen, w).all(axis=1).any(), f"{tried} it returned w = "
             f"{short(w)}, but the run never was there. Does it go through all examples in "
             f"order, and stop after {updates} updates?"),
            (own > fewest, f"{tried} your w makes {own} mistakes; the run passed through "
             f"one with {fewest}. Do you count after every update, on the whole data, and "
             "keep a copy of the best?"),
        )  # fmt: skip

    return Function(best, runs_to_stop, {
        lambda X, y, updates: path(X, y, 1)[1]: "keep a copy of the best?",
        lambda X, y, updates: best(X, y, 10 * updates): "stop after",
        lambda X, y, updates: np.zeros(2): "A margin of zero",
    }, judge=judge)  # fmt: skip


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
        if needs is None:
            return "Give two of the digits, the smaller first; not {}."
        return (f"The pair {pair[0]:g} and {pair[1]:g} needs {needs} updates, and another "
            f"pair needs more. Did you append the constant 1 and try all {len(counts)} "
            "pairs?")  # fmt: skip

    return Exercise(
        f"{low} and {high}, {counts[hardest]} updates; all {len(counts)} pairs can be "
        "separated.",
        pair=Number(hardest, hint=easier),
        updates=Number(counts[hardest]),
    )


@exercise(least=range(3, 10), label=(-1, 1))
def reaches_bound(least=3, label=1):
    def judge(rows):
        X = np.asarray(rows, object)
        refuse((X.ndim != 2 or X.size == 0 or not least <= len(X) <= 100, "Give a matrix "
            f"with at least {SMALL[least]} rows, and at most 100, all of the same length; "
            f"this is {short(rows)}."))  # fmt: skip
        X = numbers(rows, X.shape, "the rows of a matrix")
        refuse((not 1e-6 < np.abs(X).max() < 1e6, "Take numbers of a size near 1."))
        y = np.full(len(X), float(label))
        best = max_margin(X, y, bias=False)
        refuse((not best.separable, "No hyperplane through 0 has your rows on one side."))
        bound = mistake_bound(np.linalg.norm(X, axis=1).max(), best.margin)
        refuse((bound > 1000, f"The bound is {bound:.3g}: try examples with a wider "
            "margin."))  # fmt: skip
        updates = perceptron(X, y, bias=False, max_epochs=10**4).updates
        refuse(
            (updates < least, f"{updates} update{'s' * (updates > 1)}; at least {least} "
             "are wanted."),
            (not np.isclose(updates, bound, rtol=1e-8), f"{updates} updates, and the bound "
             f"is {bound:.6g}. Which of the conditions for equality in the text fails for "
             "your examples?"),
        )  # fmt: skip
        return f"{updates} updates, and the bound is {bound:.6g}."

    def rows(*diagonal):
        return tuple(map(tuple, np.diag(diagonal).tolist()))

    ones = (1,) * least
    return Open(judge, rows(*ones), slips={
        (rows(*ones[1:], 3),): "conditions for equality", (rows(*ones[1:]),): "at least",
    })  # fmt: skip
