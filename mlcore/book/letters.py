"""The book's letters in SymPy, and sums over them whose length stays a symbol.

Sizes n, d; indices i (example) and j, k, l (feature), counted from 1; arrays x (n, d),
y (n,), w (d,) and the bias b.  What is shown with them holds for every n and d.
"""

import sympy as sp
from sympy.concrete.delta import deltasummation

n, d = sp.symbols("n d", integer=True, positive=True)
i, j, k, l = sp.symbols("i j k l", integer=True)  # noqa: E741, the book's letter
x, y, w = (sp.IndexedBase(name, real=True) for name in "xyw")
b = sp.Symbol("b", real=True)

LENGTH = {i: n, j: d, k: d, l: d}  # what each index runs over
SHAPE = {x: (n, d), y: (n,), w: (d,)}


def total(term, index) -> sp.Sum:
    """The sum of a term over all examples (index i) or all features (j, k or l)."""
    return sp.Sum(term, (index, 1, LENGTH[index]))


def derivative(expression, variable) -> sp.Expr:
    """The partial derivative by an entry such as w[k], its index within the range.

    Raises ValueError if the index is also a summation index of the expression: there
    SymPy returns a wrong derivative in silence.
    """
    bound = {limit[0] for s in expression.atoms(sp.Sum) for limit in s.limits}
    clash = bound & set().union(*(index.free_symbols for index in variable.indices))
    if clash:
        raise ValueError(f"variable must use a fresh index; {clash} is summed over")
    return expression.diff(variable).replace(_is_sum, _collapsed)


def _collapsed(s: sp.Sum):
    """Sum over an index that a Kronecker delta fixes: its value there."""
    f = s.function
    for limit in s.limits:
        if f.has(sp.KroneckerDelta):
            f = deltasummation(f, limit, no_piecewise=True)
        else:
            f = sp.Sum(f, limit)
    return f


def equal_sums(left, right) -> bool:
    """True if two expressions with sums of symbolic length agree summand by summand.

    Sufficient, not necessary: False means "not proved".  Labels are signs: y_i**2 = 1.
    """
    summands: dict = {}
    for term in sp.Add.make_args(_flat(left - right)):
        sums = [f for f in sp.Mul.make_args(term) if isinstance(f, sp.Sum)]
        size = None
        if len(sums) == 1:  # coefficient * Sum(f) counts as the summand coefficient * f
            (index, _, size), f = sums[0].limits[0], sums[0].function
            term = term / sums[0] * f.subs(index, sp.Symbol("index", integer=True))
        summands[size] = summands.get(size, 0) + term
    return all(_is_zero(summand) for summand in summands.values())


def equal(left, right) -> bool:
    """True if SymPy shows that two numbers, sums, matrices or intervals are equal."""
    if isinstance(left, sp.Set) or isinstance(right, sp.Set):
        return left == right
    if isinstance(left, sp.MatrixBase):
        return left.shape == right.shape and all(map(equal, left, right))
    if isinstance(left, sp.MatrixExpr):
        difference = sp.expand((left - right).doit()).doit()
        return difference == sp.ZeroMatrix(*left.shape)
    return equal_sums(sp.sympify(left), sp.sympify(right))


def at_least(left, right) -> bool:
    """True if left - right is >= 0 by the signs that its symbols are declared with."""
    difference = sp.expand(left - right)
    return bool(difference.is_nonnegative or sp.factor(difference).is_nonnegative)


def _flat(expression):
    """Sums split over +, constant factors in front, indices with standard names."""
    return _unsigned(sp.expand(expression.replace(_is_sum, _flat_sum)))


def _flat_sum(s: sp.Sum):
    flat = s.function
    for limit in s.limits:  # the innermost first
        terms = sp.Add.make_args(_unsigned(sp.expand(flat)))
        flat = sum(_flat_term(term, *limit) for term in terms)
    return flat


def _flat_term(term, index, low, high):
    front, inside = term.as_independent(index, as_Add=False)
    depth = sum(s.limits[0][2] == high for s in inside.atoms(sp.Sum))
    name = sp.Symbol(f"{high}_{depth}", integer=True)  # same sum, same name
    return front * sp.Sum(inside.subs(index, name), (name, low, high))


def _is_sum(e) -> bool:
    return isinstance(e, sp.Sum)


def _unsigned(e):
    """Labels are -1 or +1, so y_i**2 is 1 and y_i**3 is y_i."""
    return e.replace(
        lambda p: p.is_Pow and p.exp.is_Integer and getattr(p.base, "base", None) == y,
        lambda p: p.base ** (p.exp % 2),
    )


def _is_zero(e) -> bool:
    """Simplify with every sum, then every entry, taken as one real number."""
    for kind in (sp.Sum, sp.Indexed):
        e = e.subs({a: sp.Dummy(real=True) for a in e.atoms(kind)})
    return sp.simplify(e) == 0
