"""Prove a claim of the text beside the text, and show what it assumes."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice

import sympy as sp

from mlcore.book.proofs.calculus import derivative
from mlcore.book.proofs.card import Proof, Refutation
from mlcore.book.proofs.equality import at_least, equal
from mlcore.book.proofs.hypotheses import Hypothesis
from mlcore.book.proofs.points import Point, Undefined, is_zero, points
from mlcore.book.proofs.poles import at_poles
from mlcore.book.proofs.ties import tie
from mlcore.book.proofs.words import assumptions, listed, shown

CHECKED = 16  # exact points at which a claim is evaluated
SEARCHED = 200  # points among which a counterexample is sought


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
    left, right  numbers, sums of symbolic length, matrices or sets.  A derivative, limit
                 or integral that is left to do (`sp.Derivative`) is shown as it stands
    wrong        {what was changed: the wrong right side}, at least one
    given        what is assumed beside the declarations of the symbols, such as `signs(y)`
    relation     "=" or ">="
    label        TeX that names the left side, where its formula would hide the point
    agrees_with  a function of mlcore that should compute `right`, or a pair of it and a
                 caller that takes the arguments of `at` and uses it
    at           {argument of that function: symbol}: the numbers are drawn by us

    The claim is derived by SymPy for all sizes, and evaluated at exact random points that
    satisfy the hypotheses; each wrong version is refuted by such a point.  Returns the
    Proof to display.  Raises ValueError for a claim without content: no wrong version, no
    symbol, or two sides that are the same as written.  Raises AssertionError, naming the
    claim, if it is not derived, is false or has no value at a point, if no point refutes
    a wrong version, or if the code returns other numbers.
    """
    if relation not in RELATIONS:
        raise ValueError(f"relation must be one of {list(RELATIONS)}; got {relation!r}")
    derive, holds, sign = RELATIONS[relation]
    left, right = sp.sympify(left), sp.sympify(right)
    _refuse_empty(name, left, right, wrong)
    statement = f"{label or sp.latex(left)} {sign} {sp.latex(right)}"
    words = assumptions(left, right, given)
    given = [*given, Hypothesis("", about=(left, right))]  # it says what indices run over
    left, right = _done(left), _done(right)
    if not derive(left, right, [rule for g in given for rule in g.rules]):
        raise AssertionError(f"not proved: {name}")
    tried = islice(points((left, right), given, seed=name), CHECKED)
    for point in chain(tried, at_poles((left, right), given, seed=name)):
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
    """Derivatives, integrals and limits carried out; sums stay as they are."""
    return e.replace(lambda part: isinstance(part, TO_DO), _carried_out)


def _carried_out(part):
    by = part.variables if isinstance(part, sp.Derivative) else ()
    if not any(isinstance(variable, sp.Indexed) for variable in by):
        if isinstance(part, sp.Derivative):  # of matrices, too, which doit() leaves
            return sp.diff(part.expr, *part.variable_count)
        return part.doit()
    result = part.expr
    for variable in by:
        result = derivative(result, variable)
    return result


def _check_at(point: Point, name, left, right, holds) -> None:
    try:
        true = holds(point(left), point(right))
    except Undefined as error:
        where = listed(point, (left, right))
        raise AssertionError(
            f"{name}: {error} at {where}; which hypothesis is missing?"
        ) from None
    if not true:
        raise AssertionError(f"{name}: false at {listed(point, (left, right))}")


def _refute(name, change, left, other, given, holds) -> Refutation:
    for point in islice(points((left, other), given, seed=name), SEARCHED):
        try:
            here, there = point(left), point(other)
        except Undefined:
            continue
        if not holds(here, there):
            everything = [left, other, *(e for h in given for e in h.about)]
            numbers = listed(point, everything)
            return Refutation(change, sp.latex(other), numbers, shown(here), shown(there))
    raise AssertionError(f"no counterexample to the wrong version {change!r}: {name}")


def _same(here, there) -> bool:
    if isinstance(here, sp.Set):
        return here == there
    if isinstance(here, sp.MatrixBase) and here.shape != there.shape:
        return False
    return is_zero(here - there)


def _not_less(here, there) -> bool:
    return is_zero(here - there) or bool(here > there)


# relation: (how SymPy derives it, how it is seen in numbers, its sign in TeX)
RELATIONS = {"=": (equal, _same, "="), ">=": (at_least, _not_less, r"\ge")}
TO_DO = sp.Derivative, sp.Integral, sp.Limit
