"""Checkers for the exercises of the chapter on the perceptron."""

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    check_certificate,
    checker,
    compare,
    mistaken,
    numbers,
    short,
    tidy,
    truths,
    w_and_b,
)
from mlcore.book.exercises import perceptron_data as data
from mlcore.geometry import augment
from mlcore.perceptron import mistake_bound, perceptron, perceptron_trace
from mlcore.separation import max_margin


@checker
def by_hand(final_w, updates):
    w = numbers(final_w, (2,), "the final w, a pair of numbers")
    made = numbers(updates, (), "the number of updates, one number")
    X = np.array([[1.0, 1.0], [-2.0, 1.0], [-1.0, 2.0], [2.0, -2.0]])
    y = np.array([1.0, -1.0, 1.0, -1.0])
    z = y * (X @ w)
    if (z <= 0).any():
        q = int(np.argmax(z <= 0))
        raise NotYet(
            f"With w = {short(w)} example {q + 1} has the margin {tidy(z[q])}, which is a "
            "mistake: there must be another pass. (A margin of zero is a mistake, too.)"
        )
    run = perceptron_trace(X, y, bias=False)
    hint = "It separates, but the rule ends elsewhere. Do you add y x, in the given order?"
    compare(w, run.w[-1], "Your w", hint)
    if made == run.epochs:
        raise NotYet(f"{tidy(made)} is the number of passes. How many additions were made?")
    compare(made, run.updates, "Your count", "Count one for each time that w changes.")
    return "The run needs four passes, and the last of them is clean."


@checker
def certificate(weights):
    a = numbers(weights, (4,), "four weights, one for each example")
    x, y = np.array([-1.0, 0.0, 1.0, 5.0]), np.array([1.0, -1.0, -1.0, 1.0])
    check_certificate(a)
    if a.max() > 1e300:
        raise NotYet(
            "These weights are too large to add up here. Only their ratios matter: divide "
            "all of them by the largest."
        )
    first, second = (a * y) @ x / a.sum(), (a * y).sum() / a.sum()
    if abs(second) > 1e-9:
        raise NotYet(
            f"The second coordinate of the sum is {second * a.sum():.6g}, not 0. How "
            "much weight does each of the two classes get?"
        )
    if abs(first) > 1e-9:
        raise NotYet(
            f"The second coordinate of the sum is 0, but the first is "
            f"{first * a.sum():.6g}. Where are the weighted means of the two classes?"
        )
    return "Every w has margins whose sum with these weights is zero: not all are positive."


@checker
def my_perceptron(function):
    rng = np.random.default_rng(1)
    cases = [(np.array([[1.0, 2.0], [2.0, 1.0]]), np.ones(2))]
    # this one needs some 800 passes; whole numbers, so that nobody's ties are rounded
    cases.append((np.array([[2.0, 40.0], [1.0, 40.0]]), np.array([1.0, -1.0])))
    for _ in range(20):
        X = rng.normal(size=(30, 3))
        cases.append((X, np.where(X @ [1.0, -2.0, 0.5] > 0, 1.0, -1.0)))
    for X, y in cases:
        want = perceptron(X, y, bias=False, max_epochs=10**5).w
        w = numbers(call(function, X, y), want.shape, f"back w, of shape {want.shape}")
        left = int((y * (X @ w) <= 0).sum())
        if left and (y * (X @ w) < 0).all():
            raise NotYet(
                f"For {len(y)} separable examples it returned w = {short(w)}, and all are "
                "on the wrong side; -w would separate. Do you add y x, or subtract it?"
            )
        if left:
            raise NotYet(
                f"For {len(y)} separable examples it returned w = {short(w)}, with "
                f"{left} mistake{'s' * (left > 1)} left. Is a margin of zero a mistake for "
                "you, and do you go on until a whole pass is clean?"
            )
        hint = "It separates, but is another w: start at zero, go in order, add y x."
        compare(w, want, f"For {len(y)} examples it", hint)
    return "22 data sets, and the same w as mlcore for each."


@checker
def with_constant(function):
    rng = np.random.default_rng(5)  # the last data need 125 passes
    for c in (1.0, 0.25, 4.0):
        X = rng.normal(size=(20, 2))
        y = np.where(X @ [1.0, -1.0] + 0.7 > 0, 1.0, -1.0)
        v = perceptron(augment(X, constant=c), y, bias=False, max_epochs=10**5).w
        w, b = w_and_b(call(function, X, y, c), f"For c = {c:g}")
        w = numbers(w, (2,), "w of shape (2,), one weight for each original feature")
        b = numbers(b, (), "b as one number")
        hint = "Is the constant the last feature, and do you run until a pass is clean?"
        compare(w, v[:-1], f"For c = {c:g} your w", hint)
        if c != 1 and np.isclose(b, v[-1]):
            raise NotYet(
                f"For c = {c:g} your b is {tidy(b)}, the weight of the constant feature. "
                "How much does this weight add to a score?"
            )
        if np.isclose(b, -c * v[-1]):
            raise NotYet(f"For c = {c:g} your b is {tidy(b)}: its sign is wrong.")
        if c != 1 and np.isclose(b, v[-1] / c):
            raise NotYet(
                f"For c = {c:g} your b is {tidy(b)}, which is v / c. The weight v stands "
                "beside the feature c: how much do the two add to a score together?"
            )
        hint = "Your w is right. What does the constant feature add to every score?"
        compare(b, c * v[-1], f"For c = {c:g} your b", hint)
    return "Three constants, three times the scores of the longer examples."


