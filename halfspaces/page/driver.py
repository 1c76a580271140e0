"""Run the cells of a chapter inside Pyodide, for worker.js."""

import builtins
import contextlib
import io
import linecache
import os
import random
import sys
import traceback
import warnings

import numpy as np
from pyodide.code import eval_code

from halfspaces.formatting import format_number
from halfspaces.page import animation
from halfspaces.page.dependencies import defined_names, needed_statements

# Packages that the site serves besides NumPy; a page fetches them at the first import.
PACKAGES = {name: name for name in ("matplotlib", "scipy", "sympy")}
PACKAGES["sklearn"] = "scikit-learn"
BUILTINS = dict(vars(builtins))  # a reader's code may overwrite them
LIMIT = 100_000  # characters of output; more would freeze the page
# Classes of the book with trusted HTML; all other values are shown as text.
WITH_HTML = {"Picture", "Table", "Proof", "Variant", "InteractiveFigure", "Hint"}
CODE_NAME = "<your code>"


class MissingPackage(BaseException):
    """A package must be fetched; a reader's `except Exception` does not catch this."""


class PackageFinder:
    """The last finder in sys.meta_path: reports a package that the site serves."""

    def find_spec(self, name, path=None, target=None):
        if name in PACKAGES:
            raise MissingPackage(PACKAGES[name])


def check_finite(function, message):
    """Wrap a function: raise LinAlgError if it returns nan for a finite argument.

    NumPy detects such failures by floating-point flags, which WebAssembly lacks.
    """

    def checked(a, *args, **kwargs):
        result = function(a, *args, **kwargs)
        if np.isnan(result).any() and np.isfinite(a).all():
            raise np.linalg.LinAlgError(message)
        return result

    return checked


def prepare():
    random.seed()  # the memory snapshot contains a fixed random state
    os.environ["MPLBACKEND"] = "svg"  # a worker has no window for plt.show
    warnings.filterwarnings("ignore", ".* is non-interactive")
    sys.meta_path.append(PackageFinder())
    sys.modules["halfspaces.animation"] = animation
    singular, not_definite = "Singular matrix", "Matrix is not positive definite"
    for name, message in ("inv", singular), ("solve", singular), ("cholesky", not_definite):
        setattr(np.linalg, name, check_finite(getattr(np.linalg, name), message))


class LimitedOutput(io.StringIO):
    """Keep the first LIMIT characters that are printed, and count all of them."""

    length = 0

    def write(self, text):
        super().write(text[: max(0, LIMIT - self.length)])
        self.length += len(text)
        return len(text)


def take_figures():
    """Return the open figures of matplotlib.pyplot as HTML, and close them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if not pyplot:
        return ""
    from halfspaces.pictures import Picture

    figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    pyplot.close("all")
    return "".join(Picture(figure, "", "Your figure")._repr_html_() for figure in figures)


def truncate(text, length):
    """Cut a text that is too long for the page, and add a note."""
    if length <= LIMIT:
        return text
    return f"{text[:LIMIT]}\n[These are the first {LIMIT:,} of {length:,} characters.]\n"


class Page:
    """The Python session of one page.

    cells  pairs (number, code) of the chapter's cells, without those of the exercises
    """

    def __init__(self, cells):
        self.cells = dict(cells)
        self.chapter = tuple(self.cells.values())
        self.scope = None  # namespace of the chapter; None until it has run
        self.animations, self.figures = {}, {}  # by the index of their cell

    def run_exercise(self, code, earlier=()):
        """Run the code, after the statements of the chapter that it depends on.

        earlier  the reader's answers to earlier exercises
        """
        scope = {"__name__": "__main__"} if self.scope is None else self.scope
        known = frozenset(scope)
        lines = needed_statements(self.chapter, code, tuple(earlier))
        try:
            for line in (line for line in lines if not defined_names(line) & known):
                with contextlib.suppress(Exception):  # the code then reports a NameError
                    exec(line, scope)
        except MissingPackage as missing:
            return {"missing": str(missing)}
        return self.evaluate(code, scope)

    def reset(self):
        """Delete all results before the chapter is run from its first cell."""
        self.scope, self.animations, self.figures = {"__name__": "__main__"}, {}, {}

    def run_cell(self, index, code):
        """Run a cell of the chapter; later cells see its names."""
        return self.evaluate(code, self.scope, index)

    def draw_frame(self, index, positions):
        """Draw the animation of a cell at these positions of its sliders."""
        try:
            return {"html": self.animations[index].frame(positions)}
        except Exception as error:
            return {"error": reader_traceback(error)}

    def respond(self, index, state):
        """Return the frame of an interactive figure; the first call runs its cell."""
        try:
            if index not in self.figures:
                scope = {"__name__": "__main__"}
                before = tuple(code for k, code in self.cells.items() if k < index)
                for line in needed_statements(before, self.cells[index]):
                    exec(line, scope)
                self.figures[index] = eval_code(self.cells[index], scope)
            return {"frame": self.figures[index].respond(state)}
        except MissingPackage as missing:
            return {"missing": str(missing)}
        except Exception as error:
            return {"error": reader_traceback(error)}

    def evaluate(self, code, scope, index=None):
        """Run the code; return its output and its value or error, for the page."""
        out = LimitedOutput()
        linecache.cache[CODE_NAME] = len(code), None, code.splitlines(True), ""
        take_figures()  # of code that failed
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                value = eval_code(code, scope, filename=CODE_NAME)
                result = self.to_page(value, index)
        except MissingPackage as missing:
            return {"missing": str(missing)}
        except BaseException as error:
            result = {"error": reader_traceback(error)}
        finally:
            vars(builtins).update(BUILTINS)
        result["html"] = take_figures() + result.get("html", "")
        for key in {"text", "error"} & result.keys():
            result[key] = truncate(result[key], len(result[key]))
        return {"printed": truncate(out.getvalue(), out.length), **result}

    def to_page(self, value, index):
        """Convert the value of a cell for the page."""
        kind = type(value)
        if value is None:
            return {}
        if isinstance(value, animation.Animation):
            self.animations[index] = value
            return {"animation": value.to_page()}
        if kind.__name__ == "Verdict":
            return {"right": value.right, "sentence": value.sentence}
        if kind.__name__ == "InteractiveFigure":
            self.figures[index] = value
        if kind.__name__ in WITH_HTML and kind.__module__.startswith("halfspaces."):
            return {"text": repr(value), "html": value._repr_html_()}
        return {"text": notebook_repr(value)}


def notebook_repr(value):
    """Return the repr of a value in a notebook, where floats have six digits."""
    if isinstance(value, float):
        return format_number(value, "plain")
    if type(value) is tuple:
        entries = ", ".join(map(notebook_repr, value))
        return f"({entries},)" if len(value) == 1 else f"({entries})"
    if type(value) is list:
        return f"[{', '.join(map(notebook_repr, value))}]"
    if type(value) is dict:
        pairs = (f"{notebook_repr(k)}: {notebook_repr(v)}" for k, v in value.items())
        return f"{{{', '.join(pairs)}}}"
    return repr(value)


def reader_traceback(error):
    """Format an error with the traceback of the reader's own lines."""
    if isinstance(error, SyntaxError) and error.filename == CODE_NAME:
        line = f"line {error.lineno} of your code, {(error.text or '').strip()}"
        return f"Python cannot read {line} ({error.msg})."
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f[0] == CODE_NAME]
    message = traceback.format_exception_only(error)
    head = ["Traceback (most recent call last):\n"] if frames else []
    return "".join(head + traceback.format_list(frames) + message)
