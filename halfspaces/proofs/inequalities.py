"""Show the sign of an expression, as a sum of squares and hypotheses times factors >= 0.

Each test is sufficient, not necessary: False means "not shown".
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import sympy as sp

from halfspaces.proofs.algebra import (
    assumptions_of,
    closed_form,
    flatten,
    hide_zero_powers,
    is_sum,
)

MAX_PIVOTS = 400
MAX_DEPTH = 4  # kinks of Abs, Max and Min that are split into cases
MAX_TERMS = 30  # of an expression that is written as a combination of facts


@dataclass(frozen=True)
class Known:
    """What a proof may use.

    given   hypotheses
    ranges  {index: (low, high)}
    extra   further facts: pairs of an expression and its sign, ">=", ">", "=" or "!="
    """

    given: tuple = ()
    ranges: dict | tuple = ()
    extra: tuple = ()

    @property
    def rules(self) -> list:
        return [rule for hypothesis in self.given for rule in hypothesis.rules]

    @property
    def power_rules(self) -> list:
        """The rules that reduce powers of entries, without the rules of equations."""
        return [rule for h in self.given if h.allowed for rule in h.rules]

    def within(self, index, low, high) -> "Known":
        """Return a copy with the range of a summation index added."""
        return replace(self, ranges=dict(self.ranges) | {index: (low, high)})

    def facts(self, e) -> list[tuple]:
        """Return pairs of an expression and its sign that may help to show the sign of e.

        They follow from the ranges of the indices, from the hypotheses, and from the values
        of exp, log and labels in e.
        """
        found, ranges = list(self.extra), dict(self.ranges)
        for q, (low, high) in ranges.items():
            found += [(q - low, ">="), (high - q, ">=")]
        found += [(f - 1 - f.args[0], ">=") for f in e.atoms(sp.exp)]
        found += [(f.args[0] - 1 - f, ">=") for f in e.atoms(sp.log)]
        for h in self.given:
            ends = [(1, size) for size in h.each.values()]
            fitting = [[q for q in ranges if ranges[q] == wanted] for wanted in ends]
            for indices in product(*fitting):
                renamed = dict(zip(h.each, indices, strict=True))
                found += [(fact.xreplace(renamed), sign) for fact, sign in h.facts]
            for v in e.atoms(sp.Indexed):
                if numbers := h.allowed.get(v.base):
                    found += [(v - min(numbers), ">="), (max(numbers) - v, ">=")]
                    found += [(v, "!=")] if all(numbers) else []
        found = [(e, sign) for e, sign in found if not e.is_Matrix]
        return [(e, ">" if sign == "!=" and _is_evident(e) else sign) for e, sign in found]

    def summed_facts(self, e) -> list[tuple]:
        """Return facts that hold for each index, times a factor >= 0 and summed over it."""
        entries = {v for v in e.atoms(sp.Indexed) if len(v.indices) == 1}
        arrays = sorted({v.base for v in entries if v.is_nonnegative}, key=str)
        found = []
        facts = [(h.each, *fact) for h in self.given for fact in h.facts]
        for each, fact, sign in facts:
            if len(each) == 1 and sign != "!=" and not fact.is_Matrix:
                ((q, size),) = each.items()
                same = [h for h in self.given if h.each == each]
                factors = [g for h in same for g, s in h.facts if s in (">", ">=")]
                factors += [1, *(array[q] for array in arrays)]
                sign = "=" if sign == "=" else ">="
                found += [(sp.Sum(fact * g, (q, 1, size)), sign) for g in factors]
        return found


def is_nonnegative(
    e, known: Known, *, strict: bool = False, depth: int = MAX_DEPTH
) -> bool:
    """Show e >= 0 (e > 0 if strict) by declarations and known facts."""
    e = flatten(e, known.rules)
    factored = sp.factor(hide_zero_powers(closed_form(e, known.rules)))
    if _is_evident(e, strict) or _is_evident(factored, strict):
        return True
    if factored.is_number:
        return False
    if _is_nonnegative_product(factored, known, strict):
        return True
    e = sp.expand(factored)
    if _is_combination(e, known, strict):
        return True
    options = {"strict": strict, "depth": depth - 1}
    bound = {limit[0] for s in e.atoms(sp.Sum) for limit in s.limits}
    kinks = sorted(e.atoms(sp.Abs, sp.Max, sp.Min), key=str) if depth else []
    kinks = [kink for kink in kinks if not kink.free_symbols & bound]  # not in sums
    above = sp.Add(*filter(_is_evident, sp.Add.make_args(e)))
    squares = sp.expand(above**2 - (above - e) ** 2)  # above >= |above - e| is sufficient
    has_fewer_roots = len(_square_roots(squares)) < len(_square_roots(e))
    if has_fewer_roots and is_nonnegative(squares, known, **options):
        return True
    for kink in kinks[:1]:
        for value, facts in _cases(kink):
            extra = (*known.extra, *facts, (kink - value, "="))
            case = e.xreplace({kink: value})
            if not is_nonnegative(case, replace(known, extra=extra), **options):
                return False
    return bool(kinks)


def _square_roots(e) -> set:
    return {p for p in e.atoms(sp.Pow) if p.exp.is_Rational and p.exp.q == 2}


def is_positive(e, known: Known) -> bool:
    return is_nonnegative(e, known, strict=True)


def is_nonzero(e, known: Known) -> bool:
    """Show e != 0: each factor has a sign or divides a nonzero expression."""
    e = flatten(e, known.rules)
    facts = [f for f, sign in known.facts(e) if sign in (">", "!=")]
    powers = [item for f in facts for item in _powers(flatten(f, known.rules)).items()]
    factors = {f for f, power in powers if power.is_Rational}  # 0^0 = 1 is not zero
    return all(
        replace_sums(f).is_nonzero
        or (f != 0 and any((f / g).is_Rational or f + g == 0 for g in factors))
        or is_positive(f, known)
        or is_positive(-f, known)
        for f in _powers(e)
    )


def _powers(e) -> dict:
    return sp.factor(hide_zero_powers(e)).as_powers_dict()


def replace_sums(e):
    """Replace each sum by a symbol, with a sign if all summands have that sign."""
    return e.xreplace({s: _symbol_for(s) for s in e.atoms(sp.Sum)})


@cache
def _symbol_for(s: sp.Sum) -> sp.Dummy:
    signs = [(q, low.is_positive or None) for q, low, _ in s.limits]
    names = {q: sp.Dummy(integer=True, positive=sign) for q, sign in signs}
    sign = assumptions_of(replace_sums(s.function.xreplace(names)))
    if not all((high - low).is_nonnegative for _, low, high in s.limits):  # may be empty
        weaker = {"positive": "nonnegative", "negative": "nonpositive"}
        sign = {weaker.get(fact, fact): True for fact in sign}
    return sp.Dummy(**sign)


def _is_evident(e, strict: bool = False) -> bool:
    """Return True if SymPy knows e >= 0 (e > 0 if strict) from the declarations."""
    signed = replace_sums(e)
    return bool(signed.is_positive if strict else signed.is_nonnegative)


def _is_nonnegative_product(e, known: Known, strict: bool) -> bool:
    """Show e >= 0 by the signs of its factors; a denominator must not be zero."""
    coefficient, rest = e.as_coeff_Mul()
    sign, powers = sp.sign(coefficient), rest.as_powers_dict()
    if powers == {rest: 1}:
        return False
    for factor, power in powers.items():
        strictly = strict or not power.is_nonnegative
        if power.is_even and (not strictly or is_nonzero(factor, known)):
            continue
        if not is_nonnegative(factor, known, strict=strictly):
            if not power.is_odd or not is_nonnegative(-factor, known, strict=strictly):
                return False
            sign = -sign
    return bool(sign > 0)


def _cases(kink) -> Iterator[tuple]:
    """Yield (value, facts) for each case of an absolute value, maximum or minimum."""
    values = [kink.args[0], -kink.args[0]] if isinstance(kink, sp.Abs) else kink.args
    sign = -1 if isinstance(kink, sp.Min) else 1
    for z in values:
        yield z, [(sign * (z - other), ">=") for other in values if other != z]


# A monomial is a set of pairs (atom, power), a polynomial is {monomial: coefficient}.
ONE: frozenset = frozenset()


def _is_combination(e, known: Known, strict: bool) -> bool:
    """Return True if e is a sum of facts times factors >= 0, squares and terms >= 0."""
    wanted = polynomial(e)
    if len(wanted) > MAX_TERMS:
        return False
    facts = [fact for fact in known.facts(e) + known.summed_facts(e) if fact[1] != "!="]
    rules = known.power_rules
    polynomials = [(polynomial(flatten(fact, rules)), sign) for fact, sign in facts]
    if _is_feasible(wanted, _columns(wanted, polynomials), strict):
        return True
    signed = [f for f, sign in polynomials if sign != "="]
    pairs = [(_times(f, g), ">=") for f, g in combinations_with_replacement(signed, 2)]
    columns = _columns(wanted, polynomials + pairs)
    return bool(pairs) and _is_feasible(wanted, columns, strict)


def polynomial(e) -> dict:
    terms: dict = {}
    for c, m in map(_monomial, sp.Add.make_args(e)):
        terms[m] = terms.get(m, 0) + c
    return {m: c for m, c in terms.items() if c}


@cache
def _monomial(term) -> tuple[Fraction, frozenset]:
    c, rest = term.as_coeff_Mul(rational=True)
    powers: dict = {}
    for factor in sp.Mul.make_args(rest):
        atom, power = factor.as_base_exp()
        if not power.is_Rational:  # such as exp(2 z)
            power, exponent = power.as_coeff_Mul(rational=True)
            atom = atom**exponent
        powers[atom] = powers.get(atom, 0) + power
    powers.pop(sp.Integer(1), None)
    return Fraction(int(c.p), int(c.q)), frozenset(powers.items())


def _product(m: frozenset, other: frozenset, power: int = 1) -> frozenset:
    """Return m times a power of another monomial."""
    powers = dict(m)
    for atom, exponent in other:
        powers[atom] = powers.get(atom, 0) + power * exponent
    return frozenset((atom, exponent) for atom, exponent in powers.items() if exponent)


def _times(f: dict, g: dict) -> dict:
    """Return the product of two polynomials."""
    result: dict = {}
    for (m, c), (other, d) in product(f.items(), g.items()):
        both = _product(m, other)
        result[both] = result.get(both, 0) + c * d
    return {m: c for m, c in result.items() if c}


@cache
def _sign(m: frozenset) -> tuple[int, bool]:
    """Return the sign of a monomial, 0 if it is not known; and whether it is nonzero."""
    sign, nonzero = 1, True
    for atom, power in m:
        atom, odd = replace_sums(atom), power % 2 != 0
        sure = atom.is_nonnegative or not odd or (atom.is_nonpositive and power.is_integer)
        if not sure or (power < 0 and not atom.is_nonzero):
            return 0, False
        sign *= -1 if odd and not atom.is_nonnegative else 1
        nonzero = nonzero and bool(atom.is_nonzero)
    return sign, nonzero


def _columns(wanted: dict, facts: list) -> list[tuple]:
    """Return pairs: a polynomial >= 0 that may be part of `wanted`, and True if it is > 0.

    Multiples of facts (of an equation, with both signs), monomials and squares.
    """
    columns = []
    for fact, relation in facts:
        factors = dict.fromkeys([ONE, *(_product(m, t, -1) for m in wanted for t in fact)])
        for factor in factors:
            sign, nonzero = _sign(factor)
            square, _ = _sign(_product(ONE, factor, 2))  # 0 if it may divide by zero
            if sign > 0 or (relation == "=" and square):
                terms = {_product(m, factor): c for m, c in fact.items()}
                columns.append((terms, relation == ">" and nonzero))
                if relation == "=":
                    columns.append(({m: -c for m, c in terms.items()}, False))
    monomials = dict.fromkeys([ONE, *wanted, *(m for terms, _ in columns for m in terms)])
    for m in monomials:
        sign, nonzero = _sign(m)
        columns += [({m: Fraction(sign)}, nonzero)] if sign else []
    return columns + [(terms, False) for terms in _squares(wanted, list(monomials))]


def _squares(wanted: dict, monomials: list) -> Iterator[dict]:
    """Yield (p + t q)^2 >= 0, and the Cauchy-Schwarz inequality for sums.

    p^2, q^2 and p q are monomials, or they are summands of sums with the same limits.
    """
    sums = {frozenset({(atom, 1)}) for m in monomials for atom, _ in m if is_sum(atom)}
    single = {_limits_and_summand(m): m for m in sums}
    for limits in {limits for limits, _ in single if len(limits) == 1}:
        if limits[0][1] == 1 and limits[0][2].is_Symbol:  # the sum of 1
            single[limits, ONE] = frozenset({(limits[0][2], 1)})
    found = {_limits_and_summand(m): m for m in monomials} | single
    for m, c in wanted.items():
        for a, b in _pairs(found, *_limits_and_summand(m)):
            completes = wanted.get(a, 0) > 0  # a square with the two terms of `wanted`
            for t in {c / (2 * wanted[a]), Fraction(1)} if completes else {1}:
                for mixed in 2 * t, -2 * t:
                    yield {a: Fraction(1), m: Fraction(mixed), b: Fraction(t * t)}
    for m in monomials:
        for atom, power in m:
            rest = m - {(atom, power)}
            if is_sum(atom) and power == 2 and _sign(rest)[0] > 0:
                for a, b in _pairs(single, *_limits_and_summand(frozenset({(atom, 1)}))):
                    yield {_product(_product(a, b), rest): Fraction(1), m: Fraction(-1)}


def _pairs(found: dict, limits, mixed: frozenset) -> Iterator[tuple]:
    """Yield the pairs of monomials whose summands p, q >= 0 have p q = mixed^2."""
    square = _product(mixed, mixed)
    for (ends, p), a in found.items():
        q = _product(square, p, -1)
        b = found.get((limits, q), a) if ends == limits else a
        if b != a and _sign(p)[0] > 0 and _sign(q)[0] > 0:
            yield a, b


def _limits_and_summand(m: frozenset) -> tuple:
    """Return limits and summand of the only sum in a monomial; without one, () and m."""
    sums = [atom for atom, power in m if is_sum(atom) and power == 1]
    c, summand = _monomial(sums[0].function) if len(sums) == 1 else (0, ONE)
    if c != 1:
        return (), m
    return sums[0].limits, _product(m - {(sums[0], 1)}, summand)


def _is_feasible(wanted: dict, columns: list, strict: bool) -> bool:
    """Return True if the columns, with weights >= 0, add up to `wanted`.

    If strict: to a positive multiple of `wanted`, and the weights of the columns > 0 have
    the sum 1, which is the row None.
    """
    if not strict:
        return solve([terms for terms, _ in columns], wanted) is not None
    one = {None: Fraction(1)}
    weights = [terms | (one if positive else {}) for terms, positive in columns]
    negative = {m: -c for m, c in wanted.items()}
    found = solve([negative, *weights], one)
    return found is not None and found.get(0, 0) > 0


def solve(columns: list[dict], wanted: dict) -> dict | None:
    """Find x >= 0 with sum_j x_j columns[j] = wanted, by an exact simplex method."""
    table, basis = [], []
    for row in dict.fromkeys([*wanted, *(m for column in columns for m in column)]):
        b = wanted.get(row, Fraction(0))
        sign = 1 if b >= 0 else -1
        line = {j: sign * c[row] for j, c in enumerate(columns) if row in c}
        table.append((line, abs(b)))
        basis.append(-1)  # the artificial variable of the row
    for _ in range(MAX_PIVOTS):
        cost: dict = {}
        for (line, _), basic in zip(table, basis, strict=True):
            for j, c in line.items() if basic < 0 else ():
                cost[j] = cost.get(j, 0) + c
        enter = min((j for j, c in cost.items() if c > 0), default=None)  # Bland's rule
        if enter is None:
            break
        lines = [(r, line[enter], b) for r, (line, b) in enumerate(table) if enter in line]
        leave = min((b / c, basis[r], r) for r, c, b in lines if c > 0)[2]
        _pivot(table, leave, enter)
        basis[leave] = enter
    if any(b for (_, b), basic in zip(table, basis, strict=True) if basic < 0):
        return None
    return {j: b for (_, b), j in zip(table, basis, strict=True) if j >= 0}


def _pivot(table: list, leave: int, enter: int) -> None:
    line, b = table[leave]
    table[leave] = {j: c / line[enter] for j, c in line.items()}, b / line[enter]
    line, b = table[leave]
    for r, (other, value) in enumerate(table):
        if r != leave and (factor := other.get(enter, 0)):
            new = other | {j: other.get(j, 0) - factor * c for j, c in line.items()}
            table[r] = {j: c for j, c in new.items() if c}, value - factor * b
