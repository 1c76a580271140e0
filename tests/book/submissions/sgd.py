"""Answers to the exercises of the SGD chapter: right ones, and slips."""

import numpy as np

from mlcore.book.exercises import sgd as check

[run] = check.my_sgd.made().right
[mean] = check.averaged.made().right
[one_pass] = check.one_pass.made().right

RIGHT = [
    (check.by_hand, (0.25, 0.188, np.float64(0.75))),
    (check.best_step, (0.222, np.float32(0.2))),
    (check.my_sgd, (lambda *case: run(*case).tolist(),)),
    (check.my_sgd, (lambda g, w, s, o: (run(g, w, s, o), o.clear())[0],)),
    (check.mini_batch, (9, 4.5, 3, 9.0)),
    (check.certify, (np.int64(19), 15.0)),
    (check.fair_orders, ((1, 2, 6), (0, -3, -1), 0)),
    (check.fair_orders, ([1.0, 2.0, 6.0], np.array([1, -1, 5]), 1.0)),
]

WRONG = [
    (check.by_hand, (0.25, 0.1875, 0.1875), "rows in which the two examples differ"),
    (check.by_hand, (1.0, 0.1875, 0.75), "Where does each"),
    (check.best_step, (1 / 9, 1 / 5), "which factor just reaches 1"),
    (check.my_sgd, (lambda g, w, s, o: run(g, w, s, o[:-1]),), "newest w"),
    (check.averaged, (lambda g, w, e, o, k: mean(g, w, 0.5, o, k),), "steps eta?"),
    (check.averaged, (lambda g, w, e, o, k: mean(g, w, e, o, 4 * (k > 1)),), "skip = 5"),
    (check.mini_batch, (9, 4.5, 3, 8), "With 8 independent draws it is 1.125, above 1"),
    (check.mini_batch, (9, 4.5, 3, 10), "but fewer will do"),
    (check.mini_batch, (8, 4.5, 3, 9), "The mean gradient is 4"),
    (check.one_pass, (lambda g, n, w, e, k: one_pass(g, n - 1, w, e, k),), "Update once"),
    (check.certify, (30, 15), "30 for the certificate is not right"),
    (check.fair_orders, ((1, 1, 1), (1, 2, 3), 0), "curvatures are [1, 1, 1]"),
    (check.fair_orders, ((1, 2, 3), (1, 2, 3), 1), "slopes at w are"),
    (check.fair_orders, ((1, 2, -3), (1, 2, 3), 0), "above zero"),
    (check.fair_orders, ((1e9, 2e9, 6e9), (0, -1e9, -3e9), 0), "up to a million"),
]
