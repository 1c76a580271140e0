"""Display a proved statement as a collapsible line."""

import html
import math
import re
from dataclasses import dataclass

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.printing.pretty.pretty_symbology import pretty_symbol, pretty_use_unicode

from halfspaces.formatting import format_number
from halfspaces.proofs.points import Point, Variables, evaluate, tex

CODE_MARK = "<!-- code -->"  # the page puts the code of the cell here


@dataclass(frozen=True)
class Refutation:
    """A wrong version of a claim, and the exact numbers that refute it.

    change       its difference from the claim, in words
    right_side   the wrong right side in TeX
    at           the numbers, which satisfy all hypotheses
    left, wrong  the values there of the left side and of the wrong right side
    """

    change: str
    right_side: str
    at: str
    left: str
    wrong: str


@dataclass(frozen=True, eq=False)
class Proof:
    """A proved statement; displays itself in a notebook and on the page of checks.

    name       the claim in words
    statement  the same in TeX
    given      all assumptions, in words with TeX between dollar signs
    refuted    wrong versions of it
    code       name of the mlcore function that agrees with the statement, else None
    """

    name: str
    statement: str
    given: str
    refuted: tuple[Refutation, ...]
    code: str | None

    @property
    def anchor(self) -> str:
        words = "".join(c if c.isalnum() else " " for c in self.name.lower()).split()
        return "check-" + "-".join(words)

    def __repr__(self) -> str:
        return f"proved: {self.name}"

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        refuted = [vars(refutation) for refutation in self.refuted]
        record = {**vars(self), "refuted": refuted, "anchor": self.anchor}
        data = {"text/plain": repr(self), "text/html": self._repr_html_()}
        return data, {"proof": record}  # read by sitebuild.checks_page

    def _repr_html_(self) -> str:
        code = f"<p>Agrees with <code>{self.code}</code>.</p>" if self.code else ""
        return (
            f'<details class="hs-check tex2jax_process" id="{self.anchor}"><summary>'
            f"<strong>{html.escape(self.name)}</strong> · {html.escape(self.given)}"
            f"</summary><p>$$ {self.statement} $$</p>{code}"
            f"{refuted_table(self.refuted)}{CODE_MARK}</details>"
        )