@checker
def keep_best(function):
    for X, y, updates in data.runs_to_stop():
        w = numbers(call(function, X, y, updates), (2,), "back w, of shape (2,)")
        seen = perceptron_trace(X, y, bias=False, max_updates=updates).w
        fewest = int((y * (seen @ X.T) <= 0).sum(axis=1).min())
        own = int((y * (X @ w) <= 0).sum())
        if own == len(y) and not w.any():
            raise NotYet(
                "It returned the zero vector, whose scores are all zero. A margin of zero "
                "is a mistake: does your count have <= 0?"
            )
        tried = f"For {len(y)} overlapping examples and {updates} updates"
        if not np.isclose(seen, w).all(axis=1).any():
            raise NotYet(
                f"{tried} it returned w = {short(w)}, but the run never was there. Does it "
                f"go through all examples in order, and stop after {updates} updates?"
            )
        if own > fewest:
            raise NotYet(
                f"{tried} your w makes {own} mistakes; the run passed through one with "
                f"{fewest}. Do you count after every update, on the whole data, and keep a "
                "copy of the best?"
            )
    return "Twelve data sets that overlap, and each time a best w of the run."


@checker
def same_count(stays):
    stays = truths(stays, len(data.CHANGES))
    wrong = mistaken(stays, [data.counts_of(change) is None for change in data.CHANGES])
    if wrong and stays[wrong[0]]:
        before, after = data.counts_of(data.CHANGES[wrong[0]])
        raise NotYet(
            f"Number {wrong[0] + 1} does not always stay: on one separable set there "
            f"were {before} updates before the change and {after} after it."
        )
    if wrong:
        raise NotYet(
            f"Number {wrong[0] + 1} always stays. Through which products of examples and "
            "labels does the rule meet the data, and what does the change do to them?"
        )
    return "All that the rule meets of the data are the products y_i y_k x_i · x_k."


@checker
def hardest_pair(pair, updates):
    low, high = numbers(pair, (2,), "a pair of digits, such as (3, 8)").tolist()
    made = numbers(updates, (), "the number of updates, one number")
    counts = data.updates_of_pairs()
    if (low, high) not in counts:
        raise NotYet(f"Give two digits from 0 to 9, the smaller first; not {short(pair)}.")
    low, high = int(low), int(high)
    hardest = max(counts, key=counts.get)
    if (low, high) != hardest:
        raise NotYet(
            f"The pair {low} and {high} needs {counts[low, high]} updates, and another "
            "pair needs more. Did you append the constant 1 and try all 45 pairs?"
        )
    compare(made, counts[hardest], "Your count", "The pair is right. Is 1 appended, once?")
    return f"{low} and {high}, {counts[hardest]} updates; all 45 pairs can be separated."


@checker
def reaches_bound(rows):
    X = np.asarray(rows, object)
    if X.ndim != 2 or len(X) < 3 or X.size == 0:
        raise NotYet(f"Give a matrix with at least three rows; this is {short(rows)}.")
    if len(X) > 100:
        raise NotYet(f"You gave {len(X)} rows; try it with at most 100 of them.")
    X = numbers(rows, X.shape, "the rows of a matrix")
    y = np.ones(len(X))
    best = max_margin(X, y, bias=False)
    if not best.separable:
        raise NotYet("No hyperplane through the origin has all of your rows on one side.")
    bound = mistake_bound(np.linalg.norm(X, axis=1).max(), best.margin)
    if bound > 1000:
        raise NotYet(f"The bound is {bound:.3g}: try examples with a wider margin.")
    updates = perceptron(X, y, bias=False, max_epochs=10**4).updates
    products = X @ X.T
    tiny = (products > 0) & (products < 1e-12 * products.max())
    if tiny.any() and not np.isclose(updates, bound, rtol=1e-6):
        raise NotYet(
            "Two of your rows have a product that is 0 on paper and a tiny positive number "
            "here, which counts as right. Take rows with exact products, such as integers."
        )
    if updates < 3:
        raise NotYet(f"{updates} update{'s' * (updates > 1)}; at least 3 are wanted.")
    if not np.isclose(updates, bound, rtol=1e-6):
        raise NotYet(
            f"{updates} updates, and the bound is {bound:.6g}. Which "
            "of the conditions for equality in the text fails for your examples?"
        )
    return f"{updates} updates, and the bound is {bound:.6g}."
