'''Exercises as values: what is asked, the right answer, each slip with its sentence.

    @exercise(low=range(-3, 2), high=(4, 6, 8))
    def halfway(low=1, high=4):
        """Which number is in the middle between {low} and {high}?"""
        slips = {low + high: "{} is the sum."}
        middle = Number((low + high) / 2, slips, "Add them up, then halve.")
        return Exercise("It is as far from one as from the other.", middle=middle)

Its arguments are the numbers that are printed.  `check.halfway(2.5)` judges an answer to
them; `check.halfway.another(7)` is the question with other numbers, drawn from what the
decorator lists and put into the docstring, and judges answers when it is called.  The tests
try each slip.
'''

import html
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from inspect import signature
from itertools import combinations

import numpy as np

from mlcore.book.exercises import (
    Nothing,
    NotYet,
    Verdict,
    answers,
    call,
    checker,
    refuse,
    unfilled,
)
from mlcore.book.exercises.words import SMALL, filled, short, shown
from mlcore.options import check_integer


@dataclass(frozen=True)
class Number:
    """A number to give, or an array of them.

    right   the answer, up to half a unit of the last of so many `digits` after the point
    slips   {wrong answer: what is said of it}, where {} stands for the answer
    hint    what is said of any other one: a sentence, or a function of it
    begin   the words before each sentence
    among   the whole numbers that it is one of, such as range(10)
    """

    right: object
    slips: dict = field(default_factory=dict)
    hint: str | Callable = ""
    begin: str = ""
    digits: int = 3
    among: range | None = None

    def examine(self, name: str, answer):
        count = SMALL[np.size(self.right)]
        asked = f"the {name}, {count} number{'s' * (count != 'one')}"
        got = answers.numbers(answer, np.shape(self.right), asked)
        got = got if got.shape else float(got)
        if not answers.near(got, self.right, self.digits):
            said = self._said(got)
            raise NotYet(said.replace("{}", shown(got)), said)

    def _said(self, got) -> str:
        if self.among and got not in self.among:
            first, last = self.among[0], self.among[-1]
            return f"A whole number from {first} to {last} is wanted; this is {{}}."
        for slip, said in self.slips.items():
            if np.shape(slip) == np.shape(got) and answers.near(got, slip, self.digits):
                return self.begin + said
        close = np.minimum(0.5 * 10.0 ** (2 - self.digits), 0.03 * np.abs(self.right))
        if np.all(np.abs(got - self.right) <= close):
            return f"Your {{}} is near; give {SMALL[self.digits]} digits after the point."
        return self.begin + (self.hint(got) if callable(self.hint) else self.hint)


class Truths:
    """Statements: whether each is true, and which of three reasons decides one of them.

    Values and the letter of the reason are judged together, so that flipping one value
    after the other does not win.

    facts  {what a statement is called: (whether it is true, the reason, or "")}
    about  {a reason: the statement that it decides}, also of statements not asked about
    look   what to look at, for whoever errs
    """

    def __init__(self, facts: dict, about: dict[str, str], look: str):
        self.names, self.look = [*facts], look
        self.values = tuple(holds for holds, _ in facts.values())
        reasons = {name: why for name, (_, why) in facts.items() if why}
        rng = np.random.default_rng([*map(int, self.values)])
        asked = str(rng.choice([*reasons]))
        own, told = reasons[asked], {*reasons.values()}
        others = sorted(rng.permutation([*about]).tolist(), key=lambda why: why in told)
        others.remove(own)  # those of statements not asked about come first
        choices = rng.permutation([own, *others[:2]]).tolist()
        self.options = dict(zip("abc", choices, strict=True))
        listed = " ".join(f"{x}) {why}" for x, why in self.options.items())
        self.question = f"Which reason decides {asked}? {listed} Give its letter, in "
        self.question += "quotes, after your values."
        letter = "abc"[choices.index(own)]
        self.right = (*self.values, letter)
        self.slips = {
            (*self.values, x): f"{x}) decides another statement: “{about[why]}” {look}"
            for x, why in self.options.items()
            if x != letter
        }
        for q, holds in enumerate(self.values):
            flipped = (*self.values[:q], not holds, *self.values[q + 1 :], letter)
            self.slips[flipped] = self._wrong(1)

    def _wrong(self, count: int) -> str:
        of = f"{SMALL[count]} of the {SMALL[len(self.values)]} values"
        are = "is" if count == 1 else "are"
        return f"{self.right[-1]}) is the reason, but {of} {are} wrong. {self.look}"

    def examine(self, name: str, answer):
        parts = answers.listed(answer) or [answer]
        given = [v for part in parts for v in answers.listed(part) or [part]]
        last = given.pop() if len(given) > 1 and isinstance(given[-1], str) else ""
        letter, own = last.strip().lower(), answers.truths(given, len(self.values))
        if letter not in self.options:
            raise NotYet(self.question)
        refuse((letter != self.right[-1], self.slips.get((*self.values, letter), "")))
        wrong = sum(v != right for v, right in zip(own, self.values, strict=True))
        refuse((wrong > 0, self._wrong(wrong)))


