"""Answers to the exercises of the geometry chapter: right ones, and mistakes."""

import numpy as np
import sympy as sp

from mlcore.book.exercises import geometry as check

NEAR = (4 / 3, 7 / 3, 4 / 3)


def cut(x, y, *, sign=-1, share=0.5):
    rooms = []
    for w in (1, -1):
        low, high = (w * x[y > 0]).min(), (w * x[y < 0]).max()
        rooms.append(((low - high) * share, w, sign * (low + high) / 2))
    room, w, b = max(rooms)
    return w, b, room


def longer(X, w, b, c):
    return np.c_[np.full(len(X), c), X], np.r_[b / c, w]


SAMPLE, CHANGE = check.doubtful.made().right

RIGHT = [
    (check.acute, (np.array([1.0, 1.0]), np.float64(-3), [30, -28])),
    (check.best_cut, (cut,)),
    (check.loglog, (-sp.log(sp.log(2)),)),
    (check.augment, (longer,)),
    (check.shrinks, (np.array([[500.0, 0], [503, 0], [504, 1]]), np.array([1.0, -1, -1]))),
]


WRONG = [
    (check.by_hand, (12, 4, (0, -3, 0), -4), "is on the plane, but it is 6.9282 away"),
    (check.by_hand, (12, 4, NEAR, -3.9), "Write down its formula"),
    (check.acute, ((0, 0), -2, (5, 1)), "this angle is not acute"),
    (check.best_cut, (lambda x, y: cut(x, y, sign=1),), "is that the place of the cut?"),
    (check.best_cut, (lambda x, y: cut(x, y, share=1),), "the whole gap"),
    (check.best_cut, (lambda x, y: cut(x, y, share=0.25),), "0.75, which is not right"),
    (check.loglog, (7,), "Take logarithms"),
    (check.augment, (lambda X, w, b, c: longer(X, w, b, 1),), "your matrix gave"),
    (check.augment, (lambda X, w, b, c: longer(X, w / c, b, c),), "stay as they are"),
    (
        check.augment,
        (lambda X, w, b, c: longer(X[:5], w, b, c),),
        "the shape should be (7, 3)",
    ),
    (check.doubtful, (0, CHANGE), "another is nearer"),
    (check.doubtful, (569, CHANGE), "from 0 to 568"),
    (check.doubtful, (SAMPLE, 0.5), "By how much does the score change"),
    (check.shrinks, ([[20], [22]], [-1, 1]), "it is still 0.04757"),
    (check.shrinks, ([[200], [202]], [0, 1]), "Labels are -1 and +1, and both occur"),
    (check.shrinks, ([[200], [202], [204]], [1, -1, 1]), "No hyperplane separates"),
]
