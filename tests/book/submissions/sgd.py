"""Answers to the exercises of the SGD chapter: right ones, and slips."""

import numpy as np

from mlcore.book.exercises import sgd as check


def run(gradient, w0, steps, order):
    w = np.array(w0, dtype=float)
    for t, i in enumerate(order, start=1):
        w = w - steps(t) * gradient(w, i)
    return w


def running(gradient, w0, eta, order, skip):
    w, mean = np.array(w0, dtype=float), np.zeros(len(w0))
    for t, i in enumerate(order, start=1):
        w = w - eta * gradient(w, i)
        if t > skip:
            mean = mean + (w - mean) / (t - skip)
    return mean.tolist()


def bias(gradient, n, w, eta, different):
    def to(w, i):
        return w - eta * gradient(w, i)

    pairs = [(i, q) for i in range(n) for q in range(n) if i != q or not different]
    ends, down = [to(to(w, i), q) for i, q in pairs], w
    for _ in range(2):
        down = np.mean([to(down, i) for i in range(n)], axis=0)
    return np.mean(ends, axis=0) - down


def one_pass(gradient, n, w, eta, lambda_):
    for i in range(n):
        w = w - eta * (gradient(w, i) + 2 * lambda_ / n * w)
    return w


RIGHT = [
    (check.by_hand, (0.25, 0.188, np.float64(0.75))),
    (check.best_step, (0.222, np.float32(0.2))),
    (check.my_sgd, (run,)),
    (check.averaged, (running,)),
    (check.two_step_bias, (bias,)),
    (check.one_pass, (one_pass,)),
    (check.schedules, ("abce", "ac")),
    (check.certify, (np.int64(19), 15.0)),
    (check.fair_orders, ((1, 2, 6), (0, -3, -1), 0)),
    (check.fair_orders, ([1.0, 2.0, 6.0], np.array([1, -1, 5]), 1.0)),
]


WRONG = [
    (check.by_hand, (0.25, 0.1875, 0.1875), "rows in which the two examples differ"),
    (check.by_hand, (1.0, 0.1875, 0.75), "Where does each"),
    (check.best_step, (1 / 9, 1 / 5), "which factor just reaches 1"),
    (check.my_sgd, (lambda g, w, s, o: run(g, w, s, o[:-1]),), "newest w"),
    (check.one_pass, (lambda g, n, w, e, k: one_pass(g, n - 1, w, e, k),), "Update once"),
    (check.schedules, ("ace", "ac"), "would it violate?"),
    (check.schedules, ("abc", "ac"), "a run can look stuck"),
    (check.schedules, ("abcde", "ac"), "how much of the start remains"),
    (check.schedules, ("abcef", "ac"), "for ever"),
    (check.schedules, ("abce", "abc"), "its squares are 1/(t+1)"),
    (check.schedules, ("abce", "ace"), "larger than 1/sqrt(t)"),
    (check.schedules, ("abce", ""), "In the second string 2 of the six letters"),
    (check.certify, (15, 19), "before the fact"),
    (check.certify, (30, 15), "30 for the certificate is not right"),
    (check.fair_orders, ((1, 1, 1), (1, 2, 3), 0), "curvatures are [1, 1, 1]"),
    (check.fair_orders, ((1, 2, 3), (1, 2, 3), 1), "slopes at w are"),
    (check.fair_orders, ((1, 2, -3), (1, 2, 3), 0), "above zero"),
    (check.fair_orders, ((1e200, 2e200, 6e200), (0, -1e200, -3e200), 0), "below 1e100"),
]
