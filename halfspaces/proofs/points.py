"""Claims tried on exact numbers.

A point gives a number to each size, each free index, each symbol and each entry of an
array that occurs: small sizes, rational entries.  What SymPy was told of a symbol
(positive, an integer, ...) and each hypothesis of the claim holds at every point; both
are checked, not only intended.
"""

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import count

import sympy as sp
from sympy.matrices.exceptions import NonInvertibleMatrixError

from halfspaces.symbols import LENGTH, SHAPE


def tex(e) -> str:
    """The TeX of an expression, with ln; a name of several letters, as hit, is a word."""
    words = {
        letter: rf"\mathrm{{{letter.name}}}"
        for letter in sp.sympify(e).free_symbols
        if re.fullmatch("[a-z]{2,}", letter.name) and sp.latex(letter) == letter.name
    }
    return sp.latex(e, symbol_names=words, ln_notation=True)


SIMPLE = tuple(map(sp.Integer, (1, 2, 3, -1, -2)))
EDGE = tuple(map(sp.Integer, (0, 1, -1)))
FRACTIONS = tuple(sp.Rational(p, q) for q in (1, 2, 3, 5) for p in range(-6, 7))
NOT_NEGATIVE = tuple(number for number in FRACTIONS if number >= 0)
POOLS = (SIMPLE, SIMPLE, EDGE[:1], EDGE, FRACTIONS)  # at 0 a hidden hypothesis shows
SEED = 0  # no word of a card decides which numbers it shows
IN_VAIN = 500  # points tried before the hypotheses are called contradictory


class Shape:
    """The sizes and the free indices of some expressions.

    sizes    symbols that end a sum, or give a matrix its shape, in the order of their names
    indices  {free index: the size that it runs up to}
    """

    def __init__(self, *sides):
        self._sides = sides
        self._sums = {s for side in sides for s in side.atoms(sp.Sum)}
        self._entries = {entry for side in sides for entry in side.atoms(sp.Indexed)}
        self.bound = {limit[0] for s in self._sums for limit in s.limits}

    @cached_property
    def sizes(self) -> list:
        kinds = sp.MatrixSymbol, sp.Identity, sp.OneMatrix, sp.ZeroMatrix
        ends = {limit[2] for s in self._sums for limit in s.limits}
        matrices = {part for side in self._sides for part in side.atoms(*kinds)}
        ends |= {m for matrix in matrices for m in matrix.shape}
        ends |= set(self.indices.values())
        symbols = {symbol for end in ends for symbol in sp.sympify(end).free_symbols}
        return sorted(symbols - self.indices.keys(), key=str, reverse=True)  # n before d

    @cached_property
    def indices(self) -> dict:
        """Raises ValueError if an entry does not tell what its index runs over."""
        free = {symbol for side in self._sides for symbol in side.free_symbols}
        found = {}
        for entry in sorted(self._entries, key=str):
            for position, index in enumerate(entry.indices):
                if index.is_Symbol and index in free - self.bound:
                    size = LENGTH.get(index) or self._ranges.get((entry.base, position))
                    if size is None:
                        raise ValueError(f"the index of {entry} must run over something")
                    found[index] = size
        return found

    @cached_property
    def _ranges(self) -> dict:
        """{(array, position of the index): size}, from the sums and the book's letters."""
        found = {(base, q): s for base, sizes in SHAPE.items() for q, s in enumerate(sizes)}
        ends = {limit[0]: limit[2] for s in self._sums for limit in s.limits}
        for entry in self._entries:
            for position, index in enumerate(entry.indices):
                size = ends.get(index, LENGTH.get(index))
                if size is not None:
                    found.setdefault((entry.base, position), size)
        return found

    @cached_property
    def letters(self) -> set:
        """Arrays, matrices and symbols, without sizes and indices."""
        matrices = {m for e in self._sides for m in e.atoms(sp.MatrixSymbol)}
        arrays = {entry.base for entry in self._entries}
        free = {s for e in self._sides for s in e.free_symbols if isinstance(s, sp.Symbol)}
        free -= {array.label for array in arrays} | self.bound
        return matrices | arrays | free - {*self.sizes, *self.indices}


class Undefined(ArithmeticError):
    """An expression has no real value at a point."""


@dataclass
class Point:
    """Numbers for the letters of a claim, drawn when they are first asked for.

    sizes    {symbol that counts something: a number}
    indices  {free index: a number, from 1 to its size}
    pool     the numbers to draw from
    allowed  {array: the only numbers that its entries may be}
    numbers  {symbol, matrix or (array, indices): what was drawn}
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
        if isinstance(e, (sp.sign, sp.Heaviside)) and parts[0] == 0:
            raise Undefined("there is no slope at a kink")  # SymPy says 0, or 1/2
        whole = e.func(*parts)
        return whole.doit().as_explicit() if isinstance(whole, sp.MatrixExpr) else whole

    def _terms(self, term, limits, bound: dict) -> Iterator:
        *inner, (index, low, high) = limits
        first, last = (int(self._value(end, bound)) for end in (low, high))
        for q in range(first, last + 1):
            here = bound | {index: sp.Integer(q)}
            terms = self._terms(term, inner, here) if inner else [self._value(term, here)]
            yield from terms

    def number(self, name):
        """What a symbol or an entry stands for, drawn only once."""
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
    pools = wanted, SIMPLE, FRACTIONS  # of these some fit whatever a card can name
    fitting = ([number for number in pool if fits(number, letter)] for pool in pools)
    return next(filter(None, fitting))


def fits(number, letter) -> bool:
    """Whether a number is all that SymPy was told of a letter."""
    facts = letter.assumptions0.items()
    return all(getattr(number, f"is_{fact}") is truth for fact, truth in facts)


def is_zero(value) -> bool:
    """Whether a value is zero: a number, or all numbers of a matrix."""
    if isinstance(value, sp.MatrixBase):
        return all(map(is_zero, value))
    return value == 0 if value.is_Rational else bool(abs(value.evalf(30)) < 1e-25)


def points(sides, given, *, in_vain: int = IN_VAIN) -> Iterator[Point]:
    """Points at which the hypotheses hold, without end: small sizes and numbers first.

    Raises ValueError if there seems to be none, after so many tries in vain.
    """
    rng = random.Random(SEED)
    shape = Shape(*sides, *(e for hypothesis in given for e in hypothesis.about))
    failed = 0
    for tried in count():
        largest = min(1 + tried // 5, 3)
        sizes = {size: sp.Integer(rng.randint(1, largest)) for size in shape.sizes}
        ends = {index: int(sizes.get(end, end)) for index, end in shape.indices.items()}
        indices = {index: sp.Integer(rng.randint(1, end)) for index, end in ends.items()}
        point = Point(sizes, indices, POOLS[tried % len(POOLS)], rng, allowed_by(given))
        if made_to_hold(given, point):
            failed = 0
            yield point
        elif (failed := failed + 1) > in_vain:
            words = "; ".join(filter(None, (hypothesis.words for hypothesis in given)))
            raise ValueError(f"given must hold at some point; none was found for {words}")


def allowed_by(given) -> dict:
    """{array: the only numbers that its entries may be}, as the hypotheses say."""
    return {base: only for g in given for base, only in g.allowed.items()}


def made_to_hold(given, point: Point) -> bool:
    """Repair the numbers of a point for each hypothesis; whether all hold in the end."""
    for hypothesis in given:
        if not hypothesis.holds(point):
            with suppress(ArithmeticError, KeyError):  # some numbers cannot be repaired
                hypothesis.repair(point)
    return all(hypothesis.holds(point) for hypothesis in given)
