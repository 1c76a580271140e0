"""What SymPy shows: that two sides are equal, that one is at least the other, a slope.

Both tests are sufficient, not necessary: False means "not shown".  Nothing is assumed
but what the symbols are declared with; a hypothesis of the caller comes as a rule that
rewrites an expression, see `halfspaces.proofs.hypotheses`.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice

import sympy as sp
from sympy.concrete.delta import deltasummation

from halfspaces.proofs.points import Undefined, is_zero, points

Rule = Callable[[sp.Basic], sp.Basic]


def equal(left, right, rules: Iterable[Rule] = ()) -> bool:
    """True if two numbers or matrices are equal, after rewriting by rules.

    Sums of symbolic length have to agree summand by summand.
    """
    if isinstance(left, sp.MatrixBase):
        return left.shape == right.shape and all(
            equal(a, b, rules) for a, b in zip(left, right, strict=True)
        )
    if isinstance(left, sp.MatrixExpr):
        difference = sp.block_collapse(left - right).doit()
        difference = rewritten(sp.expand(difference).doit(), rules)
        return sp.expand(difference.doit()).doit() == sp.ZeroMatrix(*left.shape)
    difference = flat(sp.sympify(left) - right, rules)
    return _vanishes(difference) or _vanishes(_counted(difference, rules))


def _vanishes(difference) -> bool:
    summands: dict = {}
    for term in sp.Add.make_args(difference):
        sums = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.Sum)]
        ends = None
        if len(sums) == 1:  # coefficient * Sum(f) counts as the summand coefficient * f
            (index, *ends), f = sums[0].limits[0], sums[0].function
            term = term / sums[0] * f.subs(index, sp.Symbol("#", integer=True))
        summands[str(ends)] = summands.get(str(ends), 0) + term
    return all(_is_zero(summand) for summand in summands.values())


def at_least(left, right, rules: Iterable[Rule] = ()) -> bool:
    """True if left - right is >= 0 by the signs that its symbols are declared with."""
    difference = _counted(flat(sp.sympify(left) - right, rules), rules)
    return bool(difference.is_nonnegative or sp.factor(difference).is_nonnegative)


def flat(expression, rules: Iterable[Rule] = ()):
    """Sums split over +, constant factors in front, indices with standard names."""
    whole = expression.replace(is_sum, lambda s: _flat_sum(s, rules))
    return rewritten(sp.expand(whole), rules)


def rewritten(expression, rules: Iterable[Rule]):
    for rule in rules:
        expression = rule(expression)
    return expression


def _counted(e, rules):
    """Sums of powers of their index, such as 1 + ... + 1, in closed form."""
    return rewritten(sp.expand(e.replace(_is_count, lambda s: s.doit())), rules)


def _is_count(e) -> bool:
    return is_sum(e) and e.function.is_polynomial(e.limits[0][0])


def is_sum(e) -> bool:
    return isinstance(e, sp.Sum)


def _flat_sum(s: sp.Sum, rules):
    whole = s.function
    for limit in s.limits:  # the innermost first
        terms = sp.Add.make_args(rewritten(sp.expand(whole), rules))
        whole = sum(_flat_term(term, *limit, rules) for term in terms)
    return whole


def _flat_term(term, index, low, high, rules):
    front, inside = term.as_independent(index, as_Add=False)
    if outer := _sum_to_exchange(inside, index, high):
        inner = sp.Sum(inside / outer * outer.function, (index, low, high))
        return front * flat(sp.Sum(inner, *outer.limits), rules)
    depth = sum(s.limits[0][2] == high for s in inside.atoms(sp.Sum))
    name = sp.Symbol(f"#{high}_{depth}", integer=True)  # same sum, same name, nobody else's
    return front * sp.Sum(inside.subs(index, name), (name, low, high))


def _sum_to_exchange(term, index, high):
    """The only sum among the factors of a term, if it should be the outer one.

    That is so if its size comes first by name, which makes one form of both orders.
    """
    sums = [f for f in sp.Mul.make_args(term) if is_sum(f)]
    if len(sums) != 1 or len(sums[0].limits) != 1:
        return None
    _, first, last = sums[0].limits[0]
    movable = not first.has(index) and not last.has(index)
    return sums[0] if movable and str(last) < str(high) else None


def _is_zero(e) -> bool:
    """Simplify with every sum, then every entry, taken as one real number."""
    e = e.replace(lambda p: isinstance(p, (sp.Max, sp.Min)), lambda p: p.rewrite(sp.Abs))
    for kind in (sp.Sum, sp.Indexed):
        e = e.subs({a: sp.Dummy(real=True) for a in e.atoms(kind)})
    return sp.simplify(e) == 0


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
    for point in islice(points((expression, variable, result), ()), 5, 12):
        _check_slope(point, expression, variable, result)
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


def _check_slope(point, expression, variable, result) -> None:
    """Let one entry stay a symbol; SymPy differentiates the finite expression by it."""
    with suppress(Undefined):
        slope = point(result)
        name = variable.base, *map(point, variable.indices)
        entry = sp.Dummy(real=True)
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
