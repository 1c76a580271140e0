"""Answers to the exercises on sparsity."""

from fractions import Fraction

import numpy as np
import sympy as sp

from mlcore.book.exercises import sparsity as check
from mlcore.book.exercises.sparsity_data import KNOTS, descend, step, without_bias
from mlcore.lasso import lasso

HALF = [[1, 0, 0.5], [0, 1, 0.5]]
ONE = np.eye(2)
TWO = (HALF, [3, 3], 2, [2, 2, 0], [0, 0, 4])


def verdict(X, y, w, b, lambda_, *, factor=2, bias=True, signs=True, zeros=True, off=1e-6):
    """Whether (w, b) is a minimum, right or with a condition forgotten."""
    r = y - X @ w - b
    g = factor * X.T @ r
    size = np.abs(g) <= lambda_ + off
    equal = np.abs(g - lambda_ * np.sign(w)) <= off
    held = np.where(w != 0, equal if signs else size, size if zeros else np.abs(g) < off)
    return bool(held.all() and (not bias or abs(r.sum()) <= off))


def one_sided(X, y, w, b, lambda_, *, pull=0, bias=0, equal=0):
    """The verdict, with an absolute value forgotten: 0 keeps it, 1 and -1 are signs."""
    size = lambda a, sign: sign * a if sign else np.abs(a)  # noqa: E731
    r = y - X @ w - b
    g = 2 * X.T @ r
    inside = size(g, pull) <= lambda_ + 1e-6
    level = size(g - lambda_ * np.sign(w), equal) <= 1e-6
    return bool(np.where(w != 0, level, inside).all() and size(r.sum(), bias) <= 1e-6)


def changed(X, y, lambda_):
    X /= np.linalg.norm(X, axis=0)
    return descend(X, y, lambda_, passes=50)


def all_at_once(X, y, lambda_, passes=200):
    """All weights from the same residual: right only while columns are not alike."""
    w, s = np.zeros(X.shape[1]), (X * X).sum(axis=0)
    for _ in range(passes):
        c = X.T @ (y - X @ w) + s * w
        w = np.sign(c) * np.maximum(0, np.abs(c) - lambda_ / 2) / s
    return w


def long_steps(X, y, lambda_, passes=100):
    """The length of the column in place of its square."""
    w = np.zeros(X.shape[1])
    for _ in range(passes):
        for j, column in enumerate(X.T):
            c = column @ (y - X @ w + column * w[j])
            cut = max(0.0, abs(c) - lambda_ / 2)
            w[j] = np.sign(c) * cut / np.sqrt(column @ column)
    return w


def hard(X, y, lambda_):
    """Weights that are cut off or not moved at all."""
    w, s = np.zeros(X.shape[1]), (X * X).sum(axis=0)
    for _ in range(200):
        for j in range(len(w)):
            c = X[:, j] @ (y - X @ w) + s[j] * w[j]
            w[j] = c / s[j] if abs(c) > lambda_ / 2 else 0.0
    return w


def nearly(X, y, lambda_):
    w = without_bias(X, y, lambda_)
    return np.where(w == 0, 1e-9, w)


RIGHT = [
    (check.one_weight, (30, 1.5, 5 / 6)),
    (check.one_weight, (np.float64(30), Fraction(3, 2), 0.833)),
    (check.one_weight, (30.0, sp.Rational(3, 2), sp.Rational(5, 6))),
    (check.knots, ((12, 26 / 3, 8, 8 / 3),)),
    (check.knots, ([12, 8.667, 8, 2.667],)),
    (check.knots, (np.array(KNOTS),)),
    (check.my_descent, (lambda X, y, lambda_: descend(X, y, lambda_, passes=200),)),
    (check.my_descent, (lambda X, y, lambda_: without_bias(X, y, lambda_).tolist(),)),
    (check.is_minimum, (verdict,)),
    (check.is_minimum, (lambda *proposal: np.bool_(verdict(*proposal)),)),
    (check.sparse_step, (step,)),
    (check.sparse_step, (lambda *given: tuple(step(*given)),)),
    (check.claims, ((True, False, True, True, False, False),)),
    (check.claims, (np.array([True, False, True, True, False, False]),)),
    (check.how_many, (22, 18)),
    (check.how_many, (np.int64(22), 18.0)),
    (check.two_answers, TWO),
    (check.two_answers, (np.array(HALF), (3.0, 3.0), 2.0, (2, 2, 0), (1, 1, 2))),
]

