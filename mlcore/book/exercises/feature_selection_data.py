"""Data, right answers and slips of the checkers on feature selection."""

from functools import cache
from math import comb
from types import SimpleNamespace

import numpy as np

from mlcore.book.exercises.feature_selection_sets import (
    either_on,
    forward_on,
    others,
    stepwise_on,
)
from mlcore.data import diabetes
from mlcore.selection import backward
from mlcore.validation import k_folds, monte_carlo

# In the fourth another table is likelier by an eighth of a percent; the last one has a
# p so small that no fixed allowance for rounding will do.
TWO_BY_TWO = (
    [[3, 1], [1, 3]], [[4, 0], [0, 4]], [[10, 3], [2, 15]], [[0, 9], [11, 14]],
    [[3, 6], [4, 5]], [[0, 6], [4, 2]], [[1, 9], [11, 3]], [[4, 7], [0, 4]],
    [[29, 4], [4, 29]],
)  # fmt: skip
STATEMENTS = (
    (True, "any fit on fewer features is also a fit on more, with the new weight 0. So "
     "what can happen to the least sum of squares?"),
    (False, "on noise, E of no feature is often the smallest of all: each weight brings "
     "its own error. Which of the two errors never rises?"),
    (False, "the room has correlation 0 with the target, and the fit on both features of "
     "the four patients is exact."),
    (False, "the weight becomes a hundred times as large, and every prediction of least "
     "squares stays. What does E depend on?"),
    (True, "look at the first step of backward: through which set must it go, if the best "
     "set has at least d - 1 features?"),
    (False, "the smallest of 1024 estimates was chosen for being small. What does the "
     "theorem on the least of many say?"),
)  # fmt: skip


R1, R2, RHO = 0.8, 0.5, 0.4
GAIN = (R2 - RHO * R1) ** 2 / (1 - RHO**2)
OTHER_ALONE = {
    R2: "0.5 is the correlation. Which share of the mean square goes away?",
    R1**2: "That is what the first feature explains alone.",
    1 - R2**2: "0.75 is the error that is left. How much has gone?",
}
OTHER_GAINS = {
    (R2 - RHO * R1) ** 2: "Which denominator does the formula have?",
    (R2 - RHO * R1) ** 2 / (1 - RHO): "Is the correlation in the denominator squared?",
    (R2 + RHO * R1) ** 2 / (1 - RHO**2): "Look at the sign before the product.",
    (R2 - RHO * R1) / (1 - RHO**2): "That is its weight; the gain has a square.",
    R1**2 + GAIN: "That is what both explain together.",
    (R1 - RHO * R2) ** 2 / (1 - RHO**2): "That is what the first adds to the second.",
}
OTHER_RHOS = {
    R1 / R2: "No correlation is above 1. Which of the two must be the product?",
    R1 * R2: "With 0.4 it adds something, as you have just computed.",
}
OTHER_LEASTS = {
    1.0: "That is the expected number of mistakes of one of the rules.",
    10 / 16: "That is the least of two rules.",
    14 / 64: "That is a share of the two examples; how many mistakes is it?",
    27 / 64: "At least one mistake is not the only term: what if all make two?",
    1 / 3: "The number of rules does not divide the mistakes.",
}


class Named:
    """A function that a verdict can quote."""

    def __init__(self, name, function):
        self.name, self.function = name, function

    def __call__(self, *args):
        return self.function(*args)

    def __repr__(self):
        return self.name


def fault_of_search(error, d, S) -> str | None:
    """Why the search in which features leave does not end with S; None if it does."""
    right, own = stepwise_on(error, d), error(sorted(S))
    if right == S:
        return None
    less = [error(sorted(S - {q})) for q in S]
    more = [error(sorted(S | {q})) for q in set(range(d)) - S]
    faults = (
        (forward_on(error, d) == S, ", where forward ends. Does a feature ever leave "
         "again? Look for one after every addition, the last one too, and before the next "
         "one comes in."),
        (either_on(error, d) == S, ". As long as the error falls without one feature, one "
         "leaves; only then may the next one come in, even if that lowers the error more."),
        ({q - 1 for q in S} == right, f". Do you count from 1? The features are 0 to "
         f"{d - 1}."),
        (all(own < error(T) for T in others(S, d)), ", the set with the least error of "
         "all, and this search does not get there. Does each of your steps start from the "
         "set before it, and lower its error?"),
        (any(e < own for e in less), ". Without one of them the error would be smaller."),
        (own in less, ". Without one of them the error would be the same: does the error "
         "fall strictly whenever one comes in?"),
        (any(e < own for e in more), ". With one more the error would be smaller."),
        (own == error(sorted(right)), ". A set on the way has this error already, and no "
         "step from there lowers it: is every change a strict fall?"),
        (True, ". One step from there lowers nothing, but the rule ends elsewhere: add "
         "the best one, then remove the one that is missed least as long as the error "
         "falls, and so on."),
    )  # fmt: skip
    return next(fault for holds, fault in faults if holds)


