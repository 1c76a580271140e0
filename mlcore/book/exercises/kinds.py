"""What exercises ask for: each kind has a right answer, and slips with their sentences."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import signature
from itertools import combinations

import numpy as np

from mlcore.book.exercises import Nothing, NotYet, Stopped, answers, call, refuse
from mlcore.book.exercises.words import SMALL, InWords, short, shown


@dataclass(frozen=True)
class Number:
    """A number to give, or an array of them.

    right   the answer, up to half a unit of the last of so many `digits` after the point
    slips   {wrong answer: what is said of it}, where {} stands for the answer
    hint    what is said of any other one: a sentence, or a function of it
    begin   the words before each sentence
    among   the whole numbers that it is one of, such as range(10)

    What holds no computed number may stand in the chapter's file; see `told`.
    """

    right: object
    slips: dict = field(default_factory=dict)
    hint: str | Callable = ""
    begin: str = ""
    digits: int = 3
    among: range | None = None
    places = 1

    def told(self, words: dict) -> "Number":
        """The same, with its words of the chapter's file in place of their names."""
        slips = {wrong: words.get(said, said) for wrong, said in self.slips.items()}
        own = {key: words[key] for key in ("hint", "begin") if key in words}
        return replace(self, slips=slips, **own)

    def examine(self, name: str, answer):
        count = SMALL[np.size(self.right)]
        asked = f"{count} number{'s' * (count != 'one')} for “{name}”"
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

    facts  {what a statement is called: (whether it is true, the reason)}
    about  {a reason: (whether its statement is true, the statement)}, also of statements
           not asked about
    look   what to look at, for whoever errs
    """

    def __init__(self, facts: dict, about: dict[str, tuple[bool, str]], look: str):
        self.names, self.look = [*facts], look
        self.values = tuple(holds for holds, _ in facts.values())
        reasons = {name: why for name, (_, why) in facts.items()}
        rng = np.random.default_rng([*map(int, self.values)])
        asked = str(rng.choice([*reasons]))
        own, told = reasons[asked], {*reasons.values()}
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
        for q, holds in enumerate(self.values):
            flipped = (*self.values[:q], not holds, *self.values[q + 1 :], letter)
            self.slips[flipped] = self._wrong(1)

    def _wrong(self, count: int) -> str:
        of = f"{SMALL[count]} of the {SMALL[len(self.values)]} values"
        are = "is" if count == 1 else "are"
        return f"{self.right[-1]}) is the reason, but {of} {are} wrong. {self.look}"

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
            raise NotYet(self._wrong(wrong), score=score)


@dataclass
class Function:
    """A function to write, which is tried beside the right one.

    right   the function
    cases   the arguments of each trial, or a function that yields them
    slips   {wrong function: what is said of who gives its answer}; a word stands for
            the right function with slip=word
    hint    what is said of any other answer; one for each part if it has several
    tried   says which trial it was, with {x} for the argument x, see `InWords`; or
            tried(*arguments)
    gives   how its answer is called; several names if it returns a tuple
    wrong   how `said`, of a slip, is told: with `tried` and with what it gave, as `got`,
            as `parts`, with `all` numbers in one, or as a `value` to be rounded
    fault   fault(answer, *arguments) may say more of an answer that no slip gives
    judge   judge(answer, *arguments) refuses what is wrong where several are right; then
            none of what follows counts
    rtol    the right digits that are wanted; `nearly` is said of fewer
    finite  said of numbers that are nan or infinite; without it the hint
    none    said of None where it is not right, or none(*arguments); where it is, `fault`
            says why
    long    said beside of a run that was stopped
    zeros   said of a right answer whose exact zeros are others, if it matters
    praise  what is said if all are right

    In a chapter its words stand in the chapter's file; see `told`.
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
    places = 1

    def __post_init__(self):
        self.slips = {
            partial(self.right, slip=slip) if isinstance(slip, str) else slip: said
            for slip, said in self.slips.items()
        }

    def told(self, words: dict) -> "Exercise":
        """The exercise that asks for it, with its words of the chapter's file."""
        of = {name: said for name, said in words.items() if name not in ("ask", "hints")}
        of["slips"] = self.slips | words.get("slips", {})
        whole = replace(self, **of)
        return Exercise(whole.praise, function=whole)

    def examine(self, name: str, function):
        with np.errstate(all="ignore"):
            for case in self.cases() if callable(self.cases) else self.cases:
                try:
                    got = call(function, *case)
                except Nothing:
                    if self.right(*case) is None:
                        continue
                    said = self.none(*case) if callable(self.none) else self.none
                    refuse((said, f"{self._trial(case)} {said}"))
                    raise
                except Stopped as fault:
                    raise NotYet(f"{fault} {self.long}".strip()) from None
                try:
                    (self.judge or self._compare)(got, *case)
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
        new = [(k, v) for k, v in arrays if v.size > 8 or short(v) not in told]
        said = ", ".join(f"{k} = {v.round(4).tolist()}" for k, v in new)
        return f" The data: {said}." if few and new and len(said) <= 160 else ""

    def _compare(self, got, *case):
        tried, want = self._trial(case), self.right(*case)
        if want is None:
            raise NotYet(f"{tried} {self.fault(got, *case)}")
        want, parts = self._parts(want), self._parts(got)
        if len(parts) != len(want):
            asked = ", ".join(name.removeprefix("your ") for name in self.gives)
            raise NotYet(f"{tried} it gave {shown(got)}; return ({asked}).")
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
            said = self.fault(*map(answers.floats, parts), *case)
            refuse((said, f"{tried} {said}"))
        for name, part, right, hint in zip(self.gives, parts, want, hints, strict=True):
            it = f"{tried} {name}".strip()
            answers.compare(part, right, it, hint, self.rtol, self.nearly)

    def _said(self, tried, got, parts, said) -> str:
        values, parts = [*map(answers.floats, parts)], [*map(shown, parts)]
        told = {"all": short(np.hstack([*map(np.ravel, values)])), "value": values[0]}
        told |= {"tried": tried, "got": shown(got), "parts": parts, "said": said}
        return self.wrong.format(**told)

    def _parts(self, answer) -> tuple:
        several = answers.listed(answer) if len(self.gives) > 1 else None
        return (answer,) if several is None else tuple(several)


