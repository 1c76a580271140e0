"""Runs cells of a chapter inside Pyodide, for worker.js."""

import builtins
import contextlib
import io
import linecache
import random
import sys
import traceback

import numpy as np
from pyodide.code import eval_code

from halfspaces.formatting import format_number
from halfspaces.page import animation
from halfspaces.page.needed import defined, needed

# What the site serves beside NumPy: fetched when it is first imported.
FETCHABLE = {name: name for name in ("matplotlib", "scipy", "sympy")}
FETCHABLE["sklearn"] = "scikit-learn"
BUILTINS = dict(vars(builtins))  # which a reader's code may spoil
LIMIT = 100_000  # characters of an answer: more would stop the page
# Of the book: these may be more than text.
PICTURES = {"Picture", "Table", "Proof", "Another", "Grab", "Hint"}


class Missing(BaseException):
    """A package has to be fetched first; no `except Exception` stops this."""


class Fetchable:
    """Asked last, when an import would fail."""

    def find_spec(self, name, path=None, target=None):
        if name in FETCHABLE:
            raise Missing(FETCHABLE[name])


def raising(function, message):
    """WebAssembly has no floating-point flags, by which NumPy learns of a failure."""

    def checked(a, *args, **kwargs):
        result = function(a, *args, **kwargs)
        if np.isnan(result).any() and np.isfinite(a).all():
            raise np.linalg.LinAlgError(message)
        return result

    return checked


def prepare():
    random.seed()  # or each Python that starts from the same memory draws the same
    sys.meta_path.append(Fetchable())
    sys.modules["halfspaces.animation"] = animation
    singular, indefinite = "Singular matrix", "Matrix is not positive definite"
    for name, message in ("inv", singular), ("solve", singular), ("cholesky", indefinite):
        setattr(np.linalg, name, raising(getattr(np.linalg, name), message))


class Printed(io.StringIO):
    """The beginning of what is printed, and how long all of it was."""

    length = 0

    def write(self, text):
        super().write(text[: max(0, LIMIT - self.length)])
        self.length += len(text)
        return len(text)


def cut(text, length):
    """A text that is short enough for a page, which says what it lacks."""
    if length <= LIMIT:
        return text
    return f"{text[:LIMIT]}\n[These are the first {LIMIT:,} of {length:,} characters.]\n"


class Page:
    """The Python of one page.

    cells  number and code of the chapter's cells, without those of the exercises
    """

    def __init__(self, cells):
        self.cells = dict(cells)
        self.chapter = tuple(self.cells.values())
        self.scope = None  # once the chapter was run: its names
        self.moving, self.grabs = {}, {}  # number of a cell -> the picture it ended with

    def exercise(self, code, earlier=()):
        """Run the code, after those lines of the chapter that define what it uses.

        earlier  the reader's answers to exercises before this one, which count as well
        """
        scope = {"__name__": "__main__"} if self.scope is None else self.scope
        known = frozenset(scope)
        lines = needed(self.chapter, code, tuple(earlier))
        try:
            for line in (line for line in lines if not defined(line) & known):
                with contextlib.suppress(Exception):  # a name that is then missing says so
                    exec(line, scope)
        except Missing as missing:
            return {"missing": str(missing)}
        return self.evaluate(code, scope)

    def begin(self):
        self.scope, self.moving, self.grabs = {"__name__": "__main__"}, {}, {}

    def cell(self, index, code):
        """Run a cell of the chapter, which all cells after it can use."""
        return self.evaluate(code, self.scope, index)

    def frame(self, index, values):
        """The picture of a cell at these places of its sliders."""
        try:
            return {"html": self.moving[index].draw(values)}
        except Exception as error:
            return {"error": traceback_of(error)}

    def grab(self, index, state):
        """What a figure that is grabbed shows at a state; its cell runs once."""
        try:
            if index not in self.grabs:
                scope = {"__name__": "__main__"}
                before = tuple(code for k, code in self.cells.items() if k < index)
                for line in needed(before, self.cells[index]):
                    exec(line, scope)
                self.grabs[index] = eval_code(self.cells[index], scope)
            return {"frame": self.grabs[index].answer(state)}
        except Missing as missing:
            return {"missing": str(missing)}
        except Exception as error:
            return {"error": traceback_of(error)}

    def evaluate(self, code, scope, index=None):
        """Run the code; returns a dictionary of what a page can show of it."""
        out = Printed()
        linecache.cache["<your code>"] = len(code), None, code.splitlines(True), ""
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                value = eval_code(code, scope, filename="<your code>")
                shown = self.shown(value, index)
        except Missing as missing:
            return {"missing": str(missing)}
        except BaseException as error:
            shown = {"error": traceback_of(error)}
        finally:
            vars(builtins).update(BUILTINS)
        texts = {k: cut(v, len(v)) for k, v in shown.items() if k in ("text", "error")}
        return {"printed": cut(out.getvalue(), out.length), **shown, **texts}

    def shown(self, value, index):
        kind = type(value)
        if value is None:
            return {}
        if isinstance(value, animation.Moving):
            self.moving[index] = value
            return {"moving": value.described()}
        if kind.__name__ == "Verdict":
            return {"right": value.right, "sentence": value.sentence}
        if kind.__name__ == "Grab":
            self.grabs[index] = value
        if kind.__name__ in PICTURES and kind.__module__.startswith("halfspaces."):
            return {"text": repr(value), "html": value._repr_html_()}
        return {"text": plain(value)}


def plain(value):
    """A value as the notebook shows it, where floats have six digits."""
    if isinstance(value, float):
        return format_number(value, "plain")
    if type(value) is tuple:
        inside = ", ".join(map(plain, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if type(value) is list:
        return f"[{', '.join(map(plain, value))}]"
    if type(value) is dict:
        return f"{{{', '.join(f'{plain(k)}: {plain(v)}' for k, v in value.items())}}}"
    return repr(value)


def traceback_of(error):
    """The error, with those lines of the traceback that the reader wrote."""
    if isinstance(error, SyntaxError) and error.filename == "<your code>":
        line = f"line {error.lineno} of your code, {(error.text or '').strip()}"
        return f"Python cannot read {line} ({error.msg})."
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f[0] == "<your code>"]
    told = traceback.format_exception_only(error)
    head = ["Traceback (most recent call last):\n"] if frames else []
    return "".join(head + traceback.format_list(frames) + told)
