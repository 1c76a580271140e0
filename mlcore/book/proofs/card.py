"""A proved statement as the reader meets it: one line that unfolds into all of it."""

import html
from dataclasses import dataclass

CODE = "<!-- code -->"  # here the page puts the cell that made the proof


@dataclass(frozen=True)
class Refutation:
    """A wrong version of a claim, and the exact numbers that refute it.

    change     what is wrong in it
    statement  the wrong right side in TeX
    at         the numbers, which satisfy all hypotheses
    left       the left side there
    wrong      the wrong right side there
    """

    change: str
    statement: str
    at: str
    left: str
    wrong: str


@dataclass(frozen=True, eq=False)
class Proof:
    """A proved statement; displays itself in a notebook and on the page of checks.

    name       what is claimed, in words
    statement  the same in TeX
    given      all that is assumed, in words with TeX between dollar signs
    refuted    wrong versions of it
    code       the mlcore function that gives the same numbers, or None
    """

    name: str
    statement: str
    given: str
    refuted: tuple[Refutation, ...]
    code: str | None

    @property
    def anchor(self) -> str:
        words = "".join(c if c.isalnum() else " " for c in self.name.lower()).split()
        return "check-" + "-".join(words)

    def __repr__(self) -> str:
        return f"proved: {self.name}"

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        refuted = [vars(refutation) for refutation in self.refuted]
        record = {**vars(self), "refuted": refuted, "anchor": self.anchor}
        data = {"text/plain": repr(self), "text/html": self._repr_html_()}
        return data, {"proof": record}  # what the page of checks is made of

    def _repr_html_(self) -> str:
        tie = f"<p>The same numbers as <code>{self.code}</code>.</p>" if self.code else ""
        return (
            f'<details class="hs-check tex2jax_process" id="{self.anchor}"><summary>'
            f"<strong>{html.escape(self.name)}</strong> · {html.escape(self.given)}"
            f"</summary><p>$$ {self.statement} $$</p>{tie}{refutations(self.refuted)}"
            f"{CODE}</details>"
        )


def refutations(refuted) -> str:
    """A table of wrong versions, each with the numbers at which it fails."""
    rows = "".join(
        f"<tr><td>{html.escape(r.change)}</td><td>${r.statement}$</td>"
        f"<td>{html.escape(r.at)}</td><td>{r.left}</td><td>{r.wrong}</td></tr>"
        for r in refuted
    )
    head = "<th>wrong version</th><th>right side</th><th>refuted by</th>"
    return (
        f'<div class="hs-scroll"><table class="hs-refuted"><thead><tr>{head}'
        "<th>left side</th><th>this right side</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )
