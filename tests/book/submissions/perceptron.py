"""Answers to the exercises of the perceptron chapter: right ones, and slips."""

from fractions import Fraction

import numpy as np
import sympy as sp

from mlcore.book.exercises import perceptron as check
from mlcore.geometry import augment
from mlcore.perceptron import perceptron, perceptron_trace


def rule(X, y, *, test=lambda z: z <= 0, start=None, sign=1, label=True, passes=None):
    """The perceptron, with a slip."""
    w, count = np.zeros(X.shape[1]) if start is None else start, 0
    clean = False
    while not clean and count != passes:
        clean, count = True, count + 1
        for x_i, y_i in zip(X, y, strict=True):
            if test(y_i * (w @ x_i)):
                w, clean = w + sign * (y_i if label else 1) * x_i, False
    return w


def changes_its_input(X, y):
    X *= y[:, None]
    return rule(X, np.ones(len(X)))


def longer(X, y, c, **slip):
    return rule(augment(X, constant=c), y, **slip)


def in_fractions(X, y):
    """The rule on the decimals as they are written, without rounding."""
    rows = [[Fraction(str(v)) for v in row] for row in y[:, None] * X]
    w, clean = [Fraction(0)] * X.shape[1], False
    while not clean:
        clean = True
        for row in rows:
            if sum(a * b for a, b in zip(w, row, strict=True)) <= 0:
                w, clean = [a + b for a, b in zip(w, row, strict=True)], False
    return [float(v) for v in w]


def best(X, y, updates, **slip):
    seen = perceptron_trace(X, y, bias=False, max_updates=updates, **slip).w
    return seen[(y * (seen @ X.T) <= 0).sum(axis=1).argmin()]


RIGHT = [
    (check.by_hand, ((2, 3), 5)),
    (check.by_hand, (np.array([2.0, 3.0]), 5.0)),
    (check.certificate, ((5, 6, 0, 1),)),
    (check.certificate, ([5 / 12, 1 / 2, 0, 1 / 12],)),
    (check.certificate, ((3, 2, 2, 1),)),
    (check.certificate, ((Fraction(5, 6), 1, 0, sp.Rational(1, 6)),)),
    (check.my_perceptron, (rule,)),
    (check.my_perceptron, (lambda X, y: perceptron(X, y, bias=False, max_epochs=10**5).w,)),
    (check.my_perceptron, (in_fractions,)),
    (check.with_constant, (lambda X, y, c: ((v := longer(X, y, c))[:-1], c * v[-1]),)),
    (
        check.with_constant,
        (lambda X, y, c: [list((v := longer(X, y, c))[:-1]), c * v[-1:].item()],),
    ),
    (check.keep_best, (best,)),
    (check.keep_best, (lambda X, y, updates: list(best(X, y, updates)),)),
    (check.same_count, ((True, False, True, False, False, True),)),
    (check.same_count, (np.array([1, 0, 1, 0, 0, 1], bool),)),
    (check.hardest_pair, ((1, 8), 262)),
    (check.hardest_pair, ([1, 8], 262.0)),
    (check.reaches_bound, (7 * np.eye(4),)),
    (check.reaches_bound, ([[1, 1, 0, 0], [1, -1, 0, 0], [0, 0, 1, 1]],)),
]


