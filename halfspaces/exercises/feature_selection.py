"""The exercises of the chapter on feature selection."""

from itertools import combinations
from math import comb
from types import SimpleNamespace

import numpy as np

from halfspaces.exercises import WrongAnswer, call, define, fail_if
from halfspaces.exercises import case_tools as tools
from halfspaces.exercises.answers import read_number, read_numbers
from halfspaces.exercises.cases import Case, case
from halfspaces.exercises.define import Exercise, FreeForm, Function, Number, exercise
from halfspaces.exercises.texts import NUMBER_WORDS, NamedFunction, load_texts
from halfspaces.formatting import format_value
from mlcore.data import diabetes
from mlcore.features import standardize
from mlcore.selection import backward
from mlcore.validation import k_folds, monte_carlo


def errors_by_set(*errors) -> dict:
    """Return {set: error} for the sets {}, {1}, {2}, ..., {1, 2}, ... of features."""
    d = len(errors).bit_length() - 1
    sets = (S for k in range(d + 1) for S in combinations(range(1, d + 1), k))
    return dict(zip(map(frozenset, sets), errors, strict=True))


def greedy_search(error, d, inside, S=frozenset(), max_steps=99) -> frozenset:
    """Return the set where a greedy search ends; features are counted from 0.

    inside  [False] to add features, [True] to remove some, [False, True] for both
    """
    last = error(sorted(S))
    for _ in range(max_steps):
        steps = [S ^ {q} for q in range(d) if (q in S) in inside]
        values = [error(sorted(T)) for T in steps]
        if min(values, default=last) >= last:
            break
        S, last = steps[int(np.argmin(values))], min(values)
    return S


def stepwise_search(error, d) -> frozenset:
    """Add a feature, then remove features one by one while the error falls, and repeat."""
    S, last = frozenset(), None
    while last != S:
        longer = greedy_search(error, d, [False], S, max_steps=1)
        last, S = S, greedy_search(error, d, [True], longer)
    return S


def error_function(table, read) -> NamedFunction:
    """Return error(S), with features counted from 0; each call adds its set to `read`."""
    d = len(max(table, key=len))

    def error(S):
        for q in {*S} - {*range(d)}:
            raise ValueError(f"there is no feature {q}: they are 0 to {d - 1}")
        T = frozenset(q + 1 for q in S)
        read.add(T)
        return table[T]

    return NamedFunction("error", error)


def search_ends(table) -> dict:
    """Return {search: (the set where it ends, the number of errors that it reads)}."""
    found = {}
    for name, inside, start in (("Forward", False, ()), ("Backward", True, range(4))):
        read = set()
        S = greedy_search(error_function(table, read), 4, [inside], frozenset(start))
        found[name] = frozenset(q + 1 for q in S), len(read)
    return found


def read_features(answer, kind, last, first=1) -> frozenset:
    """Return the reader's features as a set of integers; else raise WrongAnswer."""
    wanted, got = f"{kind} of features from {first} to {last}, each at most once", answer
    this = f"this is {format_value(answer)}."
    try:
        got = np.atleast_1d([*answer] if isinstance(answer, (set, frozenset)) else answer)
    except ValueError:  # rows of unequal length
        raise WrongAnswer(f"Give {wanted}; {this}") from None
    fail_if(got.ndim > 1, f"Give {wanted}, in one row; {this}")
    numbers = read_numbers(got, (got.size,), wanted).tolist()
    in_range = set(range(first, last + 1)) >= set(numbers)
    fail_if(not in_range or len(set(numbers)) < len(numbers), f"Give {wanted}; {this}")
    return frozenset(map(int, numbers))


def format_set(S) -> str:
    return f"{{{', '.join(map(str, sorted(S)))}}}" if S else "the empty set"


HAND_ERRORS = 80, 55, 60, 70, 78, 50, 30, 54, 45, 52, 66, 35, 48, 33, 32, 34
SETS = {"".join(map(str, sorted(S))): S for S in errors_by_set(*HAND_ERRORS)}


