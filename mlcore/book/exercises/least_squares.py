"""Checkers for the exercises of the chapter on least squares."""

import math

import numpy as np

from mlcore.book.exercises import (
    Nothing,
    NotYet,
    call,
    checker,
    floats,
    named,
    number,
    numbers,
    short,
    tidy,
    truths,
    w_and_b,
)
from mlcore.book.exercises import least_squares_data as data
from mlcore.data import breast_cancer
from mlcore.least_squares import indicator_regression, least_squares, ridge

FOUR_DIGITS = 5.1e-5  # half a unit of the last digit asked, and rounding


@checker
def by_hand(w, b):
    w = number(w, "w, one number")
    b = number(b, "b, one number")
    x, y = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 4.0])
    fit = least_squares(x[:, None], y)
    if np.allclose([w, b], [fit.b, fit.w[0]], atol=FOUR_DIGITS):
        raise NotYet("These are the right numbers in the wrong order: first w, then b.")
    if not np.allclose([w, b], [fit.w[0], fit.b], rtol=0, atol=FOUR_DIGITS):
        errors = y - (w * x + b)
        raise NotYet(
            f"Your residuals are {short(errors)}; their sum is {tidy(errors.sum())}, and "
            f"multiplied by x they sum to {tidy(errors @ x)}. What should both be? Give "
            "fractions, or four digits after the point."
        )
    return "The residuals are perpendicular to x and to the constant."


@checker
def shortest_of_many(shortest, null):
    w = numbers(shortest, (2,), "the shortest solution, a pair of numbers")
    v = numbers(null, (2,), "a vector v, a pair of numbers")
    row = np.array([1.0, 3.0])
    if abs(row @ w - 10) > 4 * FOUR_DIGITS:
        raise NotYet(f"w = {short(w)} gives {tidy(row @ w)} on the left, not 10.")
    if not v.any() or abs(row @ v) > 4 * FOUR_DIGITS * math.hypot(*v):
        raise NotYet(
            f"v = {short(v)} changes the left side by {tidy(row @ v)}. It must change "
            "nothing, and it must not be zero."
        )
    if np.abs(w - row).max() > FOUR_DIGITS:  # the shortest is this row itself
        raise NotYet(
            f"w = {short(w)} solves it, with length {np.linalg.norm(w):.3f}. Its product "
            f"with your v is {tidy(w @ v)}: what does Pythagoras say about w + s v?"
        )
    return "w is perpendicular to everything that may be added to it."


@checker
def my_ridge(function):
    for X, y, price in data.priced():
        n, d = X.shape
        w, b = w_and_b(call(function, X, y, price), f"For {n} examples")
        w = numbers(w, (d,), f"w of shape ({d},), one weight for each feature")
        b = number(b, "b as one number")
        want = ridge(X, y, lambda_=price)
        if np.allclose(w, want.w) and np.isclose(b, want.b):
            continue
        tried = f"For {n} examples with {d} features and the penalty {price:g}"
        slip = named(w, data.other_ridges(X, y, price))
        if slip:
            raise NotYet(f"{tried} {slip}")
        if np.allclose(w, want.w):
            raise NotYet(
                f"{tried} w is right, but b = {tidy(b)} makes the residuals sum to "
                f"{tidy((y - X @ w - b).sum())}. What should this sum be?"
            )
        J, low = (
            np.sum((y - X @ u - c) ** 2) + price * u @ u
            for u, c in ((w, b), (want.w, want.b))
        )
        raise NotYet(
            f"{tried} your objective is {100 * (J / low - 1):.3g} % above its minimum. "
            "Is X centered, and is the penalty on the diagonal, with its sign?"
        )
    return "Four data sets, one of them with more features than examples."


@checker
def choose_degree(function):
    tables, answers = [], []
    for x, y, splits in data.curves():
        tables.append(data.errors(x, y, splits))
        got = number(call(function, x, y, splits), "back one degree")
        if not got.is_integer() or not 1 <= got <= 8:
            index = " Is it an index, which begins with 0?" if got == 0 else ""
            raise NotYet(f"It returned {tidy(got)}; return a degree from 1 to 8.{index}")
        answers.append(int(got))
    squared, root, absolute, summed = (1 + np.argmin(tables, axis=2)).T.tolist()
    if answers == squared:
        return "Eight data sets, and the degree with the smallest error on each."
    if answers == root:
        raise NotYet("You compare means of roots; the error of a split has no root.")
    if answers == absolute:
        raise NotYet("You compare absolute errors; the error of a split has squares.")
    if answers == summed:
        raise NotYet(
            "You add up the squares; the error of a split is their mean, and not all test "
            "sets are equally large."
        )
    wrong = next(k for k in range(8) if answers[k] != squared[k])
    means = tables[wrong][0]
    raise NotYet(
        f"On data set {wrong + 1} you chose {answers[wrong]}, whose mean error over the "
        f"splits is {means[answers[wrong] - 1]:.4g}; the smallest is {min(means):.4g}. "
        "Has the fit a bias, is each error measured on examples that it has not seen, are "
        "all degrees from 1 to 8 tried, and is the mean over the splits compared?"
    )


