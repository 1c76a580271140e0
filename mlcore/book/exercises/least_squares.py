"""Checkers for the exercises of the chapter on least squares."""

import numpy as np

from mlcore.book.exercises import (
    Nothing,
    NotYet,
    call,
    checker,
    numbers,
    short,
    tidy,
    truths,
)
from mlcore.data import breast_cancer
from mlcore.features import polynomial
from mlcore.geometry import augment
from mlcore.least_squares import indicator_regression, least_squares, ridge
from mlcore.validation import k_folds

FOUR_DIGITS = 5.1e-5  # half a unit of the last digit asked, and rounding


@checker
def by_hand(w, b):
    w = float(numbers(w, (), "w, one number"))
    b = float(numbers(b, (), "b, one number"))
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
    if not v.any() or abs(row @ v) > 4 * FOUR_DIGITS * np.linalg.norm(v):
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
    rng = np.random.default_rng(5)
    for n, d, price in [(12, 2, 1.0), (9, 3, 0.3), (4, 6, 2.0), (30, 4, 100.0)]:
        X, y = rng.normal(size=(n, d)) + 2, rng.normal(size=n) + 5
        w, b = _pair(call(function, X, y, price), d, f"For {n} examples")
        want = ridge(X, y, lambda_=price)
        tried = f"For {n} examples with {d} features and the penalty {price:g}"
        if np.allclose(w, want.w) and np.isclose(b, want.b):
            continue
        found = [words for words, v in _slips(X, y, price) if np.allclose(w, v)]
        if found:
            raise NotYet(f"{tried} {found[0]}")
        if np.allclose(w, want.w):
            raise NotYet(
                f"{tried} w is right, but b = {tidy(b)} makes the residuals sum to "
                f"{tidy((y - X @ w - b).sum())}. What should this sum be?"
            )
        J = [np.sum((y - X @ u - c) ** 2) + price * u @ u for u, c in
             ((w, b), (want.w, want.b))]  # fmt: skip
        raise NotYet(
            f"{tried} your objective is {100 * (J[0] / J[1] - 1):.3g} % above its minimum. "
            "Is X centered, and is the penalty on the diagonal, with its sign?"
        )
    return "Four data sets, one of them with more features than examples."


def _pair(pair, d, tried):
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise NotYet(f"{tried} it returned {short(pair)}; return a pair (w, b).")
    w = numbers(pair[0], (d,), f"w of shape ({d},), one weight for each feature")
    return w, float(numbers(pair[1], (), "b as one number"))


def _slips(X, y, price):
    """(what was forgotten, in words; the weights that it leads to)."""
    n, d = X.shape
    longer = augment(X)
    v = np.linalg.solve(longer.T @ longer + price * np.eye(d + 1), longer.T @ y)
    yield ("the bias is penalized, too. Who pays for b?", v[:-1])
    yield ("the penalty counts n times. The loss is a sum, not a mean.",
           ridge(X, y, lambda_=n * price).w)  # fmt: skip
    yield ("the penalty counts one n-th. The loss is a sum, not a mean.",
           ridge(X, y, lambda_=price / n).w)  # fmt: skip
    yield ("the penalty counts half. There is no 1/2 in this objective.",
           ridge(X, y, lambda_=price / 2).w)  # fmt: skip
    yield ("the penalty counts twice.", ridge(X, y, lambda_=2 * price).w)
    if price != 1:
        yield ("the penalty is squared.", ridge(X, y, lambda_=price**2).w)
    yield ("the penalty has no effect.", least_squares(X, y).w)
    yield ("there is no bias: the line goes through the origin. Did you center?",
           ridge(X, y, lambda_=price, bias=False).w)  # fmt: skip


@checker
def choose_degree(function):
    rng = np.random.default_rng(6)
    tables, answers = [], []
    for seed in range(8):
        x, y = _curve(seed)
        splits = k_folds(y, folds=5, stratified=False, rng=rng)
        tables.append(_errors(x, y, splits))
        got = float(numbers(call(function, x, y, splits), (), "back one degree"))
        if not got.is_integer() or not 1 <= got <= 8:
            index = " Is it an index, which begins with 0?" if got == 0 else ""
            raise NotYet(f"It returned {tidy(got)}; return a degree from 1 to 8.{index}")
        answers.append(int(got))
    squared, root, absolute = (
        [1 + int(np.argmin(table[kind])) for table in tables] for kind in range(3)
    )
    if answers == squared:
        return "Eight data sets, and the degree with the smallest error on each."
    if answers == root:
        raise NotYet("You compare means of roots; the error of a split has no root.")
    if answers == absolute:
        raise NotYet("You compare absolute errors; the error of a split has squares.")
    wrong = next(k for k in range(8) if answers[k] != squared[k])
    errors = tables[wrong][0]
    raise NotYet(
        f"On data set {wrong + 1} you chose {answers[wrong]}, whose mean error over the "
        f"splits is {errors[answers[wrong] - 1]:.4g}; the smallest is {min(errors):.4g}. "
        "Has the fit a bias, is each error measured on examples that it has not seen, and "
        "are all degrees from 1 to 8 tried?"
    )


