"""Checkers for the exercises of the chapter on least squares."""

import numpy as np

from mlcore.book.exercises import NotYet, call, checker, compare, numbers, short, tidy
from mlcore.features import polynomial
from mlcore.geometry import augment
from mlcore.least_squares import indicator_regression, least_squares, ridge
from mlcore.validation import k_folds


@checker
def by_hand(answer):
    w, b = numbers(answer, (2,), "two numbers, w and b")
    x, y = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 4.0])
    errors = y - (w * x + b)
    slopes = np.array([errors @ x, errors.sum()])
    if not np.allclose(slopes, 0, atol=1e-6):
        raise NotYet(
            f"Your errors are {short(errors)}; their sum is {tidy(slopes[1])} and their "
            f"product with x is {tidy(slopes[0])}. Both must be zero: what if you center?"
        )
    return f"The errors {short(errors)} are orthogonal to x and to the constant."


@checker
def shortest_of_many(answer):
    shortest, null = answer
    w = numbers(shortest, (2,), "the shortest solution, a pair of numbers")
    v = numbers(null, (2,), "a vector v, a pair of numbers")
    row = np.array([1.0, 2.0])
    if not np.isclose(row @ w, 5):
        raise NotYet(f"w = {short(w)} gives {tidy(row @ w)}, which should be 5.")
    if not np.isclose(row @ v, 0) or not v.any():
        raise NotYet(f"v = {short(v)} changes the left side by {tidy(row @ v)}; it must be "
                     "a vector that changes nothing, and not zero.")  # fmt: skip
    if not np.isclose(w @ v, 0):
        raise NotYet(
            f"w = {short(w)} solves it, with length {np.linalg.norm(w):.3f}. Its product "
            f"with your v is {tidy(w @ v)}: what does Pythagoras say about w + s v?"
        )
    return "w lies in the row space, at right angles to everything that may be added."


@checker
def minimum_norm(answer):
    rng = np.random.default_rng(5)
    for rank, d, n in [(3, 3, 9), (2, 3, 9), (2, 5, 9), (4, 6, 4), (1, 4, 7)]:
        for scale in (1.0, 1e-6):
            X = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, d)) * scale
            y = rng.normal(size=n)
            want = least_squares(X, y, bias=False).w
            w = numbers(call(answer, X, y), (d,), "back w (d,), finite numbers")
            tried = f"On {n} examples with {d} features of rank {rank}, your w"
            if np.linalg.norm(w) > 1e4 * np.linalg.norm(want):
                raise NotYet(
                    f"{tried} is more than 10000 times as long as the shortest, which has "
                    f"{np.linalg.norm(want):.3g}. Which singular values do you invert?"
                )
            hint = "Is it orthogonal to the null space, and your tolerance relative?"
            compare(w, want, tried, hint, 1e-6)
    return "Ten matrices of ranks 1 to 4, of two scales, each time the shortest."


@checker
def a_third(answer):
    penalty = numbers(answer, (), "a number")
    if penalty < 0:
        raise NotYet(f"{penalty:g} is negative; then there may be no minimum.")
    x = np.array([[1.0], [2.0], [2.0]])
    for y in ([1.0, 2.0, 3.0], [3.0, -1.0, 5.0]):
        plain = least_squares(x, y, bias=False).w[0]
        share = ridge(x, y, lambda_=float(penalty), bias=False).w[0] / plain
        if not np.isclose(share, 1 / 3, rtol=1e-6):
            raise NotYet(
                f"With the penalty {penalty:g} and y = {short(y)} the weight is "
                f"{share:.4f} of the plain one. What stands below the fraction, with and "
                "without it?"
            )
    return "9 + 18 is three times 9, whatever y is."


@checker
def choose_degree(answer):
    rng = np.random.default_rng(6)
    for seed in range(8):
        own = np.random.default_rng(seed)
        a = own.normal(size=seed % 4 + 2)
        x = own.uniform(-1, 1, 40)
        y = np.polyval(a, x) + own.normal(0, 0.1, 40)
        splits = k_folds(y, folds=5, stratified=False, rng=rng)
        errors = [_mean_error(x, y, splits, p) for p in range(1, 9)]
        want = 1 + int(np.argmin(errors))
        got = numbers(call(answer, x, y, splits), (), "back one degree")
        if got != want:
            raise NotYet(
                f"On data set {seed + 1} you chose {got:g}; the smallest error over the "
                f"splits is at {want}. Is each error measured on examples that the fit "
                "has not seen?"
            )
    return "Eight data sets, and the degree with the smallest error on each."


def _mean_error(x, y, splits, degree):
    F = polynomial(x[:, None], degree=degree)
    errors = []
    for train, test in splits:
        fit = least_squares(F[train], y[train])
        errors.append(np.mean((y[test] - fit.decision_function(F[test])) ** 2))
    return np.mean(errors)


@checker
def one_far_example(answer):
    position = numbers(answer, (), "one position, a number")
    if not 2 < position <= 1e6:
        raise NotYet(f"{position:g} is not to the right of all, between 2 and 1e6.")
    tens = np.linspace(1, 2, 10)
    X = np.r_[tens, -tens, position][:, None]
    y = np.r_[np.ones(10), -np.ones(10), 1.0]
    fit = least_squares(X, y)
    wrong, at = int((fit.predict(X) != y).sum()), -fit.b / fit.w[0]
    if not wrong:
        raise NotYet(
            f"With the example at {position:g} the threshold is at {at:.3f}, and all 21 "
            "are right. Where must the threshold go, and what moves it there?"
        )
    return f"The threshold is at {at:.3f}, and {wrong} of 21 are wrong."


@checker
def weights(answer):
    rng = np.random.default_rng(7)
    for n, d, K in [(7, 2, 3), (12, 3, 4), (9, 1, 2), (30, 4, 3)]:
        X = rng.normal(size=(n, d))
        classes = np.arange(n) % K
        got = numbers(
            call(answer, X, classes, K), (d + 1, K), f"back W of shape (d + 1, K) for "
            f"d = {d}, K = {K}, finite numbers"
        )  # fmt: skip
        want = np.linalg.lstsq(augment(X), np.eye(K)[classes], rcond=None)[0]
        hint = "Is the constant last, and does row i of Y hold the 1 of example i?"
        compare(got, want, f"Your W for n = {n}, d = {d}, K = {K}", hint, 1e-7)
    return "Four data sets; each row of W belongs to a feature, each column to a class."


@checker
def lift(answer):
    centers = np.array([-4.0, -2.0, 0.0, 2.0, 4.0])
    x = (centers[:, None] + np.linspace(-0.45, 0.45, 21)).ravel()
    classes = np.repeat(np.arange(5), 21)
    features = np.asarray(call(answer, x), float)
    if features.ndim != 2 or len(features) != len(x) or not 1 <= features.shape[1] <= 4:
        raise NotYet(f"Give features of shape (105, p) with p <= 4; the shape is "
                     f"{features.shape}.")  # fmt: skip
    for column in features.T:
        powers = [column[0] * (x / x[0]) ** k for k in range(9)]
        if not any(np.allclose(column, power, rtol=1e-6) for power in powers):
            raise NotYet("One of your features is not a power of x. Try x, x**2, ...")
    fit = indicator_regression(features, classes)
    wrong = fit.predict(features) != classes
    if wrong.any():
        lost = ", ".join(f"{centers[q]:g}" for q in np.unique(classes[wrong]))
        raise NotYet(
            f"{wrong.sum()} of 105 are wrong, in the classes at {lost}. How often must the "
            "score of a class in the middle turn?"
        )
    return f"All 105 are right with {features.shape[1]} features."
