"""Grade notebooks of a homework; writes a CSV table to stdout."""

import csv
import json
import re
import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

from halfspaces.homework import code_of, grade, student_of


def main(key: str, *notebooks: str) -> int:
    """Write a line for each notebook and question; 1 if a notebook cannot be read."""
    questions = json.loads(Path(key).read_text("utf-8"))
    read = {path: notebook_in(path) for path in notebooks}
    times = Counter(student_of(n) for n in read.values() if isinstance(n, dict))
    table = csv.writer(sys.stdout)
    head = ["notebook", "student", "question", "points", "of", "verdict", "slip", "note"]
    table.writerow(head)
    for path, notebook in read.items():
        name = Path(path).name
        if isinstance(notebook, str):
            table.writerow([name, "", "", "", "", notebook, "", ""])
            continue
        student, verdicts = student_of(notebook), grade(notebook, questions)
        note = noted(student, name, times)
        for question in questions:
            verdict = verdicts[question["name"]]
            points = [round(question["points"] * verdict.score, 2), question["points"]]
            row = [name, student, question["name"], *points]
            table.writerow([*row, verdict.sentence, verdict.slip, note])
        sys.stdout.flush()
    return int(any(isinstance(notebook, str) for notebook in read.values()))


def notebook_in(path: str) -> dict | str:
    """The notebook in a file, or why there is none."""
    try:
        notebook = json.loads(Path(path).read_text("utf-8"))
        student_of(notebook)
        return notebook if code_of(notebook) else "cannot be read: it has no code cells"
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        return f"cannot be read: {error!r}"


def noted(student: str, name: str, times: Counter) -> str:
    """What may mean that a notebook is another student's, where each has one."""
    if not any(times):
        return ""
    if times[student] > 1:
        return f"{times[student]} notebooks of {student or 'no student'}"
    own = student and re.search(rf"(?<![^\W_]){re.escape(student)}(?![^\W_])", name)
    return "" if own else "the file is called otherwise"


if __name__ == "__main__":
    parser = ArgumentParser("python -m halfspaces.homework", description=__doc__)
    parser.add_argument("key", metavar="key.json")
    parser.add_argument("notebooks", nargs="+", metavar="NOTEBOOK.ipynb")
    given = parser.parse_args()
    sys.exit(main(given.key, *given.notebooks))
