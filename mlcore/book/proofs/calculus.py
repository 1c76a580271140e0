"""Derivatives of sums with a symbolic number of terms, and slopes at a kink."""

from contextlib import suppress
from itertools import islice

import sympy as sp
from sympy.concrete.delta import deltasummation

from mlcore.book.proofs.equality import is_sum
from mlcore.book.proofs.points import Undefined, is_zero, points


def derivative(expression, variable) -> sp.Expr:
    """The partial derivative by an entry such as w[k], its index within the range.

    SymPy differentiates the sum with a symbolic number of terms; then it differentiates
    the same sum written out for a few small sizes, and both must give the same numbers.
    Raises ValueError if the index is also a summation index of the expression: there
    SymPy returns a wrong derivative in silence.
    """
    bound = {limit[0] for s in expression.atoms(sp.Sum) for limit in s.limits}
    clash = bound & set().union(*(index.free_symbols for index in variable.indices))
    if clash:
        raise ValueError(f"variable must use a fresh index; {clash} is summed over")
    result = expression.diff(variable).replace(is_sum, _collapsed)
    for point in islice(points((expression, variable, result), (), seed="sizes"), 5, 12):
        _check_at(point, expression, variable, result)
    return result


def _collapsed(s: sp.Sum):
    """Sum over an index that a Kronecker delta fixes: its value there."""
    f = s.function
    for limit in s.limits:
        if f.has(sp.KroneckerDelta):
            f = deltasummation(f, limit, no_piecewise=True)
        else:
            f = sp.Sum(f, limit)
    return f


def _check_at(point, expression, variable, result) -> None:
    """Let one entry stay a symbol; SymPy differentiates the finite expression by it."""
    with suppress(Undefined):
        slope = point(result)
        name, entry = point.name_of(variable), sp.Dummy(real=True)
        number = point.number(name)
        point.numbers[name] = entry
        finite = point(expression).diff(entry).subs(entry, number)
        if not is_zero(finite - slope):
            raise AssertionError(f"SymPy's derivative by {variable} is wrong: {result}")


def subdifferential(f, z, kink) -> sp.Interval:
    """All slopes of lines through (kink, f(kink)) that stay below a convex f(z).

    The two ends are the one-sided derivatives, as limits of difference quotients.
    """
    h = sp.Symbol("h", positive=True)
    ahead = (f.subs(z, kink + h) - f.subs(z, kink)) / h
    behind = (f.subs(z, kink) - f.subs(z, kink - h)) / h
    return sp.Interval(sp.limit(behind, h, 0, "+"), sp.limit(ahead, h, 0, "+"))
