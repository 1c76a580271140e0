"""The exercises of the chapter on least squares."""

import math

import numpy as np

from mlcore.book.exercises import (
    Nothing,
    NotYet,
    call,
    checker,
    first,
    floats,
    number,
    numbers,
    refuse,
)
from mlcore.book.exercises.kit import Exercise, Function, Number, Truths, exercise
from mlcore.book.exercises.words import short, tidy
from mlcore.data import breast_cancer
from mlcore.features import polynomial
from mlcore.geometry import augment
from mlcore.least_squares import indicator_regression, least_squares, ridge
from mlcore.validation import k_folds

FOUR_DIGITS = 5.1e-5  # half a unit of the last digit asked, and rounding


@checker
def by_hand(w, b):
    w, b = number(w, "w, one number"), number(b, "b, one number")
    x, y = np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 4.0])
    fit, errors = least_squares(x[:, None], y), y - (w * x + b)
    right = fit.w[0], fit.b
    swapped = np.allclose([b, w], right, atol=FOUR_DIGITS)
    refuse(
        (swapped, "These are the right numbers in the wrong order: first w, then b."),
        (not np.allclose([w, b], right, rtol=0, atol=FOUR_DIGITS), "Your residuals are "
         f"{short(errors)}; their sum is {tidy(errors.sum())}, and multiplied by x they "
         f"sum to {tidy(errors @ x)}. What should both be? Give fractions, or four digits "
         "after the point."),
    )  # fmt: skip
    return "The residuals are perpendicular to x and to the constant."


@checker
def shortest_of_many(shortest, null):
    w = numbers(shortest, (2,), "the shortest solution, a pair of numbers")
    v = numbers(null, (2,), "a vector v, a pair of numbers")
    row = np.array([1.0, 3.0])
    refuse(
        (abs(row @ w - 10) > 4 * FOUR_DIGITS, f"w = {short(w)} gives {tidy(row @ w)} on "
         "the left, not 10."),
        (not v.any() or abs(row @ v) > 4 * FOUR_DIGITS * math.hypot(*v), f"v = {short(v)} "
         f"changes the left side by {tidy(row @ v)}. It must change nothing, and it must "
         "not be zero."),
        (np.abs(w - row).max() > FOUR_DIGITS, f"w = {short(w)} solves it, with length "
         f"{np.linalg.norm(w):.3f}. Its product with your v is {tidy(w @ v)}: what does "
         "Pythagoras say about w + s v?"),
    )  # fmt: skip
    return "w is perpendicular to everything that may be added to it."


@exercise
def my_ridge():
    def cases():
        rng = np.random.default_rng(5)  # in the third there are more features than examples
        for n, d, price in [(12, 2, 1.0), (9, 3, 0.3), (4, 6, 2.0), (30, 4, 100.0)]:
            yield rng.normal(size=(n, d)) + 2, rng.normal(size=n) + 5, price

    def at(price, **options):
        def fit(X, y, lambda_):
            found = ridge(X, y, lambda_=price(len(y), lambda_), **options)
            return found.w, found.b

        return fit

    def bias_pays(X, y, price):
        Z = augment(X)
        *w, b = np.linalg.solve(Z.T @ Z + price * np.eye(len(Z.T)), Z.T @ y)
        return np.array(w), b

    def fault(w, b, X, y, price):
        (u, c), left = right(X, y, price), (y - X @ w - b).sum()
        J = np.sum((y - X @ w - b) ** 2) + price * w @ w
        over = J / (np.sum((y - X @ u - c) ** 2) + price * u @ u) - 1
        return first(
            (np.allclose(w, u), f"w is right, but b = {tidy(b)} makes the residuals sum "
             f"to {tidy(left)}. What should this sum be?"),
            (True, f"your objective is {100 * over:.3g} % above its minimum. Is X "
             "centered, and is the penalty on the diagonal, with its sign?"),
        )  # fmt: skip

    right = at(lambda n, price: price)
    slips = {
        bias_pays: "the bias is penalized, too. Who pays for b?",
        at(lambda n, price: n * price): "the penalty counts n times. The loss is a sum, "
            "not a mean.",
        at(lambda n, price: price / n): "the penalty counts one n-th. The loss is a sum, "
            "not a mean.",
        at(lambda n, price: price / 2): "the penalty counts half. There is no 1/2 in this "
            "objective.",
        at(lambda n, price: 2 * price): "the penalty counts twice.",
        at(lambda n, price: price**2): "the penalty is squared.",
        at(lambda n, price: 1.0): "you add 1 on the diagonal, and not the price.",
        at(lambda n, price: 0.0): "the penalty has no effect.",
        at(lambda n, price: price, bias=False): "there is no bias: the line goes through "
            "the origin. Did you center?",
    }  # fmt: skip
    praise = "Four data sets, one of them with more features than examples."
    return Exercise(praise, function=Function(
        right, cases, slips, "Give one weight for each feature, and b as one number.",
        lambda X, y, price: f"For {len(y)} examples with {len(X.T)} features and the "
            f"penalty {price:g}",
        ("your w", "your b"), "{tried} {said}", fault, rtol=1e-5,
    ))  # fmt: skip


