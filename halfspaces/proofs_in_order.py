"""Proofs whose lines a reader puts in order: each line says which earlier ones it uses.

    from halfspaces.proofs_in_order import novikoff

    novikoff         # shows the lines, mixed, with lines that are wrong among them
    novikoff("HJC")  # judges an order of their letters

Every order counts in which each line stands after those that it uses.  On a page of the
book the lines are moved with the mouse, a finger or the keyboard (order.js).  The proofs
stand in proofs_in_order.toml.
"""

import html
import tomllib
from copy import copy
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halfspaces.exercises import Verdict


@dataclass(frozen=True)
class Line:
    """A line of a proof, or one that looks right and is not.

    text   with TeX between dollar signs
    needs  the letters of the lines that it uses
    wrong  what is wrong with it
    """

    text: str
    needs: str = ""
    wrong: str = ""


class Proof:
    """A proof to put in order.

    chapter  where it stands in the book
    claim    what is proved
    seed     mixes the lines, right and wrong ones
    lines    [text, letters of the lines that it uses] of each line, in the order of the
             book, where they are a, b, c, ...; the last one is the end of the proof
    slips    [text, what is wrong with it] of the wrong ones, which are p, q, r, ...
    """

    def __init__(self, chapter: str, claim: str, seed: int, lines: list, slips: list):
        self.chapter, self.claim = chapter, claim
        self.lines = {chr(97 + k): Line(*of) for k, of in enumerate(lines)}
        self.right = "".join(self.lines)
        self.lines |= {chr(112 + k): Line(x, wrong=of) for k, (x, of) in enumerate(slips)}
        self._mix(seed)

    def _mix(self, seed: int):
        mixed = np.random.default_rng(seed).permutation(list(self.lines))
        self.letters = {chr(65 + place): str(key) for place, key in enumerate(mixed)}

    def mixed(self, seed: int) -> "Proof":
        """The same proof with its lines in another order."""
        other = copy(self)
        other._mix(seed)
        return other

    def __call__(self, letters: str) -> Verdict:
        """Judge an order, such as "CAB", of the letters that are shown."""
        given = [letter for letter in str(letters).upper() if letter.isalpha()]
        unknown = [x for x in given if x not in self.letters or given.count(x) > 1]
        if unknown:
            last = max(self.letters)
            return Verdict(False, f"Give letters from A to {last}, each at most once.")
        return self.judge([self.letters[letter] for letter in given])

    def judge(self, keys: list[str]) -> Verdict:
        """Judge an order of the lines' own keys."""
        for place, key in enumerate(keys):
            line = self.lines[key]
            if line.wrong:
                return Verdict(False, f"Line {place + 1} is wrong. {line.wrong}")
            for need in line.needs:
                if need not in keys[:place]:
                    said = f"Line {place + 1} uses what does not stand before it: "
                    return Verdict(False, f"{said}{self.lines[need].text}")
        if not keys:
            return Verdict(False, "Your proof is empty: give the letters of its lines.")
        if len(keys) < len(self.right):
            said = "Each line stands on those before it; but the proof still lacks some."
            return Verdict(False, said)
        return Verdict(True, "Every line uses only what stands before it.")

    def __repr__(self) -> str:
        lines = [f"{x}. {self.lines[key].text}" for x, key in self.letters.items()]
        return "\n".join([self.claim, *lines])

    def _repr_html_(self) -> str:
        mixed = "".join(map(self._item, self.letters.values()))
        ordered = "".join(f"<li>{html.escape(self.lines[k].text)}</li>" for k in self.right)
        return (
            f'<div class="hs-order tex2jax_process"><p>{html.escape(self.claim)}</p>'
            f'<ol type="A">{mixed}</ol>'
            f"<details><summary>In order</summary><ol>{ordered}</ol></details></div>"
        )

    def _item(self, key: str) -> str:
        line = self.lines[key]
        text = f"<span>{html.escape(line.text)}</span>"
        if line.wrong:
            why = f"<span hidden>{html.escape(line.wrong)}</span>"
            return f'<li data-key="{key}">{text}{why}</li>'
        return f'<li data-key="{key}" data-needs="{line.needs}">{text}</li>'


_WRITTEN = Path(__file__).with_suffix(".toml").read_text("utf-8")
PROOFS = {name: Proof(**of) for name, of in tomllib.loads(_WRITTEN).items()}
globals().update(PROOFS)  # each is imported by its name
