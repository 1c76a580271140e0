"""Answers to the exercises of the boosting chapter: right ones, and slips."""

import numpy as np

from mlcore.book.exercises import boosting as check
from mlcore.book.exercises import boosting_data as data

DESCENT = data.descent
CUBE = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
PARITY = CUBE.prod(axis=1)
SQUARES = [[1, 1], [-1, -1], [1, -1], [-1, 1], [2, 2], [-2, -2], [2, -2], [-2, 2]]


def by_edges(H, y, rounds):
    D, a = np.full(len(y), 1 / len(y)), np.zeros(H.shape[1])
    for _ in range(rounds):
        r = (D * y) @ H
        k = np.abs(r).argmax()
        step = np.log((1 + r[k]) / (1 - r[k])) / 2
        a[k] += step
        D = D * np.exp(-step * y * H[:, k])
        D /= D.sum()
    return a


def changes_labels(H, y, rounds):
    answer = by_edges(H, y, rounds)
    y *= -1
    return answer


def one_for_each_round(H, y, rounds):
    return np.ones(rounds)


def cost_weights(y, c):
    cost = np.where(np.asarray(y) > 0, c, 1.0)
    return cost / cost.sum()


def by_class(y, c):
    positive = (y > 0).sum()
    return np.where(y > 0, c / positive, 1 / (len(y) - positive)) / (c + 1)


def needed(n, r):
    return int(np.ceil(2 * np.log(n) / -np.log1p(-(r**2)) - 1e-9))


def endless(*args):
    while True:
        pass


STAYS = (True, True, False, True, True, False)
EIGHTHS = (1 / 8, 1 / 8, 1 / 2, 1 / 8, 1 / 8)
ROUNDED = (0.1678, 0.1660, 0.3324, 0.1678, 0.1660)
SIXTHS = (1 / 6, 1 / 6, 1 / 3, 1 / 6, 1 / 6)

RIGHT = [
    (check.by_hand, (EIGHTHS, 1 / 4)),
    (check.by_hand, ([0.125, 0.125, 0.5, 0.125, 0.125], 0.25)),
    (check.by_hand, (np.array(EIGHTHS), np.float64(0.25))),
    (check.abstain, (lambda right, silent, wrong: silent + 2 * (right * wrong) ** 0.5,)),
    (check.abstain, (lambda p, q, m: np.array(q + 2 * np.sqrt(p) * np.sqrt(m)),)),
    (check.first_weights, (cost_weights,)),
    (check.first_weights, (lambda y, c: list(cost_weights(y, c)),)),
    (check.boost, (by_edges,)),
    (check.boost, (lambda H, y, rounds: DESCENT(H, y, rounds).tolist(),)),
    (check.rounds_needed, (needed,)),
    (check.rounds_needed, (lambda n, r: float(needed(n, r)),)),
    (check.rounds_needed, (lambda n, r: np.int64(needed(n, r)),)),
    (check.same_margins, (STAYS,)),
    (check.same_margins, (list(STAYS),)),
    (check.same_margins, (np.array(STAYS),)),
    (check.certificate, (SIXTHS,)),
    (check.certificate, ([0.167, 0.167, 0.333, 0.167, 0.166],)),
    (check.certificate, (ROUNDED,)),
    (check.certificate, (np.array([0.25, 0.25, 0.5, 0.25, 0.25]) / 1.5,)),
    (check.no_edge, (CUBE, PARITY)),
    (check.no_edge, (SQUARES, [1, 1, -1, -1, 1, 1, -1, -1])),
    (check.no_edge, (tuple(map(tuple, CUBE)), PARITY.astype(float))),
    (check.last_mistake, (25, 67)),
    (check.last_mistake, (25.0, np.int64(67))),
]


