"""Answers to exercises, in addition to their solutions and misconceptions.

RIGHT lists (checker, right answers in another form), WRONG (checker, wrong answers, part of
the reply).  MISCONCEPTIONS makes more wrong answers from the solution, for all variants.
"""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import sympy as sp

from halfspaces.exercises import (
    boosting,
    feature_selection,
    features,
    geometry,
    least_squares,
    logistic,
    multiclass,
    perceptron,
    sgd,
    sparsity,
    svm,
)
from mlcore.logistic import logistic as logistic_fit
from mlcore.logistic import sigmoid
from mlcore.losses import logistic as log_loss
from mlcore.perceptron import perceptron_trace
from mlcore.separation import separating_halfspace

CUBE = np.array(list(product([-1, 1], repeat=3)))
ERRORS = {  # of the sets of features of `both_miss`
    "": 50, "1": 40, "2": 40, "3": 30, "4": 40, "12": 0, "13": 25, "14": 25, "23": 25,
    "24": 25, "34": 10, "123": 20, "124": 20, "134": 15, "234": 20, "1234": 18,
}  # fmt: skip
STEADY = ["sex", "bmi", "bp", "ltg"]
FAR_POINTS = np.array([[500.0, 0], [503, 0], [504, 1]])
HALF_SUM = [[1, 0, 0.5], [0, 1, 0.5]]
REST = ([3, 0], 2, [2, 0], [0, 2])
ANSWERS = (HALF_SUM, [3, 3], 2, [2, 2, 0], [0, 0, 4])
EIGHTHS = (3 / 8, 1 / 2, 1 / 2, 3 / 8)
IMAGES = svm.leave_one_out.build().solution[0]
[STEP] = multiclass.step.build().solution
*VALUES, REASON = sgd.schedules.build().solution[0]


def with_change(check, change):
    """Return the answers (f,): the solution, with `change` applied to its results."""
    right = check.build().solution[0]
    return (lambda *case: change(right(*case), *case),)


class AnyLetter(str):
    """A text that is equal to every letter."""

    __hash__ = str.__hash__

    def strip(self, *_):
        return self

    lower = strip

    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False


def powers(*exponents):
    return (lambda x: np.column_stack([x**k for k in exponents]),)


def degree_chooser(error_of):
    """Return the answers (f,), where f chooses the degree with the smallest error."""
    errors = partial(least_squares.mean_errors, error_of, 8)
    return (lambda *sample: 1 + int(errors(*sample).argmin()),)


def losses_and_slopes(z):
    return log_loss.value(z), log_loss.slope(z)


def w_after(updates, X, y):
    """Return w of the perceptron after this number of updates."""
    return perceptron_trace(X, y, bias=False, max_updates=updates).w[-1]


def tiny_columns(x):
    """Return columns of tiny numbers that are not powers of x."""
    place = np.abs(x[:, None] - [-4, -2, 0, 2, 4]).argmin(axis=1)
    values = [1.5, 0.75, 0, -0.75, -1.5], [1.5, 0.2, 0.6, -0.3, 1.5]
    return np.array(values).T[place] * 1e-20


def has_full_rank(X):
    """Eliminate with exact numbers: can rules produce all labelings of the rows?"""
    rows = [[*map(Fraction, x), Fraction(1)] for x in X.tolist()]
    while rows:
        first = rows.pop()
        if not (pivot := next((k for k, value in enumerate(first) if value), -1)) >= 0:
            return False
        factors = [row[pivot] / first[pivot] for row in rows]
        rows = [
            [a - factor * b for a, b in zip(row, first, strict=True)]
            for row, factor in zip(rows, factors, strict=True)
        ]
    return True


def logistic_weights(x, y):
    """Return the weights with which the minimum of the logistic loss meets its bound."""
    x, y = np.array(x), np.array(y)
    return sigmoid(-y * logistic_fit(x[:, None], y).decision_function(x[:, None]))


def shatters_by_trial(X):
    labelings = product((-1.0, 1.0), repeat=len(X))
    return all(separating_halfspace(X, np.array(y)).separable for y in labelings)