@exercise(E=[range(30, 90)] * 16)
def by_hand(E=HAND_ERRORS):
    table = errors_by_set(*E)
    ends = search_ends(table)
    counts = tuple(count for _, count in ends.values())
    if len({*table.values()}) < 16 or not 6 <= min(counts) < max(counts) <= 12:
        return None

    def ask_set(name):
        solution, _ = ends[name]

        def check_set(answer):
            S = read_features(answer, f"the end of {name.lower()}: a set", 4)
            inside = name == "Backward"
            neighbors = [S ^ {q} for q in range(1, 5) if (q in S) == inside]
            best = min(neighbors, key=table.get, default=S)
            here = {"here": format_set(S), "error": table[S]}
            there = {"there": format_set(best), "less": table[best]}
            fail_if(table[best] < table[S], "goes_on", **here, **there)
            fail_if(solution != S, "elsewhere", **here)

        return define.Custom(sorted(solution), check_set)

    def explain_counts(got):
        return {"search": "forward" if got[0] != counts[0] else "backward"}

    return Exercise(
        {"best": format_set(min(table, key=table.get))},
        forward_set=ask_set("Forward"),
        backward_set=ask_set("Backward"),
        entries_read=Number(counts, {counts[::-1]: "swapped"}, explain_counts),
    )


TENTHS = tuple(q / 10 for q in range(2, 10))


@exercise(r1=TENTHS, r2=TENTHS, rho=TENTHS)
def company(r1=0.8, r2=0.5, rho=0.4):
    gain = (r2 - rho * r1) ** 2 / (1 - rho**2)
    if r1 <= r2 or r1**2 + gain > 0.9 or gain < 0.01:
        return None
    return Exercise(
        {"alone": r2**2, "gain": gain, "at": r2 / r1},
        alone=Number(r2**2, {r2: "correlation", r1**2: "other", 1 - r2**2: "rest"}),
        added=Number(gain, {
            (r2 - rho * r1) ** 2: "no_denominator",
            (r2 + rho * r1) ** 2 / (1 - rho**2): "sign",
            (r2 - rho * r1) / (1 - rho**2): "weight", r1**2 + gain: "both_features",
            (r1 - rho * r2) ** 2 / (1 - rho**2): "swapped",
        }),
        redundant_rho=Number(r2 / r1, {r1 / r2: "inverse", r1 * r2: "product"}),
    )  # fmt: skip


@exercise(rules=(4, 5, 6), limit=(0.05, 0.08, 0.12, 0.15, 0.2, 0.25))
def least_of_three(rules=3, limit=0.1):
    def expected(m):
        """Return the mean number of mistakes of the best of m rules on two examples."""
        return 0.75**m + 0.25**m

    smallest = next(m for m in range(1, 99) if expected(m) / 2 < limit)

    def explain_rules(m):
        key = "more_than_enough" if m > smallest else "too_few"
        raise WrongAnswer(key, fraction=expected(m) / 2)

    mean, number = expected(rules), NUMBER_WORDS[smallest].capitalize()
    return Exercise(
        {"coins": number, "all": NUMBER_WORDS[rules], "less": rules - 1},
        expected=Number(mean, {
            1.0: "one_rule", expected(rules - 1): "one_less", mean / 2: "fraction",
            0.75**rules: "one_term", 1 / rules: "divided",
        }, digits=4),
        rules=Number(smallest, explain=explain_rules),
    )  # fmt: skip