def refuted_table(refuted) -> str:
    """Make a table of wrong claims, each with numbers that refute it."""
    rows = "".join(
        f"<tr><td>{html.escape(r.change)}</td><td>${r.right_side}$</td>"
        f"<td>{html.escape(r.at)}</td><td>{r.left}</td><td>{r.wrong}</td></tr>"
        for r in refuted
    )
    head = "<th>wrong version</th><th>right side</th><th>refuted by</th>"
    return (
        f'<div class="hs-scroll"><table class="hs-refuted"><thead><tr>{head}'
        "<th>value on the left</th><th>on the right</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


# the TeX of a letter: Latin, Greek or with a bar; then primes; then a subscript
NAME = r"([A-Za-z]|\\(?!pi|Pi|Sigma)[A-Za-z]+|\\bar{[a-z]})'*(_{([a-z\d]+|[+-]|\d+,\d+)})?"
FUNCTIONS = "arg|cos|det|dim|erf|exp|inf|ker|lim|log|max|min|mod|prod|rank|sgn|sign|sin"
FUNCTIONS += "|sum|sup|tan"
# the TeX of an array, always with an index: also a word, except a function's name
ARRAY = rf"{NAME}|\\mathrm{{(?!({FUNCTIONS})}})[a-z]{{3,}}}}"
LETTER_TYPES = sp.Symbol, sp.Dummy, sp.IndexedBase, sp.MatrixSymbol
RESERVED = {  # letters that SymPy prints for its own functions
    "e": (sp.exp, type(sp.E)),
    r"\theta": (sp.Heaviside,),
    r"\delta": (sp.KroneckerDelta,),
    "T": (sp.Transpose,),
}
DOMAINS = {  # declaration of a symbol: TeX after the letters
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


def format_assumptions(left, right, given, wrong=()) -> str:
    """Format the sizes, the declaration of each letter, and the hypotheses in one line.

    Raises ValueError if a letter of the claim or a wrong right side would be misread.
    """
    assumed = [e for hypothesis in given for e in hypothesis.expressions]
    variables = Variables(left, right, *assumed)
    sizes, letters = variables.sizes, variables.quantities
    indices = {*variables.indices, *_bound_symbols(left, right)}
    names = [tex(q) for group in (letters, sizes, indices) for q in group]
    other = (*assumed, *wrong)
    bound = {tex(q) for q in _bound_symbols(*other)}
    clash = bound & {tex(q) for q in (*letters, *sizes)}
    repeated = {name for name in names if names.count(name) > 1}
    if twice := clash | repeated | _reused_names(*other):
        raise ValueError(f"two letters must not share a name; got {sorted(twice)}")
    _fail_if_ambiguous((left, right, *other), letters, indices | _bound_symbols(*assumed))
    declared = [tex(q) + ("" if q.is_positive else _domain(q)) for q in sizes]
    parts = [f"for all ${', '.join(declared)}$"] if sizes else []
    used_as_numbers = _letters_used_as_numbers(left, right, *assumed)
    for q, size in variables.indices.items():
        if q in used_as_numbers or not size.is_positive:
            parts.append(rf"${tex(q)}\in\{{1,\dots,{tex(size)}\}}$")
    restricted = {array for hypothesis in given for array in hypothesis.allowed}
    groups: dict[str, list[str]] = {}
    for letter in {*sizes, *variables.indices, *letters}:
        domain = _domain(letter)
        if letter in letters and (domain or letter not in restricted):
            groups.setdefault(domain, []).append(tex(letter))
    for domain in DOMAINS.values():
        if names := ", ".join(sorted(groups.get(domain, []))):
            parts.append(f"${names}{domain}$" if domain else f"real ${names}$")
    return " · ".join(parts + [hypothesis.words for hypothesis in given])


def _bound_symbols(*expressions) -> set:
    """Return the indices of sums and the variables of integrals."""
    return {q for e in expressions for s in e.atoms(ExprWithLimits) for q in s.variables}


def _letters_used_as_numbers(*expressions) -> set:
    """Return the letters that are used as numbers, not only as indices of entries."""
    e = sp.Tuple(*expressions)
    entries = e.atoms(sp.Indexed, sp.KroneckerDelta)
    return e.xreplace({entry: sp.Dummy() for entry in entries}).free_symbols


def _reused_names(*expressions) -> set[str]:
    """Return the names of indices that mean something else in a part of their sum."""
    sums = set().union(*(e.atoms(ExprWithLimits) for e in expressions))
    inside = {s: s.function.free_symbols | _bound_symbols(s, s.function) for s in sums}
    pairs = ((s, q) for s in sums for q in _bound_symbols(s))
    return {tex(q) for s, q in pairs if tex(q) in map(tex, inside[s] - {q})}


def _fail_if_ambiguous(expressions, letters, indices) -> None:
    """Raise ValueError for a letter that is printed like a formula or like an entry."""
    labels = {q.label for q in letters if isinstance(q, sp.IndexedBase)}
    symbols = set().union(letters, *(e.atoms(sp.Symbol) for e in expressions))
    used = {q for q, kinds in RESERVED.items() if any(e.atoms(*kinds) for e in expressions)}
    used |= {"T"} & {tex(power.exp) for e in expressions for power in e.atoms(sp.Pow)}
    arrays, index_names = {*map(tex, labels)}, {*map(str, indices)}
    for q in sorted(symbols - labels, key=str):
        stem, _, subscript = tex(q).partition("_")
        entry = subscript and (stem in arrays or index_names & {*subscript, subscript})
        pattern = ARRAY if isinstance(q, sp.IndexedBase) else NAME
        plain = "\\" not in q.name and re.fullmatch(pattern, tex(q))
        if entry or tex(q) in used or not plain or type(q) not in LETTER_TYPES:
            raise ValueError(f"no letter may look like a formula or an entry; got {q}")


def _domain(letter) -> str:
    """Return the declaration of a letter in TeX; matrices contain real numbers."""
    if isinstance(letter, sp.MatrixSymbol):
        return ""
    for words, domain in DOMAINS.items():
        symbol = sp.Symbol("symbol", **dict.fromkeys(words.split(), True))
        if letter.assumptions0 == symbol.assumptions0:
            return domain
    raise ValueError(
        f"{letter} must be declared (a real number with real=True); the declarations "
        f"that a card can print are {', '.join(DOMAINS)}"
    )


def format_point(point: Point, expressions) -> str:
    """Format the variables of expressions at a point: n = 2, w = (1, 3), x = (1; 2)."""
    variables = Variables(*expressions)
    words = [f"{size} = {point.sizes[size]}" for size in variables.sizes]
    free = set().union(*(e.free_symbols for e in expressions))
    words += [f"{q} = {value}" for q, value in point.indices.items() if q in free]
    entries: dict[str, dict] = {}
    for name, number in point.numbers.items():
        letter, *index = name if isinstance(name, tuple) else (name,)
        if letter in variables.quantities:
            entries.setdefault(str(letter), {})[tuple(index)] = number
    for letter, numbers in sorted(entries.items()):
        numbers = dict(sorted(numbers.items()))
        shape = [max(axis) for axis in zip(*numbers, strict=True)]
        if math.prod(shape) == len(numbers):
            words.append(f"{_format_name(letter)} = {_format_array(numbers)}")
        else:  # some entries were not needed, so they were not sampled
            words += [
                f"{_format_name(f'{letter}_{index}')} = {format_sympy(number)}"
                for index, number in numbers.items()
            ]
    return ", ".join(words)


def _format_name(name: str) -> str:
    """Write lambda_2 as λ₂, ybar as y̅, and x_{1,1} or x_(1, 1) as x₁₁."""
    name = re.sub("[^_+,'A-Za-z0-9-]", "", name).rstrip(",")
    name = re.sub("^var(epsilon|phi|rho|sigma|theta)", r"\1", name)
    if re.search(r"_\d(,\d)*$", name):
        name = name.replace(",", "")
    before = pretty_use_unicode(True)
    try:
        return pretty_symbol(name).replace("'", "′")
    finally:
        pretty_use_unicode(before)


def _format_array(numbers: dict) -> str:
    """Format a number, a vector (1, 2) or a matrix (1, 2; 3, 4)."""
    if list(numbers) == [()]:
        return format_sympy(numbers[()])
    rows: dict = {}
    for index, number in numbers.items():
        rows.setdefault(index[:-1], []).append(format_sympy(number))
    return "(" + "; ".join(map(", ".join, rows.values())) + ")"


def format_sympy(value) -> str:
    """Format a SymPy value: exactly if rational, with six digits if not."""
    if isinstance(value, sp.MatrixBase):
        rows = (", ".join(map(format_sympy, row)) for row in value.tolist())
        return f"({'; '.join(rows)})"
    if value.is_Rational:
        return str(value)
    return format_number(evaluate(value), "plain")
