"""Symbolic proofs of equality, and derivatives of sums of symbolic length.

`equal` is sufficient, not necessary: False means "not shown".  It uses the declarations of
the symbols and rules from hypotheses, which rewrite an expression.  Both sides must have a
value; `halfspaces.proofs.domains` shows that.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache, reduce
from itertools import count, islice, product

import sympy as sp
from sympy.concrete.delta import deltasummation

from halfspaces.proofs.points import (
    CannotTell,
    Point,
    Refuted,
    TooLarge,
    Undefined,
    Variables,
    sample_points,
)

Rule = Callable[[sp.Basic], sp.Basic]

STEPS = sp.Rational(1, 10**30), sp.Rational(1, 10**60)  # of a difference quotient
SLOPE_TOL = 1e-9  # relative error of a difference quotient
DIGITS = 150  # of a difference quotient; with fewer, SymPy treats log(1 + 10^-60) as 0
MAX_SHIFT = 9  # largest |m|, |k| of a sum from m to n + k that is rewritten from 1 to n


def equal(left, right, rules: Iterable[Rule] = ()) -> bool:
    """Return True if two numbers or matrices are equal after rewriting by rules.

    Sums of symbolic length must agree summand by summand or have a closed form.
    """
    if isinstance(left, sp.MatrixBase):
        pairs = zip(left, right, strict=False)
        return left.shape == right.shape and all(equal(*pair, rules) for pair in pairs)
    if isinstance(left, sp.MatrixExpr):
        difference = sp.block_collapse(left - right).doit()
        difference = rewrite(sp.expand(difference).doit(), rules)
        return sp.expand(difference.doit()).doit() == sp.ZeroMatrix(*left.shape)
    difference = flatten(flatten(sp.sympify(left) - right, rules), rules)
    return _vanishes(difference) or _vanishes(closed_form(difference, rules))


def _vanishes(difference) -> bool:
    """Return True if all terms cancel, in total or among sums with the same limits."""
    summands: dict = {}
    for term in sp.Add.make_args(difference):
        sums = [f for f in sp.Mul.make_args(term) if is_sum(f)]
        limits, summand = (), term
        if len(sums) == 1:  # coefficient * Sum(f) counts as the summand coefficient * f
            (s,) = sums
            names = {q: _shared_index(None, None, k) for k, q in enumerate(s.variables)}
            limits = tuple(tuple(e.xreplace(names) for e in limit) for limit in s.limits)
            summand = term / s * s.function.xreplace(names)
        summands[limits] = summands.get(limits, 0) + summand
    return all(map(_is_zero, summands.values())) or _is_zero(difference)


def _is_zero(e) -> bool:
    """Return True if e simplifies to 0, with a symbol for each sum, trace and entry."""
    e = e.replace(lambda p: isinstance(p, (sp.Max, sp.Min)), lambda p: p.rewrite(sp.Abs))
    e = e.replace(sp.Trace, _canonical_trace)
    e = e.xreplace({s: sp.Dummy(real=True) for s in e.atoms(sp.Sum, sp.Trace)})
    entries = {x: sp.Dummy(**assumptions_of(x)) for x in e.atoms(sp.Indexed)}
    return sp.simplify(hide_zero_powers(e.xreplace(entries))) == 0


def hide_zero_powers(e):
    """Replace powers of 0 by symbols: SymPy simplifies 0**(2 - m) to 0 for any m."""
    zero_powers = [p for p in e.atoms(sp.Pow) if _is_power_of_zero(p)]
    return e.xreplace({p: sp.Dummy(real=True) for p in zero_powers})


def _is_power_of_zero(power: sp.Pow) -> bool:
    base, exponent = power.args
    if base.is_zero or base.is_Atom or exponent.is_number or exponent.is_positive:
        return bool(base.is_zero)
    return sp.simplify(base) == 0


def _canonical_trace(matrix):
    """Return the trace of a product, with the factors rotated into a canonical order."""
    coefficient, product = matrix.as_coeff_mmul()
    factors = list(product.args) if product.is_MatMul else [product]
    rotations = [factors[q:] + factors[:q] for q in range(len(factors))]
    return coefficient * sp.Trace(sp.MatMul(*min(rotations, key=str))).doit()


def assumptions_of(entry) -> dict:
    """Return the declared sign of an entry; {"real": True} if it has none."""
    signs = "positive", "nonnegative", "negative", "nonpositive"
    known = (sign for sign in signs if getattr(entry, f"is_{sign}"))
    return {next(known, "real"): True}


def rewrite(expression, rules: Iterable[Rule]):
    return reduce(lambda e, rule: rule(e), rules, expression)


def is_sum(e) -> bool:
    return isinstance(e, sp.Sum)


def reindex(s: sp.Sum) -> sp.Sum:
    """Give a sum new indices.  Raises CannotTell if an old one is free in a limit."""
    if not s.free_symbols.isdisjoint(s.variables):
        raise CannotTell(f"an index of {s} is also in its limits")
    return s.xreplace({q: sp.Dummy(q.name, integer=True) for q in s.variables})


# ------------------------------------------------------------- canonical form of sums


def flatten(expression, rules: Iterable[Rule] = ()):
    """Split sums over +, move constant factors out, and give indices standard names.

    Where possible, a sum starts at 1 and ends at a size n, not at n + 1.
    """
    e = expression.replace(is_sum, reindex)  # drop the declared signs of indices
    e = e.replace(is_sum, lambda s: _flatten_sum(s, rules))
    return rewrite(sp.expand(e), rules)


def closed_form(e, rules):
    """Write sums of polynomials in the index, and geometric sums, in closed form."""
    return rewrite(sp.expand(e.replace(_has_closed_form, lambda s: s.doit())), rules)


def _has_closed_form(e) -> bool:
    if not is_sum(e) or len(e.limits) > 1:
        return False
    geometric = e.function.is_Pow and e.function.base.is_number
    return geometric or e.function.is_polynomial(e.limits[0][0])


def _flatten_sum(s: sp.Sum, rules):
    summand, *limits = s.args
    for limit in limits:  # the innermost first; a sum is the summand of the next one
        s = rewrite(sp.Sum(sp.expand(summand), limit), rules)
        if not is_sum(s):
            summand = s
            continue
        *inner, limit = s.limits  # SymPy merges nested sums
        f = sp.Sum(s.function, *inner) if inner else s.function
        terms = sp.Add.make_args(sp.expand(f))
        summand = sum(_flatten_term(term, *limit, rules) for term in terms)
    return summand


def _flatten_term(term, index, low, high, rules):
    coefficient, inside = term.as_independent(index, as_Add=False)
    if inside == 1:
        return coefficient * (high - low + 1)
    if outer := _sum_to_exchange(inside, index, high):
        inner = sp.Sum(inside / outer * outer.function, (index, low, high))
        return coefficient * flatten(sp.Sum(inner, *outer.limits), rules)
    inside, low, high, ends = _standard_limits(inside, index, low, high)
    free = inside.atoms(sp.Symbol) - {index}
    names = (_shared_index(high, low.is_positive or None, depth) for depth in count())
    name = next(name for name in names if name not in free)  # or an inner sum would bind it
    return coefficient * (sp.Sum(inside.xreplace({index: name}), (name, low, high)) + ends)


@cache
def _shared_index(high, positive, depth: int) -> sp.Dummy:
    """Return an index that equal sums share, and that no claim contains."""
    return sp.Dummy(f"{high}_{depth}", integer=True, positive=positive)


def _sum_to_exchange(term, index, high):
    """Return the only sum among the factors of a term, if it should be the outer one.

    It should if its upper limit precedes `high` as a string: then both orders of summation
    get the same form.
    """
    sums = [f for f in sp.Mul.make_args(term) if is_sum(f)]
    if len(sums) != 1 or len(sums[0].limits) != 1:
        return None
    _, first, last = sums[0].limits[0]
    movable = not first.has(index) and not last.has(index)
    return sums[0] if movable and str(last) < str(high) else None


def _standard_limits(inside, index, low, high):
    """Give a sum the limits 1 and n; return summand, low, high, terms outside the sum."""
    offsets = {p - index for entry in inside.atoms(sp.Indexed) for p in entry.indices}
    if shift := min((p for p in offsets if p.is_Integer), default=0):
        inside = inside.subs(index, index - shift)
        low, high = low + shift, high + shift
    extra, size = high.as_coeff_Add()
    movable = low.is_Integer and extra.is_Integer and max(abs(low), abs(extra)) <= MAX_SHIFT
    if not movable or not _has_value_everywhere(inside, index):
        return inside, low, high, 0

    def terms(first, last):
        values = [first + q for q in range(int(last - first) + 1)]
        return sum((inside.subs(index, q) for q in values), sp.Integer(0))

    if size == 0:
        return sp.Integer(0), low, high, terms(low, high)
    if not (size.is_nonnegative and high.is_nonnegative):
        return inside, low, high, 0
    before = terms(low, 0) - terms(1, low - 1)
    after = terms(size + 1, high) - terms(high + 1, size)
    return inside, sp.Integer(1), size, before + after


def _has_value_everywhere(summand, index) -> bool:
    """Return True if a summand is a polynomial in the index and in entries of arrays."""
    entries = {entry: sp.Dummy() for entry in summand.atoms(sp.Indexed)}
    return summand.xreplace(entries).is_polynomial(index, *entries.values())


# ------------------------------------------------------------------------ derivatives


def derivative(expression, variable, given=()):
    """Differentiate with respect to a symbol, a matrix or an entry such as w[k].

    We assume that the index of an entry is within its range.  The result is compared
    with difference quotients at points that satisfy the hypotheses `given`.
    Raises ValueError if the index is also a summation index of the expression: there
    SymPy silently returns a wrong derivative.  Raises Refuted at a kink or a jump;
    CannotTell if `given` has an equation for the variable or lists its values.
    """
    bound = {q for s in expression.atoms(sp.Sum) for q in s.variables}
    if clash := bound & variable.free_symbols:
        raise ValueError(f"variable must use a fresh index; {clash} is summed over")
    if expression.is_Matrix and expression.shape != (1, 1):
        raise CannotTell(
            f"the derivative of a matrix with respect to {variable} is not a matrix"
        )
    symbol = getattr(variable, "base", variable)
    facts = [fact for hypothesis in given for fact in hypothesis.facts]
    equations = any(relation == "=" and e.has(symbol) for e, relation in facts)
    if equations or any(symbol in hypothesis.allowed for hypothesis in given):
        raise CannotTell(f"given must not fix {variable} or its possible values")
    ranges = Variables(expression, variable).indices
    try:
        result = _differentiate(expression, variable)
    except (AttributeError, LookupError, NotImplementedError, RecursionError, TypeError):
        raise CannotTell(f"SymPy cannot differentiate {expression}") from None
    if variable.is_Symbol:
        result = sp.powsimp(result)  # t z^t / z, the derivative of z^t, has no value at 0
    result = result.replace(is_sum, lambda s: _collapse(s, ranges))
    for point in islice(sample_points((expression, variable, result), given), 7):
        _check_slope(point, expression, variable, result)
    return result


def _differentiate(expression, variable):
    """Differentiate, except where SymPy is wrong: it drops scalar factors and traces.

    Raises CannotTell for a factor, and for a matrix that is not inside traces only.
    """
    unknown = CannotTell(f"prove does not know the derivative of {expression}")
    letter = getattr(variable, "base", variable)
    factors = [f for e in expression.atoms(sp.MatMul) for f in e.args if not f.is_Matrix]
    if not variable.is_Symbol and any(factor.has(letter) for factor in factors):
        raise unknown
    if expression.is_Matrix or not variable.is_Matrix:
        return expression.diff(variable)
    traces = {t: sp.Dummy(real=True) for t in expression.atoms(sp.Trace) if t.has(variable)}
    summed = {q for s in expression.atoms(sp.Sum) for q in s.variables}
    outer, back = expression.xreplace(traces), {name: t for t, name in traces.items()}
    if outer.has(variable) or any(summed & trace.free_symbols for trace in traces):
        raise unknown
    slopes = (outer.diff(q).xreplace(back) * t.diff(variable) for t, q in traces.items())
    return sum(slopes, sp.ZeroMatrix(*variable.shape)).doit()


def _collapse(s: sp.Sum, ranges: dict):
    """Evaluate sums whose index is fixed within the limits by a Kronecker delta."""
    f = s.function
    for index, low, high in s.limits:
        deltas = [delta for delta in f.atoms(sp.KroneckerDelta) if delta.has(index)]
        others = [q for delta in deltas for q in delta.args if q != index]
        within = all(ranges.get(q) == high or (q == 1 and high.is_positive) for q in others)
        if deltas and len(others) == len(deltas) and low == 1 and within:
            f = deltasummation(f, (index, low, high), no_piecewise=True)
        else:
            f = sp.Sum(f, (index, low, high))
    return f


def _check_slope(point: Point, expression, variable, result) -> None:
    """Compare every entry of a derivative with difference quotients on both sides."""

    def value(at: Point):
        return sp.Matrix([[at(expression)]])[0]  # of a number or a matrix with one entry

    with suppress(Undefined, TooLarge):
        center, slopes = value(point), sp.Matrix([[point(result)]])
        for (position, slope), sign in product(enumerate(slopes), (1, -1)):
            with suppress(Undefined, TooLarge):
                errors = []
                for step in STEPS:
                    shifted = value(_move(point, variable, position, sign * step))
                    error = (shifted - center) / (sign * step) - slope
                    errors.append(abs(error.evalf(DIGITS, maxn=2 * DIGITS)))
                is_close = errors[1] <= SLOPE_TOL * (1 + abs(slope.evalf(30)))
                # at a jump the smaller step makes the error 1e30 times as large
                steep = 1 / STEPS[0] < errors[1] < 2 * errors[0]
                if not is_close and (steep or errors[1] < 0.9 * errors[0]):
                    raise CannotTell(f"{expression} is too steep for difference quotients")
                if not is_close:
                    raise Refuted(
                        f"the derivative of {expression} with respect to {variable} "
                        f"does not exist, or is not {result}, at {point.numbers}"
                    )


def _move(point: Point, variable, position: int, step) -> Point:
    """Return the point with one number changed."""
    numbers = dict(point.numbers)
    if isinstance(variable, sp.MatrixSymbol):
        entries = list(numbers[variable])
        entries[position] += step
        numbers[variable] = sp.ImmutableMatrix(*numbers[variable].shape, entries)
    else:
        name = variable
        if isinstance(variable, sp.Indexed):
            name = variable.base, *map(point, variable.indices)
        numbers[name] = point.number(name) + step
    return replace(point, numbers=numbers)


def evaluate_derivatives(e, given=()):
    """Evaluate derivatives and integrals, but not sums.

    Raises CannotTell for a sum over k of derivatives with respect to w[k], or over t of
    derivatives of a sum that ends at t: there the index k or t may leave its range.
    """
    for s in e.atoms(sp.Sum):
        for part in s.atoms(sp.Derivative):
            limits = [limit for inner in part.atoms(sp.Sum) for limit in inner.limits]
            used = sp.Tuple(*part.variables, *limits).free_symbols
            if not used.isdisjoint(s.variables):
                raise CannotTell(f"the index or a limit of {part} is summed over")
    unevaluated = sp.Derivative, sp.Integral
    if e.has(*unevaluated):
        # otherwise SymPy uses the declared sign of an index, and confuses equal indices
        e = e.replace(is_sum, reindex)
    return e.replace(
        lambda p: isinstance(p, unevaluated), lambda p: _evaluate_one(p, given)
    )


def _evaluate_one(part, given):
    result = part.args[0]
    if isinstance(part, sp.Derivative):
        for variable in part.variables:  # doit() skips matrix derivatives
            result = derivative(result, variable, given)
        return result
    for q, low, high in part.limits:
        F = antiderivative(result, q)
        result = F.subs(q, high) - F.subs(q, low)
    return result


def antiderivative(f, variable):
    """Return a verified antiderivative.  Raises CannotTell if SymPy finds none."""
    if f.has(sp.Derivative):
        raise CannotTell("`prove` cannot integrate a derivative")
    q = sp.Dummy(real=True)
    f = f.xreplace({variable: q})
    F = sp.integrate(f, q)
    if F.has(sp.Integral) or not equal(F.diff(q), f):
        raise CannotTell(f"SymPy finds no antiderivative of {f}")
    return F.xreplace({q: variable})


def subdifferential(f, z, kink) -> sp.Interval:
    """Return all slopes of lines through (kink, f(kink)) that stay below a convex f(z).

    The two ends are the one-sided derivatives, as limits of difference quotients.
    """
    h = sp.Symbol("h", positive=True)
    ahead = (f.subs(z, kink + h) - f.subs(z, kink)) / h
    behind = (f.subs(z, kink) - f.subs(z, kink - h)) / h
    return sp.Interval(sp.limit(behind, h, 0, "+"), sp.limit(ahead, h, 0, "+"))
