"""The exercises of the chapter on least squares."""

import numpy as np

from halfspaces.exercises import Said, call, first, floats, kit, number, numbers, refuse
from halfspaces.exercises.kit import Exercise, Function, Number, Open, exercise
from mlcore.data import breast_cancer
from mlcore.features import polynomial
from mlcore.geometry import augment
from mlcore.least_squares import indicator_regression, least_squares, ridge
from mlcore.validation import k_folds


@exercise(
    x=((-1, 0, 1), (1, 2, 3), (-2, -1, 0), (-1, 0, 2), (0, 1, 3)), y=[range(-2, 7)] * 3
)
def by_hand(x=(0, 1, 2), y=(1, 2, 4)):
    x, y = np.array(x, float), np.array(y, float)
    fit = least_squares(x[:, None], y)
    errors = y - fit.decision_function(x[:, None])
    if abs(fit.w[0]) < 0.1 or np.abs(errors).max() < 0.1:
        return None

    def misses(line):
        errors = y - (line[0] * x + line[1])
        return Said("hint", errors=errors, sum=errors.sum(), product=errors @ x)

    w, b = fit.w[0], fit.b
    return Exercise(w_and_b=Number((w, b), {(b, w): "swapped"}, misses, digits=4))


@exercise(
    left_side=((1, 2), (2, -1), (3, 1), (-1, 3), (2, 2)), right_side=(5, 8, 10, 16, 20, -10)
)
def shortest_of_many(left_side=(1, 3), right_side=10):
    row, total = np.array(left_side, float), right_side
    right = total / (row @ row) * row
    if total % (row @ row):
        return None

    def judge(shortest, null):
        w = numbers(shortest, (2,), "the shortest solution, a pair of numbers")
        v = numbers(null, (2,), "a vector v, a pair of numbers")
        left, change, product, length = row @ w, row @ v, w @ v, np.linalg.norm(w)
        refuse(
            (abs(left - total) > 2e-4, "no_solution"),
            (not v.any() or abs(change) > 2e-4 * np.hypot(*v), "changes"),
            (not np.allclose(w, right, atol=1e-4), "longer"),
            **locals(),
        )

    return Open(judge, right, (row[1], -row[0]))


@exercise
def my_ridge():
    rng, cases = np.random.default_rng(5), []
    for n, d, price in [(12, 2, 1.0), (9, 3, 0.3), (4, 6, 2.0), (30, 4, 100.0)]:
        cases.append((rng.normal(size=(n, d)) + 2, rng.normal(size=n) + 5, price))

    def right(X, y, price, slip=""):
        others = {"n": len(y) * price, "1/n": price / len(y)}
        X = augment(X) if slip == "bias pays" else X
        bias = slip not in ("no bias", "bias pays")
        fit = ridge(X, y, lambda_=others.get(slip, price), bias=bias)
        return (fit.w[:-1], fit.w[-1]) if slip == "bias pays" else (fit.w, fit.b)

    def fault(w, b, X, y, price):
        w_right = np.allclose(w, right(X, y, price)[0])
        return first((w_right, "w_right"), b=b, sum=(y - X @ w - b).sum())

    return Function(right, cases, fault=fault, rtol=1e-5)


@exercise(most=(8, 9), error=("squared", "absolute"))
def choose_degree(most=8, error="squared"):
    size, sizes = (np.square, "squares") if error == "squared" else (np.abs, "sizes")

    def choosing(error_of):
        return lambda *sample: 1 + int(mean_errors(error_of, most, *sample).argmin())

    by_roots = choosing(lambda left: np.mean(left**2) ** 0.5)
    by_sums = choosing(lambda left: size(left).sum())

    def judge(function):
        data, chosen = [*curves()], []
        for sample in data:
            got = number(call(function, *sample), "back one degree")
            none = got not in range(1, most + 1)
            refuse((got == 0, "index"), (none, "no_degree"), got=got)
            chosen.append(int(got))
        tables = [mean_errors(lambda left: size(left).mean(), most, *each) for each in data]
        for q, (table, degree) in enumerate(zip(tables, chosen, strict=True)):
            if degree != 1 + table.argmin():
                least, error, kind, place = table.min(), table[degree - 1], sizes, q + 1
                refuse(
                    (chosen == [by_roots(*each) for each in data], "roots"),
                    (chosen == [by_sums(*each) for each in data], "sums"),
                    (True, "larger"),
                    **locals(),
                )

    return Open(judge, choosing(lambda left: size(left).mean()))


def curves():
    """(x, y, splits) of eight data sets; in the last the test sets have 4, 10 and 26."""
    folds = np.random.default_rng(6)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        a, x = rng.normal(size=seed % 4 + 2), rng.uniform(-1, 1, 40)
        k = {2: 1, 4: 8, 5: 9}.get(seed)  # the degree of a polynomial of Chebyshev
        y = np.cos(k * np.arccos(x)) if k else np.polyval(a, x)
        y += 0.1 * rng.standard_t(2, 40)
        tests = np.split(np.random.default_rng(0).permutation(40), [4, 14])
        uneven = [(np.setdiff1d(np.arange(40), test), test) for test in tests]
        even = k_folds(y, folds=5, stratified=False, rng=folds)
        yield x, y, uneven if seed == 7 else even


