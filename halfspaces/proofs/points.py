"""Evaluate expressions exactly at random points; the exceptions that `prove` raises.

A point gives a number to each size, each free index, each symbol and each entry of an
array that occurs: small sizes, rational entries.  The declarations of the symbols
(positive, an integer, ...) and each hypothesis of the claim hold at every point.
"""

import operator
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, reduce
from itertools import count

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.matrices.exceptions import NonInvertibleMatrixError
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE

from halfspaces.symbols import LENGTH, SHAPE


class TexPrinter(LatexPrinter):
    """Add to SymPy's printer the size of an identity matrix, a comma between the numbers
    of a Kronecker delta, and brackets around a derivative or a sum in front of a factor.
    """

    def _needs_mul_brackets(self, expr, first=False, last=False) -> bool:
        needs = super()._needs_mul_brackets(expr, first=first, last=last)
        return needs or (not last and expr.has(sp.Derivative))

    def _print_MatMul(self, expr) -> str:
        number, matrix = expr.as_coeff_mmul()
        if not number.has(sp.Sum, sp.Integral, sp.Derivative):
            return super()._print_MatMul(expr)
        matrix = self.parenthesize(matrix, PRECEDENCE["Mul"], strict=True)
        return rf"\left({self._print(number)}\right) {matrix}"

    def _print_KroneckerDelta(self, expr, exp=None) -> str:
        printed = super()._print_KroneckerDelta(expr, exp)
        if all(index.is_Symbol for index in expr.args) or "," in printed:
            return printed
        return printed.replace(" ", ", ", 1)

    def _print_Identity(self, expr) -> str:
        return rf"\mathbb{{I}}_{{{self._print(expr.shape[0])}}}"


def tex(e) -> str:
    """Return the TeX of an expression, with ln; names of several letters are upright."""
    words = {
        symbol: rf"\mathrm{{{symbol.name}}}"
        for symbol in sp.sympify(e).free_symbols
        if re.fullmatch("[a-z]{2,}", symbol.name) and sp.latex(symbol) == symbol.name
    }
    return TexPrinter({"symbol_names": words, "ln_notation": True}).doprint(e)


INTEGERS = tuple(map(sp.Integer, (1, 2, 3, -1, -2)))
ZERO = (sp.Integer(0),)  # often exposes a missing hypothesis
SIGN_VALUES = tuple(map(sp.Integer, (0, 1, -1)))
FRACTIONS = tuple(sp.Rational(p, q) for q in (1, 2, 3, 5) for p in range(-6, 7))
WIDE = (*map(sp.Integer, (10, 7, -8)), sp.Rational(1, 10))
NONNEGATIVE = tuple(number for number in FRACTIONS if number >= 0)
POSITIVE = tuple(number for number in FRACTIONS if number > 0)
POOLS = (INTEGERS, INTEGERS, ZERO, SIGN_VALUES, FRACTIONS, WIDE)
LARGE_SIZES = range(4, 10)
SEED = 0  # the numbers must not depend on a title or a label
MIN_DIGITS, MAX_DIGITS = 200, 1500  # of an irrational number
SLACK_SCALES = sp.Integer(1), sp.Rational(1, 1000)
MAX_EXACT = 10**5  # terms of a sum, exponents, arguments of a factorial
MAX_REJECTED = 500  # samples in a row that violate a hypothesis
UNSUPPORTED = ExprWithLimits, sp.Subs, sp.Lambda, sp.Limit, sp.Derivative
UNSUPPORTED += sp.UnevaluatedExpr, sp.DiracDelta
GROWING = sp.Pow, sp.factorial, sp.binomial
ARITHMETIC = {sp.Add: operator.add, sp.Mul: operator.mul}
DISCONTINUOUS = sp.Pow, sp.Function, sp.Max, sp.Min, sp.Rel


class Refuted(AssertionError):
    """A claim is false or has no value at some point."""


class CannotTell(AssertionError):
    """A claim is neither proved nor refuted."""


class TooLarge(CannotTell):
    """The numbers at a point are too large to compare."""


class Undefined(ArithmeticError):
    """An expression has no real value at a point."""


