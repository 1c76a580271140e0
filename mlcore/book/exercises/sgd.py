"""Checkers for the exercises of the chapter on stochastic gradient descent."""

from itertools import product

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    checker,
    compare,
    named,
    near,
    number,
    numbers,
    short,
    tidy,
)
from mlcore.book.exercises import sgd_data as data
from mlcore.optim import constant


@checker
def by_hand(one_step, independent, different):
    names = ("the mean after one step", "the mean of four", "the mean of two orders")
    wants, came = (0.25, 0.1875, 0.75), []
    for answer, name in zip((one_step, independent, different), names, strict=True):
        came.append(number(answer, f"{name}, one number"))
    first, four, two = came
    slips = (
        (first, -0.25, "step goes against the slope: w - eta J'"),
        (first, 0.5, "mean is half the sum of -1/2 and the other end"),
        (two, 1.5, "mean is over both orders, 1, 2 and 2, 1"),
        (two, 0.0, "mean is over both orders, 1, 2 and 2, 1"),
        (four, 0.75, "mean of four takes all four pairs, 1, 1 and 2, 2 as well"),
    )
    for answer, slip, sentence in slips:
        if abs(answer - slip) < 1e-3:
            raise NotYet(f"You give {tidy(answer)}. The {sentence}.")
    hints = (
        "Where does each of the two examples send w = 0?",
        "Make a table of four rows, as the text does. At which w is the second slope?",
        "Only the rows in which the two examples differ count.",
    )
    for answer, want, name, hint in zip(came, wants, names, hints, strict=True):
        if not near(answer, want):
            raise NotYet(f"For {name} you give {tidy(answer)}, not right. {hint}")
    return "Independent draws agree with gradient descent, and the two orders do not."


@checker
def best_step(threshold, fastest):
    threshold = number(threshold, "the threshold, one number")
    fastest = number(fastest, "the fastest step size, one number")
    bend = np.array([9.0, 1.0])
    if not near(threshold, 2 / 9):
        factors = 1 - threshold * bend
        raise NotYet(
            f"At the step size {threshold:.4g} the coordinates are multiplied by "
            f"{factors[0]:.4g} and {factors[1]:.4g}. At the threshold, which factor "
            "just reaches 1 in absolute value?"
        )
    factors = np.abs(1 - fastest * bend)
    if not near(fastest, 0.2):
        raise NotYet(
            f"With {fastest:.4g} the two errors are multiplied by {factors[0]:.4g} and "
            f"{factors[1]:.4g} in absolute value, and the larger counts. Can both "
            "coordinates be made to shrink by the same factor?"
        )
    return "Below 2/9 it converges; with 1/5 both errors shrink by the factor 0.8."


@checker
def my_sgd(function):
    hint = (
        "Is the size of the first step steps(1), of the second steps(2), and is each "
        "gradient taken at the newest w?"
    )
    for gradient, w0, order in data.drawn():
        for steps in data.STEPS:
            got = numbers(call(function, gradient, w0, steps, order), (2,), "back w (d,)")
            want = data.run(gradient, order, w0, steps=steps)
            slips = data.other_runs(gradient, w0, steps, order)
            slip = None if np.allclose(got, want) else named(got, slips)
            if slip:
                raise NotYet(f"With {steps!r} your run {slip}.")
            compare(got, want, f"With {steps!r} and 9 draws it", hint)
    return "Ten runs with repeated draws, each equal to mlcore's."


@checker
def averaged(function):
    hint = (
        "Is the mean over the points after the steps skip + 1, ..., 9, each with the same "
        "weight?"
    )
    for gradient, w0, order in data.drawn():
        points = data.path(gradient, w0, 0.5, order)
        for skip in (0, 4):
            got = call(function, gradient, w0, 0.5, order, skip)
            got = numbers(got, (2,), "back the mean (d,)")
            want = points[skip + 1 :].mean(axis=0)
            tried = f"With 9 steps and skip = {skip}"
            slips = data.other_means(points, skip)
            slip = None if np.allclose(got, want) else named(got, slips)
            if slip:
                raise NotYet(f"{tried} what you return {slip}.")
            compare(got, want, f"{tried} it", hint)
    return "Ten runs, each the mean of just those points."


@checker
def two_step_bias(function):
    for n, eta, different in product(range(3, 7), (2.0, 0.5), (False, True)):
        gradient, w = data.Gradient(n - 3, n=n), np.random.default_rng(n - 3).normal(size=2)
        got = numbers(call(function, gradient, n, w, eta, different), (2,), "back (d,)")
        want = data.bias_after_two(gradient, n, w, eta, different)
        tried = f"For {n} examples, eta = {eta:g} and different={different}"
        if np.allclose(got, want, rtol=1e-7, atol=1e-12):
            continue
        slip = named(got, data.other_biases(gradient, n, w, eta, different))
        if slip:
            raise NotYet(f"{tried} you return {short(got)}: {slip}")
        pairs = n * (n - 1) if different else n**2
        hint = (
            f"There are {pairs} pairs, all equally likely, and the second gradient is "
            "taken where the first step ended."
        )
        compare(got, want, tried, hint, rtol=1e-7)
    return "Sixteen cases, exactly; none of the biases is zero."


