"""Answers to the exercises of the geometry chapter: right ones, and slips."""

from fractions import Fraction

import numpy as np
import sympy as sp

from mlcore.book.exercises import geometry as check
from mlcore.data import breast_cancer
from mlcore.features import standardize
from mlcore.geometry import signed_distance
from mlcore.separation import max_margin

NEAR = (4 / 3, 7 / 3, 4 / 3)


def distances(X, w, b):
    return (X @ w + b) / np.linalg.norm(w)


def one_by_one(X, w, b):
    return [(sum(p * q for p, q in zip(x, w, strict=True)) + b) / (w @ w) ** 0.5 for x in X]


def changes_its_input(X, w, b):
    w /= np.linalg.norm(w)
    return X @ w + b


def never_ends(*arguments):
    while True:
        pass


def cut(x, y, *, ways=(1, -1), sign=-1, share=0.5):
    rooms = []
    for w in ways:
        low, high = (w * x[y > 0]).min(), (w * x[y < 0]).max()
        rooms.append(((low - high) * share, w, sign * (low + high) / 2))
    room, w, b = max(rooms)
    return w, b, room


def place_of_the_cut(x, y):
    w, b, room = cut(x, y)
    return w, -b / w, room


def by_mlcore(x, y):
    best = max_margin(x[:, None], y)
    return [best.w[0], best.b, best.margin]


def between_means(x, y):
    first, second = x[y > 0].mean(), x[y < 0].mean()
    w = np.sign(first - second)
    b = -w * (first + second) / 2
    return w, b, (y * (w * x + b)).min()


def longer(X, w, b, c):
    return np.c_[np.full(len(X), c), X], np.r_[b / c, w]


def as_lists(X, w, b, c):
    return [[c, *row] for row in X.tolist()], [b / c, *w]


def of_means():
    tumors = breast_cancer()
    T, bad = standardize(tumors.X), tumors.y > 0
    u, v = T[bad].mean(axis=0), T[~bad].mean(axis=0)
    g = T @ (u - v) + (v @ v - u @ u) / 2
    return np.abs(g), u - v, np.abs(T @ (u - v))


SIZE, W, WITHOUT_BIAS = of_means()
SAMPLE = int(SIZE.argmin())
CHANGE = SIZE.min() / np.abs(W).max()
TRUTH = (False, True, True, True, True, False, False, True)

RIGHT = [
    (check.by_hand, (12, 4, NEAR, -4)),
    (check.by_hand, (12.0, np.float64(4), [1.333, 2.333, 1.333], -4.0)),
    (check.by_hand, (np.array(12), 4, np.array(NEAR), np.int64(-4))),
    (check.by_hand, (sp.Integer(12), 4, [Fraction(4, 3), sp.Rational(7, 3), 4 / 3], -4)),
    (check.signed_distance, (distances,)),
    (check.signed_distance, (one_by_one,)),
    (check.signed_distance, (signed_distance,)),
    (check.acute, ((0, 1), -2, (5, 1))),
    (check.acute, (np.array([1.0, 1.0]), np.float64(-3), [30, -28])),
    (check.best_cut, (cut,)),
    (check.best_cut, (by_mlcore,)),
    (check.best_cut, (lambda x, y: np.array(cut(x, y)),)),
    (check.same_margin, (TRUTH,)),
    (check.same_margin, (list(TRUTH),)),
    (check.same_margin, (np.array(TRUTH),)),
    (check.loglog, (-sp.log(sp.log(2)),)),
    (check.loglog, (0.3665,)),
    (check.loglog, (np.float64(0.36651292),)),
    (check.loglog, (sp.Float("0.36651"),)),
    (check.augment, (longer,)),
    (check.augment, (as_lists,)),
    (check.doubtful, (SAMPLE, CHANGE)),
    (check.doubtful, (np.int64(SAMPLE), round(CHANGE, 3))),
    (check.doubtful, (float(SAMPLE), np.float32(CHANGE))),
    (check.shrinks, ([[200], [202]], [-1, 1])),
    (check.shrinks, (np.array([[500.0, 0], [503, 0], [504, 1]]), np.array([1.0, -1, -1]))),
]


