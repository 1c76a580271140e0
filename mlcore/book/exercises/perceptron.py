"""Checkers for the exercises of the chapter on the perceptron."""

import numpy as np
import sympy as sp

from mlcore.book.exercises import NotYet, call, checker, compare, numbers, short, tidy
from mlcore.geometry import augment
from mlcore.perceptron import mistake_bound, perceptron, perceptron_trace
from mlcore.separation import max_margin


@checker
def by_hand(answer):
    w, updates = answer
    w = numbers(w, (2,), "the final w, a pair of numbers")
    updates = numbers(updates, (), "the number of updates")
    X, y = np.array([[1, 2], [-1, -1], [2, 0.5]]), np.array([1, -1, 1])
    wrong = np.flatnonzero(y * (X @ w) <= 0)
    if wrong.size:
        raise NotYet(
            f"With w = {short(w)} example {wrong[0] + 1} has the margin "
            f"{tidy((y * (X @ w))[wrong[0]])}. A margin of zero is a mistake as well."
        )
    run = perceptron_trace(X, y, bias=False)
    compare(w, run.w[-1], "Your w", "It separates, but the rule ends elsewhere: add y x.")
    compare(updates, run.updates, "Your count", "Count the additions, not the passes.")
    return f"w = (1, 2) after {run.updates} update; the second pass finds nothing."


@checker
def my_perceptron(answer):
    rng = np.random.default_rng(1)
    cases = [(np.array([[1.0, 2.0], [2.0, 1.0]]), np.ones(2))]
    for _ in range(20):
        X = rng.normal(size=(30, 3))
        cases.append((X, np.where(X @ [1.0, -2.0, 0.5] > 0, 1.0, -1.0)))
    for X, y in cases:
        want = perceptron(X, y, bias=False, max_epochs=10**5).w
        w = numbers(call(answer, X, y), want.shape, "back w (d,), finite numbers")
        left = int((y * (X @ w) <= 0).sum())
        if left:
            raise NotYet(
                f"On {len(y)} separable examples it returned w = {short(w)} "
                f"with {left} mistakes left. Is a margin of zero a mistake for you, and "
                "do you go on until a whole pass is clean?"
            )
        compare(w, want, f"On {len(y)} examples it", "It separates, but the order or the "
                "step differs: start at zero, go in order, add y x.")  # fmt: skip
    return "21 data sets, and the same w as mlcore on each."


@checker
def reaches_bound(answer):
    try:
        X = np.asarray(answer, float)
    except (TypeError, ValueError):
        raise NotYet(
            f"Give a matrix, one example a row; this is {short(answer)}."
        ) from None
    if X.ndim != 2 or len(X) < 3:
        raise NotYet(f"Give at least three rows; the shape is {X.shape}.")
    y = np.ones(len(X))
    best = max_margin(X, y, bias=False)
    if not best.separable:
        raise NotYet("No hyperplane through the origin has all of your rows on one side.")
    bound = mistake_bound(np.linalg.norm(X, axis=1).max(), best.margin)
    updates = perceptron(X, y, bias=False, max_epochs=10**4).updates
    if updates < 3 or not np.isclose(updates, bound, rtol=1e-6):
        raise NotYet(
            f"{updates} updates, and the bound is {bound:.6g}. When is a mistake at margin "
            "exactly zero, and how long should each example be?"
        )
    return f"{updates} updates, and the bound is {bound:.6g}."


@checker
def slow_pair(answer):
    X, y = numbers(answer, (2,), "two numbers")[:, None], np.array([1.0, -1.0])
    R, gamma = np.abs(X).max(), abs(X[0, 0] - X[1, 0]) / 2
    if gamma == 0:
        raise NotYet("The two points are equal, so nothing separates them.")
    claimed = (2 * R / gamma) ** 2
    run = perceptron(augment(X), y, bias=False, max_epochs=200_000)
    if not run.converged:
        raise NotYet(f"Too slow to wait for: more than {run.updates} updates. Try larger.")
    if run.updates <= 1000 * claimed:
        raise NotYet(
            f"{run.updates} updates, {run.updates / claimed:.3g} times the claimed "
            f"{claimed:.4g}. What happens to both numbers if you scale both points?"
        )
    return f"{run.updates} updates, {run.updates / claimed:.0f} times {claimed:.0f}."


@checker
def square_root_of_difference(answer):
    R = sp.Symbol("R", positive=True)
    try:
        something = sp.sympify(answer)
    except (sp.SympifyError, TypeError):
        raise NotYet(f"Give an expression in R; this is {short(answer)}.") from None
    something = something.subs({s: R for s in something.free_symbols if s.name == "R"})
    left = sp.expand((1 + R**2) ** 2 - 4 * R**2 - something**2)
    if left != 0:
        raise NotYet(
            f"The difference less your square leaves {left}. Multiply (1 + R^2)^2 out "
            "first, and look for a second binomial square."
        )
    return "The difference is a square, so it is never negative; it is zero for R = 1."


@checker
def certificate(answer):
    a, x = numbers(answer, (4,), "four weights"), np.array([-1.0, 0.0, 1.0, 2.0])
    y = np.array([1.0, -1.0, -1.0, 1.0])
    if a.min() < -1e-9 or not np.isclose(a.sum(), 1):
        raise NotYet(
            f"The smallest weight is {tidy(a.min())} and their sum {tidy(a.sum())}."
        )
    sums = np.array([(a * y) @ x, (a * y).sum()])
    if not np.allclose(sums, 0, atol=1e-9):
        raise NotYet(
            f"The sums of a y x and of a y are {tidy(sums[0])} and {tidy(sums[1])}; "
            "both must be zero. How much weight does each class get, and where is its mean?"
        )
    return "Every (w, b) would have margins with this weighted mean, and the mean is zero."


@checker
def pocket(answer):
    rng = np.random.default_rng(2)
    for _ in range(10):
        X = rng.normal(size=(40, 2))
        y = np.where(X @ [1.0, 0.5] + rng.normal(size=40) > 0, 1.0, -1.0)
        w = numbers(call(answer, X, y, 60), (2,), "back w (d,), finite numbers")
        run = perceptron_trace(X, y, bias=False, max_updates=60)
        fewest = (y * (run.w @ X.T) <= 0).sum(axis=1).min()
        own = (y * (X @ w) <= 0).sum()
        if own > fewest:
            raise NotYet(
                f"On 40 overlapping examples and 60 updates, your w makes {own} mistakes; "
                f"the run passed through one with {fewest}. Do you compare after every "
                "update, and keep the best?"
            )
    return "Ten inseparable data sets, and the best w of the run each time."
