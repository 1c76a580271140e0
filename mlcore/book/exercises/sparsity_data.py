"""Data, right answers and slips of the checkers on sparsity."""

from functools import cache

import numpy as np

from mlcore.data import breast_cancer
from mlcore.features import standardize
from mlcore.lasso import lasso, lasso_cv
from mlcore.validation import k_folds

# a column, a target, and the price of the first exercise
COLUMN, TARGET, PRICE = np.array([2.0, -1.0, -1.0]), np.array([5.0, 1.0, -6.0]), 12.0
S, C = COLUMN @ COLUMN, COLUMN @ TARGET
OTHER_FIRST_PRICES = (
    (C, f"At the price {C:g} the slope of J just right of 0 is still negative. What is "
     "the derivative of the sum of squares at w = 0?"),
    (2 * C / S, f"{{}} is {2 * C:g} / {S:g}: does the slope at w = 0 depend on the length "
     "of X_1 beside c?"),
)  # fmt: skip
OTHER_CUTS = (
    (C - PRICE / 2, "{} is c - lambda / 2. What remains to be divided?"),
    ((C - PRICE) / S, "For {} the cut was lambda. How steep is the square?"),
    (0.0, f"The price {PRICE:g} is below the one of your first answer, so the weight is "
     "not 0. Is the cut made before or after the division by s?"),
)  # fmt: skip
OTHER_SHRUNK = (
    (C / (S + PRICE / 2), "For {} a factor 2 of lambda is lost, or one too many."),
    (C / (S + 2 * PRICE), "For {} a factor 2 of lambda is lost, or one too many."),
)

KNOTS = np.array([12.0, 26 / 3, 8.0, 8 / 3])
WHICH_KNOT = (
    "Which feature has the largest product with y?",
    "Put w_2 = (6 - t) / 5 into the product of feature 1: when does it reach t?",
    "With both features in, solve for w as p - t q. Which weight falls to 0?",
    "After the leave only w_1 = 5 - t is left. When does the product of feature 2 "
    "reach t or -t from inside?",
)

CLAIMS = (True, False, True, True, False, False)
WHY = (
    "Put two minimizers into the identity of the proof: which term is a square?",
    "Look through the knots of the diabetes data once more, at hdl.",
    "Compare J of the two solutions at both prices, and add.",
    "What happens to J if w stays? Is every term multiplied by the same number?",
    "What is the price of the same fitted values after the change?",
    "Think of a column that occurs more often than there are examples.",
)


def without_bias(X, y, lambda_):
    """The lasso through the origin: with every example mirrored the bias is 0."""
    mirrored = np.vstack([X, -X]), np.append(y, -y)
    return lasso(*mirrored, lambda_=2 * lambda_).w


def descend(X, y, lambda_, *, cut=0.5, square=None, own=True, passes=500):
    """Coordinate descent, right or with a slip."""
    w, norms = np.zeros(X.shape[1]), (X * X).sum(axis=0)
    for _ in range(passes):
        for j in range(len(w)):
            rest = y - X @ w + own * X[:, j] * w[j]
            c = X[:, j] @ rest
            size = norms[j] if square is None else square
            w[j] = np.sign(c) * max(0.0, abs(c) - cut * lambda_) / size
        if np.abs(w).max() > 1e100:  # a slip that runs away
            break
    return w


def forgetful(X, y, lambda_):
    """Where descents end that leave feature j in its own residual."""
    for passes in (10, 20, 50, 100, 200, 300, 500, 1000):
        yield descend(X, y, lambda_, own=False, passes=passes)


def unfinished(X, y, lambda_):
    """The weights after each of the first passes of a right descent."""
    for passes in range(1, 61):
        yield descend(X, y, lambda_, passes=passes)


def descents():
    """(X, y, lambda, how alike the columns are)."""
    rng = np.random.default_rng(1)
    for lambda_, alike in ((0.5, 0.0), (20.0, 2.0), (60.0, 2.0)):
        X = rng.normal(size=(50, 5)) + alike * rng.normal(size=(50, 1))
        X = X * [1.0, 0.5, 2.0, 1.0, 1.0]
        y = X @ [2.0, 0.0, -1.0, 0.0, 0.5] + 0.3 * rng.normal(size=50)
        yield X, y, lambda_, alike


def other_descents(X, y, lambda_):
    """(weights, what is said) of each slip."""
    for factor, words in ((2, "twice"), (0.5, "half")):
        hint = f", the minimum for {words} the price. What is cut?"
        yield without_bias(X, y, factor * lambda_), hint
    hint = ", the minimum for centered data. Take them as they are."
    yield lasso(X, y, lambda_=lambda_).w, hint
    hint = ", which is least squares. Where does lambda enter, for a weight that is not "
    yield without_bias(X, y, 0.0), f"{hint}cut off?"
    for size in (1, len(y)):
        hint = ": are the lengths of the columns all taken as equal?"
        yield descend(X, y, lambda_, square=size), hint
    for w in forgetful(X, y, lambda_):
        yield w, ": does the residual leave out feature j itself?"
    for w in unfinished(X, y, lambda_):
        yield w, ", after too few passes. When is it done?"


