"""Runs a student's cells in a process of their own, which the grader starts and asks.

It is a script, `python student.py [library]`, and reads one JSON value a line: first the
cells, one each, then the names of the answers, then calls of the functions among these.
What it says goes to standard output; what the cells print goes nowhere, and `input` finds
nothing to read.  Without the word `library` no cell can import mlcore.

This keeps a grade honest.  It is no sandbox: whoever grades strangers does so in a
container, as otter-grader and nbgrader advise.
"""

import json
import os
import sys
from importlib.util import find_spec
from numbers import Real
from unittest.mock import MagicMock

import numpy as np

# Looked up before any cell runs, and without running a line of it.
LIBRARY = os.path.dirname(find_spec("mlcore").origin)

FORBIDDEN = {
    "subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.kill",
    "socket.connect",
}  # fmt: skip


def main(library: str = "") -> None:
    hear, say = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)  # what a cell reads must not be what the grader asks,
    os.dup2(nothing, 1)  # and what it prints must not look like an answer

    def tell(told: dict) -> None:
        print(json.dumps(told), file=say, flush=True)

    def ask(told: dict):
        tell(told)
        return json.loads(hear.readline())

    sys.addaudithook(watch if library else without_library)
    names = {"__name__": "__main__", "np": np}
    names |= {"display": MagicMock(), "get_ipython": MagicMock()}  # a notebook's own
    for line in hear:
        asked = json.loads(line)
        if "cell" in asked:
            tell({"fault": run(asked["cell"], names)})
        elif "names" in asked:
            values = [names.get(name, ...) for name in asked["names"]]
            tell({"answers": [*map(encode, values)]})
        else:
            tell(of_call(values[asked["answer"]], asked["arguments"], ask))


def watch(event: str, arguments: tuple) -> None:
    """Nothing that the cells run may start a program or reach another one."""
    own = event == "object.__setattr__" and arguments[0] in (watch, without_library)
    if event in FORBIDDEN or own:
        raise PermissionError(f"{event} is not allowed while homework is graded")


def without_library(event: str, arguments: tuple) -> None:
    watch(event, arguments)
    wanted = arguments[0] if event in ("import", "open") else ""
    wanted = str(wanted) if isinstance(wanted, int) else os.fsdecode(wanted)  # or a file's
    if wanted.split(".")[0] == "mlcore" or wanted.startswith(LIBRARY):
        raise ImportError("mlcore is not there while this answer is graded")


def run(cell: str, names: dict) -> str:
    """What stopped the cell, whose names come to the others, or ""."""
    lines = cell.splitlines()
    code = "\n".join(line for line in lines if not line.startswith(("%", "!")))
    try:
        exec(compile(code, "<cell>", "exec"), names)
    except (Exception, SystemExit) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def of_call(function, given: list, ask) -> dict:
    """What the function answers, and its arguments, which it may have changed."""

    def caller(place: int):
        """A function of the grader's, which stands among the arguments."""

        def call(*arguments):
            asked = {"callback": place, "arguments": [*map(encode, arguments)]}
            return decode(ask(asked), caller)

        return call

    arguments = [decode(one, caller) for one in given]
    try:
        answer = {"answer": encode(function(*arguments))}
    except (Exception, SystemExit) as error:
        answer = {"error": type(error).__name__, "said": str(error)}
    return answer | {"arguments": [*map(encode, arguments)]}


def encode(value, place: int | None = None):
    """A value as JSON; what is none of the answers that an exercise takes, as its name."""
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


def decode(value, caller):
    """The value of encode; for a function what `caller` makes of its place."""
    if not isinstance(value, dict):
        return value
    if value["is"] == "array":
        return np.array(value["of"], value["dtype"]).reshape(value["shape"])
    if value["is"] in ("list", "tuple"):
        of = [decode(one, caller) for one in value["of"]]
        return tuple(of) if value["is"] == "tuple" else of
    if value["is"] == "function":
        return caller(value["place"])
    return ... if value["is"] == "dots" else value["name"]


if __name__ == "__main__":
    main(*sys.argv[1:])
