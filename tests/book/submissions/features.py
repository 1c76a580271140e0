"""Answers to the exercises of the chapter on features: right ones, and mistakes."""

from itertools import product

import numpy as np

from mlcore.book.exercises import features as check
from mlcore.geometry import augment
from mlcore.separation import separating_halfspace


def by_loops(X, squares=True):
    d = X.shape[1]
    return np.column_stack(
        [X[:, q] * X[:, r] for r in range(d) for q in range(r + squares)]
    )


def by_rank(X):
    return np.linalg.matrix_rank(augment(X)) == len(X)


def by_differences(X):
    return bool(np.linalg.matrix_rank(X[1:] - X[0]) == len(X) - 1)


def by_trying(X):
    everything = product((-1.0, 1.0), repeat=len(X))
    return all(separating_halfspace(X, np.array(y)).separable for y in everything)


def by_some(X, count=8):
    """The verdict of a few random labelings where there are many."""
    if len(X) < 30:
        return by_rank(X)
    labels = np.random.default_rng(2).choice([-1.0, 1.0], (count, len(X)))
    return all(separating_halfspace(X, y).separable for y in labels)


RIGHT = [
    (check.xor, (np.array([-2.0, -2.0, 4.0]), np.float64(1.0))),
    (check.no_bias, ((1, 4, 4, 1),)),
    (check.no_bias, ([0.1, 0.4, 0.4, 0.1],)),
    (check.products, (by_loops,)),
    (check.shatters, (by_differences,)),
    (check.memory, (np.float64(74.0),)),
]


WRONG = [
    (check.xor, ((0, 0, 1), -0.5), "At (0, 0) the functional margin is -0.5"),
    (check.xor, ((0, 0, 1), 0), "Zero does not separate"),
    (check.no_bias, ((1, 0, 4, 0),), "The sum of a y x is -6"),
    (check.no_bias, ((1, 1, 1, 1),), "that of a y x^2 is 6"),
    (check.no_bias, ((1, -4, 4, 1),), "None may be negative"),
    (check.count, (84, 44, 7), "not the smallest n"),
    (check.count, (84, 12, 9), "84 and 12 make 96"),
    (check.count, (98, 30, 9), "98 labelings is not right"),
    (check.products, (lambda X: by_loops(X, False),), "the squares are missing"),
    (check.products, (lambda X: by_loops(X[:50]),), "For X of shape (55, 5)"),
    (check.shatters, (by_trying,), "use a theorem"),
    (check.shatters, (lambda X: len(X) > 1 and by_rank(X),), "For [[3, 4]] it returned"),
    (check.shatters, (by_some,), "Are they in a special position?"),
    (check.memory, (62,), "can be separated, and so can 63"),
    (check.memory, (100,), "cannot be separated"),
    (check.memory, (62.5,), "A whole number from 1 to 569"),
    (check.sine, (lambda y: 1.0,), "Which c decides at this point?"),
]