WRONG = [
    (
        check.by_hand,
        (15, 4, NEAR, -4),
        "is 15, which is not right. Is the bias in it",
    ),
    (check.by_hand, (18, 4, NEAR, -4), "Which sign has b?"),
    (check.by_hand, (12, 12, NEAR, -4), "That is the score. What is it divided by?"),
    (check.by_hand, (12, 4 / 3, NEAR, -4), "over the square of the length"),
    (check.by_hand, (12, 2.4, NEAR, -4), "sum of the sizes of its entries"),
    (check.by_hand, (12, 2.828, NEAR, -4), "is b in yours?"),
    (check.by_hand, (12, -4, NEAR, -4), "On which side of the plane"),
    (check.by_hand, (12, 4, (-4, 5, -4), -4), "has the score -24, so it is not on the"),
    (check.by_hand, (12, 4, (20 / 3, -1 / 3, 20 / 3), -4), "has the score 24"),
    (check.by_hand, (12, 4, (0, -3, 0), -4), "is on the plane, but it is 6.9282 away"),
    (check.by_hand, (12, 4, (1.33, 2.33, 1.33), -4), "give more digits, or exact"),
    (check.by_hand, (12, 4, (1.3, 2.3, 1.3), -4), "three digits after the point"),
    (check.by_hand, (12, 4, (6.67, -0.33, 6.67), -4), "Which sign has the step along w"),
    (check.by_hand, (12, 4, (-8 / 3, 4 / 3, -8 / 3), -4), "if it starts at x?"),
    (check.by_hand, (12, 4, (2.667, -1.333, 2.667), -4), "is the way between x and"),
    (check.by_hand, (12, 4, (4 / 3, 7 / 3), -4), "three numbers, of shape (3,)"),
    (check.by_hand, (12, 4, NEAR, 4), "What is the label of x?"),
    (check.by_hand, (12, 4, NEAR, -12), "That is the functional margin"),
    (check.by_hand, (12, 4, NEAR, np.nan), "finite"),
    (check.by_hand, (12, 4, NEAR, "-4"), "the geometric margin, one number"),
    (check.by_hand, (12, 4, NEAR, -3.9), "Write down its formula"),
    (check.by_hand, (12, 4, (..., 1, 2), -4), "Replace the three dots"),
    (check.by_hand, (12, 4), "asks for score, distance, nearest, margin"),
    (check.signed_distance, (lambda X, w, b: np.abs(distances(X, w, b)),), "side is lost"),
    (check.signed_distance, (lambda X, w, b: distances(X, w, 0) + b,), "the bias too?"),
    (
        check.signed_distance,
        (lambda X, w, b: X @ w + b / np.linalg.norm(w),),
        "or only the bias?",
    ),
    (check.signed_distance, (lambda X, w, b: distances(X, w, 0),), "The bias is missing"),
    (check.signed_distance, (lambda X, w, b: distances(X, w, -b),), "has a plus sign"),
    (check.signed_distance, (lambda X, w, b: (X @ w + b) / (w @ w),), "by its square?"),
    (check.signed_distance, (lambda X, w, b: X @ w + b,), "This is the score"),
    (
        check.signed_distance,
        (lambda X, w, b: (X @ w + b) / np.linalg.norm([*w, b]),),
        "is b in yours?",
    ),
    (
        check.signed_distance,
        (lambda X, w, b: (X @ w + b) / np.abs(w).sum(),),
        "root of the sum of squares",
    ),
    (
        check.signed_distance,
        (lambda X, w, b: -distances(X, w, b),),
        "this is -g/||w||",
    ),
    (
        check.signed_distance,
        (lambda X, w, b: distances(X, w, b)[:, None],),
        "the shape should be (2,)",
    ),
    (check.signed_distance, (lambda X, w, b: distances(X, w, b)[0],), "the shape should"),
    (check.signed_distance, (changes_its_input,), "changed its argument number 2"),
    (check.signed_distance, (never_ends,), "was stopped after"),
    (check.signed_distance, (lambda X, w, b: None,), "returned nothing"),
    (check.signed_distance, (lambda X, w: X @ w,), "stopped with TypeError"),
    (check.signed_distance, (3.0,), "A function is wanted here"),
    (check.acute, ((1, 0), -2, (1, 1e300)), "up to 1e100"),
    (check.acute, ((1, 1e300), -2, (1, 0)), "up to 1e100"),
    (check.acute, ((0, 1), -2, (0, 1)), "distance 1 from the origin, and the line at 2"),
    (check.acute, ((0, 1), 2, (5, 1)), "the prediction is +1"),
    (check.acute, ((0, 1), -1, (5, 1)), "g(x) = 0, so the prediction is +1"),
    (check.acute, ((0, 1), -2, (5, -1)), "this angle is not acute"),
    (check.acute, ((0, 1), -2, (5, 0)), "this angle is not acute"),
    (check.acute, ((0, 0), -2, (5, 1)), "w = 0 has no line"),
    (check.acute, ((0, 1, 0), -2, (5, 1)), "two numbers, of shape (2,)"),
    (check.acute, ((1e-170, 0), -2e-170, (1, 9)), "Lengths from 1e-100 up to"),
    (check.acute, ((1, 0), -2e-170, (1e-170, 9e-170)), "Lengths from 1e-100 up to"),
    (check.acute, ((0, 1), (-2,), (5, 1)), "b, a number"),
    (check.acute, ((0, 1), -2, (np.inf, 1)), "finite"),
    (check.best_cut, (lambda x, y: cut(x, y, ways=(1,)),), "On which side of the cut"),
    (check.best_cut, (lambda x, y: cut(x, y, sign=1),), "is it the bias, or the place of"),
    (check.best_cut, (place_of_the_cut,), "Where is w x + b zero?"),
    (check.best_cut, (lambda x, y: cut(x, y, share=1),), "the whole gap"),
    (check.best_cut, (lambda x, y: cut(x, y, share=0.25),), "0.75, which is not right"),
    (check.best_cut, (between_means,), "Which two points matter?"),
    (check.best_cut, (lambda x, y: cut(x, y)[:2],), "return w, b and the margin"),
    (check.best_cut, (lambda x, y: (2, 0, 1),), "it should be +1 or -1"),
    (check.best_cut, (lambda x, y: (np.array([1.0]), 0, 1),), "Give three numbers"),
    (check.best_cut, (never_ends,), "was stopped after"),
    (check.same_margin, ((True,) * 8,), "Number 1 does not always keep it"),
    (check.same_margin, ((False,) * 8,), "Number 2 always keeps it"),
    (check.same_margin, ((*TRUTH[:5], True, *TRUTH[6:]),), "Number 6 does not always"),
    (check.same_margin, ((*TRUTH[:6], True, True),), "Number 7 does not always"),
    (check.same_margin, ((*TRUTH[:4], False, *TRUTH[5:]),), "Number 5 always keeps"),
    (check.same_margin, ((0, 1, 1, 1, 1, 0, 0, 1),), "is True or False; these are (0, 1"),
    (check.same_margin, ((*TRUTH[:7], False),), "Does the old widest hyperplane"),
    (check.same_margin, ((..., *TRUTH[1:]),), "Replace the three dots"),
    (check.same_margin, (TRUTH[:7],), "Eight values are wanted"),
    (check.same_margin, (True,), "Eight values are wanted"),
    (check.loglog, (sp.log(sp.log(2)),), "complementary log-log"),
    (check.loglog, (0.37,), "give four digits after the point"),
    (check.loglog, (0.6931,), "take it a second time"),
    (check.loglog, (0,), "Not every activation"),
    (check.loglog, (0.5,), "the value that f should have there"),
    (check.loglog, (7,), "Take logarithms"),
    (check.loglog, (-1000,), "f is 0.000000"),
    (check.loglog, ("a word or two",), "Give one real number; this is"),
    (check.loglog, (sp.Symbol("z"),), "Give one real number; this is"),
    (check.loglog, ([0.3665],), "Give one real number; this is"),
    (check.loglog, (sp.nan,), "finite"),
    (
        check.augment,
        (lambda X, w, b, c: (longer(X, w, b, c)[0], np.r_[b, w]),),
        "that is b)",
    ),
    (
        check.augment,
        (lambda X, w, b, c: (longer(X, w, b, c)[0], np.r_[b * c, w]),),
        "b times c",
    ),
    (
        check.augment,
        (lambda X, w, b, c: (longer(X, w, b, c)[0], np.r_[-b / c, w]),),
        "its sign is wrong",
    ),
    (
        check.augment,
        (lambda X, w, b, c: (np.c_[X, np.full(len(X), c)], np.r_[w, b / c]),),
        "Your constant is the last column",
    ),
    (
        check.augment,
        (lambda X, w, b, c: (longer(X, w, b, c)[0], np.r_[w, b / c]),),
        "your weights have b last",
    ),
    (
        check.augment,
        (lambda X, w, b, c: (np.c_[np.ones(len(X)), X], np.r_[b, w]),),
        "is 1 everywhere",
    ),
    (
        check.augment,
        (lambda X, w, b, c: (longer(X, w, b, c)[0], np.r_[b, w / c]),),
        "should stay as they are",
    ),
    (check.augment, (lambda X, w, b, c: longer(X, w, b, c)[0],), "Return two things"),
    (
        check.augment,
        (lambda X, w, b, c: (longer(X, w, b, c)[0].T, np.r_[b / c, w]),),
        "the shape should be (5, 4)",
    ),
    (check.augment, (lambda X, w, b, c: (X, w),), "the shape should be (5, 4)"),
    (check.doubtful, (SAMPLE + 1, CHANGE), "Do you count from 1?"),
    (check.doubtful, (0, CHANGE), "another is nearer"),
    (check.doubtful, (int(WITHOUT_BIAS.argmin()), CHANGE), "is the bias in your score?"),
    (check.doubtful, (569, CHANGE), "have the numbers 0 to 568"),
    (check.doubtful, (-1, CHANGE), "have the numbers 0 to 568"),
    (check.doubtful, (SAMPLE, CHANGE + 0.0006), "give three digits after the point"),
    (check.doubtful, (SAMPLE, 0.19), "give three digits after the point"),
    (check.doubtful, (SAMPLE, 0.5), "By how much does the score change"),
    (check.doubtful, (SAMPLE, SIZE.min() / np.linalg.norm(W)), "That is the distance"),
    (check.doubtful, (SAMPLE, SIZE.min()), "That is the size of the score"),
    (check.doubtful, (SAMPLE, SIZE.min() / np.abs(W).min()), "the worst single feature"),
    (check.doubtful, (SAMPLE, -CHANGE), "Give its size, without a sign"),
    (check.doubtful, (SAMPLE, None), "the change, one number"),
    (check.shrinks, ([[20], [22]], [-1, 1]), "after augmentation it is still"),
    (check.shrinks, ([[200, -0.9], [202, 0.9]], [-1, 1]), "Which direction separates"),
    (check.shrinks, ([[200], [201]], [-1, 1]), "margin with a bias is 0.5"),
    (check.shrinks, ([[200], [202]], [1, 1]), "Both labels must occur"),
    (check.shrinks, ([[200], [202]], [0, 1]), "Labels are -1 or +1"),
    (check.shrinks, ([[200], [202], [204]], [1, -1, 1]), "No hyperplane separates"),
    (check.shrinks, ([200, 202], [-1, 1]), "Give a matrix"),
    (check.shrinks, ([[200], [202, 1]], [-1, 1]), "Give a matrix"),
    (check.shrinks, ([[200], [202]], [-1, 1, 1]), "one label for each row, of shape (2,)"),
    (check.shrinks, ([["a"], ["b"]], [-1, 1]), "the rows of a matrix"),
]
