"""What exercises ask for: each kind has a right answer, and slips with their sentences."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from itertools import combinations

import numpy as np

from halfspaces.exercises import Nothing, NotYet, Stopped, answers, call, refuse
from halfspaces.exercises.words import SMALL, InWords
from halfspaces.formatting import format_value


class InFile:
    """What has its sentences in the chapter's file.

    words   {name: sentence} of that file
    fills   what is filled in there, as {name}, beside what a fault has of its own
    slips   {wrong answer: what is said of it}
    """

    words, fills, slips, places = {}, {}, {}, 1

    def told(self, words: dict, fills: dict):
        """The same, with its words of the chapter's file."""
        self.words, self.fills = words, fills
        return self

    def say(self, name: str) -> str:
        """The sentence of this name; a sentence that is not in the file is its own name."""
        if name not in self.words:
            return str(name)
        fills = self.fills | getattr(name, "values", {})
        return InWords().vformat(self.words[name], (), fills)

    def judged(self, judge: Callable, *answers) -> str:
        """What `judge` returns, or raises as NotYet, as the chapter's file says it."""
        try:
            return self.say(judge(*answers) or "praise")
        except NotYet as fault:
            said, slip = self.say(fault.said), self.say(fault.slip)
            raise NotYet(said, slip, fault.score) from None


@dataclass
class Number(InFile):
    """A number to give, or an array of them.

    right   the answer, up to half a unit of the last of so many `digits` after the point
    slips   {wrong answer: what is said of it}, where {} stands for the answer
    hint    what is said of any other one, or a function of it
    begin   the words before each sentence
    among   the whole numbers that it is one of, such as range(10)
    """

    right: object
    slips: dict = field(default_factory=dict)
    hint: str | Callable = ""
    begin: str = ""
    digits: int = 3
    among: range | None = None

    def told(self, words: dict, fills: dict) -> "Number":
        super().told({"begin": "", "hint": ""} | words, fills)
        self.slips = {wrong: self.say(said) for wrong, said in self.slips.items()}
        self.begin = self.say(self.begin or "begin")
        self.hint = self.hint if callable(self.hint) else self.say(self.hint or "hint")
        return self

    def examine(self, name: str, answer):
        count = SMALL[np.size(self.right)]
        asked = f"{count} number{'s' * (count != 'one')} for “{name}”"
        got = answers.numbers(answer, np.shape(self.right), asked)
        got = got if got.shape else float(got)
        if not answers.near(got, self.right, self.digits):
            said = self._said(got)
            raise NotYet(said.replace("{}", format_value(got, "tidy")), said)

    def _said(self, got) -> str:
        if self.among and got not in self.among:
            first, last = self.among[0], self.among[-1]
            return f"A whole number from {first} to {last} is wanted; this is {{}}."
        for slip, said in self.slips.items():
            if np.shape(slip) == np.shape(got) and answers.near(got, slip, self.digits):
                return self.begin + said
        close = np.minimum(0.5 * 10.0 ** (2 - self.digits), 0.03 * np.abs(self.right))
        if np.all(np.abs(got - self.right) <= close):
            digits = f"{SMALL[self.digits]} digits after the point"
            return f"Your {{}} is near; {digits} must be right."
        return self.begin + self.say(self.hint(got) if callable(self.hint) else self.hint)


class Truths(InFile):
    """Statements: whether each is true, and which of three reasons decides one of them.

    Values and the letter of the reason are judged together, so that flipping one value
    after the other does not win.

    facts  {what a statement is called: the reason}
    about  {a reason: (whether its statement is true, the statement)}, also of statements
           not asked about
    look   what to look at, for whoever errs
    """

    def __init__(self, facts: dict, about: dict[str, tuple[bool, str]], look: str):
        self.names, self.look = [*facts], look
        self.values = tuple(about[why][0] for why in facts.values())
        rng = np.random.default_rng([*map(int, self.values)])
        asked = str(rng.choice([*facts]))
        own, told = facts[asked], {*facts.values()}
        # What proves one true statement may prove another, so the others are of the other
        # kind; those of statements not asked about come first.
        others = [why for why in rng.permutation([*about]).tolist()
            if about[why][0] != about[own][0]]  # fmt: skip
        others.sort(key=lambda why: why in told)
        choices = rng.permutation([own, *others[:2]]).tolist()
        self.options = dict(zip("abc", choices, strict=True))
        listed = " ".join(f"{x}) {why}" for x, why in self.options.items())
        self.question = f"Which reason decides {asked}? {listed} Give its letter, in "
        self.question += "quotes, after your values."
        letter = "abc"[choices.index(own)]
        self.right, self.places = (*self.values, letter), len(self.values) + 1
        self.slips = {
            (*self.values, x): f"{x}) decides another statement"
            f"{', not asked here' * (why not in told)}: {about[why][1]} {look}"
            for x, why in self.options.items()
            if x != letter
        }

    def examine(self, name: str, answer):
        given = [answer]
        for _ in range(3):  # values, in one column or two, and the letter
            given = [v for part in given for v in answers.listed(part) or [part]]
        last = given.pop() if len(given) > 1 and isinstance(given[-1], str) else ""
        letter, own = last.strip(" ().").lower(), answers.truths(given, len(self.values))
        wrong = sum(v != right for v, right in zip(own, self.values, strict=True))
        score = 1 - (wrong + (letter != self.right[-1])) / self.places
        if letter not in self.options:
            raise NotYet(self.question, score=score)
        if letter != self.right[-1]:
            raise NotYet(self.slips[*self.values, letter], score=score)
        if wrong:
            of = f"{SMALL[wrong]} of the {SMALL[len(self.values)]} values"
            are = "is" if wrong == 1 else "are"
            said = f"{letter}) is the reason, but {of} {are} wrong. {self.look}"
            raise NotYet(said, score=score)


