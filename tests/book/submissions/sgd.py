"""Answers to the exercises of the SGD chapter: right ones, and slips."""

from fractions import Fraction

import numpy as np

from mlcore.book.exercises import sgd as check


def run(gradient, w0, steps, order, *, sign=-1, later=0, at_start=False):
    """Stochastic gradient descent, with a slip."""
    w = np.array(w0, dtype=float)
    for t, i in enumerate(order, start=1):
        w = w + sign * steps(max(t + later, 1)) * gradient(w0 if at_start else w, i)
    return w


def in_place(gradient, w0, steps, order):
    for t, i in enumerate(order, start=1):
        w0 -= steps(t) * gradient(w0, i)
    return w0


def endless(*_):
    while True:
        pass


def points(gradient, w0, eta, order):
    path = [np.array(w0, dtype=float)]
    for i in order:
        path.append(path[-1] - eta * gradient(path[-1], i))
    return np.array(path)


def mean_of(first, last=None, divide=None):
    def averaged(gradient, w0, eta, order, skip):
        chosen = points(gradient, w0, eta, order)[first(skip) : last]
        return chosen.sum(axis=0) / (len(chosen) if divide is None else divide)

    return averaged


def running(gradient, w0, eta, order, skip):
    w, mean = np.array(w0, dtype=float), np.zeros(len(w0))
    for t, i in enumerate(order, start=1):
        w = w - eta * gradient(w, i)
        if t > skip:
            mean = mean + (w - mean) / (t - skip)
    return mean.tolist()


def bias(
    gradient, n, w, eta, different, *, sign=1, flag=None, steps=2, moved=True, by=np.mean
):
    different = different if flag is None else flag
    to = lambda w, i: w - eta * gradient(w, i)  # noqa: E731
    pairs = [(i, q) for i in range(n) for q in range(n) if i != q or not different]
    if moved:
        ends = [to(to(w, i), q) for i, q in pairs]
    else:
        ends = [w - eta * gradient(w, i) - eta * gradient(w, q) for i, q in pairs]
    down = w
    for _ in range(steps):
        down = down - eta * by([gradient(down, i) for i in range(n)], axis=0)
    return sign * (np.mean(ends, axis=0) - down)


def one_pass(gradient, n, w, eta, lambda_, *, share=lambda lam, n, eta: 2 * lam / n):
    for i in range(n):
        w = w - eta * (gradient(w, i) + share(lambda_, n, eta) * w)
    return w


def penalty_after(gradient, n, w, eta, lambda_):
    for i in range(n):
        w = w - eta * gradient(w, i)
        w = w - eta * 2 * lambda_ / n * w
    return w


def penalty_before(gradient, n, w, eta, lambda_):
    for i in range(n):
        w = w - eta * 2 * lambda_ / n * w
        w = w - eta * gradient(w, i)
    return w


def penalty_at_the_end(gradient, n, w, eta, lambda_):
    for i in range(n):
        w = w - eta * gradient(w, i)
    return w - eta * 2 * lambda_ * w


def of_the_mean(gradient, n, w, eta, lambda_):
    for i in range(n):
        w = w - eta * (gradient(w, i) + 2 * lambda_ * w) / n
    return w


def penalty_whole(gradient, n, w, eta, lambda_):
    for i in range(n):
        w = w - eta * (gradient(w, i) / n + 2 * lambda_ * w)
    return w


def nothing_taken_away(gradient, n, w, eta, different):
    to = lambda w, i: w - eta * gradient(w, i)  # noqa: E731
    pairs = [(i, q) for i in range(n) for q in range(n) if i != q or not different]
    return np.mean([to(to(w, i), q) for i, q in pairs], axis=0)


RIGHT = [
    (check.by_hand, (1 / 4, 3 / 16, 3 / 4)),
    (check.by_hand, (0.25, 0.188, np.float64(0.75))),
    (check.by_hand, (0.25, 0.187, 0.75)),
    (check.by_hand, (np.array(0.25), float(Fraction(3, 16)), 0.75)),
    (check.best_step, (2 / 9, 1 / 5)),
    (check.best_step, (0.222, np.float32(0.2))),
    (check.my_sgd, (run,)),
    (check.my_sgd, (lambda *a: tuple(run(*a)),)),
    (check.my_sgd, (lambda *a: run(*a).tolist(),)),
    (check.averaged, (running,)),
    (check.averaged, (mean_of(lambda skip: skip + 1),)),
    (check.two_step_bias, (bias,)),
    (check.two_step_bias, (lambda *a: list(bias(*a)),)),
    (check.one_pass, (one_pass,)),
    (check.one_pass, (lambda *a: tuple(one_pass(*a)),)),
    (check.schedules, ("abce", "ac")),
    (check.schedules, ("E, C, B, A", "ca")),
    (check.certify, (19, 15)),
    (check.certify, (np.int64(19), 15.0)),
    (check.fair_orders, ((1, 2, 6), (0, -3, -1), 0)),
    (check.fair_orders, ([1.0, 2.0, 6.0], np.array([1, -1, 5]), 1.0)),
    (check.fair_orders, (np.array([6, 1, 2]), [-1, -2, 1], np.float64(0))),
]


