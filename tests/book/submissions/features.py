"""Answers to the exercises of the chapter on features: right ones, and slips."""

from itertools import product

import numpy as np

from mlcore.book.exercises import features as check
from mlcore.geometry import augment
from mlcore.separation import separating_halfspace


def pairs(X):
    first, second = np.triu_indices(X.shape[1])
    return X[:, first] * X[:, second]


def by_loops(X):
    d = X.shape[1]
    return np.column_stack([X[:, q] * X[:, r] for r in range(d) for q in range(r + 1)])


def by_rank(X):
    return np.linalg.matrix_rank(augment(X)) == len(X)


def by_differences(X):
    return bool(np.linalg.matrix_rank(X[1:] - X[0]) == len(X) - 1)


def by_trying(X):
    everything = product((-1.0, 1.0), repeat=len(X))
    return all(separating_halfspace(X, np.array(y)).separable for y in everything)


def omega(y, one=1, shift=1, sign=-1):
    c = (1 + sign * np.asarray(y)) / 2
    return np.pi * (one + np.sum(c * 2.0 ** (np.arange(len(c)) + shift)))


def by_search(y):
    steps = np.pi * np.arange(1, 2 ** (len(y) + 1))
    places = 0.5 ** np.arange(1, len(y) + 1)
    good = (y * np.sin(np.outer(steps, places)) > 1e-6).all(axis=1)
    return float(steps[good.argmax()])


RIGHT = [
    (check.xor, ((-2, -2, 4), 1)),
    (check.xor, (np.array([-2.0, -2.0, 4.0]), np.float64(1.0))),
    (check.no_bias, ((1, 4, 4, 1),)),
    (check.no_bias, ([0.1, 0.4, 0.4, 0.1],)),
    (check.count, (84.0, np.int64(44), 9)),
    (check.products, (pairs,)),
    (check.products, (by_loops,)),
    (check.shatters, (by_rank,)),
    (check.shatters, (by_differences,)),
    (check.stays, (np.array([True, False, True, True, False, False]),)),
    (check.memory, (np.float64(74.0),)),
    (check.sine, (omega,)),
    (check.sine, (by_search,)),
]


WRONG = [
    (check.xor, ((0, 0, 1), -0.5), "At (0, 0) the functional margin is -0.5"),
    (check.no_bias, ((1, 0, 4, 0),), "The sum of a y x is -6"),
    (check.no_bias, ((1, -4, 4, 1),), "None may be negative"),
    (check.count, (84, 44, 7), "not the smallest n"),
    (check.count, (84, 12, 9), "84 and 12 make 96"),
    (check.count, (98, 30, 9), "98 labelings is not right"),
    (check.products, (lambda X: [[1.0] * (1 + q % 2) for q in range(50)],), "lengths"),
    (check.shatters, (by_trying,), "use a theorem"),
    (check.memory, (62,), "can be separated, and so can 63"),
    (check.memory, (100,), "cannot be separated"),
    (check.memory, (62.5,), "A whole number from 1 to 569"),
    (check.sine, (lambda y: omega(y, sign=1),), "but the label is +1"),
    (check.sine, (lambda y: omega(y, shift=0),), "Which c decides"),
]
