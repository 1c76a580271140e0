"""Data, right answers and slips of the checkers on boosting."""

from functools import cache

import numpy as np

from mlcore.boosting import adaboost
from mlcore.data import digits

FIVE_X = np.arange(1.0, 6.0)[:, None]
FIVE_Y = np.array([1.0, 1.0, -1.0, 1.0, 1.0])


def smallest_sum(right, silent, wrong):
    """The sum of the new weights if the rule may be silent, at the best alpha."""
    return silent + 2 * np.sqrt(right * wrong)


def other_sums(right, silent, wrong):
    """(sum, what is said) of each slip."""
    half, root = silent / 2, 2 * np.sqrt(right * wrong)
    others = "You divide by the weight of the others; the silent ones are missing."
    return (
        (2 * np.sqrt(right * (wrong + silent)), "You count silence as a mistake."),
        (2 * np.sqrt((right + silent) * wrong), "You count silence as right."),
        (
            2 * np.sqrt((right + half) * (wrong + half)),
            "You count silence as half right and half wrong.",
        ),
        (root, "The silent examples are missing from the sum."),
        (root / (right + wrong), others),
        (silent + root / 2, "How many terms meet at the minimum?"),
    )


def costs():
    """(y, c): labels, and what a mistake on a positive example costs."""
    rng = np.random.default_rng(3)
    for n, c in ((4, 1.0), (10, 3.0), (25, 0.2), (60, 50.0)):
        yield rng.permutation(np.where(np.arange(n) < max(n // 5, 1), 1.0, -1.0)), c


def votes():
    """(H, y, rounds): what each rule says of each example, and the labels."""
    rng = np.random.default_rng(1)
    for n, m, rounds in ((12, 3, 1), (30, 4, 2), (40, 5, 9), (60, 8, 25)):
        y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
        keep = rng.random((n, m)) < rng.uniform(0.2, 0.75, size=m)
        yield np.where(keep, y[:, None], -y[:, None]), y, rounds


def descent(
    H,
    y,
    rounds,
    *,
    half=0.5,
    turn=True,
    share=True,
    add=True,
    grow=1,
    sign=1,
    more=0,
    lost=False,
):
    """Coordinate descent on the exponential loss of the votes H @ a; with slips."""
    y = np.ones(len(y)) if sign == 0 else y
    D, a = np.full(len(y), 1 / len(y)), np.zeros(H.shape[1])
    for _ in range(rounds + more):
        r = (D * y) @ H
        k = int(np.abs(r).argmax() if turn else r.argmax())
        errs = D[H[:, k] != y].sum()
        with np.errstate(all="ignore"):  # a slip may end anywhere
            alpha = half * np.log((1 - errs) / errs)
            D = D * np.exp(-grow * alpha * y * H[:, k])
            D = D / D.sum() if share else D
        alpha = abs(alpha) if lost else alpha  # its sign
        a[k] = a[k] + alpha if add else alpha
    return -a if sign < 0 else a


OTHER_DESCENTS = (
    ({"half": 1.0}, "Is the half in alpha there?"),
    ({"share": False}, "Do the weights have the sum 1 before an error is read off?"),
    ({"turn": False}, "What about a rule whose opposite is better than all others?"),
    ({"add": False}, "A rule may be chosen again: do you add to its weight?"),
    ({"grow": -1}, "Who gains weight in your program, the mistakes or the others?"),
    ({"sign": 0}, "Do the labels y enter the edges and the new weights?"),
    ({"sign": -1}, "All signs are reversed: is alpha positive if a rule is mostly right?"),
    ({"lost": True}, "Some sign is lost: which weight should a negative edge give?"),
    ({"more": 1}, "This is the answer for one round more."),
    ({"more": -1}, "This is the answer for one round less."),
)


# (n, r); with the root of 3/4 the product is (1/2)**T
EDGES = (
    (2, 0.5), (20, 0.9), (100, 0.1), (2, 3**0.5 / 2), (64, 3**0.5 / 2), (10**6, 0.03),
)  # fmt: skip
CHANGES = ("scale", "cube", "rotate", "twice", "flip", "positive twice")


@cache
def shift_of(change):
    """The largest change of a training margin y F on some data, rounded; 0: always none."""
    rng = np.random.default_rng(5)
    worst = 0.0
    for _ in range(3):
        X = rng.normal(size=(40, 3))
        y = np.where((X**2).sum(axis=1) + rng.normal(size=40) > 2.5, 1.0, -1.0)
        before = y * adaboost(X, y, rounds=6).decision_function(X)
        new, sign, turn = X.copy(), y.copy(), np.sqrt(0.5)
        if change == "scale":
            new[:, 0] *= 10
        if change == "cube":
            new[:, 0] **= 3
        if change == "rotate":
            new[:, :2] = X[:, :2] @ np.array([[turn, turn], [-turn, turn]])
        if change == "flip":
            sign = -y
        if change == "twice":
            new, sign = np.repeat(X, 2, axis=0), np.repeat(y, 2)
        if change == "positive twice":
            new, sign = np.vstack([X, X[y > 0]]), np.append(y, y[y > 0])
        after = sign * adaboost(new, sign, rounds=6).decision_function(new)
        after = after[::2] if change == "twice" else after[: len(y)]
        worst = max(worst, float(np.abs(after - before).max()))
    return round(worst, 2)


@cache
def ones_and_eights():
    """First round without mistake, the round from which on there is none, and counts.

    How many margins grow and shrink after that round, and {how many grow: round} of the
    rounds before and after it.
    """
    data = digits(negative=1, positive=8)
    margins = adaboost(data.X, data.y, rounds=150).staged_margins(data.X, data.y)
    mistakes = (margins <= 0).sum(axis=1)
    first, good = int(np.argmax(mistakes == 0)) + 1, int(np.flatnonzero(mistakes)[-1]) + 2
    grown = margins[-1] - margins[good - 1]
    beside = {int((margins[-1] > margins[q - 1]).sum()): q for q in (good - 1, good + 1)}
    return first, good, int((grown > 0).sum()), int((grown < 0).sum()), beside
