"""Grades of homework as a table: python -m mlcore.book.homework key.json *.ipynb"""

import csv
import json
import sys
from pathlib import Path

from mlcore.book.homework import grade


def main(key: str, *notebooks: str) -> None:
    """Write a line for each notebook and question."""
    questions = json.loads(Path(key).read_text("utf-8"))
    table = csv.writer(sys.stdout)
    table.writerow(["notebook", "question", "points", "of", "verdict", "slip"])
    for path in notebooks:
        verdicts = grade(json.loads(Path(path).read_text("utf-8")), questions)
        for question in questions:
            verdict = verdicts[question["name"]]
            points = [round(question["points"] * verdict.score, 2), question["points"]]
            row = [Path(path).name, question["name"], *points]
            table.writerow([*row, verdict.sentence, verdict.slip])
        sys.stdout.flush()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: python -m mlcore.book.homework key.json NOTEBOOK.ipynb ...")
    main(*sys.argv[1:])
