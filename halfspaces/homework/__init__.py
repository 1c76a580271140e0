"""Grade homework outside of the student's process.

The key, which teaching/homework.py writes, lists for each question its exercise, seed and
the names of its answers.  For each question `grade` runs the cells of a notebook in a new
process (student.py) and checks the answers here, where the cells cannot change anything.
For otter-grader and nbgrader, `replace_code_by_verdicts` makes a notebook that runs
none of the student's code.

    python -m halfspaces.homework key.json submissions/*.ipynb > grades.csv
"""

import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from signal import SIGKILL
from subprocess import DEVNULL, PIPE, Popen, SubprocessError, check_call
from tempfile import TemporaryDirectory
from threading import Timer
from time import monotonic

import numpy as np

from halfspaces.exercises import CALL_SECONDS, LOOP_HINT, LimitExceeded, Verdict
from halfspaces.exercises.texts import describe_error
from halfspaces.homework.limits import deadline, memory_limit, run_in_child
from halfspaces.homework.student import decode, encode

PYTHON = os.path.abspath(sys.executable)  # without "..", whose folders the sandbox may lack
STUDENT = Path(__file__).with_name("student.py")
LIBRARY = Path(find_spec("mlcore").origin).parent
BOOK = Path(__file__).parents[1]  # its checkers know the answers
CELL_SECONDS = 60
QUESTION_SECONDS = 180  # after its cells have run
CHECK_SECONDS = QUESTION_SECONDS + 3 * CALL_SECONDS  # in a process of its own
NOTEBOOK_SECONDS = 900
MAX_REPLY = 10**7  # characters
MAX_THREADS = 256
CANNOT_GRADE = "This answer cannot be graded ({})."


@cache
def sandbox() -> list[str]:
    """Return the prefix of a command that runs in bubblewrap; [] if that does not work.

    The program sees Python, the packages and an empty folder, and no network, no other
    process and no file of the user.
    """
    seen = {"/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache"}
    seen |= {*map(os.path.abspath, (sys.prefix, sys.base_prefix, LIBRARY, BOOK))}
    # bind each file at one path only, so that no link leads to a hidden folder
    real = {os.path.realpath(path) for path in seen}
    binds = [word for path in sorted(real) for word in ("--ro-bind-try", path, path)]
    for path in seen - real:
        if not path.startswith(tuple(f"{folder}/" for folder in seen | real)):
            binds += ["--symlink", os.path.realpath(path), path]
    options = ["--unshare-all", "--die-with-parent", "--new-session"]
    options += ["--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev"]
    for folder in ("/tmp", "/dev/shm"):
        options += ["--size", "100000000", "--tmpfs", folder]
    options += [*binds, "--chdir", "/tmp"]
    for folder in ("/proc", "/dev", "/"):
        options += ["--remount-ro", folder]
    test = [PYTHON, "-c", "import IPython, numpy; from os import fork; fork()"]
    # bubblewrap 0.8 prevents a nested sandbox, which could mount folders
    for newest in (["--unshare-user", "--disable-userns"], []):
        with suppress(OSError, SubprocessError):
            command = ["bwrap", *newest, *options]
            check_call([*command, *test], stdout=DEVNULL, stderr=DEVNULL, timeout=60)
            return command
    print("No bubblewrap: the cells can read and change your files.", file=sys.stderr)
    return []


