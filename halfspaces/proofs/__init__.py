"""Proofs by SymPy with explicit hypotheses: `prove`, and hypotheses for it."""

import halfspaces.proofs.sympy_bugs  # noqa: F401
from halfspaces.proofs.algebra import derivative, subdifferential
from halfspaces.proofs.card import Proof
from halfspaces.proofs.hypotheses import (
    equation,
    invertible,
    less,
    not_less,
    perpendicular,
    signs,
    unequal,
    unit,
    zero_or_one,
)
from halfspaces.proofs.points import CannotTell, Refuted
from halfspaces.proofs.prove import prove

__all__ = ["CannotTell", "Proof", "Refuted", "derivative", "equation", "invertible", "less"]
__all__ += ["not_less", "perpendicular", "prove", "signs", "subdifferential", "unequal"]
__all__ += ["unit", "zero_or_one"]