@dataclass(frozen=True)
class Function:
    """A function to write, which is tried beside the right one.

    right   the function
    cases   the arguments of each trial, or a function that yields them
    slips   {wrong function: what is said of who gives its answer}; a word stands for
            the right function with slip=word
    hint    what is said of any other answer; one for each part if it has several
    tried   tried(*arguments) says which trial it was
    gives   how its answer is called; several names if it returns a tuple
    wrong   how `said`, of a slip, is told: with `tried` and with what it gave, as `got`,
            as `parts`, with `all` numbers in one, or as a `value` to be rounded
    fault   fault(answer, *arguments) may say more of an answer that no slip gives
    rtol    the right digits that are wanted; `nearly` is said of fewer
    none    none(*arguments) is said of None where it is not right; where it is, `fault`
            says why
    """

    right: Callable
    cases: Iterable | Callable
    slips: dict
    hint: str | tuple[str, ...]
    tried: Callable
    gives: tuple[str, ...] = ("it",)
    wrong: str = "{tried} it gave {got}. {said}"
    fault: Callable | None = None
    rtol: float = 1e-9
    nearly: str = "Is it float32, or rounded?"
    none: Callable = lambda *case: ""

    def __post_init__(self):
        for slip in [word for word in self.slips if isinstance(word, str)]:
            self.slips[partial(self.right, slip=slip)] = self.slips.pop(slip)

    def examine(self, name: str, function):
        with np.errstate(all="ignore"):
            for case in self.cases() if callable(self.cases) else self.cases:
                try:
                    self.judge(call(function, *case), case)
                except Nothing:
                    if self.right(*case) is not None:
                        said = self.none(*case)
                        refuse((said, f"{self.tried(*case)} {said}"))
                        raise

    def judge(self, got, case):
        tried, want = self.tried(*case), self.right(*case)
        if want is None:
            raise NotYet(f"{tried} {self.fault(got, *case)}")
        want, parts = self._parts(want), self._parts(got)
        if len(parts) != len(want):
            asked = ", ".join(name.removeprefix("your ") for name in self.gives)
            raise NotYet(f"{tried} {shown(got)} came back; return ({asked}).")
        if answers.alike(parts, want, self.rtol):
            return
        for slip, said in self.slips.items():
            other = self._parts(slip(*case))
            if answers.alike(parts, other, 1e-5) and not answers.alike(other, want, 1e-5):
                raise NotYet(self._told(tried, got, parts, said), said)
        if self.fault and [*map(answers.shape_of, parts)] == [*map(np.shape, want)]:
            said = self.fault(*map(answers.floats, parts), *case)
            if said:
                raise NotYet(f"{tried} {said}")
        hints = (self.hint,) if isinstance(self.hint, str) else self.hint
        hints = hints * (len(want) // len(hints))
        for name, part, right, hint in zip(self.gives, parts, want, hints, strict=True):
            it = f"{tried} {name}".strip()
            answers.compare(part, right, it, hint, self.rtol, self.nearly)

    def _told(self, tried, got, parts, said) -> str:
        values = [*map(answers.floats, parts)]
        told = {
            "all": short(np.hstack([*map(np.ravel, values)])),
            "value": values[0],
            "said": said,
        }
        parts = [*map(shown, parts)]
        return self.wrong.format(tried=tried, got=shown(got), parts=parts, **told)

    def _parts(self, answer) -> tuple:
        several = len(self.gives) > 1 and isinstance(answer, (tuple, list))
        return tuple(answer) if several else (answer,)


@dataclass(frozen=True)
class Answer:
    """Anything else: `judge(answer)` raises NotYet with what is said of a wrong one."""

    right: object
    judge: Callable
    slips: dict = field(default_factory=dict)

    def examine(self, name: str, answer):
        self.judge(answer)


class Exercise:
    """The praise for an exercise, and what is asked for, by name."""

    def __init__(self, praise: str, **asked):
        self.praise, self.asked = praise, asked
        self.right = tuple(part.right for part in asked.values())

    def names(self) -> list[str]:
        return [*self.asked]

    def examine(self, *given) -> str:
        faults = []
        for (name, part), answer in zip(self.asked.items(), given, strict=True):
            try:
                part.examine(name.replace("_", " "), answer)
            except NotYet as fault:
                faults.append(fault)
        if faults:
            faults[0].score = 1 - len(faults) / len(self.asked)
            raise faults[0]
        return self.praise

    def tries(self) -> Iterator:
        """(answers of which one is a slip, what is said of it) of each slip."""
        for k, part in enumerate(self.asked.values()):
            for slip, said in part.slips.items():
                yield (*self.right[:k], slip, *self.right[k + 1 :]), said

    def tells_apart(self) -> bool:
        """Whether no slip in a number is the right answer or another slip."""
        return all(
            np.shape(one) != np.shape(other) or not answers.near(one, other, part.digits)
            for part in self.asked.values()
            if isinstance(part, Number)
            for one, other in combinations([part.right, *part.slips], 2)
        )


class Open(Exercise):
    """An exercise with many right answers.

    judge  judge(*answers) returns the praise, or raises NotYet
    right  one right answer for each argument of `judge`
    slips  {wrong answers, or a function: what is said of them}
    """

    def __init__(self, judge: Callable, *right, slips: dict | None = None):
        self.examine, self.right, self.slips = judge, right, slips or {}

    def names(self) -> list[str]:
        return [*signature(self.examine).parameters]

    def tries(self) -> Iterator:
        for wrong, said in self.slips.items():
            yield (wrong if isinstance(wrong, tuple) else (wrong,)), said

    def tells_apart(self) -> bool:
        return True


class Another:
    """An exercise with other numbers: displays its question, and judges an answer to it.

    Called with the three dots of a stub it is the question once more.

    whole   whether its text is the question; else the printed one, on other data
    reason  what is asked beside it, of who has given the values; or ""
    """

    def __init__(self, seed: int, text: str, check: Callable, whole: bool, reason: str):
        self.seed, self.text, self.check, self.whole = seed, text, check, whole
        self.reason = reason

    def __call__(self, *given) -> "Verdict | Another":
        if any(map(unfilled, given)):
            return self
        verdict = self.check(*given)
        said = f"{verdict.said} (Seed {self.seed}.)"
        return Verdict(verdict.right, said, verdict.slip, verdict.score)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        text = html.escape(self.text).replace("\n", "<br>")
        return f'<p class="hs-verdict hs-untried">{text}</p>'


def certificate(Z, y, right, points: str, *hints: str) -> Open:
    """Weights a >= 0 with sum a y z = 0, which prove that no w separates the rows of Z.

    points  what each weight belongs to
    hints   for each coordinate what is said of a sum that is not 0, which is {}
    """

    def judge(weights):
        count = len(y)
        a = answers.numbers(weights, (count,), f"{SMALL[count]} weights, one for {points}")
        refuse(
            (a.min() < 0 or not a.any(), f"Your weights are {short(a)}. None may be "
             "negative, and not all may be zero: otherwise the sum of weighted margins "
             "proves nothing."),
            *((abs(total) > 1e-9 * a.max(), hint.format(shown(total)))
              for total, hint in zip((a * y) @ Z, hints, strict=True)),
        )  # fmt: skip
        return ("Every w has margins whose sum with these weights is zero: not all are "
            "positive.")  # fmt: skip

    return Open(judge, right, slips={(tuple(-right),): "None may be negative"})


def exercise(make: Callable | None = None, /, **drawn_from) -> Callable:
    """The checker of the exercise that a function makes of the numbers in it.

    drawn_from  of what each argument is drawn for other numbers: a tuple or a range, or a
                list of them for each of several; an argument without a default has the
                first of them in print; an argument `seed` is the seed itself

    The function returns None for numbers that make no good question.  Its docstring is the
    question, with the {names} of what is drawn: {y:+} shows signs, see `Filled`.
    """
    if make is None:
        return partial(exercise, **drawn_from)
    printed = {
        name: _first(drawn_from[name]) if p.default is p.empty else p.default
        for name, p in signature(make).parameters.items()
    }

    def numbers(seed: int) -> Iterator[dict]:
        # with this first number hardly any two neighbors of the first ten seeds agree
        rng = np.random.default_rng([277, seed])
        while seed and drawn_from:
            yield {name: _drawn(source, rng) for name, source in drawn_from.items()}
        yield {**printed, "seed": seed} if "seed" in printed else printed

    @cache
    def made(seed: int = 0) -> tuple[dict, Exercise]:
        for drawn in numbers(seed):
            value = make(**drawn)
            if value and (not seed or is_sound(drawn, value)):
                return drawn, value

    def is_sound(drawn, value) -> bool:
        if drawn == printed:
            return False
        slips, of_print = ([*one.tries()] for one in (value, made()[1]))
        return len(slips) == len(of_print) and value.tells_apart()

    def another(seed: int) -> Another:
        """The question with other numbers; for seed 0 it is the printed one.

        seed  a whole number from 0 on; else ValueError
        """
        drawn, value = made(check_integer("seed", seed, at_least=0))
        text = "The question as it is printed" + ", but tried on other data." * (seed > 0)
        text = filled(make.__doc__, drawn) if drawn_from else text
        check = checker(value.examine, value.names)
        parts = getattr(value, "asked", {}).values()
        reason = "".join(part.question for part in parts if isinstance(part, Truths))
        return Another(seed, f"Seed {seed}. {text}", check, bool(drawn_from), reason)

    check = checker(lambda *given: made()[1].examine(*given), lambda: made()[1].names())
    check.__name__, check.__module__, check.__doc__ = (
        make.__name__, make.__module__, make.__doc__)  # fmt: skip
    check.made, check.drawn = lambda seed=0: made(seed)[1], {*drawn_from}
    if drawn_from or "seed" in printed:
        check.another = another
    return check


@cache
def written(chapter: str, name: str) -> dict:
    """What claims.toml has of an exercise."""
    toml = files("mlcore.book.exercises").joinpath("claims.toml").read_text("utf-8")
    return tomllib.loads(toml)[chapter][name]


def truths(chapter: str, name: str) -> Callable:
    """The checker of an exercise that asks which statements are true."""
    of = written(chapter, name)
    fits, places = of.get("fits", [""]), of["places"]

    def judged(place, said, fit) -> tuple[bool, str]:
        fact = place[said][fit] if "fits" in of else place[said]
        return (not fact, fact) if isinstance(fact, str) else tuple(fact)

    about = {
        why: said
        for place in places
        for said in place
        for fit in range(len(fits))
        if (why := judged(place, said, fit)[1])
    }

    def make(claims):
        facts = {
            f"number {q}{words}": judged(place, said, fit)
            for fit, words in enumerate(fits)
            for q, (said, place) in enumerate(zip(claims, places, strict=True), start=1)
        }
        why = [f"{key.capitalize()}: {why}" for key, (_, why) in facts.items() if why]
        true = SMALL[sum(holds for holds, _ in facts.values())].capitalize()
        praise = " ".join([of["praise"].format(true=true), *why])
        return Exercise(praise, values=Truths(facts, about, of["look"])) if why else None

    make.__name__, make.__module__ = name, f"mlcore.book.exercises.{chapter}"
    make.__doc__ = of["ask"]
    return exercise(claims=[*map(tuple, places)])(make)


def _first(source):
    return tuple(map(_first, source)) if isinstance(source, list) else source[0]


def _drawn(source, rng):
    if isinstance(source, list):
        return tuple(_drawn(part, rng) for part in source)
    return source[rng.integers(len(source))]
