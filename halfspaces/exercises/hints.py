"""What an exercise says, which displays itself; and its two hints."""

import html
import re

from halfspaces.exercises.words import written


class Words:
    """A text of one or more lines, and the class of its paragraph."""

    def __init__(self, text: str, style: str):
        self.text, self.style = text, style

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        text = html.escape(self.text).replace("\n", "<br>")
        return f'<p class="{self.style}">{text}</p>'


class Hint(Words):
    """A hint, with TeX between dollar signs and code between backticks."""

    def _repr_html_(self) -> str:
        return re.sub(r"`(.+?)`", r"<code>\1</code>", super()._repr_html_())


def hint(chapter: str, exercise: str, stage: int = 1) -> Hint:
    """The first hint for an exercise, or the second; else what there is."""
    said = "There are two hints, `hint(1)` and `hint(2)`."
    if stage in (1, 2):
        said = written(chapter)[exercise]["hints"][stage - 1]
    return Hint(said, "tex2jax_process")
