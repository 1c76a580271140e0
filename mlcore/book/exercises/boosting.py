"""Checkers for the exercises of the chapter on boosting."""

import numpy as np
import sympy as sp

from mlcore.book.exercises import NotYet, call, checker, compare, numbers, short
from mlcore.boosting import adaboost, best_stump


@checker
def by_hand(answer):
    weights, smallest = answer
    weights = numbers(weights, (5,), "the five weights after round 1")
    smallest = numbers(smallest, (), "the smallest error in round 2")
    if not np.isclose(weights.sum(), 1):
        raise NotYet(f"Your weights have the sum {weights.sum():.4g}. What is Z for?")
    hint = "What share of the new weights does the rule just used get wrong?"
    compare(weights, [1 / 8, 1 / 8, 1 / 2, 1 / 8, 1 / 8], "Your list", hint)
    compare(smallest, 1 / 4, "Your error", "Try every threshold, and both signs.")
    return "Half of the weight on one example, and a stump that errs on a quarter."


@checker
def abstain(answer):
    try:
        Z = sp.sympify(answer)
    except (sp.SympifyError, TypeError):
        Z = None
    rng, names = np.random.default_rng(0), ("S_+", "S_0", "S_-")
    if not isinstance(Z, sp.Expr):
        raise NotYet(f"Give one expression in S_+, S_0, S_-; this is {short(answer)}.")
    for _ in range(8):
        S = rng.dirichlet([3, 3, 3])
        values = dict(zip(names, S, strict=True))
        got = Z.subs({s: values[s.name] for s in Z.free_symbols if s.name in values})
        if got.free_symbols:
            raise NotYet(f"What is {sorted(map(str, got.free_symbols))[0]}? Use S only.")
        alpha = np.linspace(-4, 4, 80_001)
        tried = S[1] + S[0] * np.exp(-alpha) + S[2] * np.exp(alpha)
        if not np.isclose(float(got), tried.min(), rtol=1e-6):
            raise NotYet(
                f"With the weights {short(S)} your Z is {float(got):.4f}; the least of "
                f"many alpha has {tried.min():.4f}. What happens to a silent example?"
            )
    return "Silence costs its weight, and the rest is as before: less silence, smaller Z."


@checker
def my_adaboost(answer):
    rng = np.random.default_rng(1)
    for _ in range(6):
        X = rng.normal(size=(40, 3))
        y = np.where((X**2).sum(axis=1) + rng.normal(size=40) > 2.5, 1.0, -1.0)
        for rounds in (1, 2, 9):
            want = adaboost(X, y, rounds=rounds).decision_function(X)
            got = numbers(call(answer, X, y, rounds), (40,), "back F (n,), finite numbers")
            if not np.allclose(got, want, rtol=1e-6, atol=1e-9):
                ratio = got @ want / (want @ want)
                raise NotYet(
                    f"With rounds = {rounds}, on 40 examples, your F is about "
                    f"{ratio:.3f} times that of mlcore, and not equal to it. Check the "
                    "half in alpha, the sign of the exponent, and the sum of the "
                    "weights before each round."
                )
    return "Six data sets, and the scores of mlcore after 1, 2 and 9 rounds."


@checker
def rounds_needed(answer):
    for n, r in ((2, 0.5), (20, 0.9), (100, 0.1), (1000, 0.2), (10**6, 0.03)):
        got = call(answer, n, r)
        T = float(numbers(got, (), "back one integer"))
        for rounds, proves in ((T, True), (T - 1, False)):
            bound = (1 - r**2) ** (rounds / 2)
            if not T.is_integer() or proves != (bound < 1 / n):
                raise NotYet(
                    f"For n = {n} and r = {r} you say {short(got)}. After {rounds:g} "
                    f"rounds the product is {bound:.4g}, and 1/n is {1 / n:.4g}. Is yours "
                    "the smallest T, and how small can an error be without being zero?"
                )
    return "Five pairs of n and r: with T rounds the product is below 1/n, not with T - 1."


@checker
def no_edge(answer):
    X, y = answer
    try:
        X, y = np.asarray(X, float), np.asarray(y, float)
    except (TypeError, ValueError):
        raise NotYet("Give a matrix of points, and a list of labels.") from None
    if X.ndim != 2 or X.shape[1] < 2 or len(X) < 6 or y.shape != (len(X),):
        raise NotYet(f"Give six points or more, and labels; shapes {X.shape}, {y.shape}.")
    if len(np.unique(X, axis=0)) < len(X):
        raise NotYet("Two of your points are equal; all should differ.")
    if set(y) != {-1.0, 1.0}:
        raise NotYet(f"The labels should be -1 and +1, both; yours are {short(set(y))}.")
    h = best_stump(X, y, np.ones(len(y)))
    if h.error < 0.5 - 1e-9:
        rule = f"feature {h.feature} against {h.threshold:.4g}"
        if h.threshold < -1e100:
            rule = "the constant rule"
        raise NotYet(
            f"A stump, {rule}, has the error {h.error:.4g}. Count the labels on either "
            "side of each threshold: what should the difference be?"
        )
    return f"{len(y)} points, and no stump is better than chance: AdaBoost cannot start."


@checker
def first_weights(answer):
    rng = np.random.default_rng(3)
    for n, c in ((4, 1.0), (10, 3.0), (25, 0.2), (60, 50.0)):
        y = rng.permutation(np.where(np.arange(n) < max(n // 5, 1), 1.0, -1.0))
        D = numbers(call(answer, y, c), (n,), "back D (n,), finite numbers")
        cost = np.where(y > 0, c, 1.0)
        if not np.isclose(D.sum(), 1):
            raise NotYet(f"For c = {c:g} the weights have the sum {D.sum():.4g}.")
        ratio = D[y > 0][0] / D[y < 0][0]
        if not np.allclose(D, cost / cost.sum()):
            raise NotYet(
                f"For c = {c:g} and {int((y > 0).sum())} positive of {n}, a positive one "
                f"weighs {ratio:.4g} times a negative. What should one mistake cost?"
            )
    return "Four data sets: each example weighs what a mistake on it costs."


@checker
def level(answer):
    for epsilon in (0.01, 0.1, 0.25, 0.4, 0.49):
        theta = float(numbers(call(answer, epsilon), (), "back one number"))
        odds = (1 - epsilon) / epsilon
        factor = 2 * np.sqrt(epsilon * (1 - epsilon)) * odds ** (theta / 2)
        if not np.isclose(factor, 1, rtol=1e-9):
            raise NotYet(
                f"For epsilon = {epsilon} you say {theta:.4g}; there a factor of the bound "
                f"is {factor:.4f}. Where does it change from below 1 to above 1?"
            )
    return "At this level a factor is exactly 1: below it the product goes to zero."
