"""The decorator `exercise`, which turns a function into the checker of an exercise.

The default arguments of the function are the printed numbers of the question.
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

    Called with the three dots of a stub, it returns itself.

    reason  the question about the reason for a statement; "" if there is none
    sample  returns the data of a case; None for any other exercise
    """

    def __init__(self, seed: int, text: str, check: Callable, reason: str, sample):
        super().__init__(text, "hs-verdict hs-untried")
        self.seed, self.check, self.reason, self.sample = seed, check, reason, sample

    def __call__(self, *args) -> "Verdict | Variant":
        if any(map(is_unfilled, args)):
            return self
        verdict = self.check(*args)
        message = f"{verdict.message} (Seed {self.seed}.)"
        return Verdict(verdict.right, message, verdict.misconception, verdict.score)


def exercise(make: Callable | None = None, /, **choices) -> Callable:
    """Turn a function that makes an `Exercise` from numbers into a checker.

    choices  for each argument a tuple or range to draw from, or a list of these; without a
             default argument, the first choices are the printed numbers

    The function returns None if the numbers are unsuitable.  The question is its docstring,
    or the text `ask`, with {name} for an argument.
    """
    if make is None:
        return partial(exercise, **choices)
    texts = load_texts(make.__module__.rpartition(".")[2]).get(make.__name__, {})
    make.__doc__ = make.__doc__ or texts.get("ask")
    printed = {
        name: _choose(choices[name], itemgetter(0)) if p.default is p.empty else p.default
        for name, p in signature(make).parameters.items()
    }

    total = prod(_sizes([*choices.values()]))  # combinations of numbers

    def draw_numbers(seed: int) -> Iterator[dict]:
        # golden-ratio strides keep the combinations of consecutive seeds apart
        stride = next(k for k in count(round(0.618 * total)) if gcd(k, total) == 1)
        index, rng = seed * stride % total, np.random.default_rng([277, seed])
        while seed and choices:
            yield dict(zip(choices, _combination([*choices.values()], index), strict=True))
            index = int.from_bytes(rng.bytes(64)) % total  # after unsuitable numbers
        yield printed

    @cache
    def build(seed: int) -> Exercise:
        for numbers in draw_numbers(seed):
            question = make(**numbers)
            if isinstance(question, Function):
                question = Exercise(function=question)
            if question is None:
                continue
            question.set_texts(texts, printed | numbers)
            if not seed or is_suitable(numbers, question):
                question.numbers = numbers
                return question

    def is_suitable(numbers: dict, question: Exercise) -> bool:
        counts = {len([*variant.mistakes()]) for variant in (question, build(0))}
        distinct = question.has_distinct_misconceptions()
        return numbers != printed and len(counts) == 1 and distinct

    def another(seed: int) -> Variant:
        """Return the question with other numbers; for seed 0, with the printed numbers.

        Raises ValueError unless the seed is an integer >= 0.
        """
        seed = checks.integer("seed", seed, at_most=np.inf)
        question = build(seed if check.has_variants else 0)
        text = "This exercise has no other numbers: answer the printed question."
        text = fill_question(make.__doc__, question.numbers) if check.has_variants else text
        parts = question.parts.values()
        reason = "".join(part.question for part in parts if isinstance(part, TrueFalse))
        check_answer = checker(question.evaluate, question.names)
        sample = getattr(question, "sample", None)
        return Variant(seed, f"Seed {seed}. {text}", check_answer, reason, sample)

    evaluate = wraps(make)(lambda *args: build(0).evaluate(*args))
    check = checker(evaluate, lambda: build(0).names())
    check.parameters, check.another, check.has_variants = {*choices}, another, bool(choices)
    if IN_REPOSITORY:
        check.build, check.combinations = (lambda seed=0: build(seed)), total
    return check


def true_false(chapter: str, name: str) -> Callable:
    """Return the checker of an exercise: which statements are true, and for what reason?

    In the chapter's texts, each table of `statements` has the printed statement and an
    alternative.  Its value is the reason: a sentence if the statement is false,
    [true, sentence] if it is true; with `suffixes`, a list with a reason for each.
    """
    texts = load_texts(chapter)[name]
    suffixes, tables = texts.get("suffixes", [""]), texts["statements"]

    def read_reasons(entry) -> list[tuple[bool, str]]:
        entries = entry if "suffixes" in texts else [entry]
        return [(False, e) if isinstance(e, str) else tuple(e) for e in entries]

    statements = {}
    for statement, entry in (pair for table in tables for pair in table.items()):
        for suffix, (holds, reason) in zip(suffixes, read_reasons(entry), strict=True):
            quoted = f"“{statement}”" + (f"{suffix}." if suffix else "")
            statements[reason] = holds, quoted

    def make(claims):
        reasons = {}
        for k, suffix in enumerate(suffixes):
            for q, statement in enumerate(claims):
                _, reason = read_reasons(tables[q][statement])[k]
                reasons[f"number {q + 1}{suffix}"] = reason
        lines = [f"{key.capitalize()}: {reason}" for key, reason in reasons.items()]
        count = NUMBER_WORDS[sum(statements[reason][0] for reason in reasons.values())]
        praise = " ".join([texts["praise"].format(true=count.capitalize()), *lines])
        return Exercise(praise, values=TrueFalse(reasons, statements, texts["advice"]))

    make.__name__, make.__module__ = name, f"halfspaces.exercises.{chapter}"
    return exercise(claims=[*map(tuple, tables)])(make)


def _sizes(choices) -> Iterator[int]:
    """Yield the number of choices for each number."""
    for values in choices:
        yield from _sizes(values) if isinstance(values, list) else [len(values)]


def _combination(choices, index: int) -> tuple:
    """Return the combination with this index in the list of all combinations."""

    def pick(values):
        nonlocal index
        index, k = divmod(index, len(values))
        return values[k]

    return _choose(choices, pick)


def _choose(values, pick: Callable):
    """Return pick(values) for a tuple or range; for a list, a tuple of choices."""
    if isinstance(values, list):
        return tuple(_choose(part, pick) for part in values)
    return pick(values)
