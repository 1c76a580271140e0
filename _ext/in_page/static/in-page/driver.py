"""Runs a reader's cell inside Pyodide; worker.js loads this."""

import ast
import contextlib
import functools
import io
import linecache
import sys
import traceback

import numpy as np
from pyodide.code import eval_code

# What the site serves beside NumPy: fetched when it is first imported.
FETCHABLE = {"matplotlib": "matplotlib", "scipy": "scipy", "sklearn": "scikit-learn"}
FETCHABLE["sympy"] = "sympy"
EXERCISE = {"stub", "solution", "wrong-answer"}


class Missing(BaseException):
    """A package has to be fetched first; no `except Exception` stops this."""


class Fetchable:
    """Found last, when an import would fail."""

    def find_spec(self, name, path=None, target=None):
        if name in FETCHABLE:
            raise Missing(FETCHABLE[name])


def raising(function, message):
    """WebAssembly has no floating-point flags, by which NumPy learns of a failure."""

    @functools.wraps(function)
    def checked(a, *args, **kwargs):
        result = function(a, *args, **kwargs)
        if np.isnan(result).any() and np.isfinite(a).all():
            raise np.linalg.LinAlgError(message)
        return result

    return checked


def prepare():
    sys.meta_path.append(Fetchable())
    singular, indefinite = "Singular matrix", "Matrix is not positive definite"
    for name, message in ("inv", singular), ("solve", singular), ("cholesky", indefinite):
        setattr(np.linalg, name, raising(getattr(np.linalg, name), message))


def run(cells, code):
    """Run what the chapter's cells define for the code, then the code.

    Returns a dictionary of what a page can show, or of the package that is missing.
    """
    scope, out = {"__name__": "__main__"}, io.StringIO()
    try:
        for line in needed(cells, code):
            with contextlib.suppress(Exception):  # a name that is then missing says so
                exec(line, scope)
        linecache.cache["<your code>"] = len(code), None, code.splitlines(True), ""
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            value = eval_code(code, scope, filename="<your code>")
            shown = display(value)
        return {"printed": out.getvalue(), **shown}
    except Missing as missing:
        return {"missing": str(missing)}
    except BaseException as error:
        return {"printed": out.getvalue(), "error": traceback_of(error)}


def display(value):
    if type(value).__name__ == "Verdict":
        return {"right": value.right, "sentence": value.sentence}
    return {} if value is None else {"text": repr(value)}


def traceback_of(error):
    """The error, with those lines of the traceback that the reader wrote."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f[0] == "<your code>"]
    told = traceback.format_exception_only(error)
    head = ["Traceback (most recent call last):\n"] if frames else []
    return "".join(head + traceback.format_list(frames) + told)


def needed(cells, code):
    """Of the chapter's statements those that define a name which the code uses."""
    wanted, chosen = used(code), []
    for statement in reversed(statements(tuple(cells))):
        if defined(statement) & wanted:
            chosen.insert(0, statement)
            wanted |= used(statement)
    return chosen


@functools.cache
def statements(cells):
    """Imports, one name each, and definitions at the top of the cells, in order."""
    found = []
    for node in (node for cell in cells for node in ast.parse(cell).body):
        if isinstance(node, ast.Import):
            found += [ast.unparse(ast.Import([name])) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [ast.unparse(ast.ImportFrom(node.module, [n], 0)) for n in node.names]
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Assign)):
            found.append(ast.unparse(node))
    return found


@functools.cache
def used(code):
    """The names that the code takes from outside."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return set()
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


@functools.cache
def defined(statement):
    (node,) = ast.parse(statement).body
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(name.asname or name.name).split(".")[0] for name in node.names}
    if isinstance(node, ast.Assign):
        stored = (n for target in node.targets for n in ast.walk(target))
        return {n.id for n in stored if isinstance(n, ast.Name)}
    return {node.name}
