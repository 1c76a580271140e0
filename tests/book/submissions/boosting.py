"""Answers to the exercises of the boosting chapter: right ones, and slips."""

import numpy as np

from mlcore.book.exercises import boosting as check

CUBE = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
PARITY = CUBE.prod(axis=1)
SQUARES = [[1, 1], [-1, -1], [1, -1], [-1, 1], [2, 2], [-2, -2], [2, -2], [-2, 2]]
EIGHTHS = (1 / 8, 1 / 8, 1 / 2, 1 / 8, 1 / 8)
SIXTHS = (1 / 6, 1 / 6, 1 / 3, 1 / 6, 1 / 6)

[cost_weights], [by_edges] = (f.made().right for f in (check.first_weights, check.boost))


def needed(n, r):
    return int(np.ceil(2 * np.log(n) / -np.log1p(-(r**2)) - 1e-9))


def equality_lost(n, r):
    return int(2 * np.log(n) / -np.log1p(-(r**2)) + 1e-9) + 1


RIGHT = [
    (check.by_hand, (list(EIGHTHS), np.float64(0.25))),
    (check.first_weights, (lambda y, c: list(cost_weights(y, c)),)),
    (check.rounds_needed, (needed,)),
    (check.rounds_needed, (lambda n, r: float(needed(n, r)),)),
    (check.certificate, (SIXTHS,)),
    (check.certificate, ([0.167, 0.167, 0.333, 0.167, 0.166],)),
    (check.certificate, ([0.167, 0.167, 0.334, 0.166, 0.166],)),
    (check.no_edge, (CUBE, PARITY)),
    (check.no_edge, (SQUARES, [1, 1, -1, -1, 1, 1, -1, -1])),
    (check.last_mistake, (25.0, np.int64(67))),
]

WRONG = [
    (check.by_hand, ((1, 1, 4, 1, 1), 0.25), "have the sum 8"),
    (check.by_hand, ((0.1, 0.1, 0.4, 0.1, 0.1), 0.25), "By what must they be divided?"),
    (check.by_hand, ((0.24, 0.24, 0.04, 0.24, 0.24), 0.25), "does the rule just used"),
    (check.by_hand, (EIGHTHS, 0.3), "Try every threshold"),
    (check.abstain, (lambda p, q, m: 1.0,), "Write the sum as three terms"),
    (check.first_weights, (lambda y, c: np.ones(len(y)),), "1 positive example of 4"),
    (check.first_weights, (lambda y, c: cost_weights(y, 1),), "1 times a negative"),
    (check.boost, (lambda H, y, T: 2 * by_edges(H, y, T) + 1,), "Choose the rule with"),
    (check.rounds_needed, (equality_lost,), "which equals 1/n"),
    (check.rounds_needed, (lambda n, r: needed(n, r) - 1,), "does not rule it out yet"),
    (check.rounds_needed, (lambda n, r: 2 * np.log(n) / r**2,), "give an integer"),
    (check.certificate, ((0.2,) * 5,), "says +, +, +, +, + has the edge 0.6"),
    (check.certificate, ((1, 1, 2, 1, 1),), "have the sum 6"),
    (check.no_edge, (CUBE, np.ones(8)), "yours are 1."),
    (check.no_edge, (CUBE, (1 - PARITY) / 2), "yours are 0, 1"),
    (check.no_edge, (np.arange(6)[:, None], [1, -1] * 3), "the rows of a matrix, with two"),
    (check.no_edge, (np.zeros((6, 2)), [1, -1] * 3), "of your points are equal"),
    (check.no_edge, (CUBE, PARITY[:7]), "the labels, of shape (8,)"),
    (check.last_mistake, (26, 67), "Your round is 26, not right. Is z = 0"),
    (check.last_mistake, (25, 66), "your number of images is 66, which is not right"),
]
