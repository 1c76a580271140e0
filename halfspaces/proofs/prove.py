"""Prove a claim of the text beside the text, show what it assumes, and tie it to code."""

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice, product

import numpy as np
import sympy as sp

from halfspaces.proofs.algebra import at_least, derivative, equal
from halfspaces.proofs.card import Proof, Refutation, assumptions, format_exact, listed
from halfspaces.proofs.hypotheses import Hypothesis, at_poles
from halfspaces.proofs.points import (
    SEED,
    Point,
    Undefined,
    allowed_by,
    is_zero,
    made_to_hold,
    points,
    tex,
)
from halfspaces.symbols import LENGTH, SHAPE, d_, n_

CHECKED = 16  # exact points at which a claim is evaluated
SEARCHED = 200  # points among which a counterexample is sought

# the numbers at which a formula is compared with code
SIZES = {n_: sp.Integer(4), d_: sp.Integer(3)}
SCALES = sp.Integer(1), sp.Rational(1, 2**20), sp.Integer(2**20)
PLACES = [sp.Rational(q, 64) for q in range(-160, 161) if q]  # floats hold them exactly
UNDERFLOW = 1e-100  # a product of exponentials is 0 to floats, and to SymPy about 1e-140
SCALED = [tuple(scale * q for q in PLACES) for scale in SCALES]


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
    at: Mapping | None = None,
) -> Proof:
    """Prove left = right (or left >= right) under the hypotheses, and refute its mutants.

    name         what is claimed, in words; unique in the book
    left, right  numbers, sums of symbolic length or matrices.  A derivative or integral
                 that is left to do (`sp.Derivative`) is shown as it stands
    wrong        {what was changed: the wrong right side}, at least one
    given        what is assumed beside the declarations of the symbols, such as `signs(y_)`
    relation     "=" or ">="
    label        TeX that names the left side, where its formula would hide the point
    agrees_with  a function of mlcore that should compute `right`, or a pair of it and a
                 caller that takes the arguments of `at` and uses it
    at           {argument of that function: symbol}: the numbers are drawn by us

    The claim is derived by SymPy for all sizes, and evaluated at exact random points that
    satisfy the hypotheses; each wrong version is refuted by such a point.
    Returns the Proof to display.
    Raises ValueError for a claim without content: no wrong version, no symbol, or two sides
    that are the same as written.
    Raises AssertionError, naming the claim, if it is not derived, is false or has no value
    at a point, if nothing refutes a wrong version, or if the code returns other numbers.
    """
    if relation not in RELATIONS:
        raise ValueError(f"relation must be one of {list(RELATIONS)}; got {relation!r}")
    derive, holds, sign = RELATIONS[relation]
    left, right = sp.sympify(left), sp.sympify(right)
    _refuse_empty(name, left, right, wrong)
    statement = f"{label or tex(left)} {sign} {tex(right)}"
    words = assumptions(left, right, given)
    given = [*given, Hypothesis("", about=(left, right))]  # it says what indices run over
    left, right = _done(left), _done(right)
    if not derive(left, right, [rule for g in given for rule in g.rules]):
        raise AssertionError(f"not proved: {name}")
    tried = islice(points((left, right), given), CHECKED)
    for point in chain(tried, at_poles((left, right), given)):
        _check_at(point, name, left, right, holds)
    refuted = tuple(
        _refute(name, change, left, _done(sp.sympify(other)), given, holds)
        for change, other in wrong.items()
    )
    code = tie(name, right, given, agrees_with, at) if agrees_with else None
    return Proof(name, statement, words, refuted, code)


def _refuse_empty(name, left, right, wrong) -> None:
    if not wrong:
        raise ValueError(f"wrong must hold at least one wrong right side; got none: {name}")
    if not left.free_symbols | right.free_symbols:
        raise ValueError(f"left and right must hold a symbol; got two numbers: {name}")
    if left == right:
        raise ValueError(f"left and right must differ as written; got {left} twice: {name}")


def _done(e):
    """Derivatives and integrals carried out; sums stay as they are."""
    to_do = sp.Derivative, sp.Integral
    return e.replace(lambda part: isinstance(part, to_do), _carried_out)


