"""Answers to the exercises of the chapter on logistic regression: right ones, and slips."""

import numpy as np

from mlcore.book.exercises import logistic as check
from mlcore.logistic import sigmoid


def losses_of(z, *, sign=1, swap=False, shape=None):
    values, slopes = np.logaddexp(0, -z), -np.exp(-np.logaddexp(0, z))
    pair = (slopes, values) if swap else (sign * values, sign * slopes)
    return pair if shape is None else tuple(part.reshape(shape) for part in pair)


def by_cases(z):
    values = [np.log1p(np.exp(-v)) if v > 0 else np.log1p(np.exp(v)) - v for v in z]
    return [
        values,
        [-np.exp(-v) / (1 + np.exp(-v)) if v > 0 else -1 / (1 + np.exp(v)) for v in z],
    ]


def as_it_stands(z):
    return np.log(1 + np.exp(-z)), -1 / (1 + np.exp(z))


def one_minus(z):
    return np.logaddexp(0, -z), 1 / (1 + np.exp(-np.clip(z, -600, 600))) - 1


def right_at_zero(z):
    values, slopes = losses_of(z)
    return values * (1 + np.abs(z)), slopes


def gradient(X, t, w, b):
    excess = sigmoid(X @ w + b) - t
    return np.append(X.T @ excess, excess.sum()) / len(t)


def bound(X, y, a, *, constant=True, top=True, bottom=True):
    Z = np.column_stack([X, np.ones(len(X))]) if constant else X
    outside = (bottom and a.min() < 0) or (top and a.max() > 1)
    if outside or np.abs((a * y) @ Z).max() > 1e-9:
        return None
    p = a[(a > 0) & (a < 1)]
    return -np.sum(p * np.log(p) + (1 - p) * np.log(1 - p)) / len(a)


def sums_are(small):
    """A bound that looks at the sums in a way of its own."""

    def answer(X, y, a):
        inside = a.min() >= 0 and a.max() <= 1
        sums = (a * y) @ np.column_stack([X, np.ones(len(X))])
        return bound(0 * X, y, a) if inside and small(sums) else None

    return answer


def with_nan(X, y, a):
    if bound(X, y, a) is None:
        return None
    return -np.mean(a * np.log(a) + (1 - a) * np.log(1 - a))


THE_SIX = (True, False, True, True, True, False)
PERIMETER = "worst perimeter (pixels)"

RIGHT = [
    (check.odds, ((15, 2.226, 0.832),)),
    (check.two_steps, (np.array([-0.4, -0.4]), [-0.4, -1.0])),
    (check.log_loss, (losses_of,)),
    (check.log_loss, (by_cases,)),
    (check.gradient, (gradient,)),
    (check.bound, (bound,)),
    (check.same_probabilities, (np.array(THE_SIX),)),
    (check.most_telling, (PERIMETER, 0.184)),
    (check.refutes, ((0.2, 0.6, 0.6, 0.2),)),
    (check.refutes, (np.array([0.19, 0.57, 0.57, 0.19]),)),
]


WRONG = [
    (check.odds, ((12, 2.226, 0.832),), "the score is -2.4"),
    (check.odds, ((15, 2.226, 0.8),), "round to three decimals"),
    (check.two_steps, ((-0.4, -0.4), (-0.3, -1)), "with four rows"),
    (check.log_loss, (lambda z: as_it_stands(10 * z),), "overflows?"),
    (check.log_loss, (one_minus,), "Of the slopes, that at z"),
    (check.log_loss, (lambda z: losses_of(z, sign=-1),), "the wrong sign"),
    (check.log_loss, (lambda z: losses_of(-z),), "those of -z"),
    (check.log_loss, (lambda z: losses_of(z, swap=True),), "the losses come first"),
    (check.log_loss, (lambda z: losses_of(np.clip(z, -500, 500)),), "clip something?"),
    (
        check.log_loss,
        (lambda z: (losses_of(z)[0], losses_of(np.clip(z, -500, 500))[1]),),
        "The slopes are right for small margins",
    ),
    (check.log_loss, (lambda z: np.array(losses_of(z)) / np.log(2),), "are in bits"),
    (
        check.log_loss,
        (lambda z: losses_of(z.astype(np.float32)),),
        "float32, which has seven digits",
    ),
    (check.log_loss, (lambda z: losses_of(z)[0],), "return a pair"),
    (check.log_loss, (right_at_zero,), "Of the losses, that at z = 0.5 is"),
    (check.log_loss, (lambda z: losses_of(z, shape=(7, 1)),), "have the shape (7, 1)"),
    (check.log_loss, (lambda z: losses_of(z)[0][:2],), "are a single number"),
    (check.log_loss, (lambda z: losses_of(z)[0] * [1, 1 + 1e-6],), "ValueError"),
    (check.bound, (lambda X, y, a: bound(X, y, a) and 2 * bound(X, y, a),), "not right"),
    (check.bound, (lambda *a: bound(*a, top=False),), "No line steeper than -1"),
    (check.bound, (lambda *a: bound(*a, bottom=False),), "must not be negative"),
    (check.bound, (sums_are(lambda sums: sums.max() <= 1e-9),), "a y x is not zero"),
    (check.bound, (with_nan,), "What should 0 times ln 0 count as?"),
    (check.refutes, ((0.5, 0.5, 0.5, 0.5),), "the sum of a y x is 1"),
    (check.refutes, ((0.5, 0.5, 0.5, 0.4),), "for equal sums"),
    (check.refutes, ((0.5, 1.5, 1.5, 0.5),), "between 0 and 1"),
]
