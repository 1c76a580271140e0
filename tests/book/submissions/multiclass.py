"""Answers to the exercises of the chapter on several classes: right ones, and slips."""

import numpy as np

from mlcore.book.exercises import multiclass as check

[wishes], [elected], [curvature] = (
    exercise.made().right for exercise in (check.kesler, check.vote, check.hessian)
)


def last_of_equals(S, K):
    return K - 1 - elected(np.flip(-S, axis=1), K)


def loss(scores, c):
    top = max(scores)
    return top + np.log(np.sum(np.exp(scores - top))) - scores[c]


def naive_loss(scores, c):
    return -np.log(np.exp(scores[c]) / np.exp(scores).sum())


def clipped_loss(scores, c):
    e = np.exp(scores - scores.max())
    return -np.log(max(e[c] / e.sum(), 1e-300))


STEP = np.outer([-7 / 8, 1 / 4, 5 / 8], [2, 1])
RIGHT = [
    (check.design, ((-1, 0, 1), (-1, 0, -2))),
    (check.design, (np.array([0.0, 2.0, 5.0]), [0, 2, -4])),
    (check.log_loss, (loss,)),
    (check.strangers, (np.int64(65), 1.0, 12)),
]
WRONG = [
    (check.claims, ((3, 3, 2 / 3, 4),), "No interval of length 3"),
    (check.claims, ((2, 2, 2 / 3, 4),), "At x = 2 the scores are -2, 0, -1"),
    (check.step, (STEP.T,), "of shape (3, 2)"),
    (check.step, (STEP * [1, 0],), "The derivatives by the w are right"),
    (check.step, (STEP + 0.1,), "Your columns sum to"),
    (check.step, (STEP / 5,), "Begin with the three probabilities"),
    (check.design, ((-1, 0, 1), (-1.01, 0, -2)), "At x = -1.000001"),
    (check.kesler, (lambda x, c, K: abs(wishes(x, c, K)),), "Which blocks of each row"),
    (check.vote, (last_of_equals,), "you elect class"),
    (check.log_loss, (naive_loss,), "leaves no exponential above 1"),
    (check.log_loss, (clipped_loss,), "Avoid the probability instead"),
    (check.log_loss, (lambda s, c: min(loss(s, c), 1000),), "Avoid the probability"),
    (check.log_loss, (lambda s, c: loss(s, c) / len(s),), "Work this case out by hand"),
    (check.strangers, (64, 1, 12), "up to the place where the next begins"),
    (check.strangers, (65, 0, 12), "A whole number from 1 to 14"),
    (check.strangers, (65, 1, 11), "The form is right"),
    (check.hessian, (lambda V, A: curvature(V, A) / 2,), "with a finite difference"),
    (check.hessian, (lambda V, A: np.eye(V.size),), "it is 0 for the Hessian"),
    (check.hessian, (lambda V, A: curvature(V, A).astype("f"),), "a difference quotient?"),
]