class StudentProcess:
    """A process that runs a student's cells, and calls the functions that they define.

    A cell that ends the process, or takes too long, is left out when the others run again:
    `failed` maps its index to its error.

    samples  {chapter.exercise: encoded data} of the cases
    library  True if the cells may import mlcore
    end      when the notebook's time is over, as a value of `monotonic`
    """

    def __init__(
        self, cells: list[str], samples: dict, failed: dict[int, str], library: bool, end
    ):
        self.cells, self.samples, self.failed = cells, samples, failed
        self.end, self.question_end, self.process = end, np.inf, None
        hidden = map(os.path.realpath, (BOOK, *[LIBRARY] * (not library)))
        hidden, prefix = [*hidden], sandbox().copy()
        for folder in hidden if prefix else ():
            prefix += ["--tmpfs", folder, "--remount-ro", folder]
        threads = str(MAX_THREADS) if prefix else ""
        program = [PYTHON, "-Ps", "-c", STUDENT.read_text("utf-8")]
        # if memory is short, Linux ends this process before the grader
        first = '{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null; exec "$@"'
        self.command = ["sh", "-c", first, "sh", *prefix, *program, threads, *hidden]
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PYTHONUTF8")
        self.environment = dict.fromkeys(names, "1") | {"PYTHONPATH": str(LIBRARY.parent)}
        self.environment |= {"PATH": os.environ["PATH"], "HOME": "/tmp"}
        self.environment["JOBLIB_MULTIPROCESSING"] = "0"  # workers start slowly

    def start(self) -> None:
        """Run the cells, if they have not run; set `errors` to [(cell, its error)]."""
        while not self.process:
            streams = {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL}
            self.folder = TemporaryDirectory(ignore_cleanup_errors=True)
            self.timed_out = False
            options = {"env": self.environment, "cwd": self.folder.name}
            options |= streams | {"encoding": "utf-8"}
            self.process = Popen(self.command, start_new_session=True, **options)
            self.errors = []
            with self.time_limit(CALL_SECONDS):
                self.ask({"samples": self.samples}, "ended")
            for place, cell in enumerate(self.cells):
                try:
                    error = self.failed.get(place, "") or self.run(cell)
                except LimitExceeded as reason:
                    self.close()
                    if monotonic() > self.end:
                        raise
                    self.failed[place] = str(reason)
                    break
                self.errors += [(cell, error)] * bool(error)

    def run(self, cell: str) -> str:
        """Run a cell; return its error ("" for none)."""
        with self.time_limit(CELL_SECONDS):
            return printable(self.ask({"cell": cell}, "error")["error"], 400)

    def answers(self, names: list[str]) -> list:
        """Return the values of names in a process forked for this question.

        The cells must have run.
        """
        self.question_end = monotonic() + QUESTION_SECONDS
        with self.time_limit(CALL_SECONDS):
            reply = self.ask({"names": names}, "answers")["answers"]
            with valid_reply():
                return [decode(value, self.function) for value in reply]

    def close(self) -> None:
        if self.process:
            self.kill()
            with suppress(OSError), self.process:  # closes its pipes
                pass
            self.folder.cleanup()
        self.process = None

    def end_question(self) -> None:
        """End the process of a question; the next one is forked from the same cells."""
        self.question_end = np.inf
        try:
            with self.time_limit(CALL_SECONDS):
                self.ask({"end": True}, "ended")
        except LimitExceeded:
            self.close()

    def kill(self) -> None:
        pid = self.process.pid
        with suppress(OSError):  # the first process of the sandbox, and so all others
            for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
                os.kill(int(child), SIGKILL)
        with suppress(OSError):
            os.killpg(pid, SIGKILL)

    @contextmanager
    def time_limit(self, seconds: float) -> Iterator[None]:
        """Kill the process after this time, or when the question's or notebook's is over.

        Raises LimitExceeded if it did not reply.
        """
        end = min(self.end, self.question_end)

        def time_out():
            self.timed_out = True
            self.kill()

        timer = Timer(max(0, min(seconds, end - monotonic())), time_out)
        timer.start()
        try:
            yield
        except InvalidReply:
            why = f"was stopped after {seconds} seconds. {LOOP_HINT}"
            if monotonic() > self.end:
                why = f"was stopped: a notebook has {NOTEBOOK_SECONDS // 60} minutes."
            elif monotonic() > self.question_end:
                why = f"was stopped: a question has {QUESTION_SECONDS // 60} minutes."
            elif not self.timed_out:
                why = "ended the process in which it ran, or gave too large an answer."
            raise LimitExceeded(why) from None
        finally:
            timer.cancel()

    def ask(self, question: dict, *keys: str) -> dict:
        """Send a question; return the reply, which must have one of these keys."""
        with valid_reply():
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            reply = json.loads(self.process.stdout.readline(MAX_REPLY))
            if {*keys} & reply.keys():
                return reply
        raise InvalidReply

    def function(self, place: int, name: str) -> Callable:
        """Return a function that calls the student's function at this place."""
        # a partial has no __code__: replies then quote no line of this file
        call = partial(self.call, place)
        call.__name__ = printable(name, 50)
        return call

    def call(self, place: int, *arguments):
        with self.time_limit(CALL_SECONDS):
            encoded, keys = [*map(encode, arguments, range(99))], ("callback", "arguments")
            functions = [*arguments]

            def new_place(function):
                functions.append(function)
                return len(functions) - 1

            reply = self.ask({"answer": place, "arguments": encoded}, *keys)
            while "callback" in reply:
                with valid_reply(), memory_limit():
                    given = [decode(a, None) for a in reply["arguments"]]
                    function = functions[reply["callback"]]
                    try:
                        answer = encode(function(*given), new_place)
                    except Exception as error:
                        answer = {"is": "error", "name": type(error).__name__}
                        answer |= {"message": printable(error, 200)}
                reply = self.ask(answer, *keys)
            with valid_reply():
                for own, changed in zip(arguments, reply["arguments"], strict=True):
                    if isinstance(own, np.ndarray):  # change it as a direct call would
                        new = decode(changed, None)
                        if own.shape != new.shape:
                            with warnings.catch_warnings():
                                warnings.simplefilter("ignore", DeprecationWarning)
                                own.shape = new.shape
                        own[...] = new
                if "error" not in reply:
                    return decode(reply["answer"], self.function)
                error = type(printable(reply["error"], 50), (Exception,), {})
            raise error(printable(reply["message"], 200))