def mean_errors(error_of, most, x, y, splits):
    """The mean over the splits of error_of(residuals on the test set), for each degree."""
    F, table = polynomial(x[:, None], degree=most), np.zeros(most)
    for degree in range(1, most + 1):
        for train, test in splits:
            fit = least_squares(F[train, :degree], y[train])
            left = y[test] - fit.decision_function(F[test, :degree])
            table[degree - 1] += error_of(left) / len(splits)
    return table


@exercise
def how_far():
    def right(x, y, t):
        n, P, Q = len(x), x @ y, x @ x
        return (Q + (n + 1) * P * t) / (P - n * t) if n * t < P else 0.0

    def fault(D, x, y, t):
        n, P, Q, want = len(x), x @ y, x @ x, right(x, y, t)
        at = (P * D - Q) / ((n + 1) * P + n * D)
        return first(
            (want == 0, "no_position"),
            (D == 0, "position"),
            (D < 0, "negative"),
            (not np.isclose(D, want, rtol=1e-4), "elsewhere"),
            **locals(),
        )

    tens, rng = np.linspace(1, 2, 10), np.random.default_rng(8)
    cases = [(np.r_[tens, -tens], np.repeat([1.0, -1.0], 10), 1.0)]
    for n, share in [(6, 0.0), (10, 0.3), (8, 0.9), (20, 0.6), (6, 1.1), (8, 1.4)]:
        y = np.tile([1.0, -1.0], n // 2)
        x = 1.5 * y + rng.normal(0, 0.5, n)
        x -= x.mean()
        cases.append((x, y, share * np.mean(x * y)))
    cases += [(np.array([1.0, 3, -1, -3]), np.array([1.0, 1, -1, -1]), 2.0)]

    def none(*case):
        return "" if right(*case) else "none"

    return Function(right, cases, fault=fault, rtol=1e-6, none=none)


same_scores = kit.truths("least_squares", "same_scores")


@exercise(column=range(20))
def pulls_hardest(column=20):
    x, y = breast_cancer().X[:, [column]], breast_cancer().y
    full = least_squares(x, y)

    def shift(out):
        """How far the threshold moves without this tumor."""
        fit = least_squares(np.delete(x, out, axis=0), np.delete(y, out))
        return full.b / full.w[0] - fit.b / fit.w[0]

    def other(at):
        return Said("hint", shift=shift(int(at)))

    shifts = np.abs([shift(out) for out in range(len(y))])
    hardest, (second, first) = int(np.argmax(shifts)), np.sort(shifts)[-2:]
    if second > 0.99 * first:
        return None
    score = full.decision_function(x)[hardest]
    slips = {y[hardest] - score: "residual", score - y[hardest]: "residual"}
    return Exercise(
        Said("praise", hardest=hardest),
        index=Number(hardest, {}, other, among=range(len(y))),
        score=Number(score, slips, digits=2),
    )


LIFTS = {  # rows of classes, and the fewest powers that lift them
    (-4, -2, 0, 2, 4): (1, 4), (-3, -1, 1, 3, 5): (1, 2, 3), (-2, 0, 2, 4, 6): (1, 2, 3),
    (0, 2, 4, 6, 8): (1, 2, 3), (0, 2, 4, 6): (1, 2), (-5, -3, -1, 1, 3, 5): (3, 6),
}  # fmt: skip


@exercise(at=tuple(LIFTS))
def lift(at):
    def judge(function):
        x = (np.array(at)[:, None] + np.linspace(-0.45, 0.45, 21)).ravel()
        n, features = len(x), floats(call(function, x))
        shape, classes = features.shape, np.repeat(np.arange(len(at)), 21)
        fair = len(shape) == 2 and shape[0] == n and 1 <= shape[1] <= 4
        turned = not fair and shape[1:] == x.shape
        refuse((turned, "turned"), (not fair, "shape"), **locals())
        powers = (x / x[0]) ** np.arange(17)[:, None]
        for column in features.T:
            fits = [np.allclose(column, column[0] * power, atol=1e-20) for power in powers]
            refuse((fits[0], "constant"), (not any(fits), "no_power"))
        wrong = indicator_regression(features, classes).predict(features) != classes
        ways = "add", "add or exchange", "add, exchange, or leave out"
        way = (*ways, "exchange or leave out")[shape[1] - 1]
        lost = ", ".join(f"{at[q]:g}" for q in np.unique(classes[wrong]))
        count = wrong.sum()
        refuse((count, "wrong"), **locals())
        few = "" if shape[1] <= len(LIFTS[at]) else " Can you do it with fewer?"
        return Said("praise", **locals())

    return Open(judge, lambda x: x[:, None] ** LIFTS[at])