class Variables:
    """The variables of some expressions.

    sizes       symbols in upper limits of sums and in shapes of matrices, in reverse
                order of their names
    indices     {free index: the size that it runs up to}
    quantities  arrays, matrices and all other symbols
    """

    def __init__(self, *expressions):
        self._expressions = expressions
        self._sums, self._entries = self._atoms(sp.Sum), self._atoms(sp.Indexed)
        self.free_symbols = _free_symbols(expressions)

    def _atoms(self, *classes) -> set:
        return {part for e in self._expressions for part in e.atoms(*classes)}

    @cached_property
    def sizes(self) -> list:
        symbols = self._bounds | _free_symbols(self.indices.values())
        return sorted(symbols, key=str, reverse=True)  # n before d

    @cached_property
    def _bounds(self) -> set:
        """The symbols in the upper limits of sums and in the shapes of matrices."""
        upper = _free_symbols(limit[2] for s in self._sums for limit in s.limits)
        matrices = self._atoms(sp.MatrixSymbol, sp.Identity, sp.OneMatrix, sp.ZeroMatrix)
        shapes = _free_symbols(size for matrix in matrices for size in matrix.shape)
        return upper & self.free_symbols | shapes

    @cached_property
    def indices(self) -> dict:
        """{free index: its size}.  Raises ValueError if the entries do not determine it."""
        found: dict = {}
        for entry in sorted(self._entries, key=str):
            for position, index in enumerate(entry.indices):
                if index.is_Symbol and index in self.free_symbols - self._bounds:
                    sizes = self._sizes_of_axes.get((entry.base, position), set())
                    sizes = {LENGTH[index]} if index in LENGTH else sizes
                    found[index] = found.get(index, set()) | sizes
        for index, sizes in found.items():
            if len(sizes) != 1 or not all(size.is_Symbol for size in sizes):
                names = sorted(map(str, sizes))
                rule = f"the index {index} must run from 1 up to one size"
                raise ValueError(f"{rule}; got {names}")
        return {index: size for index, (size,) in found.items()}

    @cached_property
    def _sizes_of_axes(self) -> dict:
        """{(array, position of the index): sizes}, from the sums and the book's arrays."""
        fixed = {(x, q): {s} for x, sizes in SHAPE.items() for q, s in enumerate(sizes)}
        found: dict = {}
        ends = {
            q: high if low == 1 and high in self.free_symbols else sp.Tuple(low, high)
            for s in self._sums
            for q, low, high in s.limits
        }
        for entry in self._entries:
            for position, index in enumerate(entry.indices):
                size = ends.get(index, LENGTH.get(index))
                if size is not None:
                    found.setdefault((entry.base, position), set()).add(size)
        return found | fixed

    @cached_property
    def quantities(self) -> set:
        arrays = {entry.base for entry in self._entries}
        hidden = sp.IndexedBase(sp.Dummy())  # a scalar may have the name of an array
        without = dict.fromkeys(arrays, hidden)
        scalars = _free_symbols(e.xreplace(without) for e in self._expressions)
        scalars = {symbol for symbol in scalars if isinstance(symbol, sp.Symbol)}
        scalars -= {hidden.label, *self.sizes, *self.indices}
        return self._atoms(sp.MatrixSymbol) | arrays | scalars


def _free_symbols(expressions) -> set:
    return set().union(*(sp.sympify(e).free_symbols for e in expressions))