@checker
def choose_degree(function):
    tables, answers = [], []
    for x, y, splits in curves():
        tables.append(errors(x, y, splits))
        got = number(call(function, x, y, splits), "back one degree")
        index = " Is it an index, which begins with 0?" if got == 0 else ""
        refuse((not got.is_integer() or not 1 <= got <= 8, f"It returned {tidy(got)}; "
            f"return a degree from 1 to 8.{index}"))  # fmt: skip
        answers.append(int(got))
    squared, root, absolute, summed = (1 + np.argmin(tables, axis=2)).T.tolist()
    if answers == squared:
        return "Eight data sets, and the degree with the smallest error on each."
    wrong = next(k for k in range(8) if answers[k] != squared[k])
    own, least = tables[wrong][0][answers[wrong] - 1], min(tables[wrong][0])
    raise NotYet(first(
        (answers == root, "You compare means of roots; the error of a split has no root."),
        (answers == absolute, "You compare absolute errors; the error of a split has "
         "squares."),
        (answers == summed, "You add up the squares; the error of a split is their mean, "
         "and not all test sets are equally large."),
        (True, f"On data set {wrong + 1} you chose {answers[wrong]}, whose mean error "
         f"over the splits is {own:.4g}; the smallest is {least:.4g}. Has the fit a bias, "
         "is each error measured on examples that it has not seen, are all degrees from 1 "
         "to 8 tried, and is the mean over the splits compared?"),
    ))  # fmt: skip


def curves():
    """(x, y, splits) of eight data sets; in the last the test sets have 4, 10 and 26."""
    rng = np.random.default_rng(6)
    for seed in range(7):
        x, y = curve(seed)
        yield x, y, k_folds(y, folds=5, stratified=False, rng=rng)
    tests = np.split(np.random.default_rng(8).permutation(40), [4, 14])
    yield *curve(7), [(np.setdiff1d(np.arange(40), test), test) for test in tests]


def curve(seed):
    """Data whose best degree differs between squared, root and absolute errors."""
    own = np.random.default_rng(seed)
    a = own.normal(size=seed % 4 + 2)
    x = own.uniform(-1, 1, 40)
    if seed == 2:  # a straight line: the best degree is 1
        own = np.random.default_rng(16)
        x = own.uniform(-1, 1, 40)
        return x, 1 - 2 * x + own.normal(0, 0.1, 40)
    if seed in (4, 5):
        degree, noise = {4: (8, 0.1), 5: (9, 0.02)}[seed]
        return x, np.cos(degree * np.arccos(x)) + own.normal(0, noise, 40)
    return x, np.polyval(a, x) + 0.1 * own.standard_t(2, 40)


def errors(x, y, splits):
    """For each degree 1 to 8 the mean over the splits: squared, root, absolute, summed."""
    columns = []
    for degree in range(1, 9):
        F, own = polynomial(x[:, None], degree=degree), []
        for train, test in splits:
            fit = least_squares(F[train], y[train])
            left = y[test] - fit.decision_function(F[test])
            square = np.mean(left**2)
            own.append((square, np.sqrt(square), np.mean(np.abs(left)), left @ left))
        columns.append(np.mean(own, axis=0))
    return np.transpose(columns)


@checker
def how_far(function):
    for x, y, t in thresholds():
        tried = f"For {len(y)} near examples and the threshold {t:.6g}"
        beyond = t >= np.mean(x * y) * (1 - 1e-12)
        try:
            D = call(function, x, y, t)
        except Nothing:
            if not beyond:
                raise
            D = math.nan
        infinite = isinstance(D, float) and not math.isfinite(D)
        refuse((beyond and infinite, f"{tried} no D > 0 reaches it; return 0."))
        D = number(D, "back one position, a number")
        refuse(
            (beyond and D, f"{tried} you return {tidy(D)}, but no position D > 0 reaches "
             "this threshold. Where does it tend to, what does your formula divide by?"),
            (D == 0 and not beyond, f"{tried} you return 0, but there is such a position."),
            (D < 0, f"{tried} you return {tidy(D)}; D is positive. Is a sign wrong?"),
        )  # fmt: skip
        if beyond:
            continue
        fit = least_squares(np.r_[x, D][:, None], np.r_[y, 1.0])
        at = -fit.b / fit.w[0]
        exact, close = (np.isclose(at, t, rtol=r, atol=r) for r in (1e-6, 1e-4))
        refuse(
            (close and not exact, f"{tried} {tidy(D)} is near, but not exact. Is it "
             "rounded?"),
            (not exact, f"{tried} you return {tidy(D)}; with the example there, the "
             f"threshold is at {at:.6g}. Do the sums run over the near examples only, and "
             "which number multiplies b in the equation of the constant?"),
        )  # fmt: skip
    return (
        "Eight data sets; beyond 67.70 a mistake is among the twenty examples of the text."
    )


