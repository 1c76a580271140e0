"""Exercises as values: what is asked, the right answer, each slip with its sentence.

The arguments of a function that `exercise` decorates are the numbers that are printed.
`check.halfway(2.5)` judges an answer to them; `check.halfway.another(7)` is the question
with other numbers, drawn from what the decorator lists.  The questions of a chapter stand
beside it, in geometry.toml, with hints and all else that is said.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial, wraps
from inspect import signature

import numpy as np

from halfspaces.exercises import Verdict, checker, unfilled
from halfspaces.exercises.hints import Words
from halfspaces.exercises.kinds import Answer, Exercise, Function, Number, Open, Truths
from halfspaces.exercises.words import SMALL, filled, written
from mlcore import checks

__all__ = ["Another", "Answer", "Exercise", "Function", "Number", "Open", "Truths"]
__all__ += ["exercise", "truths"]


class Another(Words):
    """An exercise with other numbers: displays its question, and judges an answer to it.

    Called with the three dots of a stub it is the question once more.

    reason  what is asked beside it, of who has given the values; or ""
    """

    def __init__(self, seed: int, text: str, check: Callable, reason: str):
        super().__init__(text, "hs-verdict hs-untried")
        self.seed, self.check, self.reason = seed, check, reason

    def __call__(self, *given) -> "Verdict | Another":
        if any(map(unfilled, given)):
            return self
        verdict = self.check(*given)
        said = f"{verdict.said} (Seed {self.seed}.)"
        return Verdict(verdict.right, said, verdict.slip, verdict.score)


def exercise(make: Callable | None = None, /, **drawn_from) -> Callable:
    """The checker of the exercise that a function makes of the numbers in it.

    drawn_from  of what each argument is drawn for other numbers: a tuple or a range, or a
                list of them for each of several; an argument without a default has the
                first of them in print

    The function returns None for numbers that make no good question.  The question is its
    docstring, or `ask` of the chapter's words, with the {names} of what is drawn: {y:+}
    shows signs, see `Filled`.
    """
    if make is None:
        return partial(exercise, **drawn_from)
    words = written(make.__module__.rpartition(".")[2]).get(make.__name__, {})
    make.__doc__ = make.__doc__ or words.get("ask")
    printed = {
        name: _first(drawn_from[name]) if p.default is p.empty else p.default
        for name, p in signature(make).parameters.items()
    }

    def numbers(seed: int) -> Iterator[dict]:
        # with this first number hardly any two neighbors of the first ten seeds agree
        rng = np.random.default_rng([277, seed])
        while seed and drawn_from:
            yield {name: _drawn(source, rng) for name, source in drawn_from.items()}
        yield printed

    @cache
    def made(seed: int = 0) -> tuple[dict, Exercise]:
        for drawn in numbers(seed):
            value = make(**drawn)
            value = value and value.told(words, printed | drawn)
            if value and (not seed or is_sound(drawn, value)):
                return drawn, value

    def is_sound(drawn, value) -> bool:
        counts = {len([*one.tries()]) for one in (value, made()[1])}
        return drawn != printed and len(counts) == 1 and value.tells_apart()

    def another(seed: int) -> Another:
        """The question with other numbers; for seed 0 it is the printed one.

        seed  a whole number from 0 on; else ValueError
        """
        drawn, value = made(checks.integer("seed", seed, at_least=0) * check.varied)
        text = "The question as it is printed: it has no other numbers."
        text = filled(make.__doc__, drawn) if check.varied else text
        parts = value.asked.values()
        reason = "".join(part.question for part in parts if isinstance(part, Truths))
        judges = checker(value.examine, value.names)
        return Another(seed, f"Seed {seed}. {text}", judges, reason)

    examine = wraps(make)(lambda *given: made()[1].examine(*given))
    check = checker(examine, lambda: made()[1].names())
    check.made, check.drawn = lambda seed=0: made(seed)[1], {*drawn_from}
    check.another, check.varied = another, bool(drawn_from)
    return check


def truths(chapter: str, name: str) -> Callable:
    """The checker of an exercise that asks which statements are true, and why.

    In the chapter's words a statement has its reason: a sentence if it is false, and
    [true, sentence] if it is true; with `fits` a list of them, one for each.
    """
    of = written(chapter)[name]
    fits, places = of.get("fits", [""]), of["places"]

    def judged(entry) -> list[tuple[bool, str]]:
        """Whether a statement holds, and why, for each of `fits`."""
        facts = entry if "fits" in of else [entry]
        return [(False, fact) if isinstance(fact, str) else tuple(fact) for fact in facts]

    about = {
        why: (holds, f"“{said}”{words and f'{words}.'}")
        for place in places
        for said, entry in place.items()
        for words, (holds, why) in zip(fits, judged(entry), strict=True)
    }

    def make(claims):
        facts = {
            f"number {q}{words}": judged(place[said])[fit][1]
            for fit, words in enumerate(fits)
            for q, (said, place) in enumerate(zip(claims, places, strict=True), start=1)
        }
        why = [f"{key.capitalize()}: {why}" for key, why in facts.items()]
        true = SMALL[sum(about[why][0] for why in facts.values())].capitalize()
        praise = " ".join([of["praise"].format(true=true), *why])
        return Exercise(praise, values=Truths(facts, about, of["look"]))

    make.__name__, make.__module__ = name, f"halfspaces.exercises.{chapter}"
    return exercise(claims=[*map(tuple, places)])(make)


def _first(source):
    return tuple(map(_first, source)) if isinstance(source, list) else source[0]


def _drawn(source, rng):
    if isinstance(source, list):
        return tuple(_drawn(part, rng) for part in source)
    return source[rng.integers(len(source))]