def proposals():
    """(X, y, w, b, lambda, whether it is a minimum, what is wrong otherwise)."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(30, 4)) + 1.0
    y = X @ [2.0, -1.0, 0.0, 0.0] + 3.0 + rng.normal(size=30)
    fit, plain = lasso(X, y, lambda_=20.0), lasso(X, y, lambda_=0.0)
    middle, slopes = y.mean(), X.T @ (y - y.mean())
    first = 2 * np.abs(slopes).max()
    few = lasso(X[:, 1:], y, lambda_=20.0)
    yield X, y, fit.w, fit.b, 20.0, True, "the exact minimum"
    yield X, y, plain.w, plain.b, 0.0, True, "least squares, at the price 0"
    yield X, y, np.zeros(4), middle, 1.01 * first, True, "w = 0, above the first knot"
    yield X, y, np.zeros(4), middle, first, True, "w = 0, exactly at the first knot"
    yield X, y, np.zeros(4), middle, 0.9 * first, False, "w = 0, below the first knot"
    below = "w = 0, below the first knot, with negative pulls"
    yield X, -y, np.zeros(4), -middle, 0.9 * first, False, below
    for target in (y, -y):
        no_bias = "w = 0 with b = 0, not the mean of y"
        yield X, target, np.zeros(4), 0.0, 5 * first, False, no_bias
    yield X, y, fit.w, fit.b + 0.1, 20.0, False, "the minimum, but with another b"
    yield X, y, fit.w, fit.b, 10.0, False, "the minimum for twice the price"
    yield X, y, plain.w, plain.b, 20.0, False, "least squares, where there is a price"
    alone = lasso(X[:, :1], y, lambda_=10.0)
    yield X[:, :1], y, alone.w, alone.b, 20.0, False, "the minimum for half the price"
    kept = np.append(0.0, few.w)
    yield X, y, kept, few.b, 20.0, False, "a minimum that was not told of feature 1"
    twice, half = np.column_stack([X, X[:, 0]]), np.append(fit.w, 0.0)
    half[[0, 4]] = half[0] / 4, 3 * half[0] / 4
    yield twice, y, half, fit.b, 20.0, True, "a weight shared by two equal columns"
    half = half.copy()
    half[[0, 4]] = 2 * (half[0] + half[4]), -(half[0] + half[4])
    yield twice, y, half, fit.b, 20.0, False, "two equal columns with opposite signs"
    near = fit.w + 1e-4 * np.eye(4)[0]
    moved = "a weight moved by 0.0001, so that a pull is off by 0.004"
    yield X, y, near, np.mean(y - X @ near), 20.0, False, moved


def steps():
    """(X, y, w, lambda, eta) for proximal steps on the sum of log losses."""
    rng = np.random.default_rng(6)
    for lambda_, eta in ((0.0, 0.1), (4.0, 0.05), (30.0, 0.04)):
        X = rng.normal(size=(20, 4))
        w = rng.normal(size=4) * [8.0, 8.0, 0.0, 8.0]
        yield X, np.where(X[:, 0] > 0, 1.0, -1.0), w, lambda_, eta


def step(X, y, w, lambda_, eta, *, cut=1.0, old=False, **slip):
    """One proximal step, right or with a slip; `cut` is the factor of eta * lambda."""
    a = w + gradient_step(X, y, w, eta, **slip)
    return np.sign(w if old else a) * np.maximum(0.0, np.abs(a) - cut * eta * lambda_)


def gradient_step(X, y, w, eta, *, sign=-1, mean=False, label=True, other=False):
    """The move by one gradient step on the sum of log losses, right or with a slip."""
    z = y * (X @ w)
    s = 1 / (1 + np.exp(-z if other else z))
    gradient = -X.T @ (s * (y if label else 1.0)) / (len(y) if mean else 1)
    return sign * eta * gradient


def other_steps(X, y, w, lambda_, eta):
    """(point, what is said) of each slip."""
    cuts = (1 / eta, "lambda"), (0.5 / eta, "lambda / 2"), (0.5, "eta lambda / 2")
    asked = "What does the penalty weigh beside the square of the move, divided by 2 eta?"
    for cut, words in cuts if lambda_ else ():
        yield step(X, y, w, lambda_, eta, cut=cut), f", cut by {words}. {asked}"
    slips = (
        ({"cut": 0.0}, ": there is no cut after the gradient step."),
        ({"sign": 1}, ": the step goes up the gradient."),
        ({"mean": True}, ": the gradient is that of the mean, and J has the sum."),
        ({"label": False}, ": the labels are missing in the gradient."),
        ({"other": True}, ": the factor is sigma(z), which is large where the loss is "
         "small."),
        ({"old": True}, ": the sign is that of w, and not of the point that is cut."),
    )  # fmt: skip
    for slip, sentence in slips:
        yield step(X, y, w, lambda_, eta, **slip), sentence


@cache
def counts():
    """(features at the least error, within one standard error, within one deviation)."""
    tumors = breast_cancer()
    splits = k_folds(tumors.y, folds=10, stratified=False, rng=0)
    tuned = lasso_cv(Z := standardize(tumors.X), tumors.y, splits=splits)
    mean, spread = tuned.errors.mean(axis=0), tuned.errors.std(axis=0, ddof=1)
    low = int(mean.argmin())
    found = [low]
    for share in (1 / np.sqrt(10), 1.0):
        found.append(int(np.argmax(mean <= mean[low] + share * spread[low])))
    fits = [lasso(Z, tumors.y, lambda_=tuned.lambdas[at]) for at in found]
    return tuple(int(np.count_nonzero(fit.w)) for fit in fits)
