"""A claim tried on exact numbers: small sizes, every sum written out, rational entries.

A point gives a number to each size, each free index, each symbol and each entry of an
array that occurs.  What SymPy was told of a symbol (positive, an integer, ...) and each
hypothesis of the claim holds at every point; both are checked, not only intended.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import count

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.matrices.exceptions import NonInvertibleMatrixError

from mlcore.book.proofs.shapes import Shape

SIMPLE = tuple(map(sp.Integer, (1, 2, 3, -1, -2)))
EDGE = tuple(map(sp.Integer, (0, 1, -1)))
FRACTIONS = tuple(sp.Rational(p, q) for q in (1, 2, 3, 5) for p in range(-6, 7))
NOT_NEGATIVE = tuple(number for number in FRACTIONS if number >= 0)
POOLS = (SIMPLE, SIMPLE, EDGE[:1], EDGE, FRACTIONS)  # at 0 a hidden hypothesis shows
IN_VAIN = 500  # points tried before the hypotheses are called contradictory


class Undefined(ArithmeticError):
    """An expression has no real value at a point."""


@dataclass
class Point:
    """Numbers for the letters of a claim, drawn when they are first asked for.

    sizes    {symbol that counts something: a number}
    indices  {free index: a number, from 1 to its size}
    pool     the numbers to draw from
    allowed  {array: the only numbers that its entries may be}
    numbers  {symbol, matrix, (array, indices) or (function, arguments): what was drawn}
    """

    sizes: dict
    indices: dict
    pool: Sequence
    rng: random.Random
    allowed: dict = field(default_factory=dict)
    numbers: dict = field(default_factory=dict)

    def __call__(self, expression):
        """The exact value.  Raises Undefined for a division by zero and the like."""
        try:
            value = self._value(sp.sympify(expression), {**self.sizes, **self.indices})
        except (NonInvertibleMatrixError, ZeroDivisionError) as error:
            raise Undefined(str(error)) from None
        for entry in value if isinstance(value, sp.MatrixBase) else [value]:
            if entry in (sp.nan, sp.zoo) or getattr(entry, "is_real", None) is False:
                raise Undefined(f"the value is {entry}")
        return value

    def _value(self, e, bound: dict):
        """What `subs` and `doit` give, a hundred times as fast: one walk over the tree."""
        if e in bound:
            return bound[e]
        if isinstance(e, sp.Sum):
            return sum(self._terms(e.function, e.limits, bound), sp.Integer(0))
        if isinstance(e, sp.Indexed):
            return self.number((e.base, *(self._value(q, bound) for q in e.indices)))
        if isinstance(e, sp.MatrixSymbol):
            return self._matrix(e, [int(self._value(size, bound)) for size in e.shape])
        if isinstance(e, sp.Symbol):
            return self.number(e)
        if isinstance(e, sp.MatrixBase):
            return e.applyfunc(lambda entry: self._value(entry, bound))
        if not e.args:
            return e
        parts = [self._value(part, bound) for part in e.args]
        if isinstance(e, AppliedUndef):
            return self.number((e.func, *parts))
        if isinstance(e, (sp.sign, sp.Heaviside)) and parts[0] == 0:
            raise Undefined("there is no slope at a kink")  # SymPy says 0, or 1/2
        whole = e.func(*parts)
        return whole.doit().as_explicit() if isinstance(whole, sp.MatrixExpr) else whole

    def name_of(self, entry: sp.Indexed) -> tuple:
        """The key under which `numbers` has an entry such as w[k]."""
        return entry.base, *(self(index) for index in entry.indices)

    def _terms(self, term, limits, bound: dict) -> Iterator:
        *inner, (index, low, high) = limits
        first, last = (int(self._value(end, bound)) for end in (low, high))
        for q in range(first, last + 1):
            here = bound | {index: sp.Integer(q)}
            yield from (
                self._terms(term, inner, here) if inner else [self._value(term, here)]
            )

    def number(self, name):
        """What a symbol, an entry or a function's value stands for, drawn only once."""
        if name not in self.numbers:
            letter = name[0] if isinstance(name, tuple) else name
            pool = self.allowed.get(letter, self.pool)
            self.numbers[name] = self.rng.choice(_usable(letter, pool))
        return self.numbers[name]

    def _matrix(self, symbol, shape):
        if symbol not in self.numbers:
            draw = lambda *_: self.rng.choice(self.pool)  # noqa: E731
            self.numbers[symbol] = sp.ImmutableMatrix(*shape, draw)
        return self.numbers[symbol]


@cache
def _usable(letter, wanted: Sequence) -> list:
    facts = {} if isinstance(letter, type) else letter.assumptions0  # f of f(x): none
    for pool in (wanted, SIMPLE, FRACTIONS):
        if found := [number for number in pool if fits(number, facts)]:
            return found
    raise ValueError(f"{letter} must be declared as something that a number can be")


def fits(number, facts: dict) -> bool:
    """Whether a number is all that SymPy was told of a symbol."""
    return all(getattr(number, f"is_{fact}") is truth for fact, truth in facts.items())


def is_zero(value) -> bool:
    """Whether a value is zero: a number, or all numbers of a matrix."""
    if isinstance(value, sp.MatrixBase):
        return all(map(is_zero, value))
    return value == 0 if value.is_Rational else bool(abs(value.evalf(30)) < 1e-25)


def points(sides, given, *, seed: str, in_vain: int = IN_VAIN) -> Iterator[Point]:
    """Points at which the hypotheses hold, without end: small sizes and numbers first.

    Raises ValueError if there seems to be none, after so many tries in vain.
    """
    rng = random.Random(seed)
    shape = Shape(*sides, *(e for hypothesis in given for e in hypothesis.about))
    allowed = {base: only for g in given for base, only in g.allowed.items()}
    failed = 0
    for tried in count():
        largest = min(1 + tried // 5, 3)
        sizes = {size: sp.Integer(rng.randint(1, largest)) for size in shape.sizes}
        ends = {index: int(sizes.get(end, end)) for index, end in shape.indices.items()}
        indices = {index: sp.Integer(rng.randint(1, end)) for index, end in ends.items()}
        point = Point(sizes, indices, POOLS[tried % len(POOLS)], rng, allowed)
        if made_to_hold(given, point):
            failed = 0
            yield point
        elif (failed := failed + 1) > in_vain:
            words = "; ".join(filter(None, (hypothesis.words for hypothesis in given)))
            raise ValueError(f"given must hold at some point; none was found for {words}")


def made_to_hold(given, point: Point) -> bool:
    """Repair the numbers of a point for each hypothesis; whether all hold in the end."""
    for hypothesis in given:
        if not hypothesis.holds(point):
            with suppress(ArithmeticError, KeyError):  # some numbers cannot be repaired
                hypothesis.repair(point)
    return all(hypothesis.holds(point) for hypothesis in given)
