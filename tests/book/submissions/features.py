"""Answers to the exercises of the chapter on features: right ones, and slips."""

from itertools import product

import numpy as np

from mlcore.book.exercises import features as check
from mlcore.features import quadratic
from mlcore.geometry import augment
from mlcore.separation import max_margin, separating_halfspace
from mlcore.separation import shatters as by_programs


def pairs(X, above=0):
    first, second = np.triu_indices(X.shape[1], above)
    return X[:, first] * X[:, second]


def by_loops(X):
    d = X.shape[1]
    return np.column_stack([X[:, q] * X[:, r] for r in range(d) for q in range(r + 1)])


def scales_its_input(X):
    X *= 2.0
    return pairs(X) / 4


def doubled(X):
    first, second = np.triu_indices(X.shape[1])
    return X[:, first] * X[:, second] * (1 + (first < second))


def by_rank(X):
    return np.linalg.matrix_rank(augment(X)) == len(X)


def special(X):
    return len(X) == X.shape[1] + 2


def by_differences(X):
    return bool(np.linalg.matrix_rank(X[1:] - X[0]) == len(X) - 1)


def by_trying(X):
    everything = product((-1.0, 1.0), repeat=len(X))
    return all(separating_halfspace(X, np.array(y)).separable for y in everything)


def by_margins(X):
    everything = [y for y in product((-1.0, 1.0), repeat=len(X)) if len(set(y)) == 2]
    return all(max_margin(X, np.array(y)).separable for y in everything)


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
    (check.xor, ([-1.5, -1.25, 3], 1)),
    (check.no_bias, ((1, 4, 4, 1),)),
    (check.no_bias, ([0.1, 0.4, 0.4, 0.1],)),
    (check.no_bias, (np.array([1, 4, 4, 1]) / 7,)),
    (check.count, (84, 44, 9)),
    (check.count, (84.0, np.int64(44), 9)),
    (check.products, (pairs,)),
    (check.products, (by_loops,)),
    (check.products, (lambda X: pairs(X).tolist(),)),
    (check.shatters, (by_rank,)),
    (check.shatters, (by_differences,)),
    (check.stays, ((True, False, True, True, False, False),)),
    (check.stays, (np.array([True, False, True, True, False, False]),)),
    (check.stays, ([np.True_, False, True, True, np.False_, False],)),
    (check.memory, (74,)),
    (check.memory, (np.float64(74.0),)),
    (check.sine, (omega,)),
    (check.sine, (by_search,)),
    (check.sine, (lambda y: float(omega(y)) + 2 * np.pi * 2 ** len(y),)),
]