WRONG = [
    (check.by_hand, (-0.25, 0.1875, 0.75), "against the slope"),
    (check.by_hand, (0.5, 0.1875, 0.75), "half the sum"),
    (check.by_hand, (0.25, 0.75, 0.1875), "all four pairs"),
    (check.by_hand, (0.25, 0.1875, 1.5), "both orders"),
    (check.by_hand, (0.25, 0.1875, 0.1875), "rows in which the two examples differ"),
    (check.by_hand, (0.25, 0.186, 0.75), "a table of four rows"),
    (check.by_hand, (1.0, 0.1875, 0.75), "Where does each"),
    (check.by_hand, ("1/4", "3/16", "3/4"), "one number"),
    (check.by_hand, (0.25, 0.1875), "you gave two"),
    (check.best_step, (2 / 9, 1 / 9), "shrink by the same factor"),
    (check.best_step, (2 / 9, 2 / 9), "shrink by the same factor"),
    (check.best_step, (1 / 9, 1 / 5), "which factor just reaches 1"),
    (check.best_step, (2, 1 / 5), "multiplied by -17 and -1"),
    (check.best_step, ((2 / 9, 1 / 5), 1), "the threshold, one number"),
    (check.best_step, (2 / 9, np.nan), "one number, and finite"),
    (check.my_sgd, (lambda *a: run(*a, sign=1),), "goes uphill"),
    (check.my_sgd, (lambda *a: run(*a, later=1),), "starts at t = 2"),
    (check.my_sgd, (lambda *a: run(*a, later=-1),), "the size of the one before"),
    (check.my_sgd, (lambda *a: run(*a, at_start=True),), "all gradients at w0"),
    (check.my_sgd, (lambda g, w, s, o: run(g, w, lambda t: s(1), o),), "for all steps"),
    (check.my_sgd, (lambda g, w, s, o: run(g, w, s, o[::-1]),), "from its end"),
    (check.my_sgd, (lambda g, w, s, o: run(g, w, s, range(6)),), "ignores the order"),
    (check.my_sgd, (lambda g, w, s, o: run(g, w, s, o[:-1]),), "newest w"),
    (check.my_sgd, (in_place,), "changed its argument number 2"),
    (check.my_sgd, (endless,), "was stopped after"),
    (check.my_sgd, (lambda *a: (run(*a), 9),), "back w (d,)"),
    (check.my_sgd, (lambda *a: None,), "returned nothing"),
    (check.averaged, (mean_of(lambda skip: -1),), "the last point"),
    (check.averaged, (mean_of(lambda skip: 0),), "the start among them"),
    (check.averaged, (mean_of(lambda skip: 1),), "leave out the first"),
    (check.averaged, (mean_of(lambda skip: skip),), "the start among them"),
    (check.averaged, (mean_of(lambda skip: skip or 1),), "one point too many"),
    (check.averaged, (mean_of(lambda skip: skip + 2),), "one point too few"),
    (check.averaged, (mean_of(lambda skip: skip + 1, divide=9),), "fewer points"),
    (check.averaged, (mean_of(lambda skip: skip + 1, divide=1),), "the sum"),
    (check.averaged, (mean_of(lambda skip: skip + 1, -1),), "the same weight"),
    (check.averaged, (lambda g, w, e, o: w,), "TypeError"),
    (check.two_step_bias, (lambda *a: bias(*a, sign=-1),), "the sign is turned"),
    (check.two_step_bias, (lambda *a: bias(*a, flag=False),), "other kind of pairs"),
    (check.two_step_bias, (lambda *a: bias(*a, flag=True),), "other kind of pairs"),
    (check.two_step_bias, (lambda *a: bias(*a, steps=1),), "one step of descent"),
    (check.two_step_bias, (lambda *a: bias(*a, by=np.sum),), "not their sum"),
    (check.two_step_bias, (lambda *a: 0 * bias(*a),), "it is zero"),
    (check.two_step_bias, (nothing_taken_away,), "nothing is taken away from it"),
    (check.two_step_bias, (lambda *a: bias(*a, moved=False),), "9 pairs"),
    (check.two_step_bias, (lambda *a: bias(*a)[0],), "back (d,)"),
    (check.two_step_bias, (lambda *a: np.linalg.norm(bias(*a)),), "back (d,)"),
    (check.one_pass, (lambda *a: one_pass(*a, share=lambda k, n, e: 2 * k),), "twenty"),
    (
        check.one_pass,
        (lambda *a: one_pass(*a, share=lambda k, n, e: 2 * k / n / e),),
        "not multiplied by eta",
    ),
    (
        check.one_pass,
        (lambda *a: one_pass(*a, share=lambda k, n, e: 2 * k / e),),
        "not multiplied by eta, and not divided",
    ),
    (check.one_pass, (lambda *a: one_pass(*a, share=lambda k, n, e: k / n),), "factor 2"),
    (
        check.one_pass,
        (lambda *a: one_pass(*a, share=lambda k, n, e: k),),
        "a factor 2, and one pass applies the penalty twenty times",
    ),
    (check.one_pass, (lambda *a: one_pass(*a, share=lambda k, n, e: 0),), "is missing"),
    (
        check.one_pass,
        (lambda *a: one_pass(*a, share=lambda k, n, e: -2 * k / n),),
        "away from zero",
    ),
    (check.one_pass, (lambda g, n, w, e, k: one_pass(g, n - 1, w, e, k),), "Update once"),
    (check.one_pass, (lambda *a: [one_pass(*a)],), "back w (d,)"),
    (check.one_pass, (penalty_after,), "after the step; take both at the same w"),
    (check.one_pass, (penalty_before,), "before the gradient; take both at the same w"),
    (check.one_pass, (penalty_at_the_end,), "each update needs both parts"),
    (check.one_pass, (of_the_mean,), "the objective has their sum"),
    (check.one_pass, (penalty_whole,), "their sum, and the penalty once"),
    (check.schedules, ("ace", "ac"), "would it violate?"),
    (check.schedules, ("ac", "ac"), "In the first string 2 of the six letters"),
    (check.schedules, ("abc", "ac"), "a run can look stuck"),
    (check.schedules, ("abcde", "ac"), "how much of the start remains"),
    (check.schedules, ("abcef", "ac"), "for ever"),
    (check.schedules, ("abce", "abc"), "its squares are 1/(t+1)"),
    (check.schedules, ("abce", "ace"), "larger than 1/sqrt(t)"),
    (check.schedules, ("abce", ""), "In the second string 2 of the six letters"),
    (check.schedules, (("a", "b"), "ac"), "in a string"),
    (check.schedules, ("abcg", "ac"), "letters from a to f"),
    (check.certify, (18, 15), "one too few"),
    (check.certify, (19, 14), "one too few"),
    (check.certify, (20, 15), "one too many"),
    (check.certify, (19, 16), "one too many"),
    (check.certify, (23, 15), "the two is lost"),
    (check.certify, (128, 15), "not squared"),
    (check.certify, (40, 15), "alone bounds nothing"),
    (check.certify, (15, 19), "before the fact"),
    (check.certify, (30, 15), "30 steps for the certificate is not right"),
    (check.certify, ((19, 15), 15), "a number of steps"),
    (check.fair_orders, ((1, 4, 9), (1, 2, 3), 0), "Which covariance"),
    (check.fair_orders, ((1, 1, 1), (1, 2, 3), 0), "curvatures are [1, 1, 1]"),
    (check.fair_orders, ((1, 2, 3), (1, 2, 3), 1), "slopes at w are"),
    (check.fair_orders, ((1, 2, -3), (1, 2, 3), 0), "above zero"),
    (check.fair_orders, ((1, 2), (1, 2), 0), "three numbers"),
    (check.fair_orders, ((1, 2, 6), (0, -3, -1), (0,)), "one number"),
    (check.fair_orders, ((1, 2, 3), (-1, 2, -1), 0), "no two may be equal"),
    (check.fair_orders, ((1, 1.00001, 1.00002), (-1, -1.01, -1.02), 0), "covariance"),
    (check.fair_orders, ((1, 1.00001, 1.00002), (-1, -1.00001, -1.00002), 0), "covariance"),
    (check.fair_orders, ((1e200, 2e200, 6e200), (0, -1e200, -3e200), 0), "below 1e100"),
    (check.fair_orders, ((1e-200, 2e-200, 6e-200), (0, -1e-200, -3e-200), 0), "above 1e-"),
]
