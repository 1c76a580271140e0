"""Checkers for the exercises of the chapter on the support vector machine."""

import numpy as np
import sympy as sp

from mlcore import losses
from mlcore.book.exercises import NotYet, call, checker, compare, numbers, short, tidy
from mlcore.data import overlapping
from mlcore.linear import sgn
from mlcore.scalings import constant_of, lambda_of
from mlcore.svm import objective, soft_margin


@checker
def slopes(answer):
    given = numbers(answer, (3, 2), "three pairs (least slope, largest slope)")
    where = ("0", "1/2", "1")
    for z, pair, want in zip(where, given, ((-3, -3), (-3, -1), (-1, 0)), strict=True):
        if pair[0] > pair[1]:
            raise NotYet(f"At z = {z}, give the smaller slope first; got {short(pair)}.")
        if not np.allclose(pair, want):
            raise NotYet(
                f"At z = {z}, the slopes from {pair[0]:g} to {pair[1]:g} are not it. Which "
                "of the three lines is highest just left of that point, which just right?"
            )
    return "One slope where one line is highest, an interval where two of them meet."


@checker
def tight(answer):
    z = numbers(answer, (5,), "five margins")
    mistakes, paid = int((z <= 0).sum()), losses.hinge.value(z).sum()
    if mistakes != 2:
        raise NotYet(f"These margins hold {mistakes} mistakes, and two are wanted.")
    if not np.isclose(paid, 2, rtol=0, atol=1e-9):
        raise NotYet(
            f"Two mistakes, and the hinge losses sum to {paid:g}. What does a mistake pay "
            "at the least, and which margins pay nothing?"
        )
    return "Mistakes exactly at zero, and nobody inside the street."


@checker
def translated(answer):
    given = numbers(answer, (5,), "five constants")
    lambda_ = lambda_of("Zisserman", constant=0.5, n=200)
    forms = ("SVC", "Krause mean", "Krause sum", "SGDClassifier")
    want = [lambda_, *(constant_of(form, lambda_=lambda_, n=200) for form in forms)]
    names = ("lambda", "C of SVC", "lambda_K", "lambda'_K", "alpha")
    for name, own, right in zip(names, given, want, strict=True):
        if not np.isclose(own, right, rtol=1e-6):
            raise NotYet(
                f"{name} = {own:g} makes another minimizer. Compare the price of |w|^2 "
                "with the price of one example's loss: their ratio must be the same."
            )
    return "Five constants, one ratio of prices."


@checker
def step_size(answer):
    names = {s: sp.Symbol(s, positive=True) for s in ("n", "t", "lambda")}
    try:
        given = sp.sympify(answer)
        own = given.subs({s: names.get(s.name, s) for s in given.free_symbols})
    except (sp.SympifyError, TypeError, AttributeError):
        raise NotYet(f"Give an expression in lambda_, n, t; got {short(answer)}.") from None
    n, t, lambda_ = (names[s] for s in ("n", "t", "lambda"))
    factor = sp.simplify(1 - own * 2 * lambda_ / n)
    if sp.simplify(factor - (1 - 1 / t)) != 0:
        raise NotYet(
            f"With this step, w is multiplied by {short(factor)} in step t; it should be "
            "1 - 1/t. What is the gradient of one term's penalty?"
        )
    return "The penalty of one term bends by 2 lambda / n, and the step is 1 / (that t)."


@checker
def my_pegasos(answer):
    for seed in range(3):
        data = overlapping(60, 2, separation=2.0, rng=seed)
        X, y = data.X + np.array([1.5, 0.0]), data.y
        least = soft_margin(X, y, lambda_=0.1).value
        picks = np.random.default_rng(seed).integers(60, size=20000)
        try:
            w, b = call(answer, X, y, 0.1, picks)
        except (TypeError, ValueError):
            raise NotYet("Return two things: w (d,), and the number b.") from None
        w, b = numbers(w, (2,), "back w (d,)"), numbers(b, (), "back a number b")
        J = objective(X, y, w, float(b), lambda_=0.1)
        if J / least > 1.02:
            raise NotYet(
                f"After 20000 steps on 60 examples, J = {J:.4f}, and the minimum is "
                f"{least:.4f}. Is the test made before the update, does b move, and do you "
                "return a mean over the last half?"
            )
    return "Three data sets, each time within two percent of the minimum."


@checker
def hyperplane(answer):
    for seed in range(12):
        data = overlapping(30, 2, separation=2.0, rng=seed)
        fit = soft_margin(data.X, data.y, lambda_=0.05)
        if np.minimum(fit.a, fit.C - fit.a).max() < 0.01 * fit.C:
            continue  # nobody on the curb: b is not unique
        try:
            w, b = call(answer, data.X, data.y, fit.a, fit.C)
        except (TypeError, ValueError):
            raise NotYet("Return two things: w (d,), and the number b.") from None
        tried = f"On 30 examples with {len(fit.support)} support vectors, your"
        compare(w, fit.w, f"{tried} w", "It is a sum over the examples.", 1e-5)
        compare(b, fit.b, f"{tried} b", "Which support vectors have margin 1?", 1e-4)
    return "Eleven problems, and the hyperplane of each from its duals alone."


@checker
def without(answer):
    for seed in range(4):
        data = overlapping(40, 2, separation=2.0, rng=seed)
        full = soft_margin(data.X, data.y, lambda_=0.05)
        try:
            X, y, lambda_ = call(answer, data.X, data.y, 0.05)
        except (TypeError, ValueError):
            raise NotYet("Return three things: X, y and lambda_ of the rest.") from None
        rest = soft_margin(X, y, lambda_=float(lambda_))
        pairs = {(*row, label) for row, label in zip(data.X, data.y, strict=True)}
        if not {(*row, label) for row, label in zip(X, y, strict=True)} <= pairs:
            raise NotYet("Some of the rows you returned are not among the examples.")
        if len(X) > len(full.support):
            raise NotYet(f"You kept {len(X)} of 40; {len(full.support)} carry w.")
        moved = np.linalg.norm(rest.w - full.w) / np.linalg.norm(full.w)
        if moved > 1e-5:
            raise NotYet(
                f"Fitted to the {len(X)} that you kept, w moved by {moved:.1%}. The mean "
                "is now over fewer examples: what happened to the price of each?"
            )
    return "Four problems, and nothing moved."


@checker
def loose_bias(answer):
    x, lambda_ = answer
    x, y = numbers(x, (4,), "four numbers"), np.array([1.0, 1.0, -1.0, -1.0])
    lambda_ = float(numbers(lambda_, (), "a number lambda_"))
    X = x[:, None]
    fit = soft_margin(X, y, lambda_=lambda_)
    if abs(fit.w[0]) < 1e-6:
        raise NotYet("Here w = 0: the rule ignores x. Put the classes apart.")
    corners = y - X @ fit.w  # J is linear in b between these
    J = np.array([objective(X, y, fit.w, float(c), lambda_=lambda_) for c in corners])
    best = corners[J - J.min() <= 1e-9]
    if np.ptp(best) < 1:
        raise NotYet(
            f"w = {fit.w[0]:.4g}, and the best b form an interval of length "
            f"{tidy(np.ptp(best))}. No example may sit on the curb: how large "
            "must lambda be?"
        )
    accuracy = np.mean(sgn(X @ fit.w + best.mean()) == y)
    return f"Every b from {best.min():.3g} to {best.max():.3g}; accuracy {accuracy:.0%}."
