"""Homework that is graded outside of the student's process.

A key, which `make homework` writes, says of each question which exercise it is, with which
seed, and how its answers are called.  `grade` runs the cells of a notebook in processes of
their own (student.py), one a question, and judges here what they answer: whatever the cells
change, they change it there.  `graded` puts the verdicts in the place of the cells, for
otter-grader and nbgrader, which then run no line of the student's.

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

from halfspaces.exercises import LOOP, SECONDS, Endless, Verdict
from halfspaces.exercises.kit import Another
from halfspaces.homework.student import decode, encode

STUDENT = Path(__file__).with_name("student.py")
START = 60  # seconds that a cell may take


class Answers:
    """A student's answers: values, and functions that are called in another process."""

    def __init__(self, library: bool, folder: str):
        self.command = [sys.executable, "-I", STUDENT, *["library"] * library]
        self.folder = folder
        self.start()

    def start(self) -> None:
        self.late = False
        streams = {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL, "text": True}
        self.process = Popen(self.command, cwd=self.folder, **streams)

    def of(self, cells: list[str], names: list[str]) -> tuple[list, str]:
        """What the cells give these names, and what stopped the last cell that failed.

        A cell that does not end is one that fails from then on, so it takes its time once.
        """
        fault = ""
        for place, cell in enumerate(cells):
            try:
                fault = self.ask({"cell": cell}, START)["fault"] or fault
            except Endless as reason:
                cells[place] = f"raise RuntimeError({f'The cell {reason}'!r})"
                if cell == cells[place]:
                    raise  # what an earlier cell started ended the process
                self.close()
                self.start()
                return self.of(cells, names)
        answers = enumerate(self.ask({"names": names})["answers"])
        return [decode(one, self.function(place, one)) for place, one in answers], fault

    def close(self) -> None:
        with self.process:
            self.process.kill()

    def ask(self, question: dict, seconds: float = SECONDS) -> dict:
        """The reply of the student's process, which ends if there is none in time."""
        timer = Timer(seconds, self.end)
        timer.start()
        try:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            return json.loads(self.process.stdout.readline())
        except (OSError, ValueError):
            why = f"was stopped after {seconds} seconds. {LOOP}"
            why = why if self.late else "ended the process in which it ran."
            raise Endless(why) from None
        finally:
            timer.cancel()

    def end(self) -> None:
        self.late = self.process.poll() is None
        self.process.kill()

    def function(self, place: int, value) -> Callable:
        def call(*arguments):
            asked = {"answer": place, "arguments": [*map(encode, arguments, range(99))]}
            told = self.ask(asked)
            while "callback" in told:
                given = [decode(a, None) for a in told["arguments"]]
                told = self.ask(encode(arguments[told["callback"]](*given)))
            for own, theirs in zip(arguments, told["arguments"], strict=True):
                if isinstance(own, np.ndarray):
                    own[...] = decode(theirs, None)  # as its call would have changed it
            if "error" in told:
                raise type(told["error"], (Exception,), {})(told["said"])
            return decode(told["answer"], lambda place: None)

        if isinstance(value, dict):
            call.__name__ = value.get("name", "answer")
        return lambda place: call


def seed_of(*parts) -> int:
    """The seed of a question: of the class's seed, the question, and a student's name."""
    return int(sha256(" ".join(map(str, parts)).encode()).hexdigest()[:8], 16)


def with_seed(question: dict, student: str = "") -> Callable:
    """The checker of a question of a key, with the numbers of the class or of a student.

    Without a seed it is the printed one.
    """
    chapter, exercise = question["exercise"].split(".")
    check = getattr(import_module(f"halfspaces.exercises.{chapter}"), exercise)
    if question["seed"] is None or not check.varied:
        return check
    return check.another(seed_of(question["seed"], question["name"], student))


def student_of(notebook: dict) -> str:
    """Whose numbers a notebook asks for: "" where they are those of the class."""
    return str(notebook["metadata"].get("halfspaces", {}).get("student", ""))


def code_of(notebook: dict) -> list[str]:
    cells = notebook["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def grade(notebook: dict, key: list[dict]) -> dict[str, Verdict]:
    """The verdict on each question of a key, by the question's name."""
    cells = code_of(notebook)
    student = student_of(notebook)
    with TemporaryDirectory() as folder:
        return {q["name"]: _verdict(cells, q, student, folder) for q in key}


def _verdict(cells: list[str], question: dict, student: str, folder: str) -> Verdict:
    check = with_seed(question, student)
    check = check.check if isinstance(check, Another) else check
    answers = Answers(question["library"], folder)
    try:
        values, fault = answers.of(cells, question["answers"])
        verdict = check(*values)
    except Endless as reason:
        return Verdict(False, f"Your notebook {reason}")
    finally:
        answers.close()
    if not verdict.right and fault and any(value is ... for value in values):
        return Verdict(False, f"A cell of your notebook stopped with {fault}")
    return verdict


def graded(notebook: dict, key: list[dict]) -> dict:
    """The notebook with verdicts in the place of code, which stays as a comment.

    Cells in which nbgrader tests something stay as they are, and a notebook without code.
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
