"""Answers of SymPy 1.14 that are wrong are replaced, on import, by "not known".

For integers t, N > 0 SymPy takes 1/(t N) - 1/200 for positive, since it is at t = N = 1; it
takes h/3 with an even h for a fraction, and 2^t/6 for an integer.
"""

import sympy as sp
from sympy.core import exprtools
from sympy.core.cache import clear_cache

closest_to_0 = exprtools._monotonic_sign


def _is_integer(product: sp.Mul) -> bool | None:
    if all(factor.is_integer for factor in product.args):
        return True
    return False if product._eval_is_rational() is False else None


exprtools._monotonic_sign = lambda e: (
    closest_to_0(e) if len(e.free_symbols) < 2 or e.is_polynomial() else None
)
sp.Mul._eval_is_integer = sp.Mul._prop_handler["integer"] = _is_integer
clear_cache()
