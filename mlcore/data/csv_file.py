"""Load data from CSV files in a folder of the package."""

import csv
from pathlib import Path

import numpy as np

from mlcore import checks
from mlcore.data.dataset import Dataset

FOLDER = Path(__file__).with_name("own_data")


def load_csv(name: str, *, label: str = "", folder: Path | str | None = None) -> Dataset:
    """Load a data set from `mlcore/data/own_data/NAME.csv`.

    The first line contains the column names, separated by commas.  All columns except the
    labels contain numbers.  The folder is part of the package, so the file is also found in
    the wheel, on the pages of the book and on a JupyterHub.

    name    name of the file, without .csv
    label   name of the column with the labels, two different words or numbers; -1 is the
            smaller number or the first word in alphabetical order; by default the last
            column
    folder  another folder with the file; None: `mlcore/data/own_data`

    Raises ValueError for a missing file or column, a value that is not a finite number, a
    line with missing values, not exactly two labels; the message names line and column.

    >>> exam = load_csv("example")
    >>> exam.features, exam.classes, len(exam.y)
    (('hours', 'exercises'), ('no', 'yes'), 6)
    """
    folder = Path(folder or FOLDER)
    path = folder / f"{name}.csv"
    if not path.is_file():
        names = ", ".join(sorted(file.stem for file in folder.glob("*.csv")))
        rule = f"be a file in {folder} (found: {names or 'no CSV files'})"
        raise checks.error("name", rule, repr(name))
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, skipinitialspace=True)
        rows = [(reader.line_num, row) for row in reader if any(row)]
    columns = rows[0][1] if rows else []
    label = label or (columns[-1] if columns else "")
    if label not in columns or len(columns) < 2:
        rule = f"be one of at least two columns (found: {columns})"
        raise checks.error("label", rule, repr(label))
    k = columns.index(label)
    features = columns[:k] + columns[k + 1 :]
    X, labels = [], []
    for line, row in rows[1:]:
        where = f"{path.name}, line {line}"
        if len(row) != len(columns):
            raise checks.error(where, f"have {len(columns)} columns", len(row))
        labels.append(row.pop(k).strip())
        X.append([_parse_number(*cell, where) for cell in zip(features, row, strict=True)])
    classes = _sort_classes(labels, f"{path.name}: the column {label!r}")
    y = np.where(np.array(labels) == classes[1], 1.0, -1.0)
    return Dataset(np.array(X), y, tuple(features), classes, name)


def _parse_number(column: str, text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise checks.error(f"{where}: {column!r}", "be a finite number", repr(text))
    return number


def _sort_classes(labels: list[str], where: str) -> tuple[str, str]:
    try:
        classes = sorted({*labels}, key=float)
    except ValueError:
        classes = sorted({*labels}, key=lambda label: (label.casefold(), label))
    if len(classes) != 2:
        raise checks.error(where, "contain two different labels", classes[:5])
    return classes[0], classes[1]
