"""Runs a student's cells in a separate process, for the grader.

The script `python student.py [library]` reads one JSON value per line: first the cells,
then the names of the answers, then calls of functions among the answers.  It replies on
standard output; the output of the cells is discarded, and `input` reads nothing.  Without
the argument `library` the cells cannot import mlcore.

This keeps grades honest but is not a sandbox: to grade strangers, use a container, as
otter-grader and nbgrader advise.
"""

import asyncio
import json
import os
import sys
from ast import PyCF_ALLOW_TOP_LEVEL_AWAIT
from importlib.util import find_spec
from inspect import iscoroutine
from numbers import Real
from unittest.mock import MagicMock

import numpy as np
from IPython.core.inputtransformer2 import TransformerManager

# Found before any cell runs, and without running any of its code.
LIBRARY = os.path.dirname(find_spec("mlcore").origin)

FORBIDDEN = {
    "subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.kill",
    "socket.connect",
}  # fmt: skip


def main(library: str = "") -> None:
    questions, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    devnull = os.open(os.devnull, os.O_RDWR)
    os.dup2(devnull, 0)  # cells must not read the grader's questions
    os.dup2(devnull, 1)  # and must not print replies

    def reply(value: dict) -> None:
        print(json.dumps(value), file=replies, flush=True)

    def ask(value: dict):
        reply(value)
        return json.loads(questions.readline())

    sys.addaudithook(watch if library else without_library)
    names = {"__name__": "__main__", "np": np}
    names |= {"display": MagicMock(), "get_ipython": MagicMock()}  # as in a notebook
    for line in questions:
        question = json.loads(line)
        if "cell" in question:
            reply({"error": run(question["cell"], names)})
        elif "names" in question:
            values = [names.get(name, ...) for name in question["names"]]
            reply({"answers": [*map(encode, values)]})
        else:
            reply(call(values[question["answer"]], question["arguments"], ask))


def watch(event: str, arguments: tuple) -> None:
    """Audit hook: forbid cells to start programs or to reach other processes."""
    own = event == "object.__setattr__" and arguments[0] in (watch, without_library)
    if event in FORBIDDEN or own:
        raise PermissionError(f"{event} is not allowed while homework is graded")


def without_library(event: str, arguments: tuple) -> None:
    """Audit hook: also forbid cells to import or read mlcore."""
    watch(event, arguments)
    target = arguments[0] if event in ("import", "open") else ""
    target = str(target) if isinstance(target, int) else os.fsdecode(target)
    if target.split(".")[0] == "mlcore" or target.startswith(LIBRARY):
        raise ImportError("mlcore is not there while this answer is graded")


def run(cell: str, names: dict) -> str:
    """Run a cell of IPython in a namespace; return its error ("" for none).

    Magics and shell commands do nothing; the cell below a cell magic such as %%time runs.
    """
    first, _, rest = cell.partition("\n")
    try:
        code = TransformerManager().transform_cell(rest if first.startswith("%%") else cell)
        awaited = eval(compile(code, "<cell>", "exec", PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
        if iscoroutine(awaited):
            asyncio.run(awaited)
    except (Exception, SystemExit) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def call(function, encoded: list, ask) -> dict:
    """Call the student's function; return its value, and its arguments afterwards."""

    def grader_function(place: int):
        """Return a function that calls the grader's function among the arguments."""

        def callback(*given):
            question = {"callback": place, "arguments": [*map(encode, given)]}
            return decode(ask(question), grader_function)

        return callback

    arguments = [decode(one, grader_function) for one in encoded]
    try:
        result = {"answer": encode(function(*arguments))}
    except (Exception, SystemExit) as error:
        result = {"error": type(error).__name__, "message": str(error)}
    return result | {"arguments": [*map(encode, arguments)]}


def encode(value, place: int | None = None):
    """Encode a value as JSON; of a value that no exercise accepts, encode the type."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Real):  # a fraction
        return float(value)
    if value is ...:
        return {"is": "dots"}
    if isinstance(value, (list, tuple)):
        return {"is": type(value).__name__, "of": [*map(encode, value)]}
    if isinstance(value, np.ndarray) and value.dtype.kind in "bif":
        shape, dtype = value.shape, value.dtype.str
        return {"is": "array", "of": value.ravel().tolist(), "shape": shape, "dtype": dtype}
    if callable(value):
        return {"is": "function", "place": place, "name": getattr(value, "__name__", "it")}
    return {"is": "other", "name": type(value).__name__}


def decode(value, function_at):
    """Decode a value; a function becomes function_at(its place)."""
    if not isinstance(value, dict):
        return value
    if value["is"] == "array":
        return np.array(value["of"], value["dtype"]).reshape(value["shape"])
    if value["is"] in ("list", "tuple"):
        entries = [decode(one, function_at) for one in value["of"]]
        return tuple(entries) if value["is"] == "tuple" else entries
    if value["is"] == "function":
        return function_at(value["place"])
    return ... if value["is"] == "dots" else value["name"]


if __name__ == "__main__":
    main(*sys.argv[1:])
