"""Short questions on what one should still know next week: a file in TOML each chapter.

    [bound]
    draw = { R = [2, 3, 5], k = [2, 4] }
    ask = 'The length is at most {{R}}, the margin at least $1/{{k}}$. How many updates?'
    number = 'R**2 * k**2'
    wrong = [['R * k', 'Both are squared.'], ['R**2 * k', 'The margin is squared, too.']]
    why = 'Novikoff says $R^2/\\gamma^2$.'

A question asks for a `number` or, with a `choice`, for one of several sentences.  One that
draws has other numbers for each seed, in all its parts: within two braces stands an
expression in what is drawn, and an answer that is a number is such an expression.  The
page Review asks the questions; in a notebook `ask("perceptron", seed=3)` shows them.
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
WORDS = {"abs": abs, "comb": comb, "exp": exp, "log": log, "max": max, "sqrt": sqrt}
WORDS |= {"sum": sum}


@dataclass(frozen=True)
class Question:
    """A question with its numbers, and TeX between dollar signs.

    right  the answer: a number, or the sentence to choose
    wrong  {wrong answer: what is said of it}; of numbers the likely slips, of sentences
           all that stand beside the right one
    why    what is said of the right answer, and to who gives up
    """

    name: str
    ask: str
    right: float | str
    wrong: dict
    why: str

    def _repr_html_(self) -> str:
        choices = sorted([self.right, *self.wrong]) if isinstance(self.right, str) else []
        among = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in choices)
        right = self.right if choices else format_number(self.right, "plain")
        return (
            f'<div class="tex2jax_process"><p>{html.escape(self.ask)}</p><ul>{among}</ul>'
            f"<details><summary>Answer</summary><p>{html.escape(right)}</p>"
            f"<p>{html.escape(self.why)}</p></details></div>"
        )


class Questions(list):
    """Questions, which a notebook displays one below the other."""

    def _repr_html_(self) -> str:
        return "".join(question._repr_html_() for question in self)


def ask(chapter: str, seed: int = 0) -> Questions:
    """The questions of a chapter with the numbers of a seed, at least 0.

    Raises ValueError for another chapter or seed.
    """
    if chapter not in CHAPTERS:
        raise ValueError(f"chapter must be one of {', '.join(CHAPTERS)}; got {chapter!r}")
    if not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed must be a whole number, at least 0; got {seed!r}")
    written = Path(__file__).with_name(f"{chapter}.toml").read_text("utf-8")
    return drawn(tomllib.loads(written), seed)


def drawn(written: dict, seed: int) -> Questions:
    """The questions that a file holds, with the numbers of a seed."""
    return Questions(_drawn(name, of, seed) for name, of in written.items())


def _drawn(name: str, of: dict, seed: int) -> Question:
    rng = np.random.default_rng(seed)
    names = {k: among[rng.integers(len(among))] for k, among in of.get("draw", {}).items()}

    def value(expression: str):
        return eval(expression, {"__builtins__": {}, **WORDS}, names)

    def text(written: str) -> str:
        return re.sub(r"\{\{(.+?)\}\}", lambda found: _shown(value(found[1])), written)

    answer = text if "choice" in of else lambda written: float(value(written))
    wrong = {answer(one): text(said) for one, said in of["wrong"]}
    right = answer(of["choice" if "choice" in of else "number"])
    return Question(name, text(of["ask"]), right, wrong, text(of["why"]))


def _shown(value) -> str:
    """A number as a text shows it; a list as a vector."""
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(_shown, value))})"
    return format_number(value, "plain") if isinstance(value, (int, float)) else str(value)
