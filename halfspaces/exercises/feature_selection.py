"""The exercises of the chapter on feature selection."""

from itertools import combinations
from math import comb
from types import SimpleNamespace

import numpy as np

from halfspaces.exercises import NotYet, Said, call, kit, number, numbers, refuse
from halfspaces.exercises.kit import Exercise, Function, Number, exercise
from halfspaces.exercises.words import SMALL, Named, written
from halfspaces.formatting import format_value
from mlcore.data import diabetes
from mlcore.selection import backward
from mlcore.validation import k_folds, monte_carlo


def by_size(*errors) -> dict:
    """The errors of all sets of features: of none, 1, 2, ..., 12, 13, and so on."""
    d = len(errors).bit_length() - 1
    sets = (S for k in range(d + 1) for S in combinations(range(1, d + 1), k))
    return dict(zip(map(frozenset, sets), errors, strict=True))


def walk(error, d, moves, S=frozenset(), most=99) -> frozenset:
    """Where a search on features from 0 ends, which takes the best step while it helps.

    moves  what may move: False, the features that are out; True, those that are in
    """
    last = error(sorted(S))
    for _ in range(most):
        steps = [S ^ {q} for q in range(d) if (q in S) in moves]
        values = [error(sorted(T)) for T in steps]
        if min(values, default=last) >= last:
            break
        S, last = steps[int(np.argmin(values))], min(values)
    return S


def stepwise_on(error, d) -> frozenset:
    """One feature in; then out, one at a time, while the error falls; and again."""
    S, before = frozenset(), None
    while before != S:
        before, S = S, walk(error, d, [True], walk(error, d, [False], S, most=1))
    return S


def error_of(table, read) -> Named:
    """The error of a list of features from 0; `read` gets each set that is asked for."""
    d = len(max(table, key=len))

    def error(S):
        for q in {*S} - {*range(d)}:
            raise ValueError(f"there is no feature {q}: they are 0 to {d - 1}")
        read.add(T := frozenset(q + 1 for q in S))
        return table[T]

    return Named("error", error)


def ends(table) -> dict:
    """{search: (where it ends on a table, how much it reads)}, in the text's numbers."""
    found = {}
    for name, out, start in (("Forward", False, ()), ("Backward", True, range(4))):
        S = walk(error_of(table, read := set()), 4, [out], frozenset(start))
        found[name] = frozenset(q + 1 for q in S), len(read)
    return found


def features(answer, what, most, least=1) -> frozenset:
    """The reader's features as a set of whole numbers, else NotYet."""
    what = f"{what} of features from {least} to {most}, each at most once"
    try:
        got = np.atleast_1d([*answer] if isinstance(answer, (set, frozenset)) else answer)
    except ValueError:  # lists in it
        raise NotYet(f"Give {what}; this is {format_value(answer)}.") from None
    refuse((got.ndim > 1, f"Give {what}, in one row; this is {format_value(answer)}."))
    given = numbers(got, (got.size,), what).tolist()
    allowed = set(range(least, most + 1)) >= set(given) and len(set(given)) == len(given)
    refuse((not allowed, f"Give {what}; this is {format_value(answer)}."))
    return frozenset(map(int, given))


def shown(S) -> str:
    """A set as a reply says it."""
    return f"{{{', '.join(map(str, sorted(S)))}}}" if S else "the empty set"


HAND = 80, 55, 60, 70, 78, 50, 30, 54, 45, 52, 66, 35, 48, 33, 32, 34
KEYS = {"".join(map(str, sorted(S))): S for S in by_size(*HAND)}


@exercise(E=[range(30, 90)] * 16)
def by_hand(E=HAND):
    table = by_size(*E)
    end = ends(table)
    read = tuple(count for _, count in end.values())
    if len({*table.values()}) < 16 or not 6 <= min(read) < max(read) <= 12:
        return None

    def set_of(name):
        right, _ = end[name]

        def judge(answer):
            S = features(answer, f"the end of {name.lower()}: a set", 4)
            near = [S ^ {q} for q in range(1, 5) if (q in S) == (name == "Backward")]
            lower = min(near, key=table.get, default=S)
            error, less, here, there = table[S], table[lower], shown(S), shown(lower)
            refuse((less < error, "goes_on"), (right != S, "elsewhere"), **locals())

        return kit.Answer(sorted(right), judge)

    def miscounted(got):
        return Said("hint", search="forward" if got[0] != read[0] else "backward")

    return Exercise(
        Said("praise", best=shown(min(table, key=table.get))),
        forward_set=set_of("Forward"),
        backward_set=set_of("Backward"),
        entries_read=Number(read, {read[::-1]: "exchanged"}, miscounted),
    )