@exercise
def my_fisher():
    # Another table with the row and column sums of the fourth is 0.125% more likely; the
    # last table has p = 1e-18.  So the comparison needs a small relative tolerance.
    tables = np.array((
        [[3, 1], [1, 3]], [[4, 0], [0, 4]], [[10, 3], [2, 15]], [[0, 9], [11, 14]],
        [[3, 6], [4, 5]], [[0, 6], [4, 2]], [[1, 9], [11, 3]], [[4, 7], [0, 4]],
        [[40, 2], [2, 40]],
    ))  # fmt: skip

    def p_value(table, bug=""):
        (a, b), (c, d) = table.tolist()
        row, column, n = a + b, a + c, a + b + c + d
        corners = np.arange(max(0, row + column - n), min(row, column) + 1)
        ways = [comb(row, k) * comb(n - row, column - k) for k in corners.tolist()]
        p = np.array(ways) / comb(n, column)
        p_table = p[corners == a][0]
        counted = {
            "alone": corners == a,
            "ties": (p < p_table * (1 - 1e-9)) | (corners == a),
            "above": corners >= a,
            "below": corners <= a,
        }.get(bug.removeprefix("twice "), p <= p_table * (1 + 1e-9))
        return float(p[counted].sum() * (2 if "twice" in bug else 1))

    return Function(p_value, [(table,) for table in tables], rtol=1e-6)


@exercise
def my_stepwise():
    tables = load_texts("feature_selection")["my_stepwise"]["tables"]

    def check_search(function):
        rng = np.random.default_rng(0)
        random = [("errors were drawn", rng.permutation(100)[:32] / 100) for _ in range(4)]
        for story, errors in (*tables, *random):
            table = errors_by_set(*errors)
            d = len(max(table, key=len))
            error = error_function(table, set())
            S = read_features(call(function, error, d), "a list", d - 1, first=0)
            right, error_S = stepwise_search(error, d), error(sorted(S))
            if right == S:
                continue
            smaller = min([error(sorted(S - {q})) for q in S], default=np.inf)
            case = f"Where {story} ({d} features)"
            values = {"case": case, "got": sorted(S), "last": d - 1}
            fail_if(greedy_search(error, d, [False]) == S, "forward", **values)
            fail_if(greedy_search(error, d, [False, True]) == S, "either", **values)
            fail_if({q - 1 for q in S} == right, "from_1", **values)
            same_error = right > S and error_S == error(sorted(right))
            fail_if(same_error, "left_in_vain", **values)
            fail_if(smaller < error_S, "smaller_without", **values)
            fail_if(smaller == error_S, "same_without", **values)
            raise WrongAnswer("elsewhere", **values)

    return Exercise(function=define.Custom(stepwise_search, check_search))


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
            yield NamedFunction("choose", choose), NamedFunction("fit", fit), X, y, splits

    def mean_error(choose, fit, X, y, splits, bug=""):
        errors = []
        for train, test in splits:
            S = choose(X, y) if bug == "peeking" else choose(X[train], y[train])
            rows = train if bug == "training" else test
            errors.append(fit(X[train][:, S], y[train]).predict(X[rows][:, S]) != y[rows])
        means = np.concatenate(errors) if bug == "pooled" else [*map(np.mean, errors)]
        return float(1 - np.mean(means) if bug == "right ones" else np.mean(means))

    return Function(mean_error, cases)


predictions = define.true_false("feature_selection", "predictions")


@exercise(rng=range(2, 20), min_count=(80, 85, 90, 95))
def steady(rng=1, min_count=90):
    data, kept = diabetes(), []
    names = ("age", "sex", "bmi", "bp", "tc", "ldl", "hdl", "tch", "ltg", "glu")
    X, y = data.X, data.y
    halves = monte_carlo(y, repeats=100, test_fraction=0.5, rng=rng, stratified=False)
    for train, _ in halves:
        folds = k_folds(y[train], folds=5, stratified=False)
        kept.append(backward(X[train], y[train], splits=folds).features)
    solution = {n for q, n in enumerate(names) if sum(q in S for S in kept) >= min_count}

    def check_names(often):
        is_list = isinstance(often, (list, tuple, set, frozenset, np.ndarray))
        answer = set(map(str, often if is_list else [often]))
        known, got = ", ".join(names), format_value(often)
        fail_if(not answer <= set(names), "not_names", known=known, got=got)
        extra, missing = ", ".join(sorted(answer - solution)), len(solution - answer)
        fail_if(extra, "extra", extra=extra)
        fail_if(missing, "missing", missing=missing)

    different = len(set(kept))
    return Exercise(
        {"kept": ", ".join(sorted(solution)), "different": different},
        often=define.Custom(sorted(solution), check_names),
        different_sets=Number(different, {len(kept): "halves"}),
    )