@dataclass
class Point:
    """Numbers for the variables of a claim, sampled on first use.

    sizes    {size symbol: a number}
    indices  {free index: a number, from 1 to its size}
    pool     the numbers to sample from
    allowed  {array: the only numbers that its entries may be}
    numbers  {symbol, matrix or (array, *indices): its number}
    scale    size of the slack that a repair leaves in an inequality
    """

    sizes: dict
    indices: dict
    pool: Sequence
    rng: random.Random
    allowed: dict = field(default_factory=dict)
    numbers: dict = field(default_factory=dict)
    scale: sp.Rational = SLACK_SCALES[0]

    def __call__(self, expression):
        """Return the exact value.  Raises Undefined for a division by zero and the like."""
        try:
            value = self._evaluate(sp.sympify(expression), {**self.sizes, **self.indices})
        except (NonInvertibleMatrixError, ZeroDivisionError, IndexError) as error:
            raise Undefined(str(error)) from None
        except (TypeError, ValueError, RecursionError) as error:  # in a comparison
            raise CannotTell(f"{expression} at a point: {error}") from None
        for entry in value if isinstance(value, sp.MatrixBase) else [value]:
            if not getattr(entry, "is_number", False):
                raise CannotTell(f"the value of {expression} at a point is not known")
            # SymPy takes log(1 - 1/(1 + exp(99))) for log(0), which is not real
            is_real = entry is not sp.nan and (entry.is_real or evaluate(entry).is_real)
            if not is_real and (entry is sp.nan or entry.is_real is False):
                raise Undefined(f"the value is {entry}")
            if not is_real:
                raise CannotTell(f"the value of {expression} at a point is not known")
        return value

    def _evaluate(self, e, bound: dict):
        """Evaluate e as `subs` and `doit` do, a hundred times faster, in one traversal."""
        if e in bound:
            return bound[e]
        if isinstance(e, sp.Sum):
            return sum(self._terms(e.function, e.limits, bound), sp.Integer(0))
        if isinstance(e, UNSUPPORTED):
            raise CannotTell(f"{type(e).__name__} cannot be evaluated at a point")
        if isinstance(e, sp.Indexed):
            return self.number((e.base, *(self._evaluate(q, bound) for q in e.indices)))
        if isinstance(e, sp.MatrixSymbol) and e not in self.numbers:
            rows, columns = (int(self._evaluate(size, bound)) for size in e.shape)
            draw = lambda *_: self.rng.choice(self.pool)  # noqa: E731
            self.numbers[e] = sp.ImmutableMatrix(rows, columns, draw)
        if isinstance(e, (sp.Symbol, sp.MatrixSymbol)):
            return self.number(e)
        if isinstance(e, sp.MatrixBase):
            return e.applyfunc(lambda entry: self._evaluate(entry, bound))
        if not e.args:
            return e
        parts = [self._evaluate(part, bound) for part in e.args]
        if isinstance(e, DISCONTINUOUS):  # evalf may take a hidden 0 for a tiny number
            parts = [sp.Integer(0) if _is_hidden_zero(part) else part for part in parts]
        growing = isinstance(e, GROWING) and parts[-1].is_Rational
        if growing and abs(parts[-1]) > MAX_EXACT:
            raise CannotTell(f"{e} is too large for an exact number")
        if isinstance(e, sp.Heaviside) and parts[0] == 0:
            raise Undefined("a step function has no value at its step")  # SymPy says 1/2
        if e.func in ARITHMETIC and all(isinstance(part, sp.Rational) for part in parts):
            return reduce(ARITHMETIC[e.func], parts)  # much faster than e.func(*parts)
        value = e.func(*parts)
        if isinstance(value, sp.Trace):
            return value.doit()
        return value.doit().as_explicit() if isinstance(value, sp.MatrixExpr) else value

    def _terms(self, term, limits, bound: dict) -> Iterator:
        *inner, (index, low, high) = limits
        first, last = (self._evaluate(end, bound) for end in (low, high))
        if not (first.is_Integer and last.is_Integer):
            raise CannotTell(f"the limits {low} and {high} of a sum must be integers")
        if last - first > MAX_EXACT:
            raise CannotTell(f"a sum from {low} to {high} is too long for exact numbers")
        for q in range(int(first), int(last) + 1):
            values = bound | {index: sp.Integer(q)}
            if inner:
                yield from self._terms(term, inner, values)
            else:
                yield self._evaluate(term, values)

    def number(self, name):
        """Return the number of a symbol or an entry, sampled on first use."""
        if name not in self.numbers:
            symbol = name[0] if isinstance(name, tuple) else name
            pool = self.allowed.get(symbol, self.pool)
            self.numbers[name] = self.rng.choice(_candidates(symbol, pool))
        return self.numbers[name]


@cache
def _candidates(symbol, pool: Sequence) -> list:
    pools = pool, INTEGERS, FRACTIONS  # one of them has a number for each declaration
    return next(filter(None, ([q for q in pool if is_valid(q, symbol)] for pool in pools)))


def is_valid(number, symbol) -> bool:
    """Return True if a number satisfies the declaration of a symbol."""
    declared = symbol.assumptions0.items()
    return all(getattr(number, f"is_{fact}") is truth for fact, truth in declared)


