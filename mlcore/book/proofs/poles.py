"""Divisions by zero that random numbers would miss, such as z / (z - 5) at z = 5."""

from collections.abc import Iterator
from itertools import islice

import sympy as sp

from mlcore.book.proofs.equations import solve_for_a_number
from mlcore.book.proofs.hypotheses import Hypothesis
from mlcore.book.proofs.points import Point, is_zero, points
from mlcore.book.proofs.shapes import Shape

TRIES = 20  # to make a denominator zero without breaking a hypothesis


def at_poles(sides, given, *, seed: str) -> Iterator[Point]:
    """For each denominator, a point where it is zero and the hypotheses hold, if any."""
    for denominator in sorted(_denominators(sides), key=str):
        pole = Hypothesis(
            "",
            about=(denominator,),
            test=lambda point, zero=denominator: is_zero(point(zero)),
            repair=lambda point, zero=denominator: solve_for_a_number(zero, point),
        )
        try:
            yield from islice(points(sides, [*given, pole], seed=seed, in_vain=TRIES), 1)
        except ValueError:  # none was found
            continue


def _denominators(sides) -> set:
    """What is divided by, or has its logarithm taken, and may be zero.

    Where that depends on the index of a sum, the first term stands for all.
    """
    found = {e.args[0] for side in sides for e in side.atoms(sp.log)}
    found |= {e.base for side in sides for e in side.atoms(sp.Pow) if e.exp.is_negative}
    factors = {base for e in found for base in sp.factor(e).as_powers_dict()}
    first = {index: 1 for index in Shape(*sides).bound}
    return {factor.subs(first) for factor in factors if not _never_zero(factor)}


def _never_zero(e) -> bool:
    sums = {s: sp.Dummy(real=True) for s in e.atoms(sp.Sum)}
    return bool(e.is_number or e.is_nonzero or e.subs(sums).is_nonzero)
