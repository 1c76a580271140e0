"""Prove a claim of a chapter, show its hypotheses, and compare it with the code."""

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice, product
from types import FunctionType

import numpy as np
import sympy as sp

from halfspaces.proofs.algebra import equal, evaluate_derivatives
from halfspaces.proofs.card import (
    Proof,
    Refutation,
    format_assumptions,
    format_point,
    format_sympy,
)
from halfspaces.proofs.domains import fail_if_undefined
from halfspaces.proofs.hypotheses import HOLDS, Hypothesis, fail_if_misread
from halfspaces.proofs.inequalities import Known, is_nonnegative
from halfspaces.proofs.points import (
    MAX_REJECTED,
    SEED,
    CannotTell,
    Point,
    Refuted,
    TooLarge,
    Undefined,
    Variables,
    allowed_values,
    repair,
    sample_points,
    tex,
)
from halfspaces.symbols import LENGTH, SHAPE, d_, i_, j_, n_

N_CHECKS = 20  # exact points at which a claim is evaluated
N_SEARCHES = 200  # points among which a counterexample is sought
SIGNS = {"=": "=", ">=": r"\ge"}  # of the relations, in TeX

# the numbers at which a formula is compared with code
SIZES = {n_: sp.Integer(4), d_: sp.Integer(3)}
SCALES = sp.Integer(1), sp.Rational(1, 2**20), sp.Integer(2**20)
VALUES = [sp.Rational(q, 64) for q in range(-160, 161) if q]  # floats hold them exactly
UNDERFLOW = 1e-100  # a product of exponentials is 0 in floats, and about 1e-140 in SymPy
POOLS = [tuple(scale * q for q in VALUES) for scale in SCALES]


def prove(
    name: str,
    left,
    right,
    *,
    wrong: Mapping,
    given: Sequence[Hypothesis] = (),
    relation: str = "=",
    label: str | None = None,
    agrees_with: Callable | tuple | None = None,
    inputs: Mapping | None = None,
) -> Proof:
    """Prove left = right (or left >= right) under hypotheses, and refute wrong versions.

    name         the claim in words; unique in the book
    left, right  numbers, sums of symbolic length or matrices.  A derivative or integral
                 that is not evaluated (`sp.Derivative`) is printed as it stands
    wrong        {the change in words: the wrong right side}, at least one
    given        all hypotheses besides the declarations of the symbols, such as
                 `signs(y_)`; an index that is not free in the claim means "for each"
    relation     "=" or ">="
    label        TeX for the left side, where its formula would hide the point
    agrees_with  a function of mlcore that should compute `right`; or a pair: the function,
                 and a caller of the function that takes the arguments of `inputs`
    inputs       {argument of that function: symbol}; the numbers are random

    The claim is evaluated at exact random points that satisfy the hypotheses, both sides
    are shown to have a value, and the claim is derived for all sizes.  Each wrong version
    is refuted by such a point.
    Returns the Proof to display.
    Raises Refuted with numbers at which the claim is false or has no value; CannotTell if
    a part may have no value, the claim is not derived or nothing refutes a wrong version;
    AssertionError if the code returns other numbers.
    Raises ValueError for a claim without content (no wrong version, no symbol, two sides
    that are the same as written), one that would be printed as another statement (two
    symbols of one name, a symbol pi, a part left unevaluated, a label with an index that
    may be outside 1 to n, a sum with an index twice, a matrix of ones, or a matrix symbol
    with a number other than 1 as a size), or a hypothesis that the claim does not need.
    """
    if relation not in SIGNS:
        raise ValueError(f"relation must be one of {list(SIGNS)}; got {relation!r}")
    left, right = sp.sympify(left), sp.sympify(right)
    wrong = {change: sp.sympify(other) for change, other in wrong.items()}
    if relation == ">=" and (left.is_Matrix or right.is_Matrix):
        raise ValueError(f"left and right must be numbers for >=; got a matrix: {name}")
    for argument, e in {"left": left, "right": right, **wrong}.items():
        if not isinstance(e, (sp.Expr, sp.MatrixBase)):
            raise ValueError(f"{argument} must be a number or a matrix; got {e}")
    _fail_if_invalid(name, left, right, wrong, given)
    statement = f"{label or tex(left)} {SIGNS[relation]} {tex(right)}"
    words = format_assumptions(left, right, given, wrong.values())
    given = [hypothesis.for_claim(left, right) for hypothesis in given]
    claim = Claim(name, left, right, relation)
    left, right = claim.check(given)
    if unused := claim.unused_hypotheses(given):
        raise ValueError(f"{name}: given has hypotheses not needed: {'; '.join(unused)}")
    refuted = tuple(claim.refute(*version, left, given) for version in wrong.items())
    code = agrees_with and compare_with_code(name, right, given, agrees_with, inputs or {})
    return Proof(name, statement, words, refuted, code)