def _curve(seed):
    """Data whose best degree differs between squared, root and absolute errors."""
    own = np.random.default_rng(seed)
    a = own.normal(size=seed % 4 + 2)
    x = own.uniform(-1, 1, 40)
    if seed == 2:  # a straight line: the best degree is 1
        own = np.random.default_rng(16)
        x = own.uniform(-1, 1, 40)
        return x, 1 - 2 * x + own.normal(0, 0.1, 40)
    if seed == 4:
        return x, np.cos(8 * np.arccos(x)) + own.normal(0, 0.1, 40)
    if seed == 5:
        return x, np.cos(9 * np.arccos(x)) + own.normal(0, 0.02, 40)
    return x, np.polyval(a, x) + 0.1 * own.standard_t(2, 40)


def _errors(x, y, splits):
    """For each degree 1 to 8 the mean over the splits: squared, root, absolute."""
    columns = []
    for degree in range(1, 9):
        F, own = polynomial(x[:, None], degree=degree), []
        for train, test in splits:
            fit = least_squares(F[train], y[train])
            left = y[test] - fit.decision_function(F[test])
            square = np.mean(left**2)
            own.append((square, np.sqrt(square), np.mean(np.abs(left))))
        columns.append(np.mean(own, axis=0))
    return np.transpose(columns)


