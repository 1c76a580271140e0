"""Checkers for the exercises of the chapter on the support vector machine."""

from functools import partial

import numpy as np

from mlcore.book.exercises import (
    Nothing,
    NotYet,
    call,
    checker,
    compare,
    named,
    number,
    numbers,
    short,
    tidy,
    truths,
    w_and_b,
)
from mlcore.book.exercises import svm_data as data
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
        if np.allclose(pair, np.negative(want)[::-1]) and np.any(want):
            raise NotYet(f"At z = {z} the sizes are right, but does the function rise?")
        if not np.allclose(pair, want):
            raise NotYet(
                f"At z = {z}, the slopes from {pair[0]:g} to {pair[1]:g} are not it. Which "
                "of the three lines is highest just left of that point, which just right?"
            )
    return "One slope where one line is highest, an interval where two of them meet."


@checker
def four_points(weight, bias, duals):
    w = number(weight, "w as one number")
    b = number(bias, "b as one number")
    a = numbers(duals, (4,), "four weights a, in the order of the examples")
    C = 0.5
    if a.min() < -1e-9 or a.max() > C + 1e-9:
        raise NotYet(f"Each weight must be between 0 and C = 0.5; these are {short(a)}.")
    if abs(a @ data.FOUR_Y) > 2e-3:
        raise NotYet(
            f"The positive examples have {tidy(a[:2].sum())} of weight in all, the "
            f"negative ones {tidy(a[2:].sum())}. Does b cancel?"
        )
    v = float(a @ (data.FOUR_Y * data.FOUR_X))
    if abs(w - v) > 4e-3:
        flipped = "Do the labels go into the sum?" if np.isclose(w, a @ data.FOUR_X) else ""
        raise NotYet(
            f"Your weights make v = {tidy(v)}, and your w is {tidy(w)}. {flipped}".strip()
        )
    z = data.FOUR_Y * (w * data.FOUR_X + b)
    for q in range(4):
        said = f"Example {q + 1} has z = {tidy(z[q])} and the weight {tidy(a[q])}"
        if z[q] > 1.002 and a[q] > 1e-3:
            raise NotYet(f"{said}. What must be the weight of an example with z above 1?")
        if z[q] < 0.998 and a[q] < C - 1e-3:
            raise NotYet(f"{said}. What must be the weight of an example with z below 1?")
    return "All conditions hold, so nothing is better: objective and bound both are 1.625."


@checker
def lower_bound(function):
    for X, y, a, C, case in data.admissible():
        want, got = data.bound(X, y, a), call(function, X, y, a, C)
        if np.shape(got) != ():
            raise NotYet(f"Return one number; {short(got)} is an array or a list.")
        given = number(got, f"back one number for {case}")
        slip = named(given, data.other_bounds(X, y, a), want)
        if slip:
            raise NotYet(f"For {case} you return {tidy(given)}. {slip}")
        compare(given, want, f"For {case} it", "Compare with the theorem, term by term.")
    for a, C, why in data.REFUSED:
        if _or_none(function, data.THREE_X, data.THREE_Y, np.array(a), C) is not None:
            raise NotYet(f"The weights {short(a)} {why}; return None for them.")
    for a, C in data.NEARLY:
        got = _or_none(function, data.THREE_X, data.THREE_Y, np.array(a), C)
        if got is None:
            raise NotYet("Weights that miss a condition by 1e-12 only are admissible.")
        tried = "For weights that miss a condition by 1e-12 it"
        want = data.bound(data.THREE_X, data.THREE_Y, np.array(a))
        compare(got, want, tried, "They have a bound like any others.")
    return "For the three points your bound is the objective itself: nothing can beat it."


def _or_none(function, *args):
    try:
        return call(function, *args)
    except Nothing:
        return None


@checker
def batch_pegasos(function):
    for X, y, batches in data.batch_runs():
        w, b = w_and_b(call(function, X, y, 0.3, batches))
        steps = len(batches)
        if steps == 1 and "nan" in short(w):
            raise NotYet("One batch gives nan. Which steps have t > T/2, if T is 1?")
        w = numbers(w, (2,), "back w of shape (2,)")
        own = np.array([*w, number(b, "back b as one number")])
        want = data.pegasos(X, y, 0.3, batches)
        same = partial(np.allclose, rtol=1e-7, atol=1e-9)
        if same(own, want):
            continue
        tried = f"After {steps} step{'s' * (steps > 1)} your"
        others = (
            (data.pegasos(X, y, 0.3, batches, q), hint)
            for q, hint in data.OTHER_RUNS.items()
        )
        slip = named(own, others, same=same)
        if slip:
            raise NotYet(f"{tried} (w, b) is {short(own)}. {slip}")
        compare(own, want, f"{tried} function", "Compare with the algorithm, line by line.")
    return "Four runs, of 1, 2, 7 and 40 steps, and the same means as ours."


