"""Show that an expression has a value wherever the hypotheses hold."""

from dataclasses import replace
from itertools import pairwise

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.matrices.expressions.matexpr import MatrixElement

from halfspaces.proofs.algebra import antiderivative, equal
from halfspaces.proofs.inequalities import Known, is_nonnegative, is_nonzero, is_positive
from halfspaces.proofs.points import MAX_EXACT, CannotTell

LEAVES = sp.Symbol, sp.Rational, type(sp.pi), type(sp.E)
SMOOTH = sp.Add, sp.Mul, sp.exp, sp.sin, sp.cos, sp.sinh, sp.cosh, sp.tanh
MATRICES = sp.MatrixSymbol, sp.Identity, sp.ZeroMatrix, sp.OneMatrix
MATRIX_OPERATIONS = sp.MatAdd, sp.MatMul, sp.Transpose, sp.Trace, sp.BlockMatrix
KINKS = sp.Abs, sp.sign, sp.Max, sp.Min, sp.Heaviside
FUNCTIONS = *SMOOTH, *KINKS, sp.binomial, sp.factorial, sp.KroneckerDelta, sp.log


def fail_if_undefined(left, right, known: Known) -> None:
    """Raise CannotTell, naming a part of the claim that may have no value.

    A denominator, logarithm, root, inverse or kink under a derivative passes if the
    declarations of its symbols and the hypotheses exclude the bad values.  For a part of a
    hypothesis, only the hypotheses before it count.
    """
    applied = {f for h in known.given for e in h.expressions for f in e.atoms(sp.Function)}
    if unknown := {type(f).__name__ for f in applied if not isinstance(f, FUNCTIONS)}:
        raise CannotTell(f"prove does not know {', '.join(sorted(unknown))}")
    printed = [left, right, *(e for h in known.given for e in h.expressions)]
    equations = any(sign == "=" for h in known.given for _, sign in h.facts)
    for power in set().union(*(e.atoms(sp.Pow, sp.exp) for e in printed)):
        # SymPy assumes that (n + 1/2)**a is never an integer.  An equation
        # may substitute such a base for a symbol.
        base = power.base
        fraction = equations and base.is_rational is not False
        fraction = fraction or (base.is_rational and base.is_integer is False)
        large = any(max(abs(q.p), q.q) > MAX_EXACT for q in power.exp.atoms(sp.Rational))
        if large or (fraction and not (power.exp.is_integer or power.exp.is_Rational)):
            raise CannotTell(f"prove does not know {power}")
    for q, hypothesis in enumerate(known.given):
        ranges = dict(known.ranges) | {i: (1, size) for i, size in hypothesis.each.items()}
        for e in hypothesis.expressions:
            _walk(e, replace(known, given=known.given[:q], ranges=ranges), False)
    for side in left, right:
        _walk(side, known, differentiated=False)


def _walk(e, known: Known, differentiated: bool) -> None:
    """Raise CannotTell unless each part of e has a value, and a slope if differentiated."""
    if isinstance(e, ExprWithLimits):
        return _walk_limits(e, known, differentiated)
    if isinstance(e, sp.Derivative):
        passes = all(variable.is_integer is not True for variable in e.variables)
        _fail_unless(passes, e, "a derivative with respect to an integer")
        for variable in e.variables:
            _walk(variable, known, False)
        return _walk(e.expr, known, True)
    parts = list(e) if isinstance(e, sp.MatrixBase) else e.args
    if isinstance(e, (sp.Indexed, sp.KroneckerDelta)):
        parts = e.indices
        _fail_unless(all(q.is_integer for q in parts), e, "indexed by a non-integer")
    elif isinstance(e, (*LEAVES, sp.MatrixBase)):
        pass  # an explicit matrix is also a MatrixExpr
    elif isinstance(e, (sp.MatrixExpr, sp.Trace)) and not e.has(MatrixElement):
        _check_matrix(e, known)
        parts = () if isinstance(e, MATRICES) else parts
    else:
        _check(e, known, differentiated)
    for part in parts:
        _walk(part, known, differentiated)


def _fail_unless(passes: bool, e, fault: str) -> None:
    if not passes:
        raise CannotTell(f"{e} may be {fault}; a hypothesis in given must exclude it")