@exercise
def both_miss():
    def check_table(errors):
        has_keys = isinstance(errors, dict) and {str(key) for key in errors} == set(SETS)
        fail_if(not has_keys, "not_a_table", errors=format_value(errors))
        fail_if(any(value is ... for value in errors.values()), "unfilled")
        table = {
            SETS[str(k)]: read_number(v, f'a number for "{k}"') for k, v in errors.items()
        }
        smallest = min(table.values())
        sizes = sorted({len(S) for S, value in table.items() if value == smallest})
        features = " or ".join(map(str, sizes)) + " feature" + "s" * (sizes != [1])
        for search, (S, _) in search_ends(table).items():
            case = {"search": search, "set": format_set(S)}
            fail_if(table[S] == smallest and sizes == [2], "finds_best_of_two", **case)
            fail_if(table[S] == smallest, "finds_best", features=features, **case)

    errors = 50, 40, 40, 30, 40, 0, 25, 25, 25, 25, 10, 20, 20, 15, 20, 18
    return FreeForm(check_table, dict(zip(SETS, errors, strict=True)))


AT_ARRIVAL = {  # column: (mean, standard deviation)
    "age (years)": (62, 14), "temperature at arrival (°C)": (37.6, 0.8),
    "heart rate at arrival (per minute)": (88, 16), "lactate at arrival (mmol/l)": (4, 0.8),
    "white cells at arrival (1e9/l)": (12, 3), "pressure at arrival (mmHg)": (121, 18),
    **{f"blood test {k} at arrival (ratio)": (1, 0.2) for k in range(1, 15)},
}  # fmt: skip
LATER = {"antibiotics in total (g)": (12, 3), "length of stay (days)": (12, 3)}


@case
def leak(source=0):
    rng = np.random.default_rng([1, source])
    names = [str(name) for name in rng.permutation([*AT_ARRIVAL, *LATER])]
    late = np.isin(names, [*LATER])
    center, spread = np.transpose([(AT_ARRIVAL | LATER)[name] for name in names])
    w = np.zeros(len(names))
    w[~late] = tools.draw_direction(rng, len(AT_ARRIVAL))

    def draw(rng, trap):
        half, parts = tools.draw_distance(rng) / 2, []
        for n in (160, tools.N_TEST):
            y = tools.draw_labels(rng, n, 0.45)
            Z = rng.normal(size=(n, len(names))) + np.outer(y, half * w + 0.7 * late)
            parts += [center + spread * Z, y]
        if trap:
            parts[2][:, late] = 0  # not yet written when the rule is used
        return parts

    def decide(X, y, names, route=""):
        keep = ~late | (route == "all columns")
        keep |= (route == "one left") & np.char.startswith(names, "antibiotics")
        if route == "strongest dropped":
            relevance = np.abs(standardize(X).T @ y)
            keep = relevance < relevance.max()

        def fit(X, y):
            predict = tools.fit_rule(X[:, keep], y)
            return lambda Q: predict(Q[:, keep])

        return tools.decide_and_claim(fit, X, y, route)

    routes = dict.fromkeys(("all columns", "one left", "strongest dropped"), "decision")
    routes |= {"training error": "advice_low"}
    return Case(draw, names, decide, routes, max_regret=0.02, max_width=0.26, seed=source)