@checker
def one_pass(function):
    gradient, w = data.Gradient(3, n=20), np.array([1.0, -2.0])
    for lambda_, eta in ((0.5, 0.15), (2.0, 0.01), (0.0, 1.0)):
        got = numbers(call(function, gradient, 20, w, eta, lambda_), (2,), "back w (d,)")
        want = data.run(gradient, range(20), w, 2 * lambda_ / 20, steps=constant(eta))
        tried = f"With lambda = {lambda_:g} and eta = {eta:g}"
        if lambda_ and not np.allclose(got, want):
            apart = named(got, data.penalty_apart(gradient, w, eta, lambda_ / 20))
            if apart:
                raise NotYet(f"{tried} {apart}.")
            slip = named(got, data.other_passes(gradient, w, eta, lambda_))
            if slip:
                raise NotYet(
                    f"{tried} a pass over 20 examples goes to {short(got)}: {slip}. Where "
                    "would such passes end?"
                )
        hint = "Update once for each i, in order, at the newest w."
        compare(got, want, f"{tried} a pass", hint)
    return "Three passes, each as it should be: each point has its share of the penalty."


@checker
def schedules(mean_square, both):
    asked = ((mean_square, "abce", data.CONVERGES, "the first string"),
             (both, "ac", data.MEETS_BOTH, "the second string"))  # fmt: skip
    for answer, *_ in asked:
        if not isinstance(answer, str) or not set(answer.lower()) <= set("abcdef, "):
            raise NotYet(f"Give letters from a to f in a string; this is {short(answer)}.")
    for answer, want, hints, name in asked:
        given = set(answer.lower()) - set(", ")
        wrong = sorted(given ^ set(want))
        if len(wrong) > 1:
            asks = (
                "Does the step tend to zero, and is the sum of all steps infinite?",
                "Is the sum of the steps infinite, and that of their squares finite?",
            )
            raise NotYet(
                f"In {name} {len(wrong)} of the six letters are wrong or missing. Ask of "
                f"each sequence: {asks[name != 'the first string']}"
            )
        for letter in wrong:
            verb = "is in" if letter in given else "is not in"
            hint = hints[letter] + "." * (not hints[letter].endswith("?"))
            raise NotYet(f"({letter}) {verb} {name}. Think again: {hint}")
    return "For two of them the mean square tends to zero without both conditions."


@checker
def certify(certified, true):
    asked = [number(a, "a number of steps") for a in (certified, true)]
    counts = data.descent_on_digits()
    wants = (counts["certified"], counts["true"])
    if asked[0] < asked[1]:
        raise NotYet(
            f"Your certificate comes after step {tidy(asked[0])}, and the gap itself is "
            f"small after step {tidy(asked[1])}. Can a promise come before the fact?"
        )
    for answer, want, what in zip(asked, wants, ("certificate", "gap"), strict=True):
        if answer == want - 1:
            raise NotYet(
                f"{tidy(answer)} for the {what}: one too few. After how many steps is "
                "the test met, if the start is step 0?"
            )
        if answer == want + 1:
            raise NotYet(
                f"{tidy(answer)} for the {what}: one too many. Steps are counted, and the "
                "start is step 0."
            )
        for slip, count in counts.items():
            if what == "certificate" and answer == count != want and slip != "true":
                raise NotYet(f"{tidy(answer)} for the certificate: {slip}.")
        hint = (
            "Are the pixels divided by 16, is the mean image of these images subtracted, "
            "and is eta = 1/L with the lambda in L?"
        )
        if answer != want:
            raise NotYet(f"{tidy(answer)} steps for the {what} is not right. {hint}")
    return f"Certified after {wants[0]} steps; it had been true after {wants[1]}."


@checker
def fair_orders(a, c, w):
    a, c = (numbers(v, (3,), f"{name}, three numbers") for v, name in ((a, "a"), (c, "c")))
    w = number(w, "w, one number")
    g = a * w - c
    if a.min() <= 0:
        raise NotYet(f"Your a are {short(a)}. All three must be above zero.")
    for values, name in ((a, "curvatures"), (g, "slopes at w")):
        scale = np.abs(values).max()
        if np.diff(np.sort(values)).min() <= 1e-6 * scale:
            raise NotYet(f"Your {name} are {short(values)}; no two may be equal.")
    sizes = np.abs(a).max(), np.abs(g).max()
    if max(sizes) > 1e100 or min(sizes) < 1e-100:
        raise NotYet("Numbers below 1e100 and above 1e-100 will do.")
    da, dg = a - a.mean(), g - g.mean()
    bias = -(da @ dg) / 6
    if abs(bias) > 1e-9 * np.abs(da).max() * np.abs(dg).max():
        raise NotYet(
            f"The slopes at w are {short(g)}, and with eta = 1 two different examples end "
            f"at {bias:.6g} from where they should, on average. Which covariance must be "
            "zero?"
        )
    return "Two different examples, in all six orders, end on average where descent does."
