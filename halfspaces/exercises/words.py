"""How a checker says a value in plain words."""

import tomllib
from functools import cache
from importlib.resources import files
from string import Formatter

from halfspaces.formatting import format_value

SMALL = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
SMALL += ["ten", "eleven", "twelve"]


class Named:
    """A function that replies call by this name."""

    def __init__(self, name: str, function):
        self.name, self.function = name, function

    def __call__(self, *args):
        return self.function(*args)

    def __repr__(self):
        return self.name


def told(error: BaseException) -> str:
    """The type of an error and what it says, on one line."""
    try:
        words = " ".join(str(error).split())
    except (Exception, SystemExit):
        words = ""
    if "Cannot cast ufunc" in words:
        words += ". Begin with floats, as np.zeros gives them."
    text = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return text if len(text) <= 200 else text[:197] + "..."


class InWords(Formatter):
    """Fills in {x}: numbers tidily, words as they are, else in short, as {x!r} does always;
    {x!n} as its length, {x:s} as the s of a plural, {x:.3g} in this format.  {} stays.
    """

    def get_value(self, key, args, kwargs):
        return "{}" if isinstance(key, int) else kwargs[key]

    def convert_field(self, value, conversion):
        change = {"n": len, "r": format_value}.get(conversion)
        return change(value) if change else value

    def format_field(self, value, spec: str) -> str:
        if spec == "s":
            return "s" * (value > 1)
        if spec or isinstance(value, (str, int)):
            return format(value, spec)
        return format_value(value, "tidy")


class Said(str):
    """The name of a sentence in the chapter's file, with what is filled in there."""

    def __new__(cls, name: str, /, **values):
        said = super().__new__(cls, name)
        said.values = values
        return said


class Filled(Formatter):
    """Fills the {names} of a question with 0.5, −2, +1 for {y:+}, rows as (1, 2), (3, 4);
    sentences are numbered, each on a line.
    """

    def format_field(self, value, spec: str) -> str:
        if isinstance(value, str):
            return value
        if not isinstance(value, tuple):
            return format(value, f"{spec}g").replace("-", "−")
        parts = [self.format_field(part, spec) for part in value]
        if isinstance(value[0], str):
            return "".join(f"\n{q}. {part}" for q, part in enumerate(parts, start=1))
        return ", ".join(f"({p})" if isinstance(value[0], tuple) else p for p in parts)


def filled(question: str, values: dict) -> str:
    """A question with these values, on one line, and its sentences below it."""
    return Filled().vformat(" ".join(question.split()), (), values)


@cache
def written(chapter: str) -> dict:
    """{exercise: its words} of a chapter's file; none of a module without one."""
    file = files("halfspaces.exercises").joinpath(f"{chapter}.toml")
    text = file.read_text("utf-8") if file.is_file() else ""
    return tomllib.loads(text)
