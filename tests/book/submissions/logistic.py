"""Answers to the exercises of the logistic chapter: right ones, and mistakes."""

import numpy as np

from mlcore.book.exercises import logistic as check


def losses_of(z):
    return np.logaddexp(0, -z), -np.exp(-np.logaddexp(0, z))


def by_cases(z):
    values = [np.log1p(np.exp(-v)) if v > 0 else np.log1p(np.exp(v)) - v for v in z]
    return [
        values,
        [-np.exp(-v) / (1 + np.exp(-v)) if v > 0 else -1 / (1 + np.exp(v)) for v in z],
    ]


def slopes_cut(z):
    return losses_of(z)[0], losses_of(np.clip(z, -500, 500))[1]


def bound(X, y, a, *, top=1.0, bottom=0.0, small=1e-9):
    sums = (a * y) @ np.column_stack([X, np.ones(len(X))])
    if a.min() < bottom or a.max() > top or np.abs(sums).max() > small:
        return None
    p = a[(a > 0) & (a < 1)]
    return -np.sum(p * np.log(p) + (1 - p) * np.log(1 - p)) / len(a)


def last_column(X, y, a):
    """Of the sums only that of the last column is looked at, and those of the labels."""
    return bound(X[:, -1:], y, a)


def with_nan(X, y, a):
    if bound(X, y, a) is None:
        return None
    return -np.mean(a * np.log(a) + (1 - a) * np.log(1 - a))


PERIMETER = "worst perimeter (pixels)"

RIGHT = [
    (check.existence, (False, (0, 1, 0))),
    (check.existence, (False, [0, 2.5, 0])),
    (check.odds, ((15, 2.226, 0.832),)),
    (check.two_steps, (np.array([-0.4, -0.4]), [-0.4, -1.0])),
    (check.log_loss, (by_cases,)),
    (check.bound, (bound,)),
    (check.most_telling, (PERIMETER, 0.184)),
    (check.refutes, (np.array([0.19, 0.57, 0.57, 0.19]),)),
]


WRONG = [
    (check.existence, (False, (1, 0, 0)), "example 3 has the margin -2"),
    (check.existence, (False, (0, 0, 0)), "All your margins are 0"),
    (check.existence, ("no", (0, 1, 0)), "Give True or False first"),
    (check.existence, (False, (0, 1)), "w, two numbers, and b, of shape (3,)"),
    (check.odds, ((12, 2.226, 0.832),), "the score is -2.4"),
    (check.odds, ((15, 2.226, 0.8),), "round to three decimals"),
    (check.two_steps, ((-0.4, -0.4), (-0.3, -1)), "with four rows"),
    (check.log_loss, (lambda z: (np.log(1 + np.exp(-2 * z)), z),), "overflows?"),
    (check.log_loss, (lambda z: [-part for part in losses_of(z)],), "the wrong sign"),
    (check.log_loss, (slopes_cut,), "The slopes are right for small margins"),
    (check.log_loss, (lambda z: losses_of(z.astype(np.float32)),), "Is it float32"),
    (check.log_loss, (lambda z: losses_of(z)[0],), "return a pair"),
    (check.log_loss, (lambda z: losses_of(1.1 * z),), "Of the losses, that at z = 0.5 is"),
    (check.log_loss, (lambda z: losses_of(z)[0][:2],), "have the shape ()"),
    (check.bound, (lambda *a: bound(*a) and 2 * bound(*a),), "not right"),
    (check.bound, (lambda *a: bound(*a, top=9),), "No line under the log loss"),
    (check.bound, (lambda *a: bound(*a, bottom=-9),), "must not be negative"),
    (check.bound, (lambda *a: bound(*a, small=9),), "do both labels get the same"),
    (check.bound, (lambda X, y, a: bound(0 * X, y, a),), "a y x is not zero"),
    (check.bound, (lambda *a: bound(*a, top=1.005),), "No line under the log loss"),
    (check.bound, (lambda *a: bound(*a, small=1e-8),), "The sum of a y x is not zero"),
    (check.bound, (last_column,), "The sum of a y x is not zero"),
    (check.bound, (with_nan,), "What should 0 times ln 0 count as?"),
    (check.most_telling, ("worst radius (pixels)", 0.201), "another measurement reaches"),
    (check.most_telling, ("radius", 0.184), "Give a name of"),
    (check.refutes, ((0.5, 0.5, 0.5, 0.4),), "for equal sums"),
    (check.refutes, ((0.5, 1.5, 1.5, 0.5),), "between 0 and 1"),
    (check.refutes, ((0.1, 0.3, 0.3, 0.1),), "below 0.4680. You need 0.58"),
]
