"""The exercises of the chapter on feature selection."""

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from math import comb
from types import SimpleNamespace

import numpy as np

from mlcore.book.exercises import call, checker, first, number, numbers, refuse
from mlcore.book.exercises.kit import Answer, Exercise, Function, Number, Truths, exercise
from mlcore.book.exercises.words import short, tidy
from mlcore.data import diabetes
from mlcore.selection import backward
from mlcore.validation import k_folds, monte_carlo


def subsets(d) -> list:
    """All sets of features from 1 to d."""
    return [frozenset(S) for k in range(d + 1) for S in combinations(range(1, d + 1), k)]


def forward_on(error, d) -> frozenset:
    """Where forward ends, with features from 0; `error` is that of a sorted list."""
    return walk(error, frozenset(), lambda S: [S | {q} for q in range(d) if q not in S])


def backward_on(error, d, start=None) -> frozenset:
    start = range(d) if start is None else start
    return walk(error, frozenset(start), lambda S: [S - {q} for q in sorted(S)])


def walk(error, S, steps) -> frozenset:
    """Go to the best of the sets that one step leads to, as long as the error falls."""
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
    return walk(error, frozenset(), lambda S: [S ^ {q} for q in range(d)])


def end_of(search, table) -> tuple[frozenset, int]:
    """Where a search on a table ends, in the text's numbers, and how much it reads."""
    seen = set()

    def error(S):
        T = frozenset(q + 1 for q in S)
        seen.add(T)
        return table[T]

    return frozenset(q + 1 for q in search(error, 4)), len(seen)


def features(answer, what, least=1, most=4) -> frozenset:
    """The reader's features as a set of whole numbers, else NotYet."""
    if isinstance(answer, (int, np.integer)) and not isinstance(answer, bool):
        answer = [answer]
    known = isinstance(answer, (list, tuple, set, frozenset, np.ndarray))
    refuse((not known, f"{what}; this is {short(answer)}."))
    listed = list(answer)
    got = numbers(listed, (len(listed),), "features by their numbers").tolist()
    refuse(
        (any(q % 1 for q in got), f"{what}, whole numbers; this is {short(listed)}."),
        (len(set(got)) < len(got), f"{what}, each at most once; this is {short(listed)}."),
        (any(not least <= q <= most for q in got), f"{what}; this is {short(listed)}."),
    )
    return frozenset(map(int, got))


def shown(S) -> str:
    """A set as a reply says it."""
    return f"{{{', '.join(map(str, sorted(S)))}}}" if S else "the empty set"


def by_size(*errors) -> dict:
    """Errors of all sets of features from 1 to 4: none, 1, 2, 3, 4, 12, 13, and so on."""
    return dict(zip(subsets(4), errors, strict=True))


HAND = by_size(80, 55, 60, 70, 78, 50, 30, 54, 45, 52, 66, 35, 48, 33, 32, 34)


@exercise
def by_hand():
    ends = {"Forward": end_of(forward_on, HAND), "Backward": end_of(backward_on, HAND)}
    read = tuple(count for _, count in ends.values())

    def set_of(name):
        def judge(answer):
            S = features(answer, f"{name} ends with a set of features from 1 to 4")
            near = [S ^ {q} for q in range(1, 5) if (q in S) == (name == "Backward")]
            lower = next((T for T in near if HAND[T] < HAND[S]), S)
            refuse(
                (lower != S, f"{name} does not stop at {shown(S)}, whose error is "
                 f"{HAND[S]}: one step from there leads to {shown(lower)}, with "
                 f"{HAND[lower]}."),
                (ends[name][0] != S, f"{name} could stop at {shown(S)}, but does not get "
                 "there. Take the smallest of the errors that one step can reach, and "
                 "then look only at the steps from there."),
            )  # fmt: skip

        return Answer(sorted(ends[name][0]), judge)

    def miscount(got):
        name, count = next(
            (n, c) for n, c, r in zip(ends, got, read, strict=True) if c != r
        )
        return (
            f"Both sets are right; {name.lower()} does not read {tidy(count)}. Count the "
            "set where it starts, and every candidate, the last ones too."
        )

    swapped = {read[::-1]: "Both sets are right. Of the pair, forward comes first."}
    return Exercise(
        "Here forward finds the best of the sixteen sets, and backward throws away 1.",
        forward_set=set_of("Forward"),
        backward_set=set_of("Backward"),
        entries_read=Number(read, swapped, miscount),
    )