def is_zero(value, *, strict: bool = True) -> bool:
    """Return True if a number is zero or all entries of a matrix are.

    strict  False: a number too large for MAX_DIGITS is not zero if its digits are certain

    Raises TooLarge if no digit of a value is certain.
    """
    if isinstance(value, sp.MatrixBase):
        return all(map(is_zero, value))
    if value.is_Rational:
        return value == 0
    if _is_positive(value) or _is_positive(-value):
        return False
    digits = _digits(value)
    used = min(digits, MAX_DIGITS)
    exact, rough = (value.evalf(n, maxn=n) for n in (used, used * 3 // 4))
    if abs(exact - rough) < abs(exact) / 10**9 and (digits == used or not strict):
        return False
    if abs(exact) < sp.Float(10) ** (-MIN_DIGITS // 2) and digits == used:
        return True
    raise TooLarge(f"the numbers are too large to compare: {value}")


def _is_positive(value) -> bool:
    """Return True if the form of a number, however large, shows that it is positive."""
    if isinstance(value, sp.Add | sp.Mul):
        return all(map(_is_positive, value.args))
    if isinstance(value, sp.Pow):
        return _is_positive(value.base) and bool(value.exp.is_real)
    is_power = isinstance(value, sp.exp) and value.args[0].is_real
    return bool(is_power or (value.is_Rational and value > 0))


def is_above_zero(value) -> bool:
    """Return True if a nonzero number is positive."""
    return _is_positive(value) or bool(evaluate(value) > 0)


def evaluate(value):
    """Evaluate a number to enough digits even if large exponentials cancel."""
    digits = min(_digits(value), MAX_DIGITS)
    return value.evalf(digits, maxn=digits)


def _digits(value) -> int:
    """Return how many digits to compute: 30 are too few for log(1 - 1/(1 + exp(99)))."""
    sizes = [f.args[0] for f in value.atoms(sp.exp, sp.sinh, sp.cosh, sp.tanh, sp.coth)]
    sizes += [f.args[0] ** 2 for f in value.atoms(sp.erf, sp.erfc)]
    sizes += [power.exp * sp.log(power.base) for power in value.atoms(sp.Pow)]
    return MIN_DIGITS + int(sum(abs(size.evalf(9)) for size in sizes))


def _is_hidden_zero(part) -> bool:
    number = getattr(part, "is_number", False) and not part.is_Rational
    return number and bool(part.is_finite) and is_zero(part, strict=False)


def sample_points(sides, given, *, large: bool = True) -> Iterator[Point]:
    """Yield points at which the hypotheses hold, endlessly; some are large if `large`.

    Raises CannotTell after MAX_REJECTED samples in a row that violate a hypothesis.
    """
    rng = random.Random(SEED)
    variables = Variables(*sides, *(e for h in given for e in h.expressions))
    pools = POOLS if large else POOLS[:-1]
    failed = 0
    for trial in count():
        sizes = _sample_sizes(variables.sizes, trial, large, rng)
        ends = {q: int(sizes[size]) for q, size in variables.indices.items()}
        indices = {q: sp.Integer(rng.randint(1, max(1, end))) for q, end in ends.items()}
        point = Point(sizes, indices, pools[trial % len(pools)], rng, allowed_values(given))
        if all(ends.values()) and repair(given, point):
            failed = 0
            yield point
            continue
        failed += 1
        if failed > MAX_REJECTED:
            words = "; ".join(hypothesis.words for hypothesis in given)
            raise CannotTell(f"no rational point satisfies all hypotheses: {words}")


def _sample_sizes(symbols: Sequence, trial: int, large: bool, rng) -> dict:
    """Sample small sizes; if `large`, one size is large in every fifth trial."""
    largest = min(1 + trial // 5, 3)
    sizes = {}
    for size in symbols:
        admissible = [q for q in map(sp.Integer, range(largest + 1)) if is_valid(q, size)]
        if not admissible:
            raise CannotTell(f"the size {size} must be declared as an integer >= 0")
        sizes[size] = rng.choice(admissible)
    if large and symbols and trial % 5 == 4:
        sizes[symbols[trial // 5 % len(symbols)]] = sp.Integer(rng.choice(LARGE_SIZES))
    return sizes


def allowed_values(given) -> dict:
    """Return {array: the only numbers that its entries may be}, by the hypotheses."""
    allowed: dict = {}
    for hypothesis in given:
        for array, values in hypothesis.allowed.items():
            allowed[array] = tuple(v for v in allowed.get(array, values) if v in values)
    return allowed


def repair(given, point: Point) -> bool:
    """Adjust a point's numbers so that each hypothesis holds; True on success."""
    for point.scale in SLACK_SCALES:
        for hypothesis in given:
            if not hypothesis.holds(point):
                # some cannot be made true
                with suppress(ArithmeticError, KeyError, TooLarge):
                    hypothesis.make_true(point)
        if all(hypothesis.holds(point) for hypothesis in given):
            return True
    return False