@dataclass
class Function(InFile):
    """A function to write, which is tried beside the right one.

    right   the function
    cases   the arguments of each trial, or a function that yields them
    slips   {wrong function: what is said of who gives its answer}; in the file a word
            stands for the right function with slip=word
    hint    what is said of any other answer; one for each part if it has several
    tried   says which trial it was, with {x} for the argument x, see `InWords`; or
            tried(*arguments)
    gives   how its answer is called; several names if it returns a tuple
    wrong   how `said`, of a slip, is told: with `tried` and with what it gave, as `got`,
            as `parts`, with `all` numbers in one, or as a `value` to be rounded
    fault   fault(answer, *arguments) may say more of an answer that no slip gives
    judge   judge(answer, *arguments) refuses what is wrong where several are right; then
            neither `slips` nor what follows counts
    rtol    the right digits that are wanted; `nearly` is said of fewer
    finite  said of numbers that are nan or infinite; without it the hint
    none    said of None where it is not right, or none(*arguments); where it is, `fault`
            says why
    long    said beside of a run that was stopped
    zeros   said of a right answer whose exact zeros are others, if it matters
    praise  what is said if all are right

    In a chapter all of these words stand in the chapter's file, and under `says` what
    `fault`, `judge` and `none` name.
    """

    right: Callable
    cases: Iterable | Callable
    slips: dict = field(default_factory=dict)
    hint: str | tuple[str, ...] = ""
    tried: str | Callable = ""
    gives: tuple[str, ...] = ("it",)
    wrong: str = "{tried} it gave {got}. {said}"
    fault: Callable | None = None
    judge: Callable | None = None
    rtol: float = 1e-9
    nearly: str = "Is it float32, or rounded?"
    finite: str = ""
    none: str | Callable = ""
    long: str = ""
    zeros: str = ""
    praise: str = ""

    def told(self, words: dict, fills: dict) -> "Exercise":
        """The exercise that asks for it."""
        super().told(words.get("says", {}), fills)
        for name in {*words} - {"ask", "hints", "says", "slips"}:
            setattr(self, name, words[name])
        for slip, said in words.get("slips", {}).items():
            self.slips[partial(self.right, slip=slip)] = said
        return Exercise(self.praise, function=self)

    def examine(self, name: str, function):
        with np.errstate(all="ignore"):
            for case in self.cases() if callable(self.cases) else self.cases:
                try:
                    got = call(function, *case)
                except Nothing:
                    if self.right(*case) is None:
                        continue
                    said = self.none(*case) if callable(self.none) else self.none
                    said = self.say(said)
                    refuse((said, f"{self._trial(case)} {said}"))
                    raise
                except Stopped as fault:
                    raise NotYet(f"{fault} {self.long}".strip()) from None
                try:
                    self.judged(self.judge or self._compare, got, *case)
                except NotYet as fault:
                    said = f"{fault}{self._data(case, str(fault))}"
                    raise NotYet(said, fault.slip) from None

    def _named(self, case) -> dict:
        return dict(zip(signature(self.right).parameters, case, strict=False))

    def _trial(self, case) -> str:
        if callable(self.tried):
            return self.tried(*case)
        return InWords().vformat(self.tried, (), self._named(case))

    def _data(self, case, told: str) -> str:
        """The arrays of a trial, where they have few rows and are not told already."""
        arrays = [(k, v) for k, v in self._named(case).items() if isinstance(v, np.ndarray)]
        few = arrays and max(len(v) for _, v in arrays) <= 6
        new = [(k, v) for k, v in arrays if v.size > 8 or format_value(v) not in told]
        said = ", ".join(f"{k} = {v.round(4).tolist()}" for k, v in new)
        return f" The data: {said}." if few and new and len(said) <= 160 else ""

    def _compare(self, got, *case):
        tried, want = self._trial(case), self.right(*case)
        if want is None:
            raise NotYet(f"{tried} {self.say(self.fault(got, *case))}")
        want, parts = self._parts(want), self._parts(got)
        if len(parts) != len(want):
            asked = ", ".join(name.removeprefix("your ") for name in self.gives)
            came = format_value(got, "tidy")
            raise NotYet(f"{tried} it gave {came}; return ({asked}).")
        if answers.alike(parts, want, self.rtol):
            if self.zeros and np.any(np.equal(got, 0) != np.equal(want[0], 0)):
                raise NotYet(self._said(tried, got, parts, self.zeros))
            return
        hints = [self.hint] * len(want) if isinstance(self.hint, str) else self.hint
        for name, part, hint in zip(self.gives, parts, hints, strict=True):
            it = f"{tried} {name}".strip()
            answers.check_numbers(part, it, hint, self.finite)
        for slip, said in self.slips.items():
            other = self._parts(slip(*case))
            if answers.alike(parts, other, 1e-5) and not answers.alike(other, want, 1e-5):
                raise NotYet(self._said(tried, got, parts, said), said)
        if self.fault and [*map(answers.shape_of, parts)] == [*map(np.shape, want)]:
            values = (answers.floats(part)[()] for part in parts)
            said = self.say(self.fault(*values, *case) or "")
            refuse((said, f"{tried} {said}"))
        for name, part, right, hint in zip(self.gives, parts, want, hints, strict=True):
            it = f"{tried} {name}".strip()
            answers.compare(part, right, it, hint, self.rtol, self.nearly)

    def _said(self, tried, got, parts, said) -> str:
        values = [*map(answers.floats, parts)]
        told = {"all": format_value(np.hstack([*map(np.ravel, values)]))}
        told |= {"value": values[0], "parts": [format_value(p, "tidy") for p in parts]}
        told |= {"tried": tried, "got": format_value(got, "tidy"), "said": said}
        return self.wrong.format(**told)

    def _parts(self, answer) -> tuple:
        several = answers.listed(answer) if len(self.gives) > 1 else None
        return (answer,) if several is None else tuple(several)


