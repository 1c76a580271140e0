"""The reference: the docstrings of `mlcore`, as plain as they stand, made into pages.

A docstring of the project is plain text: sentences, lines `name  what it is`, `Returns`,
`Raises`, `Source:`, examples after `>>>`.  Here this becomes the fields and the examples
that Sphinx knows.  A name of `mlcore` between backticks becomes a link.
"""

import re
from functools import partial
from importlib import import_module
from itertools import groupby
from pkgutil import resolve_name

FIELD = re.compile(r"(\*{0,2}[`\w.]+(?:, \*{0,2}\w+)*) {2,}(\S.*)")
BEGINS = re.compile(r"(Returns|Raises|Source|Chapters?)\b:?")
OURS = "mlcore.", "halfspaces."
QUOTED = re.compile(r"`([^`]+)`")


def to_rest(app, what, name, obj, options, lines) -> None:
    """Rewrite the lines of a docstring in place, as autodoc wants it."""
    above = {"module": 0, "function": 1, "class": 1, "data": 1}.get(what, 2)
    mark = partial(marked, home=".".join(name.split(".")[: -above or None]))
    rest = []
    for block in blocks(lines):
        if block[0].startswith(">>>"):
            rest += block
        elif FIELD.fullmatch(block[0]):
            rest += fields(block, mark, what == "function")
        else:
            rest += [line for part in parts(block) for line in (paragraph(part, mark), "")]
        rest.append("")
    lines[:] = rest


def blocks(lines):
    """The parts between empty lines."""
    for filled, block in groupby(lines, key=lambda line: bool(line.strip())):
        if filled:
            yield [*block]


def parts(block):
    """The sentences before Returns, Raises and Source, and each of these."""
    part = []
    for line in block:
        if part and BEGINS.match(line):
            yield part
            part = []
        part.append(line)
    yield part


def fields(block, mark, of_function):
    """`name  what it is`, as parameters of a function, or as a list of names."""
    for line in block:
        if not (found := FIELD.fullmatch(line)):
            yield f"    {mark(line.strip())}"
        elif of_function:
            name = escaped(found[1]).replace(" ", "")  # before a space stands a type
            yield f":param {name}: {mark(found[2])}"
        else:
            name = found[1] if "`" in found[1] else f"`{found[1]}`"
            yield from (mark(name), f"    {mark(found[2])}")


def paragraph(part, mark):
    """Returns and Raises are fields, Chapter is a link; what is left are sentences."""
    plain = " ".join(line.strip() for line in part)
    text, begins = mark(plain), BEGINS.match(plain)
    if begins and begins[1] == "Returns":
        return f":returns: {text.removeprefix('Returns ')}"
    if begins and begins[1] == "Raises":
        error, _, rule = text.removeprefix("Raises ").partition(" ")
        return f":raises {error}: {rule}"
    if begins and begins[1].startswith("Chapter"):
        names = re.findall(r"\w+", plain.removeprefix(begins[0]))
        return "*Explained in* " + ", ".join(f":doc:`/chapters/{n}`" for n in names) + "."
    return text


def marked(text: str, home: str) -> str:
    """Plain text as reStructuredText: no mark in it, but for code between backticks."""
    pieces = enumerate(QUOTED.split(text))
    return "".join(named(p, home) if odd % 2 else escaped(p) for odd, p in pieces)


def escaped(text: str) -> str:
    return re.sub(r"([\\*|_])", r"\\\1", text)


def named(code: str, home: str) -> str:
    """A link if it is a name of `mlcore`, or one that the module knows; else code."""
    full = code if code.startswith(OURS) else f"{home}.{code}"
    try:
        value = resolve_name(full)
    except (ImportError, AttributeError, ValueError):
        return f"``{code}``"
    if full != code and code not in getattr(import_module(home), "__all__", ()):
        full = f"{getattr(value, '__module__', home)}.{code}"  # where it was imported from
    return f":py:obj:`{code} <{full}>`" if full.startswith(OURS) else f"``{code}``"


def not_ours(app, what, name, obj, skip, options) -> bool | None:
    """Leave out what a class has from another package, like set_fit_request."""
    inside = getattr(obj, "__module__", None) or OURS[0]
    return None if inside.startswith(OURS) else True


def setup(app):
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", to_rest)
    app.connect("autodoc-skip-member", not_ours)
