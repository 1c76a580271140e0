"""Data and slips that the checkers of the sparsity chapter share."""

from functools import cache

import numpy as np

from mlcore.data import breast_cancer
from mlcore.features import standardize
from mlcore.lasso import lasso, lasso_cv
from mlcore.validation import k_folds

# a column, a target, and the price of the first exercise
COLUMN, TARGET, PRICE = np.array([2.0, -1.0, -1.0]), np.array([5.0, 1.0, -6.0]), 12.0
KNOTS = np.array([12.0, 26 / 3, 8.0, 8 / 3])
CLAIMS = (True, False, True, True, False, False)


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
