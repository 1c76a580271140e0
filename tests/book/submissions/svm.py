"""Answers to the exercises on the support vector machine: right ones, and slips."""

import numpy as np

from mlcore.book.exercises import svm as check
from mlcore.svm import soft_margin

[bound], [hits] = (f.made().right for f in (check.lower_bound, check.kernel_hits))
[pegasos] = check.batch_pegasos.made().right


def one_by_one(X, y, lambda_, batches):
    w, b = pegasos(X, y, lambda_, batches)
    return list(w), b


def exact_minimum(X, y, lambda_, batches):
    fit = soft_margin(X, y, lambda_=lambda_)
    return fit.w, fit.b


def bound_for_all(X, y, a, C):
    return a.sum() - ((a * y) @ X) @ ((a * y) @ X) / 2


def loose(X, y, a, C, low=1e-9, high=1e-9, balance=1e-9):
    """May allow for errors that no rounding makes."""
    off = a.min() < -low or a.max() > C + high or abs(a @ y) > balance
    return None if off else bound_for_all(X, y, a, C)


def without_the_past(K, y, lambda_, picks):
    """Counts the hits as if w were not divided by t - 1."""
    counts = np.zeros(len(y))
    for t, i in enumerate(picks, start=1):
        counts[i] += t == 1 or y[i] * (counts * y) @ K[i] < lambda_
    return counts


EIGHTHS = (3 / 8, 1 / 2, 1 / 2, 3 / 8)

RIGHT = [
    (check.four_points, (np.float64(0.5), 0.0, np.array([0.375, 0.5, 0.5, 0.375]))),
    (check.four_points, (0.5, 0.0005, (0.3755, 0.5, 0.5, 0.3755))),
    (check.batch_pegasos, (one_by_one,)),
    (check.kernel_hits, (lambda *case: list(map(int, hits(*case))),)),
    (check.leave_one_out, ((np.array(check.leave_one_out.made().right[0]),),)),
    (check.leave_one_out, (set(check.leave_one_out.made().right[0]),)),
    (check.translated, ((0.02, 0.25, 0.02, 0.01, 2),)),
    (check.loose_bias, ([1, 2, -1, -2], 10)),
    (check.loose_bias, ((1, 2, 0.5, -2), 20.0)),
]

WRONG = [
    (check.slopes, (((-3, -3), (-1, -3), (-1, 0)),), "the smaller slope first"),
    (check.slopes, (((3, 3), (1, 3), (0, 1)),), "does the function rise"),
    (check.slopes, (((-3, -3), (-3, -1), (0, 0)),), "At z = 1, the slopes"),
    (check.four_points, (0.25, 0, (0.5,) * 4), "Your weights make v = 1"),
    (check.four_points, (0.5, 0, (0.375, 0.5, 0.5, 0.5)), "Does b cancel?"),
    (check.four_points, (0.5, 0.009, EIGHTHS), "z = 1.009 and the weight 0.375"),
    (check.four_points, (0.5, 1, EIGHTHS), "What must be the weight"),
    (check.four_points, (0.5, 0, (1.5, 2, 2, 1.5)), "between 0 and C = 0.5"),
    (check.four_points, (0, 0, EIGHTHS), "Do the labels go into the sum?"),
    (check.lower_bound, (bound_for_all,), "(1, 0, 0) do not cancel b"),
    (check.lower_bound, (lambda X, y, a, C: bound(X, y, a, 1.0),), "the price C = 0.4"),
    (check.lower_bound, (lambda *a: loose(*a, low=5e-7),), "are partly negative (-3e-09)"),
    (check.lower_bound, (lambda *a: loose(*a, high=1e-8),), "C = 0.5, by 3e-09"),
    (check.lower_bound, (lambda *a: loose(*a, balance=5e-7),), "a y is 3e-09"),
    (check.kernel_hits, (without_the_past,), "by what do you divide after t - 1 steps"),
    (
        check.lower_bound,
        (lambda *a: None if a[2].min() < 0 else bound(*a),),
        "by 1e-12 only",
    ),
    (check.batch_pegasos, (lambda *a: (np.full(2, np.nan), np.nan),), "if T is 1?"),
    (check.batch_pegasos, (exact_minimum,), "line by line"),
    (check.leave_one_out, ([],), "Some image does go wrong"),
    (check.leave_one_out, ([7],), "Image 7 is classified correctly if"),
    (check.leave_one_out, ([400],), "whole numbers from 0 to 356"),
    (check.leave_one_out, (np.arange(357) == 7,), "a list of indices of images"),
    (check.translated, ((0.02, 0.25, 0.02, 0.01, 7),), "compare the price"),
    (check.loose_bias, ([1, 2, -1, -2], 1), "w = 0.5, and the best b form"),
    (check.loose_bias, ([1, 1, 1, 1], 10), "Here w = 0"),
    (check.loose_bias, ([1, 2, -1, -2], 0), "lambda from 1e-6 to 1e6"),
]
