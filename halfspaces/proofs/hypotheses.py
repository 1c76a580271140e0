"""The hypotheses of a claim; each is printed on its card.

A hypothesis has rules that rewrite an expression, and facts about signs; it
changes random numbers until they satisfy it, and checks them exactly.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, product

import sympy as sp

from halfspaces.proofs.algebra import Rule, flatten, is_sum, reindex
from halfspaces.proofs.points import (
    NONNEGATIVE,
    POSITIVE,
    Point,
    TooLarge,
    Undefined,
    Variables,
    is_above_zero,
    is_valid,
    is_zero,
    tex,
)
from halfspaces.symbols import total

EVALUATED = sp.Add, sp.Mul, sp.Pow, sp.Max, sp.Min, sp.Function
HOLDS = {  # whether a value has a relation to 0; "=" takes numbers or matrices
    "=": is_zero,
    "!=": lambda value: not is_zero(value),
    ">": lambda value: not is_zero(value) and is_above_zero(value),
    ">=": lambda value: is_zero(value) or is_above_zero(value),
    "invertible": lambda value: not is_zero(value.det()),
}


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """One assumption.

    words    for the card, TeX between dollar signs
    facts    pairs of an expression and its relation to 0: "=", ">=", ">" or "!=", or of
             a matrix and "=" or "invertible"
    rules    rewrite an expression
    allowed  {array: the only numbers that its entries may be}
    vectors  arrays printed as vectors; all indices of one must have the same range
    repair   changes numbers of a point so that it holds, if random numbers rarely do
    each     {index: size}, if the hypothesis holds for each value of an index
    """

    words: str
    facts: tuple[tuple, ...] = ()
    rules: tuple[Rule, ...] = ()
    allowed: dict = field(default_factory=dict)
    vectors: tuple = ()
    repair: Callable[[Point], None] = lambda point: None
    each: dict = field(default_factory=dict)

    @property
    def expressions(self) -> list:
        return [e for e, _ in self.facts]

    def for_claim(self, left, right) -> "Hypothesis":
        """Return the hypothesis for all values of the indices that the claim does not use.

        Raises ValueError if the claim uses such an index as a number.
        """
        claim = Variables(left, right)
        indices = Variables(*self.expressions, left, right).indices
        free = Variables(*self.expressions).free_symbols
        each = {q: size for q, size in indices.items() if q in free - claim.indices.keys()}
        if clash := each.keys() & claim.free_symbols:
            words = "an index in given must not be a number in the claim"
            raise ValueError(f"{words}; got {clash}")
        rules = (rule_for_each(rule, each) if each else rule for rule in self.rules)
        return replace(self, each=each, rules=tuple(rules))

    def fail_if_outside(self, expressions) -> None:
        """Raise ValueError if an index of a label or vector may be outside 1 to n."""
        indices = Variables(*expressions).indices
        sums = {s for e in expressions for s in e.atoms(sp.Sum)}
        limits = {limit.args for s in sums for limit in s.limits}
        limits |= {(q, 1, size) for q, size in indices.items()}
        found = {v for e in expressions for v in e.atoms(sp.Indexed)}
        for array in (*self.allowed, *self.vectors):
            entries = {v.indices for v in found if v.base == array}
            used = {(low, high) for q, low, high in limits if (q,) in entries}
            inside = {(q,) for q, *_ in limits}
            if all(high.is_positive for _, high in used):  # else the ends may be outside
                inside |= {(1,), *((high,) for _, high in used)}
            full_range = all(low == 1 and high.is_Symbol for low, high in used)
            if not (entries <= inside and len(used) <= 1 and full_range):
                places = sorted(map(str, entries))
                raise ValueError(f"{array} must have the indices 1, ..., n; got {places}")

    def holds(self, point: Point) -> bool:
        try:
            return all(map(self._holds_at, self._instances(point)))
        except (Undefined, TooLarge):
            return False

    def _holds_at(self, instance: Point) -> bool:
        return all(HOLDS[relation](instance(e)) for e, relation in self.facts)

    def make_true(self, point: Point) -> None:
        for instance in self._instances(point):
            if not self._holds_at(instance):
                self.repair(instance)

    def _instances(self, point: Point) -> Iterator[Point]:
        """Yield the point at each value of the indices in `each`, with shared numbers."""
        ends = [int(size.subs(point.sizes)) for size in self.each.values()]
        for values in product(*(map(sp.Integer, range(1, end + 1)) for end in ends)):
            found = dict(zip(self.each, values, strict=True))
            yield replace(point, indices=point.indices | found)


def rule_for_each(rule: Rule, each: dict) -> Rule:
    """Return a rule that applies `rule` in each sum over indices from 1 to their sizes."""
    outside = {q: sp.Dummy(integer=True) for q in each}  # an index of another range
    back = {dummy: q for q, dummy in outside.items()}

    def apply_to_summands(s):
        f, *limits = (part.xreplace(outside) for part in reindex(s).args)
        before = f
        names = [[q for q, *ends in limits if ends == [1, size]] for size in each.values()]
        for found in product(*names):
            if len(set(found)) == len(found):
                f = rule(f.xreplace(dict(zip(found, each, strict=True))))
                f = f.xreplace(dict(zip(each, found, strict=True)))
        return s if f == before else sp.Sum(f, *limits).xreplace(back)

    return lambda e: e.replace(is_sum, apply_to_summands)


def signs(labels: sp.IndexedBase) -> Hypothesis:
    """Assume that each entry is -1 or +1: odd powers are the entry, even ones are 1."""
    powers = _power_rule(labels, lambda power: power % 2)
    return _one_of_two(f"labels ${tex(labels)}_i=\\pm1$", labels, (1, -1), powers, sp.Abs)


def zero_or_one(array: sp.IndexedBase) -> Hypothesis:
    """Assume that each entry v is 0 or 1: v^2 is v, and exp(c v) is 1 - v + v exp(c)."""
    powers = _power_rule(array, lambda power: 1 if power > 0 else power)
    words = f"${tex(array)}_i\\in\\{{0,1\\}}$"
    return _one_of_two(words, array, (1, 0), powers, sp.Abs, sp.exp)


def _one_of_two(words, array, values, powers: Rule, *functions) -> Hypothesis:
    if not isinstance(array, sp.IndexedBase):
        raise ValueError(f"labels must be an array; got {array}")
    values = tuple(map(sp.Integer, values))
    rules = powers, _interpolation_rule(array, values, *functions)
    return Hypothesis(words, rules=rules, allowed={array: values})


def _power_rule(array, reduce: Callable[[int], int]) -> Rule:
    def is_power(e):
        return e.is_Pow and e.exp.is_Integer and getattr(e.base, "base", None) == array

    return lambda e: e.replace(is_power, lambda p: p.base ** reduce(int(p.exp)))


def _interpolation_rule(array, values: tuple, *functions) -> Rule:
    """Return a rule that writes f(v) as linear in v, for an entry v with two values."""
    high, low = values

    def interpolate(f):
        bound = {q for s in f.atoms(sp.Sum) for q, *_ in s.limits}
        for v in sorted(f.atoms(sp.Indexed), key=str):
            if v.base == array and not v.free_symbols & bound:
                above, below = (v - low) * f.subs(v, high), (high - v) * f.subs(v, low)
                f = (above + below) / (high - low)
        return f

    return lambda e: e.replace(lambda f: isinstance(f, functions), interpolate)


def fail_if_misread(*expressions) -> None:
    """Raise ValueError for a part whose printed form is not what SymPy computes with."""
    for part in chain(*map(sp.preorder_traversal, expressions)):
        if isinstance(part, EVALUATED):
            part._assumptions = part.default_assumptions  # forget what sympy_bugs corrects
        # SymPy multiplies 2 (a + b) out, which prints the same value
        scaled_sum = part.is_Mul and part.args[0].is_Rational and len(part.args) == 2
        if isinstance(part, EVALUATED) and not scaled_sum and part.func(*part.args) != part:
            raise ValueError(f"no part may be left unevaluated; got {part}")
        if isinstance(part, sp.OneMatrix):
            raise ValueError("no matrix may consist of ones: SymPy prints it as 1")
        sizes = part.shape if isinstance(part, sp.MatrixSymbol) else ()
        if not all(size.is_Symbol or size == 1 for size in sizes):
            raise ValueError(f"the sizes of {part} must be letters or 1; got {sizes}")
        indices = [q for q, *_ in part.limits] if is_sum(part) else []
        if len({*indices}) < len(indices):
            raise ValueError(f"no sum may use an index twice; got {part}")
        if isinstance(part, sp.KroneckerDelta) and part.args != part.indices:
            raise ValueError(f"no index of {part} may have limits, which are not printed")


def _difference(left, right, operands: str = "numbers"):
    """Return left - right with new summation indices; fail if a sum may be empty."""
    left, right = sp.sympify(left), sp.sympify(right)
    fail_if_misread(left, right)
    shapes = {side.shape if side.is_Matrix else () for side in (left, right)}
    if len(shapes) > 1 or (operands == "numbers" and shapes != {()}):
        raise ValueError(f"left and right must be {operands}; got {left}, {right}")
    difference = (left - right).replace(is_sum, reindex)
    limits = [limit for s in difference.atoms(sp.Sum) for limit in s.limits]
    if not all((high - low + 1).is_nonnegative for _, low, high in limits):
        raise ValueError(f"no sum in given may end before it starts; got {left}, {right}")
    return difference


def equation(left, right, words: str | None = None) -> Hypothesis:
    """Assume left = right; the proof replaces one term by the others."""
    difference = _difference(left, right, operands="numbers, or matrices of one shape")
    return Hypothesis(
        words or f"${tex(left)}={tex(right)}$",
        facts=((difference, "="),),
        rules=(substitution(flatten(difference)),),
        repair=lambda point: solve_equation(difference, point),
    )


def unit(array, index) -> Hypothesis:
    """Assume that a vector has length 1."""
    words = f"$\\lVert {tex(array)}\\rVert=1$"
    length_1 = equation(total(array[index] ** 2, index), 1, words)
    return replace(length_1, vectors=(array,), repair=partial(_project_to_sphere, array))


def _project_to_sphere(array, point: Point) -> None:
    """Project the array from a pole of the sphere: rational numbers stay rational."""
    *names, pole = [q for q in point.numbers if isinstance(q, tuple) and q[0] == array]
    square = sum(point.numbers[q] ** 2 for q in names)
    point.numbers |= {q: 2 * point.numbers[q] / (square + 1) for q in names}
    point.numbers[pole] = (square - 1) / (square + sp.Integer(1))


def unequal(left, right, words: str | None = None) -> Hypothesis:
    """Assume that two numbers differ, for example a squared length and 0."""
    words = words or f"${tex(left)}\\ne {tex(right)}$"
    return Hypothesis(words, facts=((_difference(left, right), "!="),))


def less(left, right, words: str | None = None) -> Hypothesis:
    """Assume left < right, for numbers."""
    words = words or f"${tex(left)}<{tex(right)}$"
    return _inequality(_difference(right, left), ">", words, POSITIVE)


def not_less(left, right, words: str | None = None) -> Hypothesis:
    """Assume left >= right, for numbers."""
    words = words or f"${tex(left)}\\ge {tex(right)}$"
    return _inequality(_difference(left, right), ">=", words, NONNEGATIVE)


def _inequality(difference, relation: str, words: str, slacks: tuple) -> Hypothesis:
    def repair(point: Point) -> None:
        solve_equation(difference - point.scale * point.rng.choice(slacks), point)

    return Hypothesis(words, facts=((difference, relation),), repair=repair)


def invertible(matrix, words: str | None = None) -> Hypothesis:
    """Assume that a square matrix has an inverse."""
    shape = matrix.shape if matrix.is_Matrix else ()
    if len({*shape}) != 1:
        raise ValueError(f"matrix must be square; got {matrix} with the shape {shape}")
    words = words or f"${tex(matrix)}$ invertible"
    return Hypothesis(words, facts=((matrix, "invertible"),))


def perpendicular(X: sp.MatrixSymbol, v: sp.MatrixSymbol) -> Hypothesis:
    """Assume X v = 0: every row of X is perpendicular to v."""
    column, row = sp.ZeroMatrix(X.shape[0], 1), sp.ZeroMatrix(1, X.shape[0])
    return Hypothesis(
        f"${tex(X * v)}=0$",
        facts=((X * v, "="),),
        rules=(lambda e: e.subs({X * v: column, v.T * X.T: row}).doit(),),
        repair=lambda point: _project(X, v, point),
    )


def _project(X, v, point: Point) -> None:
    """Subtract from each row of X its component along v."""
    rows, direction = point(X), point(v)
    along = rows * direction * direction.T / (direction.T * direction)[0]
    point.numbers[X] = sp.ImmutableMatrix(rows - along)


def substitution(difference) -> Rule:
    """Return the rule that solves `difference = 0` for one term and substitutes the others.

    It prefers a term with a sum, then one with few factors, and divides only by its
    coefficient: a factor that may be zero stays with the term.
    """
    terms = [t.as_coeff_Mul() for t in sp.Add.make_args(difference) if not t.is_number]
    if not terms:
        raise ValueError(f"left and right must differ by a symbol; got {difference} = 0")
    coefficient, target = min(terms, key=lambda term: _sort_key(term[1]))
    rest = sp.expand(target - difference / coefficient)
    return lambda e: e.subs(target, rest)


def _sort_key(term) -> tuple:
    return not term.has(sp.Sum), len(sp.Mul.make_args(term)), str(term)


def solve_equation(difference, point: Point) -> None:
    """Set one number of the point, or a matrix that is a term, to the value that solves
    an equation, if such a value is valid.

    The number is chosen at random, since either factor of a product can be zero.  If no
    value is valid (as for weights above 0 with sum 1), all numbers are shrunk first.
    """
    for term in sp.Add.make_args(difference) if difference.is_Matrix else ():
        coefficient, matrix = (part.doit() for part in term.as_coeff_mmul())
        if isinstance(matrix, sp.MatrixSymbol) and coefficient.is_number:
            point.numbers[matrix] = point(matrix) - point(difference) / coefficient
            return
    matrices = {n for n, value in point.numbers.items() if isinstance(value, sp.MatrixBase)}
    letters = Variables(difference).quantities - point.allowed.keys()
    free = [n for n in point.numbers if n not in matrices and _array(n) in letters]
    for shrink in sp.Integer(1), sp.Rational(1, 7):
        smaller = {name: shrink * point.numbers[name] for name in free}
        point.numbers |= {q: v for q, v in smaller.items() if is_valid(v, _array(q))}
        for name in point.rng.sample(free, len(free)):
            value = _root(difference, name, point)
            if value is not None and is_valid(value, _array(name)):
                point.numbers[name] = value
                return


def _root(difference, name, point: Point):
    """Return the zero of a function that is linear in one number; None without a zero."""
    before, values = point.numbers[name], []
    try:
        for trial in map(sp.Integer, range(3)):
            point.numbers[name] = trial
            values.append(point(difference))
    except Undefined:
        return None
    finally:
        point.numbers[name] = before
    start, slope = values[0], values[1] - values[0]
    return -start / slope if slope and values[2] == start + 2 * slope else None


def _array(name):
    return name[0] if isinstance(name, tuple) else name