WRONG = [
    (check.by_hand, ((0.1, 0.1, 0.4, 0.1, 0.1), 0.25), "have the sum 0.8"),
    (check.by_hand, ((1, 1, 4, 1, 1), 0.25), "have the sum 8"),
    (check.by_hand, ((0.05, 0.05, 0.8, 0.05, 0.05), 0.25), "Is the half in alpha there?"),
    (check.by_hand, ((0.2,) * 5, 0.25), "Who should gain weight?"),
    (check.by_hand, ((0.24, 0.24, 0.04, 0.24, 0.24), 0.25), "does the rule just used"),
    (check.by_hand, ((0.13, 0.12, 0.5, 0.12, 0.13), 0.25), "are not right"),
    (check.by_hand, (EIGHTHS, 0.5), "the error of the rule just used"),
    (check.by_hand, (EIGHTHS, 1 / 8), "a single light mistake"),
    (check.by_hand, (EIGHTHS, 0.3), "Try every threshold"),
    (check.by_hand, (0.25, EIGHTHS), "Give the five weights"),
    (check.by_hand, ((..., ...), ...), "Replace the three dots"),
    (check.abstain, (lambda p, q, m: 2 * np.sqrt(p * (m + q)),), "silence as a mistake"),
    (check.abstain, (lambda p, q, m: 2 * np.sqrt((p + q) * m),), "silence as right"),
    (check.abstain, (lambda p, q, m: 2 * np.sqrt(p * m),), "are missing from the sum"),
    (check.abstain, (lambda p, q, m: q + np.sqrt(p * m),), "How many terms meet"),
    (
        check.abstain,
        (lambda p, q, m: 2 * np.sqrt(p * m) / (p + m),),
        "divide by the weight",
    ),
    (
        check.abstain,
        (lambda p, q, m: 2 * np.sqrt((p + q / 2) * (m + q / 2)),),
        "half right",
    ),
    (check.abstain, (lambda p, q, m: 1.0,), "above the smallest value"),
    (check.abstain, (lambda p, q, m: 0.0,), "below the smallest value"),
    (check.abstain, (lambda p, q, m: None,), "returned nothing"),
    (check.first_weights, (by_class,), "What does one mistake cost"),
    (check.first_weights, (lambda y, c: np.ones(len(y)),), "1 positive example of 4"),
    (check.first_weights, (lambda y, c: np.where(y > 0, c, 1.0),), "not 1"),
    (check.first_weights, (lambda y, c: cost_weights(y, 1 / c),), "who costs more?"),
    (check.first_weights, (lambda y, c: cost_weights(-y, c),), "who costs more?"),
    (
        check.first_weights,
        (lambda y, c: np.full(len(y), 1 / len(y)),),
        "1 times a negative",
    ),
    (check.first_weights, (lambda y, c: cost_weights(y, c)[:, None],), "of the shape (n,)"),
    (check.first_weights, (endless,), "was stopped after"),
    (check.boost, (lambda H, y, T: DESCENT(H, y, T, half=1.0),), "Is the half in alpha"),
    (check.boost, (lambda H, y, T: DESCENT(H, y, T, share=False),), "have the sum 1"),
    (check.boost, (lambda H, y, T: DESCENT(H, y, T, turn=False),), "whose opposite"),
    (check.boost, (lambda H, y, T: DESCENT(H, y, T, add=False),), "do you add"),
    (check.boost, (lambda H, y, T: DESCENT(H, y, T, grow=-1),), "Who gains weight"),
    (check.boost, (lambda H, y, T: -DESCENT(H, y, T),), "All signs are reversed"),
    (check.boost, (lambda H, y, T: DESCENT(H, y, T, lost=True),), "Some sign is lost"),
    (check.boost, (lambda H, y, T: DESCENT(H, y, T + 1),), "one round more"),
    (check.boost, (lambda H, y, T: DESCENT(H, y, T - 1),), "one round less"),
    (check.boost, (lambda H, y, T: by_edges(H, 0 * y + 1, T),), "Do the labels y enter"),
    (check.boost, (lambda H, y, T: 2 * by_edges(H, y, T) + 1,), "Choose the rule with"),
    (check.boost, (lambda H, y, T: 2 * by_edges(H, y, T) + 1,), "and 1 round it gave ["),
    (
        check.boost,
        (lambda H, y, T: by_edges(H, y, T).round(5),),
        "digits; six are compared",
    ),
    (check.boost, (lambda H, y, T: (by_edges(H, y, T), y),), "a tuple of 2 things"),
    (check.boost, (lambda H, y, T: [[1, 2], [3]],), "back a, of shape (3,)"),
    (check.boost, (lambda H, y, T: np.ones(1),), "it returned 1 number, one for"),
    (check.boost, (lambda H, y, T: DESCENT(H, y, T)[:, None],), "back a, of shape (3,)"),
    (check.boost, (one_for_each_round,), "one for each round"),
    (check.boost, (changes_labels,), "changed its argument number 2"),
    (check.boost, (endless,), "was stopped after"),
    (
        check.rounds_needed,
        (lambda n, r: int(np.ceil(2 * np.log(n) / r**2)),),
        "fewer rounds are enough",
    ),
    (
        check.rounds_needed,
        (lambda n, r: int(2 * np.log(n) / -np.log1p(-(r**2)) + 1e-9) + 1,),
        "which equals 1/n",
    ),
    (
        check.rounds_needed,
        (lambda n, r: int(2 * np.log(n) / -np.log1p(-(r**2)) + 1e-9) + 1,),
        "is it lost to rounding?",
    ),
    (check.rounds_needed, (lambda n, r: needed(n, r) - 1,), "does not rule it out yet"),
    (check.rounds_needed, (lambda n, r: needed(n, r) + 1,), "fewer rounds are enough"),
    (check.rounds_needed, (lambda n, r: 2 * np.log(n) / r**2,), "give an integer"),
    (check.rounds_needed, (lambda n, r: 0,), "give an integer >= 1"),
    (check.rounds_needed, (lambda n, r: "6",), "back one integer"),
    (check.rounds_needed, (lambda n, r: (needed(n, r),),), "Give back one integer"),
    (check.same_margins, ((True,) * 6,), "Number 3 does not always leave"),
    (check.same_margins, ((False,) * 6,), "Number 1 always leaves"),
    (check.same_margins, ((True, False, False, True, True, False),), "Number 2 always"),
    (check.same_margins, ((True, True, False, False, True, False),), "Number 4 always"),
    (check.same_margins, ((True, True, False, True, False, False),), "Number 5 always"),
    (check.same_margins, ((True, True, False, True, True, True),), "Number 6 does not"),
    (check.same_margins, ((1, 1, 0, 1, 1, 0),), "is True or False; these are (1, 1"),
    (check.same_margins, ((True, False),), "Six values are wanted"),
    (check.certificate, (EIGHTHS,), "has the edge 0.5"),
    (check.certificate, ((0.2,) * 5,), "says +, +, +, +, + has the edge 0.6"),
    (check.certificate, ((1, 1, 2, 1, 1),), "have the sum 6"),
    (check.certificate, ((0.5, 0.5, 0.5, -0.25, -0.25),), "no weight below 0"),
    (check.certificate, ((0, 1 / 3, 1 / 3, 1 / 3, 0.1),), "have the sum 1.1"),
    (check.certificate, ((0.3, 0.04, 0.32, 0.04, 0.3),), "should lose weight"),
    (check.certificate, ((1 / 3, 1 / 3, 1 / 3),), "of shape (5,)"),
    (check.certificate, ((..., ..., ..., ..., ...),), "Replace the"),
    (check.no_edge, ([[q, q] for q in range(6)], [1, -1] * 3), "has the error 0.3333"),
    (check.no_edge, (CUBE, np.ones(8)), "yours are 1."),
    (check.no_edge, (CUBE, [str(label) for label in PARITY]), "a list of labels"),
    (check.no_edge, (CUBE, (1 - PARITY) / 2), "yours are 0, 1"),
    (check.no_edge, (np.arange(6), [1, -1] * 3), "the rows of a matrix"),
    (check.no_edge, (np.arange(6)[:, None], [1, -1] * 3), "these are 6 with 1"),
    (check.no_edge, (CUBE[:4], PARITY[:4]), "these are 4 with 3"),
    (check.no_edge, (np.zeros((6, 2)), [1, -1] * 3), "are equal; all should differ"),
    (check.no_edge, (CUBE, PARITY[:7]), "8 points need 8 labels"),
    (check.no_edge, ([[1, 2], [3]], [1, -1]), "Give a matrix of points"),
    (check.no_edge, (CUBE * [[np.nan, 1, 1]], PARITY), "should be finite"),
    (check.last_mistake, (21, 67), "not for the first zero"),
    (check.last_mistake, (24, 67), "Is a row 0 round 1?"),
    (check.last_mistake, (26, 67), "Your round is 26, which is not right. Is z = 0"),
    (check.last_mistake, (25, 72), "this is the number for round 26. Row 0 is round 1"),
    (check.last_mistake, (25, 65), "this is the number for round 24. Row 0 is round 1"),
    (check.last_mistake, (25, 289), "of those that shrink"),
    (check.last_mistake, (25, 67 / 356), "not their share"),
    (check.last_mistake, (25, 66), "your number of images is 66, which is not right"),
    (check.last_mistake, (25, 66), "Compare normalized margins"),
    (check.last_mistake, ((25, 67), None), "Give the round from which on"),
]
