"""Short review questions: one TOML file for each chapter.

    [bound]
    draw = { R = [2, 3, 5], k = [2, 4] }
    ask = 'The length is at most {{R}}, the margin at least $1/{{k}}$. How many updates?'
    number = 'R**2 * k**2'
    wrong = [['R * k', 'Both are squared.'], ['R**2 * k', 'The margin is also squared.']]
    why = 'Novikoff says $R^2/\\gamma^2$.'

A question asks for a `number` or, with a `choice`, for one of several sentences.  A
question with `draw` has different numbers for each seed: {{double braces}} contain
expressions in these numbers, and numeric answers are expressions.  The Review page
asks the questions; in a notebook `ask("perceptron", seed=3)` shows them.
"""

import html
import re
import tomllib
from dataclasses import dataclass
from math import comb, exp, log, sqrt
from pathlib import Path

import numpy as np

from halfspaces.formatting import format_number

CHAPTERS = ("geometry", "features", "perceptron", "least_squares", "logistic", "sgd")
CHAPTERS += ("svm", "boosting", "feature_selection", "sparsity", "multiclass")
FUNCTIONS = {f.__name__: f for f in (abs, comb, exp, log, max, sqrt, sum)}


@dataclass(frozen=True)
class Question:
    """A question with its numbers, with TeX between dollar signs.

    right  the answer: a number or one of the sentences
    wrong  {wrong answer: its explanation} of likely mistakes
    why    explanation of the right answer
    """

    name: str
    ask: str
    right: float | str
    wrong: dict
    why: str

    def _repr_html_(self) -> str:
        choices = sorted([self.right, *self.wrong]) if isinstance(self.right, str) else []
        items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in choices)
        right = self.right if choices else format_number(self.right, "plain")
        return (
            f'<div class="tex2jax_process"><p>{html.escape(self.ask)}</p><ul>{items}</ul>'
            f"<details><summary>Answer</summary><p>{html.escape(right)}</p>"
            f"<p>{html.escape(self.why)}</p></details></div>"
        )


class Questions(list):
    """Questions that a notebook displays one below the other."""

    def _repr_html_(self) -> str:
        return "".join(question._repr_html_() for question in self)


def ask(chapter: str, seed: int = 0) -> Questions:
    """Return the questions of a chapter, with numbers drawn from a seed >= 0.

    Raises ValueError for an unknown chapter or an invalid seed.
    """
    if chapter not in CHAPTERS:
        raise ValueError(f"chapter must be one of {', '.join(CHAPTERS)}; got {chapter!r}")
    if not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed must be a whole number, at least 0; got {seed!r}")
    text = Path(__file__).with_name(f"{chapter}.toml").read_text("utf-8")
    return draw(tomllib.loads(text), seed)


def draw(entries: dict, seed: int) -> Questions:
    """Return the questions of a file, with numbers drawn from a seed."""
    return Questions(_draw_one(name, entry, seed) for name, entry in entries.items())


def _draw_one(name: str, entry: dict, seed: int) -> Question:
    rng = np.random.default_rng(seed)
    pools = entry.get("draw", {})
    numbers = {k: values[rng.integers(len(values))] for k, values in pools.items()}

    def evaluate(expression: str):
        return eval(expression, {"__builtins__": {}, **FUNCTIONS}, numbers)

    def fill_in(text: str) -> str:
        return re.sub(r"\{\{(.+?)\}\}", lambda match: _format(evaluate(match[1])), text)

    def answer(text: str) -> float | str:
        return fill_in(text) if "choice" in entry else float(evaluate(text))

    wrong = {answer(text): fill_in(explanation) for text, explanation in entry["wrong"]}
    right = answer(entry["choice" if "choice" in entry else "number"])
    return Question(name, fill_in(entry["ask"]), right, wrong, fill_in(entry["why"]))


def _format(value) -> str:
    """Format a number or a vector of a question."""
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(_format, value))})"
    return format_number(value, "plain") if isinstance(value, (int, float)) else str(value)
