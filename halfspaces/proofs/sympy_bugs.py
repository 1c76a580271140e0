"""Replace wrong answers of SymPy 1.14, on import, by "not known".

For integers t, N > 0 SymPy takes 1/(t N) - 1/200 to be positive, as at t = N = 1; it
takes h/3 with an even h for a fraction, 2^t/6 for an integer, binomial(m, 21)
for negative if m has no sign, and every power of sqrt(2) for irrational.
"""

import sympy as sp
from sympy.core import exprtools
from sympy.core.cache import clear_cache

closest_to_0, power_is_rational = exprtools._monotonic_sign, sp.Pow._eval_is_rational


def _is_integer(product: sp.Mul) -> bool | None:
    if all(factor.is_integer for factor in product.args):
        return True
    return False if product._eval_is_rational() is False else None


def _is_nonnegative(binomial: sp.binomial) -> bool | None:
    n, k = binomial.args
    integers = n.is_integer and k.is_integer
    return True if integers and (n.is_nonnegative or k.is_negative or k.is_even) else None


def _is_rational(power: sp.Pow) -> bool | None:
    base, exponent = power.args
    sure = base is sp.E or (base.is_Rational and exponent.is_Rational)
    answer = power_is_rational(power)
    return answer if answer or sure else None


def _replace(kind: type, assumption: str, answer) -> None:
    setattr(kind, f"_eval_is_{assumption}", answer)
    kind._prop_handler[assumption] = answer


exprtools._monotonic_sign = lambda e: (
    closest_to_0(e) if len(e.free_symbols) < 2 or e.is_polynomial() else None
)
_replace(sp.Mul, "integer", _is_integer)
_replace(sp.binomial, "nonnegative", _is_nonnegative)
_replace(sp.Pow, "rational", _is_rational)
clear_cache()