TENTHS = tuple(q / 10 for q in range(2, 10))


@exercise(r1=TENTHS, r2=TENTHS, rho=TENTHS)
def company(r1=0.8, r2=0.5, rho=0.4):
    gain = (r2 - rho * r1) ** 2 / (1 - rho**2)
    if r1 <= r2 or r1**2 + gain > 0.9 or gain < 0.01:
        return None
    return Exercise(
        Said("praise", alone=r2**2, gain=gain, at=r2 / r1),
        alone=Number(r2**2, {r2: "correlation", r1**2: "other", 1 - r2**2: "left"}),
        added=Number(gain, {
            (r2 - rho * r1) ** 2: "denominator",
            (r2 + rho * r1) ** 2 / (1 - rho**2): "sign",
            (r2 - rho * r1) / (1 - rho**2): "weight", r1**2 + gain: "both",
            (r1 - rho * r2) ** 2 / (1 - rho**2): "exchanged",
        }),
        redundant_rho=Number(r2 / r1, {r1 / r2: "inverse", r1 * r2: "product"}),
    )  # fmt: skip


@exercise(rules=(4, 5, 6), limit=(0.05, 0.08, 0.12, 0.15, 0.2, 0.25))
def least_of_three(rules=3, limit=0.1):
    def expected(m):
        """The mean number of mistakes of the best of m rules on two examples."""
        return 0.75**m + 0.25**m

    enough = next(m for m in range(1, 99) if expected(m) / 2 < limit)

    def other(m):
        return Said("more" if m > enough else "fewer", share=expected(m) / 2)

    right = expected(rules)
    return Exercise(
        Said("praise", coins=SMALL[enough].capitalize(), all=SMALL[rules], less=rules - 1),
        expected=Number(right, {
            1.0: "one_rule", expected(rules - 1): "one_less", right / 2: "share",
            0.75**rules: "once", 1 / rules: "divided",
        }, digits=4),
        rules=Number(enough, hint=other),
    )  # fmt: skip


@exercise
def my_fisher():
    # In the fourth another table is likelier by an eighth of a percent; the last one has
    # a p of 1e-18, where no fixed allowance for rounding will do.
    tables = np.array((
        [[3, 1], [1, 3]], [[4, 0], [0, 4]], [[10, 3], [2, 15]], [[0, 9], [11, 14]],
        [[3, 6], [4, 5]], [[0, 6], [4, 2]], [[1, 9], [11, 3]], [[4, 7], [0, 4]],
        [[40, 2], [2, 40]],
    ))  # fmt: skip

    def exact(table, slip=""):
        (a, b), (c, d) = table.tolist()
        row, column, n = a + b, a + c, a + b + c + d
        corners = np.arange(max(0, row + column - n), min(row, column) + 1)
        ways = [comb(row, k) * comb(n - row, column - k) for k in corners.tolist()]
        chance = np.array(ways) / comb(n, column)
        own = chance[corners == a][0]
        counted = {
            "alone": corners == a,
            "ties": (chance < own * (1 - 1e-9)) | (corners == a),
            "above": corners >= a,
            "below": corners <= a,
        }.get(slip.removeprefix("twice "), chance <= own * (1 + 1e-9))
        return float(chance[counted].sum() * (2 if "twice" in slip else 1))

    tied = sum(exact(table, "ties") < 0.99 * exact(table) for table in tables)
    praise = f"Nine tables; in {SMALL[tied]} of them another table is exactly as likely."
    return Function(exact, [(table,) for table in tables], praise=praise, rtol=1e-6)


