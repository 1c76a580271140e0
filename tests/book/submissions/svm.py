"""Answers to the exercises of the SVM chapter: right ones, and slips."""

import numpy as np

from mlcore.book.exercises import svm as check
from mlcore.book.exercises import svm_data as data
from mlcore.data import digits
from mlcore.svm import hard_margin, soft_margin


def bound(X, y, a, C, half=2, label=True, checked=True):
    v = (a * y if label else a) @ X
    off = a.min() < -1e-9 or a.max() > C + 1e-9 or abs(a @ y) > 1e-9
    return None if checked and off else a.sum() - v @ v / half


def length_for_square(X, y, a, C):
    value, v = bound(X, y, a, C), (a * y) @ X
    return None if value is None else a.sum() - np.sqrt(v @ v) / 2


def only_balance(X, y, a, C):
    return bound(X, y, a, C, checked=False) if abs(a @ y) < 1e-9 else None


def no_sign(X, y, a, C):
    allowed = abs(a @ y) < 1e-9 and a.max() <= C + 1e-9
    return bound(X, y, a, C, checked=False) if allowed else None


def changes_weights(X, y, a, C):
    a *= y
    return a @ y - (a @ X) @ (a @ X) / 2


def batch(X, y, lambda_, batches, slip=""):
    return tuple(np.split(data.pegasos(X, y, lambda_, batches, slip), [-1]))


def batch_right(X, y, lambda_, batches, slip=""):
    w, b = batch(X, y, lambda_, batches, slip)
    return w, float(b[0])


def one_by_one(X, y, lambda_, batches):
    w, b, seen = [0.0] * X.shape[1], 0.0, []
    for t, part in enumerate(batches, start=1):
        hits = [q for q in part if y[q] * (np.dot(w, X[q]) + b) < 1]
        step = sum((y[q] * X[q] for q in hits), np.zeros(X.shape[1])) / len(part)
        w = (1 - 1 / t) * np.array(w) + step / (lambda_ * t)
        b += sum(y[q] for q in hits) / len(part) / (lambda_ * t)
        seen.append([*w, b])
    late = [row for t, row in enumerate(seen, start=1) if t > len(seen) / 2]
    mean = np.mean(late, axis=0)
    return list(mean[:-1]), mean[-1]


def changes_the_data(X, y, lambda_, batches):
    X *= y[:, None]
    return batch_right(X, np.ones(len(y)), lambda_, batches)


def kernel_of_loop(K, y, lambda_, picks):
    hits = [0] * len(y)
    for t, q in enumerate(picks):
        score = sum(hits[s] * y[s] * K[s, q] for s in range(len(y)))
        hits[q] += t == 0 or y[q] * score / (lambda_ * t) < 1
    return hits


def in_place(X, y, lambda_, batches):
    w, b, kept, late = np.zeros(X.shape[1]), 0.0, [], []
    for t, part in enumerate(batches, start=1):
        hit = y[part] * (y[part] * (X[part] @ w + b) < 1)
        w *= 1 - 1 / t
        w += hit @ X[part] / (lambda_ * t * len(part))
        b += hit.sum() / (lambda_ * t * len(part))
        if t > len(batches) / 2:
            kept.append(w)
            late.append(b)
    return np.mean(kept, axis=0), np.mean(late)


def loose(X, y, a, C):
    off = a.min() < -1e-3 or a.max() > C + 1e-3 or abs(a @ y) > 1e-3
    return None if off else bound(X, y, a, C, checked=False)


def first_lost(K, y, lambda_, picks):
    hits = np.zeros(len(y))
    for t, q in enumerate(picks):
        hits[q] += y[q] * ((hits * y) @ K[q]) < lambda_ * t
    return hits


def hits_with(slip):
    return lambda K, y, lambda_, picks: data.hits(K, y, lambda_, picks, slip)


def support():
    images = digits(negative=3, positive=8)
    return hard_margin(images.X, images.y).support


