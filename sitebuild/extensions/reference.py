"""Convert the project's plain docstrings to reStructuredText for autodoc.

A docstring consists of sentences, lines `name  description`, paragraphs that start with
`Returns`, `Raises`, `Source:` or `Chapter`, and examples after `>>>`.  Names of our
packages in backticks become links.
"""

import re
from functools import partial
from importlib import import_module
from itertools import groupby
from pkgutil import resolve_name

FIELD = re.compile(r"(\*{0,2}[`\w.]+(?:, \*{0,2}\w+)*) {2,}(\S.*)")
KEYWORD = re.compile(r"(Returns|Raises|Source|Chapters?)\b:?")
PACKAGES = "mlcore.", "halfspaces."
QUOTED = re.compile(r"`([^`]+)`")


def to_rest(app, what, name, obj, options, lines) -> None:
    """Rewrite the lines of a docstring in place."""
    depth = {"module": 0, "function": 1, "class": 1, "data": 1}.get(what, 2)
    mark = partial(mark_up, module=".".join(name.split(".")[: -depth or None]))
    converted = []
    for block in split_blocks(lines):
        if block[0].startswith(">>>"):
            converted += block
        elif FIELD.fullmatch(block[0]):
            converted += convert_fields(block, mark, what == "function")
        else:
            paragraphs = [convert_paragraph(p, mark) for p in split_paragraph(block)]
            converted += [line for text in paragraphs for line in (text, "")]
        converted.append("")
    lines[:] = converted


def split_blocks(lines):
    """Split lines at empty lines."""
    for has_text, block in groupby(lines, key=lambda line: bool(line.strip())):
        if has_text:
            yield [*block]


def split_paragraph(block):
    """Split a paragraph before Returns, Raises, Source and Chapter."""
    part = []
    for line in block:
        if part and KEYWORD.match(line):
            yield part
            part = []
        part.append(line)
    yield part


def convert_fields(block, mark, of_function):
    """Convert lines `name  description` to parameters or to a definition list."""
    for line in block:
        if not (found := FIELD.fullmatch(line)):
            yield f"    {mark(line.strip())}"
        elif of_function:
            name = escape(found[1]).replace(" ", "")  # Sphinx parses "a b" as type and name
            yield f":param {name}: {mark(found[2])}"
        else:
            name = found[1] if "`" in found[1] else f"`{found[1]}`"
            yield from (mark(name), f"    {mark(found[2])}")


def convert_paragraph(part, mark):
    """Convert Returns and Raises to fields, Chapter to links, and escape the rest."""
    plain = " ".join(line.strip() for line in part)
    text, keyword = mark(plain), KEYWORD.match(plain)
    if keyword and keyword[1] == "Returns":
        return f":returns: {text.removeprefix('Returns ')}"
    if keyword and keyword[1] == "Raises":
        error, _, rule = text.removeprefix("Raises ").partition(" ")
        return f":raises {error}: {rule}"
    if keyword and keyword[1].startswith("Chapter"):
        names = re.findall(r"\w+", plain.removeprefix(keyword[0]))
        return "*Explained in* " + ", ".join(f":doc:`/chapters/{n}`" for n in names) + "."
    return text


def mark_up(text: str, module: str) -> str:
    """Escape plain text, except for code in backticks, which may become a link."""
    pieces = enumerate(QUOTED.split(text))
    return "".join(link_name(p, module) if k % 2 else escape(p) for k, p in pieces)


def escape(text: str) -> str:
    return re.sub(r"([\\*|_])", r"\\\1", text)


def link_name(code: str, module: str) -> str:
    """Return a link if the code is a name of our packages or of `module`."""
    full = code if code.startswith(PACKAGES) else f"{module}.{code}"
    try:
        value = resolve_name(full)
    except (ImportError, AttributeError, ValueError):
        return f"``{code}``"
    if full != code and code not in getattr(import_module(module), "__all__", ()):
        full = f"{getattr(value, '__module__', module)}.{code}"  # where it is defined
    return f":py:obj:`{code} <{full}>`" if full.startswith(PACKAGES) else f"``{code}``"


def skip_member(app, what, name, obj, skip, options) -> bool | None:
    """Omit members of other packages, and fields of named tuples without a docstring."""
    module = getattr(obj, "__module__", None) or PACKAGES[0]
    is_field = str(obj.__doc__).startswith("Alias for field number")
    return True if is_field or not module.startswith(PACKAGES) else None


def setup(app):
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", to_rest)
    app.connect("autodoc-skip-member", skip_member)
