"""What a proof assumes, and the numbers that refute a wrong version, in words."""

import sympy as sp

from mlcore.book.proofs.points import Point
from mlcore.book.proofs.shapes import Shape

DOMAINS = {  # what SymPy was told: TeX behind the letters
    "integer positive": r"\in\{1,2,\dots\}",
    "integer nonnegative": r"\in\{0,1,\dots\}",
    "integer": r"\in\mathbb{Z}",
    "positive": ">0",
    "nonnegative": r"\ge0",
    "negative": "<0",
    "nonpositive": r"\le0",
    "real nonzero": r"\ne0",
    "real": "",
}


def assumptions(left, right, given) -> str:
    """Sizes, what SymPy was told of each letter, and the hypotheses, in one line."""
    shape = Shape(left, right, *(e for hypothesis in given for e in hypothesis.about))
    parts = [f"for all ${', '.join(map(sp.latex, shape.sizes))}$"] if shape.sizes else []
    restricted = {array for hypothesis in given for array in hypothesis.allowed}
    groups: dict[str, list[str]] = {}
    for letter in shape.letters - restricted:
        groups.setdefault(_domain(letter), []).append(_tex(letter))
    for domain in DOMAINS.values():
        if names := ", ".join(sorted(groups.get(domain, []))):
            parts.append(f"${names}{domain}$" if domain else f"real ${names}$")
    return " · ".join(parts + [hypothesis.words for hypothesis in given])


def _domain(letter) -> str:
    """All that SymPy was told of a letter; matrices and functions hold real numbers."""
    if isinstance(letter, (sp.MatrixSymbol, type)):
        return ""
    for told, domain in DOMAINS.items():
        like = sp.Symbol("like", **dict.fromkeys(told.split(), True))
        if letter.assumptions0 == like.assumptions0:
            return domain
    raise ValueError(
        f"{letter} must be declared, for a real number with real=True; what a card can say "
        f"of a letter is: {', '.join(DOMAINS)}"
    )


def _tex(letter) -> str:
    return sp.latex(sp.Symbol(letter.__name__) if isinstance(letter, type) else letter)


def listed(point: Point, sides) -> str:
    """The numbers of a point that some expressions use: n = 2, w = (1, 3), x = (1; 2)."""
    shape = Shape(*sides)
    words = [f"{size} = {point.sizes[size]}" for size in shape.sizes]
    free = set().union(*(side.free_symbols for side in sides))
    words += [f"{q} = {value}" for q, value in point.indices.items() if q in free]
    entries: dict[str, dict] = {}
    for name, number in point.numbers.items():
        letter, *place = name if isinstance(name, tuple) else (name,)
        if letter in shape.letters:
            entries.setdefault(str(letter), {})[tuple(place)] = number
    for letter, numbers in sorted(entries.items()):
        words.append(f"{letter} = {_table(dict(sorted(numbers.items())))}")
    return ", ".join(words)


def _table(numbers: dict) -> str:
    """A number, a vector in parentheses, or a matrix with semicolons between its rows."""
    if list(numbers) == [()]:
        return shown(numbers[()])
    rows: dict = {}
    for place, number in numbers.items():
        rows.setdefault(place[:-1], []).append(shown(number))
    return "(" + "; ".join(map(", ".join, rows.values())) + ")"


def shown(value) -> str:
    """A value at a point: exact if it is rational, else six digits."""
    if isinstance(value, sp.MatrixBase):
        return "(" + "; ".join(", ".join(map(shown, row)) for row in value.tolist()) + ")"
    if isinstance(value, sp.Set) or value.is_Rational:
        return str(value)
    return f"{float(value):.6g}"
