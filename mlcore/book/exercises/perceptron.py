"""The exercises of the chapter on the perceptron."""

from itertools import combinations, permutations

import numpy as np

from mlcore.book.exercises import call, checker, kit, numbers, refuse
from mlcore.book.exercises.kit import Exercise, Function, Number, Truths, exercise
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

    passes = {run.epochs: "{} is the number of passes. How many additions were made?"}
    count = "Your count is {}. Count one for each time that w changes."
    return Exercise(
        f"The run needs {SMALL[run.epochs]} passes, and the last of them is clean.",
        final_w=Number(run.w[-1], hint=elsewhere),
        updates=Number(run.updates, passes, count),
    )


@exercise(x=[range(-3, 7)] * 4, y=[(-1, 1)] * 4)
def certificate(x=(-1, 0, 1, 5), y=(1, -1, -1, 1)):
    around = [(i, k, j) for i, k, j in permutations(range(4), 3)
        if y[i] != y[k] != y[j] and x[i] < x[k] < x[j]]  # fmt: skip
    if len({*x}) < 4 or not around:
        return None
    right, (i, k, j) = np.zeros(4), around[0]
    right[[i, k, j]] = x[j] - x[k], x[j] - x[i], x[k] - x[i]
    return kit.certificate(
        np.column_stack([np.ones(4), x]), y, right, "each example",
        "The second coordinate of the sum is {}, not 0. How much weight does each of the "
        "two classes get?", "The second coordinate of the sum is 0, but the first is {}. "
        "Where are the weighted means of the two classes?",
    )  # fmt: skip


def end_of_run(X, y):
    """The w of the perceptron without a constant feature."""
    return perceptron(X, y, bias=False, max_epochs=10**5).w


@exercise
def my_perceptron(seed=0):
    # the second needs 3,200 passes; whole numbers, so that nobody's ties are rounded
    cases = [(np.array([[1.0, 2.0], [2.0, 1.0]]), np.ones(2))]
    cases += [(np.array([[2.0, 80.0], [1.0, 80.0]]), np.array([1.0, -1.0]))]
    for X in np.random.default_rng(1 + seed).normal(size=(20, 30, 3)):
        cases.append((X, np.where(X @ [1.0, -2.0, 0.5] > 0, 1.0, -1.0)))

    def mistakes_left(w, X, y):
        left = int((y * (X @ w) <= 0).sum())
        return left and (
            f"it returned w = {short(w)}, with {left} mistake{'s' * (left > 1)} left. Is "
            "a margin of zero a mistake for you, and do you go on until a whole pass is "
            "clean?"
        )

    slips = {lambda X, y: -end_of_run(X, y): "All are on the wrong side; -w would "
        "separate. Do you add y x, or subtract it?"}  # fmt: skip
    return Exercise("22 data sets, and the same w as mlcore for each.", function=Function(
        end_of_run, cases, slips,
        "It separates, but is another w: start at zero, go in order, add y x.",
        lambda X, y: f"For {len(y)} separable examples", fault=mistakes_left,
    ))  # fmt: skip


@exercise
def with_constant(seed=0):
    rng, cases = np.random.default_rng(5 + seed), []
    for c in (1.0, 0.25):
        X = rng.normal(size=(20, 2))
        cases.append((X, np.where(X @ [1.0, -1.0] + 0.7 > 0, 1.0, -1.0), c))
    # the last data need 3,200 passes
    cases.append((np.array([[2.0], [1.0]]), np.array([1.0, -1.0]), 80.0))

    def right(X, y, c, slip=""):
        *w, v = end_of_run(augment(X, constant=c), y)
        return np.array(w), {"v": v, "v / c": v / c, "sign": -c * v}.get(slip, c * v)

    slips = {
        "v": ", the weight of the constant feature. How much does this weight add to a "
            "score?",
        "v / c": ", which is v / c. How much do the feature c and its weight v add?",
        "sign": ": its sign is wrong.",
    }  # fmt: skip
    hints = (
        "Is the constant the last feature, and do you run until a pass is clean?",
        "Your w is right. What does the constant feature add to every score?",
    )
    praise = "Three constants, three times the scores of the longer examples."
    return Exercise(praise, function=Function(
        right, cases, slips, hints, lambda X, y, c: f"For c = {c:g}",
        ("your w", "your b"), "{tried} your b is {parts[1]}{said}",
    ))  # fmt: skip


