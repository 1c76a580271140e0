"""Answers to the exercises of the least squares chapter: right ones, and mistakes."""

import numpy as np

from mlcore.book.exercises import least_squares as check
from mlcore.features import polynomial
from mlcore.least_squares import least_squares


def centered(X, y, price):
    Z, t = X - X.mean(axis=0), y - y.mean()
    w = np.linalg.solve(Z.T @ Z + price * np.eye(Z.shape[1]), Z.T @ t)
    return w, y.mean() - w @ X.mean(axis=0)


def degree(x, y, splits, *, last=8, error=lambda left: np.mean(left**2)):
    errors = []
    for p in range(1, last + 1):
        F, own = polynomial(x[:, None], degree=p), []
        for train, test in splits:
            fit = least_squares(F[train], y[train])
            own.append(error(y[test] - fit.decision_function(F[test])))
        errors.append(np.mean(own))
    return 1 + int(np.argmin(errors))


def choosing(**options):
    return (lambda x, y, splits: degree(x, y, splits, **options),)


def position(x, y, t, *, count=1, never=0):
    n, P, Q = len(x), np.sum(x * y), np.sum(x**2)
    return (Q + (n + count) * P * t) / (P - n * t) if n * t < P else never


def powers(*chosen):
    return (lambda x: np.column_stack([x**k for k in chosen]),)


RIGHT = [
    (check.by_hand, (np.float64(1.5), 0.8333)),
    (check.shortest_of_many, ((1, 3), (3, -1))),
    (check.shortest_of_many, (np.array([1.0, 3.0]), [-6.0, 2.0])),
    (check.my_ridge, (centered,)),
    (check.choose_degree, (degree,)),
    (check.choose_degree, (lambda x, y, splits: np.array(degree(x, y, splits)),)),
    (check.how_far, (position,)),
    (check.pulls_hardest, (461, 2.82)),
    (check.lift, powers(1, 2, 3, 4)),
]


WRONG = [
    (check.by_hand, (2.0, 0.0), "Your residuals are [1, 0, 0]; their sum is 1"),
    (check.shortest_of_many, ((1, 1), (3, -1)), "gives 4, not 10"),
    (check.shortest_of_many, ((1, 3), (0, 0)), "must not be zero"),
    (check.shortest_of_many, ((10, 0), (3, -1)), "Its product with your v is 30"),
    (check.my_ridge, (lambda X, y, p: (centered(X, y, p)[0], y.mean()),), "w is right"),
    (check.my_ridge, (lambda X, y, p: centered(X, y, -p / 7),), "Is X centered"),
    (check.choose_degree, (lambda *a: degree(*a) - 1,), "Is it an index"),
    (check.choose_degree, choosing(error=lambda e: np.abs(e).mean()), "a mean of squares"),
    (check.choose_degree, choosing(last=9), "return a degree from 1 to 8"),
    (check.choose_degree, choosing(last=7), "are all degrees from 1 to 8 tried"),
    (check.how_far, (lambda x, y, t: position(x, y, t, count=0),), "the threshold is"),
    (
        check.how_far,
        (lambda x, y, t: position(x, y, t, never=-1),),
        "but no position D > 0",
    ),
    (check.how_far, (lambda x, y, t: position(x, y, t, never=None),), "it; return 0"),
    (check.how_far, (lambda x, y, t: 67.70,), "Is it float32, or rounded?"),
    (check.how_far, (lambda x, y, t: -position(x, y, t),), "Is a sign wrong?"),
    (check.how_far, (lambda x, y, t: 0,), "there is such a position"),
    (check.pulls_hardest, (41, 1.0), "Without tumor 41 the threshold moves by 0.0153"),
    (check.pulls_hardest, (461.5, 2.82), "whole number from 0 to 568"),
    (check.lift, powers(1, 3, 4), "would you add, exchange, or leave out?"),
    (check.lift, powers(1, 3, 4, 5), "Which power would you exchange or leave out?"),
    (check.lift, (lambda x: np.column_stack([x, np.sin(x)]),), "none of the powers"),
]