@exercise
def company(r1=0.8, r2=0.5, rho=0.4):
    gain = (r2 - rho * r1) ** 2 / (1 - rho**2)
    added = "The second feature does not add {}. "
    return Exercise(
        "Alone a quarter, in company less than a twenty-fifth, and at 0.625 nothing.",
        alone=Number(r2**2, {
            r2: "0.5 is the correlation. Which share of the mean square goes away?",
            r1**2: "That is what the first feature explains alone.",
            1 - r2**2: "0.75 is the error that is left. How much has gone?",
        }, "Alone: {} is not right to 3 decimals. One feature alone leaves 1 - r^2; how "
            "much has gone?"),
        added=Number(gain, {
            (r2 - rho * r1) ** 2: "Which denominator does the formula have?",
            (r2 - rho * r1) ** 2 / (1 - rho): "Is the correlation in the denominator "
             "squared?",
            (r2 + rho * r1) ** 2 / (1 - rho**2): "Look at the sign before the product.",
            (r2 - rho * r1) / (1 - rho**2): "That is its weight; the gain has a square.",
            r1**2 + gain: "That is what both explain together.",
            (r1 - rho * r2) ** 2 / (1 - rho**2): "That is what the first adds to the "
             "second.",
        }, "Use the card.", added),
        redundant_rho=Number(r2 / r1, {
            r1 / r2: "No correlation is above 1. Which of the two must be the product?",
            r1 * r2: "With 0.4 it adds something, as you have just computed.",
        }, "The correlation: {} is not right to 3 decimals. When is the square in the "
            "card zero?"),
    )  # fmt: skip


@exercise
def least_of_three():
    def other(m):
        share = (0.75**m + 0.25**m) / 2
        which = "not below 0.1" if share >= 0.1 else "below 0.1, but fewer rules do as well"
        return first(
            (m != round(m) or m < 1, "Give a whole number of rules, not {}."),
            (True, f"With {{}} rules the expected share is {share:.4f}, {which}."),
        )

    return Exercise(
        "Six coins, and the best of them promises less than a tenth of mistakes.",
        expected=Number(28 / 64, {
            1.0: "That is the expected number of mistakes of one of the rules.",
            10 / 16: "That is the least of two rules.",
            14 / 64: "That is a share of the two examples; how many mistakes is it?",
            27 / 64: "At least one mistake is not the only term: what if all make two?",
            1 / 3: "The number of rules does not divide the mistakes.",
        }, "Add the chance that all three make at least one, and that all make two.",
        "The least of three does not have {} mistakes. ", digits=4),
        rules=Number(6, {}, other),
    )  # fmt: skip


@exercise
def my_fisher():
    # In the fourth another table is likelier by an eighth of a percent; the last one has
    # a p so small that no fixed allowance for rounding will do.
    tables = (
        [[3, 1], [1, 3]], [[4, 0], [0, 4]], [[10, 3], [2, 15]], [[0, 9], [11, 14]],
        [[3, 6], [4, 5]], [[0, 6], [4, 2]], [[1, 9], [11, 3]], [[4, 7], [0, 4]],
        [[29, 4], [4, 29]],
    )  # fmt: skip

    def chances(table):
        """The corners that the sums allow, the probability of each, and of this table."""
        (a, b), (c, d) = np.asarray(table).tolist()
        row, column, n = a + b, a + c, a + b + c + d
        corners = np.arange(max(0, row + column - n), min(row, column) + 1)
        ways = [comb(row, k) * comb(n - row, column - k) for k in corners.tolist()]
        chance = np.array(ways) / comb(n, column)
        return corners, chance, float(chance[corners == a][0])

    def exact(table, factor=1 + 1e-9):
        _, chance, own = chances(table)
        return float(chance[chance <= own * factor].sum())

    def without_ties(table):
        return exact(table, 1 - 1e-9) + chances(table)[2]

    def one_side(table, side, times=1):
        corners, chance, _ = chances(table)
        return times * float(chance[side * corners >= side * table[0][0]].sum())

    def fault(p, table):
        _, chance, own = chances(table)
        likelier = (chance > own * (1 + 1e-9)) & (chance < own + 2e-3)
        sums = np.cumsum(np.sort(chance))[likelier[np.argsort(chance)]]
        it = f"it returned {p:.6g}"
        return first(
            (p > 1 + 1e-9 or p < 0, f"{it}, which is no probability."),
            (np.isclose(sums, p, rtol=1e-6, atol=0).any(), f"{it}: a table that is "
             "likelier than this one is counted as well. Which ones count, and how much "
             "of a difference is rounding?"),
            (True, f"{it}, which is not right. Keep the sums of rows and columns, let the "
             "corner run through all that they allow, and add what is no likelier."),
        )  # fmt: skip

    side = ", which is one side only. Which tables count?"
    twice = (
        ", twice the probability of one side. The two sides need not be alike: which "
        "tables are no likelier?"
    )
    praise = "Nine tables; in seven of them another table is exactly as likely."
    return Exercise(praise, function=Function(
        exact, lambda: ((np.array(table),) for table in tables), {
            lambda table: chances(table)[2]: ", the probability of this table alone. "
                "Which are added?",
            without_ties: ": a table that is exactly as likely as this one is missing. "
                "Compare by <=, and allow for rounding.",
            partial(one_side, side=1): side, partial(one_side, side=1, times=2): twice,
            partial(one_side, side=-1): side, partial(one_side, side=-1, times=2): twice,
        },
        "Return one number.", lambda table: f"For the table {short(table.tolist())}",
        wrong="{tried} it returned {got}{said}", fault=fault, rtol=1e-6,
    ))  # fmt: skip


