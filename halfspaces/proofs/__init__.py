"""Proofs by SymPy that say what they assume: `prove`, and the hypotheses it takes."""

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
from halfspaces.proofs.prove import prove

__all__ = ["Proof", "derivative", "equation", "invertible", "less", "not_less"]
__all__ += ["perpendicular", "prove", "signs", "subdifferential", "unequal", "unit"]
__all__ += ["zero_or_one"]
