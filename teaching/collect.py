"""Grade the answers that students saved from the pages; write a CSV table to stdout.

Each student saves `halfspaces-answers.json` on the first page of the book and submits it.
The verdicts in these files could be faked, so every answer is graded again, in a separate
process as in homework.
"""

import json
import re
import sys
from functools import cache
from pathlib import Path
from time import monotonic

from halfspaces.homework import NOTEBOOK_SECONDS, checker_of, grade
from halfspaces.homework.__main__ import is_regular, write_row
from halfspaces.page.dependencies import needed_statements
from halfspaces.review import CHAPTERS
from sitebuild.chapters import ROOT, command_parser, read_notebook
from sitebuild.extensions.in_page import EXERCISE_TAGS
from teaching.homework import exercises

ANSWER = re.compile(rf"halfspaces:({'|'.join(CHAPTERS)}):(\w+)")

# The student's code calls a checker that only records its arguments.
RECORDER = """
from unittest.mock import MagicMock
check = MagicMock()
try:
    from halfspaces.exercises.{chapter} import {name} as _case  # with its data
    check.{name} = _case
except ImportError:
    pass
_recorded = check.{name}
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
TOO_LONG = "Not graded: an answer has at most 50,000 characters, a file 15 minutes."
MAX_CODE = 50_000  # characters of an answer
# errors of json and ast, for deep nesting too
UNREADABLE = OSError, ValueError, AttributeError, TypeError, SyntaxError
UNREADABLE += RecursionError, MemoryError


def grade_answers(saved: dict[str, str]):
    """Yield (chapter.exercise, solved, verdict) for each answer."""
    saved = {
        found.groups(): code for key, code in saved.items()
        if (found := ANSWER.fullmatch(key)) and isinstance(code, str)
    }  # fmt: skip
    end = monotonic() + NOTEBOOK_SECONDS
    for (chapter, name), code in saved.items():
        if monotonic() > end or len(code) > MAX_CODE:
            yield f"{chapter}.{name}", False, TOO_LONG
            continue
        others = tuple(saved[k] for k in saved if k[0] == chapter and k[1] != name)
        exercise = exercises(chapter).get(name)
        if not exercise:
            continue  # from another edition of the book
        question = {"name": name, "exercise": f"{chapter}.{name}", "seed": None}
        check = checker_of(question)
        names = [f"answer_{k}" for k, _ in enumerate(check.answer_names())]
        question |= {"answers": names, "library": True}
        values = {"chapter": chapter, "name": name, "names": ", ".join(names)}
        values |= {"count": len(names), "written": ", ".join(exercise["answers"])}
        sources = (*needed_statements(chapter_code(chapter), code, others),)
        # the last lines are in the cell of the answer, whose error is then reported
        sources += RECORDER.format(**values), code + LAST_ANSWERS.format(**values)
        cells = [{"cell_type": "code", "source": source} for source in sources]
        verdict = grade({"cells": cells, "metadata": {}}, [question])[name]
        yield question["exercise"], verdict.right, ADDED_LINE.sub("", verdict.sentence)


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
            rows = grade_answers(json.loads(file.read_text("utf-8-sig")))
            for row in rows:
                write_row([str(file), *row])
        except UNREADABLE as error:
            print(f"{file} does not contain answers: {error}", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