def printable(text, length: int) -> str:
    """Return the beginning of a student's text, without control characters."""
    return "".join(filter(str.isprintable, str(text)))[:length]


class InvalidReply(BaseException):
    """The student's process sent no valid reply."""


@contextmanager
def valid_reply() -> Iterator[None]:
    """Raise InvalidReply in place of any exception."""
    try:
        yield
    except Exception:
        raise InvalidReply from None


def seed_of(*parts) -> int:
    """Derive a seed from the class's seed, a question and a student's name."""
    return int(sha256(" ".join(map(str, parts)).encode()).hexdigest()[:8], 16)


def checker_of(question: dict, student: str = "") -> Callable:
    """Return the checker of a question, with the numbers of the class or of a student.

    A question without a seed has the printed numbers, or those of `another`.
    """
    chapter, exercise = question["exercise"].split(".")
    check = getattr(import_module(f"halfspaces.exercises.{chapter}"), exercise)
    if question.get("another") is not None:
        return check.another(question["another"])
    if question["seed"] is None or not check.has_variants:
        check.answer_names()  # builds the question here, and not in each forked process
        return check
    return check.another(seed_of(question["seed"], question["name"], student))


def samples_of(key: list[dict], student: str) -> dict[str, dict]:
    """Return {chapter.exercise: encoded data} of the cases among the questions."""
    samples = {}
    with suppress(UnicodeError):  # from a forged name; grade then reports the error
        for question in key:
            if sample := getattr(checker_of(question, student), "sample", None):
                samples[question["exercise"]] = encode(sample())
    return samples


def student_of(notebook: dict) -> str:
    """Return the student whose numbers the notebook has; "" if they are the class's."""
    own = notebook["metadata"].get("halfspaces")
    return str(own.get("student", ""))[:200] if isinstance(own, dict) else ""


def code_of(notebook: dict) -> list[str]:
    cells = (c for c in notebook["cells"] if c.get("cell_type") == "code")
    return ["".join(cell.get("source", "")) for cell in cells]


def grade(notebook: dict, key: list[dict], end: float = np.inf) -> dict[str, Verdict]:
    """Return {name of a question: verdict} for all questions of a key.

    end  when the time is over, as a value of `monotonic`; at most NOTEBOOK_SECONDS from now

    The cells run once with and once without mlcore, if the key has questions of both kinds.
    """
    cells, student = code_of(notebook), student_of(notebook)
    processes, failed, verdicts = {}, {}, {}
    end = min(end, monotonic() + NOTEBOOK_SECONDS)
    samples = samples_of(key, student)
    try:
        for question in key:
            library = question["library"]
            if library not in processes:
                processes[library] = StudentProcess(cells, samples, failed, library, end)
            try:
                check = checker_of(question, student)
                verdict = _verdict(processes[library], check, question)
            except LimitExceeded as reason:
                processes[library].close()
                verdict = Verdict(False, f"Your notebook {reason}")
            except Exception as error:  # an answer that the checker did not expect
                verdict = Verdict(False, CANNOT_GRADE.format(describe_error(error)))
            verdicts[question["name"]] = verdict
    finally:
        for process in processes.values():
            process.close()
    return verdicts


