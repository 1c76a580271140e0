"""Checkers for the exercises of the chapter on feature selection."""

from collections.abc import Mapping

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    checker,
    compare,
    numbers,
    short,
    tidy,
    truths,
)
from mlcore.book.exercises.feature_selection_data import (
    HAND,
    STATEMENTS,
    TWO_BY_TWO,
    Named,
    allowed,
    backward_on,
    chosen_often,
    either_on,
    exact_p,
    forward_on,
    honest,
    one_table_p,
    p_with_likelier,
    peeking,
    pure_noise,
    stepwise_on,
    tables,
    tool_box,
)


@checker
def by_hand(forward_set, backward_set, entries_read):
    ways = ("Forward", forward_on, forward_set), ("Backward", backward_on, backward_set)
    read = []
    for name, search, answer in ways:
        S = _features(answer, f"{name} ends with a set of features from 1 to 4")
        right, seen = _end(search, HAND)
        read.append(seen)
        if right == S:
            continue
        lower = [T for T in _neighbors(S, name) if HAND[T] < HAND[S]]
        if lower:
            raise NotYet(
                f"{name} does not stop at {_shown(S)}, whose error is {HAND[S]}: one step "
                f"from there leads to {_shown(lower[0])}, with {HAND[lower[0]]}."
            )
        raise NotYet(
            f"{name} could stop at {_shown(S)}, but does not get there. Take the "
            "smallest of the errors that one step can reach, and then look only at the "
            "steps from there."
        )
    got = numbers(entries_read, (2,), "how many entries each one read, two numbers")
    if [*got] == read[::-1] != read:
        raise NotYet("Both sets are right. Of the pair, forward comes first.")
    for name, count, right in zip(("forward", "backward"), got, read, strict=True):
        if count == right:
            continue
        asked = "Count the set where it starts, and every candidate, the last ones too."
        raise NotYet(f"Both sets are right; {name} does not read {tidy(count)}. {asked}")
    return "Here forward finds the best of the sixteen sets, and backward throws away 1."


@checker
def company(alone, added, redundant_rho):
    r1, r2, rho = 0.8, 0.5, 0.4
    first = float(numbers(alone, (), "what the second feature explains alone, one number"))
    if _agrees(first, r2, 3):
        raise NotYet("0.5 is the correlation. Which share of the mean square goes away?")
    if _agrees(first, r1**2, 3):
        raise NotYet("That is what the first feature explains alone.")
    if _agrees(first, 1 - r2**2, 3):
        raise NotYet("0.75 is the error that is left. How much has gone?")
    hint = "One feature alone leaves 1 - r^2; how much has gone?"
    _close(first, r2**2, 3, "Alone", hint)
    gain = float(numbers(added, (), "what it adds to the first, one number"))
    slips = {
        (r2 - rho * r1) ** 2: "Which denominator does the formula have?",
        (r2 - rho * r1) ** 2 / (1 - rho): "Is the correlation in the denominator squared?",
        (r2 + rho * r1) ** 2 / (1 - rho**2): "Look at the sign before the product.",
        (r2 - rho * r1) / (1 - rho**2): "That is its weight; the gain has a square.",
        r1**2 + (r2 - rho * r1) ** 2 / (1 - rho**2): "That is what both explain together.",
        (r1 - rho * r2) ** 2 / (1 - rho**2): "That is what the first adds to the second.",
    }
    for slip, asked in slips.items():
        if _agrees(gain, slip, 3):
            raise NotYet(f"The second feature does not add {tidy(gain)}. {asked}")
    _close(gain, (r2 - rho * r1) ** 2 / (1 - rho**2), 3, "Added", "Use the card.")
    rho0 = float(numbers(redundant_rho, (), "a correlation, one number"))
    if _agrees(rho0, r1 / r2, 3):
        raise NotYet("No correlation is above 1. Which of the two must be the product?")
    if _agrees(rho0, r1 * r2, 3):
        raise NotYet("With 0.4 it adds something, as you have just computed.")
    _close(rho0, r2 / r1, 3, "The correlation", "When is the square in the card zero?")
    return "Alone a quarter, in company less than a twenty-fifth, and at 0.625 nothing."


@checker
def least_of_three(expected, rules):
    mean = float(numbers(expected, (), "the expected number of mistakes, one number"))
    slips = {
        1.0: "That is the expected number of mistakes of one of the rules.",
        10 / 16: "That is the least of two rules.",
        14 / 64: "That is a share of the two examples; how many mistakes is it?",
        27 / 64: "At least one mistake is not the only term: what if all make two?",
        1 / 3: "The number of rules does not divide the mistakes.",
    }
    for slip, asked in slips.items():
        if _agrees(mean, slip, 4):
            raise NotYet(f"The least of three does not have {tidy(mean)} mistakes. {asked}")
    hint = "Add the chance that all three make at least one, and that all make two."
    _close(mean, 28 / 64, 4, "The expected number", hint)
    m = float(numbers(rules, (), "a number of rules, a whole number"))
    if m != round(m) or m < 1:
        raise NotYet(f"Give a whole number of rules, not {tidy(m)}.")
    if m != 6:
        share = (0.75**m + 0.25**m) / 2
        which = "not below 0.1" if share >= 0.1 else "below 0.1, but fewer rules do as well"
        raise NotYet(f"With {m:g} rules the expected share is {share:.4f}, {which}.")
    return "Six coins, and the best of them promises less than a tenth of mistakes."