# perpendicular on paper
TURNED = np.linalg.qr(np.random.default_rng(1).normal(size=(4, 4)))[0]
WRONG = [
    (check.by_hand, ((0, 0), 0), "example 1 has the margin 0, which is a mistake"),
    (check.by_hand, ((-1, 3), 2), "example 2 has the margin -5"),
    (check.by_hand, ((2, 3), 4), "4 is the number of passes"),
    (check.by_hand, ((2, 3), 6), "Count one for each time that w changes"),
    (check.by_hand, ((4, 6), 5), "It separates, but the rule ends elsewhere"),
    (check.by_hand, ((2, 3, 0), 5), "of shape (2,)"),
    (check.by_hand, ((2, np.nan), 5), "Give the final w"),
    (check.by_hand, (5, (2, 3)), "Give the final w, a pair of numbers"),
    (check.certificate, ((1, 1, 1, 1),), "the first is 3"),
    (check.certificate, ((5, 6.01, 0, 1),), "The second coordinate of the sum is -0.01"),
    (check.certificate, ((1, 0, 0, 0),), "The second coordinate of the sum is 1"),
    (check.certificate, ((5, -6, 0, 1),), "None may be negative"),
    (check.certificate, ((0, 0, 0, 0),), "not all may be zero"),
    (check.certificate, ((5, 6, 0),), "of shape (4,)"),
    (check.certificate, ((1e-10, 1e-10, 1e-10, 1e-10),), "the first is 3e-10"),
    (check.certificate, ((1e308, 1e308, 1e308, 1e308),), "too large to add up"),
    (check.certificate, ((..., ..., ..., ...),), "Replace the three dots"),
    (check.certificate, ((sp.Symbol("a"), 1, 0, 1),), "Give four weights"),
    (
        check.my_perceptron,
        (lambda X, y: rule(X, y, test=lambda z: z < 0),),
        "mistakes left",
    ),
    (check.my_perceptron, (lambda X, y: rule(X, y, label=False),), "was stopped after"),
    (check.my_perceptron, (lambda X, y: rule(X, y, sign=-1),), "was stopped after"),
    (check.my_perceptron, (lambda X, y: rule(X, y, passes=1),), "left"),
    (check.my_perceptron, (lambda X, y: rule(X, y, passes=100),), "left"),
    (check.my_perceptron, (lambda X, y: -rule(X, y),), "add y x, or subtract it?"),
    (check.my_perceptron, (lambda X, y: rule(X[::-1], y[::-1]),), "go in order"),
    (check.my_perceptron, (lambda X, y: 2 * rule(X, y),), "another w"),
    (check.my_perceptron, (changes_its_input,), "changed its argument number 1"),
    (check.my_perceptron, (lambda X, y: (rule(X, y), 0.0),), "back w"),
    (
        check.with_constant,
        (lambda X, y, c: ((v := longer(X, y, c))[:-1], v[-1]),),
        "weight",
    ),
    (
        check.with_constant,
        (lambda X, y, c: ((v := longer(X, y, c))[:-1], v[-1] / c),),
        "v / c",
    ),
    (
        check.with_constant,
        (lambda X, y, c: ((v := longer(X, y, 1.0))[:-1], v[-1]),),
        "your",
    ),
    (
        check.with_constant,
        (lambda X, y, c: ((v := longer(X, y, c))[:-1], -c * v[-1]),),
        "its sign is wrong",
    ),
    (
        check.with_constant,
        (lambda X, y, c: ((v := longer(X, y, c))[:-1], c**2 * v[-1]),),
        "What does the constant feature add",
    ),
    (
        check.with_constant,
        (lambda X, y, c: ((v := longer(X, y, c, passes=100))[:-1], c * v[-1]),),
        "do you run until a pass is clean",
    ),
    (check.with_constant, (lambda X, y, c: longer(X, y, c),), "return a pair (w, b)"),
    (check.with_constant, (lambda X, y, c: (longer(X, y, c), 0.0),), "w of shape (2,)"),
    (check.with_constant, (lambda X, y, c: (rule(X, y, passes=3), 0.0),), "your w"),
    (check.with_constant, (lambda X, y: None,), "stopped with TypeError"),
    (check.keep_best, (lambda X, y, updates: best(X, y, 10 * updates),), "stop after"),
    (check.keep_best, (lambda X, y, updates: best(X, y, updates - 1),), "passed through"),
    (check.keep_best, (lambda X, y, updates: best(X, y, updates + 1),), "stop after"),
    (check.keep_best, (lambda X, y, updates: rule(X, y, passes=1),), "updates"),
    (check.keep_best, (lambda X, y, updates: np.zeros(2),), "A margin of zero"),
    (check.keep_best, (lambda X, y, updates: -best(X, y, updates),), "never was there"),
    (check.keep_best, (lambda X, y, updates: best(X, y, updates)[0],), "back w"),
    (check.keep_best, (lambda X, y, updates: best(X, y, updates, bias=True),), "TypeError"),
    (check.same_count, ((True,) * 6,), "Number 2 does not always stay"),
    (check.same_count, ((False,) * 6,), "Number 1 always stays"),
    (
        check.same_count,
        ((True, False, True, True, False, True),),
        "Number 4 does not always",
    ),
    (
        check.same_count,
        ((True, False, False, False, False, True),),
        "Number 3 always stays",
    ),
    (check.same_count, ((1, 0, 1, 0, 0, 1),), "is True or False; these are (1, 0"),
    (check.same_count, ((True, False),), "Six values are wanted"),
    (check.hardest_pair, ((3, 8), 67), "another pair needs more"),
    (check.hardest_pair, ((1, 8), 261), "Your count"),
    (check.hardest_pair, ((1, 8), 162), "Is 1 appended"),
    (check.hardest_pair, ((8, 1), 262), "the smaller first"),
    (check.hardest_pair, ((1, 1), 0), "the smaller first"),
    (check.hardest_pair, (262, (1, 8)), "Give a pair of digits"),
    (check.hardest_pair, ((1, 8), None), "the number of updates"),
    (check.reaches_bound, (np.diag([1.0, 2.0, 3.0]),), "the bound is 12.25"),
    (check.reaches_bound, (np.eye(2),), "at least three rows"),
    (check.reaches_bound, (np.eye(1200),), "at most 100"),
    (check.reaches_bound, (TURNED,), "Take rows with exact products"),
    (
        check.reaches_bound,
        ([[1, 0, 0], [0, 1, 0], [0.2, 0.2, 0.6]],),
        "2 updates; at least 3",
    ),
    (check.reaches_bound, (-np.ones((3, 2)),), "1 update; at least 3"),
    (check.reaches_bound, ([[1, 0], [-1, 0], [0, 1]],), "No hyperplane through the origin"),
    (check.reaches_bound, ([[1, 0], [0, 1, 2]],), "Give a matrix with at least three rows"),
]