@checker
def how_far(function):
    for x, y, t in data.thresholds():
        tried = f"For {len(y)} near examples and the threshold {t:.6g}"
        beyond = t >= np.mean(x * y) * (1 - 1e-12)
        try:
            D = call(function, x, y, t)
        except Nothing:
            if not beyond:
                raise
            D = math.nan
        if beyond and isinstance(D, float) and not math.isfinite(D):
            raise NotYet(f"{tried} no D > 0 reaches it; return 0.")
        D = number(D, "back one position, a number")
        if not beyond:
            _puts_threshold(D, x, y, t, tried)
        elif D:
            raise NotYet(
                f"{tried} you return {tidy(D)}, but no position D > 0 reaches this "
                "threshold. Where does it tend to, what does your formula divide by?"
            )
    return (
        "Eight data sets; beyond 67.70 a mistake is among the twenty examples of the text."
    )


def _puts_threshold(D, x, y, t, tried):
    """NotYet unless the fit with a positive example at D has its threshold at t."""
    if not D:
        raise NotYet(f"{tried} you return 0, but there is such a position.")
    if D < 0:
        raise NotYet(f"{tried} you return {tidy(D)}; D is positive. Is a sign wrong?")
    fit = least_squares(np.r_[x, D][:, None], np.r_[y, 1.0])
    at = -fit.b / fit.w[0]
    if np.isclose(at, t, rtol=1e-6, atol=1e-6):
        return
    if np.isclose(at, t, rtol=1e-4, atol=1e-4):
        raise NotYet(f"{tried} {tidy(D)} is near, but not exact. Is it rounded?")
    raise NotYet(
        f"{tried} you return {tidy(D)}; with the example there, the threshold is "
        f"at {at:.6g}. Do the sums run over the near examples only, and which "
        "number multiplies b in the equation of the constant?"
    )


@checker
def same_scores(plain, with_penalty):
    for name, answer, fit in (
        ("least squares", plain, least_squares),
        ("ridge", with_penalty, lambda X, y: ridge(X, y, lambda_=3.0)),
    ):
        answer = truths(answer, len(data.CHANGES), of=name)
        for q, (said, change) in enumerate(zip(answer, data.CHANGES, strict=True), start=1):
            shift = data.moved(fit, change)
            if said and shift > 1e-9:
                raise NotYet(
                    f"For {name}, number {q} does change the scores: on one data set one "
                    f"of them moved by {shift:.3f}."
                )
            if not said and shift <= 1e-9:
                raise NotYet(
                    f"For {name}, number {q} never changes a score. Which weights give "
                    "the old scores on the new data, and what do they cost?"
                )
    return "Least squares sees only the span of the columns; ridge sees lengths, too."


@checker
def pulls_hardest(index, score):
    at = number(index, "the index of a tumor, one number")
    g = number(score, "its score, one number")
    x, y = breast_cancer().X[:, [20]], breast_cancer().y
    if not at.is_integer() or not 0 <= at < len(y):
        raise NotYet(f"An index is a whole number from 0 to 568; this is {tidy(at)}.")
    full, moves = least_squares(x, y), data.shifts(x, y)
    hardest = int(np.argmax(np.abs(moves)))
    if at != hardest:
        raise NotYet(
            f"Without tumor {at:.0f} the threshold moves by {moves[int(at)]:.4f}; there "
            "is a tumor for which it moves farther. Do you compare absolute values, and "
            "does your count begin with 0?"
        )
    right = full.decision_function(x)[hardest]
    if abs(g - y[hardest] + right) < 0.0051 or abs(g + y[hardest] - right) < 0.0051:
        raise NotYet("The tumor is right; this is its residual. What is its score?")
    if abs(g - right) > 0.0051:
        raise NotYet(
            f"The tumor is right, but the fit to all 569 gives it another score than "
            f"{tidy(g)}. Is it in the fit that you ask, and is the bias added?"
        )
    return "No tumor is more obviously malignant, and none pulls the threshold farther."


@checker
def lift(function):
    centers = np.array([-4.0, -2.0, 0.0, 2.0, 4.0])
    x = (centers[:, None] + np.linspace(-0.45, 0.45, 21)).ravel()
    classes = np.repeat(np.arange(5), 21)
    answer = call(function, x)
    try:
        features = floats(answer)
    except (TypeError, ValueError):
        raise NotYet(f"It returned {short(answer)}; return features, (n, p).") from None
    if features.ndim != 2 or len(features) != len(x) or not 1 <= features.shape[1] <= 4:
        turned = features.ndim == 2 and features.shape[1] == len(x)
        raise NotYet(
            f"Return features of shape (105, p) with p from 1 to 4; the shape is "
            f"{features.shape}.{' Are rows and columns exchanged?' if turned else ''}"
        )
    if not np.isfinite(features).all():
        raise NotYet("All features should be finite numbers.")
    for column in features.T:
        if column[0] and np.allclose(column, column[0], rtol=1e-5, atol=0):
            raise NotYet("The fit adds the constant itself; give powers only.")
        powers = [column[0] * (x / x[0]) ** k for k in range(1, 17)]
        zero = 1e-20 * np.abs(column).max()
        if not any(np.allclose(column, p, rtol=1e-5, atol=zero) for p in powers):
            raise NotYet("One of your features is none of the powers x, x**2, ..., x**16.")
    fit = indicator_regression(features, classes)
    wrong = fit.predict(features) != classes
    if wrong.any():
        lost = ", ".join(f"{centers[q]:g}" for q in np.unique(classes[wrong]))
        ways = data.WAYS[features.shape[1] - 1]
        raise NotYet(
            f"{wrong.sum()} of 105 are wrong, in the classes at {lost}. Which power would "
            f"you {ways}?"
        )
    few = "" if features.shape[1] <= 2 else " Can you do it with fewer?"
    return f"All 105 are right with {features.shape[1]} features.{few}"