@checker
def keep_best(function):
    for X, y, updates in runs_to_stop():
        w = numbers(call(function, X, y, updates), (2,), "back w, of shape (2,)")
        seen = perceptron_trace(X, y, bias=False, max_updates=updates).w
        fewest = int((y * (seen @ X.T) <= 0).sum(axis=1).min())
        own = int((y * (X @ w) <= 0).sum())
        tried = f"For {len(y)} overlapping examples and {updates} updates"
        refuse(
            (not w.any(), "It returned the zero vector, whose scores are all zero. A "
             "margin of zero is a mistake: does your count have <= 0?"),
            (not np.isclose(seen, w).all(axis=1).any(), f"{tried} it returned w = "
             f"{short(w)}, but the run never was there. Does it go through all examples "
             f"in order, and stop after {updates} updates?"),
            (own > fewest, f"{tried} your w makes {own} mistakes; the run passed through "
             f"one with {fewest}. Do you count after every update, on the whole data, and "
             "keep a copy of the best?"),
        )  # fmt: skip
    return "Twelve data sets that overlap, and each time a best w of the run."


def runs_to_stop():
    """Data where the last example is used, and numbers of updates at which to stop.

    In turn, the last update finds the only best w, and one update more would find it.
    """
    found, rng = 0, np.random.default_rng(2)
    while found < 12:
        X = rng.integers(-3, 4, size=(8, 2)).astype(float)
        y = np.where(X @ [1.0, 0.5] + rng.normal(size=8) > 0, 1.0, -1.0)
        run = perceptron_trace(X, y, bias=False, max_updates=40)
        mistakes = (y * (run.w @ X.T) <= 0).sum(axis=1)
        best = [t for t in range(2, run.updates) if mistakes[t] < mistakes[:t].min()]
        if not run.converged and best and len(y) - 1 in run.chosen[: best[-1] - 1]:
            yield X, y, best[-1] - found % 2
            found += 1


@exercise
def same_count():
    no = "does not always stay: "
    always = "always stays. Through which products of examples and labels does the rule "
    always += "meet the data, and what does the change do to them?"
    praise = "All that the rule meets of the data are the products y_i y_k x_i · x_k."
    return Exercise(praise, stays=Truths.except_for({
        2: no + "(1, 1) positive and (1, -1) negative need 2 updates, and 1 if x_2 is "
            "multiplied.",
        4: no + "a copy can be a mistake at once again, and then w moves twice.",
        5: no + "the points 1 positive and -1 negative need 1 update, and more if 1.5 is "
            "added.",
    }, 6, always))  # fmt: skip


@exercise
def hardest_pair():
    counts = {}
    for pair in combinations(range(10), 2):
        two = digits(negative=pair[0], positive=pair[1])
        fit = perceptron(augment(two.X), two.y, bias=False, max_epochs=1000)
        counts[pair] = fit.updates
    hardest = low, high = max(counts, key=counts.get)

    def easier(pair):
        needs = counts.get(tuple(pair))
        if needs is None:
            return "Give two digits from 0 to 9, the smaller first; not {}."
        return (f"The pair {pair[0]:g} and {pair[1]:g} needs {needs} updates, and another "
            "pair needs more. Did you append the constant 1 and try all "
            "45 pairs?")  # fmt: skip

    count = "Your count is {}. The pair is right. Is 1 appended, once?"
    return Exercise(
        f"{low} and {high}, {counts[hardest]} updates; all 45 pairs can be separated.",
        pair=Number(hardest, hint=easier),
        updates=Number(counts[hardest], hint=count),
    )


@checker
def reaches_bound(rows):
    X = np.asarray(rows, object)
    refuse((X.ndim != 2 or X.size == 0 or not 3 <= len(X) <= 100, "Give a matrix with at "
        "least three rows, and at most 100, all of the same length; this is "
        f"{short(rows)}."))  # fmt: skip
    X = numbers(rows, X.shape, "the rows of a matrix")
    refuse((not 1e-6 < np.abs(X).max() < 1e6, "Take numbers of a size near 1."))
    best = max_margin(X, np.ones(len(X)), bias=False)
    refuse((not best.separable, "No hyperplane through 0 has your rows on one side."))
    bound = mistake_bound(np.linalg.norm(X, axis=1).max(), best.margin)
    refuse((bound > 1000, f"The bound is {bound:.3g}: try examples with a wider margin."))
    updates = perceptron(X, np.ones(len(X)), bias=False, max_epochs=10**4).updates
    refuse(
        (updates < 3, f"{updates} update{'s' * (updates > 1)}; at least 3 are wanted."),
        (not np.isclose(updates, bound, rtol=1e-8), f"{updates} updates, and the bound is "
         f"{bound:.6g}. Which of the conditions for equality in the text fails for your "
         "examples?"),
    )  # fmt: skip
    return f"{updates} updates, and the bound is {bound:.6g}."