def symbolic(numbers):
    return [sp.Float(number) for number in numbers]


def uneven(marked):
    """Return different numbers with the sum 0 at the marked places, and 0 elsewhere."""
    places = np.arange(len(marked))
    return marked * (places - places[marked].mean())


def separates_few(X):
    """Test fewer labelings than `features.shatters` asks for: one point, or the first k."""
    n, d = X.shape
    labelings = 1.0 - 2 * np.vstack([np.eye(n), np.tri(n)[:-1]])[: n * n * (n > 1)]
    return n <= d + 1 and all(separating_halfspace(X, y).separable for y in labelings)


RIGHT = [
    (boosting.certificate, ([0.167, 0.167, 0.333, 0.167, 0.167],)),
    (boosting.no_edge, (CUBE, CUBE.prod(axis=1))),
    (feature_selection.by_hand, ({3, 1}, np.array([4, 3, 2]), [10.0, 8.0])),
    (feature_selection.least_of_three, (Fraction(28, 64), np.int64(6))),
    (feature_selection.steady, (STEADY, 31)),
    (feature_selection.both_miss, ({key: value - 7.5 for key, value in ERRORS.items()},)),
    (features.xor, (np.array([-2.0, -2.0, 4.0]), np.float64(1.0))),
    (features.no_bias, ([0.1, 0.4, 0.4, 0.1],)),
    (features.shatters, (has_full_rank,)),
    (geometry.acute, (np.array([1.0, 1.0]), np.float64(-3), [30, -28])),
    (geometry.loglog, (-sp.log(sp.log(2)),)),
    (features.shatters, with_change(features.shatters, lambda yes, X: np.array(yes))),
    (geometry.shrinks, (FAR_POINTS, np.array([1.0, -1, -1]))),
    (least_squares.shortest_of_many, (np.array([1.0, 3.0]), [-6.0, 2.0])),
    (least_squares.lift, powers(3, 8)),
    (logistic.existence, (False, [0, 2.5, 0])),
    (logistic.refutes, (logistic_weights([0, 1, 2, 3], [-1, 1, -1, 1]),)),
    (logistic.refutes, ((0.196667, 0.59, 0.59, 0.196667),)),  # off by 1e-6
    (sparsity.my_descent, with_change(sparsity.my_descent, lambda w, *_: symbolic(w))),
    (multiclass.design, (np.array([0.0, 2.0, 5.0]), [0, 2, -4])),
    (perceptron.certificate, ([5 / 12, 1 / 2, 0, 1 / 12],)),
    (perceptron.reaches_bound, ([[1, 1, 0, 0], [1, -1, 0, 0], [0, 0, 1, 1]],)),
    (sgd.fair_orders, ([1.0, 2.0, 6.0], np.array([1, -1, 5]), 1.0)),
    (sparsity.two_answers, ANSWERS),
    (sparsity.two_answers, (np.array(HALF_SUM), (3.0, 3.0), 2.0, (2, 2, 0), (1, 1, 2))),
    (svm.four_points, (0.5, 0.0005, (0.3755, 0.5, 0.5, 0.3755))),
    (svm.leave_one_out, (set(IMAGES),)),
    (svm.leave_one_out, ([float(k) for k in IMAGES],)),
    (sgd.schedules, ((VALUES[:6], np.array(VALUES[6:])), REASON)),
    (geometry.best_cut, with_change(geometry.best_cut, lambda got, *_: np.array(got))),
    (svm.loose_bias, ((1, 2, 0.5, -2), 20.0)),
]