@checker
def how_far(function):
    tens = np.linspace(1, 2, 10)
    rng = np.random.default_rng(8)
    cases = [(np.r_[tens, -tens], np.repeat([1.0, -1.0], 10), 1.0)]
    for n, share in [(6, 0.0), (10, 0.3), (8, 0.9), (20, 0.6), (6, 1.1), (8, 1.4)]:
        y = np.tile([1.0, -1.0], n // 2)
        x = 1.5 * y + rng.normal(0, 0.5, n)
        x -= x.mean()
        cases.append((x, y, share * np.mean(x * y)))
    cases.append((np.array([1.0, 3.0, -1.0, -3.0]), np.array([1.0, 1.0, -1.0, -1.0]), 2.0))
    for x, y, t in cases:
        tried = f"For {len(y)} near examples and the threshold {t:.6g}"
        beyond = t >= np.mean(x * y) * (1 - 1e-12)
        try:
            D = call(function, x, y, t)
        except Nothing:
            if not beyond:
                raise
            raise NotYet(f"{tried} you return nothing; return 0 there.") from None
        D = float(numbers(D, (), "back one position, a number"))
        if beyond:
            if D:
                raise NotYet(
                    f"{tried} you return {tidy(D)}, but no position D > 0 reaches this "
                    "threshold. Where does it tend to, what does your formula divide by?"
                )
            continue
        if not D:
            raise NotYet(f"{tried} you return 0, but there is such a position.")
        if D < 0:
            raise NotYet(f"{tried} you return {tidy(D)}; D is positive. Is a sign wrong?")
        fit = least_squares(np.r_[x, D][:, None], np.r_[y, 1.0])
        at = -fit.b / fit.w[0]
        if np.isclose(at, t, rtol=1e-6, atol=1e-6):
            continue
        if np.isclose(at, t, rtol=1e-4, atol=1e-4):
            raise NotYet(f"{tried} {tidy(D)} is near, but not exact. Is it rounded?")
        raise NotYet(
            f"{tried} you return {tidy(D)}; with the example there, the threshold is "
            f"at {at:.6g}. Do the sums run over the near examples only, and which "
            "number multiplies b in the equation of the constant?"
        )
    return (
        "Eight data sets; at 67.70 the twenty examples of the text see the first mistake."
    )


CHANGES = (
    lambda X, y: (10 * X, y),
    lambda X, y: (X + np.array([3.0, -2.0]), y),
    lambda X, y: (np.repeat(X, 2, axis=0), np.repeat(y, 2)),
    lambda X, y: (np.vstack([X, X[y > 0]]), np.r_[y, y[y > 0]]),
    lambda X, y: (np.column_stack([X, X.sum(axis=1)]), y),
    lambda X, y: (X @ [[0.6, 0.8], [-0.8, 0.6]], y),
)


@checker
def same_scores(plain, with_penalty):
    for name, answer, fit in (
        ("least squares", plain, least_squares),
        ("ridge", with_penalty, lambda X, y: ridge(X, y, lambda_=3.0)),
    ):
        answer = truths(answer, len(CHANGES), of=name)
        for number, (said, change) in enumerate(zip(answer, CHANGES, strict=True), start=1):
            moved = _moved(fit, change)
            if said and moved > 1e-9:
                raise NotYet(
                    f"For {name}, number {number} does change the scores: on one data set "
                    f"one of them moved by {moved:.3f}."
                )
            if not said and moved <= 1e-9:
                raise NotYet(
                    f"For {name}, number {number} never changes a score. Which weights "
                    "give the old scores on the new data, and what do they cost?"
                )
    return "Least squares sees only the span of the columns; ridge sees lengths, too."


def _moved(fit, change):
    """By how much the largest change of a score is, on data where nothing is special."""
    rng = np.random.default_rng(9)
    X = rng.normal(size=(12, 2)) * [1.0, 2.0] + 1
    y = np.where(X @ [1.0, 0.5] + rng.normal(size=12) > 1, 1.0, -1.0)
    order = np.argsort(-y, kind="stable")  # positive examples first
    X, y = X[order], y[order]
    new_X, new_y = change(X, y)
    old, new = fit(X, y), fit(new_X, new_y)
    scores = new.decision_function(new_X)
    scores = scores[::2] if len(scores) == 2 * len(y) else scores[: len(y)]
    return np.abs(scores - old.decision_function(X)).max()


@checker
def pulls_hardest(index, score):
    at = float(numbers(index, (), "the index of a tumor, one number"))
    g = float(numbers(score, (), "its score, one number"))
    x, y = breast_cancer().X[:, [20]], breast_cancer().y
    if not at.is_integer() or not 0 <= at < len(y):
        raise NotYet(f"An index is a whole number from 0 to 568; this is {tidy(at)}.")
    full, shifts = least_squares(x, y), _shifts(x, y)
    hardest = int(np.argmax(np.abs(shifts)))
    if at != hardest:
        raise NotYet(
            f"Without tumor {at:.0f} the threshold moves by {shifts[int(at)]:.4f}; there "
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


def _shifts(x, y):
    """How the threshold moves when each example is left out."""
    full = least_squares(x, y)
    moved = []
    for out in range(len(y)):
        kept = np.arange(len(y)) != out
        fit = least_squares(x[kept], y[kept])
        moved.append(full.b / full.w[0] - fit.b / fit.w[0])
    return np.array(moved)


@checker
def lift(function):
    centers = np.array([-4.0, -2.0, 0.0, 2.0, 4.0])
    x = (centers[:, None] + np.linspace(-0.45, 0.45, 21)).ravel()
    classes = np.repeat(np.arange(5), 21)
    answer = call(function, x)
    try:
        features = np.asarray(answer, float)
    except (TypeError, ValueError):
        raise NotYet(f"It returned {short(answer)}; return features, (n, p).") from None
    if features.ndim != 2 or len(features) != len(x) or not 1 <= features.shape[1] <= 4:
        turned = features.ndim == 2 and features.shape[1] == len(x)
        raise NotYet(
            f"Return features of shape (105, p) with p from 1 to 4; the shape is "
            f"{features.shape}.{' Are rows and columns exchanged?' if turned else ''}"
        )
    for column in features.T:
        powers = [column[0] * (x / x[0]) ** k for k in range(1, 17)]
        zero = 1e-20 * np.abs(column).max()
        if not any(np.allclose(column, p, rtol=1e-5, atol=zero) for p in powers):
            raise NotYet("One of your features is none of the powers x, x**2, ..., x**16.")
    fit = indicator_regression(features, classes)
    wrong = fit.predict(features) != classes
    if wrong.any():
        lost = ", ".join(f"{centers[q]:g}" for q in np.unique(classes[wrong]))
        raise NotYet(
            f"{wrong.sum()} of 105 are wrong, in the classes at {lost}. Which further "
            "power would bend the scores?"
        )
    few = "" if features.shape[1] <= 2 else " Can you do it with fewer?"
    return f"All 105 are right with {features.shape[1]} features.{few}"