def thresholds():
    """(x, y, t): the near examples, and a threshold."""
    tens = np.linspace(1, 2, 10)
    yield np.r_[tens, -tens], np.repeat([1.0, -1.0], 10), 1.0
    rng = np.random.default_rng(8)
    for n, share in [(6, 0.0), (10, 0.3), (8, 0.9), (20, 0.6), (6, 1.1), (8, 1.4)]:
        y = np.tile([1.0, -1.0], n // 2)
        x = 1.5 * y + rng.normal(0, 0.5, n)
        x -= x.mean()
        yield x, y, share * np.mean(x * y)
    yield np.array([1.0, 3.0, -1.0, -3.0]), np.array([1.0, 1.0, -1.0, -1.0]), 2.0


@exercise
def same_scores():
    rng = np.random.default_rng(9)
    X = rng.normal(size=(12, 2)) * [1.0, 2.0] + 1
    y = np.where(X @ [1.0, 0.5] + rng.normal(size=12) > 1, 1.0, -1.0)
    order = np.argsort(-y, kind="stable")  # positive examples first
    X, y = X[order], y[order]
    changes = (
        (10 * X, y),
        (X + np.array([3.0, -2.0]), y),
        (np.repeat(X, 2, axis=0), np.repeat(y, 2)),
        (np.vstack([X, X[y > 0]]), np.r_[y, y[y > 0]]),
        (np.column_stack([X, X.sum(axis=1)]), y),
        (X @ [[0.6, 0.8], [-0.8, 0.6]], y),
    )

    def facts(fit):
        for new_X, new_y in changes:
            scores = fit(new_X, new_y).decision_function(new_X)
            scores = scores[::2] if len(scores) == 2 * len(y) else scores[: len(y)]
            moved = np.abs(scores - fit(X, y).decision_function(X)).max()
            yield moved <= 1e-9, first(
                (moved > 1e-9, "does change the scores: on one data set one of them "
                 f"moved by {moved:.3f}."),
                (True, "never changes a score. Which weights give the old scores on the "
                 "new data, and what do they cost?"),
            )  # fmt: skip

    def truths(name, fit):
        return Truths(*facts(fit), begin=f"For {name}, number {{}} ", of=name)

    return Exercise(
        "Least squares sees only the span of the columns; ridge sees lengths, too.",
        plain=truths("least squares", least_squares),
        with_penalty=truths("ridge", lambda X, y: ridge(X, y, lambda_=3.0)),
    )


@exercise
def pulls_hardest():
    x, y = breast_cancer().X[:, [20]], breast_cancer().y
    full = least_squares(x, y)

    def shift(out):
        """How far the threshold moves without this tumor."""
        fit = least_squares(np.delete(x, out, axis=0), np.delete(y, out))
        return full.b / full.w[0] - fit.b / fit.w[0]

    def other(at):
        if not at.is_integer() or not 0 <= at < len(y):
            return "An index is a whole number from 0 to 568; this is {}."
        return (
            f"Without tumor {{}} the threshold moves by {shift(int(at)):.4f}; there is a "
            "tumor for which it moves farther. Do you compare absolute values, and does "
            "your count begin with 0?"
        )

    hardest = int(np.argmax(np.abs([shift(out) for out in range(len(y))])))
    residual = "this is its residual. What is its score?"
    score = full.decision_function(x)[hardest]
    return Exercise(
        "No tumor is more obviously malignant, and none pulls the threshold farther.",
        index=Number(hardest, hint=other),
        score=Number(score, {y[hardest] - score: residual, score - y[hardest]: residual},
            "the fit to all 569 gives it another score than {}. Is it in the fit that you "
            "ask, and is the bias added?",
            "The tumor is right; ", digits=2),
    )  # fmt: skip


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
    shape = features.shape
    turned = " Are rows and columns exchanged?" if shape[1:] == x.shape else ""
    refuse(
        (len(shape) != 2 or shape[0] != 105 or not 1 <= shape[1] <= 4, "Return features "
         f"of shape (105, p) with p from 1 to 4; the shape is {shape}.{turned}"),
        (not np.isfinite(features).all(), "All features should be finite numbers."),
    )  # fmt: skip
    for column in features.T:
        powers = [column[0] * (x / x[0]) ** k for k in range(17)]
        zero = 1e-20 * np.abs(column).max()
        fits = [np.allclose(column, power, rtol=1e-5, atol=zero) for power in powers]
        refuse(
            (column[0] and fits[0], "The fit adds the constant itself; give powers only."),
            (not any(fits[1:]), "One of your features is none of the powers x, x**2, ..., "
             "x**16."),
        )  # fmt: skip
    wrong = indicator_regression(features, classes).predict(features) != classes
    ways = "add", "add or exchange", "add, exchange, or leave out", "exchange or leave out"
    lost = ", ".join(f"{centers[q]:g}" for q in np.unique(classes[wrong]))
    refuse((wrong.any(), f"{wrong.sum()} of 105 are wrong, in the classes at {lost}. "
        f"Which power would you {ways[shape[1] - 1]}?"))  # fmt: skip
    few = "" if shape[1] <= 2 else " Can you do it with fewer?"
    return f"All 105 are right with {shape[1]} features.{few}"