@checker
def my_fisher(function):
    for rows in TWO_BY_TWO:
        table = np.array(rows)
        p = float(numbers(call(function, table), (), "back one number"))
        right = exact_p(table)
        tried = f"For the table {short(rows)} it returned {p:.6g}"
        if np.isclose(p, right, rtol=1e-6, atol=0):
            continue
        if p > 1 + 1e-9 or p < 0:
            raise NotYet(f"{tried}, which is no probability.")
        if np.isclose(p, one_table_p(table)):
            raise NotYet(f"{tried}, the probability of this table alone. Which are added?")
        if np.isclose(p, exact_p(table, strict=True), rtol=1e-6):
            raise NotYet(
                f"{tried}: a table that is exactly as likely as this one is missing. "
                "Compare by <=, and allow for rounding."
            )
        for side in (1, -1):
            if np.isclose(p, exact_p(table, side=side), rtol=1e-6):
                raise NotYet(f"{tried}, which is one side only. Which tables count?")
            if np.isclose(p, 2 * exact_p(table, side=side), rtol=1e-6):
                raise NotYet(
                    f"{tried}, twice the probability of one side. The two sides need not "
                    "be alike: which tables are no likelier?"
                )
        if p_with_likelier(table, p):
            raise NotYet(
                f"{tried}: a table that is likelier than this one is counted as well. "
                "Which ones count, and how much of a difference is rounding?"
            )
        raise NotYet(
            f"{tried}, which is not right. Keep the sums of rows and columns, let the "
            "corner run through all that they allow, and add what is no likelier."
        )
    return "Nine tables; in seven of them another table is exactly as likely."


@checker
def my_stepwise(function):
    for story, error, d in tables():
        tried = call(function, Named("error", error), d)
        S = _features(tried, "Return a list of features", zero=True)
        right = stepwise_on(error, d)
        at = f"Where {story} ({d} features), it returned {short(sorted(S))}"
        if S and max(S) >= d:
            raise NotYet(f"{at}. The features are numbered from 0 to {d - 1}.")
        if right == S:
            continue
        if forward_on(error, d) == S:
            raise NotYet(
                f"{at}, where forward ends. Does a feature ever leave again? Look for one "
                "after every addition, the last one too, and before the next one comes in."
            )
        if either_on(error, d) == S:
            raise NotYet(
                f"{at}. As long as the error falls without one feature, one leaves; only "
                "then may the next one come in, even if that lowers the error more."
            )
        if {q - 1 for q in S} == right:
            raise NotYet(f"{at}. Do you count from 1? The features are 0 to {d - 1}.")
        if all(error(sorted(S)) < error(T) for T in _others(S, d)):
            raise NotYet(
                f"{at}, the set with the least error of all, and this search does not get "
                "there. Does each of your steps start from the set before it, and lower "
                "its error?"
            )
        if any(error(sorted(S - {q})) < error(sorted(S)) for q in S):
            raise NotYet(f"{at}. Without one of them the error would be smaller.")
        if any(error(sorted(S - {q})) == error(sorted(S)) for q in S):
            raise NotYet(
                f"{at}. Without one of them the error would be the same: does the error "
                "fall strictly whenever one comes in?"
            )
        if any(error(sorted(S | {q})) < error(sorted(S)) for q in set(range(d)) - S):
            raise NotYet(f"{at}. With one more the error would be smaller.")
        if error(sorted(S)) == error(sorted(right)):
            raise NotYet(
                f"{at}. A set on the way has this error already, and no step from there "
                "lowers it: is every change a strict fall?"
            )
        raise NotYet(
            f"{at}. One step from there lowers nothing, but the rule ends elsewhere: add "
            "the best one, then remove the one that is missed least as long as the error "
            "falls, and so on."
        )
    return "40 tables of errors; in sixteen of them features leave that came in early."


@checker
def my_honest_error(function):
    for X, y, splits in pure_noise():
        choose, fit = tool_box()
        got = call(function, Named("choose", choose), Named("fit", fit), X, y, splits)
        got = float(numbers(got, (), "back one number"))
        right, peeked = (
            honest(choose, fit, X, y, splits),
            peeking(choose, fit, X, y, splits),
        )
        if np.isclose(got, right):
            continue
        said = (
            f"On {len(y)} examples of noise with {X.shape[1]} features it gave {got:.4f}."
        )
        if np.isclose(got, peeked):
            raise NotYet(
                f"{said} The test examples took part in the choice: which may it see?"
            )
        if np.isclose(got, 1 - right):
            raise NotYet(f"{said} That is the share of right answers.")
        if np.isclose(got, right * len(splits)):
            raise NotYet(f"{said} That is the sum over the splits; the mean is wanted.")
        if np.isclose(got, honest(choose, fit, X, y, splits, on="train")):
            raise NotYet(f"{said} That is the error on the training examples.")
        if np.isclose(got, honest(choose, fit, X, y, splits, pooled=True)):
            raise NotYet(
                f"{said} All test examples count alike there; take the mean over "
                "the splits of the share in each (the parts are not equally large)."
            )
        raise NotYet(f"{said} What do `choose` and `fit` see in each split, and then what?")
    return "Three times pure noise, and no peeking."