@checker
def kernel_hits(function):
    for K, y, picks in data.kernel_runs():
        got = call(function, K, y, 0.2, picks)
        h = numbers(got, (8,), "back the hits, one count for each example")
        want = data.hits(K, y, 0.2, picks)
        if np.array_equal(h, want):
            continue
        tried = f"After {len(picks)} step{'s' * (len(picks) > 1)} your"
        if len(picks) == 1 and not h.any():
            raise NotYet(
                f"{tried} counts {short(h)} are not right. Before the first step w = 0, "
                "so the score is 0: is that example a hit?"
            )
        others = (
            (data.hits(K, y, 0.2, picks, q), hint) for q, hint in data.OTHER_HITS.items()
        )
        slip = named(h, others)
        if slip:
            raise NotYet(f"{tried} counts {short(h)} are not right. {slip}")
        hint = "How does the score follow from the counts so far?"
        compare(h, want, f"{tried} function", hint)
    return "Four runs with products of two features, and nobody computed a feature."


@checker
def same_w(stays):
    stays = truths(stays, 6)
    for q, (before, after) in enumerate(data.changes()):
        same = np.allclose(before, after, atol=1e-6)
        if stays[q] and not same:
            raise NotYet(
                f"Number {q + 1} does not always leave w: on one data set it was "
                f"{short(before.round(3))} before and {short(after.round(3))} after it."
            )
        if same and not stays[q]:
            raise NotYet(
                f"Number {q + 1} always leaves w. Take the weights a of the old data: "
                "which weights satisfy all conditions after the change?"
            )
    return "The conditions decide, and they see only some of what changes."


@checker
def leave_one_out(wrong):
    wrong = sorted(wrong) if isinstance(wrong, (set, frozenset)) else wrong
    flat = np.atleast_1d(np.asarray(wrong))
    if flat.dtype == bool:
        raise NotYet("Give the indices of the images, not True or False for each.")
    given = set(numbers(flat, (flat.size,), "a list of indices").tolist())
    right, support = data.left_out()
    if given and (min(given) < 0 or max(given) > 356 or any(q % 1 for q in given)):
        raise NotYet(f"Indices are whole numbers from 0 to 356; these are {short(wrong)}.")
    if given == support:
        raise NotYet("These are the support vectors: the images that *can* go wrong.")
    if not given:
        raise NotYet(
            "Some image does go wrong. Is it left out of the fit that is to classify it, "
            "and is every support vector tried?"
        )
    if given == {q + 1 for q in right}:
        raise NotYet(f"{short(sorted(given))}: does Python count from 0 or from 1?")
    extra = sorted(given - right)
    if extra:
        raise NotYet(f"Image {extra[0]:g} is classified correctly when it is left out.")
    if given != right:
        raise NotYet(f"{len(given)} found, and there are more. Did you try all?")
    bound = len(support) / 357
    return f"{len(right)} of 357, or {len(right) / 357:.1%}; the bound was {bound:.1%}."


@checker
def translated(answer):
    given = numbers(answer, (5,), "five constants")
    lambda_ = lambda_of("Zisserman", constant=0.5, n=200)
    forms = ("SVC", "SGDClassifier", "Krause mean", "Krause sum")
    want = [lambda_, *(constant_of(form, lambda_=lambda_, n=200) for form in forms)]
    names = ("lambda", "C of SVC", "alpha", "the c of the mean", "the c of the sum")
    for name, own, right in zip(names, given, want, strict=True):
        if np.isclose(own, right, rtol=1e-6):
            continue
        slips = {
            0.5: "a factor 2 is missing: where does |w|^2 have a half, and where not?",
            2: "a factor 2 is too much: where does |w|^2 have a half, and where not?",
            200: "is the loss a sum there, or a mean over the 200 examples?",
            1 / 200: "is the loss a sum there, or a mean over the 200 examples?",
        }
        hint = "compare the price of |w|^2 with the price of one example's loss."
        for factor, words in slips.items():
            hint = words if np.isclose(own, factor * right, rtol=1e-6) else hint
        raise NotYet(f"{name} = {own:g} makes another minimizer; {hint}")
    return "Five constants, one ratio of prices."


@checker
def loose_bias(points, lambda_):
    x, y = numbers(points, (4,), "four numbers"), np.array([1.0, 1.0, -1.0, -1.0])
    lambda_ = number(lambda_, "lambda, a number")
    if not (1e-6 <= lambda_ <= 1e6 and np.abs(x).max() <= 1e6):
        raise NotYet(
            "Stay with numbers up to a million, and with lambda from 1e-6 to 1e6; "
            f"these are {short(x)} and {short(lambda_)}."
        )
    X = x[:, None]
    fit = soft_margin(X, y, lambda_=lambda_)
    small = abs(fit.w[0]) <= 1e-7 * fit.C * np.abs(x).sum()
    if small and abs(fit.w[0]) * np.ptp(x) <= 1e-6:
        raise NotYet("Here w = 0: the rule ignores x. Put the classes apart.")
    corners = y - X @ fit.w  # J is linear in b between these
    J = np.array([objective(X, y, fit.w, float(c), lambda_=lambda_) for c in corners])
    best = corners[J - J.min() <= 1e-9]
    if np.ptp(best) < 1 - 1e-6:
        raise NotYet(
            f"w = {fit.w[0]:.3g}, and the best b form an interval of length "
            f"{round(np.ptp(best), 5):g}. For b to be loose, no example may hold it: which "
            "z_i must then be below 1, and what does lambda do to w?"
        )
    accuracy = np.mean(sgn(X @ fit.w + best.mean()) == y)
    return f"Every b from {best.min():.3g} to {best.max():.3g}; accuracy {accuracy:.0%}."
