"""What the book's notebooks use beside the algorithms of `mlcore`.

    pictures     drawings with words              animation   pictures that move
    interactive  figures with points to drag      tables      tables of results
    symbols      the letters of the formulas      proofs      claims proved by SymPy
    exercises    checkers of answers              review      short questions
    playground   the reader's own points          homework    grading

Each module loads only what it needs: the checkers do without Matplotlib and SymPy.

Importing the package sets how numbers print, once.  The sixteenth digit of a sum depends
on the order in which a processor adds, and a stored output that shows it is current on one
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


set_digits()
