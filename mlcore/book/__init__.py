"""What the notebooks use and no algorithm needs: pictures, moving pictures, proofs.

A chapter says `from mlcore.book import Picture, canvas, player, prove`, then the letters
that its formulas have.  The first such name loads SymPy and Matplotlib: the checkers of
the exercises, which are in this package too, do without.

Importing it sets how numbers print, once.  The sixteenth digit of a sum depends on the
order in which a processor adds, and a stored output that shows it is current on one
machine only.
"""

import sys

import numpy as np

DIGITS = 6  # rounding does not reach these


def set_digits() -> None:
    """Print arrays, and floats that a cell ends with, to six digits."""
    np.set_printoptions(precision=DIGITS)
    ipython = sys.modules.get("IPython")  # in a notebook it is loaded
    if ipython and (shell := ipython.get_ipython()):
        shell.display_formatter.formatters["text/plain"].float_precision = f"%.{DIGITS}g"


def __getattr__(name: str):
    """The names of `mlcore.book.api`."""
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        import mlcore.book.api as api
    except ModuleNotFoundError as missing:
        needs = 'The notebooks need more than mlcore: pip install "mlcore[book]"'
        raise ModuleNotFoundError(f"{missing}. {needs}") from None
    return getattr(api, name)


set_digits()