def _verdict(process: StudentProcess, check: Callable, question: dict) -> Verdict:
    process.question_end = np.inf
    process.start()
    judge = partial(_judge, process, check, question["answers"])
    # the BLAS of macOS may crash after a fork
    in_child = sys.platform != "darwin"
    result = run_in_child(judge, CHECK_SECONDS) if in_child else judge()
    if not result or not result["running"]:
        process.close()
    if not result:
        return Verdict(False, CANNOT_GRADE.format("checking it crashed or took too long"))
    verdict, values = Verdict(*result["verdict"]), result["values"]
    imports = [error for _, error in process.errors if "Error: No module named" in error]
    if imports and "NameError" in verdict.sentence:
        reply = f"{verdict.message} A cell of your notebook {imports[0]}"
        return Verdict(False, reply, verdict.misconception, verdict.score)
    if verdict.right or all(values):
        return verdict
    score = verdict.score
    gaps = [n for n, v in zip(question["answers"], values, strict=True) if not v]
    names = re.compile(rf"\b({'|'.join(gaps or question['answers'])})\b")
    for error in [error for cell, error in process.errors if names.search(cell)][:1]:
        return Verdict(False, f"A cell of your notebook {error}", score=score)
    if 0 < len(gaps) < len(values):
        return Verdict(False, f"No value for {' and '.join(gaps)}.", score=score)
    if any(map(names.search, process.cells)):
        return verdict
    missing = f"No cell defines {' and '.join(question['answers'])}."
    return Verdict(False, missing, score=score)


def _judge(process: StudentProcess, check: Callable, names: list[str]) -> dict:
    """Check the answers to a question.

    Returns the arguments of the verdict, which answers have values, and whether the
    student's process is still running.
    """
    try:
        with memory_limit(), deadline(QUESTION_SECONDS + CALL_SECONDS):
            values = process.answers(names)
            values = [... if only_dots(value) else value for value in values]
            verdict = getattr(check, "check", check)(*without_dots(values))
    except LimitExceeded as reason:
        verdict, values = Verdict(False, f"Your notebook {reason}"), []
    except Exception as error:  # an answer that the checker did not expect
        verdict, values = Verdict(False, CANNOT_GRADE.format(describe_error(error))), []
    if process.process:
        process.end_question()
    found = [bool(verdict.right), verdict.message, verdict.misconception, verdict.score]
    given = [value is not ... for value in values]
    return {"verdict": found, "values": given, "running": bool(process.process)}


def only_dots(value) -> bool:
    """Return True for dots, and for a tuple or list that contains only dots."""
    if isinstance(value, (tuple, list)):
        return bool(value) and all(map(only_dots, value))
    return value is ...


def without_dots(values: list) -> list:
    """Replace dots by None, which counts as wrong, unless all answers are dots."""

    def replace(value):
        if isinstance(value, (tuple, list)):
            return type(value)(map(replace, value))
        return None if value is ... else value

    return values if all(value is ... for value in values) else replace(values)


def replace_code_by_verdicts(notebook: dict, key: list[dict], nbgrader=False) -> dict:
    """Return the notebook with the verdicts as code, and its own code as comments.

    With nbgrader, its test cells stay unchanged: nbgrader has restored them.  So does
    a notebook without code.
    """
    tests = {f"{question['name']}-test" for question in key if nbgrader}
    verdicts = {name: (v.score, v.sentence) for name, v in grade(notebook, key).items()}
    notebook = deepcopy(notebook)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    if not code:
        return notebook
    for cell in code:
        cell["metadata"].pop("tags", None)  # a tag can skip a verdict or a test
        id_ = cell["metadata"].get("nbgrader", {}).get("grade_id") if nbgrader else None
        if id_ not in tests:
            lines = "".join(cell["source"]).splitlines()
            cell["source"] = "\n".join(f"# {line}" for line in lines)
    code[0]["source"] = f"verdicts = {verdicts!r}\n{''.join(code[0]['source'])}"
    return notebook
