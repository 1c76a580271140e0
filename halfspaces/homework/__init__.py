"""Grade homework outside of the student's process.

The key, which teaching/homework.py writes, lists for each question its exercise, seed and
the names of its answers.  For each question `grade` runs the cells of a notebook in a new
process (student.py) and checks the answers here, where the cells cannot change anything.
For otter-grader and nbgrader, `replace_code_by_verdicts` makes a notebook that runs no
code of the student.

    python -m halfspaces.homework key.json submissions/*.ipynb > grades.csv
"""

import json
import sys
from collections.abc import Callable
from copy import deepcopy
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from tempfile import TemporaryDirectory
from threading import Timer

import numpy as np

from halfspaces.exercises import LOOP_HINT, SECONDS, LimitExceeded, Verdict
from halfspaces.exercises.define import Variant
from halfspaces.homework.student import decode, encode

STUDENT = Path(__file__).with_name("student.py")
CELL_SECONDS = 60


class StudentProcess:
    """A process that runs a student's cells and calls the functions that they define."""

    def __init__(self, library: bool, folder: str):
        self.command = [sys.executable, "-I", STUDENT, *["library"] * library]
        self.folder = folder
        self.start()

    def start(self) -> None:
        self.timed_out = False
        streams = {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL, "text": True}
        self.process = Popen(self.command, cwd=self.folder, **streams)

    def run(self, cells: list[str], names: list[str]) -> tuple[list, str]:
        """Return the values of these names after the cells, and the last cell's error.

        A cell that does not end is replaced by one that raises, so that it costs its time
        only once.
        """
        error = ""
        for place, cell in enumerate(cells):
            try:
                error = self.ask({"cell": cell}, CELL_SECONDS)["error"] or error
            except LimitExceeded as reason:
                cells[place] = f"raise RuntimeError({f'The cell {reason}'!r})"
                if cell == cells[place]:
                    raise  # an earlier cell ended the process
                self.close()
                self.start()
                return self.run(cells, names)
        answers = enumerate(self.ask({"names": names})["answers"])
        return [decode(one, self.function(place, one)) for place, one in answers], error

    def close(self) -> None:
        with self.process:
            self.process.kill()

    def ask(self, question: dict, seconds: float = SECONDS) -> dict:
        """Return the reply of the process; end the process if it takes too long."""
        timer = Timer(seconds, self.time_out)
        timer.start()
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            why = f"was stopped after {seconds} seconds. {LOOP_HINT}"
            why = why if self.timed_out else "ended the process in which it ran."
            raise LimitExceeded(why) from None
        finally:
            timer.cancel()

    def time_out(self) -> None:
        self.timed_out = self.process.poll() is None
        self.process.kill()

    def function(self, place: int, value) -> Callable:
        """Return a function that calls the student's function at this place."""

        def call(*arguments):
            encoded = [*map(encode, arguments, range(99))]
            reply = self.ask({"answer": place, "arguments": encoded})
            while "callback" in reply:
                given = [decode(a, None) for a in reply["arguments"]]
                reply = self.ask(encode(arguments[reply["callback"]](*given)))
            for own, changed in zip(arguments, reply["arguments"], strict=True):
                if isinstance(own, np.ndarray):
                    own[...] = decode(changed, None)  # as a direct call would change it
            if "error" in reply:
                raise type(reply["error"], (Exception,), {})(reply["message"])
            return decode(reply["answer"], lambda place: None)

        if isinstance(value, dict):
            call.__name__ = value.get("name", "answer")
        return lambda place: call


def seed_of(*parts) -> int:
    """Return the seed for the class's seed, a question and a student's name."""
    return int(sha256(" ".join(map(str, parts)).encode()).hexdigest()[:8], 16)


def with_seed(question: dict, student: str = "") -> Callable:
    """Return the checker of a question, with the numbers of the class or of a student.

    A question without a seed has the printed numbers.
    """
    chapter, exercise = question["exercise"].split(".")
    check = getattr(import_module(f"halfspaces.exercises.{chapter}"), exercise)
    if question["seed"] is None or not check.has_variants:
        return check
    return check.another(seed_of(question["seed"], question["name"], student))


def student_of(notebook: dict) -> str:
    """Return the student whose numbers the notebook has; "" for those of the class."""
    return str(notebook["metadata"].get("halfspaces", {}).get("student", ""))


def code_of(notebook: dict) -> list[str]:
    cells = notebook["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def grade(notebook: dict, key: list[dict]) -> dict[str, Verdict]:
    """Return {name of a question: verdict} for all questions of a key."""
    cells = code_of(notebook)
    student = student_of(notebook)
    with TemporaryDirectory() as folder:
        return {q["name"]: _verdict(cells, q, student, folder) for q in key}


def _verdict(cells: list[str], question: dict, student: str, folder: str) -> Verdict:
    check = with_seed(question, student)
    check = check.check if isinstance(check, Variant) else check
    process = StudentProcess(question["library"], folder)
    try:
        values, error = process.run(cells, question["answers"])
        verdict = check(*values)
    except LimitExceeded as reason:
        return Verdict(False, f"Your notebook {reason}")
    finally:
        process.close()
    if not verdict.right and error and any(value is ... for value in values):
        return Verdict(False, f"A cell of your notebook stopped with {error}")
    return verdict


def replace_code_by_verdicts(notebook: dict, key: list[dict]) -> dict:
    """Return the notebook with the verdicts as code, and its own code as comments.

    The test cells of nbgrader stay unchanged, as does a notebook without code.
    """
    verdicts = {name: (v.score, v.sentence) for name, v in grade(notebook, key).items()}
    notebook = deepcopy(notebook)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    if not code:
        return notebook
    for cell in code:
        if not cell["metadata"].get("nbgrader", {}).get("grade"):
            lines = "".join(cell["source"]).splitlines()
            cell["source"] = "\n".join(f"# {line}" for line in lines)
    code[0]["source"] = f"verdicts = {verdicts!r}\n{''.join(code[0]['source'])}"
    return notebook
