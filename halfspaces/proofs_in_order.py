"""Proofs whose lines a reader puts in order.

    from halfspaces.proofs_in_order import novikoff

    novikoff         # shows the shuffled lines, some of them wrong
    novikoff("ABC")  # checks an order of their letters

An order is right if each line comes after the lines that it uses.  On a page of the book,
order.js lets readers move the lines by mouse, touch or keyboard.  The proofs are in
proofs_in_order.toml.
"""

import html
import tomllib
from copy import copy
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halfspaces.exercises import Verdict


@dataclass(frozen=True)
class ProofLine:
    """A line of a proof; a line with an error is plausible but wrong.

    text   with TeX between dollar signs
    needs  keys of the lines that it uses
    error  why a wrong line is wrong; "" for a line of the proof
    """

    text: str
    needs: str = ""
    error: str = ""


class ProofInOrder:
    """A proof to put in order.

    chapter  the chapter of the proof
    claim    the statement that is proved
    seed     shuffles all lines
    lines    [text, keys of the lines that it uses] of each line, with the keys a, b, c, ...
             in the order of the book; the last line is the conclusion
    wrong    [text, why it is wrong] of each wrong line, with the keys p, q, r, ...
    """

    def __init__(self, chapter: str, claim: str, seed: int, lines: list, wrong: list):
        self.chapter, self.claim = chapter, claim
        self.lines = {chr(ord("a") + k): ProofLine(*line) for k, line in enumerate(lines)}
        self.correct_order = "".join(self.lines)
        for k, (text, why) in enumerate(wrong):
            self.lines[chr(ord("p") + k)] = ProofLine(text, error=why)
        self._shuffle(seed)

    def _shuffle(self, seed: int | list[int]):
        keys = np.random.default_rng(seed).permutation(list(self.lines))
        self.letters = {chr(ord("A") + k): str(key) for k, key in enumerate(keys)}

    def shuffled(self, seed: int | list[int]) -> "ProofInOrder":
        """Return the same proof with its lines in another order."""
        variant = copy(self)
        variant._shuffle(seed)
        return variant

    def __call__(self, letters: str) -> Verdict:
        """Check an order, given by the displayed letters, such as "CAB"."""
        order = [letter for letter in str(letters).upper() if letter.isalpha()]
        invalid = [x for x in order if x not in self.letters or order.count(x) > 1]
        if invalid:
            last = max(self.letters)
            return Verdict(False, f"Give letters from A to {last}, each at most once.")
        return self.check([self.letters[letter] for letter in order])

    def check(self, keys: list[str]) -> Verdict:
        """Check a proof, given by the keys of its lines in order."""
        letters = {key: letter for letter, key in self.letters.items()}
        for k, key in enumerate(keys):
            line, place = self.lines[key], f"Line {k + 1} ({letters[key]})"
            if line.error:
                return Verdict(False, f"{place} is wrong. {line.error}")
            for need in line.needs:
                if need not in keys[:k]:
                    reply = f"{place} uses a line that does not come before it: "
                    return Verdict(False, reply + self.lines[need].text)
        if not keys:
            return Verdict(False, "Your proof is empty: give the letters of its lines.")
        if len(keys) < len(self.correct_order):
            reply = "Every line uses only lines before it, but some lines are missing."
            return Verdict(False, reply)
        return Verdict(True, "Every line uses only lines before it.")

    def __repr__(self) -> str:
        lines = [f"{x}. {self.lines[key].text}" for x, key in self.letters.items()]
        return "\n".join([self.claim, *lines])

    def _repr_html_(self) -> str:
        items = "".join(map(self._item, self.letters.values()))
        texts = (html.escape(self.lines[k].text) for k in self.correct_order)
        ordered = "".join(f"<li>{text}</li>" for text in texts)
        return (
            f'<div class="hs-order tex2jax_process"><p>{html.escape(self.claim)}</p>'
            f'<ol type="A">{items}</ol>'
            f"<details><summary>In order</summary><ol>{ordered}</ol></details></div>"
        )

    def _item(self, key: str) -> str:
        line = self.lines[key]
        text = f"<span>{html.escape(line.text)}</span>"
        if line.error:
            why = f"<span hidden>{html.escape(line.error)}</span>"
            return f'<li data-key="{key}">{text}{why}</li>'
        return f'<li data-key="{key}" data-needs="{line.needs}">{text}</li>'


_ENTRIES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
PROOFS = {name: ProofInOrder(**entry) for name, entry in _ENTRIES.items()}
globals().update(PROOFS)  # for `from halfspaces.proofs_in_order import novikoff`
