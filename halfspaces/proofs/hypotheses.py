"""What a proof may assume, said aloud: each hypothesis is printed on the card.

A hypothesis does three things.  It gives the proof rules that rewrite an expression; it
makes random numbers satisfy it; and it is checked on them, exactly.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

import sympy as sp

from halfspaces.proofs.algebra import Rule, flat
from halfspaces.proofs.points import (
    NOT_NEGATIVE,
    Point,
    Shape,
    Undefined,
    fits,
    is_zero,
    points,
    tex,
)
from halfspaces.symbols import total

__all__ = ["equation", "invertible", "less", "not_less", "perpendicular", "signs"]
__all__ += ["unequal", "unit", "zero_or_one"]

TRIES = 20  # to make a denominator zero without breaking a hypothesis


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """One assumption.

    words    for the card, TeX between dollar signs
    about    the expressions in which its letters occur
    test     whether it is true at a point
    rules    what the proof may rewrite
    allowed  {array: the only numbers that its entries may be}
    repair   changes numbers of a point so that it becomes true, where random ones are not
    """

    words: str
    about: tuple = ()
    test: Callable[[Point], bool] = lambda point: True
    rules: tuple[Rule, ...] = ()
    allowed: dict = field(default_factory=dict)
    repair: Callable[[Point], None] = lambda point: None

    def holds(self, point: Point) -> bool:
        try:
            return self.test(point)
        except Undefined:
            return False


def signs(labels) -> Hypothesis:
    """Each entry is -1 or +1: odd powers are the entry itself, even ones are 1."""
    return Hypothesis(
        f"labels ${tex(labels)}_i=\\pm1$",
        rules=(_powers(labels, lambda power: power % 2),),
        allowed={labels: (sp.Integer(1), sp.Integer(-1))},
    )


def zero_or_one(array) -> Hypothesis:
    """Each entry v is 0 or 1: a positive power of it is v, exp(c v) is 1 - v + v exp(c)."""
    return Hypothesis(
        f"${tex(array)}_i\\in\\{{0,1\\}}$",
        rules=(
            _powers(array, lambda power: 1 if power > 0 else power),
            lambda e: e.replace(sp.exp, lambda power: _of_both_cases(power, array)),
        ),
        allowed={array: (sp.Integer(1), sp.Integer(0))},
    )


def _powers(array, reduced: Callable[[int], int]) -> Rule:
    def of_an_entry(e):
        return e.is_Pow and e.exp.is_Integer and getattr(e.base, "base", e.base) == array

    return lambda e: e.replace(of_an_entry, lambda p: p.base ** reduced(int(p.exp)))


def _of_both_cases(power, array):
    exponential = sp.exp(power)
    for v in power.atoms(sp.Indexed):
        if v.base == array:
            without, within = exponential.subs(v, 0), exponential.subs(v, 1)
            exponential = (1 - v) * without + v * within
    return exponential


def equation(left, right, words: str | None = None) -> Hypothesis:
    """left = right, for numbers; the proof replaces one term by the others."""
    difference = flat(sp.sympify(left) - right)
    return Hypothesis(
        words or f"${tex(left)}={tex(right)}$",
        about=(difference,),
        test=lambda point: is_zero(point(difference)),
        rules=(solved(difference),),
        repair=lambda point: solve_for_a_number(difference, point),
    )


def unit(array, index) -> Hypothesis:
    """A vector of length 1."""
    words = f"$\\lVert {tex(array)}\\rVert=1$"
    length_1 = equation(total(array[index] ** 2, index), 1, words)
    return replace(length_1, repair=lambda point: _put_on_the_sphere(array, point))


def _put_on_the_sphere(array, point: Point) -> None:
    """Project from a pole: rational coordinates stay rational."""
    *names, pole = [q for q in point.numbers if isinstance(q, tuple) and q[0] == array]
    square = sum(point.numbers[q] ** 2 for q in names)
    point.numbers |= {q: 2 * point.numbers[q] / (square + 1) for q in names}
    point.numbers[pole] = (square - 1) / (square + sp.Integer(1))


def unequal(left, right, words: str | None = None) -> Hypothesis:
    """left and right differ, for example a squared length and 0."""
    difference = sp.sympify(left) - right
    return Hypothesis(
        words or f"${tex(left)}\\ne {tex(right)}$",
        about=(difference,),
        test=lambda point: not is_zero(point(difference)),
    )


def less(left, right, words: str | None = None) -> Hypothesis:
    """left < right, for numbers."""
    difference = sp.sympify(right) - left
    return Hypothesis(
        words or f"${tex(left)}<{tex(right)}$",
        about=(difference,),
        test=lambda point: bool(point(difference) > 0),
    )


def not_less(left, right, words: str | None = None) -> Hypothesis:
    """left >= right, for numbers; the proof writes left as right and a slack >= 0."""
    difference = flat(sp.sympify(left) - right)
    slack = sp.Dummy("slack", nonnegative=True)
    return Hypothesis(
        words or f"${tex(left)}\\ge {tex(right)}$",
        about=(difference,),
        test=lambda point: bool(point(difference) >= 0),
        rules=(solved(difference, slack),),
        repair=lambda point: solve_for_a_number(
            difference - point.rng.choice(NOT_NEGATIVE), point
        ),
    )


def invertible(matrix, words: str | None = None) -> Hypothesis:
    """A square matrix has an inverse."""
    return Hypothesis(
        words or f"${tex(matrix)}$ invertible",
        about=(matrix,),
        test=lambda point: not is_zero(point(matrix).det()),
    )


def perpendicular(X: sp.MatrixSymbol, v: sp.MatrixSymbol) -> Hypothesis:
    """X v = 0: every row of X is perpendicular to v."""
    none, flipped = sp.ZeroMatrix(X.shape[0], 1), sp.ZeroMatrix(1, X.shape[0])
    return Hypothesis(
        f"${tex(X * v)}=0$",
        about=(X * v,),
        test=lambda point: is_zero(point(X * v)),
        rules=(lambda e: e.subs({X * v: none, v.T * X.T: flipped}).doit(),),
        repair=lambda point: _project(X, v, point),
    )


def _project(X, v, point: Point) -> None:
    """Take from each row of X its part along v."""
    rows, along = point(X), point(v)
    share = rows * along * along.T / (along.T * along)[0]
    point.numbers[X] = sp.ImmutableMatrix(rows - share)


def solved(whole, value=0) -> Rule:
    """The rule that puts for one term of `whole = value` what the others say.

    A term with a sum is taken first, then one with few factors.  Only its number is
    divided by: a factor that may be zero stays with the term.
    """
    terms = [t.as_coeff_Mul() for t in sp.Add.make_args(whole) if not t.is_number]
    coefficient, target = min(terms, key=lambda term: _rank(term[1]))
    rest = sp.expand(target + (value - whole) / coefficient)
    return lambda e: e.subs(target, rest)


def _rank(term) -> tuple:
    return not term.has(sp.Sum), len(sp.Mul.make_args(term)), str(term)


def solve_for_a_number(difference, point: Point) -> None:
    """Give one number of the point the value that the equation asks for.

    Which one is left to chance: a product can be zero by either of its factors.  Where
    none can take it (weights above 0 with the sum 1), all are made smaller first.
    """
    whole = {n for n, value in point.numbers.items() if isinstance(value, sp.MatrixBase)}
    loose = [n for n in point.numbers if n not in whole and _array(n) not in point.allowed]
    for shrink in sp.Integer(1), sp.Rational(1, 7):
        smaller = {name: shrink * point.numbers[name] for name in loose}
        point.numbers |= {name: v for name, v in smaller.items() if fits(v, _array(name))}
        for name in point.rng.sample(loose, len(loose)):
            value = _root(difference, name, point)
            if value is not None and fits(value, _array(name)):
                point.numbers[name] = value
                return


def _root(difference, name, point: Point):
    """Where a function that is linear in one of the numbers is zero, else None."""
    before, values = point.numbers[name], []
    for trial in map(sp.Integer, range(3)):
        point.numbers[name] = trial
        values.append(point(difference))
    point.numbers[name] = before
    start, slope = values[0], values[1] - values[0]
    return -start / slope if slope and values[2] == start + 2 * slope else None


def _array(name):
    return name[0] if isinstance(name, tuple) else name


def at_poles(sides, given) -> Iterator[Point]:
    """For each denominator, a point where it is zero and the hypotheses hold, if any."""
    for denominator in sorted(_denominators(sides), key=str):
        pole = Hypothesis(
            "",
            about=(denominator,),
            test=lambda point, zero=denominator: is_zero(point(zero)),
            repair=lambda point, zero=denominator: solve_for_a_number(zero, point),
        )
        try:
            yield from islice(points(sides, [*given, pole], in_vain=TRIES), 1)
        except ValueError:  # none was found
            continue


def _denominators(sides) -> set:
    """What is divided by, or has its logarithm taken, and may be zero.

    Where that depends on the index of a sum, the first term stands for all.
    """
    found = {e.args[0] for side in sides for e in side.atoms(sp.log)}
    found |= {e.base for side in sides for e in side.atoms(sp.Pow) if e.exp.is_negative}
    factors = {base for e in found for base in sp.factor(e).as_powers_dict()}
    first = {index: 1 for index in Shape(*sides).bound}
    return {factor.subs(first) for factor in factors if not _never_zero(factor)}


def _never_zero(e) -> bool:
    sums = {s: sp.Dummy(real=True) for s in e.atoms(sp.Sum)}
    return bool(e.is_number or e.is_nonzero or e.subs(sums).is_nonzero)
