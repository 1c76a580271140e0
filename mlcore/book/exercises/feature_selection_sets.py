"""Sets of features and their errors: how they are searched, read and said."""

from itertools import combinations

import numpy as np

from mlcore.book.exercises.answers import NotYet, numbers
from mlcore.book.exercises.words import short


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


def others(S, d) -> list:
    """All sets of features from 0 to d - 1 but S, as sorted lists."""
    return [sorted(q - 1 for q in T) for T in allowed(d) if {q - 1 for q in T} != S]


def shown(S) -> str:
    """A set as a reply says it."""
    return f"{{{', '.join(map(str, sorted(S)))}}}" if S else "the empty set"


def end_of(search, table) -> tuple[frozenset, int]:
    """Where a search on a table ends, in the text's numbers, and how much it reads."""
    seen = set()

    def error(S):
        T = frozenset(q + 1 for q in S)
        seen.add(T)
        return table[T]

    return frozenset(q + 1 for q in search(error, 4)), len(seen)


def neighbors(S, name) -> list:
    """The sets that one step of the search of this name leads to."""
    if name == "Forward":
        return [S | {q} for q in range(1, 5) if q not in S]
    return [S - {q} for q in S]


def features(answer, what, *, zero=False) -> frozenset:
    """The reader's features as a set of whole numbers, else NotYet."""
    if isinstance(answer, (int, np.integer)) and not isinstance(answer, bool):
        answer = [answer]
    if not isinstance(answer, (list, tuple, set, frozenset, np.ndarray)):
        raise NotYet(f"{what}; this is {short(answer)}.")
    listed = list(answer)
    got = numbers(listed, (len(listed),), "features by their numbers")
    if np.any(got != np.round(got)):
        raise NotYet(f"{what}, whole numbers; this is {short(listed)}.")
    if len(set(got)) < len(got):
        raise NotYet(f"{what}, each at most once; this is {short(listed)}.")
    if len(got) and (got.min() < (0 if zero else 1) or (not zero and got.max() > 4)):
        raise NotYet(f"{what}; this is {short(listed)}.")
    return frozenset(int(q) for q in got)


def _by_size(*errors) -> dict:
    """Errors of all sets of features from 1 to 4: none, 1, 2, 3, 4, 12, 13, and so on."""
    return dict(zip(allowed(4), errors, strict=True))


HAND = _by_size(80, 55, 60, 70, 78, 50, 30, 54, 45, 52, 66, 35, 48, 33, 32, 34)
COMPANY = _by_size(100, 98, 97, 40, 101, 20, 37, 99, 38, 96, 41, 22, 23, 39, 42, 25)
# From {2, 3}, where 1 has left, over {3, 4} to {1, 3, 4}.
COMES_BACK = _by_size(100, 90, 95, 96, 97, 80, 85, 86, 60, 45, 40, 70, 75, 30, 50, 55)
# From {1, 2, 3} to {2, 3}, although all four have a smaller error; {2, 4} is best.
LESS_OR_MORE = _by_size(100, 80, 90, 91, 92, 70, 75, 76, 55, 30, 77, 60, 65, 40, 58, 50)
# A feature leaves again; in the last two it matters which of several leaves first.
BACK_OUT = (52, 58, 124, 267, 340, 360, 415, 473, 2466, 5170)


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
