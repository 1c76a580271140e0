"""Answers to the exercises of the perceptron chapter: right ones, and mistakes."""

import numpy as np

from mlcore.book.exercises import perceptron as check
from mlcore.geometry import augment
from mlcore.perceptron import perceptron_trace


def rule(X, y, *, test=lambda z: z <= 0, passes=None):
    w, clean = np.zeros(X.shape[1]), False
    while not clean if passes is None else passes:
        clean, passes = True, passes and passes - 1
        for x_i, y_i in zip(X, y, strict=True):
            if test(y_i * (w @ x_i)):
                w, clean = w + y_i * x_i, False
    return w


def constant_added(X, y, c, bias=lambda v, c: c * v, **options):
    v = rule(augment(X, constant=c), y, **options)
    return v[:-1], bias(v[-1], c)


def last(X, y, updates):
    return perceptron_trace(X, y, bias=False, max_updates=updates).w[-1]


RIGHT = [
    (check.certificate, ((5, 6, 0, 1),)),
    (check.certificate, ([5 / 12, 1 / 2, 0, 1 / 12],)),
    (check.my_perceptron, (rule,)),
    (check.with_constant, (constant_added,)),
    (check.reaches_bound, (7 * np.eye(4),)),
    (check.reaches_bound, ([[1, 1, 0, 0], [1, -1, 0, 0], [0, 0, 1, 1]],)),
]


WRONG = [
    (check.by_hand, ((2, 3), 6), "Count one for each time that w changes"),
    (check.by_hand, ((4, 6), 5), "It separates, but the rule ends elsewhere"),
    (check.by_hand, ((1, 2), 3), "example 2 has the margin 0, which is a mistake"),
    (check.certificate, ((5, 6.01, 0, 1),), "The second coordinate of the sum is -0.01"),
    (check.certificate, ((1, 1, 1, 1),), "but the first is 3"),
    (check.certificate, ((5, -6, 0, 1),), "None may be negative"),
    (check.my_perceptron, (lambda X, y: rule(X, y, test=lambda z: z < 0),), "left"),
    (check.my_perceptron, (lambda X, y: rule(X[::-1], y[::-1]),), "go in order"),
    (check.my_perceptron, (lambda X, y: rule(X, y, passes=999),), "left. Is a margin of"),
    (
        check.with_constant,
        (lambda X, y, c: constant_added(X, y, c, passes=200),),
        "and do you run until a pass is clean?",
    ),
    (
        check.with_constant,
        (lambda X, y, c: constant_added(X, y, c, lambda v, c: c**2 * v),),
        "What does the constant feature add",
    ),
    (
        check.keep_best,
        (last,),
        "3 mistakes; the run passed through one with 2",
    ),
    (check.hardest_pair, ((3, 8), 67), "The pair 3 and 8 needs 67 updates"),
    (check.hardest_pair, ((8, 3), 67), "the smaller first"),
    (check.hardest_pair, ((1, 8), 261), "Your count"),
    (check.reaches_bound, (np.diag([1.0, 2.0, 3.0]),), "the bound is 12.25"),
    (check.reaches_bound, ([[1, 0, 0], [0, 1, 0], [1, 1, 3]],), "2 updates; at least 3"),
    (check.reaches_bound, (-np.ones((3, 2)),), "1 update; at least 3"),
    (check.reaches_bound, (np.diag([1, 1, 1 + 1e-7]),), "and the bound is 3"),
    (check.reaches_bound, ([[1, 0], [1], [0, 1]],), "all of the same length"),
    (check.reaches_bound, (1e-200 * np.eye(3),), "Take numbers of a size near 1"),
    (check.reaches_bound, ([[1, 0], [-1, 0], [0, 1]],), "No hyperplane through 0"),
]