class Named:
    """A function that a verdict can quote."""

    def __init__(self, name, function):
        self.name, self.function = name, function

    def __call__(self, *args):
        return self.function(*args)

    def __repr__(self):
        return self.name


@checker
def my_stepwise(function):
    for story, error, d in error_tables():
        tried = call(function, Named("error", error), d)
        S = features(tried, "Return a list of features", least=0, most=np.inf)
        at = f"Where {story} ({d} features), it returned {short(sorted(S))}"
        refuse(
            (max(S, default=0) >= d, f"{at}. The features are numbered from 0 to {d - 1}.")
        )
        right, own = stepwise_on(error, d), error(sorted(S))
        if right == S:
            continue
        either = either_on(error, d)
        less = [error(sorted(S - {q})) for q in S]
        more = [error(sorted(S | {q})) for q in set(range(d)) - S]
        all_sets = ({q - 1 for q in T} for T in subsets(d))
        least = all(own < error(sorted(T)) for T in all_sets if T != S)
        refuse(
            (forward_on(error, d) == S, f"{at}, where forward ends. Does a feature ever "
             "leave again? Look for one after every addition, the last one too, and "
             "before the next one comes in."),
            (either == S, f"{at}. As long as the error falls without one feature, one "
             "leaves; only then may the next one come in, even if that lowers the error "
             "more."),
            ({q - 1 for q in S} == right, f"{at}. Do you count from 1? The features are 0 "
             f"to {d - 1}."),
            (least, f"{at}, the set with the least error of all, and this search does not "
             "get there. Does each of your steps start from the set before it, and lower "
             "its error?"),
            (any(e < own for e in less), f"{at}. Without one of them the error would be "
             "smaller."),
            (own in less, f"{at}. Without one of them the error would be the same: does "
             "the error fall strictly whenever one comes in?"),
            (any(e < own for e in more), f"{at}. With one more the error would be "
             "smaller."),
            (own == error(sorted(right)), f"{at}. A set on the way has this error "
             "already, and no step from there lowers it: is every change a strict fall?"),
            (True, f"{at}. One step from there lowers nothing, but the rule ends "
             "elsewhere: add the best one, then remove the one that is missed least as "
             "long as the error falls, and so on."),
        )  # fmt: skip
    return "40 tables of errors; in sixteen of them features leave that came in early."


