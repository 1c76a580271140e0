"""Answers to the exercises of the perceptron chapter: right ones, and slips."""

import numpy as np

from mlcore.book.exercises import perceptron as check
from mlcore.geometry import augment
from mlcore.perceptron import perceptron_trace


def rule(X, y, *, test=lambda z: z <= 0, passes=None):
    """The perceptron, with a slip."""
    w, count, clean = np.zeros(X.shape[1]), 0, False
    while not clean and count != passes:
        clean, count = True, count + 1
        for x_i, y_i in zip(X, y, strict=True):
            if test(y_i * (w @ x_i)):
                w, clean = w + y_i * x_i, False
    return w


def longer(X, y, c):
    return rule(augment(X, constant=c), y)


def best(X, y, updates):
    seen = perceptron_trace(X, y, bias=False, max_updates=updates).w
    return seen[(y * (seen @ X.T) <= 0).sum(axis=1).argmin()]


RIGHT = [
    (check.by_hand, (np.array([2.0, 3.0]), 5.0)),
    (check.certificate, ((5, 6, 0, 1),)),
    (check.certificate, ([5 / 12, 1 / 2, 0, 1 / 12],)),
    (check.my_perceptron, (rule,)),
    (check.with_constant, (lambda X, y, c: ((v := longer(X, y, c))[:-1], c * v[-1]),)),
    (check.keep_best, (best,)),
    (check.keep_best, (lambda X, y, updates: list(best(X, y, updates)),)),
    (check.same_count, (np.array([1, 0, 1, 0, 0, 1], bool),)),
    (check.reaches_bound, (7 * np.eye(4),)),
    (check.reaches_bound, ([[1, 1, 0, 0], [1, -1, 0, 0], [0, 0, 1, 1]],)),
]


# perpendicular on paper
TURNED = np.linalg.qr(np.random.default_rng(1).normal(size=(4, 4)))[0]
WRONG = [
    (check.by_hand, ((2, 3), 6), "Count one for each time that w changes"),
    (check.by_hand, ((4, 6), 5), "It separates, but the rule ends elsewhere"),
    (check.certificate, ((5, 6.01, 0, 1),), "The second coordinate of the sum is -0.01"),
    (check.certificate, ((5, -6, 0, 1),), "None may be negative"),
    (check.certificate, ((1e308, 1e308, 1e308, 1e308),), "too large to add up"),
    (
        check.my_perceptron,
        (lambda X, y: rule(X, y, test=lambda z: z < 0),),
        "mistakes left",
    ),
    (check.my_perceptron, (lambda X, y: rule(X[::-1], y[::-1]),), "go in order"),
    (
        check.with_constant,
        (lambda X, y, c: ((v := longer(X, y, 1.0))[:-1], v[-1]),),
        "your",
    ),
    (
        check.with_constant,
        (lambda X, y, c: ((v := longer(X, y, c))[:-1], c**2 * v[-1]),),
        "What does the constant feature add",
    ),
    (check.keep_best, (lambda X, y, updates: best(X, y, 10 * updates),), "stop after"),
    (check.keep_best, (lambda X, y, updates: np.zeros(2),), "A margin of zero"),
    (check.hardest_pair, ((1, 8), 261), "Your count"),
    (check.reaches_bound, (TURNED,), "Take rows with exact products"),
    (
        check.reaches_bound,
        ([[1, 0, 0], [0, 1, 0], [0.2, 0.2, 0.6]],),
        "2 updates; at least 3",
    ),
    (check.reaches_bound, (-np.ones((3, 2)),), "1 update; at least 3"),
    (check.reaches_bound, ([[1, 0], [-1, 0], [0, 1]],), "No hyperplane through the origin"),
]