def _fail_if_invalid(name, left, right, wrong, given) -> None:
    if not wrong:
        raise ValueError(f"wrong must have at least one wrong right side; got none: {name}")
    claimed = [left, right, *(e for hypothesis in given for e in hypothesis.expressions)]
    if any(e.has(sp.Float) for e in claimed):
        raise ValueError(f"the claim must contain exact numbers; got a float: {name}")
    fail_if_misread(*claimed, *wrong.values())
    for hypothesis in given:
        hypothesis.fail_if_outside(claimed)
    stated, used = Variables(*claimed), Variables(*claimed, *wrong.values())
    known = {*stated.quantities, *stated.sizes, *stated.indices}
    if new := {*used.quantities, *used.sizes, *used.indices} - known:
        raise ValueError(f"wrong must use symbols of the claim only; got {new}: {name}")
    if not left.free_symbols | right.free_symbols:
        raise ValueError(f"left and right must contain a symbol; got two numbers: {name}")
    if left == right:
        raise ValueError(f"left and right must differ as written; got {left} twice: {name}")


@dataclass(frozen=True)
class Claim:
    """left relation right, to be proved or refuted."""

    name: str
    left: sp.Basic
    right: sp.Basic
    relation: str

    def check(self, given, searched: int = N_SEARCHES) -> tuple:
        """Prove the claim; return both sides with derivatives evaluated.

        Raises Refuted or CannotTell.
        """
        try:
            indices = self.indices(given)
            sides = tuple(evaluate_derivatives(e, given) for e in (self.left, self.right))
            left, right = (side.shape if side.is_Matrix else () for side in sides)
            if left != right:
                raise ValueError(f"left and right must have one shape; got {left}, {right}")
            self.try_points(sides, given, N_CHECKS)
            known = Known(tuple(given), {q: (1, size) for q, size in indices.items()})
            fail_if_undefined(self.left, self.right, known)
            if not self.derive(*sides, known):
                self.try_points(sides, given, searched)
                raise CannotTell(
                    "it was not derived, but is true at all points that were tried"
                )
        except (CannotTell, OverflowError) as reason:
            raise CannotTell(f"cannot tell: {self.name}: {reason}") from None
        except Refuted as reason:
            raise Refuted(f"refuted: {self.name}: {reason}") from None
        return sides

    def indices(self, given) -> dict:
        """Return {free index: its size}, without sizes of sums and matrices.

        Raises CannotTell if an index in the variable of a derivative is also a size.
        """
        assumed = [e for hypothesis in given for e in hypothesis.expressions]
        sizes = {*Variables(self.left, self.right, *assumed).sizes}
        for part in self.left.atoms(sp.Derivative) | self.right.atoms(sp.Derivative):
            used = sp.Tuple(*part.variables).free_symbols
            for q in Variables(part.expr, *part.variables).indices:
                if q in sizes & used:
                    raise CannotTell(f"{q} is an index of {part} and a size of the claim")
        found = Variables(self.left, self.right).indices
        return {q: size for q, size in found.items() if q not in sizes}

    def derive(self, left, right, known: Known) -> bool:
        if self.relation == "=":
            return equal(left, right, known.rules)
        return is_nonnegative(left - right, known)

    def unused_hypotheses(self, given) -> list[str]:
        """Return the words of the hypotheses that the proof does not need."""
        needed, unused = list(given), []
        for hypothesis in given:
            fewer = [other for other in needed if other is not hypothesis]
            with suppress(AssertionError):
                self.check(fewer, searched=0)
                needed, unused = fewer, [*unused, hypothesis.words]
        return unused

    def try_points(self, sides, given, tries: int) -> None:
        """Raise Refuted at a point where the sides differ or have no value.

        Raises TooLarge if the numbers at every point are too large to compare.
        """
        points, compared = sample_points((*sides, self.left, self.right), given), tries
        for point in islice(points, tries):
            try:
                self.try_point(point, sides)
            except TooLarge:
                compared -= 1
                if not compared:
                    raise

    def try_point(self, point, sides) -> None:
        """Raise Refuted if the sides differ or have no value at a point."""
        values = []
        for written, side in zip((self.left, self.right), sides, strict=True):
            try:
                values.append(point(side))
            except Undefined as error:
                # a derivative may have a value where SymPy's formula has none
                if written == side:
                    numbers = format_point(point, sides)
                    raise Refuted(f"no value at {numbers}: {error}") from None
        if len(values) == 2 and not self.holds(*values):
            left, right = map(format_sympy, values)
            numbers = format_point(point, sides)
            raise Refuted(f"the sides are {left} and {right} at {numbers}")

    def holds(self, left, right) -> bool:
        """Return True if the values of the two sides have the relation."""
        if left.is_Matrix and left.shape != right.shape:
            return False
        return HOLDS[self.relation](left - right)

    def refute(self, change, other, left, given) -> Refutation:
        """Return the numbers that refute a wrong right side."""
        sides = left, evaluate_derivatives(other, given)
        variables = *sides, self.left, self.right
        small = islice(sample_points(variables, given, large=False), N_SEARCHES)
        for point in chain(small, islice(sample_points(variables, given), N_SEARCHES)):
            try:
                values = [point(side) for side in sides]
                is_refuted = not self.holds(*values)
            except (Undefined, TooLarge):
                continue
            if is_refuted:
                assumed = [e for hypothesis in given for e in hypothesis.expressions]
                numbers = format_point(point, [*sides, *assumed])
                formatted = map(format_sympy, values)
                return Refutation(change, tex(sides[1]), numbers, *formatted)
        raise CannotTell(
            f"cannot tell: {self.name}: no counterexample to the wrong version {change!r}"
        )


