"""Types of questions: each has a solution, and misconceptions with their replies."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from itertools import combinations

import numpy as np

from halfspaces.exercises import ReturnedNone, answers, call
from halfspaces.exercises.answers import WrongAnswer, fail_if, format_tidy, is_close
from halfspaces.exercises.texts import NUMBER_WORDS, fill_message
from halfspaces.formatting import format_value

__all__ = ["Custom", "Exercise", "FreeForm", "Function", "Number", "TrueFalse"]
__all__ += ["certificate"]


class Question:
    """A question with its texts, and the values to fill into them as {name}.

    misconceptions  {wrong answer: the reply}
    points          the number of values in the answer
    """

    misconceptions, points = {}, 1

    def set_texts(self, texts: dict, values: dict) -> None:
        self.texts, self.values = texts, values

    def reply(self, key: str, /, **values) -> str:
        """Return the text of a key with values; return any other text unchanged."""
        if key not in self.texts:
            return key
        return fill_message(self.texts[key], self.values | values)

    def run(self, check: Callable, *args):
        """Call `check`; replace the key in a WrongAnswer by its text."""
        try:
            return check(*args)
        except WrongAnswer as error:
            keys = str(error), error.misconception
            replies = (self.reply(key, **error.values) for key in keys)
            raise WrongAnswer(*replies, error.score) from None


@dataclass
class Number(Question):
    """A number or an array of numbers.

    solution        the right answer; answers that round to the same `digits` are right
    misconceptions  {wrong answer: key of the reply; with values, a WrongAnswer}
    explain         explain(answer) returns values for the hint or raises WrongAnswer
    check           check(answer) raises WrongAnswer before the shape is checked
    allowed         the integers that can be given, such as range(10)

    In the texts, {} stands for the answer.  The text `begin` opens each reply; `hint` is
    the reply to a wrong answer that is not listed.  A key can also be the text itself.
    """

    solution: object
    misconceptions: dict = field(default_factory=dict)
    explain: Callable | None = None
    check: Callable | None = None
    digits: int = 3
    allowed: range | None = None

    def set_texts(self, texts: dict, values: dict) -> None:
        super().set_texts({"begin": "", "hint": ""} | texts, values)
        self.misconceptions = {
            wrong: self.reply(str(error), **getattr(error, "values", {}))
            for wrong, error in self.misconceptions.items()
        }

    def evaluate(self, name: str, answer) -> None:
        if self.check:
            self.run(self.check, answer)
        count = NUMBER_WORDS[np.size(self.solution)]
        description = f"{count} number{'s' * (count != 'one')} for “{name}”"
        got = answers.read_numbers(answer, np.shape(self.solution), description)
        got = got if got.shape else float(got)
        if not self.equal(got, self.solution):
            reply = self._explain(got)
            pairs = zip(np.ravel(got), np.ravel(self.solution), strict=True)
            score = np.mean([self.equal(*pair) for pair in pairs])
            raise WrongAnswer(reply.replace("{}", format_tidy(got)), reply, float(score))

    @property
    def points(self) -> int:
        return np.size(self.solution)

    def _explain(self, got) -> str:
        if self.allowed and got not in self.allowed:
            first, last = self.allowed[0], self.allowed[-1]
            return f"Give a whole number from {first} to {last}; this is {{}}."
        begin = self.reply("begin")
        for wrong, reply in self.misconceptions.items():
            if self.equal(got, wrong):
                return begin + reply
        limits = 0.5 * 10.0 ** (2 - self.digits), 0.03 * np.abs(self.solution)
        if np.all(np.abs(got - self.solution) <= np.minimum(*limits)):
            digits = f"{NUMBER_WORDS[self.digits]} digits after the point"
            return f"Your {{}} is near; {digits} must be right."
        try:
            values = self.run(self.explain, got) if self.explain else {}
        except WrongAnswer as error:
            return begin + str(error)
        return begin + self.reply("hint", **(values or {}))

    def equal(self, one, other) -> bool:
        # half a unit of the last digit, and rounding error
        return is_close(one, other, atol=0.5001 * 10.0**-self.digits)


class TrueFalse(Question):
    """Truth values of statements, and the reason for one statement.

    The reader chooses one of three reasons and gives its letter with the truth values.
    Truth values alone could be found by trial and error.

    reasons     {name of a statement: its reason}
    statements  {reason: (truth value, statement)}, including statements that are not asked
    advice      the end of the reply to a wrong answer
    """

    def __init__(self, reasons: dict, statements: dict[str, tuple[bool, str]], advice: str):
        self.names, self.advice = [*reasons], advice
        self.truths = tuple(statements[reason][0] for reason in reasons.values())
        rng = np.random.default_rng([*map(int, self.truths)])
        name = str(rng.choice([*reasons]))
        reason, asked = reasons[name], {*reasons.values()}
        # The reason for a true statement may also prove another one, so the other options
        # are for statements of the opposite truth value, if possible not asked here.
        opposite = [r for r in rng.permutation([*statements]).tolist()
            if statements[r][0] != statements[reason][0]]  # fmt: skip
        opposite.sort(key=lambda r: r in asked)
        choices = rng.permutation([reason, *opposite[:2]]).tolist()
        self.options = dict(zip("abc", choices, strict=True))
        options = " ".join(f"{letter}) {r}" for letter, r in self.options.items())
        self.question = f"Which reason decides {name}? {options} Give its letter, in "
        self.question += "quotes, after your values."
        self.letter = "abc"[choices.index(reason)]
        self.solution, self.points = (*self.truths, self.letter), len(self.truths) + 1
        self.misconceptions = {
            (*self.truths, letter): f"{letter}) decides another statement"
            f"{', not asked here' * (r not in asked)}: {statements[r][1]} {advice}"
            for letter, r in self.options.items()
            if letter != self.letter
        }

    def evaluate(self, name: str, answer) -> None:
        entries = [answer]
        for _ in range(3):  # truth values, in one column or two, and the letter
            entries = [v for entry in entries for v in answers.to_list(entry) or [entry]]
        has_letter = len(entries) > 1 and type(entries[-1]) in (str, np.str_)
        last = entries.pop() if has_letter else ""
        letter = last.strip(" ().").lower()
        if len(entries) == len(self.truths):  # None is wrong
            pairs = zip(entries, self.truths, strict=True)
            entries = [not right if v is None else v for v, right in pairs]
        truths = answers.read_bools(entries, len(self.truths))
        wrong = sum(v != right for v, right in zip(truths, self.truths, strict=True))
        score = 1 - (wrong + (letter != self.letter)) / self.points
        if letter not in self.options:
            raise WrongAnswer(self.question, "", score)
        if letter != self.letter:
            raise WrongAnswer(self.misconceptions[*self.truths, letter], "", score)
        if wrong:
            count = f"{NUMBER_WORDS[wrong]} of the {NUMBER_WORDS[len(truths)]} values"
            verb = "is" if wrong == 1 else "are"
            reply = f"{letter}) is the reason, but {count} {verb} wrong. {self.advice}"
            raise WrongAnswer(reply, "", score)


@dataclass
class Function(Question):
    """A function to write, compared with the solution in some cases.

    solution  the function; its parameter `bug`, if any, is the name of a mistake to make
    cases     tuples of arguments or a function that yields them
    explain   explain(answer, *arguments) raises WrongAnswer for an answer that no bug gives
    check     check(answer, *arguments) replaces the comparison if several answers are right
    case      case(*arguments) describes the arguments, like the text `case`
    if_none   if_none(*arguments) returns the key of the reply to None, by default "none"
    rtol      relative tolerance of the comparison

    Texts in the chapter's TOML file:

    bugs        {name of a bug: the reply}
    replies     {key: the reply}, for explain, check and if_none
    hint        the reply to any other wrong answer; a list of replies for several parts
    case        the description of the arguments, with {x} for the argument x
    parts       names of the parts of the answer, if it is a tuple
    reply       combines {case}, the answer as {got}, {parts}, {all} or its first {value},
                and the {message} about a bug
    imprecise   the reply to too few correct digits
    not_finite  the reply to nan and infinity, by default the hint
    too_slow    the end of the reply if a call exceeds a limit
    not_zero    the reply to tiny numbers in place of 0
    """

    solution: Callable
    cases: Iterable | Callable
    misconceptions: dict = field(default_factory=dict)
    explain: Callable | None = None
    check: Callable | None = None
    case: Callable | None = None
    if_none: Callable | None = None
    rtol: float = 1e-9

    def set_texts(self, texts: dict, values: dict) -> None:
        super().set_texts(texts.get("replies", {}), values)
        self.hint, self.not_finite = texts.get("hint", ""), texts.get("not_finite", "")
        self.case_text, self.parts = texts.get("case", ""), texts.get("parts", ["it"])
        self.template = texts.get("reply", "{case} it gave {got}. {message}")
        self.imprecise = texts.get("imprecise", "Is it float32, or rounded?")
        self.too_slow, self.not_zero = texts.get("too_slow", ""), texts.get("not_zero", "")
        for name, reply in texts.get("bugs", {}).items():
            self.misconceptions[partial(self.solution, bug=name)] = reply

    def evaluate(self, name: str, function) -> None:
        with np.errstate(all="ignore"):
            for case in self.cases() if callable(self.cases) else self.cases:
                try:
                    got = call(function, *case, too_slow=self.too_slow)
                except ReturnedNone:
                    if self.solution(*case) is None:
                        continue
                    key = self.if_none(*case) if self.if_none else "none"
                    fail_if(key in self.texts, f"{self._describe(case)} {self.reply(key)}")
                    raise
                try:
                    self.run(self.check or self._compare, got, *case)
                except WrongAnswer as error:
                    reply = f"{error}{self._describe_data(case, str(error))}"
                    raise WrongAnswer(reply, error.misconception) from None

    def _name_arguments(self, case) -> dict:
        return dict(zip(signature(self.solution).parameters, case, strict=False))

    def _describe(self, case) -> str:
        if self.case:
            return self.case(*case)
        return fill_message(self.case_text, self._name_arguments(case))

    def _describe_data(self, case, reply: str) -> str:
        """Format the arrays if they have few rows and the reply does not show them yet."""
        arguments = self._name_arguments(case).items()
        arrays = [(k, v) for k, v in arguments if isinstance(v, np.ndarray)]
        short = arrays and max(len(v) for _, v in arrays) <= 6
        missing = [(k, v) for k, v in arrays if v.size > 8 or format_value(v) not in reply]
        data = ", ".join(f"{k} = {_round(v).tolist()}" for k, v in missing)
        return f" The data: {data}." if short and missing and len(data) <= 160 else ""

    def _compare(self, got, *case):
        description, solution = self._describe(case), self.solution(*case)
        if solution is None:
            self._run_explain(description, got, *case)
        solution, parts = self._split(solution), self._split(got)
        if len(parts) != len(solution):
            names = ", ".join(name.removeprefix("your ") for name in self.parts)
            reply = f"{description} it gave {format_tidy(got)}; return ({names})."
            raise WrongAnswer(reply)
        if self._equal(parts, solution, self.rtol):
            first = solution[0]
            if self.not_zero and np.any((answers.to_floats(got) == 0) != (first == 0)):
                reply = self._format_reply(description, got, parts, self.not_zero)
                raise WrongAnswer(reply)
            return
        hints = [self.hint] * len(solution) if isinstance(self.hint, str) else self.hint
        names = [f"{description} {name}".strip() for name in self.parts]
        for k, (name, part) in enumerate(zip(names, parts, strict=True)):
            # the hint for a later part says that the earlier parts are right
            hint = hints[k if self._equal(parts[:k], solution[:k], self.rtol) else 0]
            answers.require_finite(part, name, hint, self.not_finite)
        for name, part, right in zip(names, parts, solution, strict=True):
            is_integer = isinstance(part, np.ndarray) and part.dtype.kind in "iu"
            reply = f"{name} gave an integer array, which drops every fractional part."
            fail_if(is_integer and not is_close(np.round(right), right, atol=1e-9), reply)
        for buggy, message in self.misconceptions.items():
            wrong = self._split(buggy(*case))
            if self._equal(parts, wrong, 1e-5) and not self._equal(wrong, solution, 1e-5):
                reply = self._format_reply(description, got, parts, message)
                raise WrongAnswer(reply, message)
        if self.explain and [*map(answers.shape_of, parts)] == [*map(np.shape, solution)]:
            numbers = (answers.to_floats(part)[()] for part in parts)
            self._run_explain(description, *numbers, *case)
        for name, part, right, hint in zip(names, parts, solution, hints, strict=True):
            answers.require_close(part, right, name, hint, self.rtol, self.imprecise)

    def _run_explain(self, description: str, *args) -> None:
        try:
            self.run(self.explain, *args)
        except WrongAnswer as error:
            raise WrongAnswer(f"{description} {error}") from None

    def _format_reply(self, description: str, got, parts, message: str) -> str:
        numbers = [*map(answers.to_floats, parts)]
        return self.template.format(
            case=description,
            got=format_tidy(got),
            parts=[*map(format_tidy, parts)],
            all=format_value(np.hstack([*map(np.ravel, numbers)])),
            value=numbers[0],
            message=message,
        )

    @staticmethod
    def _equal(parts, others, rtol: float) -> bool:
        equal = (is_close(*pair, rtol=rtol) for pair in zip(parts, others, strict=False))
        return len(parts) == len(others) and all(equal)

    def _split(self, answer) -> tuple:
        several = answers.to_list(answer) if len(self.parts) > 1 else None
        return (answer,) if several is None else tuple(several)


def _round(values: np.ndarray) -> np.ndarray:
    """Round to four decimals (twelve to keep tiny differences)."""
    rounded = values.round(4)
    return values.round(12) if is_close(values, rounded, atol=1e-6) else rounded


@dataclass
class Custom(Question):
    """Any other answer: check(answer) raises WrongAnswer if it is wrong."""

    solution: object
    check: Callable

    def evaluate(self, name: str, answer) -> None:
        self.run(self.check, answer)


class Exercise(Question):
    """An exercise of one or more questions, each with the name of its answer.

    praise  a dict of values for all texts, or a str that replaces the praise
    """

    def __init__(self, praise: dict | str | None = None, /, **parts: Question):
        self.praise, self.parts = praise or {}, parts
        self.solution = tuple(part.solution for part in parts.values())
        self.points = sum(part.points for part in parts.values())

    def set_texts(self, texts: dict, values: dict) -> None:
        if isinstance(self.praise, dict):
            values, self.praise = values | self.praise, "praise"
        super().set_texts(texts, values)
        for name, part in self.parts.items():
            part.set_texts(texts | texts.get(name, {}), values)

    def names(self) -> list[str]:
        return [*self.parts]

    def evaluate(self, *args) -> str:
        """Return the praise; raise the first WrongAnswer, with the score of all parts."""
        errors, lost = [], 0.0
        for (name, part), answer in zip(self.parts.items(), args, strict=True):
            try:
                part.evaluate(name.replace("_", " "), answer)
            except WrongAnswer as error:
                errors.append(error)
                lost += part.points * (1 - error.score)
        if errors:
            errors[0].score = 1 - lost / self.points
            raise errors[0]
        return self.reply(self.praise)

    def mistakes(self) -> Iterator:
        """Yield (answers, reply) for each misconception; the other answers are right."""
        for k, part in enumerate(self.parts.values()):
            for wrong, reply in part.misconceptions.items():
                yield (*self.solution[:k], wrong, *self.solution[k + 1 :]), reply

    def has_distinct_misconceptions(self) -> bool:
        """Return True if the solution and misconceptions of each number all differ."""
        return not any(
            part.equal(*pair)
            for part in self.parts.values()
            if isinstance(part, Number)
            for pair in combinations([part.solution, *part.misconceptions], 2)
        )


class FreeForm(Exercise):
    """An exercise with many right answers.

    check     check(*answers) raises WrongAnswer or returns values for the praise; the value
              `key` replaces the key "praise"
    solution  a right answer for each argument of `check`
    """

    def __init__(self, check: Callable, *solution):
        super().__init__()
        self.check, self.solution, self.points = check, solution, 1

    def names(self) -> list[str]:
        return [*signature(self.check).parameters]

    def evaluate(self, *args) -> str:
        values = self.run(self.check, *args) or {}
        return self.reply(values.get("key", "praise"), **values)


def certificate(Z, y, solution, items: str) -> FreeForm:
    """Ask for weights a >= 0 with sum a y z = 0: they prove that no w separates the z.

    items  words for the examples in the reply, such as "each point"

    Texts: `invalid_weights`, and `sum_1_not_zero`, ... for each coordinate of the sum.
    """

    def check_weights(weights):
        description = f"{NUMBER_WORDS[len(y)]} weights, one for {items}"
        a = answers.read_numbers(weights, (len(y),), description)
        fail_if(a.min() < 0 or not a.any(), "invalid_weights", smallest=a.min())
        for k, total in enumerate((a * y) @ Z, start=1):
            fail_if(not abs(total) <= 1e-9 * a.max(), f"sum_{k}_not_zero", total=total)

    return FreeForm(check_weights, solution)
