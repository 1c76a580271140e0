"""What the checkers of the chapter on feature selection compare with."""

from functools import cache
from itertools import combinations
from math import comb
from types import SimpleNamespace

import numpy as np

from mlcore.data import diabetes
from mlcore.selection import backward
from mlcore.validation import k_folds, monte_carlo

# Errors of all sets of features from 1 to 4.
HAND = {
    frozenset(map(int, S)): error
    for S, error in {
        "": 80, "1": 55, "2": 60, "3": 70, "4": 78, "12": 50, "13": 30, "14": 54,
        "23": 45, "24": 52, "34": 66, "123": 35, "124": 48, "134": 33, "234": 32,
        "1234": 34,
    }.items()
}  # fmt: skip

COMPANY = {
    frozenset(map(int, S)): error
    for S, error in {
        "": 100, "1": 98, "2": 97, "3": 40, "4": 101, "12": 20, "13": 37, "14": 99,
        "23": 38, "24": 96, "34": 41, "123": 22, "124": 23, "134": 39, "234": 42,
        "1234": 25,
    }.items()
}  # fmt: skip
# From {2, 3}, where 1 has left, over {3, 4} to {1, 3, 4}.
COMES_BACK = {
    frozenset(map(int, S)): error
    for S, error in {
        "": 100, "1": 90, "2": 95, "3": 96, "4": 97, "12": 80, "13": 85, "14": 86,
        "23": 60, "24": 45, "34": 40, "123": 70, "124": 75, "134": 30, "234": 50,
        "1234": 55,
    }.items()
}  # fmt: skip
# From {1, 2, 3} to {2, 3}, although all four have a smaller error; {2, 4} is best.
LESS_OR_MORE = {
    frozenset(map(int, S)): error
    for S, error in {
        "": 100, "1": 80, "2": 90, "3": 91, "4": 92, "12": 70, "13": 75, "14": 76,
        "23": 55, "24": 30, "34": 77, "123": 60, "124": 65, "134": 40, "234": 58,
        "1234": 50,
    }.items()
}  # fmt: skip
# In the fourth another table is likelier by an eighth of a percent; the last one has a
# p so small that no fixed allowance for rounding will do.
TWO_BY_TWO = (
    [[3, 1], [1, 3]], [[4, 0], [0, 4]], [[10, 3], [2, 15]], [[0, 9], [11, 14]],
    [[3, 6], [4, 5]], [[0, 6], [4, 2]], [[1, 9], [11, 3]], [[4, 7], [0, 4]],
    [[29, 4], [4, 29]],
)  # fmt: skip
# A feature leaves again; in the last two it matters which of several leaves first.
BACK_OUT = (52, 58, 124, 267, 340, 360, 415, 473, 2466, 5170)

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


class Named:
    """A function that a verdict can quote."""

    def __init__(self, name, function):
        self.name, self.function = name, function

    def __call__(self, *args):
        return self.function(*args)

    def __repr__(self):
        return self.name


def allowed(d) -> list:
    """All sets of features from 1 to d."""
    return [frozenset(S) for k in range(d + 1) for S in combinations(range(1, d + 1), k)]


def forward_on(error, d, start=()) -> frozenset:
    return _walk(
        error, frozenset(start), lambda S: [S | {q} for q in range(d) if q not in S]
    )


def backward_on(error, d, start=None) -> frozenset:
    start = range(d) if start is None else start
    return _walk(error, frozenset(start), lambda S: [S - {q} for q in sorted(S)])


def _walk(error, S, steps) -> frozenset:
    last = error(sorted(S))
    while candidates := steps(S):
        values = [error(sorted(T)) for T in candidates]
        if min(values) >= last:
            break
        S, last = candidates[int(np.argmin(values))], min(values)
    return S


def stepwise_on(error, d) -> frozenset:
    """One feature in; then out, one at a time, while the error falls; and again."""
    S, last = frozenset(), error([])
    while len(S) < d:
        rest = [q for q in range(d) if q not in S]
        values = [error(sorted(S | {q})) for q in rest]
        if min(values) >= last:
            break
        S = backward_on(error, d, start=S | {rest[int(np.argmin(values))]})
        last = error(sorted(S))
    return S


def either_on(error, d) -> frozenset:
    """A slip: one in or one out, whichever has the smaller error."""
    return _walk(error, frozenset(), lambda S: [S ^ {q} for q in range(d)])


def _tied(S) -> float:
    """Features 1 and 2 do as well as all three, but no way down leads there."""
    errors = 10.0, 5.0, 6.0, 4.0, 6.5, 4.5, 3.0, 3.0
    return errors[sum(2**q for q in set(S))]


def _all_then_two(S) -> float:
    """Without feature 0 the error of all three falls, and no other step follows."""
    errors = 10.0, 5.0, 6.0, 4.0, 6.5, 4.5, 2.5, 3.0
    return errors[sum(2**q for q in set(S))]


def _along(*path):
    """Errors that fall along a path of sets, each a string; those of all others are 100."""
    errors = {frozenset(map(int, S)): 90.0 - 10 * k for k, S in enumerate(path)}
    return lambda S: errors.get(frozenset(S), 100.0)


def _from_zero(table):
    """The errors as a function of a list of features, counted from 0."""
    return lambda S: table[frozenset(q + 1 for q in S)]


def tables():
    """(how it came about, errors of a list of features as a function, d)."""
    yield "the errors are those of the exercise by hand", _from_zero(HAND), 4
    yield "nothing is better than nothing", lambda S: 1.0 + 0.1 * len(S), 3
    yield "only feature 0 counts", lambda S: 0.25 if 0 in S else 0.5, 4
    yield "every feature is needed", lambda S: 1.0 - 1e-6 * len(S), 3
    yield "any feature is as good as any", lambda S: 0.5, 3
    yield "the errors are those of the text", _from_zero(COMPANY), 4
    yield "all three come in, and one leaves", _all_then_two, 3
    yield "a feature leaves and comes back", _from_zero(COMES_BACK), 4
    yield "one can leave, or one more come in", _from_zero(LESS_OR_MORE), 4
    up = "", "0", "01", "012", "0123", "01234"
    yield "three leave, the newest last", _along(*up, "1234", "234", "23"), 5
    yield "three leave, and 0 comes back", _along(*up, "1234", "234", "34", "034"), 5
    for seed in (*BACK_OUT, *range(18)):
        errors = np.random.default_rng(seed).random(32)
        yield (
            "errors were drawn",
            lambda S, e=errors: float(e[sum(2**q for q in set(S))]),
            5,
        )
    yield "two features do as well as all three", _tied, 3


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
