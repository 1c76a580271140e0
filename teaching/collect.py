"""Grade the answers that students saved from the pages; write a CSV table to stdout.

Each student saves `halfspaces-answers.json` on the first page of the book and submits it.
The verdicts in these files could be faked, so every answer is graded again, in a separate
process as in homework.
"""

import ast
import json
import re
import resource
import sys
from functools import cache
from pathlib import Path
from time import monotonic

from halfspaces.exercises import Verdict
from halfspaces.homework import NOTEBOOK_SECONDS, checker_of, grade
from halfspaces.homework.__main__ import MAX_BYTES, is_regular, write_row
from halfspaces.homework.limits import memory_limit, run_in_child
from halfspaces.page.dependencies import (
    defined_names,
    needed_statements,
    statements,
    used_names,
)
from sitebuild.chapters import ROOT, command_parser, read_notebook
from sitebuild.extensions.in_page import EXERCISE_TAGS
from teaching.homework import PAGES, exercises

ANSWER = re.compile(rf"halfspaces:({'|'.join(PAGES)}):(\w+)")

# The student's code calls a checker that only records its arguments.
RECORDER = """
from unittest.mock import MagicMock
check = MagicMock()
try:
    from halfspaces.exercises.{chapter} import {name} as _case  # with its data
    check.{name} = _case
except ImportError:
    pass
_recorded = check.{name}{another}
_recorded.return_value.configure_mock(right=True, score=1.0, message="", sentence="")
"""
LAST_ANSWERS = """
_given = _recorded.call_args
_given = _given.args if _given else ({written},)
if len(_given) == 1 < {count} and hasattr(_given[0], "__len__"):
    _given = tuple(_given[0])
if {count} == 1 < len(_given):
    _given = _given,
if len(_given) != {count}:
    raise TypeError(f"{count} answers are needed, you gave {{len(_given)}}")
{names}, = _given
"""
# names a line of LAST_ANSWERS, which the student did not write
ADDED_LINE = re.compile(r", in your line \d+: .*_given.*")
TOO_LONG = "Not graded: it is too long, or the 15 minutes of the file are over."
MAX_CODE, READ_SECONDS = 50_000, 1  # characters of an answer, time to compile it
# errors of json and ast, for deep nesting too
UNREADABLE = OSError, ValueError, AttributeError, TypeError, SyntaxError
UNREADABLE += RecursionError, MemoryError


def grade_answers(saved: dict[str, str]):
    """Yield (chapter.exercise, solved, verdict) for each answer.

    Answers to exercises of another edition of the book are left out.
    """
    saved = {
        found.groups(): code for key, code in saved.items()
        if (found := ANSWER.fullmatch(key)) and isinstance(code, str)
        and found[2] in exercises(found[1])
    }  # fmt: skip
    end = monotonic() + NOTEBOOK_SECONDS
    in_time = (item for item in saved.items() if monotonic() < end)
    readable = {key: code for key, code in in_time if is_readable(code)}
    for (chapter, name), code in saved.items():
        verdict = Verdict(False, TOO_LONG)
        if (chapter, name) in readable and monotonic() < end:
            keys = [k for k in readable if k[0] == chapter and k[1] != name]
            others = tuple(readable[k] for k in keys)
            verdict = grade_answer(chapter, name, code, others, end)
        yield f"{chapter}.{name}", verdict.right, ADDED_LINE.sub("", verdict.sentence)


def is_readable(code: str) -> bool:
    """Return True for an answer that is short, and that Python can compile fast."""

    def compile_all() -> bool:
        resource.setrlimit(resource.RLIMIT_CPU, (READ_SECONDS, READ_SECONDS))
        with memory_limit():
            lines = statements((code,))
            for line in (code, *lines):  # what `needed_statements` will compile
                used_names(line)
            for line in lines:
                defined_names(line)
        # an import becomes a statement for each name
        return sum(map(len, lines)) <= 4 * MAX_CODE

    # only a process can be stopped while it compiles
    return len(code) <= MAX_CODE and bool(run_in_child(compile_all, 60))


