"""Two hints for each exercise: what to look at, and the first step."""

import html
import re

from mlcore.book.exercises.words import written


class Hint:
    """A hint, with TeX between dollar signs and code between backticks."""

    def __init__(self, text: str):
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        text = re.sub(r"`(.+?)`", r"<code>\1</code>", html.escape(self.text, quote=False))
        return f'<p class="tex2jax_process">{text}</p>'


def hint(chapter: str, exercise: str, stage: int = 1) -> Hint:
    """The first hint for an exercise, or the second; else what there is."""
    if stage not in (1, 2):
        return Hint("There are two hints, `hint(1)` and `hint(2)`.")
    return Hint(written(chapter)[exercise]["hints"][stage - 1])
