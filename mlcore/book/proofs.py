"""Check a derivation with SymPy, beside the text that makes it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp

from mlcore.book.letters import (
    LENGTH,
    SHAPE,
    at_least,
    b,
    d,
    derivative,
    equal,
    equal_sums,
    i,
    j,
    k,
    l,
    n,
    total,
    w,
    x,
    y,
)

# one door for the chapters: the letters and the sums are part of what is imported here
__all__ = ["Proof", "b", "d", "derivative", "equal_sums", "i", "j", "k", "l", "n"]
__all__ += ["prove", "subdifferential", "total", "w", "x", "y"]


def subdifferential(f, z, kink) -> sp.Interval:
    """All slopes of lines through (kink, f(kink)) that stay below a convex f(z).

    The two ends are the one-sided derivatives, as limits of difference quotients.
    """
    h = sp.Symbol("h", positive=True)
    ahead = (f.subs(z, kink + h) - f.subs(z, kink)) / h
    behind = (f.subs(z, kink) - f.subs(z, kink - h)) / h
    return sp.Interval(sp.limit(behind, h, 0, "+"), sp.limit(ahead, h, 0, "+"))


@dataclass(frozen=True, eq=False)
class Proof:
    """A proved statement; displays itself in a notebook and on the page of checks."""

    name: str
    statement: str  # LaTeX
    holds: str
    mutants: tuple[str, ...]
    code: str | None  # the mlcore function that it was compared with

    @property
    def anchor(self) -> str:
        words = "".join(c if c.isalnum() else " " for c in self.name.lower()).split()
        return "check-" + "-".join(words)

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        record = {**vars(self), "mutants": list(self.mutants), "anchor": self.anchor}
        data = {"text/plain": repr(self), "text/html": self._repr_html_()}
        return data, {"proof": record}  # what the page of checks is made of

    def _repr_html_(self) -> str:
        code = f" Equal to <code>{self.code}</code> in numbers." if self.code else ""
        return (
            f'<div class="hs-check tex2jax_process" id="{self.anchor}">'
            f"<p><strong>Proved by SymPy: {self.name}</strong></p>"
            f"<p>$$ {self.statement} $$</p>"
            f"<p>Holds for {self.holds}. Wrong versions refused: "
            f"{'; '.join(self.mutants)}.{code}</p>"
            "</div>"
        )


def prove(
    name: str,
    left,
    right,
    *,
    mutants: Mapping,
    relation: str = "=",
    label: str | None = None,
    agrees_with: Callable | tuple | None = None,
    at: Mapping | None = None,
) -> Proof:
    """Prove left = right (or left >= right), and that no mutant of it is provable.

    name         what is claimed, in words; unique in the book
    left, right  numbers, sums of symbolic length, matrices or intervals
    mutants      {what was changed: the wrong right side}, at least one
    relation     "=" or ">="
    label        LaTeX that names the left side, where its formula would hide the point
    agrees_with  a function of mlcore that should compute `right`, or a pair of it and a
                 caller that takes the arguments of `at` and uses it
    at           {argument of that function: symbol}: the numbers are drawn by us

    Returns the Proof to display.  Raises AssertionError, naming the claim, if the claim
    is not proved, if a mutant is, or if the code returns other numbers.
    """
    if not mutants:
        raise ValueError("mutants must hold at least one wrong right side; got none")
    test = {"=": equal, ">=": at_least}[relation]
    if not test(left, right):
        raise AssertionError(f"not proved: {name}")
    for change, wrong in mutants.items():
        if test(left, wrong):
            raise AssertionError(f"proved although wrong ({change}): {name}")
    sign = {"=": "=", ">=": r"\ge"}[relation]
    statement = f"{label or sp.latex(left)} {sign} {sp.latex(right)}"
    code = compare(name, right, agrees_with, at) if agrees_with else None
    return Proof(name, statement, _holds_for(left, right), tuple(mutants), code)


def compare(name: str, expression, function, at: Mapping) -> str:
    """Evaluate the expression and the code at the same six points; name the code."""
    function, caller = function if isinstance(function, tuple) else (function, function)
    if caller is not function and function.__name__ not in caller.__code__.co_names:
        raise ValueError(f"agrees_with must call {function.__name__} in its caller")
    rng = np.random.default_rng(0)
    for scale in (1.0, 1e-6, 1e6) * 2:
        point = {s: _draw(s, rng, scale) for s in at.values()}
        want = _evaluate(expression, point)
        got = np.asarray(caller(**{arg: point[s] for arg, s in at.items()}), float)
        if got.shape != want.shape or not np.allclose(got, want, rtol=1e-9, atol=0):
            raise AssertionError(f"code and formula differ: {name}, at {point}")
    owner = getattr(getattr(function, "__self__", None), "name", None)  # a loss, say
    names = [function.__module__, owner, function.__name__]
    return ".".join(name for name in names if name)


_SIZES = {n: 4, d: 3}


def _draw(symbol, rng, scale):
    """Random numbers in the shape of a symbol; labels are signs, never scaled."""
    if symbol == y:
        return rng.choice([-1.0, 1.0], _SIZES[n])
    shape = tuple(_SIZES[size] for size in SHAPE.get(symbol, ()))
    numbers = scale * rng.standard_normal(shape)
    if shape:
        return numbers
    return float(abs(numbers) if symbol.is_nonnegative else numbers)


def _evaluate(expression, point: Mapping) -> np.ndarray:
    """The numbers of an expression; each free index is an axis, in the order ijkl."""
    fixed = sp.sympify(expression).subs(_SIZES).doit()
    axes = [index for index in LENGTH if index in fixed.free_symbols]
    shape = tuple(_SIZES[LENGTH[index]] for index in axes)
    result = np.empty(shape)
    for where in np.ndindex(*shape):
        entry = fixed.subs({index: q + 1 for index, q in zip(axes, where, strict=True)})
        numbers = {a: _entry(a, point) for a in entry.atoms(sp.Indexed)}
        numbers |= {s: v for s, v in point.items() if isinstance(s, sp.Symbol)}
        result[where] = entry.xreplace(
            {s: sp.Float(v, 40) for s, v in numbers.items()}
        ).evalf(30)
    return result


def _entry(indexed, point):
    return point[indexed.base][tuple(int(q) - 1 for q in indexed.indices)]


def _holds_for(*sides) -> str:
    """The sizes that a statement is about, in words."""
    sums = {limit[2] for e in sides for s in e.atoms(sp.Sum) for limit in s.limits}
    matrices = {m for e in sides for m in e.atoms(sp.MatrixSymbol)}
    sizes = sums | {size for m in matrices for size in m.shape}
    symbolic = sorted(str(size) for size in sizes if not size.is_number)
    if symbolic:
        return f"every {' and '.join(symbolic)}"
    if any(isinstance(e, sp.MatrixBase) for e in sides):
        return f"the fixed shape {sides[0].shape}"
    return "every value of its symbols"
