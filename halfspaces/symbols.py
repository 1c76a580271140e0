"""The letters of the book's formulas, as SymPy symbols.

Each name ends with an underscore, so that a reader can use `w`, `x`, `y`, `n` and `i` for
arrays and numbers.

Sizes n_, d_; indices i_ (example) and j_, k_, l_ (feature), counted from 1; arrays x_
(n, d), y_ (n,), w_ (d,) and the bias b_, all real.  A proof for labels -1 and +1 has the
hypothesis `signs(y_)`.
"""

import sympy as sp

n_, d_ = sp.symbols("n d", integer=True, positive=True)
i_, j_, k_, l_ = sp.symbols("i j k l", integer=True)
x_, y_, w_ = (sp.IndexedBase(name, real=True) for name in "xyw")
b_ = sp.Symbol("b", real=True)

LENGTH = {i_: n_, j_: d_, k_: d_, l_: d_}  # the upper limit of each index
SHAPE = {x_: (n_, d_), y_: (n_,), w_: (d_,)}


def total(term, index) -> sp.Sum:
    """Return the sum of a term over all examples (i_) or all features (j_, k_ or l_)."""
    return sp.Sum(term, (index, 1, LENGTH[index]))