WRONG = [
    (check.one_weight, (15, 1.5, 5 / 6), "still negative"),
    (check.one_weight, (5, 1.5, 5 / 6), "depend on the length of X_1"),
    (check.one_weight, (31, 1.5, 5 / 6), "Compute c = X_1"),
    (check.one_weight, (30, 9, 5 / 6), "What remains to be divided"),
    (check.one_weight, (30, 0.5, 5 / 6), "the cut was lambda"),
    (check.one_weight, (30, 0, 5 / 6), "before or after the division"),
    (check.one_weight, (30, -3.5, 5 / 6), "the slope of J is -84"),
    (check.one_weight, (30, 1.5, 1.25), "a factor 2 of lambda"),
    (check.one_weight, (30, 1.5, 0.8), "of ridge is not right"),
    (check.one_weight, ((30, 1.5, 5 / 6), 1.5, 0.8), "the price from which w is 0"),
    (check.one_weight, (30, 1.5, np.nan), "and finite"),
    (check.knots, ((12, 26 / 3),), "a weight can also reach zero"),
    (check.knots, ((12, 26 / 3, 8),), "that has left can come back"),
    (check.knots, ((12, 26 / 3, 8 / 3),), "You give 3 prices"),
    (check.knots, (("12", 8, 4),), "Give the prices, falling"),
    (check.knots, ((12, 26 / 3, 8, 8 / 3, 0),), "leave out the end"),
    (check.knots, ((8 / 3, 8, 26 / 3, 12),), "do not fall"),
    (check.knots, ((6, 13 / 3, 4, 4 / 3),), "the values of t"),
    (check.knots, ((10, 26 / 3, 8, 8 / 3),), "the largest product with y"),
    (check.knots, ((12, 8.67, 8, 2.67),), "too coarse"),
    (check.knots, ((12, 10, 8, 8 / 3),), "Price number 2"),
    (check.knots, ((12, 26 / 3, 6, 8 / 3),), "Which weight falls to 0"),
    (check.knots, ((12, 26 / 3, 8, 4),), "or -t from inside"),
    (check.knots, (("12", 26 / 3, 8, 8 / 3),), "Give four prices"),
    (check.my_descent, (lambda X, y, p: descend(X, y, p, cut=1.0),), "twice the price"),
    (check.my_descent, (lambda X, y, p: descend(X, y, p, cut=0.25),), "half the price"),
    (check.my_descent, (lambda X, y, p: lasso(X, y, lambda_=p).w,), "for centered data"),
    (check.my_descent, (lambda X, y, p: descend(X, y, 0.0),), "which is least squares"),
    (check.my_descent, (lambda X, y, p: descend(X, y, p, square=1),), "taken as equal"),
    (check.my_descent, (lambda X, y, p: descend(X, y, p, square=50),), "taken as equal"),
    (check.my_descent, (lambda X, y, p: descend(X, y, p, own=False),), "leave out feature"),
    (
        check.my_descent,
        (lambda X, y, p: descend(X, y, p, own=False, passes=300),),
        "leave out feature",
    ),
    (check.my_descent, (lambda X, y, p: descend(X, y, p, passes=1),), "too few passes"),
    (check.my_descent, (lambda X, y, p: descend(X, y, p, passes=20),), "too few passes"),
    (check.my_descent, (lambda X, y, p: -descend(X, y, p),), "and which threshold"),
    (check.my_descent, (nearly,), "not exactly 0"),
    (check.my_descent, (all_at_once,), "For lambda = 20 it returned w = ["),
    (check.my_descent, (all_at_once,), "they run away"),
    (check.my_descent, (long_steps,), "by the right square"),
    (check.my_descent, (lambda X, y, p: np.full(5, np.nan),), "have run away. Is c"),
    (check.my_descent, (hard,), "for a weight that is not cut off"),
    (check.my_descent, (changed,), "changed its argument number 1"),
    (check.my_descent, (lambda X, y, p: (descend(X, y, p), 0.0),), "back w"),
    (check.my_descent, (lambda X, y, p: None,), "returned nothing"),
    (check.is_minimum, (lambda *p: verdict(*p, bias=False),), "with b = 0, not the mean"),
    (check.is_minimum, (lambda *p: verdict(*p, factor=1),), "Is the factor 2"),
    (check.is_minimum, (lambda *p: verdict(*p, signs=False),), "least squares, where"),
    (check.is_minimum, (lambda *p: verdict(*p, zeros=False),), "It says False for the"),
    (check.is_minimum, (lambda *p: verdict(*p, factor=-2),), "It says False"),
    (check.is_minimum, (lambda *p: verdict(*p, off=1e-2),), "a pull is off by 0.004"),
    (check.is_minimum, (lambda *p: one_sided(*p, pull=1),), "with negative pulls"),
    (check.is_minimum, (lambda *p: one_sided(*p, pull=-1),), "w = 0, below the first"),
    (check.is_minimum, (lambda *p: one_sided(*p, bias=1),), "with b = 0, not the mean"),
    (check.is_minimum, (lambda *p: one_sided(*p, bias=-1),), "with b = 0, not the mean"),
    (check.is_minimum, (lambda *p: one_sided(*p, equal=1),), "minimum for half the price"),
    (check.is_minimum, (lambda *p: one_sided(*p, equal=-1),), "It says True for"),
    (check.is_minimum, (lambda *p: True,), "It says True for w = 0, below the first knot"),
    (check.is_minimum, (lambda *p: False,), "It says False for the exact minimum"),
    (check.is_minimum, (lambda *p: 1,), "Return True or False"),
    (check.is_minimum, (lambda X, y, w: True,), "stopped with TypeError"),
    (check.sparse_step, (lambda *g: step(*g, cut=0.0),), "no cut after"),
    (check.sparse_step, (lambda *g: step(*g, sign=1),), "up the gradient"),
    (check.sparse_step, (lambda *g: step(*g, mean=True),), "the mean, and J has"),
    (check.sparse_step, (lambda *g: step(*g, label=False),), "labels are missing"),
    (check.sparse_step, (lambda *g: step(*g, other=True),), "where the loss is small"),
    (check.sparse_step, (lambda *g: step(*g, old=True),), "the sign is that of w"),
    (check.sparse_step, (lambda *g: step(*g, cut=1 / g[4]),), "cut by lambda."),
    (check.sparse_step, (lambda *g: step(*g, cut=0.5 / g[4]),), "cut by lambda / 2"),
    (check.sparse_step, (lambda *g: step(*g, cut=0.5),), "cut by eta lambda / 2"),
    (check.sparse_step, (lambda *g: step(*g, cut=2.0),), "which is not right"),
    (check.sparse_step, (lambda *g: step(*g)[:, None],), "back w, of shape (4,)"),
    (check.claims, ((True,) * 6,), "Number 2 is not always true"),
    (check.claims, ((False,) * 6,), "Number 1 is always true"),
    (check.claims, ((True, False, False, True, False, False),), "Number 3 is always"),
    (check.claims, ((True, False, True, False, False, False),), "Number 4 is always"),
    (check.claims, ((True, False, True, True, True, False),), "Number 5 is not"),
    (check.claims, ((True, False, True, True, False, True),), "Number 6 is not"),
    (check.claims, ((1, 0, 1, 1, 0, 0),), "True or False"),
    (check.claims, ((True, False),), ""),
    (check.how_many, (18, 22), "in the other order"),
    (check.how_many, (22, 22), "largest price that is good enough"),
    (check.how_many, (22, 6), "one standard deviation"),
    (check.how_many, (22, 17), "Your first number is right"),
    (check.how_many, (30, 18), "least mean error"),
    (check.how_many, ((22, 18), 18), "the number of features at the least error"),
    (check.how_many, (22, None), "the number of features by the rule"),
    (check.two_answers, (*TWO[:4], [2, 2, 0]), "are the same"),
    (check.two_answers, ([[1, 0, 1], [0, 1, 1]], *TWO[1:]), "g_3 = 4"),
    (check.two_answers, ([[1, 1], [0, 0]], [3, 0], 2, [2, 0], [0, 2]), "1 and 2 are mult"),
    (check.two_answers, ([[1, 0], [0, 0]], [3, 0], 2, [2, 0], [0, 2]), "Column 2 of X is"),
    (check.two_answers, (HALF, [3, 3], 0, [2, 2, 0], [0, 0, 4]), "must be positive"),
    (check.two_answers, (*TWO[:4], [0, 0, 3]), "Your second w is not a minimizer"),
    (check.two_answers, (1e-4 * ONE, [1e-4, 1e-4], 1e-9, [1, 1], [2, 1]), "not a min"),
    (check.two_answers, (ONE, [5e5, 5e5 + 1], 1e6, [0, 1], [0, 1.2]), "What do all minim"),
    (check.two_answers, (*TWO[:3], [2, 2], [0, 0, 4]), "a weight for each column"),
    (check.two_answers, ([1, 2, 3], *TWO[1:]), "Give X with"),
    (check.two_answers, (HALF, [3, 3, 3], *TWO[2:]), "one number for each row"),
]
