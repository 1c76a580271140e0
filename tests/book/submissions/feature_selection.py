"""Answers to the exercises of the chapter on feature selection: right ones, and slips."""

from fractions import Fraction
from math import comb

import numpy as np
from scipy.stats import fisher_exact, hypergeom

from mlcore.book.exercises import feature_selection as check
from mlcore.book.exercises import feature_selection_data as data
from mlcore.book.exercises import feature_selection_sets as sets


def scipy_p(table):
    return fisher_exact(table)[1]


def ways(table):
    (a, b), (c, d) = table.tolist()
    row, column, n = a + b, a + c, a + b + c + d
    counts = [comb(row, k) * comb(n - row, column - k) for k in range(column + 1)]
    return counts, a, comb(n, column)


def as_fraction(table):
    counts, a, all_ways = ways(table)
    return Fraction(sum(way for way in counts if way <= counts[a]), all_ways)


def doubled(table):
    counts, a, all_ways = ways(table)
    return 2 * sum(counts[a:]) / all_ways


def transposed_counts(table):
    return scipy_p(np.array([table[0], table[1][::-1]]))


def without_allowance(table):
    """Adds what is no likelier, and misses a tie by rounding."""
    counts, a, _ = ways(table)
    n, row, column = table.sum(), table[0].sum(), table[:, 0].sum()
    chance = hypergeom.pmf(np.arange(len(counts)), n, row, column)
    return chance[chance <= chance[a]].sum()


def with_allowance(near):
    """Adds what is no likelier, or as likely up to an allowance."""

    def p(table):
        counts, a, all_ways = ways(table)
        chance = np.array(counts) / all_ways
        return chance[(chance <= chance[a]) | near(chance, chance[a])].sum()

    return p


within_a_thousandth = with_allowance(lambda p, own: p <= own + 1e-3)
within_1e_4 = with_allowance(lambda p, own: p <= own + 1e-4)
three_digits = with_allowance(lambda p, own: p.round(3) <= own.round(3))
is_close = with_allowance(np.isclose)


def by_distance(table):
    """Adds the corners that are no closer to their mean."""
    counts, a, all_ways = ways(table)
    mean = table[0].sum() * table[:, 0].sum() / table.sum()
    far = abs(np.arange(len(counts)) - mean) >= abs(a - mean) - 1e-9
    return sum(way for way, taken in zip(counts, far, strict=True) if taken) / all_ways


def floating(error, d):
    """Right, with a list that keeps the order of entry."""
    S, last = [], error([])
    while len(S) < d:
        rest = [q for q in range(d) if q not in S]
        values = [error([*S, q]) for q in rest]
        if min(values) >= last:
            break
        S, last = [*S, rest[int(np.argmin(values))]], min(values)
        while S:
            values = [error([p for p in S if p != q]) for q in S]
            if min(values) >= last:
                break
            S = [p for p in S if p != S[int(np.argmin(values))]]
            last = min(values)
    return S


def leaves_at_ties(error, d):
    S, last = [], error([])
    while len(S) < d:
        rest = [q for q in range(d) if q not in S]
        values = [error([*S, q]) for q in rest]
        if min(values) >= last:
            break
        S, last = [*S, rest[int(np.argmin(values))]], min(values)
        while len(S) > 1:
            values = [error([p for p in S if p != q]) for q in S]
            if min(values) > last:
                break
            S = [p for p in S if p != S[int(np.argmin(values))]]
            last = min(values)
    return S


def out_at_the_end(error, d):
    return sets.backward_on(error, d, start=sets.forward_on(error, d))


def goes_on_at_ties(error, d):
    S, last = [], error([])
    while len(S) < d:
        rest = [q for q in range(d) if q not in S]
        values = [error([*S, q]) for q in rest]
        if min(values) > last:
            break
        S, last = [*S, rest[int(np.argmin(values))]], min(values)
    return S


def the_first_leaves(error, d):
    """Removes any feature without which the error falls, not the one missed least."""
    S, last = [], error([])
    while len(S) < d:
        rest = [q for q in range(d) if q not in S]
        values = [error([*S, q]) for q in rest]
        if min(values) >= last:
            break
        S, last = sorted([*S, rest[int(np.argmin(values))]]), min(values)
        while lower := [q for q in S if error([p for p in S if p != q]) < last]:
            S = [p for p in S if p != lower[0]]
            last = error(S)
    return S


def the_last_leaves(error, d):
    flipped = the_first_leaves(lambda S: error([d - 1 - q for q in S]), d)
    return [d - 1 - q for q in flipped]


def _best(error, choices):
    return min(choices, key=lambda S: error(sorted(S)), default=None)


def _clean(error, S, last, *, floor=None):
    """Features leave one at a time, while the error is below the last one, or a floor."""
    while S and error(sorted(T := _best(error, [S - {q} for q in S]))) < last:
        S, last = T, error(sorted(T)) if floor is None else floor
    return S


