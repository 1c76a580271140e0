"""Grade homework; write a CSV table to stdout with a row for each notebook."""

import csv
import json
import os
import re
import stat
import sys
import unicodedata
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

from halfspaces.homework import code_of, grade, sandbox, student_of
from halfspaces.homework.limits import memory_limit

CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
FORMULA = re.compile(r"""(^|;)([\s"']*[=+@-])""")
MAX_BYTES, MAX_CELLS = 5 * 10**7, 2000  # of a notebook


def main(key: str, *notebooks: str) -> int:
    """Write a row for each notebook; return 1 if a notebook is unreadable."""
    questions = json.loads(Path(key).read_text("utf-8"))
    sandbox()  # warns if bubblewrap is missing
    if os.geteuid() == 0:
        print("You are root: the cells can change the system.", file=sys.stderr)
    contents = {path: read(path) for path in notebooks}
    counts = Counter(student_of(n) for n in contents.values() if isinstance(n, dict))
    names, maximum = [q["name"] for q in questions], sum(q["points"] for q in questions)
    verdicts = [f"{name} {part}" for name in names for part in ("verdict", "misconception")]
    write_row(["file", "student", *names, "total", "maximum", "note", *verdicts])
    for path, notebook in contents.items():
        if isinstance(notebook, str):
            empty = [""] * len(names)
            write_row([path, "", *empty, "", maximum, notebook, *empty, *empty])
            continue
        student, found = student_of(notebook), grade(notebook, questions)
        points = [round(q["points"] * found[q["name"]].score, 2) for q in questions]
        own = [found[name] for name in names]
        replies = [text for v in own for text in (v.sentence, v.misconception)]
        total, note = round(sum(points), 2), note_on(student, path, counts)
        write_row([path, student, *points, total, maximum, note, *replies])
    return int(any(isinstance(notebook, str) for notebook in contents.values()))


def write_row(row: list) -> None:
    """Write a row of CSV to stdout, without control characters and without formulas."""
    values = [tidy_text(value) if isinstance(value, str) else value for value in row]
    csv.writer(sys.stdout, quoting=csv.QUOTE_NONNUMERIC).writerow(values)
    sys.stdout.flush()


def tidy_text(text: str) -> str:
    """Mark formulas as text, even if semicolons separate the columns."""
    text = FORMULA.sub(r"\1'\2", CONTROLS.sub(" ", text))
    return text.encode(errors="backslashreplace").decode()


def is_regular(path: str | Path) -> bool:
    """Return True for a file, and False for a link or a pipe."""
    return stat.S_ISREG(os.lstat(path).st_mode)


def read(path: str) -> dict | str:
    """Return the notebook in a file; a str explains why the file is unreadable."""
    try:
        if not is_regular(path):
            return "cannot be read: it is a link, or not a regular file"
        if os.path.getsize(path) > MAX_BYTES:
            return "cannot be read: it is too large"
        with memory_limit():
            notebook = json.loads(Path(path).read_text("utf-8-sig"))
            code = code_of(notebook)  # all notebooks stay in memory: keep only the code
        if len(code) > MAX_CELLS:
            return f"cannot be read: it has more than {MAX_CELLS} code cells"
        cells = [{"cell_type": "code", "source": source} for source in code]
        own = {"student": student_of(notebook)}
        notebook = {"cells": cells, "metadata": {"halfspaces": own}}
        return notebook if cells else "cannot be read: it has no code cells"
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        return f"cannot be read: {error!r}"
    except MemoryError:
        return "cannot be read: it is too large"
    except RecursionError:
        return "cannot be read: it is nested too deeply"


def note_on(student: str, path: str, counts: Counter) -> str:
    """Return "", or a warning if it is unclear whose notebook this is."""
    if not student and 2 * counts[""] > counts.total():
        return ""  # without STUDENTS=, notebooks name no student
    if not student:
        count = counts[""]
        several = f"{count} notebooks without a student"
        return several if count > 1 else "the notebook names no student"
    notes = [f"{counts[student]} notebooks of {student}"] * (counts[student] > 1)
    path = str(Path(path).with_suffix(""))
    path, name = (unicodedata.normalize("NFC", text) for text in (path, student))
    if not re.search(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", path):
        notes.append("the path does not contain the student's name")
    return "; ".join(notes)


if __name__ == "__main__":
    parser = ArgumentParser("python -m halfspaces.homework", description=__doc__)
    parser.add_argument("key", metavar="key.json")
    parser.add_argument("notebooks", nargs="+", metavar="NOTEBOOK.ipynb")
    given = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8")
    sys.exit(main(given.key, *given.notebooks))