def compare_with_code(
    name: str, expression, given: Sequence, agrees_with, inputs: Mapping
) -> str:
    """Compare an expression with code at six points; return the name of the code.

    expression  in the symbols of `inputs`; each free index is an axis, in the order i,
                j, k, l

    given, agrees_with and inputs are as in `prove`; the points satisfy the hypotheses.
    Raises AssertionError, naming the claim, where they differ in shape, or by more than
    1e-9 of the largest value (the terms of another value may cancel up to rounding);
    ValueError if the caller does not use the function or an input is not a symbol or array.
    """
    for e in inputs.values():
        if not isinstance(e, (sp.Symbol, sp.IndexedBase)):
            raise ValueError(f"inputs must be symbols or arrays; got {e}")
    pair = agrees_with if isinstance(agrees_with, tuple) else (agrees_with, agrees_with)
    function, caller = pair
    if caller is not function and not isinstance(caller, FunctionType):
        raise ValueError(f"the caller in agrees_with must be a function; got {caller}")
    rng, unused = random.Random(SEED), caller is not function
    for pool in POOLS * 2:
        point = _sample(inputs.values(), given, pool, rng)
        want = _values(expression, point)
        numbers = {argument: _values(_entry(e), point) for argument, e in inputs.items()}
        got = np.asarray(caller(**numbers), float)
        tolerance = 1e-9 * np.abs(want).max() + UNDERFLOW
        if got.shape != want.shape or not (np.abs(got - want) <= tolerance).all():
            raise AssertionError(f"code and formula differ: {name}, at {numbers}")
        unused = unused and _is_unused(function, caller, numbers, got, tolerance)
    if unused:
        raise ValueError(f"agrees_with must use {function.__name__} in its caller")
    owner = getattr(getattr(function, "__self__", None), "name", None)  # a loss, say
    return ".".join(filter(None, [function.__module__, owner, function.__name__]))


def _is_unused(function, caller, numbers: dict, got, tolerance: float) -> bool:
    """Return True unless perturbing a function's results perturbs its caller's."""

    def perturbed(*args, **kwargs):
        return _perturb(function(*args, **kwargs))

    names = caller.__globals__
    names = names | {name: perturbed for name in names if names[name] is function}
    changed = FunctionType(
        caller.__code__, names, None, caller.__defaults__, caller.__closure__
    )
    with suppress(Exception):
        change = np.abs(np.asarray(changed(**numbers), float) - got).max()
        # a jump would mean that the caller only compares the result with a number
        return not tolerance < change < 0.01 * np.abs(got).max()
    return True


def _perturb(result):
    """Perturb the numbers of a result, of its attributes and of its methods' results."""
    with suppress(TypeError, ValueError):
        return np.asarray(result, float) * (1 + 1e-5)
    return _Perturbed(result)


@dataclass(frozen=True)
class _Perturbed:
    result: object

    def __getattr__(self, name):
        value = getattr(self.result, name)
        if callable(value):
            return lambda *args, **kwargs: _perturb(value(*args, **kwargs))
        return _perturb(value)


def _sample(symbols, given, pool, rng) -> Point:
    for _ in range(MAX_REJECTED):
        point = Point(SIZES, {}, pool, rng, allowed_values(given))
        for symbol in symbols:
            _values(_entry(symbol), point)  # draws its numbers
        if repair(given, point):
            return point
    raise CannotTell("no numbers for the code, with n = 4 and d = 3, satisfy given")


def _entry(symbol):
    """Return a symbol, or an entry of an array with a free index for each axis."""
    axes = tuple({n_: i_, d_: j_}[size] for size in SHAPE.get(symbol, ()))
    return symbol[axes] if axes else symbol


def _values(expression, point: Point):
    """Evaluate the expression for every value of its free indices, as floats."""
    axes = [index for index in LENGTH if index in expression.free_symbols]
    lengths = [int(SIZES[LENGTH[index]]) for index in axes]
    found = []
    for where in product(*(range(1, length + 1) for length in lengths)):
        point.indices = dict(zip(axes, map(sp.Integer, where), strict=True))
        found.append(float(point(expression).evalf(30)))
    point.indices = {}
    return np.reshape(found, lengths)[()]