def _chances(table) -> tuple[np.ndarray, np.ndarray]:
    """The corners that the sums allow, and the probability of each."""
    (a, b), (c, d) = np.asarray(table).tolist()
    row, column, n = a + b, a + c, a + b + c + d
    corners = np.arange(max(0, row + column - n), min(row, column) + 1)
    ways = [comb(row, k) * comb(n - row, column - k) for k in corners.tolist()]
    return corners, np.array(ways) / comb(n, column)


def one_table_p(table) -> float:
    corners, chance = _chances(table)
    return float(chance[corners == table[0][0]][0])


def exact_p(table, *, strict=False, side=0) -> float:
    """Fisher's p; with slips: ties forgotten, or one side only."""
    corners, chance = _chances(table)
    own = one_table_p(table)
    if side:
        return float(chance[side * corners >= side * table[0][0]].sum())
    rarer = (chance <= own * (1 + 1e-9)) if not strict else (chance < own * (1 - 1e-9))
    return float(chance[rarer].sum() + (own if strict else 0))


def other_ps(table):
    """(p, what is said) of each slip."""
    alone = ", the probability of this table alone. Which are added?"
    yield one_table_p(table), alone
    missing = (
        ": a table that is exactly as likely as this one is missing. Compare by <=, and "
        "allow for rounding."
    )
    twice = (
        ", twice the probability of one side. The two sides need not be alike: which "
        "tables are no likelier?"
    )
    yield exact_p(table, strict=True), missing
    for side in (1, -1):
        p = exact_p(table, side=side)
        yield p, ", which is one side only. Which tables count?"
        yield 2 * p, twice


def p_with_likelier(table, p) -> bool:
    """Is p what comes out if tables that are slightly likelier are added, too?"""
    chance = np.sort(_chances(table)[1])
    slightly = (chance > one_table_p(table) * (1 + 1e-9)) & (
        chance < one_table_p(table) + 2e-3
    )
    return bool(np.isclose(np.cumsum(chance)[slightly], p, rtol=1e-6, atol=0).any())


def tool_box():
    """A choice of features, and a fit."""

    def choose(X, y):
        return np.argsort(-np.abs(X.T @ y), kind="stable")[:4].tolist()

    def fit(X, y):
        return SimpleNamespace(predict=lambda Q: np.where(Q @ (X.T @ y) >= 0, 1.0, -1.0))

    return choose, fit


def pure_noise():
    rng = np.random.default_rng(4)
    for _ in range(3):
        y = np.tile([1.0, -1.0], 16)
        yield rng.normal(size=(32, 80)), y, k_folds(y, folds=5, stratified=False, rng=rng)


def honest(choose, fit, X, y, splits, *, on="test", pooled=False) -> float:
    errors = []
    for train, test in splits:
        S = choose(X[train], y[train])
        seen = train if on == "train" else test
        said = fit(X[train][:, S], y[train]).predict(X[seen][:, S])
        errors.append(said != y[seen])
    return float(np.mean(np.concatenate(errors) if pooled else [*map(np.mean, errors)]))


def peeking(choose, fit, X, y, splits) -> float:
    S = choose(X, y)
    return honest(lambda A, t: S, fit, X, y, splits)


def other_errors(choose, fit, X, y, splits):
    """(error, what is said) of each slip."""
    right = honest(choose, fit, X, y, splits)
    return (
        (peeking(choose, fit, X, y, splits),
         "The test examples took part in the choice: which may it see?"),
        (1 - right, "That is the share of right answers."),
        (right * len(splits), "That is the sum over the splits; the mean is wanted."),
        (honest(choose, fit, X, y, splits, on="train"),
         "That is the error on the training examples."),
        (honest(choose, fit, X, y, splits, pooled=True), "All test examples count alike "
         "there; take the mean over the splits of the share in each (the parts are not "
         "equally large)."),
    )  # fmt: skip


@cache
def chosen_often() -> tuple:
    """Backward on 100 halves of the diabetes data: names, counts, different sets."""
    data = diabetes()
    names = ("age", "sex", "bmi", "bp", "tc", "ldl", "hdl", "tch", "ltg", "glu")
    X, y = data.X, data.y
    kept = []
    for train, _ in monte_carlo(y, repeats=100, test_share=0.5, rng=1, stratified=False):
        folds = k_folds(y[train], folds=5, stratified=False)
        kept.append(backward(X[train], y[train], splits=folds).features)
    counts = {name: sum(q in S for S in kept) for q, name in enumerate(names)}
    return names, counts, len(set(kept))
