"""Answers to the exercises on sparsity."""

from fractions import Fraction

import numpy as np

from mlcore.book.exercises import sparsity as check

[descend], [step] = (f.made().right for f in (check.my_descent, check.sparse_step))
HALF = [[1, 0, 0.5], [0, 1, 0.5]]
ONE = np.eye(2)
TWO = (HALF, [3, 3], 2, [2, 2, 0], [0, 0, 4])


def verdict(X, y, w, b, lambda_, *, factor=2, signs=True, off=1e-6):
    """Whether (w, b) is a minimum, right or with a condition forgotten."""
    r = y - X @ w - b
    g = factor * X.T @ r
    size = np.abs(g) <= lambda_ + off
    equal = np.abs(g - lambda_ * np.sign(w)) <= off
    held = np.where(w != 0, equal if signs else size, size)
    return bool(held.all() and abs(r.sum()) <= off)


def descent(X, y, lambda_, *, together=False, passes=200):
    """Coordinate descent; all weights at once are right only where no columns are alike."""
    w, s = np.zeros(X.shape[1]), (X * X).sum(axis=0)
    for _ in range(passes):
        for j in [slice(None)] if together else range(len(w)):
            c = X[:, j].T @ (y - X @ w) + s[j] * w[j]
            w[j] = np.sign(c) * np.maximum(0, np.abs(c) - lambda_ / 2) / s[j]
    return w


def nearly(X, y, lambda_):
    w = descend(X, y, lambda_)
    return np.where(w == 0, 1e-9, w)


RIGHT = [
    (check.one_weight, (np.float64(30), Fraction(3, 2), 0.833)),
    (check.knots, ([12, 8.667, 8, 2.667],)),
    (check.my_descent, (descent,)),
    (check.is_minimum, (verdict,)),
    (check.is_minimum, (lambda *proposal: np.bool_(verdict(*proposal)),)),
    (check.how_many, (np.int64(22), 18.0)),
    (check.two_answers, TWO),
    (check.two_answers, (np.array(HALF), (3.0, 3.0), 2.0, (2, 2, 0), (1, 1, 2))),
]

WRONG = [
    (check.one_weight, (31, 1.5, 5 / 6), "Compute c = X_1"),
    (check.one_weight, (30, 1.5, 0.8), "of ridge is not right"),
    (check.knots, ((12, 26 / 3, 8),), "that has left can come back"),
    (check.knots, ((12, 26 / 3, 8, 8 / 3, 0),), "leave out the end"),
    (check.knots, ((8 / 3, 8, 26 / 3, 12),), "do not fall"),
    (check.knots, ((10, 26 / 3, 8, 8 / 3),), "the largest product with y"),
    (check.knots, ((12, 10, 8, 8 / 3),), "Price number 2"),
    (check.knots, ((12, 26 / 3, 6, 8 / 3),), "Which weight falls to 0"),
    (check.knots, ((12, 26 / 3, 8, 4),), "or -t from inside"),
    (check.my_descent, (lambda X, y, p: -descend(X, y, p),), "and which threshold"),
    (check.my_descent, (nearly,), "not exactly 0"),
    (check.my_descent, (lambda *case: descent(*case, passes=10),), "too few passes"),
    (check.my_descent, (lambda *case: descent(*case, together=True),), "run away"),
    (check.is_minimum, (lambda *p: verdict(*p, factor=1),), "Is the factor 2"),
    (check.is_minimum, (lambda *p: verdict(*p, signs=False),), "least squares, where"),
    (check.is_minimum, (lambda *p: verdict(*p, off=1e-5),), "a pull is off by 4e-6"),
    (check.sparse_step, (lambda *g: 2 * step(*g),), "which is not right"),
    (check.how_many, (22, 17), "Your first number is right"),
    (check.how_many, (30, 18), "least mean error"),
    (check.two_answers, (*TWO[:4], [2, 2, 0]), "are equal"),
    (check.two_answers, ([[1, 1], [0, 0]], [3, 0], 2, [2, 0], [0, 2]), "1 and 2 are mult"),
    (check.two_answers, ([[1, 0], [0, 0]], [3, 0], 2, [2, 0], [0, 2]), "Column 2 of X is"),
    (check.two_answers, (HALF, [3, 3], 0, [2, 2, 0], [0, 0, 4]), "must be positive"),
    (check.two_answers, (*TWO[:4], [0, 0, 3]), "Your second w is not a minimizer"),
    (check.two_answers, (ONE, [5e5, 5e5 + 1], 1e6, [0, 1], [0, 1.2]), "What do all minim"),
]
