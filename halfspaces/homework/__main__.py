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
    """Write a row for each notebook and question; return 1 if a notebook is unreadable."""
    questions = json.loads(Path(key).read_text("utf-8"))
    contents = {path: read(path) for path in notebooks}
    counts = Counter(student_of(n) for n in contents.values() if isinstance(n, dict))
    table = csv.writer(sys.stdout)
    head = ["notebook", "student", "question", "points", "of"]
    table.writerow([*head, "verdict", "misconception", "note"])
    for path, notebook in contents.items():
        name = Path(path).name
        if isinstance(notebook, str):
            table.writerow([name, "", "", "", "", notebook, "", ""])
            continue
        student, verdicts = student_of(notebook), grade(notebook, questions)
        note = note_on(student, name, counts)
        for question in questions:
            verdict = verdicts[question["name"]]
            points = [round(question["points"] * verdict.score, 2), question["points"]]
            row = [name, student, question["name"], *points]
            table.writerow([*row, verdict.sentence, verdict.misconception, note])
        sys.stdout.flush()
    return int(any(isinstance(notebook, str) for notebook in contents.values()))


def read(path: str) -> dict | str:
    """Return the notebook in a file; a str explains why the file is unreadable."""
    try:
        notebook = json.loads(Path(path).read_text("utf-8"))
        student_of(notebook)
        return notebook if code_of(notebook) else "cannot be read: it has no code cells"
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        return f"cannot be read: {error!r}"


def note_on(student: str, name: str, counts: Counter) -> str:
    """Return a sign that a notebook is another student's, if each student has one."""
    if not any(counts):
        return ""
    if counts[student] > 1:
        return f"{counts[student]} notebooks of {student or 'no student'}"
    own = student and re.search(rf"(?<![^\W_]){re.escape(student)}(?![^\W_])", name)
    return "" if own else "the file is called otherwise"


if __name__ == "__main__":
    parser = ArgumentParser("python -m halfspaces.homework", description=__doc__)
    parser.add_argument("key", metavar="key.json")
    parser.add_argument("notebooks", nargs="+", metavar="NOTEBOOK.ipynb")
    given = parser.parse_args()
    sys.exit(main(given.key, *given.notebooks))
