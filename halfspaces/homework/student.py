"""Run a student's cells in a separate process, for the grader.

The program reads one JSON value per line and replies on standard output.  It runs the cells
one by one.  For each question it forks a process that sends the answers and calls the
functions among them, so that no question affects another.  The output of the cells is
discarded, and `input` reads nothing.  The arguments are the limit on processes and threads
("" for none), and the folders of packages that the cells can neither import nor read.
"""

import asyncio
import builtins
import json
import linecache
import os
import re
import resource
import sys
from array import array
from ast import Module, PyCF_ALLOW_TOP_LEVEL_AWAIT, parse
from codeop import Compile
from collections import deque, namedtuple
from contextlib import suppress
from inspect import iscoroutine
from numbers import Real
from traceback import extract_tb
from types import ModuleType, SimpleNamespace
from unittest.mock import MagicMock

import numpy as np
from IPython.core.inputtransformer2 import TransformerManager

# bytes, seconds and open files, since files may be in memory
LIMITS = {"AS": 4 * 2**30, "FSIZE": 2 * 10**7, "NOFILE": 128, "CORE": 0, "CPU": 900}
# Sets take long to build if hashes are equal; an array may be long without entries.
MAX_LENGTHS = {set: 1000, frozenset: 1000, dict: 1000, list: 20_000, tuple: 20_000}
MAX_LENGTHS[np.ndarray] = 10**7

CONTAINERS = {kind.__name__: kind for kind in (list, tuple, set, frozenset, dict)}

# Cell magics whose cell is run; cells with any other are left out.
MAGICS = {"time", "timeit", "capture", "prun"}
# bubblewrap makes these impossible; without it, the list stops only half-hearted attempts.
FORBIDDEN = {
    "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.kill", "os.killpg",
    "socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind", "pty.spawn",
}  # fmt: skip


def main(threads: str, *hidden: str) -> None:
    questions, replies, end = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w"), os._exit
    devnull = os.open(os.devnull, os.O_RDWR)
    os.dup2(devnull, 0)  # cells must not read the grader's questions
    os.dup2(devnull, 1)  # and must not print replies

    def reply(value: dict) -> None:
        print(json.dumps(value), file=replies, flush=True)

    def ask(value: dict):
        reply(value)
        return json.loads(questions.readline())

    limit_resources(LIMITS | ({"NPROC": int(threads)} if threads else {}))
    sys.addaudithook(forbid(hidden))
    sys.modules["__main__"] = notebook = ModuleType("__main__")
    names = vars(notebook)
    names |= {"np": np, "display": MagicMock(), "get_ipython": MagicMock()}
    for line in iter(questions.readline, ""):
        question = json.loads(line)
        if "samples" in question:
            add_cases(question["samples"])
            reply({"ended": True})
        elif "cell" in question:
            reply({"error": run(question["cell"], names)})
        elif child := os.fork():
            os.waitpid(child, 0)
            reply({"ended": True})
        else:
            try:
                answer([names.get(name, ...) for name in question["names"]], ask)
            finally:
                end(0)  # a cell may replace os._exit


def limit_resources(limits: dict[str, int]) -> None:
    for name, limit in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(kind)[1]
        limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with suppress(ValueError, OSError):  # macOS does not limit memory
            resource.setrlimit(kind, (limit, limit))


def forbid(hidden: tuple[str, ...]):
    """Return an audit hook that refuses hidden packages, programs and other processes."""
    names = {os.path.basename(folder) for folder in hidden}
    folders = tuple(os.path.realpath(folder) + os.sep for folder in hidden)

    def hook(event: str, arguments: tuple) -> None:
        fork = event == "os.fork" and sys._getframe(1).f_code is not main.__code__
        if fork or event in FORBIDDEN:
            raise PermissionError(f"{event} is not allowed while homework is graded")
        if event == "import" and arguments[0].split(".")[0] in names:
            package = arguments[0].split(".")[0]
            raise ImportError(f"{package} is not available while this answer is graded")
        if event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if f"{path}{os.sep}".startswith(folders):
                raise FileNotFoundError(f"{path} is not available while homework is graded")

    return hook


def add_cases(samples: dict) -> None:
    """Add modules in place of `halfspaces`, from which cells import the data of cases."""
    for case, encoded in samples.items():
        sample = namedtuple("Sample", "X y names")(*decode(encoded, None))
        value = MagicMock(sample=lambda source=0, sample=sample: sample)
        value.another.return_value.sample = value.sample
        path = f"halfspaces.exercises.{case}"
        while "." in path:
            path, _, name = path.rpartition(".")
            module = sys.modules.setdefault(path, ModuleType(path))
            setattr(module, name, value)
            value = module