def _carried_out(part):
    if isinstance(part, sp.Integral):
        return part.doit()
    result = part.expr
    for variable in part.variables:  # doit() leaves what is by a matrix
        slope = derivative if isinstance(variable, sp.Indexed) else sp.diff
        result = slope(result, variable)
    return result


def _check_at(point: Point, name, left, right, holds) -> None:
    try:
        true = holds(point(left), point(right))
    except Undefined as error:
        said = f"{name}: {error} at {listed(point, (left, right))}"
        raise AssertionError(f"{said}; which hypothesis is missing?") from None
    if not true:
        raise AssertionError(f"{name}: false at {listed(point, (left, right))}")


def _refute(name, change, left, other, given, holds) -> Refutation:
    for point in islice(points((left, other), given), SEARCHED):
        try:
            here, there = point(left), point(other)
        except Undefined:
            continue
        if not holds(here, there):
            everything = [left, other, *(e for h in given for e in h.about)]
            numbers = listed(point, everything)
            values = format_exact(here), format_exact(there)
            return Refutation(change, tex(other), numbers, *values)
    raise AssertionError(f"no counterexample to the wrong version {change!r}: {name}")


def _same(here, there) -> bool:
    if isinstance(here, sp.MatrixBase) and here.shape != there.shape:
        return False
    return is_zero(here - there)


def _not_less(here, there) -> bool:
    return is_zero(here - there) or bool(here > there)


# relation: (how SymPy derives it, how it is seen in numbers, its sign in TeX)
RELATIONS = {"=": (equal, _same, "="), ">=": (at_least, _not_less, r"\ge")}


def tie(name: str, expression, given: Sequence, agrees_with, at: Mapping) -> str:
    """Compare an expression with the code at six points; returns the name of the code.

    expression  numbers of the letters in `at`; each free index is an axis, in the order i,
                j, k, l

    given, agrees_with and at are those of `prove`; the points satisfy the hypotheses.
    Raises AssertionError, naming the claim, where they differ in shape, or by more than
    1e-9 of the largest value (one of them may be a sum that cancels, up to rounding);
    ValueError if the caller does not call the function.
    """
    pair = agrees_with if isinstance(agrees_with, tuple) else (agrees_with, agrees_with)
    function, caller = pair
    if caller is not function and function.__name__ not in caller.__code__.co_names:
        raise ValueError(f"agrees_with must call {function.__name__} in its caller")
    rng = random.Random(SEED)
    for pool in SCALED * 2:
        point = _drawn(at.values(), given, pool, rng)
        want = _values(expression, point)
        numbers = {argument: _array(letter, point) for argument, letter in at.items()}
        got = np.asarray(caller(**numbers), float)
        near = 1e-9 * np.abs(want).max() + UNDERFLOW
        if got.shape != want.shape or not (np.abs(got - want) <= near).all():
            raise AssertionError(f"code and formula differ: {name}, at {numbers}")
    owner = getattr(getattr(function, "__self__", None), "name", None)  # a loss, say
    return ".".join(filter(None, [function.__module__, owner, function.__name__]))


def _drawn(letters, given, pool, rng) -> Point:
    while True:
        point = Point(SIZES, {}, pool, rng, allowed_by(given))
        for letter in letters:
            _array(letter, point)
        if made_to_hold(given, point):
            return point


def _array(letter, point: Point):
    """The numbers of an array or of a symbol as floats, drawn if they are not yet."""
    if letter not in SHAPE:
        return float(point.number(letter))
    lengths = [int(SIZES[size]) for size in SHAPE[letter]]
    entries = product(*(range(1, length + 1) for length in lengths))
    return np.array([float(point.number((letter, *q))) for q in entries]).reshape(lengths)


def _values(expression, point: Point) -> np.ndarray:
    """The expression for every value of its free indices."""
    axes = [index for index in LENGTH if index in expression.free_symbols]
    lengths = [int(SIZES[LENGTH[index]]) for index in axes]
    found = []
    for where in product(*(range(1, length + 1) for length in lengths)):
        point.indices = dict(zip(axes, map(sp.Integer, where), strict=True))
        found.append(float(point(expression).evalf(30)))
    point.indices = {}
    return np.reshape(found, lengths)
