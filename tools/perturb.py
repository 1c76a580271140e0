"""Change each public result by a thousandth, and ask whether the book notices.

    python tools/perturb.py             every notebook
    python tools/perturb.py svm sgd     those named

A notebook is run once, cell by cell.  Before each cell that calls a function of `mlcore`
the process splits: in the copy every real number that the function returns to this cell
is multiplied by 1 + 1e-3, and the copy goes on until an assertion fails or an output
differs from the sound one, as nbval compares them.  If it comes to the end of the
notebook, the cell may use a count, or show two digits: another copy changes real numbers
by a tenth, whole numbers by one, and turns truth values.  A call whose result nobody
misses then needs a line in tests/unnoticed.toml that says why; a line that belongs to no
such call is named, too.
"""

import ast
import configparser
import copy
import multiprocessing
import os
import pickle
import re
import signal
import sys
import tomllib
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial, wraps
from inspect import isfunction
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
from executing import own_folders
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from traitlets.config import Config

from chapters import ROOT, in_book_order

REASONS = ROOT / "tests" / "unnoticed.toml"
UNNOTICED, NOTICED, UNTOUCHED = range(3)  # what a copy says by its exit code
SECONDS = 60  # of computing: a copy that takes longer hangs, which nbval notices


def main(names: list[str]) -> int:
    paths = [p for p in in_book_order() if not names or p.stem in names]
    if unknown := set(names) - {path.stem for path in paths}:
        print(f"no such chapter: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    reasons = tomllib.loads(REASONS.read_text())
    wrong = 0
    # two notebooks at a time, each in a process of its own
    with own_folders(), multiprocessing.get_context("fork").Pool(2, None, (), 1) as pool:
        for path, calls in zip(paths, pool.imap(try_notebook, paths), strict=True):
            known = reasons.get(path.stem, {})
            at = list(calls.values())
            print(f"{path.stem}: {len(at)} calls, {at.count('fine')} noticed at a", end=" ")
            print(f"thousandth, {at.count('coarse')} as a count or at a tenth", flush=True)
            missed = {call for call, noticed in calls.items() if noticed == "never"}
            for call in sorted(missed):
                print(f"  {call}: {known.get(call, 'NOT NOTICED')}", flush=True)
            for call in known.keys() - missed:
                print(f"  {call}: is noticed, so its reason in {REASONS.name} must go")
            wrong += len(known.keys() ^ missed)
    return int(wrong > 0)


def try_notebook(path: Path) -> dict[str, str]:
    """How each call, "function in cell", of a notebook is noticed."""
    os.chdir(path.parent)
    cells = [c for c in nbformat.read(path, 4).cells if c["cell_type"] == "code"]
    book = Book([cell["source"] for cell in cells])
    sound = pickle.loads(in_a_copy(lambda: pickle.dumps([*map(book.run, book.cells)]))[1])
    calls = {}
    for number, cell in enumerate(cells):
        for name in book.called(number):
            if degree := book.noticed(name, number, sound):
                calls[f"{name} in {cell['id']}"] = degree
        book.run(cell["source"])
    return calls


def in_a_copy(work: Callable[[], int | bytes]) -> tuple[int, bytes]:
    """Do the work in a copy of this process; its answer, a small number or bytes."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        code = NOTICED
        try:
            answer = work()
            code = 0 if isinstance(answer, bytes) else answer
            if isinstance(answer, bytes):
                with os.fdopen(write, "wb") as pipe:
                    pipe.write(answer)
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said


class Book:
    """The code cells of a notebook, and the process in which they run."""

    def __init__(self, cells: list[str]):
        self.cells = cells
        quiet = Config(HistoryManager={"enabled": False})
        self.shell = InteractiveShell.instance(config=quiet)
        noise = configparser.ConfigParser(interpolation=None)
        noise.read(ROOT / "tests" / "nbval.cfg")
        self.noise = [tuple(noise[part].values()) for part in noise.sections()]

    def run(self, source: str) -> list[str]:
        """What a cell shows, without what means nothing, and the error that ends it."""
        with capture_output() as captured:
            done = self.shell.run_cell(source)
        shown = [output.data for output in captured.outputs]
        shown.append(self.shell.display_formatter.format(done.result)[0])
        parts = [captured.stdout, *map(str, shown), repr(done.error_in_exec)]
        for pattern, replacement in self.noise:
            parts = [re.sub(pattern, replacement, part) for part in parts]
        return parts

    def called(self, number: int) -> list[str]:
        """The public functions that a cell, or what it may call, speaks of."""
        defined = {}
        for source in self.cells[: number + 1]:
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.FunctionDef):
                    defined[node.name] = names_in(node)
        used = names_in(ast.parse(self.cells[number]))
        while more := set().union(*(defined[n] for n in used & defined.keys())) - used:
            used |= more
        return sorted(name for name in used if is_public(self.shell.user_ns.get(name)))

    def noticed(self, name: str, number: int, sound: list) -> str:
        """How a call in a cell is noticed; nothing if it returns no number."""
        for degree, change in {"fine": fine, "coarse": coarse}.items():
            code, _ = in_a_copy(partial(self.spoilt, name, change, number, sound))
            if code not in (UNNOTICED, UNTOUCHED):
                return degree
        return "never" if code == UNNOTICED else ""

    def spoilt(self, name: str, change: Callable, number: int, sound: list) -> int:
        """Go on from a cell, in which what a function returns is changed."""
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        function, touched = self.shell.user_ns[name], False

        @wraps(function)
        def other(*args, **kwargs):
            nonlocal touched
            result = function(*args, **kwargs)
            changed = everywhere(change, result)
            touched |= changed is not result
            return changed

        self.shell.user_ns[name] = other
        differs = self.run(self.cells[number]) != sound[number]
        self.shell.user_ns[name] = function
        if not touched:
            return UNTOUCHED
        for later in range(number + 1, len(self.cells)):
            # a proof knows no data, and takes long
            if differs or "prove(" in self.cells[later]:
                continue
            differs = self.run(self.cells[later]) != sound[later]
        return NOTICED if differs else UNNOTICED


def names_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def is_public(value: Any) -> bool:
    """A function of the package that computes something; the book's own draw and show."""
    module = getattr(value, "__module__", None) or ""
    return isfunction(value) and module.startswith("mlcore.") and ".book" not in module


def fine(value: Any) -> Any:
    """Real numbers a thousandth larger."""
    return value * (1 + 1e-3) if kind(value) == "f" else value


def coarse(value: Any) -> Any:
    """Real numbers in turn a tenth larger and smaller, whole ones by one, truth turned."""
    match kind(value):
        case "b":
            return np.logical_not(value)
        case "i":
            return value + 1
        case "f":
            turns = 1 - 2 * (np.arange(np.size(value)) % 2)
            return value * (1 + 0.1 * turns.reshape(np.shape(value)))
    return value


def kind(value: Any) -> str:
    numbers = bool, int, float, np.generic, np.ndarray
    return np.asarray(value).dtype.kind if isinstance(value, numbers) else ""


def everywhere(change: Callable, value: Any) -> Any:
    """The change at each number of a result; the result itself if there is none."""
    if isinstance(value, (list, tuple)):
        parts = [everywhere(change, part) for part in value]
        if all(new is old for new, old in zip(parts, value, strict=True)):
            return value
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if not is_dataclass(value) or isinstance(value, type):
        return change(value)
    changed = copy.copy(value)
    for field in fields(value):
        part = everywhere(change, getattr(value, field.name))
        object.__setattr__(changed, field.name, part)
    pairs = zip(vars(changed).values(), vars(value).values(), strict=True)
    return value if all(new is old for new, old in pairs) else changed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