WRONG_DATA = [  # (checker, answers, part of the reply)
    (svm.choose_kernel, (lambda *case: (7.0, 1.0),), "one of the widths"),
    (svm.choose_kernel, (lambda *case: (0.3, 100.0),), "examples that were fitted"),
    (svm.choose_kernel, (lambda *case: (3.0, 1.0),), "Do you try all pairs"),
    (boosting.by_hand, ((0.24, 0.24, 0.04, 0.24, 0.24), 0.25), "does the rule just used"),
    (boosting.certificate, ((1, 1, 2, 1, 1),), "have the sum 6"),
    (boosting.no_edge, (CUBE, np.ones(8)), "both of them; yours are 1."),
    (boosting.no_edge, (np.zeros((6, 2)), [1, -1] * 3), "of your points are equal"),
    (feature_selection.steady, (["tc", *STEADY], 31), "tc was not kept"),
    (feature_selection.both_miss, ({**ERRORS, "1": -1, "3": -1},), "have 1 feature: what"),
    (features.no_bias, ((1, 0, 4, 0),), "The sum of a y x is -6"),
    (features.memory, (100,), "cannot be separated"),
    (geometry.by_hand, (12, 4, (0, -3, 0), -4), "is on the plane, but it is 6.9282 away"),
    (geometry.acute, ((0, 0), -2, (5, 1)), "there is no line"),
    (geometry.shrinks, ([[4000], [4010]], [-1, 1]), "at most 1000 is allowed"),
    (geometry.shrinks, (np.full((2, 3), 400.0), [-1, 1]), "Give one or two columns"),
    (geometry.shrinks, ([[200], [202]], [0, 1]), "Labels are -1 and +1, and both occur"),
    (geometry.shrinks, ([[200], [202], [204]], [1, -1, 1]), "No hyperplane separates"),
    (geometry.shrinks, ([[1000.0001], [998]], [-1, 1]), "1000.0001 in absolute value"),
    (geometry.shrinks, ([[400, -1], [402, 1]], [-1, 1]), "but another one of 1."),
    (least_squares.shortest_of_many, ((1, 3), (0, 0)), "must not be zero"),
    (least_squares.choose_degree, degree_chooser(lambda r: r @ r), "You add up the"),
    (least_squares.choose_degree, degree_chooser(lambda r: np.mean(r**2) ** 0.5), "roots"),
    (least_squares.lift, powers(1, 3, 4), "would you add, exchange, or leave out?"),
    (least_squares.lift, powers(1, 3, 4, 5), "would you exchange or leave out?"),
    (least_squares.lift, (lambda x: np.sin(x)[:, None],), "not one of the powers"),
    (least_squares.lift, (tiny_columns,), "not one of the powers"),
    (least_squares.lift, powers(1, 2, 3, 4), "Can you do it with fewer?"),
    (logistic.existence, (True, None), "no margin is below 0, and some are above it"),
    (logistic.existence, (False, (1, 0, 0)), "example 2 has the margin -2"),
    (logistic.existence, (False, (0, 0, 0)), "All your margins are 0"),
    (logistic.existence, (False, (0, 1)), "three numbers, (w_1, w_2, b), of shape (3,)"),
    (logistic.refutes, ((0.5, 0.5, 0.5, 0.4),), "for equal sums"),
    (logistic.refutes, ((0.5, 1.5, 1.5, 0.5),), "between 0 and 1"),
    (multiclass.step, (STEP * [1, 0],), "The derivatives with respect to w are right"),
    (multiclass.design, ((-1, 0, 1), (-1.01, 0, -2)), "At x = -1.000001"),
    (perceptron.certificate, ((5, 6.01, 0, 1),), "coordinate of the sum is -0.01"),
    (perceptron.reaches_bound, ([[1, 0, 0], [0, 1, 0], [1, 1, 3]],), "2 updates; at least"),
    (perceptron.reaches_bound, ([[1, 0], [-1, 0], [0, 1]],), "No hyperplane through 0"),
    (perceptron.reaches_bound, (np.diag([1, 1, 1 + 1e-7]),), "and the bound is 3"),
    (sgd.fair_orders, ((1, 2, 6), (4, 1, -5), 0), "Which covariance must be zero?"),
    (sgd.fair_orders, ((1, 1, 1), (1, 2, 3), 0), "curvatures are [1, 1, 1]"),
    (sgd.fair_orders, ((1, 2, -3), (1, 2, 3), 0), "above zero"),
    (sgd.fair_orders, ((1e9, 2e9, 6e9), (0, -1e9, -3e9), 0), "up to a million"),
    (sparsity.knots, ((12, 26 / 3, 8),), "that has left can come back"),
    (sparsity.knots, ((12, 26 / 3, 8, 8 / 3, 0),), "leave out the end"),
    (sparsity.knots, (((12,), 26 / 3, 8, 8 / 3),), "Give four numbers for “lambdas”"),
    (sgd.schedules, (VALUES[:6], VALUES[6:], True), "True or False; you gave 13."),
    (sgd.schedules, (*VALUES, AnyLetter(REASON)), "True or False; you gave 13."),
    (sparsity.knots, ((8 / 3, 8, 26 / 3, 12),), "do not decrease"),
    (sparsity.knots, ((10, 26 / 3, 8, 8 / 3),), "the largest product with y"),
    (sparsity.knots, ((12, 10, 8, 8 / 3),), "Knot number 2"),
    (sparsity.knots, ((12, 26 / 3, 6, 8 / 3),), "Which weight falls to 0"),
    (sparsity.knots, ((12, 26 / 3, 8, 4),), "or -t from inside"),
    (sparsity.two_answers, (*ANSWERS[:4], [0, 0, 3]), "Your second w is not a minimizer"),
    (sparsity.two_answers, (*ANSWERS[:4], [2, 2, 0]), "are equal"),
    (
        sparsity.two_answers,
        (np.diag([1, 1, 1e9]), [5e5, 5e5 + 1, 0], 1e6, [0, 1, 0], [0, 1.2, 0]),
        "all minim",
    ),
    (sparsity.two_answers, ([[1, 1], [0, 0]], *REST), "1 and 2 are multiples"),
    (sparsity.two_answers, ([[1, 0], [0, 0]], *REST), "Column 2 of X is"),
    (sparsity.two_answers, (HALF_SUM, [3, 3], 0, [2, 2, 0], [0, 0, 4]), "must be positive"),
    (sparsity.two_answers, (np.eye(2), [5e5, 5e5 + 1], 1e6, [0, 1], [0, 1.2]), "all minim"),
    (svm.slopes, (((-3, -3), (-1, -3), (-1, 0)),), "the smaller slope first"),
    (svm.four_points, (0.99, 0, (0.5,) * 4), "Your dual variables make v = 1"),
    (svm.four_points, (0.5, 0, (0.375, 0.5, 0.5, 0.5)), "Does b cancel?"),
    (svm.four_points, (0.5, 0.009, EIGHTHS), "z = 1.009 and the dual variable 0.375"),
    (svm.four_points, (0, 0, EIGHTHS), "Do the labels go into the sum?"),
    (svm.leave_one_out, ([7],), "Image 7 is classified correctly if"),
    (svm.loose_bias, ([1, 2, -1, -2], 1), "w = 0.5, and the best b form"),
    (svm.loose_bias, ([1, 2, -1, -2], 0), "lambda from 1e-6 to 1e6"),
]