def _walk_limits(e, known: Known, differentiated: bool) -> None:
    """Walk through a sum or an integral, from the outer limits to the inner ones."""
    f, limits = e.function, list(e.limits)
    if isinstance(e, sp.Integral) and len(limits) > 1:
        raise CannotTell("`prove` cannot integrate over two variables")
    while limits:
        *limits, limit = limits
        if not isinstance(e, (sp.Sum, sp.Integral)) or len(limit) != 3:
            kind = type(e).__name__
            raise CannotTell(f"prove does not know {kind} with the limits {limit}")
        q, low, high = limit
        for end in low, high:
            _walk(end, known, differentiated)
        if isinstance(e, sp.Sum):
            integers = low.is_integer and high.is_integer
            fits = integers and is_nonnegative(high - low + 1, known)
            _fail_unless(fits, e, "a sum that ends before it starts, or not at an integer")
            signs = {"positive": low.is_positive, "nonnegative": low.is_nonnegative}
            name = sp.Dummy(q.name, integer=True, **{k: v for k, v in signs.items() if v})
            known = known.within(name, low, high)
        else:
            name = sp.Dummy(q.name, real=True)
            _walk(antiderivative(f, q).xreplace({q: name}), known, differentiated)
        f = f.xreplace({q: name})
        limits = [
            sp.Tuple(p, *(end.xreplace({q: name}) for end in ends)) for p, *ends in limits
        ]
    _walk(f, known, differentiated)


def _check_matrix(e, known: Known) -> None:
    sizes = e.shape if isinstance(e, sp.MatrixExpr) else ()
    nonempty = all(sp.sympify(size).is_positive for size in sizes)
    _fail_unless(nonempty, e, "a matrix without entries")
    if isinstance(e, sp.MatMul):
        factors = [f for f in e.args if f.is_Matrix]
        fits = all(a.shape[1] == b.shape[0] for a, b in pairwise(factors))
        _fail_unless(fits, e, "a product of matrices that do not fit")
    elif isinstance(e, sp.MatAdd):
        fits = len({part.shape for part in e.args}) == 1
        _fail_unless(fits, e, "a sum of unequal shapes")
    elif isinstance(e, sp.MatPow) and e.exp.is_Integer:
        if e.exp.is_negative:
            _fail_unless(_is_invertible(e.base, known), e.base, "singular")
    elif not isinstance(e, (*MATRICES, *MATRIX_OPERATIONS)):
        raise CannotTell(f"prove does not know {type(e).__name__}")


def _is_invertible(matrix, known: Known) -> bool:
    facts = [fact for hypothesis in known.given for fact in hypothesis.facts]
    given = [e for e, relation in facts if relation == "invertible"]
    if any(e.shape == matrix.shape and equal(e, matrix) for e in given):
        return True
    if isinstance(matrix, (sp.Transpose, sp.Inverse)):
        return _is_invertible(matrix.arg, known)
    if isinstance(matrix, sp.MatMul):
        return all(
            _is_invertible(f, known) if f.is_Matrix else is_nonzero(f, known)
            for f in matrix.args
        )
    return isinstance(matrix, sp.Identity)


def _check(e, known: Known, differentiated: bool) -> None:
    """Raise CannotTell unless a function has a value, and a slope if differentiated."""
    if e.is_Pow and not isinstance(e, sp.exp):
        _check_power(*e.args, known, differentiated)
    elif isinstance(e, sp.log):
        z = e.args[0]
        _fail_unless(is_positive(z, known), z, "0 or negative under a logarithm")
    elif isinstance(e, KINKS):
        arguments = e.args[:1]
        if isinstance(e, (sp.Max, sp.Min)):
            arguments = [a - b for a in e.args for b in e.args if str(a) < str(b)]
        if differentiated or isinstance(e, sp.Heaviside):
            for argument in arguments:
                _fail_unless(is_nonzero(argument, known), argument, f"0, a kink of {e}")
    elif isinstance(e, (sp.binomial, sp.factorial)):
        fits = all(part.is_integer for part in e.args) and is_nonnegative(e.args[0], known)
        _fail_unless(fits, e, "a binomial or factorial of a negative number or a fraction")
    elif not isinstance(e, SMOOTH):
        raise CannotTell(f"prove does not know {type(e).__name__}")


def _check_power(base, power, known: Known, differentiated: bool) -> None:
    if power.is_integer and is_nonnegative(power, known):
        return
    if power.is_integer:
        _fail_unless(is_nonzero(base, known), base, "0 in a denominator")
    elif power.is_positive and power.is_Rational and not differentiated:
        _fail_unless(is_nonnegative(base, known), base, "negative under a root")
    else:
        _fail_unless(is_positive(base, known), base, f"0 or negative to the power {power}")