@dataclass
class Answer(InFile):
    """Anything else: `judge(answer)` raises NotYet with what is said of a wrong one."""

    right: object
    judge: Callable

    def examine(self, name: str, answer):
        self.judged(self.judge, answer)


class Exercise(InFile):
    """The praise for an exercise, and what is asked for, by name.

    praise  the values of the praise may be filled in elsewhere, too
    places  how many of its answers earn a share of its score, each the same
    """

    def __init__(self, praise: str = "praise", **asked):
        self.praise, self.asked = praise, asked
        self.right = tuple(part.right for part in asked.values())
        self.places = sum(part.places for part in asked.values())

    def told(self, words: dict, fills: dict) -> "Exercise":
        super().told(words, fills | getattr(self.praise, "values", {}))
        self.praise = self.say(self.praise)
        for name, part in self.asked.items():
            part.told(words.get(name, {}), self.fills)
        return self

    def names(self) -> list[str]:
        return [*self.asked]

    def examine(self, *given) -> str:
        faults, lost = [], 0.0
        for (name, part), answer in zip(self.asked.items(), given, strict=True):
            try:
                part.examine(name.replace("_", " "), answer)
            except NotYet as fault:
                faults.append(fault)
                lost += part.places * (1 - fault.score)
        if faults:
            faults[0].score = 1 - lost / self.places
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
    """An exercise with many right answers: it asks for no parts.

    judge  judge(*answers) returns the praise, if it is not "praise", or raises NotYet
    right  one right answer for each argument of `judge`
    """

    def __init__(self, judge: Callable, *right):
        super().__init__(praise="")
        self.judge, self.right, self.places = judge, right, 1

    def names(self) -> list[str]:
        return [*signature(self.judge).parameters]

    def examine(self, *given) -> str:
        return self.judged(self.judge, *given)


def certificate(Z, y, right, points: str) -> Open:
    """Weights a >= 0 with sum a y z = 0, which prove that no w separates the rows of Z.

    points  what each weight belongs to

    The chapter's file says what is said of such `weights` that are none, and of a
    coordinate_1 or coordinate_2 that is not 0.
    """

    def judge(weights):
        count = len(y)
        a = answers.numbers(weights, (count,), f"{SMALL[count]} weights, one for {points}")
        refuse((a.min() < 0 or not a.any(), "weights"), a=a)
        for place, total in enumerate((a * y) @ Z, start=1):
            refuse((abs(total) > 1e-9 * a.max(), f"coordinate_{place}"), total=total)

    return Open(judge, right)