LEFT_OUT = sorted(int(q) for q in data.left_out()[0])
EIGHTHS = (3 / 8, 1 / 2, 1 / 2, 3 / 8)
TRUE, FALSE = True, False

RIGHT = [
    (check.slopes, (((-3, -3), (-3, -1), (-1, 0)),)),
    (check.slopes, (np.array([[-3.0, -3.0], [-3.0, -1.0], [-1.0, 0.0]]),)),
    (check.four_points, (0.5, 0, EIGHTHS)),
    (check.four_points, (np.float64(0.5), 0.0, np.array([0.375, 0.5, 0.5, 0.375]))),
    (check.four_points, (0.5, 0, [0.375, 0.5, 0.5, 0.375])),
    (check.four_points, (0.5, 0.0005, (0.3755, 0.5, 0.5, 0.3755))),
    (check.lower_bound, (bound,)),
    (check.lower_bound, (lambda X, y, a, C: (v := bound(X, y, a, C)) and float(v),)),
    (check.batch_pegasos, (batch_right,)),
    (check.batch_pegasos, (one_by_one,)),
    (check.kernel_hits, (hits_with(""),)),
    (check.kernel_hits, (kernel_of_loop,)),
    (check.same_w, ((TRUE, FALSE, TRUE, FALSE, FALSE, TRUE),)),
    (check.same_w, (np.array([TRUE, FALSE, TRUE, FALSE, FALSE, TRUE]),)),
    (check.leave_one_out, (LEFT_OUT,)),
    (check.leave_one_out, (np.array(LEFT_OUT),)),
    (check.leave_one_out, (set(LEFT_OUT),)),
    (check.translated, ((0.02, 0.25, 0.02, 0.01, 2),)),
    (check.translated, (np.array([0.02, 0.25, 0.02, 0.01, 2.0]),)),
    (check.loose_bias, ([1, 2, -1, -2], 10)),
    (check.loose_bias, (np.array([3.0, 1.0, -1.0, -3.0]), np.float64(20.0))),
    (check.loose_bias, ((1, 2, 0.5, -2), 20.0)),
]