def run(cell: str, names: dict) -> str:
    """Run a cell of IPython in a namespace; return its error ("" for none).

    Magics and shell commands do nothing; the code after %time or below %%time runs, as do
    the statements after an import that fails.  A cell below %%script does not run.
    """
    while magic := re.match(r"\s*%%(\w+).*\n?", cell):
        if magic[1] not in MAGICS:
            return f"was not run: it begins with %%{magic[1]}"
        cell = cell[magic.end() :]
    cell = re.sub(r"(?m)(^\s*|= *)%time ", r"\1", cell)
    compiler, missing = Compile(), ""
    compiler.flags |= PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        code = TransformerManager().transform_cell(cell)
        name = f"<cell {len(linecache.cache)}>"
        linecache.cache[name] = len(code), None, code.splitlines(keepends=True), name
        for statement in parse(code, name).body:
            try:
                awaited = eval(compiler(Module([statement], []), name, "exec"), names)
                if iscoroutine(awaited):
                    asyncio.run(awaited)
            except ImportError as error:
                missing = missing or f"stopped with {': '.join(describe(error))}"
    except BaseException as error:
        return f"stopped with {': '.join(describe(error))}"
    return missing


def describe(error: BaseException) -> tuple[str, str]:
    """Return the type and the message of an error, with the student's last line."""
    try:
        message = " ".join(str(error).split())[:100]
    except BaseException:
        message = ""
    own = [f for f in extract_tb(error.__traceback__) if f.filename.startswith("<cell ")]
    line = f"in your line {own[-1].lineno}: {own[-1].line[:80]}" if own else ""
    return type(error).__name__, ", ".join(filter(None, [message, line]))


def answer(values: list, ask) -> None:
    """Send the answers, then call their functions until no question comes."""
    question = ask({"answers": [*map(encode, values, range(len(values)))]})
    while "answer" in question:
        question = ask(call(values, question["answer"], question["arguments"], ask))


def call(values: list, place: int, encoded: list, ask) -> dict:
    """Call the student's function at a place; return its value and its changed arguments.

    Functions in the value get new places at the end of the values.
    """

    def grader_function(place: int, name: str):
        """Return a function that calls the grader's function among the arguments."""

        def callback(*given):
            question = {"callback": place, "arguments": [*map(encode, given)]}
            return decode(ask(question), grader_function)

        return callback

    def new_place(function) -> int:
        values.append(function)
        return len(values) - 1

    arguments = [decode(one, grader_function) for one in encoded]
    try:
        with np.errstate(all="ignore"):  # as in the page
            result = {"answer": encode(values[place](*arguments), new_place)}
    except BaseException as error:
        result = dict(zip(("error", "message"), describe(error), strict=True))
    return result | {"arguments": [*map(encode, arguments)]}


def encode(value, place=None):
    """Encode a value as JSON; encode only the type if no exercise accepts it.

    place  index of the value, if it is a function; or new_place(function) returns it
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Real):
        return float(value)
    if value is ...:
        return {"is": "dots"}
    if hasattr(type(value), "__array__"):  # such as a pandas Series
        value = np.asarray(value)
        value = value.tolist() if value.dtype.kind in "OUS" else value
    if isinstance(value, (array, memoryview)):
        value = value.tolist()
    if isinstance(value, (range, deque)):
        value = list(value)
    new_place = place if callable(place) else None
    for name, kind in CONTAINERS.items():
        if isinstance(value, kind):
            entries = value.items() if kind is dict else value
            return {"is": name, "of": [encode(entry, new_place) for entry in entries]}
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        shape, dtype = value.shape, value.dtype.str
        flat = value.astype(float).ravel() if value.dtype.kind == "f" else value.ravel()
        return {"is": "array", "of": flat.tolist(), "shape": shape, "dtype": dtype}
    if isinstance(value, SimpleNamespace) and new_place:  # a fitted rule from the grader
        return {"is": "fit", "place": new_place(value.predict)}
    if callable(value):
        place = place(value) if callable(place) else place
        return {"is": "function", "place": place, "name": getattr(value, "__name__", "it")}
    if hasattr(type(value), "__float__"):  # such as Decimal and SymPy's
        with suppress(Exception):
            return float(value)
    return {"is": "other", "name": type(value).__name__}


def check_length(kind: type, length: int) -> None:
    if length > MAX_LENGTHS[kind]:
        raise ValueError(f"a {kind.__name__} must have at most {MAX_LENGTHS[kind]} entries")


def decode(value, function_at):
    """Decode a value; a function becomes function_at(its place, its name).

    Raises the error of a function of the grader.
    """
    if isinstance(value, int) and abs(value) >= 2**63:
        return float(value)  # many such integers may have the same hash
    if not isinstance(value, dict):
        return value
    if value["is"] == "error":
        kind = vars(builtins).get(value["name"])
        is_error = isinstance(kind, type) and issubclass(kind, Exception)
        raise (kind if is_error else RuntimeError)(value["message"])
    if value["is"] == "array":
        dtype = np.dtype(value["dtype"])
        if dtype.kind not in "biuf":
            raise ValueError(f"dtype must be numeric; got {dtype}")
        check_length(np.ndarray, max(value["shape"], default=0))
        return np.array(value["of"], dtype).reshape(value["shape"])
    if kind := CONTAINERS.get(value["is"]):
        check_length(kind, len(value["of"]))
        return kind(decode(one, function_at) for one in value["of"])
    if value["is"] == "fit":
        return SimpleNamespace(predict=function_at(value["place"], "predict"))
    if value["is"] == "function":
        return function_at(value["place"], value["name"])
    return ... if value["is"] == "dots" else str(value["name"])


if __name__ == "__main__":
    main(*sys.argv[1:])