@exercise
def my_stepwise():
    tables = written("feature_selection")["my_stepwise"]["tables"]

    def judge(function):
        rng = np.random.default_rng(0)
        drawn = [("errors were drawn", rng.permutation(100)[:32] / 100) for _ in range(4)]
        for story, errors in (*tables, *drawn):
            table = by_size(*errors)
            d = len(max(table, key=len))
            error = error_of(table, set())
            S = features(call(function, error, d), "a list", d - 1, least=0)
            right, own = stepwise_on(error, d), error(sorted(S))
            at, last, got = f"Where {story} ({d} features)", d - 1, sorted(S)
            less = min([error(sorted(S - {q})) for q in S], default=np.inf)
            refuse(
                (right == S, ""),
                (walk(error, d, [False]) == S, "forward"),
                (walk(error, d, [False, True]) == S, "either"),
                ({q - 1 for q in S} == right, "from_1"),
                (right > S and own == error(sorted(right)), "left_in_vain"),
                (less < own, "smaller_without"),
                (less == own, "same_without"),
                (True, "elsewhere"),
                **locals(),
            )

    return Exercise(function=kit.Answer(stepwise_on, judge))


@exercise
def my_honest_error():
    def choose(X, y):
        return np.argsort(-np.abs(X.T @ y), kind="stable")[:4].tolist()

    def fit(X, y):
        return SimpleNamespace(predict=lambda Q: np.where(Q @ (X.T @ y) >= 0, 1.0, -1.0))

    def cases():
        rng, y = np.random.default_rng(4), np.tile([1.0, -1.0], 16)
        for _ in range(3):
            X = rng.normal(size=(32, 80))
            splits = k_folds(y, folds=5, stratified=False, rng=rng)
            yield Named("choose", choose), Named("fit", fit), X, y, splits

    def honest(choose, fit, X, y, splits, slip=""):
        errors = []
        for train, test in splits:
            S = choose(X, y) if slip == "peeking" else choose(X[train], y[train])
            rows = train if slip == "training" else test
            errors.append(fit(X[train][:, S], y[train]).predict(X[rows][:, S]) != y[rows])
        means = np.concatenate(errors) if slip == "pooled" else [*map(np.mean, errors)]
        return float(1 - np.mean(means) if slip == "right ones" else np.mean(means))

    return Function(honest, cases)


predictions = kit.truths("feature_selection", "predictions")


@exercise(rng=range(2, 20), least=(80, 85, 90, 95))
def steady(rng=1, least=90):
    data, kept = diabetes(), []
    names = ("age", "sex", "bmi", "bp", "tc", "ldl", "hdl", "tch", "ltg", "glu")
    X, y = data.X, data.y
    for train, _ in monte_carlo(
        y, repeats=100, test_fraction=0.5, rng=rng, stratified=False
    ):
        folds = k_folds(y[train], folds=5, stratified=False)
        kept.append(backward(X[train], y[train], splits=folds).features)
    right = {name for q, name in enumerate(names) if sum(q in S for S in kept) >= least}

    def judge(often):
        listed = isinstance(often, (list, tuple, set, frozenset, np.ndarray))
        given = set(map(str, often if listed else [often]))
        extra, missing = ", ".join(sorted(given - right)), len(right - given)
        known = ", ".join(names)
        refuse(
            (not given <= set(names), "no_names"),
            (extra, "extra"),
            (missing, "missing"),
            **locals(),
        )

    different = len(set(kept))
    return Exercise(
        Said("praise", kept=", ".join(sorted(right)), different=different),
        often=kit.Answer(sorted(right), judge),
        different_sets=Number(different, {len(kept): "halves"}),
    )


@exercise
def both_miss():
    def judge(errors):
        named = isinstance(errors, dict) and {str(key) for key in errors} == set(KEYS)
        refuse((not named, "no_table"), **locals())
        unfilled = any(value is ... for value in errors.values())
        refuse((unfilled, "unfilled"))
        table = {KEYS[str(k)]: number(v, f'a number for "{k}"') for k, v in errors.items()}
        least = min(table.values())
        own = [S for S, value in table.items() if value == least]
        sizes = sorted({len(S) for S in own})
        for search, (S, _) in ends(table).items():
            refuse(
                (table[S] == least and sizes == [2], "least_two"),
                (table[S] == least, "least"),
                search=search,
                set=shown(S),
                features=" or ".join(map(str, sizes)) + " feature" + "s" * (sizes != [1]),
            )

    errors = 50, 40, 40, 30, 40, 0, 25, 25, 25, 25, 10, 20, 20, 15, 20, 18
    right = dict(zip(KEYS, errors, strict=True))
    return kit.Open(judge, right)