WRONG = [
    (check.slopes, (((-3, -3), (-3, 0), (-1, 0)),), "At z = 1/2, the slopes from -3 to 0"),
    (check.slopes, (((-3, -3), (-1, -3), (-1, 0)),), "the smaller slope first"),
    (check.slopes, (((3, 3), (1, 3), (0, 1)),), "does the function rise"),
    (check.slopes, (((-3, -3), (-3, -1), (0, 0)),), "At z = 1, the slopes"),
    (check.slopes, (((-3, -1), (-3, -1), (-1, 0)),), "At z = 0, the slopes"),
    (check.slopes, ((-3, -1, 0),), "of shape (3, 2)"),
    (check.slopes, (((-3, -3), (-3, -1), (-1, ...)),), "Replace the three dots"),
    (check.four_points, (1, 0, (0.5,) * 4), "z = 2 and the weight 0.5"),
    (check.four_points, (0.25, 0, (0.5,) * 4), "Your weights make v = 1"),
    (check.four_points, (0.5, 0, (0.375, 0.5, 0.5, 0.5)), "Does b cancel?"),
    (check.four_points, (0.5, 0, (3 / 8, 3 / 8, 3 / 8, 3 / 8)), "Your weights make v"),
    (check.four_points, (0.5, 0.009, EIGHTHS), "z = 1.009 and the weight 0.375"),
    (check.four_points, (0.5, 0.004, EIGHTHS), "z = 1.004 and the weight 0.375"),
    (check.four_points, (0.5, 1, EIGHTHS), "What must be the weight"),
    (check.four_points, (0.5, 0, (1.5, 2, 2, 1.5)), "between 0 and C = 0.5"),
    (check.four_points, (1.5, 0, (-0.1, 0.5, 0.5, -0.1)), "between 0 and C"),
    (check.four_points, (-0.375, 0, (3 / 8, 1 / 2, 1 / 2, 3 / 8)), "Your weights make"),
    (check.four_points, ((0.5, 0.5), 0, EIGHTHS), "w as one number"),
    (check.four_points, (0.5, 0, (0.375, 0.5)), "of shape (4,)"),
    (check.lower_bound, (lambda X, y, a, C: bound(X, y, a, C, half=1),), "What factor"),
    (check.lower_bound, (lambda X, y, a, C: bound(X, y, a, C, half=-2),), "taken away"),
    (check.lower_bound, (lambda X, y, a, C: bound(X, y, a, C, label=False),), "labels"),
    (check.lower_bound, (length_for_square,), "the length of v, or its square"),
    (
        check.lower_bound,
        (lambda X, y, a, C: 7.0 if 0 < a[1] - 0.5 < 1e-9 else bound(X, y, a, C),),
        "a bound like any others",
    ),
    (
        check.lower_bound,
        (lambda X, y, a, C: bound(X, y, a, C, checked=False),),
        "do not cancel b",
    ),
    (check.lower_bound, (only_balance,), "above the price"),
    (check.lower_bound, (no_sign,), "partly negative"),
    (check.lower_bound, (changes_weights,), "changed its argument number 3"),
    (check.lower_bound, (lambda X, y, a, C: [bound(X, y, a, C)],), "an array or a list"),
    (check.lower_bound, (lambda X, y, a, C: None,), "returned nothing"),
    (
        check.lower_bound,
        (lambda X, y, a, C: bound(X, y, a, C) if a @ y == 0 else None,),
        "by 1e-12 only",
    ),
    (
        check.lower_bound,
        (lambda X, y, a, C: bound(X, y, a, C) if a.min() >= 0 else None,),
        "by 1e-12 only",
    ),
    (
        check.lower_bound,
        (lambda X, y, a, C: bound(X, y, a, C) if a.max() <= C else None,),
        "by 1e-12 only",
    ),
    (
        check.lower_bound,
        (lambda X, y, a, C: (v := bound(X, y, a, C)) and -v,),
        "sign of the whole",
    ),
    (check.lower_bound, (lambda X, y, a, C: bound(X, y, a, 1.0),), "the price C = 0.4"),
    (check.lower_bound, (loose,), "with 1e-6 added to the second"),
    (check.lower_bound, (0.5,), "A function is wanted here"),
    *(
        (
            check.batch_pegasos,
            (lambda X, y, lam, parts, slip=slip: batch_right(X, y, lam, parts, slip),),
            hint,
        )
        for slip, hint in data.OTHER_RUNS.items()
    ),
    (check.batch_pegasos, (in_place,), "an array of its own"),
    (
        check.batch_pegasos,
        (lambda X, y, lam, parts: (np.full(2, np.nan), np.nan),),
        "Which steps have t > T/2, if T is 1?",
    ),
    (
        check.batch_pegasos,
        (lambda X, y, lam, parts: (np.nan, np.nan),),
        "Which steps have t > T/2, if T is 1?",
    ),
    (
        check.batch_pegasos,
        (lambda X, y, lam, parts: (np.zeros(2), 0.0),),
        "After 1 step your function gave",
    ),
    (check.batch_pegasos, (changes_the_data,), "changed its argument number 1"),
    (check.batch_pegasos, (lambda X, y, lam, parts: np.zeros(2),), "return a pair (w, b)"),
    (check.batch_pegasos, (batch,), "b as one number"),
    (check.batch_pegasos, (lambda X, y, lam, parts: (np.zeros(3), 0.0),), "shape (2,)"),
    (
        check.batch_pegasos,
        (lambda X, y, lam, parts: (np.zeros(2), 0.0),),
        "line by line",
    ),
    (
        check.batch_pegasos,
        (lambda X, y, lam, parts: (lambda f: (f.w, f.b))(soft_margin(X, y, lambda_=lam)),),
        "line by line",
    ),
    *(
        (check.kernel_hits, (hits_with(slip),), hint)
        for slip, hint in data.OTHER_HITS.items()
    ),
    (check.kernel_hits, (first_lost,), "is that example a hit?"),
    (check.kernel_hits, (lambda K, y, lam, picks: np.zeros(8),), "is that example a hit?"),
    (check.kernel_hits, (lambda K, y, lam, picks: len(picks),), "one count for each"),
    (check.kernel_hits, (lambda K, y, lam, picks: None,), "returned nothing"),
    (check.same_w, ((TRUE, TRUE, TRUE, FALSE, FALSE, TRUE),), "Number 2 does not always"),
    (check.same_w, ((FALSE,) * 6,), "Number 1 always leaves w"),
    (check.same_w, ((TRUE, FALSE, FALSE, FALSE, FALSE, TRUE),), "Number 3 always"),
    (check.same_w, ((TRUE, FALSE, TRUE, TRUE, FALSE, TRUE),), "Number 4 does not"),
    (check.same_w, ((TRUE, FALSE, TRUE, FALSE, TRUE, TRUE),), "Number 5 does not"),
    (check.same_w, ((TRUE, FALSE, TRUE, FALSE, FALSE, FALSE),), "Number 6 always"),
    (check.same_w, ((1, 0, 1, 0, 0, 1),), "is True or False"),
    (check.same_w, ((TRUE, FALSE),), "Six values are wanted"),
    (check.leave_one_out, (support(),), "that *can* go wrong"),
    (check.leave_one_out, ([],), "Some image does go wrong"),
    (check.leave_one_out, ([q + 1 for q in LEFT_OUT],), "count from 0 or from 1"),
    (check.leave_one_out, ([*LEFT_OUT, 7],), "Image 7 is classified correctly"),
    (check.leave_one_out, ([400],), "whole numbers from 0 to 356"),
    (check.leave_one_out, ([0.5],), "whole numbers from 0 to 356"),
    (check.leave_one_out, (np.arange(357) == LEFT_OUT[0],), "not True or False"),
    (check.leave_one_out, ("none",), "a list of indices"),
    (check.translated, ((0.01, 0.5, 0.01, 0.005, 1),), "lambda = 0.01"),
    (check.translated, ((4.0, 0.25, 0.02, 0.01, 2),), "a sum there, or a mean"),
    (check.translated, ((0.02, 50, 0.02, 0.01, 2),), "C of SVC = 50"),
    (check.translated, ((0.02, 0.25, 0.01, 0.01, 2),), "alpha = 0.01"),
    (check.translated, ((0.02, 0.25, 0.02, 0.02, 2),), "a factor 2 is too much"),
    (check.translated, ((0.02, 0.25, 0.02, 0.01, 0.01),), "a sum there, or a mean"),
    (check.translated, ((0.02, 0.25, 0.02, 0.01, 7),), "compare the price"),
    (check.translated, ((0.02, 0.25),), "five constants"),
    (check.loose_bias, ([1, 2, -1, -2], 0.1), "an interval of length 0"),
    (check.loose_bias, ([1, 2, -1, -2], 1), "w = 0.5, and the best b form"),
    (check.loose_bias, ([1, 1, -1, -1], 1), "interval of length 0."),
    (check.loose_bias, ([1, 1, 1, 1], 10), "Here w = 0"),
    (check.loose_bias, ([1, -1, 1, -1], 10), "Here w = 0"),
    (check.loose_bias, ([1e5, 2e5, -1, -2], 10), "w = 2e-05, and the best b form"),
    (check.loose_bias, ([1, 2, -1], 10), "four numbers"),
    (check.loose_bias, ([1, 2, -1, -2], 0), "lambda from 1e-6 to 1e6"),
    (check.loose_bias, ([1, 2, -1, np.nan], 10), "four numbers"),
    (check.loose_bias, ([1, 2, -1, -2], [10]), "lambda, a number"),
]