# (checker, function of the right result and the arguments, part of the reply)
CHANGES = [
    (boosting.rounds_needed, lambda k, n, r: k - 1, "does not rule it out yet"),
    (boosting.rounds_needed, lambda k, n, r: k + (n == 2 and r > 0.8), "which equals 1/n"),
    (boosting.first_weights, lambda D, y, c: D + 1e-3 * uneven(y < 0), "within a class"),
    (feature_selection.my_stepwise, lambda S, *_: [j + 1 for j in S], "from 1?"),
    (feature_selection.my_stepwise, lambda S, *_: [[*S]], "in one row; this is"),
    (feature_selection.my_stepwise, lambda S, e, d: {0} if d > 4 else S, "ends else"),
    (features.products, lambda F, X: np.insert(F, 0, 1, axis=1), ": a constant is"),
    (features.products, lambda F, X: F.T, "it is transposed"),
    (features.products, lambda F, X: 2 * F, "without a factor of 2?"),
    (features.products, lambda F, X: np.hstack([X, F]), "the features themselves"),
    (features.shatters, lambda yes, X: len(X) <= X.shape[1] + 1, "a special position?"),
    (features.shatters, lambda yes, X: np.linalg.matrix_rank(X) == len(X), "for the bias?"),
    (features.shatters, lambda yes, X: yes or len(X) > 3, "dimension 2 can be shattered?"),
    (features.shatters, lambda yes, X: separates_few(X), "special position?"),
    (features.shatters, lambda yes, X: yes and X.shape != (4, 3), " The data: X = [[0.0, "),
    (geometry.best_cut, lambda got, x, y: (got[0], -got[1], got[2]), "at which x is"),
    (geometry.best_cut, lambda got, x, y: (*np.dot(2, got[:2]), got[2]), "it is +1 or -1"),
    (geometry.best_cut, lambda got, x, y: (*got[:2], 2 * got[2]), "the whole gap"),
    (geometry.best_cut, lambda got, x, y: (*got[:2], got[2] / 2), "0.75, which is not"),
    (geometry.augment, lambda got, *_: (got[0], 2 * got[1]), "stay as they are"),
    (least_squares.my_ridge, lambda got, X, y, p: (got[0], y.mean()), "w is right"),
    (least_squares.choose_degree, lambda p, *_: p - 1, "Is it an index"),
    (least_squares.how_far, lambda D, *_: D or None, "threshold; return 0"),
    (least_squares.how_far, lambda D, *_: -D, "Is a sign wrong?"),
    (least_squares.how_far, lambda D, *_: 0, "there is such a position"),
    (logistic.log_loss, lambda got, z: got[::-1], "the losses come first"),
    (logistic.log_loss, lambda got, z: losses_and_slopes(-z), "belong to -z"),
    (logistic.log_loss, lambda got, z: losses_and_slopes(z.clip(-500, 500)), "clip some"),
    (logistic.log_loss, lambda got, z: np.divide(got, np.log(2)), "are in bits"),
    (logistic.log_loss, lambda got, z: (got[0], 1 / (1 + np.exp(-z)) - 1), "is lost"),
    (logistic.log_loss, lambda got, z: (np.log(1 + np.exp(-z)), got[1]), "At z = 17"),
    (logistic.log_loss, lambda got, z: (np.where(z < -5, -z, got[0]), got[1]), "z = -10"),
    (logistic.log_loss, lambda got, z: (np.log(1 + np.exp(-2 * z)), z), "overflows?"),
    (logistic.log_loss, lambda got, z: (-got[0], -got[1]), "the wrong sign"),
    (logistic.log_loss, lambda got, z: np.array(got, np.float32), "Is it float32"),
    (logistic.log_loss, lambda got, z: (1.1 * got[0], got[1]), "your losses have"),
    (logistic.log_loss, lambda got, z: got[0][:2], "have the shape ()"),
    (logistic.bound, lambda J, X, y, a: 0.3 if a.max() > 1 else J, "No line under the log"),
    (logistic.bound, lambda J, X, y, a: 0.3 if a.min() < 0 else J, "must not be negative"),
    (logistic.bound, lambda J, X, y, a: 0.3 if a[1] == 0.8 else J, "do both labels get"),
    (logistic.bound, lambda J, X, y, a: 0.3 if a[0] == 0.3 else J, "a y x is not zero"),
    (logistic.bound, lambda J, X, y, a: J and J + 0 * np.log(1 - a.max()), "0 times ln 0"),
    (multiclass.log_loss, lambda got, *_: min(got, 600.0), "Avoid the probability instead"),
    (multiclass.hessian, lambda H, *_: H / 2, "with a finite difference"),
    (multiclass.hessian, lambda H, *_: H.astype("f"), "a difference quotient?"),
    (perceptron.keep_best, lambda w, X, y, t: w_after(1, X, y), "keep a copy of the best?"),
    (perceptron.keep_best, lambda w, X, y, t: w_after(10 * t, X, y), "stop after"),
    (perceptron.keep_best, lambda w, *_: 0 * w, "A margin of zero"),
    (perceptron.with_constant, lambda got, *_: (got[0], 2 * got[1]), "Your w is right."),
    (perceptron.with_constant, lambda got, *_: (0 * got[0], np.nan), "Is the constant the"),
    (sparsity.my_descent, lambda w, *_: np.where(w == 0, 1e-9, w), "not exactly 0"),
    (
        sparsity.my_descent,
        lambda w, *_: np.ma.masked_array(np.where(w == 0, 1e-9, w), mask=True),
        "not exactly 0",
    ),
    (sparsity.my_descent, lambda w, *_: 0.99 * w, "near the minimum, but not there"),
    (sparsity.my_descent, lambda w, *_: np.round(w, 4), "Is it float32, or rounded"),
    (sparsity.my_descent, lambda w, *_: 1e104 + w, "run away"),
    (sparsity.is_minimum, lambda yes, *_: True, "Which of the conditions fails"),
    (sparsity.is_minimum, lambda yes, *_: False, "Is the factor 2"),
    (sparsity.sparse_step, lambda w, *_: w + 1e-12, "exactly 0"),
    (feature_selection.my_stepwise, lambda S, e, d: e([d]), "no feature 4: they are 0"),
    (svm.lower_bound, lambda J, X, y, a, C: J if a.max() < C + 0.2 else 0.3, "above C = "),
    (svm.lower_bound, lambda J, X, y, a, C: 0.3 if a.min() < 0 else J, "negative (-3e-09)"),
    (svm.lower_bound, lambda J, X, y, a, C: None if a.min() < 0 else J, "by 1e-12 only"),
    (svm.batch_pegasos, lambda *_: (np.full(2, np.nan), np.nan), "if T is 1?"),
    (multiclass.log_loss, lambda got, s, c: got + np.log(0.0 * s[0]), "of a quotient"),
]
SLOW_WRONG = [(features.shatters, (shatters_by_trial,), "use a theorem")]
WRONG = WRONG_DATA + [(f, with_change(f, change), text) for f, change, text in CHANGES]

