"""Answers to the exercises of the chapter on feature selection: right ones, and slips."""

from fractions import Fraction

import numpy as np
from scipy.stats import fisher_exact, hypergeom

from mlcore.book.exercises import feature_selection as check


def scipy_p(table):
    return fisher_exact(table)[1]


def rounded_p(table):
    """Compares probabilities that are rounded to ten decimals."""
    (a, b), (c, d) = np.asarray(table).tolist()
    law = hypergeom(a + b + c + d, a + b, a + c)
    chances = law.pmf(np.arange(a + b + 1))
    return chances[np.round(chances, 10) <= np.round(law.pmf(a), 10)].sum()


def stepwise(error, d, most=99):
    """Right, with a list that keeps the order of entry, if so many may leave at a time."""
    S, last = [], error([])
    while len(S) < d:
        rest = [q for q in range(d) if q not in S]
        values = [error([*S, q]) for q in rest]
        if min(values) >= last:
            break
        S, last = [*S, rest[int(np.argmin(values))]], min(values)
        for _ in range(most):
            values = [error([p for p in S if p != q]) for q in S]
            if min(values, default=np.inf) >= last:
                break
            S = [p for p in S if p != S[int(np.argmin(values))]]
            last = min(values)
    return S


MISSED = {
    "": 50, "1": 40, "2": 40, "3": 30, "4": 40, "12": 0, "13": 25, "14": 25, "23": 25,
    "24": 25, "34": 10, "123": 20, "124": 20, "134": 15, "234": 20, "1234": 18,
}  # fmt: skip
KEPT = ["sex", "bmi", "bp", "ltg"]

RIGHT = [
    (check.by_hand, ({3, 1}, np.array([4, 3, 2]), [10.0, 8.0])),
    (check.company, (0.25, 0.0386, 0.625)),
    (check.least_of_three, (Fraction(28, 64), np.int64(6))),
    (check.my_fisher, (scipy_p,)),
    (check.my_stepwise, (stepwise,)),
    (check.my_stepwise, (lambda error, d: np.array(sorted(stepwise(error, d)), int),)),
    (check.steady, (KEPT, 31)),
    (check.both_miss, (MISSED,)),
    (check.both_miss, ({key: value - 7.5 for key, value in MISSED.items()},)),
]

WRONG = [
    (check.by_hand, ([1, 3], [1, 2, 3, 4], (10, 5)), "Backward does not stop at"),
    (check.by_hand, ([1, 3], [1, 3], (10, 8)), "Backward could stop at {1, 3}, but does"),
    (check.by_hand, ([1], [2, 3, 4], (10, 8)), "Forward does not stop at {1}"),
    (check.by_hand, ([1, 3], [2, 3, 4], (8, 8)), "forward does not read so many"),
    (check.by_hand, ([1, 3], [2, 3, 4], (10, 7)), "backward does not read so many"),
    (check.by_hand, ([0, 2], [2, 3, 4], (10, 8)), "a set of features from 1 to 4"),
    (check.by_hand, ("13", [2, 3, 4], (10, 8)), "a set of features from 1 to 4"),
    (check.by_hand, ([1, 3, 3], [2, 3, 4], (10, 8)), "each at most once"),
    (check.least_of_three, (0.4375, 5), "the expected share is 0.1191, too large"),
    (check.least_of_three, (0.4375, 7), "but fewer rules do as well"),
    (check.my_fisher, (lambda t: 1 - scipy_p(t),), "Let the corner run through all"),
    (check.my_fisher, (rounded_p,), "For the table [[40, 2], [2, 40]]"),
    (check.my_stepwise, (lambda error, d: stepwise(error, d, most=0),), "where forward"),
    (check.my_stepwise, (lambda error, d: stepwise(error, d, most=1),), "would be smaller"),
    (check.my_stepwise, (lambda error, d: [q + 1 for q in stepwise(error, d)],), "from 1?"),
    (check.my_stepwise, (lambda error, d: len(stepwise(error, d)) + 0.5,), "a list of"),
    (check.my_honest_error, (lambda *a: 0.5,), "What do `choose` and `fit` see"),
    (check.steady, (["sex", "bmi", "bp", "ltg", "tc"], 31), "tc was not kept"),
    (check.steady, (["bmi", "bp"], 31), "2 of the wanted features are missing"),
    (check.steady, (KEPT, 25), "Is a set counted once"),
    (check.steady, ([1, 2, 3, 8], 31), "Give names among age, sex"),
    (check.both_miss, ({**MISSED, "34": 0},), "Forward ends with {3, 4}, and no error"),
    (check.both_miss, ({**MISSED, "1": -1, "3": -1},), "have 1 feature: what does"),
    (check.both_miss, ({key: 1 for key in MISSED},), "what does the theorem say"),
    (check.both_miss, ({"": 1, "1": 2},), "the sixteen keys"),
]