@dataclass(frozen=True)
class Answer:
    """Anything else: `judge(answer)` raises NotYet with what is said of a wrong one."""

    right: object
    judge: Callable
    slips: dict = field(default_factory=dict)
    places = 1

    def examine(self, name: str, answer):
        self.judge(answer)


class Exercise:
    """The praise for an exercise, and what is asked for, by name.

    places  how many of its answers earn a share of its score, each the same
    """

    def __init__(self, praise: str = "", **asked):
        self.praise, self.asked = praise, asked
        self.right = tuple(part.right for part in asked.values())
        self.places = sum(part.places for part in asked.values())

    def told(self, words: dict) -> "Exercise":
        """The exercise with its words of the chapter's file."""
        self.praise = self.praise or words.get("praise", "")
        for name, part in self.asked.items():
            if isinstance(part, Number):
                self.asked[name] = part.told(words.get(name, {}))
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

    judge  judge(*answers) returns the praise, or raises NotYet
    right  one right answer for each argument of `judge`
    slips  {wrong answers, or a function: what is said of them}
    """

    def __init__(self, judge: Callable, *right, slips: dict | None = None):
        super().__init__()
        self.places = 1
        self.examine, self.right, self.slips = judge, right, slips or {}

    def names(self) -> list[str]:
        return [*signature(self.examine).parameters]

    def tries(self) -> Iterator:
        for wrong, said in self.slips.items():
            yield (wrong if isinstance(wrong, tuple) else (wrong,)), said


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
