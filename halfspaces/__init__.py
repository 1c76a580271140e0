"""Pictures, proofs and exercises of the notebooks, for the algorithms of `mlcore`.

    pictures     drawings with a caption          animation   figures with a slider and Play
    interactive  figures with movable points      sliders     parameters of animations
    tables       tables of results                formatting  numbers as text
    symbols      letters of the formulas          proofs      claims proved by SymPy
    exercises    checkers of answers              review      short questions
    playground   methods on a reader's points     homework    grading
    page         Python in a page of the book     proofs_in_order, leukemia_study

A module imports only packages that it uses: checkers work without Matplotlib and SymPy.

Importing the package sets how numbers print.  The last digits of a sum depend on the
order in which a processor adds, and would differ between machines in stored outputs.
"""

import sys

import numpy as np

DIGITS = 6  # more digits would show rounding errors


def set_digits() -> None:
    """Print arrays, and floats displayed by a notebook cell, with six digits."""
    np.set_printoptions(precision=DIGITS)
    ipython = sys.modules.get("IPython")  # loaded in a notebook
    if ipython and (shell := ipython.get_ipython()):
        shell.display_formatter.formatters["text/plain"].float_precision = f"%.{DIGITS}g"


set_digits()
