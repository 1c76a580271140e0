"""Data, right answers and slips of the checkers on least squares."""

import numpy as np

from mlcore.features import polynomial
from mlcore.geometry import augment
from mlcore.least_squares import least_squares, ridge
from mlcore.validation import k_folds


def priced():
    """(X, y, lambda) for ridge, in one of them with more features than examples."""
    rng = np.random.default_rng(5)
    for n, d, price in [(12, 2, 1.0), (9, 3, 0.3), (4, 6, 2.0), (30, 4, 100.0)]:
        yield rng.normal(size=(n, d)) + 2, rng.normal(size=n) + 5, price


def other_ridges(X, y, price):
    """(weights, what was forgotten) of each slip."""
    n, d = X.shape
    longer = augment(X)
    v = np.linalg.solve(longer.T @ longer + price * np.eye(d + 1), longer.T @ y)
    yield v[:-1], "the bias is penalized, too. Who pays for b?"
    sums = "The loss is a sum, not a mean."
    prices = (
        (n * price, f"the penalty counts n times. {sums}"),
        (price / n, f"the penalty counts one n-th. {sums}"),
        (price / 2, "the penalty counts half. There is no 1/2 in this objective."),
        (2 * price, "the penalty counts twice."),
    )
    for other, words in prices:
        yield ridge(X, y, lambda_=other).w, words
    if price != 1:
        yield ridge(X, y, lambda_=price**2).w, "the penalty is squared."
        identity = "you add 1 on the diagonal, and not the price."
        yield ridge(X, y, lambda_=1.0).w, identity
    yield least_squares(X, y).w, "the penalty has no effect."
    through_origin = "there is no bias: the line goes through the origin. Did you center?"
    yield ridge(X, y, lambda_=price, bias=False).w, through_origin


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
    if seed == 4:
        return x, np.cos(8 * np.arccos(x)) + own.normal(0, 0.1, 40)
    if seed == 5:
        return x, np.cos(9 * np.arccos(x)) + own.normal(0, 0.02, 40)
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


# What may help with 1, 2, 3 or 4 powers of which some examples are wrong
WAYS = ("add", "add or exchange", "add, exchange, or leave out", "exchange or leave out")
CHANGES = (
    lambda X, y: (10 * X, y),
    lambda X, y: (X + np.array([3.0, -2.0]), y),
    lambda X, y: (np.repeat(X, 2, axis=0), np.repeat(y, 2)),
    lambda X, y: (np.vstack([X, X[y > 0]]), np.r_[y, y[y > 0]]),
    lambda X, y: (np.column_stack([X, X.sum(axis=1)]), y),
    lambda X, y: (X @ [[0.6, 0.8], [-0.8, 0.6]], y),
)


def moved(fit, change):
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


def shifts(x, y):
    """How the threshold moves when each example is left out."""
    full = least_squares(x, y)
    moved = []
    for out in range(len(y)):
        kept = np.arange(len(y)) != out
        fit = least_squares(x[kept], y[kept])
        moved.append(full.b / full.w[0] - fit.b / fit.w[0])
    return np.array(moved)