def cleans_up_first(error, d):
    """Lets features leave before each addition, so not after the last one."""
    S = set()
    while len(S) < d:
        S = _clean(error, S, error(sorted(S)))
        T = _best(error, [S | {q} for q in range(d) if q not in S])
        if error(sorted(T)) >= error(sorted(S)):
            break
        S = T
    return sorted(S)


def never_takes_back(error, d):
    S, gone = set(), set()
    while T := _best(error, [S | {q} for q in range(d) if q not in S | gone]):
        if error(sorted(T)) >= error(sorted(S)):
            break
        S = _clean(error, T, error(sorted(T)))
        gone |= T - S
    return sorted(S)


def keeps_the_newest(error, d):
    """Never removes the feature that came in last."""
    S = set()
    while T := _best(error, [S | {q} for q in range(d) if q not in S]):
        if error(sorted(T)) >= error(sorted(S)):
            break
        new, S = T - S, T
        while U := _best(error, [S - {q} for q in S - new]):
            if error(sorted(U)) >= error(sorted(S)):
                break
            S = U
    return sorted(S)


def not_at_once_again(error, d):
    """Does not take back, in the next addition, what has just left."""
    S, gone = set(), set()
    while T := _best(error, [S | {q} for q in range(d) if q not in S | gone]):
        if error(sorted(T)) >= error(sorted(S)):
            break
        S = _clean(error, T, error(sorted(T)))
        gone = T - S
    return sorted(S)


def remembers_the_addition(error, d):
    """Compares with the error after the last addition, also when features have left."""
    S, last = set(), error([])
    while T := _best(error, [S | {q} for q in range(d) if q not in S]):
        if error(sorted(T)) >= last:
            break
        last = error(sorted(T))
        S = _clean(error, T, last, floor=last)
    return sorted(S)


def cleans_up_once(error, d):
    S, cleaned = set(), False
    while T := _best(error, [S | {q} for q in range(d) if q not in S]):
        if error(sorted(T)) >= error(sorted(S)):
            break
        S = T if cleaned else _clean(error, T, error(sorted(T)))
        cleaned = cleaned or S != T
    return sorted(S)


def wants_a_real_fall(error, d):
    return floating(lambda S: round(error(S), 3), d)


def the_best_of_all(error, d):
    return sorted(_best(error, [{q - 1 for q in T} for T in sets.allowed(d)]))


def all_in_then_all_out(error, d):
    S, before = frozenset(), None
    while before != S:
        before = S
        S = sets.backward_on(error, d, start=sets.forward_on(error, d, start=S))
    return sorted(S)


def never_ends(error, d):
    while True:
        error([0])


def mean_error(choose, fit, X, y, splits, **slip):
    return data.honest(choose, fit, X, y, splits, **slip)


def overwrites(choose, fit, X, y, splits):
    X[:] = 0
    return 0.5


TEXT = {"".join(map(str, sorted(S))): value for S, value in sets.COMPANY.items()}
MISSED = {
    "": 50, "1": 40, "2": 40, "3": 30, "4": 40, "12": 0, "13": 25, "14": 25, "23": 25,
    "24": 25, "34": 10, "123": 20, "124": 20, "134": 15, "234": 20, "1234": 18,
}  # fmt: skip
TRUE = [True, False, False, False, True, False]
KEPT = ["sex", "bmi", "bp", "ltg"]

RIGHT = [
    (check.by_hand, ([1, 3], [2, 3, 4], (10, 8))),
    (check.by_hand, ({3, 1}, np.array([4, 3, 2]), [10.0, 8.0])),
    (check.company, (0.25, 0.0386, 0.625)),
    (check.company, (Fraction(1, 4), 0.039, np.float64(0.625))),
    (check.least_of_three, (0.4375, 6)),
    (check.least_of_three, (Fraction(28, 64), np.int64(6))),
    (check.predictions, (TRUE,)),
    (check.predictions, (np.array(TRUE),)),
    (check.my_fisher, (scipy_p,)),
    (check.my_fisher, (as_fraction,)),
    (check.my_stepwise, (floating,)),
    (check.my_stepwise, (lambda error, d: np.array(sorted(floating(error, d)), int),)),
    (check.my_honest_error, (mean_error,)),
    (check.my_honest_error, (lambda *a: np.array(mean_error(*a)),)),
    (check.steady, (KEPT, 31)),
    (check.steady, (np.array(KEPT[::-1]), 31.0)),
    (check.both_miss, (MISSED,)),
    (check.both_miss, ({key: value - 7.5 for key, value in MISSED.items()},)),
    (check.both_miss, ({**dict.fromkeys(MISSED, 2), "": 1, "1234": 1, "12": 0},)),
]

