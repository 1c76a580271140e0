"""The decorator `exercise`, which turns a function into the checker of an exercise.

The default arguments of a decorated function are the printed numbers of the question.
`check.halfway(2.5)` checks an answer; `check.halfway.another(7)` is the question with other
numbers, drawn from the choices in the decorator.  The chapter's TOML file has the texts.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial, wraps
from inspect import signature
from itertools import count
from math import gcd, prod
from operator import itemgetter
from pathlib import Path

import numpy as np

from halfspaces.exercises import Verdict, checker, is_unfilled, question_types
from halfspaces.exercises.question_types import *  # noqa: F403  for the chapters
from halfspaces.exercises.question_types import Exercise, Function, TrueFalse
from halfspaces.exercises.texts import NUMBER_WORDS, Paragraph, fill_question, load_texts
from mlcore import checks

# Tests and exams need the solutions.  A page or an installed package has no `build`.
IN_REPOSITORY = Path(__file__).parents[2].joinpath("pyproject.toml").exists()

__all__ = ["Variant", "exercise", "true_false", *question_types.__all__]


class Variant(Paragraph):
    """An exercise with other numbers: displays its question, and checks an answer.

    With the three dots of a stub as its argument it returns itself.

    reason  the question about the reason for a statement; "" without one
    """

    def __init__(self, seed: int, text: str, check: Callable, reason: str):
        super().__init__(text, "hs-verdict hs-untried")
        self.seed, self.check, self.reason = seed, check, reason

    def __call__(self, *given) -> "Verdict | Variant":
        if any(map(is_unfilled, given)):
            return self
        verdict = self.check(*given)
        message = f"{verdict.message} (Seed {self.seed}.)"
        return Verdict(verdict.right, message, verdict.misconception, verdict.score)


def exercise(make: Callable | None = None, /, **choices) -> Callable:
    """Turn a function from numbers to an `Exercise` into a checker.

    choices  for each argument a tuple or range to draw from; for several numbers a list of
             these; the first choices are printed if an argument has no default

    The function returns None if the numbers are unsuitable.  The question is its docstring,
    or the text `ask`, with {name} for an argument.
    """
    if make is None:
        return partial(exercise, **choices)
    texts = load_texts(make.__module__.rpartition(".")[2]).get(make.__name__, {})
    make.__doc__ = make.__doc__ or texts.get("ask")
    printed = {
        name: _pick(choices[name], itemgetter(0)) if p.default is p.empty else p.default
        for name, p in signature(make).parameters.items()
    }

    def numbers(seed: int) -> Iterator[dict]:
        # strides of the golden section keep the combinations of consecutive seeds apart
        total = prod(_sizes([*choices.values()]))
        stride = next(k for k in count(round(0.618 * total)) if gcd(k, total) == 1)
        place, rng = seed * stride % total, np.random.default_rng([277, seed])
        while seed and choices:
            yield dict(zip(choices, _combination([*choices.values()], place), strict=True))
            place = int.from_bytes(rng.bytes(64)) % total  # after unsuitable numbers
        yield printed

    @cache
    def build(seed: int) -> Exercise:
        for drawn in numbers(seed):
            value = make(**drawn)
            if isinstance(value, Function):
                value = Exercise(value.praise, function=value)
            if value is None:
                continue
            value.set_texts(texts, printed | drawn)
            if not seed or is_sound(drawn, value):
                value.numbers = drawn
                return value

    def is_sound(drawn: dict, value: Exercise) -> bool:
        counts = {len([*one.mistakes()]) for one in (value, build(0))}
        distinct = value.has_distinct_misconceptions()
        return drawn != printed and len(counts) == 1 and distinct

    def another(seed: int) -> Variant:
        """Return the question with other numbers; for seed 0, with the printed numbers.

        Raises ValueError unless the seed is an integer >= 0.
        """
        seed = checks.integer("seed", seed, at_most=np.inf)
        value = build(seed * check.has_variants)
        text = "The question as it is printed: it has no other numbers."
        text = fill_question(make.__doc__, value.numbers) if check.has_variants else text
        parts = value.parts.values()
        reason = "".join(part.question for part in parts if isinstance(part, TrueFalse))
        check_answer = checker(value.evaluate, value.names)
        return Variant(seed, f"Seed {seed}. {text}", check_answer, reason)

    evaluate = wraps(make)(lambda *given: build(0).evaluate(*given))
    check = checker(evaluate, lambda: build(0).names())
    check.parameters, check.another, check.has_variants = {*choices}, another, bool(choices)
    if IN_REPOSITORY:
        check.build = lambda seed=0: build(seed)
    return check


def true_false(chapter: str, name: str) -> Callable:
    """Return the checker of an exercise that asks which statements are true, and why.

    In the chapter's texts, each table of `statements` has the printed statement and an
    alternative.  Its value is the reason: a sentence if the statement is false,
    [true, sentence] if it is true; with `fits`, a list with a reason for each fit.
    """
    texts = load_texts(chapter)[name]
    fits, tables = texts.get("fits", [""]), texts["statements"]

    def read_reasons(entry) -> list[tuple[bool, str]]:
        entries = entry if "fits" in texts else [entry]
        return [(False, one) if isinstance(one, str) else tuple(one) for one in entries]

    statements = {
        reason: (holds, f"“{statement}”{f'{fit}.' if fit else ''}")
        for table in tables
        for statement, entry in table.items()
        for fit, (holds, reason) in zip(fits, read_reasons(entry), strict=True)
    }

    def make(claims):
        reasons = {
            f"number {q}{fit}": read_reasons(table[statement])[k][1]
            for k, fit in enumerate(fits)
            for q, (statement, table) in enumerate(
                zip(claims, tables, strict=True), start=1
            )
        }
        listed = [f"{key.capitalize()}: {reason}" for key, reason in reasons.items()]
        count = NUMBER_WORDS[sum(statements[reason][0] for reason in reasons.values())]
        praise = " ".join([texts["praise"].format(true=count.capitalize()), *listed])
        return Exercise(praise, values=TrueFalse(reasons, statements, texts["look"]))

    make.__name__, make.__module__ = name, f"halfspaces.exercises.{chapter}"
    return exercise(claims=[*map(tuple, tables)])(make)


def _sizes(source) -> Iterator[int]:
    """Yield the number of choices for each number."""
    for part in source:
        yield from _sizes(part) if isinstance(part, list) else [len(part)]


def _combination(source, place: int) -> tuple:
    """Return the combination at this place of a list of all."""

    def choose(part):
        nonlocal place
        place, index = divmod(place, len(part))
        return part[index]

    return _pick(source, choose)


def _pick(source, choose: Callable):
    """Draw a value from a tuple or range, or one from each item of a list."""
    if isinstance(source, list):
        return tuple(_pick(part, choose) for part in source)
    return choose(source)
