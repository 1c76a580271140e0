"""How numbers print in a notebook: six digits, which rounding does not reach.

The sixteenth digit of a sum depends on the order in which a processor adds, and a stored
output that shows it is current on one machine only.  Importing this module sets it once.
"""

import sys

import numpy as np

DIGITS = 6


def set_digits() -> None:
    """Print arrays, and floats that a cell ends with, to six digits."""
    np.set_printoptions(precision=DIGITS)
    ipython = sys.modules.get("IPython")  # in a notebook it is loaded
    if ipython and (shell := ipython.get_ipython()):
        shell.display_formatter.formatters["text/plain"].float_precision = f"%.{DIGITS}g"


set_digits()