WRONG = [
    (check.by_hand, ([1, 3], [1, 2, 4], (10, 8)), "Backward could stop at {1, 2, 4}"),
    (check.by_hand, ([1, 3], [1, 2, 3, 4], (10, 5)), "Backward does not stop at"),
    (check.by_hand, ([1, 3], [1, 3], (10, 8)), "Backward could stop at {1, 3}, but does"),
    (check.by_hand, ([1], [2, 3, 4], (10, 8)), "Forward does not stop at {1}"),
    (check.by_hand, ([2, 3, 4], [2, 3, 4], (10, 8)), "Forward could stop at {2, 3, 4}"),
    (check.by_hand, ([1, 3], [2, 3, 4], (8, 8)), "forward does not read 8"),
    (check.by_hand, ([1, 3], [2, 3, 4], (10, 7)), "backward does not read 7"),
    (check.by_hand, ([1, 3], [2, 3, 4], (8, 10)), "forward comes first"),
    (check.by_hand, ([0, 2], [2, 3, 4], (10, 8)), "a set of features from 1 to 4"),
    (check.by_hand, ("13", [2, 3, 4], (10, 8)), "a set of features from 1 to 4"),
    (check.by_hand, ([1, 3, 3], [2, 3, 4], (10, 8)), "each at most once"),
    (check.by_hand, ([1, 3], [2, 3, 4], 18), "how many entries each one read"),
    (check.company, (0.5, 0.0386, 0.625), "0.5 is the correlation"),
    (check.company, (0.75, 0.0386, 0.625), "the error that is left"),
    (check.company, (0.64, 0.0386, 0.625), "what the first feature explains alone"),
    (check.company, (0.25, 0.0324, 0.625), "Which denominator"),
    (check.company, (0.25, 0.054, 0.625), "in the denominator squared"),
    (check.company, (0.25, 0.8005, 0.625), "Look at the sign"),
    (check.company, (0.25, 0.214, 0.625), "That is its weight"),
    (check.company, (0.25, 0.679, 0.625), "what both explain together"),
    (check.company, (0.25, 0.0386, 1.6), "No correlation is above 1"),
    (check.company, (0.25, 0.0386, 0.4), "With 0.4 it adds something"),
    (check.company, (0.25, 0.0386, 0.62), "0.62 is not right to 3 decimals"),
    (check.company, ((0.25,), 0.0386, 0.625), "one number"),
    (check.least_of_three, (27 / 64, 6), "what if all make two"),
    (check.least_of_three, (10 / 16, 6), "That is the least of two"),
    (check.least_of_three, (1, 6), "of one of the rules"),
    (check.least_of_three, (7 / 32, 6), "That is a share of the two examples"),
    (check.least_of_three, (0.4375, 5), "the expected share is 0.1191, not below 0.1"),
    (check.least_of_three, (0.4375, 7), "but fewer rules do as well"),
    (check.least_of_three, (0.4375, 5.7), "a whole number of rules"),
    (check.least_of_three, (0.44, 6), "0.44 is not right to 4 decimals"),
    (check.predictions, ([True] * 6,), "Number 2: on noise"),
    (check.predictions, ([False] * 6,), "Number 1: any fit on fewer"),
    (check.predictions, ([True, False, True, False, True, False],), "Number 3: the room"),
    (check.predictions, ([True, False, False, True, True, False],), "Number 4: the weight"),
    (check.predictions, ([True, False, False, False, False, False],), "Number 5: look at"),
    (check.predictions, ([True, False, False, False, True, True],), "Number 6: the small"),
    (check.predictions, ((1, 0, 0, 0, 1, 0),), "is True or False"),
    (check.my_fisher, (data.one_table_p,), "the probability of this table alone"),
    (check.my_fisher, (lambda t: data.exact_p(t, strict=True),), "exactly as likely"),
    (check.my_fisher, (lambda t: data.exact_p(t, side=1),), "one side only"),
    (check.my_fisher, (lambda t: data.exact_p(t, side=-1),), "one side only"),
    (check.my_fisher, (without_allowance,), "allow for rounding"),
    (check.my_fisher, (by_distance,), "a table that is likelier than this one"),
    (
        check.my_fisher,
        (within_a_thousandth,),
        "a table that is likelier than this one is counted",
    ),
    (check.my_fisher, (within_1e_4,), "how much of a difference is rounding"),
    (check.my_fisher, (three_digits,), "how much of a difference is rounding"),
    (check.my_fisher, (is_close,), "how much of a difference is rounding"),
    (check.my_fisher, (doubled,), "twice the probability of one side"),
    (check.my_fisher, (lambda t: 1 - scipy_p(t),), "Keep the sums of rows and columns"),
    (check.my_fisher, (transposed_counts,), "which is not right"),
    (check.my_fisher, (lambda t: fisher_exact(t),), "back one number"),
    (check.my_stepwise, (sets.forward_on,), "before the next one comes in"),
    (check.my_stepwise, (sets.backward_on,), "the rule ends elsewhere"),
    (check.my_stepwise, (goes_on_at_ties,), "would be the same"),
    (check.my_stepwise, (leaves_at_ties,), "is every change a strict fall"),
    (check.my_stepwise, (out_at_the_end,), "only then may the next one come in"),
    (check.my_stepwise, (cleans_up_first,), "after every addition, the last one too"),
    (check.my_stepwise, (never_takes_back,), "With one more the error would be smaller"),
    (check.my_stepwise, (keeps_the_newest,), "Without one of them the error"),
    (check.my_stepwise, (not_at_once_again,), "With one more the error would be smaller"),
    (check.my_stepwise, (cleans_up_once,), "Without one of them the error"),
    (check.my_stepwise, (remembers_the_addition,), "and lower its error"),
    (check.my_stepwise, (wants_a_real_fall,), "With one more the error would be smaller"),
    (check.my_stepwise, (the_best_of_all,), "the set with the least error of all"),
    (check.my_stepwise, (sets.either_on,), "even if that lowers the error more"),
    (check.my_stepwise, (all_in_then_all_out,), "even if that lowers the error more"),
    (check.my_stepwise, (the_first_leaves,), "the one that is missed least"),
    (check.my_stepwise, (the_last_leaves,), "the one that is missed least"),
    (check.my_stepwise, (lambda error, d: ["0"],), "features by their numbers"),
    (
        check.my_stepwise,
        (lambda error, d: list(range(d)),),
        "Without one of them the error",
    ),
    (check.my_stepwise, (lambda error, d: [],), "With one more the error would be smaller"),
    (check.my_stepwise, (lambda error, d: [q + 1 for q in floating(error, d)],), "from 1?"),
    (check.my_stepwise, (lambda error, d: len(floating(error, d)) + 0.5,), "a list of"),
    (check.my_stepwise, (lambda error, d: None,), "returned nothing"),
    (check.my_stepwise, (never_ends,), "was stopped after"),
    (check.my_honest_error, (data.peeking,), "took part in the choice"),
    (check.my_honest_error, (lambda *a: 1 - mean_error(*a),), "the share of right answers"),
    (check.my_honest_error, (lambda *a: 5 * mean_error(*a),), "the mean is wanted"),
    (check.my_honest_error, (lambda *a: mean_error(*a, on="train"),), "training examples"),
    (check.my_honest_error, (lambda *a: mean_error(*a, pooled=True),), "share in each"),
    (check.my_honest_error, (lambda *a: 0.5,), "What do `choose` and `fit` see"),
    (check.my_honest_error, (lambda *a: [0.5, 0.4],), "back one number"),
    (check.my_honest_error, (overwrites,), "changed its argument number 3"),
    (check.steady, (["sex", "bmi", "bp", "ltg", "tc"], 31), "tc was not kept"),
    (check.steady, (["bmi", "bp"], 31), "2 of the wanted features are missing"),
    (check.steady, (["bmi", "bp", "ltg"], 31), "1 of the wanted features is missing"),
    (check.steady, (KEPT, 100), "100 is the number of halves"),
    (check.steady, (KEPT, 25), "Is a set counted once"),
    (check.steady, (KEPT, 24), "Is it `backward`, with rng=1"),
    (check.steady, ([1, 2, 3, 8], 31), "is none of the ten names"),
    (check.steady, ("bmi", 31), "3 of the wanted features are missing"),
    (check.steady, (31, KEPT), "Give a list of names"),
    (check.both_miss, (TEXT,), "Backward ends with {1, 2}, and no error"),
    (check.both_miss, (TEXT,), "Which step could lead it away"),
    (check.both_miss, ({**MISSED, "34": 0},), "Forward ends with {3, 4}, and no error"),
    (check.both_miss, ({**MISSED, "34": 0},), "Two features is the right size"),
    (check.both_miss, ({**MISSED, "1": -1, "3": -1},), "have 1 feature: what does"),
    (check.both_miss, ({key: 1 for key in MISSED},), "what does the theorem say"),
    (check.both_miss, ({key: len(key) for key in MISSED},), "Forward ends with the empty"),
    (check.both_miss, ({key: -len(key) for key in MISSED},), "Forward ends with {1, 2, 3"),
    (check.both_miss, ({key: ... for key in MISSED},), "Replace the three dots"),
    (check.both_miss, ({**MISSED, "13": "small"},), 'a number for "13"'),
    (check.both_miss, ({"": 1, "1": 2},), "Keep the sixteen keys"),
    (check.both_miss, (list(MISSED.values()),), "Give a dictionary"),
    (check.both_miss, ({**MISSED, "12": np.nan},), 'a number for "12"'),
]
