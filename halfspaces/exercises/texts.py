"""The texts of the exercises: load them, fill in values, display them."""

import html
import re
import tomllib
from functools import cache
from importlib.resources import files
from string import Formatter

from halfspaces.formatting import format_value

NUMBER_WORDS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight"]
NUMBER_WORDS += ["nine", "ten", "eleven", "twelve"]


class Paragraph:
    """A text that displays itself in a notebook as a paragraph with a CSS class."""

    def __init__(self, text: str, style: str):
        self.text, self.style = text, style

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        text = html.escape(self.text).replace("\n", "<br>")
        return f'<p class="{self.style}">{text}</p>'


class Hint(Paragraph):
    """A hint, with TeX between dollar signs and code between backticks."""

    def _repr_html_(self) -> str:
        return re.sub(r"`(.+?)`", r"<code>\1</code>", super()._repr_html_())


def hint(chapter: str, exercise: str, stage: int = 1) -> Hint:
    """Return the first or second hint; for any other stage, a usage message."""
    text = "There are two hints, `hint(1)` and `hint(2)`."
    if stage in (1, 2):
        text = load_texts(chapter)[exercise]["hints"][stage - 1]
    return Hint(text, "tex2jax_process")


@cache
def load_texts(chapter: str) -> dict:
    """Return {exercise: its texts} of a chapter's TOML file; {} if it does not exist."""
    file = files("halfspaces.exercises").joinpath(f"{chapter}.toml")
    text = file.read_text("utf-8") if file.is_file() else ""
    return tomllib.loads(text)


class NamedFunction:
    """A function whose repr is its name, for messages."""

    def __init__(self, name: str, function):
        self.name, self.function = name, function

    def __call__(self, *args):
        return self.function(*args)

    def __repr__(self):
        return self.name


def describe_error(error: BaseException) -> str:
    """Format the type and the message of an error on one line."""
    try:
        message = " ".join(str(error).split())
    except (Exception, SystemExit):
        message = ""
    if "Cannot cast ufunc" in message:
        message += ". Begin with floats, as np.zeros gives them."
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return text if len(text) <= 200 else text[:197] + "..."


class _MessageFormatter(Formatter):
    def get_value(self, key, args, kwargs):
        return "{}" if isinstance(key, int) else kwargs[key]

    def convert_field(self, value, conversion):
        return len(value) if conversion == "n" else value

    def format_field(self, value, spec: str) -> str:
        if spec == "s":
            return "s" if value > 1 else ""
        if spec or isinstance(value, (str, int)):
            return format(value, spec)
        return format_value(value, "tidy")


class _QuestionFormatter(Formatter):
    def format_field(self, value, spec: str) -> str:
        if isinstance(value, str):
            return value
        if not isinstance(value, tuple):
            return format(value, f"{spec}g").replace("-", "−")
        parts = [self.format_field(part, spec) for part in value]
        if isinstance(value[0], str):
            return "".join(f"\n{q}. {part}" for q, part in enumerate(parts, start=1))
        return ", ".join(f"({p})" if isinstance(value[0], tuple) else p for p in parts)


def fill_message(template: str, values: dict) -> str:
    """Fill values into a reply; {} is left in place for the reader's answer.

    {x} is formatted by `format_value`, numbers with six digits; {x!n} is the length of x,
    {x:s} is "s" if x > 1, and other format specifications are as in str.format.
    """
    return _MessageFormatter().vformat(template, (), values)


def fill_question(question: str, values: dict) -> str:
    """Fill values into a question, and join its lines.

    Numbers become 0.5 or −2, and +1 with {y:+}; rows become (1, 2), (3, 4).
    Statements are numbered, one on each line.
    """
    return _QuestionFormatter().vformat(" ".join(question.split()), (), values)