@checker
def predictions(answers):
    given = truths(answers, len(STATEMENTS))
    for number, (said, (holds, why)) in enumerate(zip(given, STATEMENTS, strict=True), 1):
        if said != holds:
            raise NotYet(f"Number {number}: {why}")
    return "Two of the six are true, and each of the others has a small counterexample."


@checker
def steady(often, different_sets):
    if isinstance(often, str):
        often = [often]
    if not isinstance(often, (list, tuple, set, frozenset, np.ndarray)):
        raise NotYet(f"Give a list of names such as 'age'; this is {short(often)}.")
    names, counts, sets = chosen_often()
    given = [str(name) for name in often]
    strange = [name for name in given if name not in names]
    if strange:
        raise NotYet(f"{short(strange[0])} is none of the ten names: {', '.join(names)}.")
    right = {name for name in names if counts[name] >= 90}
    for name in names:
        if name in given and name not in right:
            raise NotYet(f"{name} was not kept in 90 of the 100 halves.")
    missing = [name for name in names if name in right and name not in given]
    if missing:
        raise NotYet(
            f"{len(missing)} of the wanted features {'is' if len(missing) == 1 else 'are'} "
            "missing. Is it `backward`, with five folds of each training half?"
        )
    made = float(numbers(different_sets, (), "how many different sets, one number"))
    if made == 100:
        raise NotYet("100 is the number of halves. How many sets differ, in any order?")
    asked = "The names are right. Is it `backward`, with rng=1? Is a set counted once?"
    compare(made, sets, "Your count", asked)
    return f"{', '.join(sorted(right))}, and {sets} different sets in 100 halves."


@checker
def both_miss(errors):
    if not isinstance(errors, Mapping):
        raise NotYet(f"Give a dictionary, as in the stub; this is {short(errors)}.")
    if any(value is ... for value in errors.values()):
        raise NotYet("Replace the three dots with your answer.")
    keys = {_key(T): T for T in allowed(4)}
    if {str(key) for key in errors} != set(keys):
        raise NotYet('Keep the sixteen keys of the stub, from "" to "1234".')
    table = {
        keys[str(key)]: float(numbers(value, (), f"a number for {_quoted(key)}"))
        for key, value in errors.items()
    }
    least = min(table.values())
    for name, search in (("Forward", forward_on), ("Backward", backward_on)):
        S, _ = _end(search, table)
        if table[S] == least:
            best = [T for T in table if table[T] == least]
            sizes = sorted({len(T) for T in best})
            asked = (
                f"The sets with the smallest error have {_listed(sizes)}: what "
                "does the theorem say about that?"
            )
            if sizes == [2]:
                asked = "Two features is the right size. Which step could lead it away?"
            raise NotYet(
                f"{name} ends with {_shown(S)}, and no error of your table is smaller. "
                f"{asked}"
            )
    return "Both end above the smallest error; with three features they could not."


def _key(S) -> str:
    return "".join(map(str, sorted(S)))


def _quoted(key) -> str:
    return f'"{key}"'


def _listed(sizes) -> str:
    return " or ".join(map(str, sizes)) + (" feature" if sizes == [1] else " features")


def _others(S, d) -> list:
    """All sets of features from 0 to d - 1 but S, as sorted lists."""
    return [sorted(q - 1 for q in T) for T in allowed(d) if {q - 1 for q in T} != S]


def _shown(S) -> str:
    return f"{{{', '.join(map(str, sorted(S)))}}}" if S else "the empty set"


def _end(search, table) -> tuple[frozenset, int]:
    """Where a search on a table ends, in the text's numbers, and how much it reads."""
    seen = set()

    def error(S):
        T = frozenset(q + 1 for q in S)
        seen.add(T)
        return table[T]

    return frozenset(q + 1 for q in search(error, 4)), len(seen)


def _neighbors(S, name) -> list:
    if name == "Forward":
        return [S | {q} for q in range(1, 5) if q not in S]
    return [S - {q} for q in S]


def _features(answer, what, *, zero=False) -> frozenset:
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


def _agrees(value, right, digits) -> bool:
    return abs(value - right) <= 0.5 * 10.0**-digits + 1e-12


def _close(value, right, digits, what, hint):
    if not _agrees(value, right, digits):
        raise NotYet(f"{what}: {tidy(value)} is not right to {digits} decimals. {hint}")
