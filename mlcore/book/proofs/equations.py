"""What an equation between numbers lets a proof do, and how a point comes to satisfy it."""

import sympy as sp

from mlcore.book.proofs.equality import Rule
from mlcore.book.proofs.points import Point, fits


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
    loose = [
        name
        for name, value in point.numbers.items()
        if not (_array(name) in point.allowed or isinstance(value, sp.MatrixBase))
    ]
    for shrink in sp.Integer(1), sp.Rational(1, 7):
        smaller = {name: shrink * point.numbers[name] for name in loose}
        point.numbers |= {name: v for name, v in smaller.items() if _can_be(name, v)}
        for name in point.rng.sample(loose, len(loose)):
            value = _root(difference, name, point)
            if value is not None and _can_be(name, value):
                point.numbers[name] = value
                return


def _can_be(name, value) -> bool:
    letter = _array(name)
    return isinstance(letter, type) or fits(value, letter.assumptions0)


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