def error_tables():
    """(how it came about, errors of a list of features as a function, d)."""

    def listed(*errors):
        """The errors of the sets of three or five features, by their binary numbers."""
        return lambda S: float(errors[sum(2**q for q in set(S))])

    def along(*path):
        """Errors that fall along a path of sets, each a string; those of others are 100."""
        errors = {frozenset(map(int, S)): 90.0 - 10 * k for k, S in enumerate(path)}
        return lambda S: errors.get(frozenset(S), 100.0)

    def from_zero(table):
        """The errors as a function of a list of features, counted from 0."""
        return lambda S: table[frozenset(q + 1 for q in S)]

    company = by_size(100, 98, 97, 40, 101, 20, 37, 99, 38, 96, 41, 22, 23, 39, 42, 25)
    # From {2, 3}, where 1 has left, over {3, 4} to {1, 3, 4}.
    comes_back = by_size(100, 90, 95, 96, 97, 80, 85, 86, 60, 45, 40, 70, 75, 30, 50, 55)
    # From {1, 2, 3} to {2, 3}, although all four have a smaller error; {2, 4} is best.
    less_or_more = by_size(100, 80, 90, 91, 92, 70, 75, 76, 55, 30, 77, 60, 65, 40, 58, 50)
    # Without feature 0 the error of all three falls, and no other step follows.
    all_then_two = listed(10.0, 5.0, 6.0, 4.0, 6.5, 4.5, 2.5, 3.0)
    # Features 1 and 2 do as well as all three, but no way down leads there.
    tied = listed(10.0, 5.0, 6.0, 4.0, 6.5, 4.5, 3.0, 3.0)
    # A feature leaves again; in the last two it matters which of several leaves first.
    back_out = (52, 58, 124, 267, 340, 360, 415, 473, 2466, 5170)
    yield "the errors are those of the exercise by hand", from_zero(HAND), 4
    yield "nothing is better than nothing", lambda S: 1.0 + 0.1 * len(S), 3
    yield "only feature 0 counts", lambda S: 0.25 if 0 in S else 0.5, 4
    yield "every feature is needed", lambda S: 1.0 - 1e-6 * len(S), 3
    yield "any feature is as good as any", lambda S: 0.5, 3
    yield "the errors are those of the text", from_zero(company), 4
    yield "all three come in, and one leaves", all_then_two, 3
    yield "a feature leaves and comes back", from_zero(comes_back), 4
    yield "one can leave, or one more come in", from_zero(less_or_more), 4
    up = "", "0", "01", "012", "0123", "01234"
    yield "three leave, the newest last", along(*up, "1234", "234", "23"), 5
    yield "three leave, and 0 comes back", along(*up, "1234", "234", "34", "034"), 5
    for seed in (*back_out, *range(18)):
        yield "errors were drawn", listed(*np.random.default_rng(seed).random(32)), 5
    yield "two features do as well as all three", tied, 3


@exercise
def my_honest_error():
    def choose(X, y):
        return np.argsort(-np.abs(X.T @ y), kind="stable")[:4].tolist()

    def fit(X, y):
        return SimpleNamespace(predict=lambda Q: np.where(Q @ (X.T @ y) >= 0, 1.0, -1.0))

    def cases():
        rng = np.random.default_rng(4)
        for _ in range(3):
            y = np.tile([1.0, -1.0], 16)
            X = rng.normal(size=(32, 80))
            splits = k_folds(y, folds=5, stratified=False, rng=rng)
            yield Named("choose", choose), Named("fit", fit), X, y, splits

    def honest(choose, fit, X, y, splits, on="test", pooled=False):
        errors = []
        for train, test in splits:
            S = choose(X[train], y[train])
            seen = train if on == "train" else test
            errors.append(fit(X[train][:, S], y[train]).predict(X[seen][:, S]) != y[seen])
        return float(np.mean(np.concatenate(errors) if pooled else [*map(np.mean, errors)]))

    def peeking(choose, fit, X, y, splits):
        S = choose(X, y)
        return honest(lambda *part: S, fit, X, y, splits)

    def fault(got, *case):
        return (
            f"it gave {got:.4f}. What do `choose` and `fit` see in each split, and then "
            "what?"
        )

    return Exercise("Three times pure noise, and no peeking.", function=Function(
        honest, cases, {
            peeking: "The test examples took part in the choice: which may it see?",
            lambda *case: 1 - honest(*case): "That is the share of right answers.",
            lambda *case: 5 * honest(*case): "That is the sum over the splits; the mean "
                "is wanted.",
            partial(honest, on="train"): "That is the error on the training examples.",
            partial(honest, pooled=True): "All test examples count alike there; take the "
                "mean over the splits of the share in each (the parts are not equally "
                "large).",
        },
        "Give back one number.",
        lambda choose, fit, X, y, splits: f"On {len(y)} examples of noise with 80 features",
        wrong="{tried} it gave {value:.4f}. {said}", fault=fault,
    ))  # fmt: skip


