"""Grade the answers that students saved from the pages; writes a CSV table to stdout.

Each student saves `halfspaces-answers.json` on the first page of the book and submits it.
The verdicts in these files could be faked, so every answer is graded again, in a separate
process as in homework.
"""

import ast
import json
import re
import sys
from pathlib import Path

from halfspaces.homework import grade
from halfspaces.homework.__main__ import write_row
from halfspaces.review import CHAPTERS
from sitebuild.chapters import CHECK, command_parser
from teaching.homework import exercises

ANSWER = re.compile(rf"halfspaces:({'|'.join(CHAPTERS)}):(\w+)")


def grade_answers(saved: dict[str, str]):
    """Yield (chapter.exercise, solved, verdict) for each answer."""
    for key, code in saved.items():
        if not (found := ANSWER.fullmatch(key)):
            continue
        chapter, name = found.groups()
        exercise = exercises(chapter).get(name)
        if not exercise:
            continue  # from another edition of the book
        answers = checker_arguments(code) or exercise["answers"]
        starred = any(answer.startswith("*") for answer in answers)
        names = [
            f"answer_{k}" for k, _ in enumerate(exercise["answers"] if starred else answers)
        ]
        last = f"{', '.join(names)}, = [{', '.join(answers)}]"
        # one cell, so that an error in the answer is the reported error
        code = f"{CHECK.sub('', code)}\n{last}"
        question = {"name": name, "exercise": f"{chapter}.{name}", "seed": None}
        question |= {"answers": names, "library": True}
        sources = exercise["imports"], code
        cells = [{"cell_type": "code", "source": source} for source in sources]
        verdict = grade({"cells": cells, "metadata": {}}, [question])[name]
        yield question["exercise"], verdict.right, verdict.sentence


def checker_arguments(code: str) -> list[str]:
    """List the arguments of the call to the checker."""
    try:
        call = ast.parse(CHECK.search(code)[0], mode="eval").body
    except (SyntaxError, TypeError):
        return []
    return [ast.unparse(argument) for argument in call.args]


def main(arguments: list[str] | None = None) -> int:
    parser = command_parser("teaching.collect", __doc__)
    parser.add_argument("folder", type=Path, help="searched for .json files, recursively")
    folder, failed = parser.parse_args(arguments).folder, 0
    files = sorted(folder.rglob("*.json"))
    if not files:
        print(f"No .json file in {folder}", file=sys.stderr)
        return 1
    write_row(["file", "exercise", "solved", "verdict"])
    for file in files:
        try:
            rows = grade_answers(json.loads(file.read_text("utf-8")))
            for row in rows:
                write_row([file, *row])
        except (OSError, ValueError, AttributeError, TypeError, RecursionError) as error:
            print(f"{file} does not contain answers: {error}", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