def grade_answer(chapter: str, name: str, code: str, others: tuple, end: float) -> Verdict:
    """Grade an answer to an exercise, until `end`; it may use the answers to others."""
    question = {"name": name, "exercise": f"{chapter}.{name}", "seed": None}
    names = [f"answer_{k}" for k, _ in enumerate(checker_of(question).answer_names())]
    question["another"] = seed = seed_in(code, name)
    question |= {"answers": names, "library": True}
    values = {"chapter": chapter, "name": name, "names": ", ".join(names)}
    values["another"] = "" if seed is None else ".another.return_value"
    written = exercises(chapter)[name]["answers"]
    values |= {"count": len(names), "written": ", ".join(written)}
    with memory_limit():
        sources = (*needed_statements(chapter_code(chapter), code, others),)
    # the last lines are in the cell of the answer, whose error is then reported
    sources += RECORDER.format(**values), code + LAST_ANSWERS.format(**values)
    cells = [{"cell_type": "code", "source": source} for source in sources]
    verdict = grade({"cells": cells, "metadata": {}}, [question], end)[name]
    message = verdict.message + ("" if seed is None else f" (Seed {seed}.)")
    return Verdict(verdict.right, message)


def seed_in(code: str, name: str) -> int | None:
    """Return the seed in the last call with an answer; None for the printed numbers."""

    def is_question(node) -> bool:
        check = (
            node.value if isinstance(node, ast.Attribute) and node.attr == name else None
        )
        return isinstance(check, ast.Name) and check.id == "check"

    def is_variant(node) -> bool:
        another = node.func if isinstance(node, ast.Call) else None
        is_another = isinstance(another, ast.Attribute) and another.attr == "another"
        return is_another and is_question(another.value)

    def has_answer(call: ast.Call) -> bool:
        return not all(getattr(value, "value", 0) is ... for value in call.args)

    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # the error is reported when the code runs
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    calls.sort(key=lambda call: (call.end_lineno, call.end_col_offset))
    answered = [call.func for call in calls if has_answer(call)]
    answered = [node for node in answered if is_question(node) or is_variant(node)]
    last = (answered or [*filter(is_variant, calls)] or [None])[-1]
    if not is_variant(last):
        return None
    given = [*last.args, *(word.value for word in last.keywords)]
    seed = getattr(given[0], "value", None) if given else None
    return seed if isinstance(seed, int) and 0 <= seed < 10**18 else None


@cache
def chapter_code(chapter: str) -> tuple[str, ...]:
    """Return the code cells of a chapter, without those of its exercises."""
    cells = read_notebook(ROOT / "chapters" / f"{chapter}.ipynb")["cells"]
    code = (c for c in cells if c["cell_type"] == "code")
    outside = (c for c in code if not EXERCISE_TAGS & {*c["metadata"].get("tags", [])})
    return tuple("".join(cell["source"]) for cell in outside)


def main(arguments: list[str] | None = None) -> int:
    parser = command_parser("teaching.collect", __doc__)
    parser.add_argument("folder", type=Path, help="searched for .json files, recursively")
    folder, failed = parser.parse_args(arguments).folder, 0
    files = sorted(path for path in folder.rglob("*.json") if is_regular(path))
    if not files:
        print(f"No .json file in {folder}", file=sys.stderr)
        return 1
    write_row(["file", "exercise", "solved", "verdict"])
    for file in files:
        try:
            if file.stat().st_size > MAX_BYTES:
                raise ValueError("it is too large")
            row = None
            for row in grade_answers(json.loads(file.read_text("utf-8-sig"))):
                write_row([str(file), *row])
            if not row:
                print(f"{file} has no answer to an exercise of this book", file=sys.stderr)
        except UNREADABLE as error:
            print(f"{file} does not contain answers: {error}", file=sys.stderr)
            failed = 1
        for function in (statements, used_names, defined_names):
            function.cache_clear()  # of the answers in this file
    return failed


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main())
