"""The book's letters in SymPy, and sums whose number of terms stays a symbol.

Sizes n, d; indices i (example) and j, k, l (feature), counted from 1; arrays x (n, d),
y (n,), w (d,) and the bias b, all of them real.  Labels are not yet -1 or +1: a proof
that needs it says so, with `signs(y)`.
"""

import sympy as sp

n, d = sp.symbols("n d", integer=True, positive=True)
i, j, k, l = sp.symbols("i j k l", integer=True)  # noqa: E741, the book's letter
x, y, w = (sp.IndexedBase(name, real=True) for name in "xyw")
b = sp.Symbol("b", real=True)

LENGTH = {i: n, j: d, k: d, l: d}  # what each index runs over
SHAPE = {x: (n, d), y: (n,), w: (d,)}


def total(term, index) -> sp.Sum:
    """The sum of a term over all examples (index i) or all features (j, k or l)."""
    return sp.Sum(term, (index, 1, LENGTH[index]))
