"""The slips that a module is broken with, one at a time.

A slip is small and local, and the file still compiles: a flipped sign, a dropped factor
or minus, a bound that now excludes (or includes) equality, a comparison, a condition or
a choice turned round, a 0 or 1 that is one more, a call that is left out.  Error
messages, type hints and decorators are left alone.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

SWAPPED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.And: ast.Or, ast.Or: ast.And}
SWAPPED_IN_PLACE = SWAPPED | {ast.Mult: ast.Div, ast.Div: ast.Mult}
DROPPED = ast.Mult, ast.Div, ast.Pow, ast.FloorDiv, ast.Mod
BOUNDARY = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
NEGATED = {
    **{ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In},
}
TWINS = ["min max", "minimum maximum", "argmin argmax", "floor ceil", "any all"]
TWIN = {a: b for pair in TWINS for a, b in (pair.split(), reversed(pair.split()))}
PLAIN = ast.Name, ast.Attribute, ast.Call, ast.Subscript
TEXT = ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom


@dataclass(frozen=True)
class Mutant:
    """A module with one slip in it.

    place   the function, or "" outside of one
    slip    "old -> new", the second of its kind in the function with (2) behind it
    source  the text of the file
    """

    place: str
    line: int
    slip: str
    source: str

    @property
    def name(self) -> str:
        return f"{self.place}: {self.slip}"


def mutants(source: str) -> list[Mutant]:
    """Every slip in a file, in the order of its lines."""
    text = source.encode()  # ast counts bytes
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found, seen = [], dict[tuple[str, str], int]()
    for place, field, node in expressions(ast.parse(source)):
        for wrong in slips(node, field):
            first = starts[node.lineno - 1] + node.col_offset
            last = starts[node.end_lineno - 1] + node.end_col_offset
            new = ast.unparse(wrong)
            slip = f"{ast.unparse(node)} -> {new}"
            count = seen[place, slip] = seen.get((place, slip), 0) + 1
            inside = new if isinstance(wrong, (ast.stmt, ast.keyword)) else f"({new})"
            broken = (text[:first] + inside.encode() + text[last:]).decode()
            slip += f" ({count})" * (count > 1)
            found.append(Mutant(place, node.lineno, slip, broken))
    return found


def expressions(node: ast.AST, place: str = "") -> Iterator[tuple[str, str, ast.AST]]:
    """The nodes that compute something, each with its function and what it is there."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        place = f"{place}.{node.name}".lstrip(".")
        node.decorator_list = []
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns") or getattr(node, "arg", "") == "strict":
            continue  # zip(strict=True) guards against what does not happen
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, TEXT):
                if hasattr(child, "lineno"):
                    yield place, "-" if negative(node) else field, child
                yield from expressions(child, place)


def negative(node: ast.AST) -> bool:
    """Whether it is a minus: -1 is the last, or all that is left, and -2 the same."""
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def slips(node: ast.AST, field: str) -> Iterator[ast.AST]:
    """The wrong nodes that could stand in the place of this one."""
    if field == "test" and isinstance(node, PLAIN):
        yield ast.UnaryOp(ast.Not(), node)
    match node:
        case ast.BinOp(left, op, right) if type(op) in SWAPPED:
            yield ast.BinOp(left, SWAPPED[type(op)](), right)
        case ast.BinOp(left, op) if isinstance(op, DROPPED):
            yield left
        case ast.BoolOp(op, values):
            yield ast.BoolOp(SWAPPED[type(op)](), values)
        case ast.AugAssign(target, op, value) if type(op) in SWAPPED_IN_PLACE:
            yield ast.AugAssign(target, SWAPPED_IN_PLACE[type(op)](), value)
        case ast.UnaryOp(ast.USub() | ast.Not() | ast.Invert(), operand):
            yield operand
        case ast.Compare(left, ops, right):
            for table in BOUNDARY, NEGATED:
                for i, op in enumerate(ops):
                    if type(op) in table:
                        turned = [*ops[:i], table[type(op)](), *ops[i + 1 :]]
                        yield ast.Compare(left, turned, right)
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value) if value in (0, 1) and field != "-":
            yield ast.Constant(value + 1)
        case ast.Name(name) if name in TWIN:
            yield ast.Name(TWIN[name])
        case ast.Attribute(value, name) if name in TWIN:
            yield ast.Attribute(value, TWIN[name])
        case ast.Expr(ast.Call()):
            yield ast.Pass()
