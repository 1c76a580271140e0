"""What students solved in the page: `make collect ANSWERS=folder > solved.csv`.

Each saves `halfspaces-answers.json` on the first page of the book and hands it in; the
folder has these files, or folders of them.  What a browser says was solved could be typed,
so every answer is judged anew, in a process of its own as homework is.
"""

import ast
import csv
import json
import os
import re
import sys
from pathlib import Path

from halfspaces.homework import grade
from halfspaces.review import CHAPTERS
from teaching.homework import CHECK, exercises

ANSWER = re.compile(rf"halfspaces:({'|'.join(CHAPTERS)}):(\w+)")


def judged(kept: dict[str, str]):
    """(chapter.exercise, whether it is right, the sentence) of each answer."""
    for key, code in kept.items():
        if not (found := ANSWER.fullmatch(key)):
            continue
        chapter, name = found.groups()
        asked = exercises(chapter).get(name)
        if not asked:
            continue  # of another edition
        given = arguments(code) or asked["answers"]
        names = [f"answer_{k}" for k in range(len(given))]
        last = "\n".join(f"{n} = {g}" for n, g in zip(names, given, strict=True))
        question = {"name": name, "exercise": f"{chapter}.{name}", "seed": None}
        question |= {"answers": names, "library": True}
        cells = [{"cell_type": "code", "source": c} for c in (asked["imports"], code, last)]
        verdict = grade({"cells": cells, "metadata": {}}, [question])[name]
        yield question["exercise"], verdict.right, verdict.sentence


def arguments(code: str) -> list[str]:
    """What the code hands to its checker."""
    try:
        call = ast.parse(CHECK.search(code)[0], mode="eval").body
    except (SyntaxError, TypeError):
        return []
    return [ast.unparse(argument) for argument in call.args]


def main() -> int:
    folder, failed = os.environ.get("ANSWERS", ""), 0
    files = sorted(Path(folder).rglob("*.json")) if folder else []
    if not files:
        print(f"No .json in {folder!r}: make collect ANSWERS=folder.", file=sys.stderr)
        return 1
    table = csv.writer(sys.stdout)
    table.writerow(["file", "exercise", "solved", "verdict"])
    for file in files:
        try:
            kept = json.loads(file.read_text("utf-8"))
            table.writerows([file.relative_to(folder), *row] for row in judged(kept))
        except (OSError, ValueError, AttributeError, TypeError) as error:
            print(f"{file} holds no answers of this book: {error}", file=sys.stderr)
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