@exercise
def predictions():
    return Exercise(
        "Two of the six are true, and each of the others has a small counterexample.",
        answers=Truths(
            (True, "any fit on fewer features is also a fit on more, with the new weight "
             "0. So what can happen to the least sum of squares?"),
            (False, "on noise, E of no feature is often the smallest of all: each weight "
             "brings its own error. Which of the two errors never rises?"),
            (False, "the room has correlation 0 with the target, and the fit on both "
             "features of the four patients is exact."),
            (False, "the weight becomes a hundred times as large, and every prediction of "
             "least squares stays. What does E depend on?"),
            (True, "look at the first step of backward: through which set must it go, if "
             "the best set has at least d - 1 features?"),
            (False, "the smallest of 1024 estimates was chosen for being small. What does "
             "the theorem on the least of many say?"),
            begin="Number {}: ",
        ),
    )  # fmt: skip


@exercise
def steady():
    """Backward on 100 halves of the diabetes data."""
    data, kept = diabetes(), []
    names = ("age", "sex", "bmi", "bp", "tc", "ldl", "hdl", "tch", "ltg", "glu")
    X, y = data.X, data.y
    for train, _ in monte_carlo(y, repeats=100, test_share=0.5, rng=1, stratified=False):
        folds = k_folds(y[train], folds=5, stratified=False)
        kept.append(backward(X[train], y[train], splits=folds).features)
    right = {name for q, name in enumerate(names) if sum(q in S for S in kept) >= 90}

    def judge(often):
        often = [often] if isinstance(often, str) else often
        listed = isinstance(often, (list, tuple, set, frozenset, np.ndarray))
        refuse((not listed, f"Give a list of names such as 'age'; this is {short(often)}."))
        given = [str(name) for name in often]
        strange = [name for name in given if name not in names]
        extra = [name for name in names if name in given and name not in right]
        missing = len(right - set(given))
        refuse(
            (strange, f"{short(strange[:1])[1:-1]} is none of the ten names: "
             f"{', '.join(names)}."),
            (extra, f"{''.join(extra[:1])} was not kept in 90 of the 100 halves."),
            (missing, f"{missing} of the wanted features "
             f"{'is' if missing == 1 else 'are'} missing. Is it `backward`, with five "
             "folds of each training half?"),
        )  # fmt: skip

    different = len(set(kept))
    return Exercise(
        f"{', '.join(sorted(right))}, and {different} different sets in 100 halves.",
        often=Answer(sorted(right), judge),
        different_sets=Number(different,
            {100: "100 is the number of halves. How many sets differ, in any order?"},
            "Your count is {}. The names are right. Is it `backward`, with rng=1? Is a "
            "set counted once?"),
    )  # fmt: skip


@checker
def both_miss(errors):
    refuse((not isinstance(errors, Mapping), "Give a dictionary, as in the stub; this is "
        f"{short(errors)}."))  # fmt: skip
    keys = {"".join(map(str, sorted(S))): S for S in subsets(4)}
    unfilled = any(value is ... for value in errors.values())
    refuse(
        (unfilled, "Replace the three dots with your answer."),
        ({str(key) for key in errors} != set(keys), 'Keep the sixteen keys of the stub, '
         'from "" to "1234".'),
    )  # fmt: skip
    table = {
        keys[str(key)]: number(value, f'a number for "{key}"')
        for key, value in errors.items()
    }
    least = min(table.values())
    sizes = sorted({len(S) for S, value in table.items() if value == least})
    asked = " or ".join(map(str, sizes)) + (" feature" if sizes == [1] else " features")
    asked = (
        f"The sets with the smallest error have {asked}: what does the theorem say about "
        "that?"
    )
    if sizes == [2]:
        asked = "Two features is the right size. Which step could lead it away?"
    for name, search in (("Forward", forward_on), ("Backward", backward_on)):
        S, _ = end_of(search, table)
        refuse((table[S] == least, f"{name} ends with {shown(S)}, and no error of your "
            f"table is smaller. {asked}"))  # fmt: skip
    return "Both end above the smallest error; with three features they could not."
