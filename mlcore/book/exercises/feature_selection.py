"""Checkers for the exercises of the chapter on feature selection."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from mlcore.book.exercises import (
    NotYet,
    call,
    checker,
    compare,
    named,
    near,
    number,
    numbers,
    short,
    tidy,
    truths,
)
from mlcore.book.exercises import feature_selection_data as data
from mlcore.book.exercises import feature_selection_sets as sets


@checker
def by_hand(forward_set, backward_set, entries_read):
    ways = (
        ("Forward", sets.forward_on, forward_set),
        ("Backward", sets.backward_on, backward_set),
    )
    read = []
    for name, search, answer in ways:
        S = sets.features(answer, f"{name} ends with a set of features from 1 to 4")
        right, seen = sets.end_of(search, sets.HAND)
        read.append(seen)
        if right == S:
            continue
        lower = [T for T in sets.neighbors(S, name) if sets.HAND[T] < sets.HAND[S]]
        if lower:
            raise NotYet(
                f"{name} does not stop at {sets.shown(S)}, whose error is {sets.HAND[S]}: "
                f"one step from there leads to {sets.shown(lower[0])}, with "
                f"{sets.HAND[lower[0]]}."
            )
        raise NotYet(
            f"{name} could stop at {sets.shown(S)}, but does not get there. Take the "
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
    first = number(alone, "what the second feature explains alone, one number")
    slip = named(first, data.OTHER_ALONE.items(), same=near)
    if slip:
        raise NotYet(slip)
    hint = "One feature alone leaves 1 - r^2; how much has gone?"
    _is(first, data.R2**2, 3, "Alone", hint)
    gain = number(added, "what it adds to the first, one number")
    slip = named(gain, data.OTHER_GAINS.items(), same=near)
    if slip:
        raise NotYet(f"The second feature does not add {tidy(gain)}. {slip}")
    _is(gain, data.GAIN, 3, "Added", "Use the card.")
    rho = number(redundant_rho, "a correlation, one number")
    slip = named(rho, data.OTHER_RHOS.items(), same=near)
    if slip:
        raise NotYet(slip)
    _is(
        rho, data.R2 / data.R1, 3, "The correlation", "When is the square in the card zero?"
    )
    return "Alone a quarter, in company less than a twenty-fifth, and at 0.625 nothing."


def _is(got, want, digits, what, hint):
    if not near(got, want, digits):
        raise NotYet(f"{what}: {tidy(got)} is not right to {digits} decimals. {hint}")


@checker
def least_of_three(expected, rules):
    mean = number(expected, "the expected number of mistakes, one number")
    slip = named(mean, data.OTHER_LEASTS.items(), same=partial(near, digits=4))
    if slip:
        raise NotYet(f"The least of three does not have {tidy(mean)} mistakes. {slip}")
    hint = "Add the chance that all three make at least one, and that all make two."
    _is(mean, 28 / 64, 4, "The expected number", hint)
    m = number(rules, "a number of rules, a whole number")
    if m != round(m) or m < 1:
        raise NotYet(f"Give a whole number of rules, not {tidy(m)}.")
    if m != 6:
        share = (0.75**m + 0.25**m) / 2
        which = "not below 0.1" if share >= 0.1 else "below 0.1, but fewer rules do as well"
        raise NotYet(f"With {m:g} rules the expected share is {share:.4f}, {which}.")
    return "Six coins, and the best of them promises less than a tenth of mistakes."


@checker
def my_fisher(function):
    for rows in data.TWO_BY_TWO:
        table = np.array(rows)
        p = number(call(function, table), "back one number")
        if np.isclose(p, data.exact_p(table), rtol=1e-6, atol=0):
            continue
        tried = f"For the table {short(rows)} it returned {p:.6g}"
        if p > 1 + 1e-9 or p < 0:
            raise NotYet(f"{tried}, which is no probability.")
        slip = named(p, data.other_ps(table), same=partial(np.isclose, rtol=1e-6))
        if slip:
            raise NotYet(f"{tried}{slip}")
        if data.p_with_likelier(table, p):
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
    for story, error, d in sets.tables():
        tried = call(function, data.Named("error", error), d)
        S = sets.features(tried, "Return a list of features", zero=True)
        at = f"Where {story} ({d} features), it returned {short(sorted(S))}"
        if S and max(S) >= d:
            raise NotYet(f"{at}. The features are numbered from 0 to {d - 1}.")
        fault = data.fault_of_search(error, d, S)
        if fault:
            raise NotYet(f"{at}{fault}")
    return "40 tables of errors; in sixteen of them features leave that came in early."


@checker
def my_honest_error(function):
    for X, y, splits in data.pure_noise():
        choose, fit = data.tool_box()
        got = call(
            function, data.Named("choose", choose), data.Named("fit", fit), X, y, splits
        )
        got = number(got, "back one number")
        if np.isclose(got, data.honest(choose, fit, X, y, splits)):
            continue
        slip = named(got, data.other_errors(choose, fit, X, y, splits))
        slip = slip or "What do `choose` and `fit` see in each split, and then what?"
        raise NotYet(
            f"On {len(y)} examples of noise with {X.shape[1]} features it gave {got:.4f}. "
            f"{slip}"
        )
    return "Three times pure noise, and no peeking."


@checker
def predictions(answers):
    given = truths(answers, len(data.STATEMENTS))
    for at, (said, (holds, why)) in enumerate(
        zip(given, data.STATEMENTS, strict=True), start=1
    ):
        if said != holds:
            raise NotYet(f"Number {at}: {why}")
    return "Two of the six are true, and each of the others has a small counterexample."


@checker
def steady(often, different_sets):
    if isinstance(often, str):
        often = [often]
    if not isinstance(often, (list, tuple, set, frozenset, np.ndarray)):
        raise NotYet(f"Give a list of names such as 'age'; this is {short(often)}.")
    names, counts, different = data.chosen_often()
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
    made = number(different_sets, "how many different sets, one number")
    if made == 100:
        raise NotYet("100 is the number of halves. How many sets differ, in any order?")
    asked = "The names are right. Is it `backward`, with rng=1? Is a set counted once?"
    compare(made, different, "Your count", asked)
    return f"{', '.join(sorted(right))}, and {different} different sets in 100 halves."


@checker
def both_miss(errors):
    if not isinstance(errors, Mapping):
        raise NotYet(f"Give a dictionary, as in the stub; this is {short(errors)}.")
    if any(value is ... for value in errors.values()):
        raise NotYet("Replace the three dots with your answer.")
    keys = {_key(T): T for T in sets.allowed(4)}
    if {str(key) for key in errors} != set(keys):
        raise NotYet('Keep the sixteen keys of the stub, from "" to "1234".')
    table = {
        keys[str(key)]: number(value, f'a number for "{key}"')
        for key, value in errors.items()
    }
    least = min(table.values())
    for name, search in (("Forward", sets.forward_on), ("Backward", sets.backward_on)):
        S, _ = sets.end_of(search, table)
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
                f"{name} ends with {sets.shown(S)}, and no error of your table is smaller. "
                f"{asked}"
            )
    return "Both end above the smallest error; with three features they could not."


def _key(S) -> str:
    return "".join(map(str, sorted(S)))


def _listed(sizes) -> str:
    return " or ".join(map(str, sizes)) + (" feature" if sizes == [1] else " features")