MISCONCEPTIONS = [  # (checker, function of the solution, part of the reply)
    (boosting.certificate, lambda D: [[0.2] * 5], "so they prove only that no smallest"),
    (features.xor, lambda w, b: (w, -b), "the functional margin is -"),
    (features.sine, lambda right: [lambda y: right(y[::-1])], "Which c decides"),
    (features.sine, lambda right: [lambda y: -right(y)], "not positive"),
    (geometry.acute, lambda w, b, x: (w, -b, x), "so the prediction is"),
    (geometry.acute, lambda w, b, x: (w, b, (0, x[1])), "without coming nearer"),
    (geometry.acute, lambda w, b, x: (w, b, (x[0], -x[1])), "this angle is not"),
    (geometry.shrinks, lambda X, y: (np.array(X) - 0.9 * X[0][0], y), "it is still"),
    (geometry.shrinks, lambda X, y: ([X[0], np.mean(X, axis=0)], y), ", below {}."),
    (least_squares.shortest_of_many, lambda w, v: (w + v, v), "Its product with your v is"),
    (least_squares.lift, lambda right: powers(1), "Which power would you add?"),
    (least_squares.lift, lambda right: powers(0, 1), "adds the constant itself"),
    (least_squares.lift, lambda right: [lambda x: right(x).T], "rows and columns"),
    (logistic.existence, lambda yes, v: (not yes, (1, 0, 0) if yes else None), "margin"),
    (logistic.refutes, lambda a: [np.array(a) / 2], "You need"),
    (logistic.refutes, lambda a: [(0.5,) * 4], "the sum of a y x is"),
    (multiclass.design, lambda w, b: (w[::-1], b), "Which slope must be"),
    (perceptron.certificate, lambda a: [-a], "None may be negative"),
    (perceptron.reaches_bound, lambda X: [np.diag(range(1, len(X) + 1))], "for equal"),
    (perceptron.reaches_bound, lambda X: [np.eye(len(X) - 1)], "at least"),
    (svm.four_points, lambda w, b, a: (w, b, -np.array(a)), "must be between 0 and C"),
    (svm.loose_bias, lambda x, lambda_: ([1] * 4, lambda_), "Here w = 0: the rule ignores"),
]
