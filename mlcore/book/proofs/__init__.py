"""Proofs by SymPy that say what they assume: `prove`, hypotheses, the book's letters."""

from mlcore.book.proofs import hypotheses
from mlcore.book.proofs.algebra import derivative, subdifferential
from mlcore.book.proofs.card import Proof
from mlcore.book.proofs.hypotheses import *  # noqa: F403
from mlcore.book.proofs.points import b, d, i, j, k, l, n, total, w, x, y
from mlcore.book.proofs.prove import prove

__all__ = ["Proof", "derivative", "prove", "subdifferential", "total", *hypotheses.__all__]
__all__ += ["b", "d", "i", "j", "k", "l", "n", "w", "x", "y"]