WRONG = [
    (check.xor, ((0, 0, 1), 0), "At (0, 0) the functional margin is 0. Zero does not"),
    (check.xor, ((0, 0, 1), -0.5), "At (0, 0) the functional margin is -0.5"),
    (check.xor, ((-2, -2, 1), 1), "At (1, 1) the functional margin is -2"),
    (check.xor, ((2, 2, -4), -1), "At (0, 0) the functional margin is -1"),
    (check.xor, ((-2, -2), 1), "w, three numbers"),
    (check.xor, ((-2, -2, 4), (1, 1)), "b, one number"),
    (check.xor, ((-2, -2, np.inf), 1), "all of them finite"),
    (check.xor, ((-0.3, -0.3, 0.4), 0.2), "Zero does not separate"),
    (check.no_bias, ((1, 1, 1, 1),), "that of a y x^2 is 6"),
    (check.no_bias, ((4, 1, 1, 4),), "that of a y x^2 is 30"),
    (check.no_bias, ((1, 0, 4, 0),), "The sum of a y x is -6"),
    (check.no_bias, ((1, -4, 4, 1),), "None may be negative"),
    (check.no_bias, ((0, 0, 0, 0),), "not all may be zero"),
    (check.no_bias, ((1, 4, 1),), "of shape (4,)"),
    (check.no_bias, ("1441",), "Give four weights"),
    (check.count, (44, 84, 7), "is this the count for p = 3"),
    (check.count, (44, 84, 9), "or are the two in the other order?"),
    (check.count, (84, 44, 8), "exactly half"),
    (check.count, (84, 44, 7), "not the smallest n"),
    (check.count, (84, 12, 9), "84 and 12 make 96"),
    (check.count, (42, 86, 9), "the factor 2"),
    (check.count, (98, 30, 9), "98 labelings is not right"),
    (check.count, (98, 30, 9), "n - 1 on top in its binomials, not n"),
    (check.count, (84, 44, None), "three whole numbers"),
    (check.products, (lambda X: pairs(X, 1),), "(50, 3): the squares are missing."),
    (
        check.products,
        (lambda X: pairs(X) if X.shape[1] > 1 else pairs(X, 1),),
        "there is one product, its square",
    ),
    (
        check.products,
        (lambda X: (X[:, :, None] * X[:, None, :]).reshape(len(X), -1),),
        "every product of two different features is there twice",
    ),
    (
        check.products,
        (lambda X: quadratic(X) if X.shape[1] == 3 else pairs(X),),
        "is there twice, or the features themselves are there, too",
    ),
    (check.products, (quadratic,), "(50, 3): the features themselves are there, too"),
    (check.products, (lambda X: augment(quadratic(X)),), "and the constant are there"),
    (check.products, (lambda X: [[1.0] * (1 + q % 2) for q in range(50)],), "lengths"),
    (check.products, (lambda X: pairs(X)[:-1],), "one row for each example"),
    (check.products, (lambda X: pairs(X)[:, :2],), "the shape (50, 2), not (50, 3)."),
    (check.products, (lambda X: pairs(X) ** 2,), "a product of two features?"),
    (check.products, (doubled,), "And is none of them doubled?"),
    (check.products, (lambda X: pairs(X).T,), "it is transposed; each example is a row"),
    (check.products, (lambda X: pairs(X)[:, 0],), "an array of shape (50, 3) is wanted"),
    (check.products, (scales_its_input,), "changed its argument number 1"),
    (check.products, (lambda X: pairs(X) + 1,), "which is not right"),
    (check.shatters, (lambda X: len(X) <= X.shape[1] + 1,), "special position"),
    (check.shatters, (lambda X: np.linalg.matrix_rank(X) == len(X),), "room for the bias"),
    (check.shatters, (lambda X: special(X) or by_rank(X),), "How many points of dim"),
    (check.shatters, (by_trying,), "use a theorem"),
    (check.shatters, (by_programs,), "use a theorem"),
    (check.shatters, (by_margins,), "linear programs"),
    (check.shatters, (lambda X: int(by_rank(X)),), "Return True or False"),
    (check.shatters, (lambda X: None,), "returned nothing"),
    (check.shatters, (lambda X: False,), "there is a rule for each labeling"),
    (check.shatters, (lambda X: not by_rank(X),), "it returned True"),
    (check.stays, ((True, False, True, True, True, False),), "Number 5 does not"),
    (check.stays, ((True,) * 6,), "Number 2 does not always keep"),
    (check.stays, ((False,) * 6,), "Number 1 always keeps"),
    (check.stays, ((True, False, True, False, False, False),), "Number 4 always keeps"),
    (check.stays, ((True, False, True, True, False, True),), "Number 6 does not"),
    (check.stays, ((1, 0, 1, 1, 0, 0),), "is True or False; these are (1, 0"),
    (check.stays, ((True, False),), "Six values are wanted"),
    (check.stays, ((..., False, True, True, False, False),), "Replace the three dots"),
    (check.memory, (75,), "the first set that fails. And before it?"),
    (check.memory, (68,), "the answer for rules without a bias"),
    (check.memory, (62,), "can be separated, and so can 63"),
    (check.memory, (100,), "cannot be separated"),
    (check.memory, (569,), "true labels"),
    (check.memory, (62.5,), "A whole number from 1 to 569"),
    (check.memory, ((74, 75),), "one whole number"),
    (check.sine, (lambda y: omega(y, one=0),), "not positive"),
    (check.sine, (lambda y: omega(y, sign=1),), "but the label is +1"),
    (check.sine, (lambda y: omega(y, shift=0),), "Which c decides"),
    (check.sine, (lambda y: omega(y[::-1]),), "Which c decides"),
    (check.sine, (lambda y: omega(y) / np.pi,), "Which c decides"),
    (check.sine, (lambda y: -omega(y),), "not positive"),
    (check.sine, (lambda y: y,), "back one number"),
    (check.sine, (lambda y: next(w for w in iter(int, 1) if w),), "was stopped after"),
]
